//! The order of assignments: which of them hold at a place.

use std::collections::{HashMap, HashSet};

use crate::facts::{Assignment, Name, ScopeId};
use crate::python::builder::FactsBuilder;
use crate::python::kinds::{Field, Kind};
use crate::tree::NodeIndex;

/// The maximum number of nodes between an assignment and its function.
const MAX_DEPTH: usize = 64;
/// The maximum number of assignments whose order is known.
const MAX_ASSIGNMENTS: usize = 20_000;

/// The maximum number of assignments to one name whose order is known.
const MAX_OF_NAME: usize = 64;

/// The place of an assignment, in bytes.
struct Place {
    end: u32,
    loop_start: Option<u32>,
    block_end: u32,
}

impl FactsBuilder<'_> {
    /// Notes the order of assignments to names with more than one, and to elements and members.
    pub(super) fn collect_order(&mut self) {
        let mut counts: HashMap<(ScopeId, Name), HashSet<u32>> = HashMap::new();
        let bound = std::mem::take(&mut self.bound_nodes);
        for (scope, name, node) in &bound {
            let starts = counts.entry((*scope, *name)).or_default();
            starts.insert(self.tree.node(*node).start);
        }
        let narrowed: HashSet<(ScopeId, Name)> = self
            .facts
            .flow
            .assignments
            .iter()
            .map(|found| (found.scope, found.name))
            .collect();
        let mut known = HashSet::new();
        for (scope, name, node) in bound {
            let text = self.names.text(name);
            let is_path = text.contains(['.', '[']) && !super::is_generated(text);
            let is_returned = text == crate::facts::RETURNED;
            let is_single = counts
                .get(&(scope, name))
                .is_none_or(|starts| starts.len() < 2);
            let is_needed = is_path || !is_single || narrowed.contains(&(scope, name));
            let is_frequent = counts
                .get(&(scope, name))
                .is_some_and(|starts| starts.len() > MAX_OF_NAME);
            if !is_needed || is_frequent || is_returned || super::is_generated(text) {
                continue;
            }
            if self.facts.flow.assignments.len() < MAX_ASSIGNMENTS
                && known.insert((scope, name, node))
            {
                self.add_order(scope, name, node);
            }
        }
        self.facts
            .flow
            .assignments
            .sort_by_key(|found| (found.position, found.end));
    }

    fn add_order(&mut self, scope: ScopeId, name: Name, node: NodeIndex) {
        let Some(place) = self.place_of(node) else {
            return;
        };
        let position = self.position_of(node);
        let mut at = |offset: u32| self.positions.position_at(offset as usize);
        let assignment = Assignment {
            scope,
            name,
            position,
            end: at(place.end),
            loop_start: place.loop_start.map(&mut at),
            block_end: Some(at(place.block_end)),
            is_test: false,
        };
        self.facts.flow.assignments.push(assignment);
    }

    /// Returns where the assignment to a node holds, or `None` if it is nested too deeply.
    fn place_of(&self, node: NodeIndex) -> Option<Place> {
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
        is_complete.then(|| Place {
            end: end.unwrap_or(tree.node(node).end),
            loop_start,
            block_end: block_end.unwrap_or(tree.node(0).end),
        })
    }
}
