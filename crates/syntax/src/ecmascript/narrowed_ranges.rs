//! Narrows the types of variables where a test has been passed, other than in the block of its
//! branch: after `if (!isB(a)) return;`, in `else`, and in `isB(a) && a.c` and `isB(a) ? a.c : d`.
//!
//! Source: "Narrowing" in the TypeScript handbook. A variable that is assigned again is left alone.

use std::collections::HashSet;
use std::ops::Range;

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::value_text::ValueText;
use crate::facts::{Assignment, Binding, BindingTarget, Name, ScopeId};
use crate::tree::NodeIndex;

/// The maximum number of narrowed ranges of one file.
const MAX_RANGES: usize = 20_000;

/// Tests that a range of the text is behind, in bytes.
struct Passed<'t> {
    tests: Vec<(NodeIndex, ValueText<'t>)>,
    range: Range<u32>,
}

impl<'t> FactsBuilder<'_, 't> {
    /// Binds the variables that tests narrow, each for the range that its tests guard.
    pub(super) fn collect_narrowed_ranges(&mut self) {
        let tree = self.tree;
        let passed = (0..tree.len()).flat_map(|node| tree.passed_at(node));
        let passed: Vec<Passed<'t>> = passed.take(MAX_RANGES).collect();
        if passed.is_empty() {
            return;
        }
        let assigned = tree.assigned_names();
        let bindings = self.facts.bindings.iter();
        let bound: HashSet<(ScopeId, Name)> =
            bindings.map(|one| (one.scope, one.name)).collect();
        let mut known = HashSet::new();
        for Passed { tests, range } in passed {
            for (variable, value) in tests {
                let text = tree.text(variable);
                if !assigned.contains(text) {
                    self.narrow(variable, value, &range, (&bound, &mut known));
                }
            }
        }
        let assignments = &mut self.facts.flow.assignments;
        assignments.sort_by_key(|found| (found.position, found.end));
    }

    fn narrow(
        &mut self,
        variable: NodeIndex,
        value: ValueText<'t>,
        range: &Range<u32>,
        (bound, known): (
            &HashSet<(ScopeId, Name)>,
            &mut HashSet<(ScopeId, Name, ValueText<'t>, u32)>,
        ),
    ) {
    }
}
