//! Whether the index may be used. Source: seed `gateway`, section 4.

use crate::envelope::{FreshnessState, IndexStatus, RouteDecision, RouteReason};
use crate::freshness::status;
use crate::host::{self, Host, HostError};
use crate::path::RepoPath;

/// The graph that a status speaks of.
const GRAPH_FILE: &str = ".llmc/rag_graph.json";

/// Decides the route from a status and the commit that is checked out: pure, the seed to the letter.
///
/// No status: unknown. State other than `fresh` (in any case): stale, whatever HEAD is. HEAD or the
/// indexed commit missing: unknown. Equal: fresh, and the index is used. Otherwise: stale.
#[must_use]
pub fn decide_route(status: Option<IndexStatus>, head: Option<&str>) -> RouteDecision {
    let head = head.and_then(object_id);
    let (reason, freshness_state) = judge(status.as_ref(), head.as_deref());
    RouteDecision {
        use_rag: reason == RouteReason::HeadMatches,
        freshness_state,
        status,
        reason,
        head,
        git_root: None,
    }
}

/// The route where the status is there but makes no sense: unknown.
#[must_use]
pub fn unreadable_route(reason: RouteReason, head: Option<&str>) -> RouteDecision {
    RouteDecision {
        reason,
        freshness_state: FreshnessState::Unknown,
        use_rag: false,
        ..decide_route(None, head)
    }
}

/// Decides the route of a repository from what its host says. Never fails: what cannot be read is a reason.
pub async fn compute_route(host: &impl Host, repo: &str) -> RouteDecision {
    let Ok(git) = host::git_head(host).await else {
        return unreadable_route(RouteReason::HostFailed, None);
    };
    let head = git.head.as_deref();
    let mut route = match status::load_status(host, repo).await {
        Ok(status) => decide_route(Some(status), head),
        Err(RouteReason::NoStatus) => decide_route(None, head),
        Err(reason) => unreadable_route(reason, head),
    };
    route.git_root = git.git_root;
    if route.use_rag && !has_graph(host).await {
        route.use_rag = false;
        route.freshness_state = FreshnessState::Unknown;
        route.reason = RouteReason::GraphMissing;
    }
    route
}

fn judge(status: Option<&IndexStatus>, head: Option<&str>) -> (RouteReason, FreshnessState) {
    let Some(status) = status else {
        return (RouteReason::NoStatus, FreshnessState::Unknown);
    };
    if !status.index_state.eq_ignore_ascii_case("fresh") {
        return (RouteReason::IndexNotFresh, FreshnessState::Stale);
    }
    let Some(head) = head else {
        return (RouteReason::HeadUnknown, FreshnessState::Unknown);
    };
    match status.last_indexed_commit.as_deref().map(str::trim) {
        None | Some("") => (RouteReason::CommitUnknown, FreshnessState::Unknown),
        Some(commit) if commit.eq_ignore_ascii_case(head) => {
            (RouteReason::HeadMatches, FreshnessState::Fresh)
        }
        Some(_) => (RouteReason::HeadMoved, FreshnessState::Stale),
    }
}

/// A full object id, SHA-1 or SHA-256, in lower case: what git prints for a commit that exists.
fn object_id(text: &str) -> Option<String> {
    let id = text.trim();
    let is_full = matches!(id.len(), 40 | 64) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_full.then(|| id.to_ascii_lowercase())
}

/// Asked for with a size of nothing: whether it is there matters, not what it says.
async fn has_graph(host: &impl Host) -> bool {
    let Ok(path) = RepoPath::parse(GRAPH_FILE) else {
        return false;
    };
    let read = host::read_one(host, &path, 0).await;
    matches!(read, Ok(Ok(_) | Err(HostError::TooLarge)))
}
