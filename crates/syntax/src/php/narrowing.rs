//! Where the type holds that a test gives a variable: `$a instanceof B` in a condition.

use std::ops::Range;

use super::builder::FactsBuilder;
use super::kinds::{FlatTree, Kind};
use crate::facts::{Name, ScopeId};
use crate::tree::NodeIndex;

/// The maximum number of nodes between a test and what it decides.
const MAX_DEPTH: usize = 16;

/// The first words of statements that leave a block.
const LEAVING: [&str; 6] = ["break", "continue", "die", "exit", "return", "throw"];

impl FactsBuilder<'_> {
    /// Notes where the test of a variable holds, and returns whether that is known.
    pub(super) fn note_test(
        &mut self,
        (scope, name): (ScopeId, Name),
        variable: NodeIndex,
        test: NodeIndex,
    ) -> bool {
        let Some(range) = self.tree.range_of_test(test) else {
            return false;
        };
        let offset = self.tree.node(variable).start;
        self.writer.note_test((scope, name), offset, &range);
        true
    }
}

impl FlatTree<'_> {
    /// Returns the bytes where a test holds: the branch that runs if it is true, or the rest of the
    /// block if the branch that runs otherwise leaves the block.
    fn range_of_test(&self, test: NodeIndex) -> Option<Range<u32>> {
        let (mut child, mut holds) = (test, true);
        for _ in 0..MAX_DEPTH {
            let parent = self.parent(child);
            match self.kind(parent) {
                Kind::Parenthesized => {}
                Kind::UnaryOperation if self.text(parent).starts_with('!') => holds = !holds,
                Kind::Binary if self.keeps_result(parent, holds) => {}
                Kind::Branch | Kind::Loop if holds => {
                    let branch = self.operands(parent).nth(1)?;
                    let is_condition = self.operands(parent).next() == Some(child);
                    let range = self.node(test).end..self.node(branch).end;
                    return is_condition.then_some(range);
                }
                Kind::Branch => return self.range_behind(parent, child),
                _ => return None,
            }
            child = parent;
        }
        None
    }

    /// Reports whether an operand has the result of the whole operation: a true one of `&&`, and a
    /// false one of `||`.
    fn keeps_result(&self, operation: NodeIndex, holds: bool) -> bool {
        let mut operands = self.operands(operation);
        let (Some(left), Some(right)) = (operands.next(), operands.next()) else {
            return false;
        };
        let operator = self.slice(self.node(left).end, self.node(right).start);
        let operator = operator.trim().to_ascii_lowercase();
        let wanted = if holds { ["&&", "and"] } else { ["||", "or"] };
        wanted.contains(&operator.as_str())
    }

    /// Returns the rest of the block behind `if (…) { return; }`.
    fn range_behind(&self, statement: NodeIndex, condition: NodeIndex) -> Option<Range<u32>> {
        let mut operands = self.operands(statement);
        let is_condition = operands.next() == Some(condition);
        let branch = operands.next().filter(|_| is_condition)?;
        let last = match self.kind(branch) {
            Kind::Block => self.operands(branch).last()?,
            _ => branch,
        };
        let text = self.text(last);
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let word = text.split(|letter| !is_part(letter)).next()?;
        let block = self.parent(statement);
        let is_block =
            self.kind(block) == Kind::Block && self.kind(self.parent(block)) != Kind::Try;
        let is_statement = is_block && operands.next().is_none();
        (is_statement && LEAVING.contains(&word.to_ascii_lowercase().as_str()))
            .then(|| self.node(statement).end..self.node(block).end)
    }
}
