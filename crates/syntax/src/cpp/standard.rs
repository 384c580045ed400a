//! Reads the types and functions of the standard library that hold, return or pass on a value.

use super::kinds::{Field, FlatTree, Kind};
use crate::facts::ARROW;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The templates whose first argument is the type of their elements, or of what they point to.
const SEQUENCES: [&str; 24] = [
    "array",
    "atomic",
    "auto_ptr",
    "deque",
    "forward_list",
    "initializer_list",
    "list",
    "multiset",
    "optional",
    "priority_queue",
    "queue",
    "reference_wrapper",
    "set",
    "shared_ptr",
    "span",
    "stack",
    "unique_ptr",
    "unordered_multiset",
    "unordered_set",
    "valarray",
    "vector",
    "weak_ptr",
    "future",
    "promise",
];

/// The templates whose second argument is the type of their values.
const MAPPINGS: [&str; 4] = ["map", "multimap", "unordered_map", "unordered_multimap"];

/// The templates that hold a function. A value of one counts as what the function returns, as a
/// pointer to a function does.
const FUNCTIONS: [&str; 3] = ["function", "move_only_function", "packaged_task"];

/// The functions that return a pointer to their first template argument.
const MAKERS: [&str; 6] = [
    "const_pointer_cast",
    "dynamic_pointer_cast",
    "make_optional",
    "make_shared",
    "make_unique",
    "static_pointer_cast",
];

/// The functions whose result has the type that is their first template argument.
const TYPED: [&str; 4] = ["any_cast", "bit_cast", "get", "get_if"];

/// The functions whose result has the type of their first argument. An iterator counts as its
/// container.
const PASSING: [&str; 20] = [
    "addressof",
    "as_const",
    "begin",
    "cbegin",
    "cend",
    "crbegin",
    "crend",
    "end",
    "exchange",
    "find",
    "find_if",
    "find_if_not",
    "forward",
    "max",
    "max_element",
    "min",
    "min_element",
    "move",
    "next",
    "prev",
];

/// The functions that return an object with a reference to their argument, or with a copy of it.
const REFERRING: [&str; 3] = ["cref", "make_optional", "ref"];

/// The functions that return a pair or a tuple of their arguments.
const GROUPING: [&str; 4] = ["forward_as_tuple", "make_pair", "make_tuple", "tie"];

/// How the names of the policies begin that may precede the function that `std::async` calls.
const POLICY: &str = "std::launch";

/// The members of a container that are functions which return one of its elements.
const RETURNING: [&str; 8] = [
    "at", "back", "front", "get", "load", "top", "value", "value_or",
];

/// The functions that give elements of their first argument to all parameters of their last one:
/// <https://en.cppreference.com/w/cpp/algorithm>.
const ALGORITHMS: [&str; 36] = [
    "adjacent_find",
    "all_of",
    "any_of",
    "copy_if",
    "count_if",
    "find_if",
    "find_if_not",
    "for_each",
    "for_each_n",
    "is_heap",
    "is_partitioned",
    "is_sorted",
    "is_sorted_until",
    "make_heap",
    "max_element",
    "min_element",
    "minmax_element",
    "none_of",
    "nth_element",
    "partial_sort",
    "partition",
    "partition_copy",
    "partition_point",
    "pop_heap",
    "push_heap",
    "remove_copy_if",
    "remove_if",
    "replace_copy_if",
    "replace_if",
    "sort",
    "sort_heap",
    "stable_partition",
    "stable_sort",
    "transform",
    "unique",
    "unique_copy",
];

/// The function that calls its last argument with its third one, or with what an earlier call
/// returned, and with an element: <https://en.cppreference.com/w/cpp/algorithm/accumulate>.
const FOLD: &str = "accumulate";

/// The types in a container that stand for one of its elements.
const ELEMENTS: [&str; 5] = [
    "const_reference",
    "element_type",
    "mapped_type",
    "reference",
    "value_type",
];

