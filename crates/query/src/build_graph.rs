//! Building or updating the index of a repository.
//!
//! A build parses only files that differ from the previous index, and carries enrichment over. It
//! writes segments first; they have no effect until an index names them. When everything is ready,
//! it writes the index, the graph and the status, in this order. Each is written atomically and has
//! the same generation, so a reader recognises an interrupted build.

mod files;
mod graph_enrichment;
pub mod lock;
mod report;
mod scan;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use serde::Deserialize;

use crate::Settings;
use crate::build_graph::files::{Indexed, PreviousIndex};
use crate::build_graph::graph_enrichment::{GraphEnrichment, Sources};
use crate::build_graph::lock::Lock;
pub use crate::build_graph::report::{BuildCounts, BuildResult, Change, FileChange};
use ragnav_base::envelope::{
    ErrorOptions, FreshnessState, IndexStatus, LastError, RouteDecision, RouteReason, error_result,
};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, CommitRequest, GitHeadRequest, Host, NowRequest};
use ragnav_base::item::SkipReason;
use ragnav_base::path::RepoPath;
use ragnav_index::carry_enrichment::EnrichmentCounts;
use ragnav_index::graph_file::WrittenGraph;
use ragnav_index::graph_text::GraphHeader;
use ragnav_index::index::{INDEX_FILE, INDEX_VERSION, Index};
use ragnav_index::segments::{self, SegmentCache};
use ragnav_repository::route::{self, Examined};
use ragnav_repository::status;

/// The options of a build.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::build_graph::{BuildOptions, build_graph};
///
/// let host = MemoryHost::new(&[("a.py", "def total(): return 0\n")]);
/// let options = BuildOptions { check: Some(true) };
/// let checked = block_on(build_graph(&host, &Settings::default(), &options, "build-1"));
/// // The build writes nothing, and reports the new file.
/// assert_eq!((checked.counts.added, checked.up_to_date), (1, false));
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct BuildOptions {
    /// Whether to write nothing and only report what would change. Default `false`.
    pub check: Option<bool>,
}

/// Builds or updates the index of a repository.
///
/// `owner` is a name that no other build has, in any process.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::build_graph::{BuildOptions, build_graph};
///
/// let host = MemoryHost::new(&[("a.py", "def total(): return 0\n")]);
/// let build = |owner| {
///     let options = BuildOptions::default();
///     block_on(build_graph(&host, &Settings::default(), &options, owner))
/// };
/// assert_eq!(build("build-1").counts.added, 1);
/// assert!(build("build-2").up_to_date);
/// ```
pub async fn build_graph<H: Host>(
    host: &H,
    settings: &Settings,
    options: &BuildOptions,
    owner: &str,
) -> BuildResult {
    let check = options.check.unwrap_or(false);
    let built = if check {
        prepare(host, settings, &SegmentCache::default(), None)
            .await
            .map(|prepared| prepared.result)
    } else {
        build(host, settings, owner).await
    };
    built.unwrap_or_else(build_error)
}

/// Returns the answer of a failed build.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::RagToolStatus;
/// use ragnav_base::error::{ErrorCode, RagnavError};
/// use ragnav_query::build_graph::build_error;
///
/// let answer = build_error(RagnavError::new(ErrorCode::Timeout, "The build took too long."));
/// assert_eq!(answer.meta.status, RagToolStatus::Error);
/// ```
#[must_use]
pub fn build_error(error: RagnavError) -> BuildResult {
    BuildResult {
        meta: error_result::<()>(ErrorOptions::from_error(error)).meta,
        ..BuildResult::default()
    }
}

/// Releases the lock of a build that was dropped before its end.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Host, NowRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::build_graph::abandon_build;
/// use ragnav_query::build_graph::lock::Lock;
///
/// let host = MemoryHost::default();
/// let now = block_on(host.send(NowRequest {})).unwrap();
/// let lock = block_on(Lock::take(&host, "build-1", &now)).unwrap();
/// drop(lock);
/// block_on(abandon_build(&host, "build-1"));
/// assert!(block_on(Lock::take(&host, "build-2", &now)).is_ok());
/// ```
pub async fn abandon_build<H: Host>(host: &H, owner: &str) {
    lock::abandon(host, owner).await;
}

