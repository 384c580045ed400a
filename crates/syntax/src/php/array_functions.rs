//! Functions that return elements of arrays, or pass them to functions:
//! <https://www.php.net/manual/en/ref.array.php>.

use super::kinds::{Field, FlatTree, Kind};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The functions that return an array of elements of all of their arguments.
const JOINING: [&str; 2] = ["array_merge", "array_replace"];

/// The functions that return an array of elements of their first argument.
const PASSING: [&str; 12] = [
    "array_diff",
    "array_diff_key",
    "array_filter",
    "array_intersect",
    "array_intersect_key",
    "array_reverse",
    "array_slice",
    "array_splice",
    "array_udiff",
    "array_unique",
    "array_values",
    "iterator_to_array",
];

/// The functions that return an element of their first argument.
const CHOOSING: [&str; 10] = [
    "array_find",
    "array_first",
    "array_last",
    "array_pop",
    "array_shift",
    "current",
    "end",
    "next",
    "prev",
    "reset",
];

/// The functions whose second argument is a function that receives an element of the first one.
const RECEIVING: [&str; 7] = [
    "array_all",
    "array_any",
    "array_filter",
    "array_find",
    "array_walk",
    "uasort",
    "usort",
];

/// The function whose first argument is a function that receives elements of the others.
const MAP: &str = "array_map";

/// The function whose second argument is a function that receives elements as its second parameter.
const REDUCE: &str = "array_reduce";

impl FlatTree<'_> {
    /// Returns what a call of a function of arrays returns, or `None` for another function.
    pub(super) fn array_result(&self, call: NodeIndex, steps: usize) -> Option<ValueText> {
        let name = self.function_name(call)?;
        if name == MAP {
            return Some(
                self.result_of(self.argument(call, 0)?, steps)?
                    .into_sequence(),
            );
        }
        let first = || self.value_within(self.argument(call, 0)?, steps);
        let is_only = || self.argument(call, 1).is_none();
        if PASSING.contains(&name) || (JOINING.contains(&name) && is_only()) {
            return first();
        }
        CHOOSING.contains(&name).then(|| first()?.element())?
    }

    /// Returns what a parameter of a function receives that is an argument of a function of arrays.
    pub(super) fn received_element(&self, parameter: NodeIndex) -> Option<ValueText> {
        let list = self.parent(parameter);
        let place = self.operands(list).position(|one| one == parameter)?;
        let argument = self.parent(self.parent(list));
        let arguments = self.parent(argument);
        let call = self.parent(arguments);
        if self.kind(argument) != Kind::Argument || self.kind(call) != Kind::FunctionCall {
            return None;
        }
        let index = self.operands(arguments).position(|one| one == argument)?;
        let array = match (self.function_name(call)?, index) {
            (MAP, 0) => self.argument(call, place + 1)?,
            (REDUCE, 1) if place == 1 => self.argument(call, 0)?,
            // The second parameter of most is the key.
            (name, 1) if RECEIVING.contains(&name) => {
                let is_element = place == 0 || name.ends_with("sort");
                self.argument(call, 0).filter(|_| is_element)?
            }
            _ => return None,
        };
        // The elements of an array in the text may differ.
        let differ = self.kind(array) == Kind::ArrayCreation && self.operands(array).count() > 1;
        let array = Some(array).filter(|_| !differ)?;
        self.value_text(array)?.element()?.within_limit()
    }

    /// Returns what a function without a name returns, if it says so.
    fn result_of(&self, function: NodeIndex, steps: usize) -> Option<ValueText> {
        if !matches!(self.kind(function), Kind::ArrowFunction | Kind::Closure) {
            return None;
        }
        if let Some(of) = self.child(function, Field::ReturnType) {
            let mut types = self.type_values(of).into_iter();
            return types.next().filter(|_| types.next().is_none());
        }
        let body = self.child(function, Field::Body)?;
        // Any other expression may have variables that only the function knows.
        let has_no_variables = self.kind(body) == Kind::Creation;
        has_no_variables.then(|| self.value_within(body, steps))?
    }

    fn function_name(&self, call: NodeIndex) -> Option<&str> {
        let function = self.child(call, Field::Function)?;
        Some(self.text(function).trim_start_matches('\\'))
    }

    fn argument(&self, call: NodeIndex, place: usize) -> Option<NodeIndex> {
        let arguments = self.child(call, Field::Arguments)?;
        let argument = self.operands(arguments).nth(place)?;
        self.operands(argument).last()
    }
}
