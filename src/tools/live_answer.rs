//! What answers from the live files have in common: route, walk and envelope.

use crate::argument::whole_number;
use crate::envelope::{
    FallbackOptions, FileCounts, FreshnessState, RagToolMeta, RouteDecision, RouteReason,
    fallback_result,
};
use crate::error::{ErrorCode, RagnavError};
use crate::freshness::route::{self, Examined};
use crate::host::Host;
use crate::position::wire;
use crate::repo::walk::{self, Walk};
use crate::tools::{QuestionOptions, Settings, StalePolicy};

/// The meta of an answer for which `live` files were read and `skipped` could not be.
///
/// A route that would use the index is answered live all the same, as long as no file of the index
/// can be proven unchanged; the answer then says so and is never called fresh.
pub(super) fn live_meta(examined: Examined, live: usize, skipped: usize) -> RagToolMeta {
    let Examined { route, failure } = examined;
    let reason = usable_reason(&route);
    let freshness_state = if route.use_rag {
        FreshnessState::Unknown
    } else {
        route.freshness_state
    };
    let options = FallbackOptions {
        freshness_state: Some(freshness_state),
        index_status: route.status,
        message: Some(message(reason, failure.as_deref())),
    };
    let files = FileCounts {
        graph: 0,
        live: wire(live),
        changed: 0,
        skipped: wire(skipped),
    };
    RagToolMeta {
        reason: Some(reason),
        head: route.head,
        files: Some(files),
        ..fallback_result::<()>(Vec::new(), options).meta
    }
}

/// The route of a repository and the files that its ignore rules admit.
///
/// # Errors
/// As [`walk::walk`]; a route never fails.
pub(super) async fn route_and_walk<H: Host>(
    host: &H,
    settings: &Settings,
    policy: Option<StalePolicy>,
) -> Result<(Examined, Walk), RagnavError> {
    let examined = route::examine(host, &settings.repo, &settings.graph).await;
    check_policy(policy, settings, &examined)?;
    let in_git = examined.route.git_root.is_some() || examined.route.head.is_some();
    let found = walk::walk(host, settings.limits, in_git).await?;
    Ok((examined, found))
}

/// Refuses to answer live where the policy is `error`.
///
/// # Errors
/// `STALE_INDEX`, with why the index cannot be used.
pub(super) fn check_policy(
    asked: Option<StalePolicy>,
    settings: &Settings,
    examined: &Examined,
) -> Result<(), RagnavError> {
    if asked.unwrap_or(settings.stale_policy) != StalePolicy::Error {
        return Ok(());
    }
    let why = explain(usable_reason(&examined.route));
    let message = format!("{why} The policy `error` refuses to answer from the live files.");
    Err(RagnavError::new(ErrorCode::StaleIndex, message))
}

/// Says where a walk ended before the last file.
pub(super) fn add_incomplete(meta: &mut RagToolMeta, walk: &Walk, settings: &Settings) {
    if !walk.complete {
        let limit = settings.limits.max_files;
        add_message(
            meta,
            &format!("Only the first {limit} files were looked at (max_files)."),
        );
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
pub(super) fn add_message(meta: &mut RagToolMeta, sentence: &str) {
    let message = meta.message.get_or_insert_default();
    if !message.is_empty() {
        message.push(' ');
    }
    message.push_str(sentence);
}

/// A route that would use the index has nothing in it that could be proven.
fn usable_reason(route: &RouteDecision) -> RouteReason {
    if route.use_rag {
        RouteReason::GraphUnreadable
    } else {
        route.reason
    }
}

fn message(reason: RouteReason, failure: Option<&str>) -> String {
    let why = explain(reason);
    match failure {
        Some(failure) => format!("{why} Answered from the live files. What failed: {failure}."),
        None => format!("{why} Answered from the live files."),
    }
}

fn explain(reason: RouteReason) -> &'static str {
    match reason {
        RouteReason::NoStatus => "There is no index.",
        RouteReason::StatusUnreadable => "The index status cannot be made sense of.",
        RouteReason::IndexNotFresh => "The index says of itself that it is not fresh.",
        RouteReason::HeadUnknown => "There is no git commit to hold the index against.",
        RouteReason::CommitUnknown => "The index does not say which commit it was built from.",
        RouteReason::HeadMoved => "Another commit is checked out than the index was built from.",
        RouteReason::GraphMissing => "The index status speaks of a graph that is not there.",
        RouteReason::HeadMatches | RouteReason::GraphUnreadable => {
            "The index holds nothing that an answer could be proven by."
        }
        RouteReason::HostFailed => "The host could not read the index status or the git HEAD.",
    }
}
