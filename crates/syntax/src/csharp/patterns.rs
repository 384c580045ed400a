//! The parts of tuples, and the variables that deconstruction, patterns and `out` declare.

use super::MAX_STEPS;
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::TUPLE_PART;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;
/// The methods with a parameter that receives an element of their object:
/// `a.TryGetValue(b, out c)`.
const OUTPUTS: [&str; 8] = [
    "TryDequeue",
    "TryGetTarget",
    "TryGetValue",
    "TryPeek",
    "TryPeekLast",
    "TryPop",
    "TryRemove",
    "TryTake",
];

impl FlatTree<'_> {
    /// Returns a tuple of the parts of an expression, without their names.
    pub(super) fn tuple_of_parts(&self, node: NodeIndex, steps: usize) -> ValueText {
        tuple(self.operands(node).map(|part| {
            let value = self.operands(part).last()?;
            self.value_within(value, steps.checked_sub(1)?)
        }))
    }

    /// Returns the names of the parts of a tuple, each with its value: of `(a: b, c.d)`, these are
    /// `a` and `d`.
    pub(super) fn named_parts(
        &self,
        tuple: NodeIndex,
    ) -> impl Iterator<Item = (NodeIndex, NodeIndex)> {
        self.operands(tuple).filter_map(|part| {
            let value = self.operands(part).last()?;
            let name = self.child(part, Field::Name);
            Some((name.or_else(|| self.dotted_names(value).pop())?, value))
        })
    }

    /// Reports whether parts of a tuple have names by which code can read them: it is no target of
    /// an assignment.
    pub(super) fn has_named_parts(&self, tuple: NodeIndex) -> bool {
        let around = self.parent(tuple);
        let is_assigned =
            self.kind(around) == Kind::Assignment && self.child(around, Field::Left) == Some(tuple);
        !is_assigned && self.named_parts(tuple).next().is_some()
    }

    /// Returns the value of a part of what code deconstructs, by the index of the part and the
    /// number of parts: of an expression in a tuple, or of the member that is that part.
    pub(super) fn tuple_part(
        &self,
        node: NodeIndex,
        (index, count): (usize, usize),
    ) -> Option<ValueText> {
        if self.kind(node) == Kind::TupleExpression {
            let part = self.operands(node).nth(index)?;
            return self.value_text(self.operands(part).last()?);
        }
        // A part of the result of a generic method is of the type that the method declares.
        let part = self.receiver(node)?.member(&part_name(index, count))?;
        ValueText::name(part.path).within_limit()
    }

    /// Returns the value that a method such as `TryGetValue` assigns to the variable of an
    /// argument.
    pub(super) fn output_value(&self, variable: NodeIndex) -> Option<ValueText> {
        let argument = self.parent(variable);
        let call = self.parent(self.parent(argument));
        let function = self.child(call, Field::Function)?;
        let name = self.child(function, Field::Name)?;
        let is_output = self.kind(argument) == Kind::Argument
            && self.kind(call) == Kind::Invocation
            && OUTPUTS.contains(&self.text(name));
        let of = self
            .child(function, Field::Expression)
            .filter(|_| is_output)?;
        self.value_text(of)?.element()?.within_limit()
    }

    /// Returns the value of `a` in `(var a, var b) = c`.
    fn assigned_part(&self, variable: NodeIndex) -> Option<ValueText> {
        let part = self.parent(variable);
        let tuple = self.parent(part);
        let assignment = self.parent(tuple);
        let index = self.operands(tuple).position(|one| one == part)?;
        let is_assigned = self.kind(assignment) == Kind::Assignment
            && self.child(assignment, Field::Left) == Some(tuple);
        let given = self
            .child(assignment, Field::Right)
            .filter(|_| is_assigned)?;
        self.tuple_part(given, (index, self.operands(tuple).count()))
    }

    /// Returns the value of a part of a pattern that the grammar reads as a call: of `b` in
    /// `a is B(var b)`. In a call, `out` would stand before it.
    fn tested_part(&self, variable: NodeIndex) -> Option<ValueText> {
        let argument = self.parent(variable);
        let arguments = self.parent(argument);
        let function = self.child(self.parent(arguments), Field::Function)?;
        if self.children(argument).any(|one| self.text(one) == "out") {
            return None;
        }
        // The grammar reads a call of `B`, or of `a is B`.
        let name = std::iter::successors(Some(function), |one| self.operands(*one).last());
        let mut name = name.take(MAX_STEPS);
        let name = name.find(|one| matches!(self.kind(*one), Kind::Generic | Kind::Identifier))?;
        let index = self.operands(arguments).position(|one| one == argument)?;
        let part = part_name(index, self.operands(arguments).count());
        self.type_value(name)?.member(&part)?.within_limit()
    }

    /// Returns the value that a pattern matches: of its type, or else that of the expression or the
    /// member for which it stands.
    pub(super) fn matched_value(&self, pattern: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        let of = self.child(pattern, Field::Type);
        if let Some(of) = of.filter(|of| self.text(*of) != "var") {
            return self.type_value(of);
        }
        let around = self.parent(pattern);
        match self.kind(around) {
            Kind::Argument => self
                .assigned_part(pattern)
                .or_else(|| self.tested_part(pattern)),
            Kind::IsPattern => self.receiver(self.child(around, Field::Expression)?),
            Kind::ListPattern => {
                let list = self.matched_value(around, steps)?;
                list.element()?.within_limit()
            }
            Kind::Subpattern if self.kind(self.parent(around)) == Kind::PositionalPattern => {
                let parts = self.parent(around);
                let index = self.operands(parts).position(|one| one == around)?;
                let object = self.matched_value(self.parent(parts), steps)?;
                let part = part_name(index, self.operands(parts).count());
                object.member(&part)?.within_limit()
            }
            Kind::Subpattern => {
                let names = self.dotted_names(self.operands(around).next()?);
                let object = self.matched_value(self.parent(self.parent(around)), steps)?;
                let member = names
                    .into_iter()
                    .try_fold(object, |object, name| self.object_member(object, name));
                member?.within_limit()
            }
            Kind::ScopeStatement => {
                let switch = self.parent(around);
                match self.kind(switch) {
                    Kind::SwitchExpression => self.receiver(self.operands(switch).next()?),
                    _ => self.receiver(self.child(self.parent(switch), Field::Value)?),
                }
            }
            Kind::Other => self.matched_value(around, steps),
            _ => None,
        }
    }
}

/// Returns the value of a tuple of these parts.
pub(super) fn tuple(parts: impl Iterator<Item = Option<ValueText>>) -> ValueText {
    let parts = parts.map(|part| part.map_or_else(String::new, ValueText::into_path));
    ValueText::name(format!("({})", parts.collect::<Vec<_>>().join(",")))
}

/// Returns the name of the member that stands for one of the parts into which code [deconstructs] a
/// value.
///
/// [deconstructs]: https://learn.microsoft.com/dotnet/csharp/fundamentals/functional/deconstruct
pub(super) fn part_name(index: usize, count: usize) -> String {
    format!("{TUPLE_PART}{index}:{count}")
}
