//! What the envelopes of answers have in common: failures, limits and messages.

use std::collections::BTreeSet;

use crate::QuestionOptions;
use ragnav_base::argument::whole_number;
use ragnav_base::envelope::{ErrorOptions, RagToolMeta, RouteDecision, RouteReason, error_result};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::path::RepoPath;

/// Why a question got no answer, with the route where it was refused because of it.
#[derive(Debug)]
pub struct Failure {
    error: RagnavError,
    route: Option<Box<RouteDecision>>,
}

impl From<RagnavError> for Failure {
    fn from(error: RagnavError) -> Self {
        Self { error, route: None }
    }
}

impl Failure {
    /// The failure of a question that the policy `error` refuses to answer live.
    #[must_use]
    pub fn stale(route: RouteDecision) -> Self {
        let why = explain(route.reason);
        let message = format!("{why} The policy `error` refuses to answer from the live files.");
        Self {
            error: RagnavError::new(ErrorCode::StaleIndex, message),
            route: Some(Box::new(route)),
        }
    }

    /// The meta of the answer.
    #[must_use]
    pub fn meta(self) -> RagToolMeta {
        let route = self.route.map(|route| *route);
        let options = ErrorOptions {
            freshness_state: route.as_ref().map(|route| route.freshness_state),
            index_status: route.as_ref().and_then(|route| route.status.clone()),
            ..ErrorOptions::from_error(self.error)
        };
        RagToolMeta {
            reason: route.as_ref().map(|route| route.reason),
            head: route.and_then(|route| route.head),
            ..error_result::<()>(options).meta
        }
    }
}

/// How many items an answer may have, `None` for all.
pub(super) fn item_limit(options: &QuestionOptions) -> Result<Option<usize>, RagnavError> {
    options
        .limit
        .map(|limit| whole_number("limit", limit))
        .transpose()
}

/// Cuts an answer to its limit, and says so.
pub(super) fn limit_items<T>(items: &mut Vec<T>, limit: Option<usize>, meta: &mut RagToolMeta) {
    let found = items.len();
    if let Some(limit) = limit.filter(|limit| *limit < found) {
        items.truncate(limit);
        add_message(
            meta,
            &format!("{found} were found, the first {limit} are given (limit)."),
        );
    }
}

/// Adds a sentence to the message of a meta.
pub fn add_message(meta: &mut RagToolMeta, sentence: &str) {
    let message = meta.message.get_or_insert_default();
    if !message.is_empty() {
        message.push(' ');
    }
    message.push_str(sentence);
}

/// Files that a sentence names.
const NAMED_FILES: usize = 3;

/// Says of an answer that there may be more in files that are known only in part, and whether there are such.
pub(super) fn add_partial(meta: &mut RagToolMeta, files: &BTreeSet<RepoPath>) -> bool {
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

/// A reason as a sentence.
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

/// Rows of a page at most; the cursor leads to the rest.
const MAX_ROWS: usize = 10_000;

/// How many rows a page has.
///
/// # Errors
/// `INVALID_ARGUMENT` for what counts nothing, with the argument's name.
pub(super) fn page_rows(
    name: &str,
    given: Option<f64>,
    default: usize,
) -> Result<usize, RagnavError> {
    given.map_or(Ok(default), |given| {
        Ok(whole_number(name, given)?.min(MAX_ROWS))
    })
}
