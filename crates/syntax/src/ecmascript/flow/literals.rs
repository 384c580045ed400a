//! Containers that expressions create: arrays, objects, and what builtin functions make of them.

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::kinds::{Field, Kind};
use crate::ecmascript::roles::MODULE;
use crate::facts::{BEFORE_COPY, COPIED, LITERAL, ScopeId, UNKNOWN};
use crate::tree::NodeIndex;

use super::paths::MAX_PATH;

/// The maximum number of elements of a container that are kept.
const MAX_ELEMENTS: usize = 64;
/// The maximum number of containers of a file.
const MAX_LITERALS: usize = 4_000;
/// The maximum number of elements that are copied one by one.
const MAX_COPIED: usize = 16;

/// The elements of a container: the part of the path, and the values with their scope.
pub(super) type Elements = Vec<(String, Vec<String>, ScopeId)>;

impl FactsBuilder<'_, '_> {
    /// Returns an array.
    pub(super) fn array(&mut self, node: NodeIndex) -> Option<String> {
        let parts = self.indexed_elements(node);
        self.array_of(node, &parts)
    }

    /// Returns the elements of an array or pattern with their indices. `[, a]` has no element 0.
    pub(in crate::ecmascript) fn indexed_elements(
        &self,
        node: NodeIndex,
    ) -> Vec<(usize, NodeIndex)> {
        let tree = self.tree;
        let mut index = 0;
        let mut elements = Vec::new();
        for child in tree.children(node) {
            match tree.kind(child) {
                Kind::Comment => {}
                Kind::Token => index += usize::from(tree.text(child) == ","),
                _ => elements.push((index, child)),
            }
            if elements.len() >= MAX_ELEMENTS {
                break;
            }
        }
        elements
    }

    /// Returns an array of these elements that a node creates.
    pub(super) fn array_of(
        &mut self,
        node: NodeIndex,
        parts: &[(usize, NodeIndex)],
    ) -> Option<String> {
        self.container(node, |builder| {
            let mut elements = Vec::new();
            // The elements after a spread may be at any index.
            let mut is_spread = false;
            for (index, part) in parts {
                let scope = builder.scope_of(*part);
                if builder.tree.kind(*part) == Kind::Spread {
                    is_spread = true;
                    let values = builder.spread_values(*part);
                    elements.push(("[]".into(), values, scope));
                    continue;
                }
                let place = if is_spread {
                    "[]".into()
                } else {
                    format!("[{index}]")
                };
                elements.push((place, builder.values_of(*part), scope));
            }
            elements
        })
    }

    /// Returns the values of the elements of `...a`.
    fn spread_values(&mut self, spread: NodeIndex) -> Vec<String> {
        let Some(inner) = self.tree.operands(spread).next() else {
            return Vec::new();
        };
        let values = self.values_of(inner).into_iter();
        values.map(|path| format!("{path}*")).collect()
    }

    /// Returns an object.
    pub(super) fn object(&mut self, node: NodeIndex) -> Option<String> {
        self.container(node, |builder| builder.properties(node))
    }

    /// Returns the own properties of an object that copies no others, and otherwise none.
    pub(super) fn own_properties(&mut self, object: NodeIndex) -> Elements {
        let tree = self.tree;
        let mut parts = tree.operands(object).take(MAX_ELEMENTS);
        if parts.any(|part| tree.kind(part) == Kind::Spread) {
            return Vec::new();
        }
        self.properties(object)
    }

    /// Returns the properties of an object, and the objects whose properties it copies.
    fn properties(&mut self, object: NodeIndex) -> Elements {
        let tree = self.tree;
        let parts: Vec<NodeIndex> = tree.operands(object).take(MAX_ELEMENTS).collect();
        let mut elements: Elements = Vec::new();
        for part in parts {
            if tree.kind(part) == Kind::Spread {
                self.copy_properties(part, &mut elements);
                continue;
            }
            let (key, value) = match tree.kind(part) {
                Kind::Pair => (tree.child(part, Field::Key), tree.child(part, Field::Value)),
                Kind::Shorthand => (Some(part), Some(part)),
                Kind::Method if !self.is_accessor(part) => {
                    (tree.child(part, Field::Name), Some(part))
                }
                _ => (None, None),
            };
            let suffix = key.and_then(|key| self.property_suffix(key));
            if let Some((suffix, getter)) = self.getter(part) {
                elements.retain(|(known, ..)| *known != suffix);
                elements.push((suffix, vec![getter], self.scope_of(part)));
                continue;
            }
            if let (Some(suffix), Some(value)) = (suffix, value) {
                // The last property of a name counts.
                elements.retain(|(known, ..)| *known != suffix);
                elements.push((suffix, self.values_of(value), self.scope_of(value)));
            }
        }
        elements
    }

    /// Adds the object of `...a`, whose properties may replace those before it.
    fn copy_properties(&mut self, spread: NodeIndex, elements: &mut Elements) {
        for (suffix, ..) in elements.iter_mut() {
            if !suffix.starts_with(".?") {
                *suffix = format!(".{BEFORE_COPY}{suffix}");
            }
        }
        let Some(of) = self.tree.operands(spread).next() else {
            return;
        };
        let mut values = self.values_of(of);
        if values.is_empty() {
            values.push(UNKNOWN.to_owned());
        }
        elements.push((format!(".{COPIED}"), values, self.scope_of(of)));
    }

