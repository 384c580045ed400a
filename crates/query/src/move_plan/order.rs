//! The order of a move.

use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::DefinitionId;

use crate::reference_site::ReferenceSite;

/// What is moved where.
pub(super) struct Order<'o> {
    pub(super) source: &'o RepoPath,
    pub(super) id: DefinitionId,
    pub(super) name: &'o str,
    pub(super) target: &'o RepoPath,
    pub(super) sites: &'o [ReferenceSite],
}
