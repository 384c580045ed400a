//! Search: the lines that match a text or a regular expression, or what fits a query best. Source: seeds `tools` and `gateway`.

mod lines;
mod ranked;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::answer::{Failure, add_message, add_partial, page_rows};
use crate::basis::Basis;
use crate::cursor::Cursor;
use crate::differing::MAX_FILES;
use crate::knowledge::Knowledge;
use crate::scope::Scope;
pub use crate::search_options::SearchOptions;
use crate::{Settings, StalePolicy};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::Host;
use ragnav_base::item::{NavItem, SearchResult, SkipReason, Skipped};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_index::graph_file::GraphFile;
use ragnav_matching::globs::Globs;
use ragnav_matching::pattern::{Pattern, SearchMode};
use ragnav_matching::terms::Terms;
use ragnav_repository::overlay::Overlaid;

/// Rows of a page where the caller does not say (reference row T3).
const DEFAULT_LIMIT: usize = 20;
/// Skipped files that an answer names; `meta.files.skipped` counts all.
const NAMED_SKIPS: usize = 20;

/// Searches the repository; see [`SearchResult`] for the answer.
///
/// By literal or regular expression one row for every line that matches, by file and line; with `ranked` the definitions and
/// passages that fit the query, best first. All rows are counted, those of the page are given with snippet and enclosing
/// symbol. Reads every file in scope once, and with `ranked` the best of them again.
pub async fn search<H: Host>(
    host: &H,
    settings: &Settings,
    query: &str,
    options: &SearchOptions,
) -> SearchResult {
    match try_search(host, settings, query, options).await {
        Ok(result) => result,
        Err(failure) => failed(query, failure),
    }
}

/// The answer to a search that failed.
#[must_use]
pub fn search_error(query: &str, error: RagnavError) -> SearchResult {
    failed(query, error.into())
}

fn failed(query: &str, failure: Failure) -> SearchResult {
    let meta = failure.meta();
    SearchResult {
        source: meta.source,
        freshness_state: meta.freshness_state,
        meta,
        items: Vec::new(),
        truncated: false,
        total: None,
        cursor: None,
        skipped: Vec::new(),
        query: query.to_owned(),
    }
}

/// A question that was understood.
struct Question {
    wanted: Wanted,
    globs: Globs,
    limit: usize,
    /// Where the page begins, unless it is the first.
    cursor: Option<Cursor>,
    fingerprint: u64,
}

/// What is looked for.
enum Wanted {
    /// The lines that match.
    Lines(Pattern),
    /// What fits best.
    Ranked(Terms),
}

impl Question {
    /// The rows that are asked for, among all.
    fn page(&self) -> Range<usize> {
        let offset = self.cursor.map_or(0, |cursor| cursor.offset);
        offset..offset.saturating_add(self.limit)
    }
}

/// What was found, before it is said what that rests on.
#[derive(Default)]
struct Found {
    /// The rows of the page.
    items: Vec<NavItem>,
    /// How many rows all pages have.
    rows: usize,
    /// Of all rows.
    fingerprint: u64,
    /// Files that could not be read.
    unread: Vec<Skipped>,
    /// Files that were read and are not answered for: what was asked is too large for them.
    left_out: Vec<RepoPath>,
    /// Whether a bound was met before everything was looked at.
    is_bounded: bool,
    /// Whether a file changed between two looks at it.
    is_restless: bool,
    /// Files among those of the rows that are known only in part: what is around a row, or fits better, may be missing.
    partial: BTreeSet<RepoPath>,
    /// What is to be said beside the rows.
    messages: Vec<String>,
}

async fn try_search<H: Host>(
    host: &H,
    settings: &Settings,
    query: &str,
    options: &SearchOptions,
) -> Result<SearchResult, Failure> {
    let question = understand(query, options)?;
    let host = &Overlaid::new(host).await?;
    let asking = Asking {
        host,
        settings,
        question: &question,
        policy: options.stale_policy,
    };
    if let Some(result) = asking.answer(query).await? {
        return Ok(result);
    }
    settings.kept.doubt();
    // A file changed between two looks at it: on the second, it is a changed one from the start.
    let again = asking.answer(query).await?;
    again.ok_or_else(|| restless().into())
}

fn restless() -> RagnavError {
    let message = "files changed while they were read, twice; ask again when they are at rest";
    RagnavError::new(ErrorCode::HostFailed, message)
}

