//! Calls of methods of [.NET] whose results their arguments say, such as `GetService<A>()`.
//!
//! [.NET]: https://learn.microsoft.com/dotnet/api/

use super::MAX_STEPS;
use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::patterns::tuple;
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
const RETURNING_SEVERAL: [&str; 7] = [
    "Cast",
    "DeserializeAsync",
    "Empty",
    "GetFromJsonAsync",
    "GetServices",
    "OfType",
    "ReadFromJsonAsync",
];

/// The functions that pass each element of their first argument to a lambda.
const ITERATING: [&str; 12] = [
    "Array.ConvertAll",
    "Array.Exists",
    "Array.Find",
    "Array.FindAll",
    "Array.FindIndex",
    "Array.FindLast",
    "Array.FindLastIndex",
    "Array.ForEach",
    "Array.Sort",
    "Array.TrueForAll",
    "Parallel.ForEach",
    "Parallel.ForEachAsync",
];

impl FlatTree<'_> {
    /// Returns an element of the first argument of a call that passes each one to a lambda:
    /// `Parallel.ForEach(a, b => …)`.
    pub(super) fn element_of_first_argument(&self, lambda: NodeIndex) -> Option<ValueText> {
        let argument = self.parent(lambda);
        let arguments = self.parent(argument);
        let function = self.child(self.parent(arguments), Field::Function)?;
        let is_iterating =
            self.kind(arguments) == Kind::Arguments && ITERATING.contains(&self.text(function));
        let first = self.operands(arguments).next().filter(|_| is_iterating)?;
        self.iterated(self.operands(first).last()?)
    }

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
        let arguments = self.operands(self.child(call, Field::Arguments)?);
        let mut values = arguments.filter_map(|one| self.operands(one).last());
        let steps = steps.checked_sub(1)?;
        let value = |node: Option<NodeIndex>| self.value_within(node?, steps);
        match self.text(function) {
            "Array.Find" | "Array.FindLast" => value(values.next())?.element(),
            "Array.FindAll"
            | "Interlocked.CompareExchange"
            | "Interlocked.Exchange"
            | "Volatile.Read" => value(values.next()),
            "Enumerable.Repeat" | "Task.FromResult" | "ValueTask.FromResult" => {
                Some(value(values.next())?.into_sequence())
            }
            "Task.Factory.StartNew" | "Task.Run" => self.task_of(values.next()?),
            // They receive several tasks, or a collection of them.
            "Task.WhenAll" | "Task.WhenAny" => {
                let first = value(values.next())?;
                Some(if values.next().is_some() {
                    first.into_sequence()
                } else {
                    first
                })
            }
            "Tuple.Create" | "ValueTuple.Create" => {
                Some(tuple(values.map(|part| value(Some(part)))))
            }
            _ => None,
        }
    }

    /// Returns the task that runs a lambda. That of an `async` one is what it returns.
    fn task_of(&self, lambda: NodeIndex) -> Option<ValueText> {
        if self.kind(lambda) != Kind::Lambda {
            return None;
        }
        let result = ValueText::called_number(lambda);
        Some(if self.is_async(lambda) {
            result
        } else {
            result.into_sequence()
        })
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
