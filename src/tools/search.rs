//! Search: the lines that match a text or a regular expression. Source: seeds `tools` and `gateway`.

use std::rc::Rc;

use xxhash_rust::xxh3::Xxh3;

use crate::argument::whole_number;
use crate::envelope::{ErrorOptions, FreshnessState, Proof, SourceTag, error_result};
use crate::error::RagnavError;
use crate::graph::graph_file::GraphFile;
use crate::graph::rag_graph::RagGraph;
use crate::host::Host;
use crate::item::{ItemKind, NavItem, SearchResult, Skipped};
use crate::matching::globs::Globs;
use crate::matching::pattern::Pattern;
use crate::matching::scan::{self, Hits, LineHit};
use crate::matching::snippet;
use crate::overlay::Overlaid;
use crate::path::RepoPath;
use crate::position::wire;
use crate::repo::walk::Walk;
use crate::tools::Settings;
use crate::tools::cursor::Cursor;
use crate::tools::enrich::enrich_line;
use crate::tools::file_symbols::FileSymbols;
use crate::tools::live_answer::{add_incomplete, add_message, live_meta, route_and_walk};
use crate::tools::live_files::LiveFiles;
pub use crate::tools::search_options::SearchOptions;

/// Rows of a page where the caller does not say (reference row T3).
const DEFAULT_LIMIT: usize = 20;
/// Rows of a page at most; the cursor leads to the rest.
const MAX_LIMIT: usize = 10_000;
/// Skipped files that an answer names; `meta.files.skipped` counts all.
const NAMED_SKIPS: usize = 20;

/// Searches the repository; see [`SearchResult`] for the answer.
///
/// One row for every line that matches, by file and line. All rows are counted, those of the page
/// are given with snippet and enclosing symbol. Reads every file in scope once.
pub async fn search<H: Host>(
    host: &H,
    settings: &Settings,
    query: &str,
    options: &SearchOptions,
) -> SearchResult {
    match try_search(host, settings, query, options).await {
        Ok(result) => result,
        Err(error) => search_error(query, error),
    }
}

/// The answer to a search that failed.
#[must_use]
pub fn search_error(query: &str, error: RagnavError) -> SearchResult {
    let envelope = error_result(ErrorOptions::from_error(error));
    SearchResult {
        source: envelope.meta.source,
        freshness_state: envelope.meta.freshness_state,
        meta: envelope.meta,
        items: envelope.items,
        truncated: false,
        total: None,
        cursor: None,
        skipped: Vec::new(),
        query: query.to_owned(),
    }
}

/// A question that was understood.
struct Question {
    pattern: Pattern,
    globs: Globs,
    limit: usize,
    /// Where the page begins, unless it is the first.
    cursor: Option<Cursor>,
    fingerprint: u64,
}

async fn try_search<H: Host>(
    host: &H,
    settings: &Settings,
    query: &str,
    options: &SearchOptions,
) -> Result<SearchResult, RagnavError> {
    let question = understand(query, options)?;
    let host = &Overlaid::new(host).await?;
    let (route, found) = route_and_walk(host, settings, options.stale_policy).await?;
    let mut scope = scope_of(found, &question.globs);
    let mut files = LiveFiles::new(host, &scope.files, settings.limits.max_file_bytes);
    let mut rows = Rows::new(&question);
    let graph_file = settings.graph.read(host).await;
    // Knowledge is a gift: a host that fails on it costs no answer.
    let graph_file = graph_file.unwrap_or(GraphFile::Unreadable);
    let mut known = Known {
        proof: Proof::Live,
        graph: graph_file.graph(),
    };
    while let Some((path, bytes)) = files.next().await? {
        let hits = files
            .text(path, &bytes)
            .and_then(|text| scan::scan(text, &question.pattern));
        if let Some(hits) = hits {
            known.proof = host.proof(path);
            rows.take(path, &hits, &known);
        }
    }
    let unread = files.into_skipped();
    let fingerprint = rows.hash.digest();
    if let Some(cursor) = question.cursor {
        cursor.check(fingerprint)?;
    }
    let live = scope.files.len() - unread.len();
    let mut meta = live_meta(route, live, scope.skipped.len() + unread.len());
    add_incomplete(&mut meta, &scope, settings);
    if matches!(graph_file, GraphFile::Unreadable) {
        add_message(
            &mut meta,
            "The graph cannot be read, so rows have no enrichment.",
        );
    }
    let end = rows.page.start + rows.items.len();
    let next = (end < rows.total).then_some(Cursor {
        offset: end,
        question: question.fingerprint,
        rows: fingerprint,
    });
    scope.skipped.extend(unread);
    Ok(SearchResult {
        source: meta.source,
        freshness_state: meta.freshness_state,
        meta,
        items: rows.items,
        truncated: next.is_some() || !scope.complete,
        total: scope.complete.then(|| wire(rows.total)),
        cursor: next.map(Cursor::format),
        skipped: first_by_name(scope.skipped),
        query: query.to_owned(),
    })
}

