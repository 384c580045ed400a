//! Build: the index of a repository, made or brought up to date.
//!
//! Only files that differ from the index before are parsed. What was known of symbols is carried over. Nothing is written before
//! everything is there; then the index, the graph and the status are, in this order, each atomically and
//! of one generation, so that a build that ends early leaves what a reader can tell from a whole one.

mod files;
mod lock;
mod look;
mod report;

use serde::Deserialize;

use crate::envelope::{
    ErrorOptions, FreshnessState, IndexStatus, RouteDecision, RouteReason, error_result,
};
use crate::error::{ErrorCode, RagnavError};
use crate::freshness::route::{self, Examined};
use crate::freshness::status;
use crate::graph::carry::{self, Knowledge};
use crate::graph::graph_file::{self, GRAPH_FILE};
use crate::graph::graph_text::{Heading, format_graph};
use crate::graph::index::{INDEX_FILE, INDEX_VERSION, Index};
use crate::graph::rejoin_files::Shapes;
use crate::graph::shapes;
use crate::host::{self, Host};
use crate::item::{SkipReason, Skipped};
use crate::path::RepoPath;
use crate::tools::Settings;
use crate::tools::build_graph::files::Indexed;
use crate::tools::build_graph::lock::Lock;
pub use crate::tools::build_graph::report::{BuildCounts, BuildResult, Change, FileChange};

/// Where a graph that cannot be read is put aside, since it may hold what nobody else knows.
const UNREADABLE_GRAPH_FILE: &str = ".llmc/rag_graph.unreadable.json";

/// What a build may be told.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct BuildOptions {
    /// Whether to write nothing and say what would change. Default `false`.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean | null | undefined"))]
    pub check: Option<bool>,
}

/// Makes the index of a repository, or brings it up to date.
///
/// `owner` is a name of this build that no other one has, in whichever process.
pub async fn build_graph<H: Host>(
    host: &H,
    settings: &Settings,
    options: &BuildOptions,
    owner: &str,
) -> BuildResult {
    let check = options.check.unwrap_or(false);
    let built = if check {
        prepare(host, settings, None)
            .await
            .map(|prepared| prepared.result)
    } else {
        build(host, settings, owner).await
    };
    built.unwrap_or_else(build_error)
}

/// The answer to a build that failed.
#[must_use]
pub fn build_error(error: RagnavError) -> BuildResult {
    BuildResult {
        meta: error_result::<()>(ErrorOptions::from_error(error)).meta,
        ..BuildResult::default()
    }
}

/// Gives back the lock of a build that was dropped before its end.
pub async fn abandon_build<H: Host>(host: &H, owner: &str) {
    lock::abandon(host, owner).await;
}

async fn build<H: Host>(
    host: &H,
    settings: &Settings,
    owner: &str,
) -> Result<BuildResult, RagnavError> {
    crate::repo::walk::check_root(host).await?;
    let now = host::now(host).await?;
    status::write_own_ignore_file(host).await?;
    let mut lock = Lock::take(host, owner, &now).await?;
    let built = match prepare(host, settings, Some(&mut lock)).await {
        Ok(prepared) => write(host, settings, prepared, &lock).await,
        Err(error) => Err(error),
    };
    lock.release(host).await;
    built
}

/// What is there once everything is read and nothing is written.
struct Prepared {
    index: Index,
    /// Whether the files on disk are of this content, stamps included.
    is_written: bool,
    graph: Vec<u8>,
    /// A graph that could not be read.
    put_aside: Option<Vec<u8>>,
    status: IndexStatus,
    result: BuildResult,
}

