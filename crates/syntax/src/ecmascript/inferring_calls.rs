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
const MAX_ARGUMENTS: usize = 16;

impl<'t> FlatTree<'t> {
    /// Reports whether arguments of a call may tell type arguments. Literals of builtin types do
    /// not.
    pub(super) fn may_infer(&self, call: NodeIndex) -> bool {
        self.arguments_within(call)
            .any(|one| !matches!(self.kind(one), Kind::String | Kind::Other))
    }

    fn arguments_within(&self, call: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let list = self.argument_list(call);
        let arguments = list.into_iter().flat_map(|list| self.operands(list));
        arguments.take(MAX_ARGUMENTS)
    }

    /// Returns the value of an argument. A function without a name has its number as value.
    pub(super) fn argument_text(&self, node: NodeIndex) -> Option<ValueText<'t>> {
        if self.is_function(node) {
            return Some(type_number(node));
        }
        self.typed_text(node)
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

    /// Returns the values of the arguments. Those from a spread on may be any number of values that
    /// are not known.
    fn argument_values(&mut self, call: NodeIndex) -> Vec<Option<Value>> {
        let tree = self.tree;
        let is_spread = |one: &NodeIndex| tree.kind(*one) == Kind::Spread;
        let arguments: Vec<NodeIndex> = tree.arguments_within(call).collect();
        let known = arguments.iter().take_while(|one| !is_spread(one));
        let values = known.map(|one| self.intern_value(tree.argument_text(*one)));
        let mut values: Vec<Option<Value>> = values.collect();
        if values.len() < arguments.len() {
            values.resize(MAX_ARGUMENTS, None);
        }
        values
    }
}
