//! The order of assignments: which of them hold at a place.

use ragnav_base::hash::HashSet;
use ragnav_base::sort::SmallSort;

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::kinds::{Field, Kind};
use crate::facts::{Name, ScopeId};
use crate::flow_order::{AssignmentRange, ordered_nodes};
use crate::tree::NodeIndex;

/// The maximum number of nodes between an assignment and its function.
const MAX_DEPTH: usize = 64;
/// The maximum number of assignments whose order is known.
const MAX_ASSIGNMENTS: usize = 20_000;

impl FactsBuilder<'_, '_> {
    /// Notes the order of assignments to names with more than one, to parameters, and to elements
    /// and members.
    ///
    /// A name that another function assigns as well has no order, since that function may run at
    /// any time.
    pub(super) fn collect_order(&mut self) {
        let mut bound = std::mem::take(&mut self.flow.bound_nodes);
        // `var a;` in a function with a parameter `a` assigns nothing.
        bound.retain(|(scope, name, node)| {
            let is_parameter = self.flow.parameters.contains(&(*scope, *name));
            !is_parameter || !self.is_bare_declaration(*node)
        });
        let unordered: HashSet<(ScopeId, Name)> = bound
            .iter()
            .filter(|(scope, _, node)| {
                self.scope_info(*scope).function != self.scope_info(self.scope_of(*node)).function
            })
            .map(|(scope, name, _)| (*scope, *name))
            .collect();
        let needed = ordered_nodes(bound, &self.names, &self.flow.parameters);
        for (scope, name, node) in needed {
            if self.facts.flow.assignments.len() >= MAX_ASSIGNMENTS {
                break;
            }
            if !unordered.contains(&(scope, name)) {
                self.add_order(scope, name, node);
            }
        }
        let assignments = &mut self.facts.flow.assignments;
        assignments.small_sort_by_key(|found| (found.position, found.end));
    }

    /// Reports whether a node is the name in `var a;`, and not in a loop: `for (var a of b)`.
    fn is_bare_declaration(&self, name: NodeIndex) -> bool {
        let tree = self.tree;
        let declarator = tree.parent(name);
        let loops = tree.parent(tree.parent(declarator));
        tree.kind(declarator) == Kind::VariableDeclarator
            && tree.child(declarator, Field::Value).is_none()
            && tree.kind(loops) != Kind::ForIn
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
        let (mut end, mut block_end, mut loop_start) = (None, None, None);
        let mut child = node;
        for _ in 0..MAX_DEPTH {
            if child == 0 {
                break;
            }
            let parent = tree.parent(child);
            let field = tree.node(child).field;
            let is_body = field == Field::Body;
            match tree.kind(parent) {
                Kind::Assignment | Kind::AugmentedAssignment | Kind::VariableDeclarator
                    if end.is_none() =>
                {
                    end = Some(tree.node(parent).end);
                }
                Kind::FunctionDeclaration
                | Kind::FunctionExpression
                | Kind::ArrowFunction
                | Kind::Method
                | Kind::Class => {
                    block_end = block_end.or(Some(tree.node(parent).end));
                    break;
                }
                Kind::ForIn if field == Field::Left => {
                    block_end = block_end.or(Some(tree.node(parent).end));
                    loop_start = Some(tree.node(parent).start);
                }
                Kind::For if field != Field::Initializer => {
                    loop_start = Some(tree.node(parent).start);
                }
                Kind::ForIn | Kind::While if is_body => {
                    loop_start = Some(tree.node(parent).start);
                }
                _ => {}
            }
            if self.is_conditional(parent, child) {
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

    /// Reports whether a part of a construct may not run.
    fn is_conditional(&self, parent: NodeIndex, child: NodeIndex) -> bool {
        let tree = self.tree;
        match tree.kind(parent) {
            Kind::If => tree.operands(parent).next() != Some(child),
            Kind::Else | Kind::SwitchCase | Kind::Catch | Kind::Ternary | Kind::Binary => true,
            Kind::AugmentedAssignment if tree.node(child).field == Field::Right => {
                tree.is_logical_assignment(parent)
            }
            Kind::AugmentedAssignment => tree.may_keep_value(parent),
            Kind::Try | Kind::While | Kind::ForIn => tree.node(child).field == Field::Body,
            Kind::For => tree.node(child).field != Field::Initializer,
            _ => false,
        }
    }
}
