//! Functions that return elements of arrays, or pass them to functions:
//! <https://www.php.net/manual/en/ref.array.php>.

use super::kinds::{Field, FlatTree, Kind};
use super::values::MAX_STEPS;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of arrays that are joined.
const MAX_JOINED: usize = 8;

/// The functions that return an array of elements of all of their arguments.
const JOINING: [&str; 2] = ["array_merge", "array_replace"];

/// The classes of PHP whose instances contain the elements of the array that they are created of.
const CONTAINERS: [&str; 3] = ["ArrayIterator", "ArrayObject", "IteratorIterator"];

/// The methods of collections that pass each element to the function that they receive.
const ITERATING: [&str; 33] = [
    "contains",
    "each",
    "every",
    "exists",
    "filter",
    "findFirst",
    "first",
    "flatMap",
    "forAll",
    "groupBy",
    "keyBy",
    "last",
    "map",
    "mapToGroups",
    "mapWithKeys",
    "max",
    "min",
    "partition",
    "reject",
    "skipUntil",
    "skipWhile",
    "some",
    "sort",
    "sortBy",
    "sortByDesc",
    "sum",
    "takeUntil",
    "takeWhile",
    "transform",
    "uasort",
    "unique",
    "usort",
    "walk",
];

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
        let argument = |place: usize| {
            let value = self.value_within(self.argument(call, place)?, steps)?;
            Some(value).filter(|value| !value.is_tuple())
        };
        let first = || argument(0);
        if PASSING.contains(&name) {
            return first();
        }
        match name {
            "array_chunk" => return Some(first()?.into_sequence()),
            "array_combine" => return argument(1),
            "array_fill" => return Some(argument(2)?.into_sequence()),
            "array_fill_keys" => return Some(argument(1)?.into_sequence()),
            "max" | "min" if self.argument(call, 1).is_none() => return first()?.element(),
            _ => {}
        }
        if JOINING.contains(&name) {
            return self.joined(call, steps);
        }
        CHOOSING.contains(&name).then(|| first()?.element())?
    }

    /// Returns the value that all arguments of a call have, or the name that stands for all of
    /// them.
    fn joined(&self, call: NodeIndex, steps: usize) -> Option<ValueText> {
        let values = self.joined_values(call, steps);
        let first = values.first()?;
        if values.iter().all(|value| value == first) {
            return first.clone();
        }
        Some(ValueText::choice(call))
    }

    fn joined_values(&self, call: NodeIndex, steps: usize) -> Vec<Option<ValueText>> {
        let arguments = self.child(call, Field::Arguments);
        let arguments = arguments.into_iter().flat_map(|list| self.operands(list));
        let values = arguments.take(MAX_JOINED).map(|one| {
            let value = self.value_within(self.operands(one).last()?, steps);
            value.filter(|value| !value.is_tuple())
        });
        values.collect()
    }

    /// Returns the values of which the result of a call has one, if a name stands for them.
    pub(super) fn values_joined_by(&self, call: NodeIndex) -> Vec<Option<ValueText>> {
        let is_joining = self
            .function_name(call)
            .is_some_and(|name| JOINING.contains(&name));
        if !is_joining {
            return Vec::new();
        }
        let mut values = self.joined_values(call, MAX_STEPS);
        values.dedup();
        if values.len() > 1 { values } else { Vec::new() }
    }

    /// Returns the value of the array that a new object contains the elements of.
    pub(super) fn contained_value(&self, creation: NodeIndex, steps: usize) -> Option<ValueText> {
        let class = self.class_path(self.operands(creation).next()?)?;
        let short = class.rsplit('\\').next()?;
        let mut operands = self.operands(creation);
        let list = operands.nth(1).filter(|_| CONTAINERS.contains(&short))?;
        let array = self.operands(self.operands(list).next()?).last()?;
        Some(self.value_within(array, steps)?.into_slice())
    }

    /// Returns what a parameter of a function receives that is an argument of a function of arrays,
    /// or of a method of a collection.
    pub(super) fn received_element(&self, parameter: NodeIndex) -> Option<ValueText> {
        let list = self.parent(parameter);
        let place = self.operands(list).position(|one| one == parameter)?;
        let argument = self.parent(self.parent(list));
        let arguments = self.parent(argument);
        let call = self.parent(arguments);
        if self.kind(argument) != Kind::Argument {
            return None;
        }
        let index = self.operands(arguments).position(|one| one == argument)?;
        if self.kind(call) == Kind::MemberCall {
            return self.element_for_method(call, (index, place));
        }
        if self.kind(call) != Kind::FunctionCall {
            return None;
        }
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

    /// Returns the element of a collection that a method passes to the parameter at a place of the
    /// function that is its argument at an index.
    fn element_for_method(
        &self,
        call: NodeIndex,
        (index, place): (usize, usize),
    ) -> Option<ValueText> {
        let name = self.text(self.child(call, Field::Name)?);
        let is_sorted = matches!(name, "sort" | "uasort" | "usort");
        let is_element = match name {
            "reduce" => place == 1,
            name if ITERATING.contains(&name) => place == 0 || is_sorted,
            _ => false,
        };
        let of = self
            .child(call, Field::Object)
            .filter(|_| is_element && index == 0)?;
        self.value_text(of)?.loop_element()?.within_limit()
    }

    /// Returns what a function without a name returns, if code around it can say so.
    pub(super) fn result_of(&self, function: NodeIndex, steps: usize) -> Option<ValueText> {
        if !matches!(self.kind(function), Kind::ArrowFunction | Kind::Closure) {
            return None;
        }
        if let Some(of) = self.child(function, Field::ReturnType) {
            let mut types = self.type_values(of).into_iter();
            return types.next().filter(|_| types.next().is_none());
        }
        let body = self.child(function, Field::Body)?;
        let results = match self.kind(body) {
            Kind::Block => self.returned_in(body),
            _ => vec![body],
        };
        let mut values = results
            .into_iter()
            .map(|result| self.value_within(result, steps));
        let first = values.next()??;
        let are_equal = values.all(|value| value.as_ref() == Some(&first));
        // A variable may be one that only the function knows.
        let has_variable = first.path.replace("$this", "").contains('$');
        (are_equal && !has_variable).then_some(first)
    }

    /// Returns the expressions that a function returns, by its body.
    fn returned_in(&self, body: NodeIndex) -> Vec<NodeIndex> {
        let end = self.subtree_end(body);
        let mut found = Vec::new();
        let mut node = body;
        while node < end {
            match self.kind(node) {
                Kind::AnonymousClass | Kind::ArrowFunction | Kind::Closure => {
                    node = self.subtree_end(node);
                    continue;
                }
                Kind::Return => found.extend(self.operands(node).next()),
                _ => {}
            }
            node += 1;
        }
        found
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
