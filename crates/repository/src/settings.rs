//! What every query about one repository has in common.

use std::rc::Rc;

use serde::Deserialize;

use crate::snapshot::cache::SnapshotCache;
use crate::walk::Limits;
use ragnav_index::Caches;

/// What an answer may come from where the index is not proven.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum StalePolicy {
    /// The index for files that are proven unchanged, the live files for the others.
    #[default]
    Merge,
    /// The live files alone.
    Live,
    /// Nothing: the query is refused with `STALE_INDEX`.
    Error,
    /// The index as it is; the answer says so.
    Allow,
}

/// The settings of a navigator and what it remembers between queries.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The root as the host names it, for messages and `IndexStatus.repo`.
    pub repo: String,
    /// The limits on what a query reads.
    pub limits: Limits,
    /// The policy of queries that name none.
    pub stale_policy: StalePolicy,
    /// The parts of the index that were read before.
    pub caches: Rc<Caches>,
    /// What earlier snapshots found out about the files.
    pub snapshots: Rc<SnapshotCache>,
}
