//! Search by a literal or a regular expression, with one row for each matching line.

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

/// Returns the lines that match, by file and line. It reads each file that may match once. It
/// counts all rows, and makes items for those of the page.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
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
        if pattern.is_too_large_for(&text) {
            left_out.push(path.clone());
            continue;
        }
        let Some(matches) = scan::scan(&text, pattern) else {
            continue;
        };
        let provenance = snapshot.provenance(path, &bytes);
        if rows.reach_page(matches.matched.len())
            && enrichments.may_have_moved_definitions(provenance)
        {
            enrichments.load_moved_definitions(snapshot).await?;
        }
        let file = MatchingFile {
            path,
            matches: &matches,
            encoding: text.encoding(),
            provenance,
        };
        let symbols = if rows.reach_page(file.matches.matched.len()) {
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
        messages: long_lines_message(left_out.len()).into_iter().collect(),
        partial: rows.partial,
        left_out,
    })
}

/// Returns a message about files that the expression is too large for. Among all skipped files, a
/// person might not notice them.
fn long_lines_message(files: usize) -> Option<String> {
    let which = match files {
        0 => return None,
        1 => "1 file with long lines was".to_owned(),
        files => format!("{files} files with long lines were"),
    };
    Some(format!(
        "{which} not searched: the expression is too large for such lines; shorten its repetitions."
    ))
}

/// Returns the files to read. A file is left out if it is proven unchanged and its index entry
/// cannot match.
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

/// The rows of all files. Each is counted and hashed, and kept if it is on the page.
struct Rows {
    page: Range<usize>,
    total: usize,
    items: Vec<NavItem>,
    /// The files with rows on the page that were only parsed in part.
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

    /// Reports whether the page has one of the next `count` rows.
    fn reach_page(&self, rows: usize) -> bool {
        self.total < self.page.end && self.total + rows > self.page.start
    }

    /// Adds the rows of a file. Its definitions are needed if a row is on the page.
    fn take(
        &mut self,
        file: &MatchingFile<'_>,
        symbols: Option<&FileDefinitions>,
        enrichments: &Enrichments,
    ) {
        let known = symbols.map(|symbols| enrichments.of_file(file.path, symbols));
        let about = symbols.zip(known.as_ref());
        let matches = file.matches;
        if symbols.is_some_and(|symbols| symbols.is_partial) {
            self.partial.insert(file.path.clone());
        }
        self.hash.update(file.path.as_str().as_bytes());
        for matched_line in &matches.matched {
            self.hash.update(&wire(matched_line.line).to_le_bytes());
            self.hash.update(
                matches
                    .lines
                    .line(matches.text, matched_line.line)
                    .as_bytes(),
            );
            if let Some((symbols, known)) = about
                && self.page.contains(&self.total)
            {
                self.items.push(file.row(matched_line, symbols, known));
            }
            self.total += 1;
        }
    }
}

/// A file with matching lines.
struct MatchingFile<'q> {
    path: &'q RepoPath,
    matches: &'q MatchedLines<'q>,
    encoding: Option<String>,
    provenance: Provenance,
}

impl MatchingFile<'_> {
    /// Returns the definitions of the file: from the index if the file is proven unchanged, or
    /// parsed.
    async fn definitions<H: Host>(
        &self,
        snapshot: &Snapshot<'_, H>,
        enrichments: &Enrichments,
    ) -> FileDefinitions {
        let is_indexed = self.provenance.source == SourceTag::RagGraph;
        if is_indexed && let Some(known) = FileDefinitions::indexed(snapshot, self.path).await {
            return known;
        }
        snapshot.load_grammar(self.path, self.matches.text).await;
        if enrichments.needs_bodies(self.path) {
            return FileDefinitions::with_bodies(self.path, self.matches.text);
        }
        FileDefinitions::new(self.path, self.matches.text)
    }

    fn row(
        &self,
        matched_line: &MatchedLine,
        symbols: &FileDefinitions,
        known: &FileEnrichment,
    ) -> NavItem {
        let Self {
            path,
            matches,
            encoding,
            provenance,
        } = self;
        let found = scan::to_line_match(matches, matched_line);
        let around = symbols.around(found.line, found.end_utf16);
        NavItem {
            file: path.to_string(),
            snippet: snippet::snippet_around(
                matches.text,
                &matches.lines,
                path.as_str(),
                matched_line.line,
                matched_line.matched.start,
            ),
            line: found.line,
            start_utf16: found.start_utf16,
            end_utf16: found.end_utf16,
            encoding: encoding.clone(),
            kind: ItemKind::Text,
            symbol: around.and_then(|at| symbols.id_of(at)),
            source: provenance.source,
            freshness_state: provenance.freshness_state,
            proof: provenance.proof,
            enrichment: around.and_then(|at| known.of(at)),
            resolution: None,
            evidence: None,
            score: None,
            explanation: None,
            steps: None,
            condition: symbols.condition(path, found.line, found.start_utf16),
        }
    }
}
