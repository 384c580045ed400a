//! Reads types as values: an instance of `a.B` for the type `a.B | null`.
//!
//! A value may have the name of a type, so [`TYPE_NUMBER`] stands before it, too: `:a.B()`.
//! A type that no name expresses is a number, by which [`TypeFact`](crate::facts::TypeFact) says
//! what it consists of.

use super::kinds::{Field, FlatTree, Kind};
use super::value_text::{MAX_STEPS, ValueText};
use crate::facts::TYPE_NUMBER;
use crate::tree::NodeIndex;

/// Generics that stand for their first argument, or for a part of it.
pub(super) const TRANSPARENT: [&str; 11] = [
    "Awaited",
    "Exclude",
    "Extract",
    "NonNullable",
    "Omit",
    "Partial",
    "Pick",
    "Promise",
    "PromiseLike",
    "Readonly",
    "Required",
];

/// Generics that stand for what a call of their argument returns: `ReturnType<typeof a>`.
const CALLS: [&str; 2] = ["InstanceType", "ReturnType"];

/// Returns the value that refers to the type of a node.
pub(super) fn type_number(node: NodeIndex) -> ValueText<'static> {
    ValueText {
        path: format!("{TYPE_NUMBER}{node}").into(),
        is_called: false,
    }
}

impl<'t> FlatTree<'t> {
    /// Returns the value of a type annotation: a call of a class, or the class itself for
    /// `typeof A`.
    pub(super) fn annotation_text(&self, node: NodeIndex) -> Option<ValueText<'t>> {
        self.type_text(node, MAX_STEPS)
    }

    fn type_text(&self, node: NodeIndex, steps: usize) -> Option<ValueText<'t>> {
        let steps = steps.checked_sub(1)?;
        let first = || self.operands(node).next();
        match self.kind(node) {
            Kind::TypeAnnotation
            | Kind::Parenthesized
            | Kind::ReadonlyType
            | Kind::OptionalType => self.type_text(first()?, steps),
            Kind::UnionType => match self.non_null_side(node) {
                Some(side) => self.type_text(side, steps),
                None => Some(type_number(node)),
            },
            Kind::IntersectionType | Kind::FunctionType | Kind::ObjectType | Kind::TupleType => {
                Some(type_number(node))
            }
            Kind::ArrayType => Some(called(type_number(node))),
            Kind::TypeQuery => {
                let path = self.path(first()?)?;
                let is_called = false;
                Some(ValueText { path, is_called })
            }
            Kind::GenericType => self.generic_text(node, steps),
            Kind::LookupType => self.lookup_text(node, steps),
            _ => {
                let path = format!("{TYPE_NUMBER}{}", self.path(node)?).into();
                let is_called = true;
                Some(ValueText { path, is_called })
            }
        }
    }

    fn generic_text(&self, node: NodeIndex, steps: usize) -> Option<ValueText<'t>> {
        let mut operands = self.operands(node);
        let path = self.path(operands.next()?)?;
        let argument = operands.next();
        let argument = argument.and_then(|arguments| self.operands(arguments).next());
        match argument {
            Some(argument) if TRANSPARENT.contains(&&*path) => self.type_text(argument, steps),
            Some(argument) if CALLS.contains(&&*path) => {
                let of = self.type_text(argument, steps)?;
                Some(called(ValueText {
                    path: of.into_path().into(),
                    is_called: false,
                }))
            }
            _ => Some(called(type_number(node))),
        }
    }

    /// Returns the value of a member's type: `A["b"]`.
    fn lookup_text(&self, node: NodeIndex, steps: usize) -> Option<ValueText<'t>> {
        let mut operands = self.operands(node);
        let of = self.type_text(operands.next()?, steps)?;
        let literal = operands
            .next()
            .filter(|&key| self.kind(key) == Kind::Nothing)?;
        let name = self.string_content(self.operands(literal).next()?)?;
        Some(ValueText {
            path: format!("{}.{name}", of.into_path()).into(),
            is_called: false,
        })
    }

    /// Returns the other side of `… | null` or `… | undefined`. The grammar nests longer unions.
    fn non_null_side(&self, node: NodeIndex) -> Option<NodeIndex> {
        let mut operands = self.operands(node);
        let (left, right) = (operands.next()?, operands.next()?);
        match (self.is_null_type(left), self.is_null_type(right)) {
            (false, true) => Some(left),
            (true, false) => Some(right),
            _ => None,
        }
    }

    fn is_null_type(&self, node: NodeIndex) -> bool {
        let is_literal = matches!(self.kind(node), Kind::Nothing | Kind::Other);
        is_literal && matches!(self.text(node), "null" | "undefined" | "void")
    }

    /// Returns the type arguments of a generic type, a call or a base class.
    pub(super) fn type_arguments(&self, node: NodeIndex) -> Option<NodeIndex> {
        let mut children = self.children(node);
        children.find(|&child| self.kind(child) == Kind::TypeArguments)
    }

    /// Returns the generic type or function that a node applies to type arguments.
    pub(super) fn applied(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.callee(node).or_else(|| self.operands(node).next())
    }

    /// Returns the declared type of a variable, a field or a parameter.
    pub(super) fn declared_text(&self, node: NodeIndex) -> Option<ValueText<'t>> {
        self.annotation_text(self.child(node, Field::Type)?)
    }
}

fn called(of: ValueText<'_>) -> ValueText<'_> {
    ValueText {
        is_called: true,
        ..of
    }
}
