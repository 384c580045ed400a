//! What calls pass to the parameters of their blocks.
//!
//! <https://docs.ruby-lang.org/en/master/Enumerable.html>

use super::INITIALIZE;
use crate::facts::PARAMETER;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The methods that pass each element to their block.
const ITERATING: [&str; 47] = [
    "all?",
    "any?",
    "collect",
    "collect!",
    "collect_concat",
    "count",
    "cycle",
    "delete_if",
    "detect",
    "drop_while",
    "each",
    "each_entry",
    "each_pair",
    "each_with_index",
    "each_with_object",
    "filter",
    "filter!",
    "filter_map",
    "find",
    "find_all",
    "find_each",
    "find_index",
    "flat_map",
    "group_by",
    "index_by",
    "index_with",
    "keep_if",
    "map",
    "map!",
    "max_by",
    "min_by",
    "minmax_by",
    "none?",
    "one?",
    "partition",
    "reject",
    "reject!",
    "reverse_each",
    "select",
    "select!",
    "sort_by",
    "sort_by!",
    "sum",
    "take_while",
    "to_h",
    "uniq",
    "uniq!",
];

/// What a parameter of a block receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passed {
    /// The object that the method is called on.
    Receiver,
    /// The value of an entry of a hash.
    Value,
    /// An element, or the part of it at an index.
    Element(Option<usize>),
    /// A part of the container: several elements.
    Slice,
    /// What the method passes to its block at an index.
    Yielded(usize),
}

impl Passed {
    /// Returns what a method passes to the parameter at an index, by the number of parameters.
    pub(super) fn by_call(
        method: &str,
        arguments: Option<NodeIndex>,
        (index, count): (usize, usize),
    ) -> Option<Self> {
        let is_first = index == 0;
        Some(match method {
            "tap" | "then" | "yield_self" => is_first.then_some(Self::Receiver)?,
            "each_value" | "transform_values" => is_first.then_some(Self::Value)?,
            "inject" | "reduce" if index == 1 => Self::Element(None),
            // Without a first value, that is an element, too.
            "inject" | "reduce" if is_first && arguments.is_none() => Self::Element(None),
            "inject" | "reduce" => return None,
            "chunk_while" | "max" | "min" | "slice_when" | "sort" | "sort!" => Self::Element(None),
            "each_cons" | "each_slice" if count > 1 => Self::Element(None),
            "each_cons" | "each_slice" => Self::Slice,
            "each_with_index" | "each_with_object" | "with_index" | "with_object" => {
                is_first.then_some(Self::Element(None))?
            }
            method if !ITERATING.contains(&method) => Self::Yielded(index),
            _ if count == 1 => Self::Element(None),
            // Each parameter receives a part of the element.
            _ => Self::Element(Some(index)),
        })
    }
}

/// Returns the value that a method passes to its block, by the value of its receiver.
pub(super) fn passed_value(of: ValueText, method: &str, passed: Passed) -> Option<ValueText> {
    match passed {
        Passed::Receiver => Some(of),
        Passed::Value => of.element(),
        // The second part of an entry of a hash is its value.
        Passed::Element(Some(1)) if of.path.starts_with('{') => of.element(),
        Passed::Element(None) if of.is_container() => of.loop_element(),
        Passed::Slice if of.is_container() => Some(of),
        _ if of.is_literal() => None,
        Passed::Element(None) => of.loop_element(),
        Passed::Element(Some(part)) => {
            Some(ValueText::name(format!("{}*[{part}]", of.into_path())))
        }
        Passed::Slice => Some(of.into_slice()),
        Passed::Yielded(index) => {
            // A new object passes what its method `initialize` passes.
            let method = if method == "new" { INITIALIZE } else { method };
            let method = of.member(method)?;
            Some(ValueText::name(format!(
                "{}{PARAMETER}{index}",
                method.path
            )))
        }
    }
}
