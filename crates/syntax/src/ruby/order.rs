//! The order of assignments to local variables: which of them hold at a place.

use std::collections::HashSet;

use super::builder::FactsBuilder;
use super::kinds::{Field, Kind};
use crate::facts::{Name, ScopeId};
use crate::flow_order::{AssignmentRange, ordered_nodes};
use crate::tree::NodeIndex;

/// The maximum number of nodes between an assignment and its method.
const MAX_DEPTH: usize = 64;
/// The maximum number of assignments whose order is known.
const MAX_ASSIGNMENTS: usize = 20_000;

impl FactsBuilder<'_> {
    /// Notes the order of assignments to variables with more than one.
    pub(super) fn collect_order(&mut self) {
        let assigned = std::mem::take(&mut self.assigned);
        let nodes = ordered_nodes(assigned, &self.writer.names, &HashSet::new());
        for (scope, name, node) in nodes.into_iter().take(MAX_ASSIGNMENTS) {
            self.add_order((scope, name), node);
        }
        let assignments = &mut self.writer.facts.flow.assignments;
        assignments.sort_by_key(|found| (found.position, found.end));
    }

    fn add_order(&mut self, variable: (ScopeId, Name), node: NodeIndex) {
        let Some(range) = self.range_of(node) else {
            return;
        };
        let position = self.writer.position_at(self.tree.node(node).start);
        let fact = range.to_fact(variable, position, |offset| self.writer.position_at(offset));
        self.writer.facts.flow.assignments.push(fact);
    }

    /// Returns where the assignment to a node holds, or `None` if it is nested too deeply.
    fn range_of(&self, node: NodeIndex) -> Option<AssignmentRange> {
        let tree = self.tree;
        let (mut end, mut block_end, mut loop_start) = (None, None, None);
        let mut child = node;
        for _ in 0..MAX_DEPTH {
            if child == 0 {
                break;
            }
            let parent = tree.parent(child);
            let field = tree.node(child).field;
            let (child_end, parent_end) = (tree.node(child).end, tree.node(parent).end);
            match tree.kind(parent) {
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
                    loop_start = Some(tree.node(parent).start);
                }
                Kind::Branch if !matches!(field, Field::Condition | Field::Value) => {
                    block_end = block_end.or(Some(child_end));
                }
                Kind::Binary if field == Field::Right => block_end = block_end.or(Some(child_end)),
                Kind::Rescue => block_end = block_end.or(Some(parent_end)),
                _ => {}
            }
            child = parent;
        }
        let is_complete = child == 0 || block_end.is_some();
        is_complete.then(|| AssignmentRange {
            end: end.unwrap_or(tree.node(node).end),
            loop_start,
            block_end: block_end.unwrap_or(tree.node(0).end),
        })
    }
}
