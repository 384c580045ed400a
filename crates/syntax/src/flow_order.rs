//! Which assignments need an order, and where one holds, for every language with a flow of values.

use std::collections::{HashMap, HashSet};

use crate::facts::{Assignment, LITERAL, Name, Position, RETURNED, ScopeId};
use crate::name_interner::NameInterner;
use crate::tree::NodeIndex;

/// The maximum number of assignments to one name whose order is known.
const MAX_OF_NAME: usize = 64;

/// The node of a name that a scope binds.
pub(crate) type BoundNode = (ScopeId, Name, NodeIndex);

/// Where an assignment holds, in bytes.
pub(crate) struct AssignmentRange {
    pub(crate) end: u32,
    pub(crate) loop_start: Option<u32>,
    pub(crate) block_end: u32,
}

impl AssignmentRange {
    /// Returns the fact of an assignment that holds here.
    pub(crate) fn to_fact(
        &self,
        (scope, name): (ScopeId, Name),
        position: Position,
        mut position_at: impl FnMut(u32) -> Position,
    ) -> Assignment {
        Assignment {
            scope,
            name,
            position,
            end: position_at(self.end),
            loop_start: self.loop_start.map(&mut position_at),
            block_end: Some(position_at(self.block_end)),
            is_test: false,
        }
    }
}

/// Returns the bound nodes whose order matters: those of names with more than one assignment, of
/// elements and members, and of the names in `ordered`.
pub(crate) fn ordered_nodes(
    bound: Vec<BoundNode>,
    names: &NameInterner<'_>,
    ordered: &HashSet<(ScopeId, Name)>,
) -> Vec<BoundNode> {
    let mut counts: HashMap<(ScopeId, Name), HashSet<NodeIndex>> = HashMap::new();
    for (scope, name, node) in &bound {
        counts.entry((*scope, *name)).or_default().insert(*node);
    }
    let is_needed = |(scope, name, _): &BoundNode| {
        let text = names.text(*name);
        let key = (*scope, *name);
        let count = counts.get(&key).map_or(0, HashSet::len);
        let is_needed = count > 1 || text.contains(['.', '[']) || ordered.contains(&key);
        is_needed && count <= MAX_OF_NAME && text != RETURNED && !is_generated(text)
    };
    let mut known = HashSet::new();
    let nodes = bound.into_iter().filter(is_needed);
    nodes.filter(|node| known.insert(*node)).collect()
}

/// Reports whether a name stands for a container that an expression creates.
pub(crate) fn is_generated(name: &str) -> bool {
    name.starts_with(LITERAL)
}