impl FlatTree<'_> {
    /// Returns the value of something of a type of the standard library: a container of what
    /// `std::vector<A>` and `std::vector<A>::iterator` hold.
    pub(super) fn standard_type_value(
        &self,
        qualified: NodeIndex,
        steps: usize,
    ) -> Option<ValueText> {
        let name = self.standard_name(qualified)?;
        if self.kind(name) != Kind::Qualified {
            return self.container_value(name, steps);
        }
        let container = self.container_value(self.child(name, Field::Scope)?, steps)?;
        let member = self.text(self.child(name, Field::Name)?);
        if ELEMENTS.contains(&member) {
            return container
                .is_container()
                .then(|| container.element())
                .flatten();
        }
        member.ends_with("iterator").then_some(container)
    }

    fn container_value(&self, template: NodeIndex, steps: usize) -> Option<ValueText> {
        let name = self.text(self.name_inside(template));
        let (is_sequence, is_mapping) = (SEQUENCES.contains(&name), MAPPINGS.contains(&name));
        let arguments = self.child(template, Field::Arguments)?;
        if FUNCTIONS.contains(&name) {
            return self.type_value_within(self.operands(arguments).next()?, steps);
        }
        if !is_sequence && !is_mapping {
            return self.tuple_value(template);
        }
        let held = self.operands(arguments).nth(usize::from(is_mapping))?;
        let held = self.type_value_within(held, steps)?;
        Some(if is_sequence {
            held.into_sequence()
        } else {
            held.into_mapping()
        })
    }

    /// Returns the result of a call of a function of the standard library that makes a pointer, or
    /// passes its argument on: `std::make_unique<A>()`, `std::move(a)`.
    pub(super) fn standard_call_value(&self, call: NodeIndex, steps: usize) -> Option<ValueText> {
        let function = self.child(call, Field::Function)?;
        let name = self.standard_name(function)?;
        let text = self.text(self.name_inside(name));
        let given = self.child(name, Field::Arguments);
        if let Some(arguments) = given.filter(|_| MAKERS.contains(&text)) {
            let made = self.operands(arguments).next()?;
            return Some(self.type_value_within(made, steps)?.into_sequence());
        }
        let first = given.and_then(|given| self.operands(given).next());
        let mut arguments = self.operands(self.child(call, Field::Arguments)?);
        match first {
            Some(first) if TYPED.contains(&text) => match self.text(first).parse::<usize>() {
                Ok(place) => {
                    let of = self.value_within(arguments.next()?, steps)?;
                    of.member(&place.to_string())
                }
                Err(_) => self.type_value_within(first, steps),
            },
            _ if PASSING.contains(&text) => self.value_within(arguments.next()?, steps),
            _ if REFERRING.contains(&text) => {
                Some(self.value_within(arguments.next()?, steps)?.into_sequence())
            }
            _ if GROUPING.contains(&text) => Some(ValueText::numbered(call)),
            _ if text == "async" => {
                let function = arguments.find(|one| !self.text(*one).starts_with(POLICY))?;
                let returned = self.value_within(function, steps)?.called()?;
                Some(returned.into_sequence())
            }
            _ => None,
        }
    }

    /// Reports whether a call is one of a function that returns a pair or a tuple.
    pub(super) fn is_grouping(&self, call: NodeIndex) -> bool {
        let function = self.child(call, Field::Function);
        let name = function.and_then(|function| self.standard_name(function));
        name.is_some_and(|name| GROUPING.contains(&self.text(name)))
    }

    /// Returns the values that a function of the standard library passes to the parameters of a
    /// lambda: the elements of `a` in `std::for_each(a.begin(), a.end(), lambda)`.
    pub(super) fn given_by_algorithm(&self, lambda: NodeIndex) -> Vec<Option<ValueText>> {
        self.elements_given(lambda).unwrap_or_default()
    }

    fn elements_given(&self, lambda: NodeIndex) -> Option<Vec<Option<ValueText>>> {
        let call = self.parent(self.parent(lambda));
        let function = self.child(call, Field::Function)?;
        let mut name = self.standard_name(function)?;
        let is_over_range = self.kind(name) == Kind::Qualified;
        if is_over_range {
            name = self.child(name, Field::Name)?;
        }
        let name = self.text(self.name_inside(name));
        let arguments: Vec<NodeIndex> =
            self.operands(self.child(call, Field::Arguments)?).collect();
        // A projection may follow the function, and changes what the function receives.
        let is_last = arguments.last() == Some(&lambda);
        if !is_last || (!ALGORITHMS.contains(&name) && name != FOLD) {
            return None;
        }
        let value = |place: usize| self.value_text(*arguments.get(place)?);
        let element = |place: usize| {
            let range = value(place)?;
            if is_over_range {
                range.looped()
            } else {
                range.pointed_to()
            }
        };
        let first = element(0);
        Some(match (name, is_over_range, arguments.len()) {
            (FOLD, ..) => vec![value(2), first],
            // The elements of two ranges.
            ("transform", true, 4..) => vec![first, element(1)],
            ("transform", false, 5..) => vec![first, element(2)],
            _ => vec![first.clone(), first],
        })
    }

    /// Returns what follows `std::` or `::std::`.
    fn standard_name(&self, qualified: NodeIndex) -> Option<NodeIndex> {
        let is_global = self.child(qualified, Field::Scope).is_none();
        let whole = if is_global {
            self.child(qualified, Field::Name)?
        } else {
            qualified
        };
        let scope = self.child(whole, Field::Scope)?;
        let is_standard = self.kind(whole) == Kind::Qualified && self.text(scope) == "std";
        is_standard
            .then(|| self.child(whole, Field::Name))
            .flatten()
    }
}

impl ValueText {
    /// Returns what a value points to: what `->` and `*` read. A plain pointer has the value of its
    /// target.
    pub(super) fn pointed_to(self) -> Option<Self> {
        match self.path.as_str() {
            "this" => Some(self),
            _ if self.is_container() && self.path.starts_with('[') => self.element(),
            _ if self.is_container() => Some(self),
            _ => self.member(ARROW),
        }
    }

    /// Returns a member of a value. A container that an expression makes has no path, so that the
    /// member is a function that returns its element.
    pub(super) fn member_or_returning(self, name: &str) -> Option<Self> {
        if !self.is_container() || !self.path.starts_with('[') || !RETURNING.contains(&name) {
            return self.member(name);
        }
        Some(self.element()?.into_function())
    }

    /// Returns what a call of the value gives.
    pub(super) fn call_result(self) -> Option<Self> {
        let returned = self.path.strip_prefix('<');
        match returned.and_then(|path| path.strip_suffix('>')) {
            Some(path) if !self.is_called => {
                Some(Self::name(path).with_arguments(self.has_arguments))
            }
            _ => self.called(),
        }
    }

    /// Returns an element of a value over which a loop runs.
    pub(super) fn looped(self) -> Option<Self> {
        if self.is_container() {
            return self.pointed_to();
        }
        self.member("begin")?.called()?.member(ARROW)
    }
}
