//! Narrows the types of variables where a test has been passed, other than in the block of its
//! branch: after `if (!isB(a)) return;`, in `else`, and in `isB(a) && a.c` and `isB(a) ? a.c : d`.
//!
//! Source: "Narrowing" in the TypeScript handbook. Variables that are assigned again keep their
//! type.

use std::ops::Range;

use ragnav_base::hash::HashSet;
use ragnav_base::sort::SmallSort;

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::kinds::{Field, FlatTree, Kind};
use crate::ecmascript::narrowing::Test;
use crate::facts::{Assignment, BindingTarget, Effect, Name, ScopeId};
use crate::tree::NodeIndex;

/// The maximum number of narrowed ranges of one file.
const MAX_RANGES: usize = 20_000;

/// The kinds of nodes that may test the type of a variable.
const TESTING: [Kind; 4] = [
    Kind::Binary,
    Kind::ExpressionStatement,
    Kind::If,
    Kind::Ternary,
];

/// Tests with the range, in bytes, where they have been passed.
pub(super) struct Passed<'t> {
    pub(super) tests: Vec<Test<'t>>,
    pub(super) range: Range<u32>,
}

impl<'t> FactsBuilder<'_, 't> {
    /// Binds the variables that tests narrow, each in the range behind its tests.
    pub(in crate::ecmascript) fn collect_narrowed_ranges(&mut self) {
        let tree = self.tree;
        let tests = (0..tree.len()).filter(|&node| TESTING.contains(&tree.kind(node)));
        let passed = tests.flat_map(|node| tree.passed_at(node));
        let passed: Vec<Passed<'t>> = passed.take(MAX_RANGES).collect();
        if passed.is_empty() {
            return;
        }
        let bindings = self.facts.bindings.iter();
        self.flow.local_names = bindings.map(|one| (one.scope, one.name)).collect();
        let targets = tree.assigned_variables();
        let assigned = targets.filter_map(|variable| self.bound_key(variable));
        let assigned: HashSet<(ScopeId, Name)> = assigned.collect();
        for passed in passed {
            self.narrow(passed, &assigned);
        }
        let assignments = &mut self.facts.flow.assignments;
        assignments.small_sort_by_key(|found| (found.position, found.end));
    }

    /// Binds the variables of tests in a range. All types of one variable are bound at the place of
    /// its first test.
    fn narrow(&mut self, Passed { tests, range }: Passed<'t>, assigned: &HashSet<(ScopeId, Name)>) {
        let mut places: Vec<((ScopeId, Name), NodeIndex)> = Vec::new();
        for Test { variable, narrowed } in tests {
            let key = self.bound_key(variable);
            let Some(key) = key.filter(|key| !assigned.contains(key)) else {
                continue;
            };
            let known = places.iter().find(|(known, _)| *known == key);
            let place = known.map_or(variable, |(_, place)| *place);
            if known.is_none() {
                places.push((key, variable));
            }
            let value = self.intern_value(Some(narrowed));
            let target = BindingTarget::Variable(value);
            self.flow_bind_target(key, place, target, self.scope_of(variable));
        }
        for ((scope, name), place) in places {
            let assignment = Assignment {
                scope,
                name,
                position: self.position_of(place),
                end: self.positions.position_at(range.start as usize),
                loop_start: None,
                block_end: Some(self.positions.position_at(range.end as usize)),
                effect: Effect::Narrows,
            };
            self.facts.flow.assignments.push(assignment);
        }
    }
}

impl<'t> FlatTree<'t> {
    /// Returns the tests of a statement or an expression, each with what is behind it.
    pub(super) fn passed_at(&self, node: NodeIndex) -> Vec<Passed<'t>> {
        if self.kind(node) == Kind::ExpressionStatement {
            return self
                .passed_after(node, self.asserted(node))
                .into_iter()
                .collect();
        }
        let mut operands = self.operands(node);
        let (Some(first), Some(second)) = (operands.next(), operands.next()) else {
            return Vec::new();
        };
        match self.kind(node) {
            Kind::If => self.passed_in_branches(node),
            Kind::Ternary => {
                let passed = self.passed(self.tested(first), second);
                let refused = operands.next().map(|third| (self.refuted(first), third));
                let refused = refused.and_then(|(tests, third)| self.passed(tests, third));
                passed.into_iter().chain(refused).collect()
            }
            Kind::Binary => {
                let tests = match self.operator(node) {
                    Some("&&") => self.tested(first),
                    Some("||") => self.refuted(first),
                    _ => return Vec::new(),
                };
                self.passed(tests, second).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the tests of an `if` statement. The block of its branch has a scope of its own, in
    /// which they are bound already.
    fn passed_in_branches(&self, node: NodeIndex) -> Vec<Passed<'t>> {
        let (Some(condition), Some(branch)) = (
            self.child(node, Field::Condition),
            self.child(node, Field::Consequence),
        ) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if self.kind(branch) != Kind::Block {
            found.extend(self.passed(self.tested(condition), branch));
        }
        let mut children = self.children(node);
        if let Some(otherwise) = children.find(|&child| self.kind(child) == Kind::Else) {
            found.extend(self.passed(self.refuted(condition), otherwise));
            return found;
        }
        if self.leaves(branch) {
            found.extend(self.passed_after(node, self.refuted(condition)));
        }
        found
    }

    /// Returns tests that hold from a statement to the end of its block.
    fn passed_after(&self, statement: NodeIndex, tests: Vec<Test<'t>>) -> Option<Passed<'t>> {
        let block = self.parent(statement);
        let is_in_block = matches!(
            self.kind(block),
            Kind::Block | Kind::Program | Kind::SwitchCase
        );
        let range = self.node(statement).end..self.node(block).end;
        (is_in_block && !tests.is_empty()).then_some(Passed { tests, range })
    }

    pub(super) fn passed(&self, tests: Vec<Test<'t>>, behind: NodeIndex) -> Option<Passed<'t>> {
        let behind = self.node(behind);
        let range = behind.start..behind.end;
        (!tests.is_empty()).then_some(Passed { tests, range })
    }

    /// Reports whether the last statement of a branch leaves the block around the branch.
    fn leaves(&self, branch: NodeIndex) -> bool {
        let last = match self.kind(branch) {
            Kind::Block => self.operands(branch).last(),
            _ => Some(branch),
        };
        let word = last.and_then(|last| self.children(last).next());
        word.is_some_and(|word| {
            matches!(self.text(word), "return" | "throw" | "continue" | "break")
        })
    }

    /// Returns the variables that are assigned other than by their declaration.
    pub(super) fn assigned_variables(&self) -> impl Iterator<Item = NodeIndex> {
        let assignments = (0..self.len()).filter(|&node| {
            self.kind(node) == Kind::Assignment || self.is_logical_assignment(node)
        });
        let targets = assignments.filter_map(|node| self.child(node, Field::Left));
        let targets = targets.filter(|&target| {
            matches!(
                self.kind(target),
                Kind::Identifier | Kind::ArrayPattern | Kind::ObjectPattern
            )
        });
        targets.flat_map(|target| target..self.subtree_end(target))
    }
}
