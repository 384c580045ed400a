//! Types and functions with type arguments, and calls whose arguments may tell those.
//!
//! Each is a fact of its own, to which values refer by its number. Methods have no type parameters:
//! <https://go.dev/ref/spec#Method_declarations>.

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{ScopeId, Space};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The builtin functions, <https://pkg.go.dev/builtin>, whose results arguments do not tell here.
const BUILTINS: [&str; 15] = [
    "append", "cap", "complex", "copy", "imag", "len", "make", "max", "min", "new", "panic",
    "print", "println", "real", "string",
];

impl FlatTree<'_> {
    /// Returns the name of a generic type without its arguments: `a.B` of `a.B[C]`.
    fn generic_name(&self, generic: NodeIndex) -> Option<String> {
        self.type_path(self.child(generic, Field::Type)?)
    }

    fn type_arguments(&self, generic: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let list = self.child(generic, Field::TypeArguments);
        let arguments = list.into_iter().flat_map(|list| self.operands(list));
        arguments.filter_map(|one| match self.kind(one) {
            Kind::TypeElem => self.operands(one).next(),
            _ => Some(one),
        })
    }

    /// Returns the node of the type arguments of a called function: `[B]` of `a[B]()`, which may
    /// also be an index.
    pub(super) fn arguments_of_callee(&self, call: NodeIndex) -> Option<NodeIndex> {
        let function = self.child(call, Field::Function)?;
        let is_index = self.kind(function) == Kind::Index;
        let index = is_index.then_some(function);
        index.or_else(|| self.child(call, Field::TypeArguments))
    }

    /// Returns the type that stands as an index in `a[B]()`.
    fn type_of_index(&self, index: NodeIndex) -> Option<ValueText> {
        let mut of = self.operands(index).nth(1)?;
        if self.kind(of) == Kind::Unary {
            // A pointer.
            of = self.child(of, Field::Operand)?;
        }
        match self.kind(of) {
            Kind::Identifier => Some(ValueText::call(self.text(of))),
            Kind::Selector => self.value_text(of)?.called(),
            _ => self.type_value(of),
        }
    }

    /// Reports whether arguments of a call may tell type arguments of the called function, and code
    /// reads what it returns. A method with a small letter is none.
    pub(super) fn may_infer_result(&self, call: NodeIndex) -> bool {
        let is_read = self.kind(self.parent(call)) != Kind::ExpressionStatement;
        let is_value = |one: NodeIndex| {
            matches!(
                self.kind(one),
                Kind::Call
                    | Kind::CompositeLiteral
                    | Kind::FunctionLiteral
                    | Kind::Identifier
                    | Kind::Index
                    | Kind::Selector
                    | Kind::Unary
            )
        };
        is_read && self.is_function_call(call) && self.arguments(call).any(is_value)
    }

    fn is_function_call(&self, call: NodeIndex) -> bool {
        let Some(function) = self.child(call, Field::Function) else {
            return false;
        };
        let of = self.child(function, Field::Operand);
        match self.kind(function) {
            Kind::Identifier => !BUILTINS.contains(&self.text(function)),
            // `pkg.F`; names of other packages begin with a capital.
            Kind::Selector => {
                let name = self.child(function, Field::Selected);
                of.is_some_and(|of| self.kind(of) == Kind::Identifier)
                    && name.is_some_and(|name| self.text(name).starts_with(char::is_uppercase))
            }
            _ => false,
        }
    }

    fn arguments(&self, call: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let list = self.child(call, Field::Arguments);
        list.into_iter().flat_map(|list| self.operands(list))
    }
}

impl FactsBuilder<'_> {
    /// Adds a type with its arguments: `A[B]`.
    pub(super) fn add_generic_type(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        // The grammar reads a call with several type arguments, `a[B, C](d)`, as a conversion.
        let of = (tree.generic_name(node).map(ValueText::name), Space::Any);
        let arguments = tree.type_arguments(node).map(|one| tree.type_value(one));
        self.writer.add_applied(node, scope, of, arguments);
    }

    /// Adds a called function with its type arguments, or a call whose arguments may tell them.
    pub(super) fn add_generic_call(&mut self, call: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let function = || tree.called_function(call);
        match tree.arguments_of_callee(call) {
            Some(list) if tree.kind(list) == Kind::Index => {
                let argument = std::iter::once(tree.type_of_index(list));
                let of = (function(), Space::Values);
                self.writer.add_applied(list, scope, of, argument);
            }
            Some(list) => {
                let arguments = tree.type_arguments(call).map(|one| tree.type_value(one));
                let of = (function(), Space::Values);
                self.writer.add_applied(list, scope, of, arguments);
            }
            None if tree.may_infer_result(call) => {
                let arguments = tree.arguments(call).map(|one| tree.value_text(one));
                self.writer
                    .add_inferring_call(call, scope, function(), arguments);
            }
            None => {}
        }
    }
}
