//! Methods that change the elements of a container.

use super::calls::MAX_ARGUMENTS;
use crate::facts::{ADDED, BindingTarget};
use crate::python::addition::Addition;
use crate::python::builder::FactsBuilder;
use crate::python::kinds::{Field, Kind};
use crate::tree::NodeIndex;

/// The methods that add elements.
const METHODS: [&str; 10] = [
    "add",
    "append",
    "appendleft",
    "extend",
    "extendleft",
    "insert",
    "put",
    "put_nowait",
    "setdefault",
    "update",
];

impl FactsBuilder<'_> {
    /// Visits `a.append(b)` and `a.update({…})`, which change the elements of `a`.
    pub(super) fn flow_into_container(&mut self, call: NodeIndex, function: NodeIndex) {
        let tree = self.tree;
        if tree.kind(function) != Kind::Attribute {
            return;
        }
        let (Some(object), Some(method)) =
            (tree.operands(function).next(), tree.last_name(function))
        else {
            return;
        };
        if !METHODS.contains(&method) {
            return;
        }
        let list = tree.operands(call).nth(1);
        let arguments: Vec<NodeIndex> = list
            .map(|list| tree.operands(list).take(3).collect())
            .unwrap_or_default();
        let place = usize::from(matches!(method, "setdefault" | "insert"));
        let Some(value) = arguments.get(place).copied() else {
            return;
        };
        let Some(path) = self.container_path(object) else {
            return;
        };
        let added = format!("{path}[{ADDED}]");
        match method {
            "setdefault" => return self.flow_into_element(object, (&path, "[]"), value),
            "put" | "put_nowait" => return self.note_additions(object, (added, false), value),
            "extend" | "extendleft" => return self.note_additions(object, (added, true), value),
            "update" if tree.kind(value) != Kind::Dictionary => {
                return self.note_additions(object, (added, true), value);
            }
            "update" => {}
            _ => return self.flow_into_element(object, (&path, &format!("[{ADDED}]")), value),
        }
        let pairs = tree
            .operands(value)
            .filter(|pair| tree.kind(*pair) == Kind::Pair);
        let pairs: Vec<NodeIndex> = pairs.take(MAX_ARGUMENTS).collect();
        for pair in pairs {
            let sides: Vec<NodeIndex> = tree.operands(pair).take(2).collect();
            if let [key, value] = *sides {
                let index = tree.index_text(key).unwrap_or_else(|| "[]".into());
                self.flow_into_element(object, (&path, &index), value);
            }
        }
    }

    /// Returns the path of a container to which elements are added. `a.setdefault(b, [])` is an
    /// element of `a`.
    fn container_path(&self, object: NodeIndex) -> Option<String> {
        let tree = self.tree;
        let object = self.without_brackets(object);
        let function = tree.child(object, Field::Function);
        let of_default =
            function.filter(|function| tree.last_name(*function) == Some("setdefault"));
        let path = match of_default {
            Some(function) => {
                let of = self.path_text(tree.operands(function).next()?)?;
                format!("{of}[]")
            }
            None => self.path_text(object)?,
        };
        (!path.contains('(')).then_some(path)
    }

    /// Visits `a += b` and `a |= b`, which add the elements of `b` to `a`.
    pub(super) fn flow_into_augmented(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let (Some(target), Some(value)) = (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        ) else {
            return;
        };
        if !matches!(tree.operator_method(node), Some("__add__" | "__or__")) {
            return;
        }
        if let Some(path) = self.container_path(target) {
            self.note_additions(target, (format!("{path}[{ADDED}]"), true), value);
        }
    }

    /// Notes the values, or their elements, that a statement adds to a container.
    fn note_additions(
        &mut self,
        node: NodeIndex,
        (path, is_spread): (String, bool),
        value: NodeIndex,
    ) {
        let value_scope = self.scope_of(value);
        for value in self.values_of(value) {
            let path = path.clone();
            self.note_addition(Addition {
                node,
                path,
                value,
                value_scope,
                is_spread,
            });
        }
    }

    /// Binds an element of a container.
    fn flow_into_element(
        &mut self,
        object: NodeIndex,
        (path, index): (&str, &str),
        value: NodeIndex,
    ) {
        let (scope, value_scope) = (self.scope_of(object), self.scope_of(value));
        let instance = self.scope_info(scope).instance;
        for found in self.values_of(value) {
            self.note_addition(Addition {
                node: object,
                path: format!("{path}{index}"),
                value: found.clone(),
                value_scope,
                is_spread: false,
            });
            let own = instance.and_then(|(receiver, class)| {
                let receiver = self.names.text(receiver);
                let member = path.strip_prefix(receiver)?.strip_prefix('.')?;
                (!member.contains('.')).then(|| (class, format!("{member}{index}")))
            });
            let Some((class, member)) = own else {
                let name = self.intern(format!("{path}{index}"));
                self.flow_bind((scope, name), object, (&found, value_scope));
                continue;
            };
            let name = self.intern(member);
            let value = self.path_value(&found);
            let target = BindingTarget::Attribute(Some(value));
            self.flow_bind_target((class, name), object, target, value_scope);
        }
    }
}
