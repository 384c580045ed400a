//! Counts parameters and reads arguments, which tell methods of one name apart.

use super::kinds::{Field, FlatTree, Kind};
use crate::facts::ParameterCount;
use crate::tree::NodeIndex;
use crate::value_text::{ArgumentText, ValueText, type_of_operation};
use ragnav_base::position::wire;

/// The number of nodes from the name of a called method or class to the call.
const MAX_STEPS: usize = 4;

/// The maximum depth of operators in an argument.
const MAX_DEPTH: usize = 16;

impl FlatTree<'_> {
    /// Counts the parameters of a method, a constructor or a record. A compact constructor has
    /// those of its record.
    pub(super) fn parameter_count(&self, method: NodeIndex) -> Option<ParameterCount> {
        let record = self.parent(self.parent(method));
        let parameters = self.child(method, Field::Parameters);
        let parameters = parameters.or_else(|| self.child(record, Field::Parameters))?;
        let kinds = self.operands(parameters).map(|one| self.kind(one));
        let counted = kinds.filter(|kind| matches!(kind, Kind::Parameter | Kind::SpreadParameter));
        let counted: Vec<Kind> = counted.collect();
        let declared = wire(counted.len());
        let is_variadic = counted.last() == Some(&Kind::SpreadParameter);
        Some(ParameterCount {
            declared,
            required: declared - u32::from(is_variadic),
            is_variadic,
        })
    }

    /// Returns the arguments of the call of a name.
    pub(super) fn arguments_around(&self, name: NodeIndex) -> Option<Vec<ArgumentText>> {
        let around = std::iter::successors(Some(name), |one| Some(self.parent(*one)));
        let mut around = around.skip(1).take(MAX_STEPS);
        let call =
            around.find(|one| matches!(self.kind(*one), Kind::MethodCall | Kind::Creation))?;
        self.arguments_of(call)
    }

    /// Returns the arguments of a call.
    pub(super) fn arguments_of(&self, call: NodeIndex) -> Option<Vec<ArgumentText>> {
        let list = self.child(call, Field::Arguments)?;
        let arguments = self.operands(list).map(|one| self.argument(one));
        Some(arguments.collect())
    }

    fn argument(&self, node: NodeIndex) -> ArgumentText {
        match self.kind(node) {
            Kind::Lambda | Kind::MethodReference => ArgumentText::Function,
            Kind::Null => ArgumentText::Null,
            Kind::Ternary => self.branch(node),
            // It has the type of its left side.
            Kind::Assignment => ArgumentText::Unknown,
            _ => match self.literal_type(node, MAX_DEPTH) {
                Some(name) => ArgumentText::Value(ValueText::call(name)),
                None => self.value_text(node).into(),
            },
        }
    }

    /// Returns what both branches of `a ? b : c` are; `null` is of any type.
    fn branch(&self, ternary: NodeIndex) -> ArgumentText {
        let branches = [Field::Consequence, Field::Alternative].map(|field| {
            let branch = self.child(ternary, field);
            // Nested branches may have other types again.
            let branch = branch.filter(|one| self.kind(*one) != Kind::Ternary);
            branch.map_or(ArgumentText::Unknown, |one| self.argument(one))
        });
        match branches {
            [ArgumentText::Null, one] | [one, ArgumentText::Null] => one,
            [one, other] if one == other => one,
            _ => ArgumentText::Unknown,
        }
    }

    /// Returns the name of the type of a literal, of a comparison and of a text that `+` joins.
    fn literal_type(&self, node: NodeIndex, depth: usize) -> Option<&'static str> {
        let depth = depth.checked_sub(1)?;
        let text = self.text(node);
        let ends_with = |lower: char, upper: char| text.ends_with([lower, upper]);
        match self.kind(node) {
            Kind::String if text.starts_with('\'') => Some("char"),
            Kind::String => Some("String"),
            Kind::Boolean | Kind::InstanceOf => Some("boolean"),
            Kind::ClassLiteral => Some("Class"),
            Kind::Integer if ends_with('l', 'L') => Some("long"),
            Kind::Integer => Some("int"),
            Kind::Real if ends_with('f', 'F') => Some("float"),
            Kind::Real => Some("double"),
            Kind::Parenthesized => self.literal_type(self.operands(node).next()?, depth),
            Kind::Unary => match self.literal_type(self.operands(node).next()?, depth)? {
                "char" => Some("int"),
                name => Some(name),
            },
            Kind::Binary => {
                let operator = self.text(self.child(node, Field::Operator)?);
                let types = [Field::Left, Field::Right]
                    .map(|side| self.literal_type(self.child(node, side)?, depth));
                type_of_operation(operator, types, ("boolean", "String"))
            }
            _ => None,
        }
    }
}
