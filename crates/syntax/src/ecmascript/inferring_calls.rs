//! Calls in TypeScript whose arguments may tell the type arguments of the called function:
//! `first(a)` of `function first<T>(of: T[]): T`.
//!
//! What such a call returns is a fact of its own, to which values refer by the number of the call.
//! The number of the callee stands for the called function, whose parameters tell the types of
//! functions among the arguments: of `b` in `each(a, (b) => …)`.

use super::annotations::type_number;
use super::builder::FactsBuilder;
use super::contexts::MAX_STEPS;
use super::kinds::{FlatTree, Kind};
use super::value_text::ValueText;
use crate::facts::{TypeShape, Value};
use crate::tree::NodeIndex;

/// The maximum number of arguments that are read.
const MAX_ARGUMENTS: usize = 8;

impl<'t> FlatTree<'t> {
    /// Reports whether arguments of a call may tell type arguments.
    pub(super) fn may_infer(&self, call: NodeIndex) -> bool {
        self.known_arguments(call).any(|one| {
            matches!(
                self.kind(one),
                Kind::Array
                    | Kind::ArrowFunction
                    | Kind::As
                    | Kind::Await
                    | Kind::Call
                    | Kind::FunctionExpression
                    | Kind::Identifier
                    | Kind::Member
                    | Kind::New
                    | Kind::NonNull
                    | Kind::Object
                    | Kind::Subscript
                    | Kind::This
            )
        })
    }

    /// Returns the arguments of a call up to a spread.
    fn known_arguments(&self, call: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let list = self.children(call).last();
        let list = list.filter(|&list| self.kind(list) == Kind::Arguments);
        let arguments = list.into_iter().flat_map(|list| self.operands(list));
        let arguments = arguments.take(MAX_ARGUMENTS);
        arguments.take_while(|&one| self.kind(one) != Kind::Spread)
    }

    /// Returns the value of an argument. That of a function without a name is its number.
    fn argument_text(&self, node: NodeIndex) -> Option<ValueText<'t>> {
        match self.kind(node) {
            Kind::ArrowFunction | Kind::FunctionExpression => Some(type_number(node)),
            _ => self.typed_text(node),
        }
    }
}

impl FactsBuilder<'_, '_> {
    /// Returns the type of what a call returns whose arguments may tell it.
    pub(super) fn inferring_call(&mut self, call: NodeIndex) -> Option<TypeShape> {
        Some(TypeShape::Call {
            of: self.callee_value(self.tree.callee(call)?)?,
            arguments: self.argument_values(call),
        })
    }

    /// Returns a called function by its name, with the arguments of the call and the type that is
    /// expected of its result.
    pub(super) fn inferring_function(&mut self, callee: NodeIndex) -> Option<TypeShape> {
        let tree = self.tree;
        let call = tree.parent(callee);
        if tree.callee(call) != Some(callee) {
            return None;
        }
        let expected = tree.expected_path(call, MAX_STEPS).map(|path| Value {
            path: self.intern(path),
            is_called: false,
        });
        Some(TypeShape::Inferring {
            of: self.callee_value(callee)?,
            arguments: self.argument_values(call),
            expected,
        })
    }

    fn callee_value(&mut self, callee: NodeIndex) -> Option<Value> {
        let path = self.tree.typed_text(callee)?.into_path();
        Some(Value {
            path: self.intern(path),
            is_called: false,
        })
    }

    fn argument_values(&mut self, call: NodeIndex) -> Vec<Option<Value>> {
        let tree = self.tree;
        let arguments = tree.known_arguments(call);
        let arguments = arguments.map(|one| self.intern_value(tree.argument_text(one)));
        arguments.collect()
    }
}
