//! Which assignments need an order, and where one holds, for every language with a flow of values.

use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::sort::SmallSort;

use crate::facts::{Assignment, Effect, LITERAL, Name, Position, RETURNED, ScopeId};
use crate::facts_writer::FactsWriter;
use crate::name_interner::NameInterner;
use crate::tree::NodeIndex;

/// The maximum number of assignments of a file whose order is known.
const MAX_ASSIGNMENTS: usize = 20_000;

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
            effect: Effect::Replaces,
        }
    }
}

/// Notes the order of assignments to variables with more than one, or with a test. `place_of`
/// returns where the node of a variable begins, and where its assignment holds; `None` if it is
/// nested too deeply.
pub(crate) fn note_order(
    writer: &mut FactsWriter<'_>,
    assigned: Vec<BoundNode>,
    place_of: impl Fn(NodeIndex) -> Option<(u32, AssignmentRange)>,
) {
    let tests = writer.facts.flow.assignments.iter();
    let tested = tests.map(|test| (test.scope, test.name)).collect();
    let nodes = ordered_nodes(assigned, &writer.names, &tested);
    for (scope, name, node) in nodes.into_iter().take(MAX_ASSIGNMENTS) {
        let Some((start, range)) = place_of(node) else {
            continue;
        };
        let position = writer.position_at(start);
        let fact = range.to_fact((scope, name), position, |offset| writer.position_at(offset));
        writer.facts.flow.assignments.push(fact);
    }
    let assignments = &mut writer.facts.flow.assignments;
    assignments.small_sort_by_key(|found| (found.position, found.end));
}

/// Returns the bound nodes whose order matters: those of names with more than one assignment, of
/// elements and members, and of the names in `ordered`.
pub(crate) fn ordered_nodes(
    bound: Vec<BoundNode>,
    names: &NameInterner<'_>,
    ordered: &HashSet<(ScopeId, Name)>,
) -> Vec<BoundNode> {
    let mut assigned = bound.clone();
    assigned.sort_unstable();
    assigned.dedup();
    let mut counts: HashMap<(ScopeId, Name), usize> = HashMap::default();
    for (scope, name, _) in assigned {
        *counts.entry((scope, name)).or_default() += 1;
    }
    let is_needed = |(scope, name, _): &BoundNode| {
        let text = names.text(*name);
        let key = (*scope, *name);
        let count = counts.get(&key).copied().unwrap_or_default();
        let is_needed = count > 1 || text.contains(['.', '[']) || ordered.contains(&key);
        is_needed && count <= MAX_OF_NAME && text != RETURNED && !is_generated(text)
    };
    let mut known = HashSet::default();
    let nodes = bound.into_iter().filter(is_needed);
    nodes.filter(|node| known.insert(*node)).collect()
}

/// Reports whether a name stands for a container that an expression creates.
pub(crate) fn is_generated(name: &str) -> bool {
    name.starts_with(LITERAL)
}
