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
const MAPPINGS: [&str; 5] = [
    "map",
    "multimap",
    "pair",
    "unordered_map",
    "unordered_multimap",
];

/// The functions that return a pointer to their first template argument.
const MAKERS: [&str; 6] = [
    "const_pointer_cast",
    "dynamic_pointer_cast",
    "make_optional",
    "make_shared",
    "make_unique",
    "static_pointer_cast",
];

/// The functions whose result has the type of their first argument.
const PASSING: [&str; 8] = [
    "as_const", "exchange", "forward", "max", "min", "move", "next", "prev",
];

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
        if !is_sequence && !is_mapping {
            return None;
        }
        let arguments = self.child(template, Field::Arguments)?;
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
        if MAKERS.contains(&text) {
            let arguments = self.child(name, Field::Arguments)?;
            let made = self.operands(arguments).next()?;
            return Some(self.type_value_within(made, steps)?.into_sequence());
        }
        if !PASSING.contains(&text) {
            return None;
        }
        let arguments = self.child(call, Field::Arguments)?;
        self.value_within(self.operands(arguments).next()?, steps)
    }

    /// Returns what follows `std::`.
    fn standard_name(&self, qualified: NodeIndex) -> Option<NodeIndex> {
        let scope = self.child(qualified, Field::Scope)?;
        let is_standard = self.kind(qualified) == Kind::Qualified && self.text(scope) == "std";
        is_standard
            .then(|| self.child(qualified, Field::Name))
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

    /// Returns an element of a value over which a loop runs.
    pub(super) fn looped(self) -> Option<Self> {
        if self.is_container() {
            return self.pointed_to();
        }
        self.member("begin")?.called()?.member(ARROW)
    }
}