    /// Returns the property of a getter, with what a call of it gives.
    fn getter(&self, method: NodeIndex) -> Option<(String, String)> {
        let tree = self.tree;
        if tree.kind(method) != Kind::Method || !self.has_word(method, &["get"]) {
            return None;
        }
        let suffix = self.property_suffix(tree.child(method, Field::Name)?)?;
        Some((suffix, format!("{}()", self.function_path(method)?)))
    }

    /// Reports whether a method is a getter or a setter.
    pub(super) fn is_accessor(&self, method: NodeIndex) -> bool {
        self.has_word(method, &["get", "set"])
    }

    fn has_word(&self, method: NodeIndex, words: &[&str]) -> bool {
        let tree = self.tree;
        let mut children = tree.children(method);
        children.any(|word| tree.kind(word) == Kind::Token && words.contains(&tree.text(word)))
    }

    /// Binds the elements of a container that a node creates, and returns its path.
    ///
    /// Returns `None` if no element has a value.
    pub(super) fn container(
        &mut self,
        node: NodeIndex,
        elements: impl FnOnce(&mut Self) -> Elements,
    ) -> Option<String> {
        if let Some(known) = self.flow.literals.get(&node) {
            return Some(known.clone()).filter(|path| !path.is_empty());
        }
        let path = self.new_literal()?;
        self.flow.literals.insert(node, path.clone());
        let mut is_empty = true;
        for (suffix, values, scope) in elements(self) {
            for value in values {
                let name = self.intern(format!("{path}{suffix}"));
                self.flow_bind((MODULE, name), node, (&value, scope));
                is_empty = false;
            }
        }
        if is_empty {
            self.flow.literals.insert(node, String::new());
            return None;
        }
        Some(path)
    }

    /// Returns an array with one value at any index.
    pub(super) fn array_with(&mut self, node: NodeIndex, value: String) -> Option<String> {
        self.array_with_any(node, vec![value])
    }

    /// Returns an array with any of these values at any index.
    pub(super) fn array_with_any(
        &mut self,
        node: NodeIndex,
        values: Vec<String>,
    ) -> Option<String> {
        let scope = self.scope_of(node);
        self.container(node, |_| vec![("[]".into(), values, scope)])
    }

    /// Returns the path of a new container, which no node has yet.
    pub(super) fn new_literal(&mut self) -> Option<String> {
        let number = self.flow.literal_count;
        if number >= MAX_LITERALS {
            return None;
        }
        self.flow.literal_count += 1;
        Some(format!("{LITERAL}{number}"))
    }

    /// Binds a part of a container to a value, as it is at a node.
    pub(super) fn bind_literal(&mut self, name: &str, node: NodeIndex, value: &str) {
        if value.len() > MAX_PATH {
            return;
        }
        let name = self.intern(name.to_owned());
        let scope = self.scope_of(node);
        self.flow_bind((MODULE, name), node, (value, scope));
    }

    /// Returns one path for several values of a node.
    pub(super) fn any_of(&mut self, node: NodeIndex, values: &[String]) -> Option<String> {
        let [first, others @ ..] = values else {
            return None;
        };
        if others.is_empty() {
            return Some(first.clone());
        }
        let name = format!("{}.any", self.new_literal()?);
        for value in values {
            self.bind_literal(&name, node, value);
        }
        Some(name)
    }

    /// Returns the elements of a value from an index on, as an array that a pattern creates.
    pub(super) fn rest_of(
        &mut self,
        pattern: NodeIndex,
        (path, first): (&str, usize),
        scope: ScopeId,
    ) -> Option<String> {
        let element = |index: usize| vec![format!("{path}[{}]", first + index)];
        self.container(pattern, |_| {
            (0..MAX_COPIED)
                .map(|index| (format!("[{index}]"), element(index), scope))
                .collect()
        })
    }

    /// Returns the first value of an expression.
    pub(super) fn first_value(&mut self, node: NodeIndex) -> Option<String> {
        self.values_of(node).into_iter().next()
    }

    /// Returns the array `a.slice(1, 3)`.
    pub(super) fn slice(
        &mut self,
        call: NodeIndex,
        object: NodeIndex,
        arguments: &[NodeIndex],
    ) -> Option<String> {
        let path = self.first_value(object)?;
        let number = |node: &NodeIndex| self.tree.text(*node).parse::<i32>().ok();
        let first = match arguments.first() {
            Some(first) => usize::try_from(number(first)?).ok()?,
            None => 0,
        };
        // A negative end counts from the end of the array.
        let last = match arguments.get(1) {
            Some(last) => usize::try_from(number(last)?).unwrap_or(first + MAX_COPIED),
            None => first + MAX_COPIED,
        };
        let scope = self.scope_of(call);
        let count = last.saturating_sub(first).min(MAX_COPIED);
        self.container(call, |_| {
            let element = |index| vec![format!("{path}[{}]", first + index)];
            (0..count)
                .map(|index| (format!("[{index}]"), element(index), scope))
                .collect()
        })
    }
}
