//! Closures, the types of functions, and calls whose closures tell what they return.

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::patterns::Matched;
use super::values::MAX_STEPS;
use crate::facts::{BindingTarget, PARAMETER, ScopeId, ScopeKind, Space, TypeShape};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The methods of the standard library whose results depend on a function or an iterator that is an
/// argument of them.
const TELLING: [&str; 9] = [
    "and_then",
    "filter_map",
    "flat_map",
    "map",
    "map_or",
    "map_while",
    "then",
    "then_some",
    "zip",
];

impl FlatTree<'_> {
    /// Reports whether the arguments of a call may tell what it returns: one is a closure, or the
    /// call is one of a path whose result is used at once or bound to a variable.
    pub(super) fn may_infer_result(&self, call: NodeIndex) -> bool {
        let around = self.kind(self.parent(call));
        let mut arguments = self.arguments(call);
        if arguments.any(|one| self.kind(one) == Kind::Closure) {
            return around != Kind::ExpressionStatement;
        }
        let is_used = matches!(
            around,
            Kind::Await
                | Kind::FieldExpression
                | Kind::For
                | Kind::Index
                | Kind::Let
                | Kind::LetCondition
                | Kind::Match
                | Kind::Try
        );
        let is_telling = || self.is_path_call(call) || self.has_telling_argument(call);
        is_used && is_telling() && self.arguments(call).any(|one| self.may_tell(one))
    }

    /// Reports whether a call is one of a method whose argument may be a function, or another
    /// iterator, by which its result is known.
    fn has_telling_argument(&self, call: NodeIndex) -> bool {
        let method = self
            .callee(call)
            .and_then(|of| self.child(of, Field::Selected));
        method.is_some_and(|method| TELLING.contains(&self.text(method)))
    }

    /// Reports whether a call is one of `a::b` or `b` that is not a known function of the standard
    /// library.
    fn is_path_call(&self, call: NodeIndex) -> bool {
        let function = self.child(call, Field::Function);
        let is_path = |one: NodeIndex| matches!(self.kind(one), Kind::Identifier | Kind::Scoped);
        function.is_some_and(is_path) && self.standard_result(call).is_none()
    }

    /// Reports whether an argument may be of a type of the repository.
    fn may_tell(&self, argument: NodeIndex) -> bool {
        matches!(
            self.kind(argument),
            Kind::Call
                | Kind::FieldExpression
                | Kind::Identifier
                | Kind::Reference
                | Kind::Scoped
                | Kind::SelfKeyword
                | Kind::StructExpression
                | Kind::Await
                | Kind::Try
                | Kind::WrappedBlock
        )
    }

    fn arguments(&self, call: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let list = self.child(call, Field::Arguments);
        list.into_iter().flat_map(|list| self.operands(list))
    }

    /// Returns the name or expression that a call calls, without type arguments.
    pub(super) fn callee(&self, call: NodeIndex) -> Option<NodeIndex> {
        let function = self.child(call, Field::Function)?;
        match self.kind(function) {
            Kind::GenericFunction => self.child(function, Field::Function),
            _ => Some(function),
        }
    }

    /// Returns the function that a call calls.
    fn called_function(&self, call: NodeIndex) -> Option<ValueText> {
        self.callee_value(self.callee(call)?, MAX_STEPS)?
            .within_limit()
    }

    /// Reports whether a call passes its receiver as the first argument: `a.b()`.
    fn has_receiver(&self, call: NodeIndex) -> bool {
        let function = self.callee(call);
        function.is_some_and(|function| self.kind(function) == Kind::FieldExpression)
    }

    /// Returns the only expression of a block, or else the block or other expression itself.
    fn only_expression(&self, body: NodeIndex) -> NodeIndex {
        let mut inside = self.operands(body);
        match (inside.next(), inside.next()) {
            (Some(only), None) if self.kind(body) == Kind::Block => only,
            _ => body,
        }
    }

    /// Returns what the function to which a closure is passed gives it as a parameter.
    fn received(&self, closure: NodeIndex, place: usize) -> Option<ValueText> {
        let call = self.parent(self.parent(closure));
        let index = self.arguments(call).position(|one| one == closure)?;
        let index = index + usize::from(self.has_receiver(call));
        let function = self.called_function(call)?.path;
        let path = format!("{function}{PARAMETER}{index}{PARAMETER}{place}");
        ValueText::name(path).within_limit()
    }
}

impl FactsBuilder<'_> {
    pub(super) fn visit_closure(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.open_block(node, scope);
        let list = tree.child(node, Field::Parameters);
        let parameters = list.map(|list| tree.parts_of(list)).unwrap_or_default();
        for (place, parameter) in parameters {
            if tree.kind(parameter) == Kind::Parameter {
                let of = tree.child(parameter, Field::Type);
                if let Some(pattern) = tree.child(parameter, Field::Pattern) {
                    self.bind_pattern(pattern, (inside, scope), Matched::of_type(of));
                }
                continue;
            }
            let value = place.and_then(|place| tree.received(node, place));
            self.bind_pattern(parameter, (inside, scope), Matched::Value(value));
        }
        let body = tree.child(node, Field::Body);
        let offset = tree.node(node).start;
        let returned = match tree.child(node, Field::ReturnType) {
            Some(of) => tree.type_value(of),
            None => body.and_then(|body| tree.value_text(tree.only_expression(body))),
        };
        self.writer
            .add_lambda(node, (scope, inside), Some((offset, returned)));
    }

    /// Adds a call with closures, to which values refer by its number.
    pub(super) fn add_inferring_call(&mut self, call: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if !tree.may_infer_result(call) {
            return;
        }
        let receiver = tree.has_receiver(call).then_some(None);
        let arguments = tree.arguments(call).map(|one| match tree.kind(one) {
            Kind::Closure => Some(ValueText::numbered(one)),
            _ => tree.value_text(one),
        });
        let arguments = receiver.into_iter().chain(arguments);
        let of = tree.called_function(call);
        self.writer.add_inferring_call(call, scope, of, arguments);
    }

    /// Adds a function with type arguments, to which calls refer by its number: `a::<B>`.
    pub(super) fn add_generic_function(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let function = tree.child(node, Field::Function);
        let of = function.and_then(|function| tree.callee_value(function, MAX_STEPS));
        let arguments = tree.type_arguments(node).map(|one| tree.type_value(one));
        self.writer
            .add_applied(node, scope, (of, Space::Values), arguments);
    }

    /// Adds the type of a function: `Fn(A) -> B`.
    pub(super) fn add_function_type(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.open_scope(ScopeKind::Function, scope, None);
        self.writer
            .add_type(node, scope, TypeShape::Function(inside));
        let parameters = self.operands_of(tree.child(node, Field::Parameters));
        for (place, parameter) in parameters.into_iter().enumerate() {
            let of = tree.child(parameter, Field::Type).unwrap_or(parameter);
            let value = self.writer.intern_value(tree.type_value(of));
            let offset = tree.node(parameter).start;
            let target = BindingTarget::Parameter(value);
            self.writer
                .bind_text(place.to_string(), offset, inside, target);
        }
        if let Some(of) = tree.child(node, Field::ReturnType) {
            let offset = tree.node(of).start;
            let value = tree.type_value(of);
            self.writer.bind_returned(offset, inside, (value, scope));
        }
    }
}
