//! Search by literal or regular expression: one row for every line that matches.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use xxhash_rust::xxh3::Xxh3;

use crate::enrichment::Enrichments;
use crate::file_definitions::FileDefinitions;
use crate::file_enrichment::FileEnrichment;
use crate::search::Found;
use ragnav_base::envelope::SourceTag;
use ragnav_base::host::Host;
use ragnav_base::item::{ItemKind, NavItem};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_index::filter::Needle;
use ragnav_matching::pattern::Pattern;
use ragnav_matching::scan::{self, MatchedLine, MatchedLines};
use ragnav_matching::snippet;
use ragnav_repository::failure::Failure;
use ragnav_repository::provenance::Provenance;
use ragnav_repository::snapshot::Snapshot;

/// Finds the lines that match, by file and line. All are counted, those of the page become rows. Reads every file in scope once that may hold one.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub(super) async fn lines<H: Host>(
    snapshot: &Snapshot<'_, H>,
    enrichments: &mut Enrichments,
    pattern: &Pattern,
    page: Range<usize>,
) -> Result<Found, Failure> {
    let paths = paths(snapshot, pattern);
    let mut files = snapshot.reader(&paths);
    let mut rows = Rows::new(page);
    let mut left_out = Vec::new();
    while let Some((path, bytes)) = files.next().await? {
        let Some(text) = files.text(path, &bytes) else {
            continue;
        };
        if pattern.is_too_large_for(text) {
            left_out.push(path.clone());
            continue;
        }
        let Some(hits) = scan::scan(text, pattern) else {
            continue;
        };
        let provenance = snapshot.provenance(path, &bytes);
        if rows.reach_page(hits.matched.len()) && enrichments.looks_elsewhere(provenance) {
            enrichments.look_elsewhere(snapshot).await?;
        }
        let file = HitFile {
            path,
            hits: &hits,
            provenance,
        };
        let symbols = if rows.reach_page(file.hits.matched.len()) {
            Some(file.definitions(snapshot, enrichments).await)
        } else {
            None
        };
        rows.take(&file, symbols.as_ref(), enrichments);
    }
    Ok(Found {
        items: rows.items,
        rows: rows.total,
        fingerprint: rows.hash.digest(),
        unread: files.into_skipped(),
        is_bounded: !left_out.is_empty(),
        messages: too_large_for(left_out.len()).into_iter().collect(),
        partial: rows.partial,
        left_out,
    })
}

/// What is said of files that the expression is too large for: among all that is skipped they might not be seen.
fn too_large_for(files: usize) -> Option<String> {
    let which = match files {
        0 => return None,
        1 => "1 file with long lines was".to_owned(),
        files => format!("{files} files with long lines were"),
    };
    Some(format!(
        "{which} not searched: the expression is too large for such lines; shorten its repetitions."
    ))
}

/// The files that are read: a file that is proven to be as it was indexed and cannot hold what is looked for is not.
fn paths<H: Host>(snapshot: &Snapshot<'_, H>, pattern: &Pattern) -> Rc<Vec<RepoPath>> {
    let needle = pattern
        .literal()
        .map(|(text, case_sensitive)| Needle::new(text, case_sensitive));
    let (Some(index), Some(needle)) = (snapshot.index(), needle) else {
        return Rc::clone(snapshot.files());
    };
    let paths = snapshot.files().iter().filter(|path| {
        let proven = snapshot.proven(path);
        proven.is_none_or(|(record, _)| index.may_contain(record, &needle))
    });
    Rc::new(paths.cloned().collect())
}

/// The rows of all files: counted and fingerprinted, kept where they are on the page.
struct Rows {
    page: Range<usize>,
    total: usize,
    items: Vec<NavItem>,
    /// The files of rows on the page that are known only in part.
    partial: BTreeSet<RepoPath>,
    hash: Xxh3,
}

impl Rows {
    fn new(page: Range<usize>) -> Self {
        Self {
            page,
            total: 0,
            items: Vec::new(),
            partial: BTreeSet::new(),
            hash: Xxh3::new(),
        }
    }

    /// Whether one of the next rows, of which there are so many, is on the page.
    fn reach_page(&self, rows: usize) -> bool {
        self.total < self.page.end && self.total + rows > self.page.start
    }

    /// Takes the rows of a file; its definitions are needed where one is on the page.
    fn take(
        &mut self,
        file: &HitFile<'_>,
        symbols: Option<&FileDefinitions>,
        enrichments: &Enrichments,
    ) {
        let known = symbols.map(|symbols| enrichments.of_file(file.path, symbols));
        let about = symbols.zip(known.as_ref());
        let hits = file.hits;
        if symbols.is_some_and(|symbols| symbols.is_partial) {
            self.partial.insert(file.path.clone());
        }
        self.hash.update(file.path.as_str().as_bytes());
        for hit in &hits.matched {
            self.hash.update(&wire(hit.line).to_le_bytes());
            self.hash
                .update(hits.lines.line(hits.text, hit.line).as_bytes());
            if let Some((symbols, known)) = about
                && self.page.contains(&self.total)
            {
                self.items.push(file.row(hit, symbols, known));
            }
            self.total += 1;
        }
    }
}

/// A file with hits.
struct HitFile<'q> {
    path: &'q RepoPath,
    hits: &'q MatchedLines<'q>,
    provenance: Provenance,
}

impl HitFile<'_> {
    /// The definitions of its text: the index has those of a file that is as it was indexed.
    async fn definitions<H: Host>(
        &self,
        snapshot: &Snapshot<'_, H>,
        enrichments: &Enrichments,
    ) -> FileDefinitions {
        let is_indexed = self.provenance.source == SourceTag::RagGraph;
        if is_indexed && let Some(known) = FileDefinitions::indexed(snapshot, self.path).await {
            return known;
        }
        if enrichments.needs_bodies(self.path) {
            return FileDefinitions::with_bodies(self.path, self.hits.text);
        }
        FileDefinitions::new(self.path, self.hits.text)
    }

    fn row(&self, hit: &MatchedLine, symbols: &FileDefinitions, known: &FileEnrichment) -> NavItem {
        let Self {
            path,
            hits,
            provenance,
            ..
        } = *self;
        let found = scan::to_line_match(hits, hit);
        let around = symbols.around(found.line, found.end_utf16);
        NavItem {
            file: path.to_string(),
            snippet: snippet::snippet_around(
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
            source: provenance.source,
            freshness_state: provenance.freshness_state,
            proof: provenance.proof,
            enrichment: around.and_then(|at| known.of(at)),
            resolution: None,
            score: None,
        }
    }
}
