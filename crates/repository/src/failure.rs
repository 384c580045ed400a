//! Why a query has no answer, and the sentences that envelopes have in common.

use std::collections::BTreeSet;

use ragnav_base::envelope::{ErrorOptions, RagToolMeta, RouteDecision, RouteReason, error_result};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::path::RepoPath;

/// Why a query has no answer.
#[derive(Debug)]
pub enum Failure {
    /// The query failed.
    Error(RagnavError),
    /// The policy `error` refuses to answer from live files.
    Stale(Box<RouteDecision>),
    /// Files changed while the query ran. The query runs again over a new snapshot.
    ConcurrentModification(BTreeSet<RepoPath>),
}

impl From<RagnavError> for Failure {
    fn from(error: RagnavError) -> Self {
        Self::Error(error)
    }
}

impl Failure {
    /// Returns the `meta` of the failed answer.
    #[must_use]
    pub fn meta(self) -> RagToolMeta {
        let route = match self {
            Self::Error(error) => return error_meta(error),
            Self::ConcurrentModification(_) => return error_meta(concurrent_modification()),
            Self::Stale(route) => *route,
        };
        let why = explain(route.reason);
        let message = format!("{why} The policy `error` refuses to answer from the live files.");
        let error = RagnavError::new(ErrorCode::StaleIndex, message);
        let options = ErrorOptions {
            freshness_state: Some(route.freshness_state),
            index_status: route.status,
            ..ErrorOptions::from_error(error)
        };
        RagToolMeta {
            reason: Some(route.reason),
            head: route.head,
            ..error_result::<()>(options).meta
        }
    }
}

fn error_meta(error: RagnavError) -> RagToolMeta {
    error_result::<()>(ErrorOptions::from_error(error)).meta
}

/// The error of a query during which files changed in every attempt.
fn concurrent_modification() -> RagnavError {
    let message = "files changed each time they were read; ask again when they are at rest";
    RagnavError::new(ErrorCode::HostFailed, message)
}

/// Appends a sentence to the message of a `meta`.
pub fn add_message(meta: &mut RagToolMeta, sentence: &str) {
    let message = meta.message.get_or_insert_default();
    if !message.is_empty() {
        message.push(' ');
    }
    message.push_str(sentence);
}

/// The number of files that a sentence names.
const NAMED_FILES: usize = 3;

/// Adds a warning that `files` were only parsed in part. Returns whether there are any.
pub fn add_partial(meta: &mut RagToolMeta, files: &BTreeSet<RepoPath>) -> bool {
    let mut named: Vec<&str> = files
        .iter()
        .take(NAMED_FILES)
        .map(RepoPath::as_str)
        .collect();
    if files.len() > NAMED_FILES {
        named.push("…");
    }
    let which = match files.len() {
        0 => return false,
        1 => format!("{} is", named.join(", ")),
        count => format!("{count} files ({}) are", named.join(", ")),
    };
    let sentence = format!(
        "{which} known only in part: nested, named or repeated beyond what is read. There may be more."
    );
    add_message(meta, &sentence);
    true
}

/// Returns a route's reason as a sentence for people.
#[must_use]
pub fn explain(reason: RouteReason) -> &'static str {
    match reason {
        RouteReason::NoStatus => "There is no index.",
        RouteReason::StatusUnreadable => "The index status cannot be made sense of.",
        RouteReason::IndexNotFresh => "The index says of itself that it is not fresh.",
        RouteReason::HeadUnknown => "There is no git commit to hold the index against.",
        RouteReason::CommitUnknown => "The index does not say which commit it was built from.",
        RouteReason::HeadMatches => "The index is as it was built.",
        RouteReason::HeadMoved => "Another commit is checked out than the index was built from.",
        RouteReason::FilesChanged => "Files differ from the index.",
        RouteReason::SchemaUnsupported => "Another version of ragnav wrote the index.",
        RouteReason::GraphMissing => "The index status speaks of an index that is not there.",
        RouteReason::GraphUnreadable => {
            "The index is damaged, or not of the build that its status speaks of."
        }
        RouteReason::FilesUnknown => "Some files could not be held against the index.",
        RouteReason::DocumentsMissing => {
            "The store of documents does not have all that this answer rests on."
        }
        RouteReason::HostFailed => "The host could not read the index status or the git HEAD.",
    }
}
