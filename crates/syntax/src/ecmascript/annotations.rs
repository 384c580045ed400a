//! Reads types as values: an instance of `a.B` for the type `a.B | null`.
//!
//! A value may have the name of a type, so [`TYPE_NUMBER`] stands before it, too: `:a.B()`.
//! A type that no name expresses is a number, by which [`TypeFact`](crate::facts::TypeFact) says
//! what it consists of.

use std::borrow::Cow;

use super::kinds::{Field, FlatTree, Kind};
use super::value_text::{MAX_STEPS, ValueText};
use crate::facts::{PARAMETER, TYPE_NUMBER};
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

/// Generics that stand for the parameters of their argument, as a tuple.
const PARAMETERS: [&str; 2] = ["ConstructorParameters", "Parameters"];

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
            Kind::ObjectType => match self.mapped_type(node) {
                Some(of) => self.type_text(of, steps),
                None => Some(type_number(node)),
            },
            Kind::IntersectionType | Kind::FunctionType | Kind::TupleType => {
                Some(type_number(node))
            }
            Kind::ArrayType => Some(called(type_number(node))),
            Kind::TypeQuery => {
                let queried = first()?;
                let path = self.path(queried);
                Some(ValueText {
                    path: path.or_else(|| self.imported_path(queried))?,
                    is_called: false,
                })
            }
            Kind::GenericType => self.generic_text(node, steps),
            Kind::LookupType => self.lookup_text(node, steps),
            _ => {
                let name = self.path(node).or_else(|| self.imported_path(node))?;
                let path = format!("{TYPE_NUMBER}{name}").into();
                let is_called = true;
                Some(ValueText { path, is_called })
            }
        }
    }

    /// Returns the path of a type that an expression imports: `import("a").B`.
    fn imported_path(&self, node: NodeIndex) -> Option<Cow<'t, str>> {
        let mut inner = node;
        for _ in 0..MAX_STEPS {
            if self.module_value(inner).is_some() {
                return Some(self.typed_text(node)?.path);
            }
            inner = self.operands(inner).next()?;
        }
        None
    }

    /// Returns the type whose members a mapped type has: `A` of `{ [K in keyof A]: A[K] }`.
    fn mapped_type(&self, object: NodeIndex) -> Option<NodeIndex> {
        let signature = self.operands(object).next()?;
        let clause = self.operands(signature).next()?;
        // `[K in keyof A as B]` gives other names.
        let has_other_names = self.operands(clause).count() > 2;
        if self.kind(clause) != Kind::MappedType || has_other_names {
            return None;
        }
        let key = self.text(self.child(clause, Field::Name)?);
        let keys = self.child(clause, Field::Type)?;
        let of = self.operands(keys).next()?;
        let is_keys = self.text(keys).starts_with("keyof");
        let value = self.operands(self.child(signature, Field::Type)?).next()?;
        let mut parts = self.operands(value).map(|part| self.text(part));
        let is_same = self.kind(value) == Kind::LookupType
            && parts.next() == Some(self.text(of))
            && parts.next() == Some(key);
        (is_keys && is_same).then_some(of)
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

    /// Returns the value of a member's type: `A["b"]`, `A[0]`, `A[number]` or `A[keyof A]`.
    fn lookup_text(&self, node: NodeIndex, steps: usize) -> Option<ValueText<'t>> {
        let mut operands = self.operands(node);
        let (of, key) = (operands.next()?, operands.next()?);
        let literal = self.operands(key).next();
        let literal = literal.filter(|_| self.kind(key) == Kind::Nothing);
        let suffix = match literal {
            Some(literal) => match self.string_content(literal) {
                Some(name) => format!(".{name}"),
                None => return self.part_text((of, literal), steps),
            },
            None if self.text(key) == "number" || self.text(key).starts_with("keyof") => {
                "[]".to_owned()
            }
            None => return None,
        };
        let of = self.type_text(of, steps)?;
        Some(ValueText {
            path: format!("{}{suffix}", of.into_path()).into(),
            is_called: false,
        })
    }

    /// Returns the value of a part of a tuple type, or of the parameters of a function:
    /// `Parameters<typeof a>[0]`.
    fn part_text(
        &self,
        (of, index): (NodeIndex, NodeIndex),
        steps: usize,
    ) -> Option<ValueText<'t>> {
        let index: u8 = self.text(index).parse().ok()?;
        let mut operands = self.operands(of);
        let generic = operands
            .next()
            .filter(|_| self.kind(of) == Kind::GenericType);
        let is_parameters = generic.is_some_and(|name| PARAMETERS.contains(&self.text(name)));
        let path = if is_parameters {
            let function = self.operands(operands.next()?).next()?;
            let function = self.type_text(function, steps)?.into_path();
            format!("{function}{PARAMETER}{index}")
        } else {
            format!("{}[{index}]", self.type_text(of, steps)?.into_path())
        };
        Some(ValueText {
            path: path.into(),
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
