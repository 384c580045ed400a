//! The definitions whose references a query asks for.

use std::collections::BTreeSet;

use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_syntax::facts::DefinitionId;

use crate::find_definitions::FoundDefinition;

/// A definition, by file and place.
pub(super) type Target = (RepoPath, DefinitionId);

/// The definitions that a query is about.
pub(super) type Targets = BTreeSet<Target>;

/// Returns the definitions that a symbol names as targets.
pub(super) fn targets(found: &[FoundDefinition]) -> Targets {
    found.iter().map(target).collect()
}

pub(super) fn target(found: &FoundDefinition) -> Target {
    (found.path.clone(), DefinitionId(wire(found.place)))
}