async fn prepare<H: Host>(
    host: &H,
    settings: &Settings,
    lock: Option<&mut Lock>,
) -> Result<Prepared, RagnavError> {
    let is_check = lock.is_none();
    let examined = route::examine(host, &settings.repo, &settings.caches).await;
    if let Some(failure) = &examined.failure {
        return Err(RagnavError::new(ErrorCode::HostFailed, failure.clone()));
    }
    let indexed = files::index_files(host, settings, &examined, lock).await?;
    let now = host::now(host).await?;
    let head = head_now(host, &examined).await?;
    let known = graph_file::read_json(host).await?;
    let knowledge = match &known.graph {
        Some(graph) => carry::carry(graph, &shapes_of(&indexed.index)),
        None => Knowledge::default(),
    };
    let status = IndexStatus {
        repo: settings.repo.clone(),
        index_state: "fresh".to_owned(),
        last_indexed_at: Some(now.iso.clone()),
        last_indexed_commit: head.clone(),
        schema_version: INDEX_VERSION.to_string(),
        last_error: None,
    };
    let enrichment = knowledge.counts;
    let heading = Heading {
        repo: &settings.repo,
        indexed_at: &now.iso,
        schema_version: &status.schema_version,
    };
    let graph = format_graph(&indexed.index, heading, knowledge);
    let is_current = is_current(&examined, &known, head.as_deref());
    let Indexed {
        index,
        changes,
        counts,
        skipped,
        complete,
    } = indexed;
    let before = examined.index.as_ref();
    let is_written =
        is_current && before.is_some_and(|before| before.generation() == index.generation());
    let up_to_date = is_current && changes.is_empty();
    let status = match &examined.route.status {
        Some(standing) if is_written => standing.clone(),
        _ => status,
    };
    let decided = if is_check {
        standing_route(&examined.route, up_to_date)
    } else {
        built_route(&status, head.as_deref(), &skipped)
    };
    let result = report::report(report::Report {
        route: decided,
        changes,
        counts,
        enrichment,
        skipped,
        complete,
        up_to_date,
        put_aside: known.unreadable.is_some(),
    });
    Ok(Prepared {
        index,
        is_written,
        graph,
        put_aside: known.unreadable,
        status,
        result,
    })
}

/// The route once the index is written.
fn built_route(status: &IndexStatus, head: Option<&str>, skipped: &[Skipped]) -> RouteDecision {
    let decided = route::decide_route(Some(status.clone()), head);
    if decided.use_rag && skipped.iter().any(|skip| is_unread(skip.reason)) {
        return route::unusable(decided, RouteReason::HostFailed);
    }
    decided
}

/// The route as long as nothing is written.
fn standing_route(route: &RouteDecision, up_to_date: bool) -> RouteDecision {
    if !route.use_rag || up_to_date {
        return route.clone();
    }
    RouteDecision {
        freshness_state: FreshnessState::Stale,
        ..route::unusable(route.clone(), RouteReason::FilesChanged)
    }
}

/// Whether what was left out may have to be answered for later.
fn is_unread(reason: SkipReason) -> bool {
    matches!(reason, SkipReason::Denied | SkipReason::Io)
}

/// The commit that the index is of: the one that was checked out all the while, or none where it moved.
async fn head_now<H: Host>(host: &H, examined: &Examined) -> Result<Option<String>, RagnavError> {
    let git = host::git_head(host).await?;
    let route = route::decide_route(None, git.head.as_deref());
    if route.head == examined.route.head {
        return Ok(route.head);
    }
    let message = "another commit was checked out while the index was built; build it again";
    Err(RagnavError::new(ErrorCode::HostFailed, message))
}

/// Whether the index that stands is whole, fresh and of this commit.
fn is_current(examined: &Examined, known: &graph_file::GraphJson, head: Option<&str>) -> bool {
    let status = examined.route.status.as_ref();
    let is_fresh = status.is_some_and(|status| {
        status.index_state.eq_ignore_ascii_case("fresh")
            && status.last_indexed_commit.as_deref() == head
    });
    is_fresh && examined.index.is_some() && known.graph.is_some()
}

fn shapes_of(index: &Index) -> Shapes {
    let files = index.files().iter().filter_map(|record| {
        let facts = index.facts(record)?;
        Some((record.path.clone(), shapes::of_facts(&facts)))
    });
    files.collect()
}

async fn write<H: Host>(
    host: &H,
    settings: &Settings,
    prepared: Prepared,
    lock: &Lock,
) -> Result<BuildResult, RagnavError> {
    let Prepared {
        index,
        is_written,
        graph,
        put_aside,
        status,
        result,
    } = prepared;
    if is_written {
        return Ok(result);
    }
    if let Some(bytes) = put_aside {
        host::write(host, RepoPath::parse(UNREADABLE_GRAPH_FILE)?, bytes).await?;
    }
    lock.check(host).await?;
    host::write(host, RepoPath::parse(INDEX_FILE)?, index.bytes().to_vec()).await?;
    lock.check(host).await?;
    host::write(host, RepoPath::parse(GRAPH_FILE)?, graph).await?;
    lock.check(host).await?;
    status::write_status(host, &status, Some(index.generation())).await?;
    settings.caches.index.keep(index);
    Ok(result)
}
