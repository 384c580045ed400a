//! The result of a build.

use std::collections::BTreeSet;

use serde::Serialize;

use ragnav_base::envelope::{
    FallbackOptions, FreshnessState, IndexStatus, OkOptions, RagToolMeta, RouteDecision,
    fallback_result, ok_result,
};
use ragnav_base::error::RagnavError;
use ragnav_base::item::Skipped;
use ragnav_base::path::RepoPath;
use ragnav_base::sort::SmallSort;
use ragnav_index::carry_enrichment::EnrichmentCounts;
use ragnav_repository::failure::{add_message, add_partial, explain};

/// How a file differs from the previous index.
///
/// # Examples
///
/// ```
/// use ragnav_query::build_graph::Change;
///
/// assert_eq!(serde_json::to_value(Change::Added).unwrap(), "added");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// The previous index lacks the file.
    Added,
    /// The file has another content.
    Changed,
    /// Only the previous index has the file.
    Removed,
}

/// A file that differs from the previous index.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::build_graph::{BuildOptions, build_graph};
///
/// let host = MemoryHost::new(&[("a.py", "def total(): return 0\n")]);
/// let options = BuildOptions::default();
/// let built = block_on(build_graph(&host, &Settings::default(), &options, "build-1"));
/// let json = r#"{"file":"a.py","change":"added"}"#;
/// assert_eq!(serde_json::to_string(&built.items[0]).unwrap(), json);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct FileChange {
    /// The path of the file, relative to the root.
    pub file: String,
    /// How the file differs.
    pub change: Change,
}

/// The numbers of files of a build. Each file counts once, so a new binary file is only `skipped`.
///
/// # Examples
///
/// ```
/// use ragnav_query::build_graph::BuildCounts;
///
/// let counts = BuildCounts { added: 2, unchanged: 40, ..BuildCounts::default() };
/// assert_eq!(serde_json::to_value(&counts).unwrap()["unchanged"], 40);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct BuildCounts {
    /// New files that are searched.
    pub added: u32,
    /// Searched files with other content than before.
    pub changed: u32,
    /// Removed files.
    pub removed: u32,
    /// Searched files that are unchanged.
    pub unchanged: u32,
    /// Files and folders that are not searched: binary, too large, links and others. It equals
    /// `meta.files.skipped` of later queries. Ignored files do not count.
    pub skipped: u32,
}

/// The answer of a build.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::build_graph::{BuildOptions, build_graph};
///
/// let host = MemoryHost::new(&[("a.py", "def total(): return 0\n")]);
/// let options = BuildOptions::default();
/// let built = block_on(build_graph(&host, &Settings::default(), &options, "build-1"));
/// assert_eq!((built.items[0].file.as_str(), built.up_to_date), ("a.py", false));
/// assert!(built.enrichment.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct BuildResult {
    /// The metadata of the answer, after the build.
    pub meta: RagToolMeta,
    /// The files that differ from the previous index, sorted by path.
    pub items: Vec<FileChange>,
    /// The numbers of files by kind.
    pub counts: BuildCounts,
    /// How the definitions with enrichment were re-identified.
    pub enrichment: EnrichmentCounts,
    /// Whether the index was up to date before the build.
    pub up_to_date: bool,
    /// The first of the files that are not searched.
    pub skipped: Vec<Skipped>,
}

/// The parts of the message.
pub(super) struct Report {
    pub(super) route: RouteDecision,
    pub(super) changes: Vec<FileChange>,
    pub(super) counts: BuildCounts,
    pub(super) enrichment: EnrichmentCounts,
    pub(super) skipped: Vec<Skipped>,
    pub(super) complete: bool,
    /// The files that were only parsed in part.
    pub(super) partial: BTreeSet<RepoPath>,
    pub(super) up_to_date: bool,
    /// The path where the previous graph is kept, unless the new one simply replaced it.
    pub(super) backup: Option<Result<RepoPath, RagnavError>>,
}

/// The largest number of skipped files that an answer names; the counts have all.
const MAX_NAMED_SKIPS: usize = 20;

/// Returns the answer of a completed build.
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
        let sentence = "Not all files were indexed, because of a limit (max_files, max_folders). \
                        Answers will not be fresh.";
        add_message(&mut meta, sentence);
    }
    add_partial(&mut meta, &report.partial);
    if let Some(Ok(path)) = report.backup {
        let sentence = format!("Another program wrote the previous graph; it is kept as {path}.");
        add_message(&mut meta, &sentence);
    }
    skipped.small_sort_by(|a, b| a.file.cmp(&b.file));
    skipped.truncate(MAX_NAMED_SKIPS);
    BuildResult {
        meta,
        items: report.changes,
        counts: report.counts,
        enrichment: report.enrichment,
        up_to_date: report.up_to_date,
        skipped,
    }
}

/// Returns the status that a query would have: `OK` if answers come from the index.
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
