//! Whether the index may be used. Source: seed `gateway`, section 4.

use crate::envelope::{FreshnessState, IndexStatus, RouteDecision, RouteReason};
use crate::freshness::status::{self, StatusFault};
use crate::graph::graph_file::{GraphCache, GraphFile};
use crate::host::{self, Host};

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

/// A route with what the host said where it failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examined {
    /// The route.
    pub route: RouteDecision,
    /// The host's own words, where it could not read the status or HEAD.
    pub failure: Option<String>,
}

/// Decides the route of a repository from what its host says. Never fails: what cannot be read is a reason.
pub async fn compute_route(host: &impl Host, repo: &str, graph: &GraphCache) -> RouteDecision {
    examine(host, repo, graph).await.route
}

/// As [`compute_route`], with what a person needs to know where the host failed.
///
/// A HEAD that cannot be read does not matter where the status decides without it (row G2 of the reference).
pub async fn examine(host: &impl Host, repo: &str, graph: &GraphCache) -> Examined {
    let git = host::git_head(host).await;
    let head = git.as_ref().ok().and_then(|git| git.head.as_deref());
    let mut failure = None;
    let mut route = match status::load_status(host, repo).await {
        Ok(status) => decide_route(Some(status), head),
        Err(StatusFault::Missing) => decide_route(None, head),
        Err(StatusFault::Unreadable) => unreadable_route(RouteReason::StatusUnreadable, head),
        Err(StatusFault::Host(error)) => {
            failure = Some(error.message);
            unreadable_route(RouteReason::HostFailed, head)
        }
    };
    match git {
        Ok(git) => route.git_root = git.git_root,
        Err(error) => {
            if matches!(
                route.reason,
                RouteReason::HeadUnknown | RouteReason::NoStatus
            ) {
                route.reason = RouteReason::HostFailed;
            }
            failure.get_or_insert(error.message);
        }
    }
    if route.use_rag {
        route = with_graph(host, graph, route).await;
    }
    Examined { route, failure }
}

/// A graph that is missing or damaged is used for nothing.
async fn with_graph(host: &impl Host, graph: &GraphCache, route: RouteDecision) -> RouteDecision {
    match graph.read(host).await {
        Ok(GraphFile::Graph(_)) => route,
        Ok(GraphFile::Missing) => unusable(route, RouteReason::GraphMissing),
        Ok(GraphFile::Unreadable) | Err(_) => unusable(route, RouteReason::GraphUnreadable),
    }
}

fn unusable(route: RouteDecision, reason: RouteReason) -> RouteDecision {
    RouteDecision {
        use_rag: false,
        freshness_state: FreshnessState::Unknown,
        reason,
        ..route
    }
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
