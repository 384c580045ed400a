//! What a build did, for the one who asked for it.

use std::collections::BTreeSet;

use serde::Serialize;

use ragnav_base::envelope::{
    FallbackOptions, FreshnessState, IndexStatus, OkOptions, RagToolMeta, RouteDecision,
    fallback_result, ok_result,
};
use ragnav_base::error::RagnavError;
use ragnav_base::item::Skipped;
use ragnav_base::path::RepoPath;
use ragnav_index::carry_enrichment::EnrichmentCounts;
use ragnav_repository::failure::{add_message, add_partial, explain};

/// How a file differs from the index before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// The index before did not have it.
    Added,
    /// It has other content.
    Changed,
    /// Only the index before had it.
    Removed,
}

/// A file that differs from the index before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct FileChange {
    /// The file, relative to the repository's root.
    pub file: String,
    /// How it differs.
    pub change: Change,
}

/// How many files a build found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct BuildCounts {
    /// New files.
    pub added: u32,
    /// Files with other content than before.
    pub changed: u32,
    /// Files that are gone.
    pub removed: u32,
    /// Files as they were.
    pub unchanged: u32,
    /// Files and folders that are not searched: binary, too large, links and so on.
    pub skipped: u32,
}

/// The answer of a build.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct BuildResult {
    /// What is there now.
    pub meta: RagToolMeta,
    /// The files that differ from the index before, by path.
    pub items: Vec<FileChange>,
    /// How many files there are of each sort.
    pub counts: BuildCounts,
    /// How what was known of symbols was found again.
    pub enrichment: EnrichmentCounts,
    /// Whether the index was as the repository is, before the build.
    pub up_to_date: bool,
    /// The first of the files that are not searched.
    pub skipped: Vec<Skipped>,
}

/// What there is to say.
pub(super) struct Report {
    pub(super) route: RouteDecision,
    pub(super) changes: Vec<FileChange>,
    pub(super) counts: BuildCounts,
    pub(super) enrichment: EnrichmentCounts,
    pub(super) skipped: Vec<Skipped>,
    pub(super) complete: bool,
    /// The files that are known only in part.
    pub(super) partial: BTreeSet<RepoPath>,
    pub(super) up_to_date: bool,
    /// Where the graph that stood is kept, if it is not simply written anew.
    pub(super) put_aside: Option<Result<RepoPath, RagnavError>>,
}

/// Skipped files that an answer names; the counts have all.
const NAMED_SKIPS: usize = 20;

/// The answer of a build that came to its end.
pub(super) fn report(report: Report) -> BuildResult {
    let Report {
        route, mut skipped, ..
    } = report;
    let mut meta = RagToolMeta {
        reason: Some(route.reason),
        head: route.head,
        ..bare_meta(route.use_rag, route.freshness_state, route.status)
    };
    if !route.use_rag {
        add_message(&mut meta, explain(route.reason));
    }
    if !report.complete {
        let sentence = "Not all files were indexed (max_files, max_folders): answers will not be called fresh.";
        add_message(&mut meta, sentence);
    }
    add_partial(&mut meta, &report.partial);
    if let Some(Ok(path)) = report.put_aside {
        let sentence =
            format!("The graph that was there is not ragnav's own and is kept as {path}.");
        add_message(&mut meta, &sentence);
    }
    skipped.sort_by(|a, b| a.file.cmp(&b.file));
    skipped.truncate(NAMED_SKIPS);
    BuildResult {
        meta,
        items: report.changes,
        counts: report.counts,
        enrichment: report.enrichment,
        up_to_date: report.up_to_date,
        skipped,
    }
}

/// As a question would say it: `OK` where answers come from the index.
fn bare_meta(
    use_rag: bool,
    freshness_state: FreshnessState,
    index_status: Option<IndexStatus>,
) -> RagToolMeta {
    if use_rag {
        let options = OkOptions {
            index_status,
            ..OkOptions::default()
        };
        return ok_result::<()>(Vec::new(), options).meta;
    }
    let options = FallbackOptions {
        freshness_state: Some(freshness_state),
        index_status,
        message: None,
    };
    fallback_result::<()>(Vec::new(), options).meta
}
