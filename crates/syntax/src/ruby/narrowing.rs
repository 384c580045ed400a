//! Where the class holds that a test gives a variable: `a.is_a?(B)`, `B === a` and `case a`.

use std::ops::Range;

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{BindingTarget, ScopeId};
use crate::facts_writer::NameAt;
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
            let patterns = tree.operands(clause).filter(is_pattern);
            let classes: Vec<NodeIndex> = patterns
                .flat_map(|pattern| tree.classes_of_pattern(pattern))
                .collect();
            for class in classes {
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
        let classes = tree.classes_of_pattern(pattern).into_iter();
        let classes = classes.filter_map(|class| tree.path(class));
        let mut values: Vec<_> = classes.map(|class| Some(ValueText::call(class))).collect();
        if values.is_empty() {
            values.push(None);
        }
        self.declared.insert(name);
        for value in values {
            self.bind_variable(name, scope, value);
        }
    }

    /// Binds a variable to an instance of a class in a range of bytes.
    fn bind_tested(
        &mut self,
        (variable, class): (NodeIndex, NodeIndex),
        range: Option<Range<u32>>,
        scope: ScopeId,
    ) {
        let tree = self.tree;
        let text = tree.text(variable);
        let is_name = tree.kind(variable) == Kind::Identifier;
        let inside = self.scope_of_variable(scope, text).filter(|_| is_name);
        let path = tree.path(class);
        let (Some(inside), Some(path), Some(range)) = (inside, path, range) else {
            return;
        };
        // A binding and its test are joined by their place, so each clause needs another one.
        let place = NameAt {
            text,
            offset: tree.node(class).start,
        };
        let name = self.writer.names.intern(text);
        self.writer.note_test((inside, name), place.offset, &range);
        let value = (Some(ValueText::call(path)), scope);
        self.writer
            .bind_value(place, inside, value, BindingTarget::Variable);
    }
}

impl FlatTree<'_> {
    /// Returns the classes of which a value that matches a pattern is an instance: `A` of `when A`,
    /// and `A` and `B` of `in A | B` and `in A | B => c`.
    fn classes_of_pattern(&self, pattern: NodeIndex) -> Vec<NodeIndex> {
        let mut found = Vec::new();
        let mut ahead = vec![pattern];
        while let Some(one) = ahead.pop() {
            match self.kind(one) {
                Kind::Constant | Kind::ScopeResolution => found.push(one),
                Kind::AsPattern => ahead.extend(self.child(one, Field::Value)),
                Kind::AlternativePattern | Kind::Pattern => ahead.extend(self.operands(one)),
                _ => {}
            }
        }
        found
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
        if self.kind(last) == Kind::Branch {
            // `return if a` leaves only sometimes.
            return None;
        }
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let word = self.text(last).split(|letter| !is_part(letter)).next()?;
        let block = self.parent(statement);
        let is_leaving = LEAVING.contains(&word) && self.kind(block) == Kind::Body;
        let end = self.clause_after(block, statement);
        let end = end.unwrap_or(self.node(block).end);
        is_leaving.then(|| self.node(statement).end..end)
    }
}

/// Returns the range from the start of the first of two ranges to the end of the last one.
fn join_ranges(first: Option<Range<u32>>, second: Option<Range<u32>>) -> Option<Range<u32>> {
    match (first, second) {
        (Some(first), Some(second)) => {
            Some(first.start.min(second.start)..first.end.max(second.end))
        }
        (first, second) => first.or(second),
    }
}
