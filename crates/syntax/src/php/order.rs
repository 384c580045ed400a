//! The order of assignments to local variables: which of them hold at a place.

use super::builder::FactsBuilder;
use super::kinds::{FlatTree, Kind};
use crate::flow_order::{AssignmentRange, note_order};
use crate::tree::NodeIndex;

/// The maximum number of nodes between an assignment and its function.
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
        let mut is_whole = true;
        let mut child = node;
        for _ in 0..MAX_DEPTH {
            if child == 0 {
                break;
            }
            let parent = self.parent(child);
            let (child_end, parent_end) = (self.node(child).end, self.node(parent).end);
            match self.kind(parent) {
                // `$a[] = $b` leaves what `$a` has.
                Kind::Subscript if end.is_none() => is_whole = false,
                Kind::Assignment if end.is_none() => {
                    end = Some(parent_end);
                    block_end = block_end.or(end.filter(|_| !is_whole));
                }
                Kind::Function
                | Kind::Method
                | Kind::Closure
                | Kind::ArrowFunction
                | Kind::TypeDeclaration
                | Kind::AnonymousClass => {
                    block_end = block_end.or(Some(parent_end));
                    break;
                }
                Kind::Foreach | Kind::Loop => {
                    block_end = block_end.or(Some(parent_end));
                    loop_start = Some(self.node(parent).start);
                }
                // What a condition assigns holds in all branches.
                Kind::Branch if self.kind(child) != Kind::Parenthesized => {
                    block_end = block_end.or(Some(child_end));
                }
                // `$a instanceof B` gives `$a` a type only where the test is true.
                Kind::Binary | Kind::Try | Kind::CatchClause => {
                    block_end = block_end.or(Some(child_end));
                }
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
}