fn first_by_name(mut skipped: Vec<Skipped>) -> Vec<Skipped> {
    skipped.sort_unstable_by(|a, b| a.file.cmp(&b.file));
    skipped.truncate(NAMED_SKIPS);
    skipped
}

fn understand(query: &str, options: &SearchOptions) -> Result<Question, RagnavError> {
    let mode = options.mode.unwrap_or_default();
    let case_sensitive = options.case_sensitive.unwrap_or(true);
    let include = options.include.as_deref().unwrap_or_default();
    let exclude = options.exclude.as_deref().unwrap_or_default();
    let limit = match options.limit {
        Some(limit) => whole_number("limit", limit)?.min(MAX_LIMIT),
        None => DEFAULT_LIMIT,
    };
    let asked = format!("{query:?} {mode:?} {case_sensitive} {include:?} {exclude:?}");
    let fingerprint = xxhash_rust::xxh3::xxh3_64(asked.as_bytes());
    let cursor = options.cursor.as_deref();
    let cursor = cursor.map(|cursor| Cursor::parse(cursor, fingerprint));
    Ok(Question {
        pattern: Pattern::new(query, mode, case_sensitive)?,
        globs: Globs::new(include, exclude)?,
        limit,
        cursor: cursor.transpose()?,
        fingerprint,
    })
}

/// The part of a walk that the globs admit; a skipped folder stays unless it is excluded by name.
fn scope_of(mut walk: Walk, globs: &Globs) -> Walk {
    walk.files.retain(|path| globs.admit(path));
    walk.skipped.retain(|skip| in_scope(skip, globs));
    walk
}

fn in_scope(skip: &Skipped, globs: &Globs) -> bool {
    match (skip.file.strip_suffix('/'), RepoPath::parse(&skip.file)) {
        (_, Err(_)) => true,
        (Some(_), Ok(folder)) => !globs.exclude(&folder),
        (None, Ok(file)) => globs.admit(&file),
    }
}

/// The rows of all files: counted and fingerprinted, kept where they are on the page.
struct Rows {
    page: std::ops::Range<usize>,
    total: usize,
    items: Vec<NavItem>,
    hash: Xxh3,
}

impl Rows {
    fn new(question: &Question) -> Self {
        let offset = question.cursor.map_or(0, |cursor| cursor.offset);
        Self {
            page: offset..offset.saturating_add(question.limit),
            total: 0,
            items: Vec::new(),
            hash: Xxh3::new(),
        }
    }

    fn take(&mut self, path: &RepoPath, hits: &Hits<'_>, known: &Known) {
        let mut symbols: Option<FileSymbols> = None;
        self.hash.update(path.as_str().as_bytes());
        for hit in &hits.hits {
            self.hash.update(&wire(hit.line).to_le_bytes());
            self.hash
                .update(hits.lines.line(hits.text, hit.line).as_bytes());
            if self.page.contains(&self.total) {
                let symbols = symbols.get_or_insert_with(|| FileSymbols::new(path, hits.text));
                self.items.push(row(path, hits, hit, symbols, known));
            }
            self.total += 1;
        }
    }
}

/// What is known of a file beside its text.
struct Known {
    proof: Proof,
    graph: Option<Rc<RagGraph>>,
}

fn row(
    path: &RepoPath,
    hits: &Hits<'_>,
    hit: &LineHit,
    symbols: &FileSymbols,
    known: &Known,
) -> NavItem {
    let found = scan::line_match(hits, hit);
    NavItem {
        file: path.to_string(),
        snippet: snippet::snippet(
            hits.text,
            &hits.lines,
            path.as_str(),
            hit.line,
            hit.matched.start,
        ),
        line: found.line,
        start_utf16: found.start_utf16,
        end_utf16: found.end_utf16,
        kind: ItemKind::Text,
        symbol: symbols.id_at(hit.line),
        source: SourceTag::LocalFallback,
        freshness_state: FreshnessState::Fresh,
        proof: known.proof,
        enrichment: known
            .graph
            .as_deref()
            .and_then(|graph| enrich_line(graph, path, symbols, hit.line)),
        resolution: (),
        score: (),
    }
}