struct Asking<'q, H> {
    host: &'q Overlaid<'q, H>,
    settings: &'q Settings,
    question: &'q Question,
    policy: Option<StalePolicy>,
}

impl<H: Host> Asking<'_, H> {
    /// `None` where it must be asked again, since a file changed meanwhile.
    async fn answer(&self, query: &str) -> Result<Option<SearchResult>, Failure> {
        let Self {
            host,
            settings,
            question,
            policy,
        } = *self;
        let mut basis = Basis::new(host, settings, policy, Scope::Globs(&question.globs)).await?;
        // Knowledge is a gift: a host that fails on it costs no answer.
        let graph_file = settings
            .caches
            .graph
            .read(host, basis.written_graph())
            .await;
        let graph_file = graph_file.unwrap_or(GraphFile::Unreadable);
        let mut knowledge = Knowledge::new(graph_file.graph());
        let found = match &question.wanted {
            Wanted::Lines(pattern) => {
                lines::lines(self, &mut basis, &mut knowledge, pattern).await?
            }
            Wanted::Ranked(terms) => {
                ranked::ranked(self, &mut basis, &mut knowledge, terms).await?
            }
        };
        basis.unreadable(&found.unread);
        for path in &found.left_out {
            basis.leave_out_file(path, SkipReason::TooLarge);
        }
        if found.is_restless || basis.must_start_over() {
            return Ok(None);
        }
        basis.skip_unproven();
        if let Some(cursor) = question.cursor {
            cursor.check(found.fingerprint)?;
        }
        let mut meta = basis.meta(settings, found.unread.len())?;
        for message in &found.messages {
            add_message(&mut meta, message);
        }
        add_partial(&mut meta, &found.partial);
        if matches!(graph_file, GraphFile::Unreadable) {
            add_message(
                &mut meta,
                "The graph cannot be read, so rows have no enrichment.",
            );
        }
        if knowledge.is_bounded() {
            let sentence = format!(
                "More than {MAX_FILES} files differ from the index: what moved between them is not known before the next build."
            );
            add_message(&mut meta, &sentence);
        }
        let end = question.page().start + found.items.len();
        let next = (end < found.rows).then_some(Cursor {
            offset: end,
            question: question.fingerprint,
            rows: found.fingerprint,
        });
        let is_complete = basis.complete && !found.is_bounded;
        let mut skipped = basis.skipped;
        skipped.extend(found.unread);
        Ok(Some(SearchResult {
            source: meta.source,
            freshness_state: meta.freshness_state,
            meta,
            items: found.items,
            truncated: next.is_some() || !is_complete,
            total: is_complete.then(|| wire(found.rows)),
            cursor: next.map(Cursor::format),
            skipped: first_by_name(skipped),
            query: query.to_owned(),
        }))
    }
}

/// The first of what was left out, in the order of names.
pub(super) fn first_by_name(mut skipped: Vec<Skipped>) -> Vec<Skipped> {
    skipped.sort_unstable_by(|a, b| a.file.cmp(&b.file));
    skipped.truncate(NAMED_SKIPS);
    skipped
}

fn understand(query: &str, options: &SearchOptions) -> Result<Question, RagnavError> {
    let mode = options.mode.unwrap_or_default();
    let case_sensitive = options.case_sensitive.unwrap_or(mode != SearchMode::Ranked);
    let include = options.include.as_deref().unwrap_or_default();
    let exclude = options.exclude.as_deref().unwrap_or_default();
    let limit = page_rows("limit", options.limit, DEFAULT_LIMIT)?;
    let wanted = match mode {
        SearchMode::Ranked if case_sensitive => {
            let message = "a ranked search looks at terms, and case never counts in it; leave out `case_sensitive`, or search with another mode";
            return Err(RagnavError::invalid(message));
        }
        SearchMode::Ranked => Wanted::Ranked(Terms::new(query)?),
        _ => Wanted::Lines(Pattern::new(query, mode, case_sensitive)?),
    };
    let asked = format!("{query:?} {mode:?} {case_sensitive:?} {include:?} {exclude:?}");
    let globs = Globs::new(include, exclude)?;
    let (fingerprint, cursor) = Cursor::of_question(&asked, options.cursor.as_deref())?;
    Ok(Question {
        wanted,
        globs,
        limit,
        cursor,
        fingerprint,
    })
}
