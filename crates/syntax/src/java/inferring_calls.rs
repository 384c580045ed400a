//! Calls whose arguments may tell what they return: `a.map(f)`, or `same(a)` of a generic method.
//!
//! Such a call is a fact of its own, to which values refer by its number.

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{ScopeId, Space};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of nodes from a statement to the function around it.
const MAX_AROUND: usize = 64;

/// The class of `A.class`.
const CLASS: &str = "Class";

impl FlatTree<'_> {
    /// Reports whether arguments of a call may tell what it returns, and code reads that.
    pub(super) fn may_infer_result(&self, call: NodeIndex) -> bool {
        let is_read = self.kind(self.parent(call)) != Kind::ExpressionStatement;
        is_read
            && self.call_arguments(call).any(|one| {
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

    /// Reports whether the arguments of a constructor tell the type arguments: `new A<>(b)`.
    pub(super) fn is_diamond(&self, creation: NodeIndex) -> bool {
        let of = self.child(creation, Field::Type);
        of.is_some_and(|of| {
            self.kind(of) == Kind::GenericType
                && self.type_arguments(of).next().is_none()
                && self.class_body(creation).is_none()
                && self.may_infer_result(creation)
        })
    }

    /// Returns the arguments of a call or of a constructor.
    fn call_arguments(&self, call: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let list = self.child(call, Field::Arguments);
        list.into_iter().flat_map(|list| self.operands(list))
    }

    /// Returns the value of an argument. That of a lambda or a method reference is the function,
    /// and that of `A.class` is one of `Class<A>`.
    fn argument_value(&self, node: NodeIndex) -> Option<ValueText> {
        match self.kind(node) {
            Kind::Lambda => Some(ValueText::numbered(node)),
            Kind::ClassLiteral => Some(ValueText::called_number(node)),
            Kind::MethodReference => {
                let mut operands = self.operands(node);
                let of = self.value_text(operands.next()?)?;
                match operands.last() {
                    Some(name) => of.member(self.text(name)),
                    None => Some(of),
                }
            }
            _ => self.value_text(node),
        }
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
        if tree.may_infer_result(call) {
            let arguments = tree.call_arguments(call);
            let arguments = arguments.map(|one| tree.argument_value(one));
            let of = tree.callee(call);
            self.writer.add_inferring_call(call, scope, of, arguments);
        }
    }

    /// Adds `new A<>(b)` as a call of the class.
    pub(super) fn add_diamond(&mut self, creation: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if tree.is_diamond(creation) {
            let of = tree.child(creation, Field::Type);
            let name = of.and_then(|of| tree.operands(of).next());
            let of = name.and_then(|name| tree.type_path(name));
            let of = of.map(ValueText::name);
            let arguments = tree.call_arguments(creation);
            let arguments = arguments.map(|one| tree.argument_value(one));
            self.writer
                .add_inferring_call(creation, scope, of, arguments);
        }
    }

    /// Adds the type of `A.class`.
    pub(super) fn add_class_literal(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if tree.kind(tree.parent(node)) == Kind::Arguments {
            let of = (Some(ValueText::name(CLASS)), Space::Types);
            let argument = tree.operands(node).next();
            let argument = argument.and_then(|argument| tree.type_value(argument));
            self.writer
                .add_applied(node, scope, of, std::iter::once(argument));
        }
    }

    /// Adds a lambda as a function, with its result if its body is an expression.
    pub(super) fn add_lambda(&mut self, lambda: NodeIndex, scopes: (ScopeId, ScopeId)) {
        let tree = self.tree;
        let body = tree.child(lambda, Field::Body);
        let body = body.filter(|body| tree.kind(*body) != Kind::Block);
        let returned = body.map(|body| (tree.node(body).start, tree.value_text(body)));
        self.writer.add_lambda(lambda, scopes, returned);
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
