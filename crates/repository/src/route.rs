//! The route: whether the index may be used, and why.

use std::rc::Rc;

use crate::file_statuses::FileStatuses;
use crate::status::{self, StatusFault, StoredStatus};
use ragnav_base::envelope::{FreshnessState, IndexStatus, RouteDecision, RouteReason};
use ragnav_base::host::{GitHeadRequest, Host, WaitRequest};
use ragnav_index::Caches;
use ragnav_index::graph_file::GraphFile;
use ragnav_index::graph_file::WrittenGraph;
use ragnav_index::index::Index;
use ragnav_index::index_file::IndexFile;

/// Decides the route from a status and the commit that is checked out. It is a pure function.
///
/// Without a status the route is unknown. A state other than `fresh`, in any case, is stale.
/// Without HEAD or the indexed commit the route is unknown. If the two are equal, the index is
/// fresh and used; otherwise it is stale.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::RouteReason;
/// use ragnav_repository::route::decide_route;
/// use ragnav_repository::status::parse_index_status;
///
/// let commit = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
/// let status = format!(r#"{{"index_state": "fresh", "last_indexed_commit": "{commit}"}}"#);
/// let status = parse_index_status(&status, "/home/me/shop");
/// let route = decide_route(status.clone(), Some(commit));
/// assert_eq!((route.use_rag, route.reason), (true, RouteReason::HeadMatches));
/// let other = "9fceb02d0ae598e95dc970b74767f19372d61af8";
/// let route = decide_route(status, Some(other));
/// assert_eq!((route.use_rag, route.reason), (false, RouteReason::HeadMoved));
/// ```
#[must_use]
pub fn decide_route(status: Option<IndexStatus>, head: Option<&str>) -> RouteDecision {
    let head = head.and_then(object_id);
    let (reason, freshness_state) = classify_status(status.as_ref(), head.as_deref());
    RouteDecision {
        use_rag: reason == RouteReason::HeadMatches,
        freshness_state,
        status,
        reason,
        head,
        git_root: None,
    }
}

/// Returns the route for a status that cannot be parsed: unknown.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{FreshnessState, RouteReason};
/// use ragnav_repository::route::unreadable_route;
///
/// let route = unreadable_route(RouteReason::StatusUnreadable, None);
/// assert_eq!((route.use_rag, route.freshness_state), (false, FreshnessState::Unknown));
/// ```
#[must_use]
pub fn unreadable_route(reason: RouteReason, head: Option<&str>) -> RouteDecision {
    RouteDecision {
        reason,
        freshness_state: FreshnessState::Unknown,
        use_rag: false,
        ..decide_route(None, head)
    }
}

/// The times in milliseconds to wait for a build that is replacing the files of an index.
const PAUSES_MS: [u32; 3] = [20, 60, 120];

/// What a repository's own files say about its index, before any file is verified.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_index::Caches;
/// use ragnav_repository::route::examine;
///
/// let examined = block_on(examine(&MemoryHost::default(), "/home/me/shop", &Caches::default()));
/// assert!(examined.index.is_none() && examined.failure.is_none());
/// ```
#[derive(Debug, Clone)]
pub struct Examined {
    /// The route.
    pub route: RouteDecision,
    /// The message of the host, if it could not read the status or HEAD.
    pub failure: Option<String>,
    /// The index, whatever the route, since it may prove single files.
    pub index: Option<Rc<Index>>,
    /// The hash and size of the graph that the build wrote.
    pub graph: Option<WrittenGraph>,
}