async fn build<H: Host>(
    host: &H,
    settings: &Settings,
    owner: &str,
) -> Result<BuildResult, RagnavError> {
    ragnav_repository::walk::check_root(host).await?;
    let now = host.send(NowRequest {}).await?;
    status::write_own_ignore_file(host).await?;
    let mut lock = Lock::take(host, owner, &now).await?;
    let segments = SegmentCache::default();
    let built = match prepare(host, settings, &segments, Some(&mut lock)).await {
        Ok(prepared) => write(host, prepared, &segments, &lock).await,
        Err(error) => Err(error),
    };
    lock.release(host).await;
    built
}

/// An index that is ready to be written.
struct Prepared {
    index: Rc<Index>,
    /// The definitions of its files as the graph names them; `None` for an unchanged file.
    entities: Vec<Option<String>>,
    before: Option<Rc<Index>>,
    graph: Option<WrittenGraph>,
    /// The contents of the graph; `None` if the files on disk are up to date, including their
    /// stamps.
    to_write: Option<GraphEnrichment>,
    status: IndexStatus,
    result: BuildResult,
}

async fn prepare<H: Host>(
    host: &H,
    settings: &Settings,
    segments: &SegmentCache,
    lock: Option<&mut Lock>,
) -> Result<Prepared, RagnavError> {
    let is_check = lock.is_none();
    let examined = route::examine(host, &settings.repo, &settings.caches).await;
    if let Some(failure) = &examined.failure {
        return Err(RagnavError::new(ErrorCode::HostFailed, failure.clone()));
    }
    let before = PreviousIndex {
        index: examined.index.as_ref(),
        is_whole: match &examined.index {
            Some(index) => segments.verify(host, index.segments()).await?,
            None => true,
        },
    };
    let in_git = examined.route.git_root.is_some() || examined.route.head.is_some();
    let indexed = files::index_files(host, settings, before, in_git, segments, lock).await?;
    let now = host.send(NowRequest {}).await?;
    let head = current_head(host, &examined).await?;
    let stored = read_stored_graph(
        host,
        settings,
        &examined,
        &indexed,
        segments,
        head.as_deref(),
    )
    .await?;
    let status = match &examined.route.status {
        Some(status) if stored.to_write.is_none() => status.clone(),
        _ => IndexStatus {
            repo: settings.repo.clone(),
            index_state: "fresh".to_owned(),
            last_indexed_at: Some(now.iso),
            last_indexed_commit: head.clone(),
            schema_version: INDEX_VERSION.to_string(),
            last_error: LastError::default(),
        },
    };
    let up_to_date = stored.is_current && indexed.is_unchanged;
    let route = if is_check {
        planned_route(&examined.route, up_to_date)
    } else {
        route::decide_route(Some(status.clone()), head.as_deref())
    };
    let result = report::report(report::Report {
        route: route_after_reading(route, &indexed),
        up_to_date,
        enrichment: stored.enrichment,
        backup: stored.to_write.as_ref().and_then(GraphEnrichment::backup),
        changes: indexed.changes,
        counts: indexed.counts,
        skipped: indexed.skipped,
        complete: indexed.complete,
        partial: partial_files(&indexed.index),
    });
    Ok(Prepared {
        index: indexed.index,
        entities: indexed.entities,
        before: examined.index,
        graph: examined.graph,
        to_write: stored.to_write,
        status,
        result,
    })
}

/// The stored graph, beside a new index.
struct StoredGraph {
    /// Whether the graph and the status belong to the previous index and to this commit.
    is_current: bool,
    enrichment: EnrichmentCounts,
    to_write: Option<GraphEnrichment>,
}

