//! The order of assignments to local variables: which of them hold at a place.

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use crate::flow_order::{AssignmentRange, note_order};
use crate::tree::NodeIndex;

/// The maximum number of nodes between an assignment and its method.
const MAX_DEPTH: usize = 64;

impl FactsBuilder<'_> {
    /// Notes the order of assignments to variables with more than one.
    pub(super) fn collect_order(&mut self) {
        let assigned = std::mem::take(&mut self.assigned);
        let tree = self.tree;
        note_order(&mut self.writer, assigned, |node| {
            Some((tree.node(node).start, tree.range_of(node)?))
        });
    }
}

impl FlatTree<'_> {
    /// Returns where the assignment to a node holds, or `None` if it is nested too deeply.
    fn range_of(&self, node: NodeIndex) -> Option<AssignmentRange> {
        let (mut end, mut block_end, mut loop_start) = (None, None, None);
        let mut child = node;
        for _ in 0..MAX_DEPTH {
            if child == 0 {
                break;
            }
            let parent = self.parent(child);
            let field = self.node(child).field;
            let (child_end, parent_end) = (self.node(child).end, self.node(parent).end);
            match self.kind(parent) {
                Kind::Assignment if end.is_none() => end = Some(parent_end),
                // `a ||= b` may leave `a` as it was.
                Kind::OperatorAssignment if end.is_none() => {
                    end = Some(parent_end);
                    block_end = block_end.or(end);
                }
                Kind::Method
                | Kind::SingletonMethod
                | Kind::Class
                | Kind::Module
                | Kind::SingletonClass => {
                    block_end = block_end.or(Some(parent_end));
                    break;
                }
                // A block runs any number of times, as the body of a loop does.
                Kind::Block | Kind::Lambda | Kind::Loop if field != Field::Condition => {
                    block_end = block_end.or(Some(parent_end));
                    loop_start = Some(self.node(parent).start);
                }
                Kind::Branch if !matches!(field, Field::Condition | Field::Value) => {
                    block_end = block_end.or(Some(child_end));
                }
                Kind::Binary if field == Field::Right => block_end = block_end.or(Some(child_end)),
                Kind::Rescue => block_end = block_end.or(Some(parent_end)),
                // What stands before `rescue` or `ensure` may end early.
                Kind::Body => block_end = block_end.or(self.clause_after(parent, child)),
                _ => {}
            }
            child = parent;
        }
        let is_complete = child == 0 || block_end.is_some();
        is_complete.then(|| AssignmentRange {
            end: end.unwrap_or(self.node(node).end),
            loop_start,
            block_end: block_end.unwrap_or(self.node(0).end),
        })
    }

    /// Returns where the first `rescue` or `ensure` of a body begins, if it is after a statement.
    pub(super) fn clause_after(&self, body: NodeIndex, statement: NodeIndex) -> Option<u32> {
        let mut later = self.children(body).filter(|child| *child > statement);
        let clause = later.find(|child| matches!(self.kind(*child), Kind::Rescue | Kind::Ensure));
        clause.map(|clause| self.node(clause).start)
    }
}
