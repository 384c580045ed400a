//! The envelope of an answer from the live files.

use crate::envelope::{
    FallbackOptions, FileCounts, FreshnessState, RagToolMeta, RouteDecision, RouteReason,
    fallback_result,
};
use crate::position::wire;

/// The meta of an answer for which `live` files were read and `skipped` could not be.
///
/// A route that would use the index is answered live all the same, as long as no file of the index
/// can be proven unchanged; the answer then says so and is never called fresh.
pub(super) fn live_meta(route: RouteDecision, live: usize, skipped: usize) -> RagToolMeta {
    let (reason, freshness_state) = if route.use_rag {
        (RouteReason::GraphUnreadable, FreshnessState::Unknown)
    } else {
        (route.reason, route.freshness_state)
    };
    let options = FallbackOptions {
        freshness_state: Some(freshness_state),
        index_status: route.status,
        message: Some(format!("{} Answered from the live files.", explain(reason))),
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

/// Adds a sentence to the message of a meta.
pub(super) fn add_message(meta: &mut RagToolMeta, sentence: &str) {
    let message = meta.message.get_or_insert_default();
    if !message.is_empty() {
        message.push(' ');
    }
    message.push_str(sentence);
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
