//! Build: the index of a repository, made or brought up to date.
//!
//! Only files that differ from the index before are parsed. What was known of symbols is carried over. But for segments, which are
//! nothing until an index names them, nothing is written before everything is there; then the index, the graph and the status are, in
//! this order, each atomically and of one generation, so that a build that ends early leaves what a reader can tell from a whole one.

mod files;
mod known;
pub mod lock;
mod look;
mod report;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use serde::Deserialize;

use crate::Settings;
use crate::build_graph::files::{Before, Indexed};
use crate::build_graph::known::{Known, Sources};
use crate::build_graph::lock::Lock;
pub use crate::build_graph::report::{BuildCounts, BuildResult, Change, FileChange};
use ragnav_base::envelope::{
    ErrorOptions, FreshnessState, IndexStatus, RouteDecision, RouteReason, error_result,
};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, Host};
use ragnav_base::item::SkipReason;
use ragnav_base::path::RepoPath;
use ragnav_index::carry_enrichment::EnrichmentCounts;
use ragnav_index::graph_file::WrittenGraph;
use ragnav_index::graph_text::GraphHeader;
use ragnav_index::index::{INDEX_FILE, INDEX_VERSION, Index};
use ragnav_index::segments::{self, SegmentCache};
use ragnav_repository::route::{self, Examined};
use ragnav_repository::status;

/// What a build may be told.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct BuildOptions {
    /// Whether to write nothing and say what would change. Default `false`.
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
        prepare(host, settings, &SegmentCache::default(), None)
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
    ragnav_repository::walk::check_root(host).await?;
    let now = host::now(host).await?;
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

/// What is there once everything is read and nothing is written.
struct Prepared {
    index: Rc<Index>,
    /// The definitions of its files as the graph names them; `None` for a file that was kept.
    entities: Vec<Option<String>>,
    before: Option<Rc<Index>>,
    graph: Option<WrittenGraph>,
    /// What the graph will tell; `None` where the files on disk are of this content, stamps included.
    to_write: Option<Known>,
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
    let before = Before {
        index: examined.index.as_ref(),
        is_whole: match &examined.index {
            Some(index) => segments.verify(host, index.segments()).await?,
            None => true,
        },
    };
    let in_git = examined.route.git_root.is_some() || examined.route.head.is_some();
    let indexed = files::index_files(host, settings, before, in_git, segments, lock).await?;
    let now = host::now(host).await?;
    let head = head_now(host, &examined).await?;
    let standing = standing_graph(
        host,
        settings,
        &examined,
        &indexed,
        segments,
        head.as_deref(),
    )
    .await?;
    let status = match &examined.route.status {
        Some(status) if standing.to_write.is_none() => status.clone(),
        _ => IndexStatus {
            repo: settings.repo.clone(),
            index_state: "fresh".to_owned(),
            last_indexed_at: Some(now.iso),
            last_indexed_commit: head.clone(),
            schema_version: INDEX_VERSION.to_string(),
            last_error: None,
        },
    };
    let up_to_date = standing.is_current && indexed.changes.is_empty();
    let route = if is_check {
        standing_route(&examined.route, up_to_date)
    } else {
        route::decide_route(Some(status.clone()), head.as_deref())
    };
    let result = report::report(report::Report {
        route: as_read(route, &indexed),
        up_to_date,
        enrichment: standing.enrichment,
        put_aside: standing.to_write.as_ref().and_then(Known::put_aside),
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
        to_write: standing.to_write,
        status,
        result,
    })
}

/// The graph that stands, beside an index that was made.
struct Standing {
    /// Whether it and the status are of the index before, and of this commit.
    is_current: bool,
    enrichment: EnrichmentCounts,
    to_write: Option<Known>,
}

/// Looks at the graph that stands. Where nothing changed since it was written it is not parsed.
async fn standing_graph<H: Host>(
    host: &H,
    settings: &Settings,
    examined: &Examined,
    indexed: &Indexed,
    segments: &SegmentCache,
    head: Option<&str>,
) -> Result<Standing, RagnavError> {
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
        return Ok(Standing {
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
    let known = Known::read(host, &from).await?;
    let is_current = before.is_some_and(|before| known.is_of(before, from.written));
    Ok(Standing {
        is_current,
        enrichment: known.counts(),
        to_write: (!(is_current && is_same)).then_some(known),
    })
}

fn partial_files(index: &Index) -> BTreeSet<RepoPath> {
    let partial = index.partial_files();
    partial.map(|record| record.path.clone()).collect()
}

/// A route with what could not be read, or was left out, in mind.
fn as_read(route: RouteDecision, indexed: &Indexed) -> RouteDecision {
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

/// Whether the status speaks of a fresh index of this commit.
fn is_fresh(examined: &Examined, head: Option<&str>) -> bool {
    let status = examined.route.status.as_ref();
    status.is_some_and(|status| {
        status.index_state.eq_ignore_ascii_case("fresh")
            && status.last_indexed_commit.as_deref() == head
    })
}

/// Writes what was prepared. Readers see the index before, or know by the generations that another one is coming.
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
    host::commit(host).await;
    segments.write(host).await?;
    host::write(host, RepoPath::parse(INDEX_FILE)?, index.bytes().to_vec()).await?;
    lock.check(host).await?;
    let graph = known.write(host, &from, heading, text).await?;
    lock.check(host).await?;
    status::write_status(host, &status, Some(&graph)).await?;
    segments::remove_unneeded(host, index.segments()).await;
    Ok(result)
}
