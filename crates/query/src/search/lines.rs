//! Search by literal or regular expression: one row for every line that matches.

use std::collections::BTreeSet;
use std::rc::Rc;

use xxhash_rust::xxh3::Xxh3;

use crate::answer::Failure;
use crate::basis::Basis;
use crate::enrich::FileKnowledge;
use crate::file_symbols::FileSymbols;
use crate::ground::Ground;
use crate::knowledge::Knowledge;
use crate::live_files::LiveFiles;
use crate::search::{Asking, Found};
use ragnav_base::envelope::SourceTag;
use ragnav_base::host::Host;
use ragnav_base::item::{ItemKind, NavItem};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_index::filter::Needle;
use ragnav_matching::pattern::Pattern;
use ragnav_matching::scan::{self, Hits, LineHit};
use ragnav_matching::snippet;
use ragnav_repository::overlay::Overlaid;

/// Finds the lines that match, by file and line. All are counted, those of the page become rows. Reads every file in scope once that may hold one.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub(super) async fn lines<H: Host>(
    asking: &Asking<'_, H>,
    basis: &mut Basis,
    knowledge: &mut Knowledge,
    pattern: &Pattern,
) -> Result<Found, Failure> {
    let Asking { host, settings, .. } = *asking;
    let paths = paths(basis, pattern);
    let mut files = LiveFiles::new(host, &paths, settings.limits.max_file_bytes);
    let mut rows = Rows::new(asking.question.page());
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
        let ground = basis.ground(path, &bytes, host.proof(path));
        if rows.reach_page(hits.hits.len()) && knowledge.looks_elsewhere(ground) {
            knowledge.look_elsewhere(host, settings, basis).await?;
        }
        let file = HitFile {
            path,
            hits: &hits,
            ground,
        };
        let symbols = if rows.reach_page(file.hits.hits.len()) {
            Some(file.symbols(host, basis, knowledge).await)
        } else {
            None
        };
        rows.take(&file, symbols.as_ref(), knowledge);
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
        ..Found::default()
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
fn paths(basis: &Basis, pattern: &Pattern) -> Rc<Vec<RepoPath>> {
    let needle = pattern
        .literal()
        .map(|(text, case_sensitive)| Needle::new(text, case_sensitive));
    let (Some(index), Some(needle)) = (basis.index(), needle) else {
        return Rc::clone(&basis.files);
    };
    let paths = basis.files.iter().filter(|path| {
        let proven = basis.proven(path);
        proven.is_none_or(|(record, _)| index.may_hold(record, &needle))
    });
    Rc::new(paths.cloned().collect())
}

/// The rows of all files: counted and fingerprinted, kept where they are on the page.
struct Rows {
    page: std::ops::Range<usize>,
    total: usize,
    items: Vec<NavItem>,
    /// The files of rows on the page that are known only in part.
    partial: BTreeSet<RepoPath>,
    hash: Xxh3,
}

impl Rows {
    fn new(page: std::ops::Range<usize>) -> Self {
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
    fn take(&mut self, file: &HitFile<'_>, symbols: Option<&FileSymbols>, knowledge: &Knowledge) {
        let known = symbols.map(|symbols| knowledge.of_file(file.path, symbols));
        let about = symbols.zip(known.as_ref());
        let hits = file.hits;
        if symbols.is_some_and(|symbols| symbols.is_partial) {
            self.partial.insert(file.path.clone());
        }
        self.hash.update(file.path.as_str().as_bytes());
        for hit in &hits.hits {
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
    hits: &'q Hits<'q>,
    ground: Ground,
}

impl HitFile<'_> {
    /// The definitions of its text: the index has those of a file that is as it was indexed.
    async fn symbols<H: Host>(
        &self,
        host: &Overlaid<'_, H>,
        basis: &Basis,
        knowledge: &Knowledge,
    ) -> FileSymbols {
        let is_indexed = self.ground.source == SourceTag::RagGraph;
        if is_indexed && let Some(known) = basis.known_symbols(host, self.path).await {
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
            score: None,
        }
    }
}
