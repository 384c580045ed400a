//! Reads types and expressions as values: `a.T` is an instance of that type, and `a.b().c` a path.
//!
//! A field and a method may have one name, and so may a variable and a method. Therefore the name
//! of a field has [`FIELD`] before it, and so has that of a type in a type; a method that is called
//! without a receiver has [`METHOD`] before it.

use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{ARGUMENTS, FIELD, METHOD};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of nodes from an expression or type to its innermost name.
const MAX_STEPS: usize = 24;

/// The maximum number of dimensions of an array that count.
const MAX_DIMENSIONS: usize = 16;

impl FlatTree<'_> {
    /// Returns the value of something of a type.
    pub(super) fn type_value(&self, node: NodeIndex) -> Option<ValueText> {
        self.type_value_within(node, MAX_STEPS)?.within_limit()
    }

    fn type_value_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        match self.kind(node) {
            Kind::TypeIdentifier if self.text(node) == "var" => None,
            Kind::TypeIdentifier | Kind::Identifier | Kind::PrimitiveType => {
                Some(ValueText::call(self.text(node)))
            }
            Kind::ScopedType | Kind::ScopedIdentifier => {
                Some(ValueText::call(self.dotted_type(node, steps)?))
            }
            Kind::GenericType if self.type_arguments(node).next().is_some() => {
                Some(ValueText::called_number(node))
            }
            Kind::GenericType => {
                let of = self.operands(node).next()?;
                Some(self.type_value_within(of, steps)?.with_arguments(true))
            }
            Kind::Wildcard => {
                let mut operands = self.operands(node);
                match operands.find(|one| self.kind(*one) != Kind::Super) {
                    Some(bound) => self.type_value_within(bound, steps),
                    None => Some(ValueText::call("?")),
                }
            }
            Kind::ArrayType => {
                let element = self.child(node, Field::Element)?;
                let element = self.type_value_within(element, steps)?;
                Some(self.array_of(element, node))
            }
            Kind::AnnotatedType => self.type_value_within(self.operands(node).last()?, steps),
            _ => None,
        }
    }

    /// Returns the arguments of a generic type. That of `new A<>()` has none.
    pub(super) fn type_arguments(&self, generic: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let arguments = self.operands(generic).nth(1);
        arguments.into_iter().flat_map(|all| self.operands(all))
    }

    /// Returns an array of values with the dimensions of a node: `[][]`, or `[2][3]`.
    pub(super) fn array_of(&self, element: ValueText, node: NodeIndex) -> ValueText {
        let dimensions = self.operands(node).map(|part| match self.kind(part) {
            Kind::Dimension => 1,
            Kind::Dimensions => self.text(part).matches('[').count(),
            _ => 0,
        });
        let number = dimensions.sum::<usize>().min(MAX_DIMENSIONS);
        (0..number).fold(element, |array, _| array.into_sequence())
    }

    fn dotted_type(&self, node: NodeIndex, steps: usize) -> Option<String> {
        let mut segments = Vec::new();
        for operand in self.operands(node) {
            match self.kind(operand) {
                Kind::Annotation => {}
                Kind::GenericType => {
                    let of = self.operands(operand).next()?;
                    segments.push(self.type_value_within(of, steps)?.path);
                }
                _ => segments.push(self.type_value_within(operand, steps)?.path),
            }
        }
        Some(segments.join("."))
    }

    /// Returns the name of a type without its arguments: `a.T` of `a.T<B>`.
    pub(super) fn type_path(&self, node: NodeIndex) -> Option<String> {
        let value = self.type_value(node)?;
        value.is_called.then_some(value.path)
    }

    /// Returns the value of an expression, or `None` if it is neither a path nor a value of a known
    /// type.
    pub(super) fn value_text(&self, node: NodeIndex) -> Option<ValueText> {
        self.value_within(node, MAX_STEPS)?.within_limit()
    }

    fn value_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        let of = |field: Field| self.value_within(self.child(node, field)?, steps);
        match self.kind(node) {
            Kind::Identifier | Kind::This | Kind::Super => Some(ValueText::name(self.text(node))),
            // A method reference may have a type before `::`.
            Kind::TypeIdentifier | Kind::ScopedType | Kind::GenericType => {
                Some(ValueText::name(self.type_path(node)?))
            }
            Kind::FieldAccess => {
                let name = self.text(self.child(node, Field::Selected)?);
                of(Field::Object)?.member(&format!("{FIELD}{name}"))
            }
            Kind::MethodCall => self.call_value(node, steps),
            Kind::Creation if self.class_body(node).is_some() => Some(ValueText::numbered(node)),
            Kind::Creation if self.is_diamond(node) => {
                Some(ValueText::numbered(node).with_arguments(true))
            }
            Kind::Creation | Kind::Cast => {
                self.type_value_within(self.child(node, Field::Type)?, steps)
            }
            Kind::ArrayCreation => {
                let of = self.child(node, Field::Type)?;
                let of = self.type_value_within(of, steps)?;
                Some(self.array_of(of, node))
            }
            Kind::ArrayAccess => of(Field::Array)?.element(),
            Kind::Parenthesized => self.value_within(self.operands(node).next()?, steps),
            Kind::Assignment => of(Field::Right),
            Kind::Ternary => of(Field::Consequence),
            Kind::Switch => {
                let arms = self.operands(self.child(node, Field::Body)?);
                let mut results = arms.filter_map(|arm| {
                    let result = self.operands(arm).last()?;
                    let is_value = self.kind(result) == Kind::ExpressionStatement;
                    self.operands(result).next().filter(|_| is_value)
                });
                results.find_map(|result| self.value_within(result, steps))
            }
            Kind::String if self.text(node).starts_with('\'') => Some(ValueText::call("char")),
            Kind::String => Some(ValueText::call("String")),
            _ => None,
        }
    }

    /// Returns the body of the class without a name that a node creates.
    pub(super) fn class_body(&self, creation: NodeIndex) -> Option<NodeIndex> {
        let mut operands = self.operands(creation);
        operands.find(|one| self.kind(*one) == Kind::ClassBody)
    }

    /// Returns the first argument of a call if it is a name.
    pub(super) fn first_argument(&self, call: NodeIndex) -> Option<&str> {
        let arguments = self.child(call, Field::Arguments)?;
        let first = self.operands(arguments).next()?;
        (self.kind(first) == Kind::Identifier).then(|| self.text(first))
    }

    /// Returns the method that a node calls.
    pub(super) fn callee(&self, node: NodeIndex) -> Option<ValueText> {
        self.callee_within(node, MAX_STEPS)?.within_limit()
    }

    fn callee_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let name = self.text(self.child(node, Field::Name)?);
        let arguments = self.child(node, Field::Arguments)?;
        let count = self.operands(arguments).count();
        let name = format!("{name}{ARGUMENTS}{count}");
        let passed = self
            .collector(node)
            .or_else(|| self.method_of_library(node));
        let name = match passed {
            Some(collector) => format!("{name}{ARGUMENTS}{collector}"),
            None => name,
        };
        match self.child(node, Field::Object) {
            Some(object) => self.value_within(object, steps)?.member(&name),
            None => Some(match self.first_argument(node) {
                Some(first) => ValueText::name(format!("{METHOD}{name}{ARGUMENTS}{first}")),
                None => ValueText::name(format!("{METHOD}{name}")),
            }),
        }
    }

    fn call_value(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let called = self.callee_within(node, steps)?;
        let called = if self.may_infer_result(node) {
            ValueText::numbered(node)
        } else {
            called.called()?
        };
        let arguments = self.child(node, Field::Arguments)?;
        let has_arguments = self.operands(arguments).any(|argument| {
            matches!(
                self.kind(argument),
                Kind::Lambda | Kind::MethodReference | Kind::ClassLiteral
            )
        });
        Some(called.with_arguments(has_arguments))
    }
}
