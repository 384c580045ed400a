//! Search: the lines that match a text or a regular expression. Source: seeds `tools` and `gateway`.

use xxhash_rust::xxh3::Xxh3;

use crate::envelope::SourceTag;
use crate::error::{ErrorCode, RagnavError};
use crate::graph::graph_file::GraphFile;
use crate::host::Host;
use crate::item::{ItemKind, NavItem, SearchResult, Skipped};
use crate::matching::globs::Globs;
use crate::matching::pattern::Pattern;
use crate::matching::scan::{self, Hits, LineHit};
use crate::matching::snippet;
use crate::overlay::Overlaid;
use crate::path::RepoPath;
use crate::position::wire;
use crate::tools::answer::{Failure, add_message, page_rows};
use crate::tools::basis::Basis;
use crate::tools::cursor::Cursor;
use crate::tools::differing::MAX_FILES;
use crate::tools::enrich::FileKnowledge;
use crate::tools::file_symbols::FileSymbols;
use crate::tools::ground::Ground;
use crate::tools::knowledge::Knowledge;
use crate::tools::live_files::LiveFiles;
use crate::tools::scope::Scope;
pub use crate::tools::search_options::SearchOptions;
use crate::tools::{Settings, StalePolicy};

/// Rows of a page where the caller does not say (reference row T3).
const DEFAULT_LIMIT: usize = 20;
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
) -> Result<SearchResult, Failure> {
    let question = understand(query, options)?;
    let host = &Overlaid::new(host).await?;
    let asking = Asking {
        host,
        settings,
        question: &question,
    };
    if let Some(result) = asking.answer(query, options.stale_policy).await? {
        return Ok(result);
    }
    // A file changed between two looks at it: on the second, it is a changed one from the start.
    let again = asking.answer(query, Some(StalePolicy::Live)).await?;
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
}

impl<H: Host> Asking<'_, H> {
    /// `None` where the rows must be taken live after all.
    async fn answer(
        &self,
        query: &str,
        policy: Option<StalePolicy>,
    ) -> Result<Option<SearchResult>, Failure> {
        let Self {
            host,
            settings,
            question,
        } = *self;
        let mut basis = Basis::new(host, settings, policy, Scope::Globs(&question.globs)).await?;
        let paths = basis.files.clone();
        let mut files = LiveFiles::new(host, &paths, settings.limits.max_file_bytes);
        let mut rows = Rows::new(question);
        // Knowledge is a gift: a host that fails on it costs no answer.
        let graph_file = settings.caches.graph.read(host).await;
        let graph_file = graph_file.unwrap_or(GraphFile::Unreadable);
        let mut knowledge = Knowledge::new(graph_file.graph());
        while let Some((path, bytes)) = files.next().await? {
            let text = files.text(path, &bytes);
            let Some(hits) = text.and_then(|text| scan::scan(text, &question.pattern)) else {
                continue;
            };
            let ground = basis.ground(path, &bytes, host.proof(path));
            if rows.reach_page(hits.hits.len()) && knowledge.looks_elsewhere(ground) {
                knowledge.look_elsewhere(host, settings, &basis).await?;
            }
            let file = HitFile {
                path,
                hits: &hits,
                ground,
            };
            rows.take(&file, &basis, &knowledge);
        }
        let unread = files.into_skipped();
        basis.unreadable(&unread);
        if basis.must_start_over() {
            return Ok(None);
        }
        basis.skip_unproven();
        let fingerprint = rows.hash.digest();
        if let Some(cursor) = question.cursor {
            cursor.check(fingerprint)?;
        }
        let mut meta = basis.meta(settings, unread.len())?;
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
        let end = rows.page.start + rows.items.len();
        let next = (end < rows.total).then_some(Cursor {
            offset: end,
            question: question.fingerprint,
            rows: fingerprint,
        });
        let complete = basis.complete;
        let mut skipped = basis.skipped;
        skipped.extend(unread);
        Ok(Some(SearchResult {
            source: meta.source,
            freshness_state: meta.freshness_state,
            meta,
            items: rows.items,
            truncated: next.is_some() || !complete,
            total: complete.then(|| wire(rows.total)),
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
    let case_sensitive = options.case_sensitive.unwrap_or(true);
    let include = options.include.as_deref().unwrap_or_default();
    let exclude = options.exclude.as_deref().unwrap_or_default();
    let limit = page_rows("limit", options.limit, DEFAULT_LIMIT)?;
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

    /// Whether one of the next rows, of which there are so many, is on the page.
    fn reach_page(&self, rows: usize) -> bool {
        self.total < self.page.end && self.total + rows > self.page.start
    }

    fn take(&mut self, file: &HitFile<'_>, basis: &Basis, knowledge: &Knowledge) {
        let mut about: Option<(FileSymbols, FileKnowledge)> = None;
        let hits = file.hits;
        self.hash.update(file.path.as_str().as_bytes());
        for hit in &hits.hits {
            self.hash.update(&wire(hit.line).to_le_bytes());
            self.hash
                .update(hits.lines.line(hits.text, hit.line).as_bytes());
            if self.page.contains(&self.total) {
                let (symbols, known) = about.get_or_insert_with(|| {
                    let symbols = file.symbols(basis, knowledge);
                    let known = knowledge.of_file(file.path, &symbols);
                    (symbols, known)
                });
                self.items.push(file.row(hit, symbols, known));
            }
            self.total += 1;
        }
    }
}

/// A file with hits.
struct HitFile<'q> {
    path: &'q RepoPath,
    hits: &'q Hits<'q>,
    ground: Ground,
}

impl HitFile<'_> {
    /// The definitions of its text: the index has those of a file that is as it was indexed.
    fn symbols(&self, basis: &Basis, knowledge: &Knowledge) -> FileSymbols {
        let is_indexed = self.ground.source == SourceTag::RagGraph;
        if is_indexed && let Some(known) = basis.known_symbols(self.path) {
            return known;
        }
        if knowledge.needs_bodies(self.path) {
            return FileSymbols::with_bodies(self.path, self.hits.text);
        }
        FileSymbols::new(self.path, self.hits.text)
    }

    fn row(&self, hit: &LineHit, symbols: &FileSymbols, known: &FileKnowledge) -> NavItem {
        let Self {
            path, hits, ground, ..
        } = *self;
        let found = scan::line_match(hits, hit);
        let around = symbols.around(found.line, found.end_utf16);
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
            symbol: around.and_then(|at| symbols.id_of(at)),
            source: ground.source,
            freshness_state: ground.freshness_state,
            proof: ground.proof,
            enrichment: around.and_then(|at| known.of(at)),
            resolution: None,
            score: (),
        }
    }
}
