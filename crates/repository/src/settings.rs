//! The settings that all queries about one repository share.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::compiler::index::CompilerIndexes;
use crate::snapshot::cache::SnapshotCache;
use crate::walk::Limits;
use ragnav_base::path::RepoPath;
use ragnav_index::Caches;

/// What an answer may come from where the index is not proven to be current: `merge`, the index for
/// files that are proven unchanged and the live files for all others; `live`, the live files alone
/// unless everything is proven; `error`, nothing (`STALE_INDEX`); `allow`, the index as it is,
/// which may be out of date.
///
/// # Examples
///
/// ```
/// use ragnav_repository::settings::StalePolicy;
///
/// assert_eq!(StalePolicy::default(), StalePolicy::Merge);
/// assert_eq!(serde_json::from_str::<StalePolicy>(r#""error""#).unwrap(), StalePolicy::Error);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum StalePolicy {
    /// The index for files that are proven unchanged, and the live files for the others.
    #[default]
    Merge,
    /// Only the live files.
    Live,
    /// None: the query is refused with `STALE_INDEX`.
    Error,
    /// The index, unverified; rows say so.
    Allow,
}

/// The settings of a navigator, and its caches.
///
/// # Examples
///
/// ```
/// use ragnav_repository::settings::{Settings, StalePolicy};
///
/// let settings = Settings {
///     repo: "/home/me/shop".to_owned(),
///     stale_policy: StalePolicy::Live,
///     ..Settings::default()
/// };
/// assert_eq!(settings.limits.max_file_bytes, Settings::default().limits.max_file_bytes);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The root as the host names it, for messages and `IndexStatus.repo`.
    pub repo: String,
    /// The folders that are repositories of their own; none if the whole tree is one.
    pub roots: Vec<RepoPath>,
    /// The limits on what a query reads.
    pub limits: Limits,
    /// The policy of queries that name none.
    pub stale_policy: StalePolicy,
    /// What compilers say about names.
    pub compiler: Rc<CompilerIndexes>,
    /// The parts of the index that were read before.
    pub caches: Rc<Caches>,
    /// The results of earlier snapshots.
    pub snapshots: Rc<SnapshotCache>,
}