/// Decides the route of a repository from its status, its HEAD and the state of its index. It never
/// fails: a failure is a reason.
///
/// A HEAD that cannot be read does not matter if the status decides without it.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
/// # use setup::indexed;
/// use ragnav_base::envelope::RouteReason;
/// use ragnav_base::memory_host::block_on;
/// use ragnav_index::Caches;
/// use ragnav_repository::route::examine;
///
/// let host = indexed(&[("a.py", "x = 1\n")]);
/// let examined = block_on(examine(&host, "/home/me/shop", &Caches::default()));
/// // Without a commit, the index can only prove single files.
/// assert_eq!(examined.route.reason, RouteReason::HeadUnknown);
/// assert_eq!(examined.index.unwrap().files().len(), 1);
/// ```
pub async fn examine(host: &impl Host, repo: &str, caches: &Caches) -> Examined {
    let git = host.send(GitHeadRequest {}).await;
    let head = git.as_ref().ok().and_then(|git| git.head.as_deref());
    let mut examined = examine_index(host, repo, caches, head).await;
    for ms in PAUSES_MS {
        if !examined.is_mixed || host.send(WaitRequest { ms }).await.is_err() {
            break;
        }
        examined = examine_index(host, repo, caches, head).await;
    }
    let mut examined = examined.examined;
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

/// What the files of an index say once.
struct ExaminedOnce {
    examined: Examined,
    /// Whether the files may be of different builds, one of which is replacing them.
    is_mixed: bool,
}

impl From<Examined> for ExaminedOnce {
    fn from(examined: Examined) -> Self {
        Self {
            examined,
            is_mixed: false,
        }
    }
}

async fn examine_index(
    host: &impl Host,
    repo: &str,
    caches: &Caches,
    head: Option<&str>,
) -> ExaminedOnce {
    let examined = match status::load_status(host, repo).await {
        Ok(stored) => return with_index(host, caches, stored, head).await,
        Err(StatusFault::Missing) => Examined::without_index(decide_route(None, head)),
        Err(StatusFault::Unreadable) => {
            Examined::without_index(unreadable_route(RouteReason::StatusUnreadable, head))
        }
        Err(StatusFault::Host(error)) => Examined {
            failure: Some(error.message),
            ..Examined::without_index(unreadable_route(RouteReason::HostFailed, head))
        },
    };
    examined.into()
}

async fn with_index(
    host: &impl Host,
    caches: &Caches,
    stored: StoredStatus,
    head: Option<&str>,
) -> ExaminedOnce {
    let route = decide_route(Some(stored.status), head);
    let generation = stored.generation;
    let opened = caches.open_index(host, generation.as_deref()).await;
    let opened = opened.unwrap_or(IndexFile::Unreadable);
    let is_other_build = matches!(opened, IndexFile::OtherBuild);
    let fault = match &opened {
        IndexFile::Missing => Some(RouteReason::GraphMissing),
        IndexFile::Unreadable | IndexFile::OtherBuild => Some(RouteReason::GraphUnreadable),
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
    let examined = Examined {
        route,
        failure: None,
        index: opened.index(),
        graph: stored.graph,
    };
    ExaminedOnce {
        examined,
        is_mixed: is_other_build,
    }
}

/// Checks the graph too: if it is missing or damaged, the index is not as its build left it.
async fn graph_fault(
    host: &impl Host,
    caches: &Caches,
    generation: Option<&str>,
    written: Option<&WrittenGraph>,
) -> Option<RouteReason> {
    match caches.graph.read(host, written).await {
        Ok(GraphFile::Graph(graph)) => {
            // Programs that write into the graph may drop keys that they do not know.
            let own = graph.generation.as_deref();
            let fits = own.is_none() || generation.is_none() || own == generation;
            (!fits).then_some(RouteReason::GraphUnreadable)
        }
        Ok(GraphFile::Missing) => Some(RouteReason::GraphMissing),
        Ok(GraphFile::Unreadable) | Err(_) => Some(RouteReason::GraphUnreadable),
    }
}

/// Returns a route that refuses the index for a reason.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::RouteReason;
/// use ragnav_repository::route::{decide_route, unusable};
///
/// let route = unusable(decide_route(None, None), RouteReason::GraphMissing);
/// assert_eq!((route.use_rag, route.reason), (false, RouteReason::GraphMissing));
/// ```
#[must_use]
pub fn unusable(route: RouteDecision, reason: RouteReason) -> RouteDecision {
    RouteDecision {
        use_rag: false,
        freshness_state: FreshnessState::Unknown,
        reason,
        ..route
    }
}

/// Returns the route after verifying files. A changed file makes it stale, and an unknown one makes
/// it unknown.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{Proof, RouteReason};
/// use ragnav_base::item::Verdict;
/// use ragnav_base::path::RepoPath;
/// use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
/// use ragnav_repository::route::{decide_route, with_verdicts};
/// use ragnav_repository::status::parse_index_status;
///
/// let commit = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
/// let status = format!(r#"{{"index_state": "fresh", "last_indexed_commit": "{commit}"}}"#);
/// let route = decide_route(parse_index_status(&status, ""), Some(commit));
/// let changed = FileStatus::new(Verdict::Changed, Proof::Hash);
/// let files = [(RepoPath::parse("a.py").unwrap(), changed)].into();
/// let route = with_verdicts(route, &FileStatuses::new(files, false, Vec::new()));
/// assert_eq!(route.reason, RouteReason::FilesChanged);
/// ```
#[must_use]
pub fn with_verdicts(route: RouteDecision, statuses: &FileStatuses) -> RouteDecision {
    if !route.use_rag || statuses.all_unchanged() {
        return route;
    }
    let reason = match statuses.differing() {
        (0, _) => return unusable(route, RouteReason::FilesUnknown),
        _ if statuses.has_other_version() => RouteReason::SchemaUnsupported,
        _ => RouteReason::FilesChanged,
    };
    RouteDecision {
        freshness_state: FreshnessState::Stale,
        ..unusable(route, reason)
    }
}

fn classify_status(
    status: Option<&IndexStatus>,
    head: Option<&str>,
) -> (RouteReason, FreshnessState) {
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

/// Parses a full object id, SHA-1 or SHA-256 in lower case, as git prints it.
fn object_id(text: &str) -> Option<String> {
    let id = text.trim();
    let is_full = matches!(id.len(), 40 | 64) && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_full.then(|| id.to_ascii_lowercase())
}
