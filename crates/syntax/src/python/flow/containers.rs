//! Methods that change the elements of a container.

use super::calls::MAX_ARGUMENTS;
use crate::facts::{ADDED, BindingTarget};
use crate::python::builder::FactsBuilder;
use crate::python::kinds::Kind;
use crate::tree::NodeIndex;

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
        if !matches!(
            method,
            "append" | "add" | "appendleft" | "update" | "setdefault" | "insert"
        ) {
            return;
        }
        let Some(path) = self.path_text(object).filter(|path| !path.contains('(')) else {
            return;
        };
        let list = tree.operands(call).nth(1);
        let arguments: Vec<NodeIndex> = list
            .map(|list| tree.operands(list).take(3).collect())
            .unwrap_or_default();
        let place = usize::from(matches!(method, "setdefault" | "insert"));
        let Some(value) = arguments.get(place).copied() else {
            return;
        };
        if method == "setdefault" {
            return self.flow_into_element(object, (&path, "[]"), value);
        }
        if method != "update" {
            return self.flow_into_element(object, (&path, &format!("[{ADDED}]")), value);
        }
        if tree.kind(value) != Kind::Dictionary {
            return;
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
