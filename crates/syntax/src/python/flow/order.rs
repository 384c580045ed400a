//! The order of assignments: which of them hold at a place.

use ragnav_base::hash::HashSet;
use ragnav_base::sort::SmallSort;

use crate::facts::{BindingTarget, Name, ScopeId};
use crate::flow_order::{AssignmentRange, ordered_nodes};
use crate::python::builder::FactsBuilder;
use crate::python::kinds::{Field, Kind};
use crate::tree::NodeIndex;

/// The maximum number of nodes between an assignment and its function.
const MAX_DEPTH: usize = 64;
/// The maximum number of assignments whose order is known.
const MAX_ASSIGNMENTS: usize = 20_000;

impl FactsBuilder<'_> {
    /// Notes the order of assignments to names with more than one, to parameters, and to elements
    /// and members.
    pub(super) fn collect_order(&mut self) {
        let bound = std::mem::take(&mut self.bound_nodes);
        let assignments = self.facts.flow.assignments.iter();
        let mut ordered: HashSet<(ScopeId, Name)> =
            assignments.map(|found| (found.scope, found.name)).collect();
        let bindings = self.facts.bindings.iter();
        let parameters =
            bindings.filter(|found| matches!(found.target, BindingTarget::Parameter(_)));
        ordered.extend(parameters.map(|found| (found.scope, found.name)));
        for (scope, name, node) in ordered_nodes(bound, &self.names, &ordered) {
            if self.facts.flow.assignments.len() < MAX_ASSIGNMENTS {
                self.add_order(scope, name, node);
            }
        }
        self.facts
            .flow
            .assignments
            .small_sort_by_key(|found| (found.position, found.end));
    }

    fn add_order(&mut self, scope: ScopeId, name: Name, node: NodeIndex) {
        let Some(range) = self.range_of(node) else {
            return;
        };
        let position = self.position_of(node);
        let fact = range.to_fact((scope, name), position, |offset| {
            self.positions.position_at(offset as usize)
        });
        self.facts.flow.assignments.push(fact);
    }

    /// Returns where the assignment to a node holds, or `None` if it is nested too deeply.
    fn range_of(&self, node: NodeIndex) -> Option<AssignmentRange> {
        let tree = self.tree;
        let mut end = None;
        let mut block_end = None;
        let mut loop_start = None;
        let mut child = node;
        for _ in 0..MAX_DEPTH {
            if child == 0 {
                break;
            }
            let parent = tree.parent(child);
            let field = tree.node(child).field;
            let is_body = field == Field::Body;
            match tree.kind(parent) {
                Kind::Assignment | Kind::AugmentedAssignment | Kind::NamedExpression
                    if end.is_none() =>
                {
                    end = Some(tree.node(parent).end);
                }
                Kind::FunctionDefinition | Kind::ClassDefinition | Kind::Lambda
                    if is_body || field == Field::Parameters =>
                {
                    block_end = block_end.or(Some(tree.node(parent).end));
                    break;
                }
                Kind::Comprehension => {
                    block_end = block_end.or(Some(tree.node(parent).end));
                    break;
                }
                Kind::ForStatement if field == Field::Left => {
                    block_end = block_end.or(Some(tree.node(parent).end));
                    loop_start = Some(tree.node(parent).start);
                }
                Kind::ForStatement | Kind::WhileStatement if is_body => {
                    loop_start = Some(tree.node(parent).start);
                }
                _ => {}
            }
            let is_function = matches!(
                tree.kind(parent),
                Kind::FunctionDefinition | Kind::ClassDefinition | Kind::Lambda
            );
            let is_conditional = tree.kind(child) == Kind::Block
                && tree.kind(parent) != Kind::WithStatement
                && !is_function;
            if is_conditional {
                block_end = block_end.or(Some(tree.node(child).end));
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
