//! Calls whose arguments may tell what they return: `a.Select(f)`, or `Same(a)` of a generic
//! method.
//!
//! Such a call is a fact of its own, to which values refer by its number.

use super::MAX_STEPS;
use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::ScopeId;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of nodes from a statement to the function around it.
const MAX_AROUND: usize = 64;

impl FlatTree<'_> {
    /// Reports whether arguments of a call may tell what it returns, and code reads that.
    pub(super) fn may_infer_result(&self, call: NodeIndex) -> bool {
        let is_read = self.kind(self.parent(call)) != Kind::ExpressionStatement;
        is_read
            && self.call_arguments(call).flatten().any(|one| {
                matches!(
                    self.kind(one),
                    Kind::ArrayCreation
                        | Kind::Creation
                        | Kind::ElementAccess
                        | Kind::Identifier
                        | Kind::Invocation
                        | Kind::Lambda
                        | Kind::MemberAccess
                ) || self.text(one) == "this"
            })
    }

    /// Returns the arguments of a call. One that names its parameter, `a: b`, is `None`.
    fn call_arguments(&self, call: NodeIndex) -> impl Iterator<Item = Option<NodeIndex>> {
        let list = self.child(call, Field::Arguments);
        let arguments = list.into_iter().flat_map(|list| self.operands(list));
        arguments.map(|one| {
            let is_named = self.child(one, Field::Name).is_some();
            self.operands(one).last().filter(|_| !is_named)
        })
    }

    /// Returns the value of an argument. That of a lambda is the function.
    fn argument_value(&self, node: NodeIndex) -> Option<ValueText> {
        match self.kind(node) {
            Kind::Lambda => Some(ValueText::numbered(node)),
            _ => self.value_text(node),
        }
    }

    /// Returns what a lambda returns if it returns a value: an `async` one returns a task of it.
    fn lambda_result(&self, lambda: NodeIndex, value: NodeIndex) -> Option<ValueText> {
        let value = self.value_text(value)?;
        Some(if self.is_async(lambda) {
            value.into_sequence()
        } else {
            value
        })
    }

    pub(super) fn is_async(&self, lambda: NodeIndex) -> bool {
        self.children(lambda).any(|one| self.text(one) == "async")
    }

    /// Returns the lambda whose result a statement returns.
    fn lambda_around(&self, statement: NodeIndex) -> Option<NodeIndex> {
        let around = std::iter::successors(Some(statement), |one| Some(self.parent(*one)));
        let mut around = around.take(MAX_AROUND);
        let function = around.find(|one| {
            matches!(
                self.kind(*one),
                Kind::Accessor
                    | Kind::AnonymousMethod
                    | Kind::Lambda
                    | Kind::LocalFunction
                    | Kind::Method
            )
        })?;
        (self.kind(function) == Kind::Lambda).then_some(function)
    }
}

impl FactsBuilder<'_> {
    /// Adds a call whose arguments may tell what it returns, unless they say it already.
    pub(super) fn add_inferring_call(&mut self, call: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if tree.may_infer_result(call) && tree.known_result(call, MAX_STEPS).is_none() {
            let of = tree.callee(call, MAX_STEPS);
            let arguments = tree.call_arguments(call);
            let arguments = arguments.map(|one| tree.argument_value(one?));
            self.writer.add_inferring_call(call, scope, of, arguments);
        }
    }

    /// Adds a lambda as a function, with its result if its body is an expression.
    pub(super) fn add_lambda(&mut self, lambda: NodeIndex, scopes: (ScopeId, ScopeId)) {
        let tree = self.tree;
        let body = tree.child(lambda, Field::Body);
        let body = body.filter(|body| tree.kind(*body) != Kind::Block);
        let returned = body.map(|body| (tree.node(body).start, tree.lambda_result(lambda, body)));
        self.writer.add_lambda(lambda, scopes, returned);
    }

    /// Visits `return a;`, which may give a lambda its result.
    pub(super) fn visit_return(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(lambda) = tree.lambda_around(node) else {
            return;
        };
        let body = tree.child(lambda, Field::Body);
        let inside = body.and_then(|body| self.roles.get(body));
        if let Some((inside, returned)) = inside.zip(tree.operands(node).next()) {
            let offset = tree.node(returned).start;
            let value = (tree.lambda_result(lambda, returned), scope);
            self.writer.bind_returned(offset, inside.scope, value);
        }
    }
}
