//! What methods pass to their blocks: `yield a`, `block.call(a)` and `b.each(&block)`.
//!
//! A method binds what it passes at the index `1` to the name `;1` of its scope.
//!
//! <https://docs.ruby-lang.org/en/master/syntax/calling_methods_rdoc.html>

use super::builder::FactsBuilder;
use super::kinds::{Field, Kind};
use super::literals::is_builtin;
use crate::facts::{BindingTarget, PARAMETER, ScopeId};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of values that a method is known to pass at once.
const MAX_PASSED: usize = 8;

impl FactsBuilder<'_> {
    /// Visits `yield a, b`.
    pub(super) fn visit_yield(&mut self, node: NodeIndex, scope: ScopeId) {
        let list = self.tree.operands(node).next();
        if let (Some(method), Some(list)) = (self.writer.function_around(scope), list) {
            self.bind_passed(list, (method, scope));
        }
    }

    /// Visits `a.call(b)` where `a` is the block of the method around.
    pub(super) fn visit_call_of_block(
        &mut self,
        call: NodeIndex,
        (of, name): (NodeIndex, &str),
        scope: ScopeId,
    ) {
        let method = self.method_with_block(of, scope);
        let list = self.tree.child(call, Field::Arguments);
        if let (Some(method), Some(list), "call" | "yield") = (method, list, name) {
            self.bind_passed(list, (method, scope));
        }
    }

    /// Visits `a.each(&block)` where `block` is the block of the method around.
    pub(super) fn visit_passed_block(
        &mut self,
        argument: NodeIndex,
        call: (NodeIndex, &str),
        scope: ScopeId,
    ) {
        let method = match self.tree.operands(argument).next() {
            Some(block) => self.method_with_block(block, scope),
            // `&` alone passes the block of the method on.
            None => self.writer.function_around(scope),
        };
        let Some(method) = method else {
            return;
        };
        for place in [(0, 1), (1, 2)] {
            for value in self.received(call, place, scope) {
                self.bind_passed_value(argument, place.0, (method, scope), Some(value));
            }
        }
    }

    /// Returns the scope of the method whose block a name is.
    fn method_with_block(&self, name: NodeIndex, scope: ScopeId) -> Option<ScopeId> {
        let text = self.tree.text(name);
        let is_name = self.tree.kind(name) == Kind::Identifier;
        let method = self.scope_of_variable(scope, text).filter(|_| is_name)?;
        let is_block = self.block_parameters.contains(&(method, text));
        is_block.then_some(method)
    }

    fn bind_passed(&mut self, list: NodeIndex, scopes: (ScopeId, ScopeId)) {
        let arguments: Vec<NodeIndex> = self.tree.operands(list).take(MAX_PASSED).collect();
        for (index, argument) in arguments.into_iter().enumerate() {
            for value in self.alternative_values(argument, scopes.1) {
                self.bind_passed_value(argument, index, scopes, value);
            }
        }
    }

    fn bind_passed_value(
        &mut self,
        argument: NodeIndex,
        index: usize,
        (method, scope): (ScopeId, ScopeId),
        value: Option<ValueText>,
    ) {
        if value.as_ref().is_some_and(is_builtin) {
            return;
        }
        let value = self.writer.intern_value(value);
        let offset = self.tree.node(argument).start;
        let target = BindingTarget::Variable(value);
        self.writer.bind_text_in(
            format!("{PARAMETER}{index}"),
            offset,
            method,
            (target, scope),
        );
    }
}