/// Reads the stored graph. It is not parsed if nothing has changed since it was written.
async fn read_stored_graph<H: Host>(
    host: &H,
    settings: &Settings,
    examined: &Examined,
    indexed: &Indexed,
    segments: &SegmentCache,
    head: Option<&str>,
) -> Result<StoredGraph, RagnavError> {
    let index = &indexed.index;
    let is_fresh = is_fresh(examined, head);
    let before = examined.index.as_deref().filter(|_| is_fresh);
    let is_same = indexed.keeps_parts
        && before.is_some_and(|before| before.generation() == index.generation());
    let written = examined
        .graph
        .as_ref()
        .filter(|written| is_same && written.generation == index.generation());
    if let Some(written) = written
        && settings.caches.graph.is_as_built(host, written).await?
    {
        return Ok(StoredGraph {
            is_current: true,
            enrichment: written.enrichment,
            to_write: None,
        });
    }
    let from = Sources {
        index,
        segments,
        entities: RefCell::default(),
        before: examined.index.as_deref(),
        written: examined.graph.as_ref(),
    };
    let known = GraphEnrichment::read(host, &from).await?;
    let is_current = before.is_some_and(|before| known.is_of(before, from.written));
    Ok(StoredGraph {
        is_current,
        enrichment: known.counts(),
        to_write: (!(is_current && is_same)).then_some(known),
    })
}

fn partial_files(index: &Index) -> BTreeSet<RepoPath> {
    let partial = index.partial_files();
    partial.map(|record| record.path.clone()).collect()
}

/// Returns a route that accounts for files that could not be read or were left out.
fn route_after_reading(route: RouteDecision, indexed: &Indexed) -> RouteDecision {
    let unread = [SkipReason::Denied, SkipReason::Io];
    let is_whole = !indexed
        .skipped
        .iter()
        .any(|skip| unread.contains(&skip.reason));
    if route.use_rag && !(is_whole && indexed.complete) {
        return route::unusable(route, RouteReason::FilesUnknown);
    }
    route
}

/// Returns the route of a build that writes nothing.
fn planned_route(route: &RouteDecision, up_to_date: bool) -> RouteDecision {
    if !route.use_rag || up_to_date {
        return route.clone();
    }
    RouteDecision {
        freshness_state: FreshnessState::Stale,
        ..route::unusable(route.clone(), RouteReason::FilesChanged)
    }
}

/// Returns the commit that is checked out.
///
/// # Errors
/// `HOST_FAILED` if it was another one when the build began.
async fn current_head<H: Host>(
    host: &H,
    examined: &Examined,
) -> Result<Option<String>, RagnavError> {
    let git = host.send(GitHeadRequest {}).await?;
    let route = route::decide_route(None, git.head.as_deref());
    if route.head == examined.route.head {
        return Ok(route.head);
    }
    let message = "another commit was checked out while the index was built; build it again";
    Err(RagnavError::new(ErrorCode::HostFailed, message))
}

/// Reports whether the status describes a fresh index of this commit.
fn is_fresh(examined: &Examined, head: Option<&str>) -> bool {
    let status = examined.route.status.as_ref();
    status.is_some_and(|status| {
        status.index_state.eq_ignore_ascii_case("fresh")
            && status.last_indexed_commit.as_deref() == head
    })
}

/// Writes a prepared index. Readers see the previous one, or recognise by the generations that a
/// build is writing.
async fn write<H: Host>(
    host: &H,
    prepared: Prepared,
    segments: &SegmentCache,
    lock: &Lock,
) -> Result<BuildResult, RagnavError> {
    let Prepared {
        index,
        entities,
        before,
        graph,
        to_write,
        status,
        result,
    } = prepared;
    let Some(known) = to_write else {
        return Ok(result);
    };
    let heading = GraphHeader {
        repo: &status.repo,
        indexed_at: status.last_indexed_at.as_deref().unwrap_or_default(),
        schema_version: &status.schema_version,
    };
    let from = Sources {
        index: &index,
        segments,
        entities: RefCell::new(entities),
        before: before.as_deref(),
        written: graph.as_ref(),
    };
    let text = known.text(host, &from, heading).await?;
    lock.check(host).await?;
    let _ = host.send(CommitRequest {}).await;
    segments.write(host).await?;
    host::write(host, RepoPath::parse(INDEX_FILE)?, index.bytes().to_vec()).await?;
    lock.check(host).await?;
    let graph = known.write(host, &from, heading, text).await?;
    lock.check(host).await?;
    status::write_status(host, &status, Some(&graph)).await?;
    segments::remove_unneeded(host, index.segments()).await;
    Ok(result)
}
