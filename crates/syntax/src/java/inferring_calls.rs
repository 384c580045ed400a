//! Calls whose arguments may tell what they return: `a.map(f)`, or `same(a)` of a generic method.
//!
//! Such a call is a fact of its own, to which values refer by its number.

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{ScopeId, TYPE_NUMBER, TypeShape};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of arguments that count.
const MAX_ARGUMENTS: usize = 4;

/// The maximum number of nodes from a statement to the lambda around it.
const MAX_AROUND: usize = 64;

impl FlatTree<'_> {
    /// Reports whether a call may return what its arguments tell, and code reads what it returns.
    pub(super) fn is_inferring(&self, call: NodeIndex) -> bool {
        let is_read = self.kind(self.parent(call)) != Kind::ExpressionStatement;
        is_read
            && self.call_arguments(call).take(MAX_ARGUMENTS).any(|one| {
                matches!(
                    self.kind(one),
                    Kind::ArrayAccess
                        | Kind::ClassLiteral
                        | Kind::Creation
                        | Kind::FieldAccess
                        | Kind::Identifier
                        | Kind::Lambda
                        | Kind::MethodCall
                        | Kind::MethodReference
                        | Kind::This
                )
            })
    }

    /// Returns the value of an argument. That of a lambda or a method reference is the function, and
    /// that of `A.class` is the class.
    fn argument_value(&self, node: NodeIndex) -> Option<ValueText> {
        let value = match self.kind(node) {
            Kind::Lambda => ValueText::name(format!("{TYPE_NUMBER}{node}")),
            Kind::ClassLiteral => {
                let of = self.type_value(self.operands(node).next()?)?;
                ValueText::name(of.is_called.then_some(of.path)?)
            }
            Kind::MethodReference => {
                let mut operands = self.operands(node);
                let of = self.value_text(operands.next()?)?;
                match operands.last() {
                    Some(name) => of.member(self.text(name))?,
                    None => of,
                }
            }
            _ => self.value_text(node)?,
        };
        value.within_limit()
    }

    /// Returns the lambda whose result a statement returns.
    fn lambda_around(&self, statement: NodeIndex) -> Option<NodeIndex> {
        let around = std::iter::successors(Some(statement), |one| Some(self.parent(*one)));
        let mut around = around.take(MAX_AROUND);
        let function = around.find(|one| matches!(self.kind(*one), Kind::Lambda | Kind::Method))?;
        (self.kind(function) == Kind::Lambda).then_some(function)
    }
}

impl FactsBuilder<'_> {
    /// Adds a call whose arguments may tell what it returns.
    pub(super) fn add_inferring_call(&mut self, call: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if !tree.is_inferring(call) {
            return;
        }
        let arguments = tree.call_arguments(call).take(MAX_ARGUMENTS);
        let arguments = arguments.map(|one| tree.argument_value(one));
        let of = tree.callee(call);
        self.writer.add_inferring_call(call, scope, of, arguments);
    }

    /// Adds a lambda as a function, with its result if its body is an expression.
    pub(super) fn add_lambda(&mut self, lambda: NodeIndex, (scope, inside): (ScopeId, ScopeId)) {
        let tree = self.tree;
        let shape = TypeShape::Function(inside);
        self.writer.add_type(lambda, scope, shape);
        let body = tree.child(lambda, Field::Body);
        if let Some(body) = body.filter(|body| tree.kind(*body) != Kind::Block) {
            let offset = tree.node(body).start;
            let value = (tree.value_text(body), inside);
            self.writer.bind_returned(offset, inside, value);
        }
    }

    /// Visits `return a;`, which may give a lambda its result.
    pub(super) fn visit_return(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let lambda = tree.lambda_around(node);
        let body = lambda.and_then(|lambda| tree.child(lambda, Field::Body));
        let inside = body.and_then(|body| self.roles.get(body));
        if let Some((inside, returned)) = inside.zip(tree.operands(node).next()) {
            let offset = tree.node(returned).start;
            let value = (tree.value_text(returned), scope);
            self.writer.bind_returned(offset, inside.scope, value);
        }
    }
}
