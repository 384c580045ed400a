//! Whether the index may be used. Source: seed `gateway`, section 4.

use std::rc::Rc;

use crate::file_statuses::FileStatuses;
use crate::status::{self, StatusFault, StoredStatus};
use ragnav_base::envelope::{FreshnessState, IndexStatus, RouteDecision, RouteReason};
use ragnav_base::host::{self, Host};
use ragnav_index::Caches;
use ragnav_index::graph_file::GraphFile;
use ragnav_index::graph_file::WrittenGraph;
use ragnav_index::index::Index;
use ragnav_index::index_file::IndexFile;

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

/// What a repository's own files say of its index, before any file is held against it.
#[derive(Debug, Clone)]
pub struct Examined {
    /// The route.
    pub route: RouteDecision,
    /// The host's own words, where it could not read the status or HEAD.
    pub failure: Option<String>,
    /// The index, whatever the route: single files may be proven by it.
    pub index: Option<Rc<Index>>,
    /// The graph as the build of the status left it.
    pub graph: Option<WrittenGraph>,
}

/// Decides the route of a repository from its status, its HEAD and the state of its index. Never fails: what
/// cannot be read is a reason.
///
/// A HEAD that cannot be read does not matter where the status decides without it (row G2 of the reference).
pub async fn examine(host: &impl Host, repo: &str, caches: &Caches) -> Examined {
    let git = host::git_head(host).await;
    let head = git.as_ref().ok().and_then(|git| git.head.as_deref());
    let mut examined = match status::load_status(host, repo).await {
        Ok(stored) => with_index(host, caches, stored, head).await,
        Err(StatusFault::Missing) => Examined::without_index(decide_route(None, head)),
        Err(StatusFault::Unreadable) => {
            Examined::without_index(unreadable_route(RouteReason::StatusUnreadable, head))
        }
        Err(StatusFault::Host(error)) => Examined {
            failure: Some(error.message),
            ..Examined::without_index(unreadable_route(RouteReason::HostFailed, head))
        },
    };
    let route = &mut examined.route;
    match git {
        Ok(git) => route.git_root = git.git_root,
        Err(error) => {
            let had_to_know = [RouteReason::HeadUnknown, RouteReason::NoStatus];
            if had_to_know.contains(&route.reason) {
                route.reason = RouteReason::HostFailed;
            }
            examined.failure.get_or_insert(error.message);
        }
    }
    examined
}

impl Examined {
    fn without_index(route: RouteDecision) -> Self {
        Self {
            route,
            failure: None,
            index: None,
            graph: None,
        }
    }
}

async fn with_index(
    host: &impl Host,
    caches: &Caches,
    stored: StoredStatus,
    head: Option<&str>,
) -> Examined {
    let route = decide_route(Some(stored.status), head);
    let generation = stored.generation;
    let opened = caches.open_index(host, generation.as_deref()).await;
    let opened = opened.unwrap_or(IndexFile::Unreadable);
    let fault = match &opened {
        IndexFile::Missing => Some(RouteReason::GraphMissing),
        IndexFile::Unreadable => Some(RouteReason::GraphUnreadable),
        IndexFile::Unsupported => Some(RouteReason::SchemaUnsupported),
        IndexFile::Index(_) if route.use_rag => {
            graph_fault(host, caches, generation.as_deref(), stored.graph.as_ref()).await
        }
        IndexFile::Index(_) => None,
    };
    let route = match fault {
        Some(reason) if route.use_rag => unusable(route, reason),
        _ => route,
    };
    Examined {
        route,
        failure: None,
        index: opened.index(),
        graph: stored.graph,
    }
}

/// A graph that is missing or damaged is a sign that the index is not as it was built.
async fn graph_fault(
    host: &impl Host,
    caches: &Caches,
    generation: Option<&str>,
    written: Option<&WrittenGraph>,
) -> Option<RouteReason> {
    match caches.graph.read(host, written).await {
        Ok(GraphFile::Graph(graph)) => {
            // Programs that write into the graph may drop what they do not know.
            let own = graph.generation.as_deref();
            let fits = own.is_none() || generation.is_none() || own == generation;
            (!fits).then_some(RouteReason::GraphUnreadable)
        }
        Ok(GraphFile::Missing) => Some(RouteReason::GraphMissing),
        Ok(GraphFile::Unreadable) | Err(_) => Some(RouteReason::GraphUnreadable),
    }
}

/// A route that would use the index, were it not for this.
#[must_use]
pub fn unusable(route: RouteDecision, reason: RouteReason) -> RouteDecision {
    RouteDecision {
        use_rag: false,
        freshness_state: FreshnessState::Unknown,
        reason,
        ..route
    }
}

/// The route once files were held against the index: one that differs makes it stale, one that cannot be checked unknown.
#[must_use]
pub fn with_verdicts(route: RouteDecision, statuses: &FileStatuses) -> RouteDecision {
    if !route.use_rag || statuses.all_unchanged() {
        return route;
    }
    match statuses.differing() {
        (0, _) => unusable(route, RouteReason::FilesUnknown),
        _ => RouteDecision {
            freshness_state: FreshnessState::Stale,
            ..unusable(route, RouteReason::FilesChanged)
        },
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
