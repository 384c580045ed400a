//! The values of expressions, as paths.

use crate::facts::{LAMBDA, LITERAL};
use crate::python::builder::{FactsBuilder, MODULE};
use crate::python::kinds::{Field, Kind};
use crate::tree::NodeIndex;

/// The maximum number of values that one expression may have.
const MAX_VALUES: usize = 4;
/// The maximum number of elements of a container that are kept.
pub(super) const MAX_ELEMENTS: usize = 64;
/// The maximum number of containers of a file.
const MAX_LITERALS: usize = 4_000;
/// The maximum depth of nested containers and conditions.
const MAX_DEPTH: usize = 6;
/// The maximum number of containers and calls around an expression that is read.
const MAX_AROUND: usize = 12;
/// The index of values of a dictionary whose keys are not known.
pub(super) const ANY_KEY: &str = "['']";

/// The maximum length of a path, in bytes.
pub(super) const MAX_PATH: usize = 160;

impl FactsBuilder<'_> {
    /// Returns the values that an expression may have.
    pub(super) fn values_of(&mut self, node: NodeIndex) -> Vec<String> {
        let mut found = Vec::new();
        if self.values_around < MAX_AROUND {
            self.values_around += 1;
            self.add_values(node, 0, &mut found);
            self.values_around -= 1;
        }
        found.retain(|path| path.len() <= MAX_PATH);
        found.truncate(MAX_VALUES);
        found
    }

    fn add_values(&mut self, node: NodeIndex, depth: usize, found: &mut Vec<String>) {
        let tree = self.tree;
        if depth > MAX_DEPTH {
            return;
        }
        let inner = match tree.kind(node) {
            Kind::ParenthesizedExpression | Kind::Await => tree.operands(node).next(),
            Kind::Assignment => tree.child(node, Field::Right),
            Kind::NamedExpression => tree.child(node, Field::Value),
            Kind::BooleanOperator | Kind::ConditionalExpression => {
                return self.add_alternatives(node, depth, found);
            }
            Kind::BinaryOperator if self.joins_containers(node) => {
                return self.add_alternatives(node, depth, found);
            }
            Kind::Lambda => {
                let scope = self.body_scope(node);
                found.extend(scope.map(|scope| format!("{LAMBDA}{}", scope.0)));
                return;
            }
            Kind::Attribute | Kind::Call | Kind::Subscript => {
                found.extend(self.composed_values(node));
                return;
            }
            _ => {
                found.extend(self.value_path(node));
                return;
            }
        };
        if let Some(inner) = inner {
            self.add_values(inner, depth + 1, found);
        }
    }

    /// Reports whether an expression joins a container that it creates with another one: `[a] + b`.
    fn joins_containers(&self, node: NodeIndex) -> bool {
        let tree = self.tree;
        let method = tree.operator_method(node);
        let left = tree.operands(node).next();
        let left = left.map(|left| tree.kind(self.without_brackets(left)));
        let is_container = |kind| {
            matches!(
                kind,
                Kind::Comprehension | Kind::Dictionary | Kind::List | Kind::Set
            )
        };
        matches!(method, Some("__add__" | "__or__")) && left.is_some_and(is_container)
    }

    /// Adds the values of `a or b`, of `a if c else b` and of `[a] + b`.
    fn add_alternatives(&mut self, node: NodeIndex, depth: usize, found: &mut Vec<String>) {
        let parts: Vec<NodeIndex> = self.tree.operands(node).take(3).collect();
        let ends = [parts.first(), parts.last()];
        for part in ends.into_iter().flatten() {
            self.add_values(*part, depth + 1, found);
        }
    }

    fn value_path(&mut self, node: NodeIndex) -> Option<String> {
        match self.tree.kind(node) {
            Kind::List | Kind::Tuple | Kind::Set | Kind::Elements => self.sequence(node),
            Kind::Dictionary => self.dictionary(node),
            Kind::Comprehension => self.comprehension(node),
            _ => self.path_text(node),
        }
    }

    /// Returns the dotted name of an expression.
    pub(super) fn path_text(&self, node: NodeIndex) -> Option<String> {
        let path = self.tree.numbered_path(node, &self.call_numbers)?;
        (path.len() <= MAX_PATH).then(|| path.into_owned())
    }

    /// Returns a list, tuple or set.
    fn sequence(&mut self, node: NodeIndex) -> Option<String> {
        let parts = self.tree.operands(node).take(MAX_ELEMENTS);
        self.sequence_of(node, parts.collect())
    }

    /// Returns a container of these elements that a node creates.
    pub(super) fn sequence_of(&mut self, node: NodeIndex, parts: Vec<NodeIndex>) -> Option<String> {
        let has_splat = parts
            .iter()
            .any(|part| self.tree.kind(*part) == Kind::Splat);
        let elements = parts.into_iter().enumerate().map(|(index, part)| {
            // The elements after a splat may be at any index.
            let index = if has_splat {
                String::new()
            } else {
                index.to_string()
            };
            (format!("[{index}]"), part)
        });
        let elements = elements.collect();
        self.literal(node, elements)
    }

    fn dictionary(&mut self, node: NodeIndex) -> Option<String> {
        let tree = self.tree;
        let pairs = tree
            .operands(node)
            .filter(|pair| tree.kind(*pair) == Kind::Pair);
        let elements = pairs.take(MAX_ELEMENTS).filter_map(|pair| {
            let mut parts = tree.operands(pair);
            let (key, value) = (parts.next()?, parts.next()?);
            let index = tree.index_text(key).unwrap_or_else(|| "[]".into());
            Some((index, value))
        });
        let elements = elements.collect();
        self.literal(node, elements)
    }

    /// Returns the container that a comprehension creates.
    fn comprehension(&mut self, node: NodeIndex) -> Option<String> {
        let tree = self.tree;
        let element = tree.operands(node).next()?;
        let value = match tree.kind(element) {
            Kind::Pair => tree.operands(element).nth(1)?,
            _ => element,
        };
        self.literal(node, vec![("[]".into(), value)])
    }

    /// Binds the elements of a container that a node creates, and returns its path.
    ///
    /// Returns `None` if no element has a value.
    pub(super) fn literal(
        &mut self,
        node: NodeIndex,
        elements: Vec<(String, NodeIndex)>,
    ) -> Option<String> {
        if let Some(known) = self.literals.get(&node) {
            return Some(known.clone()).filter(|path| !path.is_empty());
        }
        if self.literals.len() >= MAX_LITERALS {
            return None;
        }
        let path = format!("{LITERAL}{}", self.literals.len());
        self.literals.insert(node, path.clone());
        let mut is_empty = true;
        for (index, element) in elements {
            let scope = self.scope_of(element);
            let (element, suffix) = self.spread(element);
            for value in self.values_of(element) {
                let value = format!("{value}{suffix}");
                let name = self.intern(format!("{path}{index}"));
                self.flow_bind((MODULE, name), element, (&value, scope));
                is_empty = false;
            }
        }
        if is_empty {
            self.literals.insert(node, String::new());
            return None;
        }
        Some(path)
    }

    /// Returns the container in `*a`, with what its elements have behind its path.
    fn spread(&self, element: NodeIndex) -> (NodeIndex, &'static str) {
        let tree = self.tree;
        match tree.operands(element).next() {
            Some(inner) if tree.kind(element) == Kind::Splat => (inner, "*"),
            _ => (element, ""),
        }
    }

    /// Returns a container with values at one index: `[]` for an unknown one, and `['']` for an
    /// unknown key.
    pub(super) fn container_of(
        &mut self,
        node: NodeIndex,
        index: &str,
        values: &[String],
    ) -> Option<String> {
        if let Some(known) = self.literals.get(&node) {
            return Some(known.clone());
        }
        if values.is_empty() || self.literals.len() >= MAX_LITERALS {
            return None;
        }
        let path = format!("{LITERAL}{}", self.literals.len());
        self.literals.insert(node, path.clone());
        let name = self.intern(format!("{path}{index}"));
        let scope = self.scope_of(node);
        for value in values {
            self.flow_bind((MODULE, name), node, (value, scope));
        }
        Some(path)
    }

    /// Reports whether the file binds a name, other than by an import.
    pub(super) fn binds(&self, name: &str) -> bool {
        let name = self.names.find(name);
        name.is_some_and(|name| self.bound_names.contains(&name))
    }
}
