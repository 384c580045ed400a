//! Calls of methods of [.NET] whose results their arguments say, such as `GetService<A>()`.
//!
//! [.NET]: https://learn.microsoft.com/dotnet/api/

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::values::MAX_STEPS;
use crate::facts::{ScopeId, TYPE_NUMBER, TypeShape};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The generic methods that return an instance of their type argument, by convention also those of
/// a repository.
const RETURNING_ARGUMENT: [&str; 6] = [
    "CreateInstance",
    "Deserialize",
    "DeserializeObject",
    "GetRequiredKeyedService",
    "GetRequiredService",
    "GetService",
];

/// The generic methods that return several instances of their type argument, or later one.
const RETURNING_SEVERAL: [&str; 6] = [
    "Cast",
    "DeserializeAsync",
    "GetFromJsonAsync",
    "GetServices",
    "OfType",
    "ReadFromJsonAsync",
];

impl FlatTree<'_> {
    /// Returns the result of a call whose arguments say what it is, by the number of the call.
    pub(super) fn known_result(&self, call: NodeIndex, steps: usize) -> Option<ValueText> {
        let result = self.result_by_arguments(call, steps);
        result.map(|_| ValueText::name(format!("{TYPE_NUMBER}{call}")))
    }

    fn result_by_arguments(&self, call: NodeIndex, steps: usize) -> Option<ValueText> {
        let function = self.child(call, Field::Function)?;
        let name = match self.kind(function) {
            Kind::MemberAccess => self.child(function, Field::Name)?,
            Kind::ConditionalAccess => {
                let binding = self.operands(function).last()?;
                self.child(binding, Field::Name)?
            }
            _ => function,
        };
        if self.kind(name) == Kind::Generic {
            return self.result_by_type(name, steps);
        }
        let function = self.text(function);
        if !matches!(function, "Task.FromResult" | "Task.WhenAll") {
            return None;
        }
        let arguments = self.operands(self.child(call, Field::Arguments)?);
        let mut values = arguments.filter_map(|one| self.operands(one).last());
        let first = self.value_within(values.next()?, steps.checked_sub(1)?)?;
        // `WhenAll` receives several tasks, or a collection of them.
        let is_collection = function == "Task.WhenAll" && values.next().is_none();
        if is_collection {
            return Some(first);
        }
        Some(first.into_sequence())
    }

    fn result_by_type(&self, generic: NodeIndex, steps: usize) -> Option<ValueText> {
        let mut parts = self.operands(generic);
        let method = self.plain(parts.next()?);
        let argument = self.operands(parts.next()?).next()?;
        if RETURNING_ARGUMENT.contains(&method) {
            return self.type_within(argument, steps);
        }
        let is_several = RETURNING_SEVERAL.contains(&method);
        is_several.then(|| Some(self.type_within(argument, steps)?.into_sequence()))?
    }
}

impl FactsBuilder<'_> {
    /// Adds what a call returns as a type, to which values refer by its number: what its arguments
    /// say, or what a method of the repository with this name declares.
    pub(super) fn add_known_result(&mut self, call: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(result) = tree.result_by_arguments(call, MAX_STEPS) else {
            return;
        };
        let declared = tree.callee(call, MAX_STEPS).and_then(ValueText::called);
        let results = [Some(result), declared].into_iter();
        let values = results.filter_map(|result| {
            let result = result.and_then(ValueText::within_limit);
            self.writer.intern_value(result)
        });
        let values = values.collect();
        let shape = TypeShape::AnyOf(values);
        self.writer.add_type(call, scope, shape);
    }
}
