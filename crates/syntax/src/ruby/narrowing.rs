//! Where the class holds that a test gives a variable: `a.is_a?(B)`, `B === a` and `case a`.

use std::ops::Range;

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{Assignment, BindingTarget, Effect, ScopeId};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of nodes between a test and what it decides.
const MAX_DEPTH: usize = 16;

/// The first words of statements that leave a block.
const LEAVING: [&str; 8] = [
    "abort", "break", "exit", "fail", "next", "raise", "return", "throw",
];

impl FactsBuilder<'_> {
    /// Visits `a.is_a?(B)`.
    pub(super) fn visit_test(
        &mut self,
        call: NodeIndex,
        (of, name): (NodeIndex, &str),
        scope: ScopeId,
    ) {
        let tree = self.tree;
        let list = tree.child(call, Field::Arguments);
        let class = list.and_then(|list| tree.operands(list).next());
        if let (Some(class), "instance_of?" | "is_a?" | "kind_of?") = (class, name) {
            self.bind_tested((of, class), tree.range_of_test(call), scope);
        }
    }

    /// Visits `B === a`.
    pub(super) fn visit_case_equality(
        &mut self,
        test: NodeIndex,
        (class, variable): (NodeIndex, NodeIndex),
        scope: ScopeId,
    ) {
        self.bind_tested((variable, class), self.tree.range_of_test(test), scope);
    }

    /// Visits the clauses of `case a`, such as `when B` and `in B`.
    pub(super) fn visit_patterns(&mut self, case: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(value) = tree.child(case, Field::Value) else {
            return;
        };
        for clause in tree.operands(case) {
            let Some(body) = tree.child(clause, Field::Body) else {
                continue;
            };
            let range = tree.node(body).start..tree.node(body).end;
            let is_pattern = |node: &NodeIndex| tree.node(*node).field == Field::Pattern;
            for pattern in tree.operands(clause).filter(is_pattern) {
                let class = tree.class_of_pattern(pattern);
                self.bind_tested((value, class), Some(range.clone()), scope);
            }
        }
    }

    /// Visits `B => a` in a pattern.
    pub(super) fn visit_as_pattern(&mut self, pattern: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(pattern, Field::Name) else {
            return;
        };
        let class = tree.child(pattern, Field::Value);
        let class = class.and_then(|class| tree.path(class));
        self.declared.insert(name);
        self.bind_variable(name, scope, class.map(ValueText::call));
    }

    /// Binds a variable to an instance of a class in a range of bytes.
    fn bind_tested(
        &mut self,
        (variable, class): (NodeIndex, NodeIndex),
        range: Option<Range<u32>>,
        scope: ScopeId,
    ) {
        let tree = self.tree;
        let is_variable =
            tree.kind(variable) == Kind::Identifier && self.is_variable(scope, tree.text(variable));
        let class = tree.path(class).filter(|_| is_variable);
        let (Some(class), Some(range)) = (class, range) else {
            return;
        };
        let place = self.name_at(variable);
        let fact = Assignment {
            scope,
            name: self.writer.names.intern(place.text),
            position: self.writer.position_at(place.offset),
            end: self.writer.position_at(range.start),
            loop_start: None,
            block_end: Some(self.writer.position_at(range.end)),
            effect: Effect::Joins,
        };
        self.writer.facts.flow.assignments.push(fact);
        let value = (Some(ValueText::call(class)), scope);
        self.writer
            .bind_value(place, scope, value, BindingTarget::Variable);
    }
}

impl FlatTree<'_> {
    /// Returns the class of a pattern: `A` of `when A`, `in A` and `in A => b`.
    fn class_of_pattern(&self, pattern: NodeIndex) -> NodeIndex {
        if self.kind(pattern) == Kind::AsPattern {
            return self.child(pattern, Field::Value).unwrap_or(pattern);
        }
        let inner = self.operands(pattern).next();
        inner
            .filter(|_| self.path(pattern).is_none())
            .unwrap_or(pattern)
    }

    /// Returns the bytes where a test holds: the branch that runs if it is true, or the rest of the
    /// block if the branch that runs otherwise leaves the block.
    fn range_of_test(&self, test: NodeIndex) -> Option<Range<u32>> {
        let (mut child, mut holds) = (test, true);
        // The right side of `a && b` runs only if the left one is true.
        let mut right_side = None;
        for _ in 0..MAX_DEPTH {
            let parent = self.parent(child);
            match self.kind(parent) {
                Kind::Parenthesized => {}
                Kind::Unary if self.is_negation(parent) => holds = !holds,
                Kind::Binary if self.keeps_result(parent, holds) => {
                    if self.node(child).field == Field::Left {
                        let range = || self.node(child).end..self.node(parent).end;
                        right_side = right_side.or_else(|| Some(range()));
                    }
                }
                Kind::Branch | Kind::Loop if self.node(child).field == Field::Condition => {
                    let branch = self.range_of_branch(parent, child, holds);
                    return join_ranges(right_side, branch);
                }
                _ => return right_side,
            }
            child = parent;
        }
        right_side
    }

    fn is_negation(&self, unary: NodeIndex) -> bool {
        self.text(unary).starts_with(['!', 'n'])
    }

    /// Reports whether an operand has the result of the whole operation: a true one of `&&`, and a
    /// false one of `||`.
    fn keeps_result(&self, operation: NodeIndex, holds: bool) -> bool {
        match self.operator(operation) {
            Some("&&" | "and") => holds,
            Some("||" | "or") => !holds,
            _ => false,
        }
    }

    /// Returns the bytes where a condition is true, or false if it must not hold.
    fn range_of_branch(
        &self,
        branch: NodeIndex,
        condition: NodeIndex,
        holds: bool,
    ) -> Option<Range<u32>> {
        let is_inverse = |token: NodeIndex| matches!(self.text(token), "unless" | "until");
        let holds = holds != self.children(branch).any(is_inverse);
        let range = |node: NodeIndex| self.node(node).start..self.node(node).end;
        // In `a if b`, the condition comes last.
        let body = self.child(branch, Field::Body);
        let consequence = self.child(branch, Field::Consequence);
        match (holds, self.child(branch, Field::Alternative)) {
            (true, _) => match body {
                Some(body) if body < condition => Some(range(branch)),
                _ => Some(range(consequence.or(body)?)),
            },
            (false, Some(alternative)) => Some(range(alternative)),
            (false, None) => self.range_behind(branch, consequence.or(body)?),
        }
    }

    /// Returns the rest of the block behind a statement with a branch that leaves the block.
    fn range_behind(&self, statement: NodeIndex, branch: NodeIndex) -> Option<Range<u32>> {
        let last = match self.kind(branch) {
            Kind::Body => self.operands(branch).last()?,
            _ => branch,
        };
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let word = self.text(last).split(|letter| !is_part(letter)).next()?;
        let block = self.parent(statement);
        let is_leaving = LEAVING.contains(&word) && self.kind(block) == Kind::Body;
        is_leaving.then(|| self.node(statement).end..self.node(block).end)
    }
}

/// Joins a range with one behind it, in which something holds, too.
fn join_ranges(first: Option<Range<u32>>, second: Option<Range<u32>>) -> Option<Range<u32>> {
    match (first, second) {
        (Some(first), Some(second)) => {
            Some(first.start.min(second.start)..first.end.max(second.end))
        }
        (first, second) => first.or(second),
    }
}
