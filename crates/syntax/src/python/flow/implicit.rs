//! Calls that the text does not show: of iterators, context managers and raised classes.

use crate::python::builder::FactsBuilder;
use crate::python::kinds::Kind;
use crate::tree::NodeIndex;

impl FactsBuilder<'_> {
    /// Visits `raise A`, which calls `A`.
    pub(super) fn flow_into_raise(&mut self, node: NodeIndex) {
        let Some(raised) = self.tree.operands(node).next() else {
            return;
        };
        if matches!(self.tree.kind(raised), Kind::Identifier | Kind::Attribute) {
            self.mark_called(raised);
        }
    }

    /// Adds the calls of `__iter__` and `__next__` by a loop, if the file defines such methods.
    pub(super) fn refer_to_iteration(&mut self, iterable: NodeIndex) {
        for (method, path) in [
            ("__iter__", ".__iter__"),
            ("__next__", ".__iter__().__next__"),
        ] {
            self.refer_to_method(iterable, method, path);
        }
    }

    /// Adds the calls of `__enter__` and `__exit__` by `with`, if the file defines such methods.
    pub(super) fn refer_to_context(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let Some(clause) = tree.operands(node).next() else {
            return;
        };
        let items: Vec<NodeIndex> = tree.operands(clause).collect();
        for item in items {
            let inner = tree.operands(item).next().unwrap_or(item);
            let value = match tree.kind(inner) {
                Kind::AsPattern => tree.operands(inner).next().unwrap_or(inner),
                _ if tree.kind(item) == Kind::Other => inner,
                _ => item,
            };
            self.refer_to_method(value, "__enter__", ".__enter__");
            self.refer_to_method(value, "__exit__", ".__exit__");
        }
    }

    fn refer_to_method(&mut self, object: NodeIndex, method: &str, suffix: &str) {
        if !self.binds(method) {
            return;
        }
        if let Some(path) = self.path_text(object) {
            self.refer_to(object, &format!("{path}{suffix}"));
        }
    }
}
