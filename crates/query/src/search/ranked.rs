//! Ranked search: the rows that are most relevant to a query, definitions before references.
//!
//! First, `survey` counts the occurrences of the query's terms in every file in scope: by the index
//! if the file is proven unchanged, or in its text. The number of files with a term determines its
//! idf. Then the query reads the best of these files, and parses each unless the index has its
//! facts. `fit` scores the definitions and the passages outside of them, and each file adds what it
//! is about (see [`relevance`](ragnav_matching::relevance)). The index counts what is in the text,
//! so a score is the same live and from an index.

mod fit;
mod indexed_terms;
mod matching_file;
mod passage;
mod scored_file;
mod survey;

use std::ops::Range;
use std::rc::Rc;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use self::matching_file::MatchingFile;
use self::scored_file::{File, Fit};
use self::survey::Survey;
use crate::enrichment::Enrichments;
use crate::file_definitions::FileDefinitions;
use crate::file_enrichment::FileEnrichment;
use crate::read_history::read_history;
use crate::search::Found;
use ragnav_base::envelope::SourceTag;
use ragnav_base::host::{self, Host};
use ragnav_base::item::{Explanation, ItemKind, NavItem};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, byte_at_utf16, wire};
use ragnav_base::text::{self, DecodedText};
use ragnav_matching::bm25::IdfTable;
use ragnav_matching::relevance::{FileParts, round_score};
use ragnav_matching::snippet;
use ragnav_matching::terms::{MAX_QUERY_BYTES, MAX_TERMS, Terms, count_of};
use ragnav_repository::failure::Failure;
use ragnav_repository::provenance::Provenance;
use ragnav_repository::snapshot::Snapshot;
use ragnav_syntax::facts::Facts;
use ragnav_syntax::kept;

/// What a ranked search wants beside the rows that fit its terms.
pub(super) struct Wanted {
    /// The rows of the page, among all.
    pub(super) page: Range<usize>,
    /// Whether rows say what their score consists of.
    pub(super) explains: bool,
    /// Whether the history of commits counts.
    pub(super) history: bool,
}

/// Returns the rows of a page, best first.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn ranked<H: Host>(
    snapshot: &Snapshot<'_, H>,
    enrichments: &mut Enrichments,
    terms: &Terms,
    wanted: Wanted,
) -> Result<Found, Failure> {
    let Wanted {
        page,
        explains,
        history: counts_history,
    } = wanted;
    let history = read_history(snapshot.host(), counts_history).await;
    let (history, message) = history.map_or_else(|why| (None, Some(why)), |read| (read, None));
    let mut survey = Survey::new(snapshot, terms, history.as_ref()).await?;
    let matching = survey.matching.len();
    survey.keep_best();
    let searched = survey.matching.len();
    let unread = std::mem::take(&mut survey.unread);
    let mut found = Found {
        unread,
        is_bounded: searched < matching,
        messages: messages(terms, matching, searched),
        ..Found::default()
    };
    found.messages.extend(message);
    let (files, rows) = rows(snapshot, terms, &survey).await?;
    let partial = files.iter().filter(|file| file.symbols.is_partial);
    found.partial = partial
        .map(|file| file.matching.file.path.clone())
        .collect();
    found.is_bounded |= !found.partial.is_empty();
    found.rows = rows.len();
    found.fingerprint = fingerprint(&files, &rows);
    let page = rows.get(page.start..page.end.min(rows.len()));
    let builder = ItemBuilder {
        snapshot,
        files: &files,
        explained: explains.then_some((terms, &survey.idf)),
    };
    let page = page.unwrap_or_default();
    found.items = builder.items(enrichments, page).await?;
    Ok(found)
}

fn messages(terms: &Terms, matching: usize, searched: usize) -> Vec<String> {
    let mut messages = Vec::new();
    if terms.is_truncated() {
        messages.push(format!(
            "Only the first {MAX_TERMS} terms within the first {MAX_QUERY_BYTES} bytes of the \
             query were searched. Shorten the query."
        ));
    }
    if matching == 0 {
        messages.push("No file in scope holds a term of the query.".to_owned());
    }
    if searched < matching {
        messages.push(format!(
            "{matching} files hold terms of the query; the best {searched} were searched. Narrow \
             the query to search the others."
        ));
    }
    messages
}

/// A file whose definitions were scored.
struct SearchedFile<'s> {
    matching: &'s MatchingFile,
    provenance: Provenance,
    /// The hash of its bytes.
    hash: u64,
    symbols: FileDefinitions,
    /// What the file adds to the scores of its rows.
    parts: FileParts,
}

/// A row, with the index of its file.
struct Row {
    file: usize,
    fit: Fit,
}

impl Row {
    /// Returns the position of the row, which no other row has. The files are sorted by path.
    fn place(&self) -> (usize, u32, u32, Option<usize>) {
        let Fit {
            line,
            start_utf16,
            place,
            ..
        } = self.fit;
        (self.file, line, start_utf16, place)
    }
}

/// Returns all rows, best first, with their files.
///
/// # Errors
/// [`Failure::ConcurrentModification`] if a file has changed since it was first read.
async fn rows<'s, H: Host>(
    snapshot: &Snapshot<'_, H>,
    terms: &Terms,
    survey: &'s Survey,
) -> Result<(Vec<SearchedFile<'s>>, Vec<Row>), Failure> {
    let paths: Vec<RepoPath> = survey
        .matching
        .iter()
        .map(|matching| matching.file.path.clone())
        .collect();
    let mut reading = snapshot.reader(&paths);
    let mut searched = Vec::with_capacity(paths.len());
    let mut rows = Vec::new();
    for matching in &survey.matching {
        let changed = || snapshot.contradicted(&matching.file.path);
        let (path, bytes) = reading.next().await?.ok_or_else(changed)?;
        let hash = xxh3_64(&bytes);
        let differs = matching.hash.is_some_and(|counted| counted != hash);
        if *path != matching.file.path || differs {
            return Err(changed());
        }
        let provenance = snapshot.provenance(path, &bytes);
        if matching.hash.is_none() && provenance.source != SourceTag::RagGraph {
            return Err(changed());
        }
        let text = reading.text(path, &bytes).ok_or_else(changed)?;
        let done = (searched.len(), survey.matching.len());
        let facts = load_facts(snapshot, (path, provenance), &text, done).await;
        let symbols = FileDefinitions::of_facts(path, &facts);
        let file = File {
            path,
            text: &text,
            facts: &facts,
            symbols: &symbols,
        };
        let (fits, parts) = matching.complete(fit::fits(&file, terms, &survey.idf), terms);
        let file = searched.len();
        rows.extend(fits.into_iter().map(|fit| Row { file, fit }));
        searched.push(SearchedFile {
            matching,
            provenance,
            hash,
            symbols,
            parts,
        });
    }
    rows.sort_unstable_by(|a, b| {
        let scores = b.fit.score.total_cmp(&a.fit.score);
        scores.then(a.place().cmp(&b.place()))
    });
    Ok((searched, rows))
}

/// Returns the facts of a file: from the index if the file is proven unchanged, or parsed after a
/// pause.
async fn load_facts<H: Host>(
    snapshot: &Snapshot<'_, H>,
    (path, provenance): (&RepoPath, Provenance),
    text: &str,
    (done, files): (usize, usize),
) -> Rc<Facts> {
    let Some(language) = ragnav_syntax::detect_language(path) else {
        return Rc::default();
    };
    let is_indexed = provenance.source == SourceTag::RagGraph;
    if is_indexed && let Some(facts) = snapshot.indexed_facts(path).await {
        return Rc::new(facts);
    }
    host::pause(snapshot.host(), wire(done), Some(wire(files))).await;
    snapshot.load_grammar(path, text).await;
    kept::facts(language, text)
}

fn fingerprint(files: &[SearchedFile<'_>], rows: &[Row]) -> u64 {
    let mut hash = Xxh3::new();
    for Row { file, fit } in rows {
        let path = files
            .get(*file)
            .map(|file| file.matching.file.path.as_str());
        hash.update(path.unwrap_or_default().as_bytes());
        hash.update(&fit.line.to_le_bytes());
        hash.update(&fit.start_utf16.to_le_bytes());
        hash.update(&[u8::from(fit.place.is_some())]);
        hash.update(&fit.score.to_bits().to_le_bytes());
        hash.update(&fit.hash.to_le_bytes());
    }
    hash.digest()
}

/// Makes the items of a page. It reads the files of the page again, since the texts of all files
/// would take too much memory.
struct ItemBuilder<'q, H> {
    snapshot: &'q Snapshot<'q, H>,
    files: &'q [SearchedFile<'q>],
    /// The terms, if rows say what their score consists of.
    explained: Option<(&'q Terms, &'q IdfTable)>,
}

impl<H: Host> ItemBuilder<'_, H> {
    /// Returns the items, in the order of the rows.
    async fn items(
        &self,
        enrichments: &mut Enrichments,
        page: &[Row],
    ) -> Result<Vec<NavItem>, Failure> {
        let snapshot = self.snapshot;
        let mut shown: Vec<usize> = page.iter().map(|row| row.file).collect();
        shown.sort_unstable();
        shown.dedup();
        let searched = |file: &usize| self.files.get(*file);
        let may_have_moved =
            |file: &SearchedFile<'_>| enrichments.may_have_moved_definitions(file.provenance);
        if shown.iter().filter_map(searched).any(may_have_moved) {
            enrichments.load_moved_definitions(snapshot).await?;
        }
        let paths = shown.iter().filter_map(searched);
        let paths: Vec<RepoPath> = paths.map(|file| file.matching.file.path.clone()).collect();
        let mut reading = snapshot.reader(&paths);
        let mut items: Vec<Option<NavItem>> = page.iter().map(|_| None).collect();
        for file in &shown {
            let Some(searched) = searched(file) else {
                continue;
            };
            let changed = || snapshot.contradicted(&searched.matching.file.path);
            let (_, bytes) = reading.next().await?.ok_or_else(changed)?;
            if xxh3_64(&bytes) != searched.hash {
                return Err(changed());
            }
            let text = text::decode(&bytes).map_err(|_| changed())?;
            let shown = PageFile {
                searched,
                lines: LineIndex::new(&text),
                text,
                known: enrichments.of_file(&searched.matching.file.path, &searched.symbols),
                explained: self.explained,
            };
            let rows = items.iter_mut().zip(page);
            for (item, row) in rows.filter(|(_, row)| row.file == *file) {
                *item = Some(shown.item(&row.fit));
            }
        }
        Ok(items.into_iter().flatten().collect())
    }
}

/// A file of a page.
struct PageFile<'f> {
    searched: &'f SearchedFile<'f>,
    text: DecodedText<'f>,
    lines: LineIndex,
    known: FileEnrichment,
    explained: Option<(&'f Terms, &'f IdfTable)>,
}

impl PageFile<'_> {
    /// Says what the score of a row consists of.
    fn explanation(&self, fit: &Fit, terms: &Terms, idf: &IdfTable) -> Explanation {
        let SearchedFile {
            matching,
            symbols,
            parts,
            ..
        } = self.searched;
        let symbol = fit.place.and_then(|place| symbols.symbols.get(place));
        let lines = match symbol {
            Some(symbol) => symbol.decorated_start_line..=symbol.end_line,
            None => passage::lines_around(fit.line as usize),
        };
        let mut counts = terms.counts(matching.file.path.as_str());
        for line in lines {
            let line = terms.counts(self.lines.line(&self.text, line));
            for (count, more) in counts.iter_mut().zip(line) {
                *count += more;
            }
        }
        let held = terms.terms().iter().enumerate();
        let held = held.filter(|(term, _)| count_of(&counts, *term) > 0 && idf.get(*term) > 0.0);
        Explanation {
            terms: held.map(|(_, term)| term.text.clone()).collect(),
            document: round_score(fit.document),
            share: round_score(fit.share),
            text: round_score(parts.text),
            path: round_score(parts.path),
            name: round_score(parts.name),
            mentioned: round_score(parts.mentioned),
            history: round_score(parts.history),
            documents: round_score(parts.documents),
            factor: round_score(matching.file.factor),
        }
    }

    fn item(&self, fit: &Fit) -> NavItem {
        let SearchedFile {
            matching, symbols, ..
        } = self.searched;
        let line = fit.line as usize;
        let at = byte_at_utf16(self.lines.line(&self.text, line), fit.start_utf16 as usize);
        let place = fit
            .place
            .or_else(|| symbols.around(fit.line, fit.end_utf16));
        NavItem {
            file: matching.file.path.to_string(),
            snippet: snippet::snippet_around(
                &self.text,
                &self.lines,
                matching.file.path.as_str(),
                line,
                at,
            ),
            line: fit.line,
            start_utf16: fit.start_utf16,
            end_utf16: fit.end_utf16,
            encoding: self.text.encoding(),
            kind: match fit.place {
                Some(_) => ItemKind::Definition,
                None => ItemKind::Text,
            },
            symbol: place.and_then(|place| symbols.id_of(place)),
            source: self.searched.provenance.source,
            freshness_state: self.searched.provenance.freshness_state,
            proof: self.searched.provenance.proof,
            enrichment: place.and_then(|place| self.known.of(place)),
            resolution: None,
            evidence: None,
            score: Some(fit.score),
            explanation: self
                .explained
                .map(|(terms, idf)| self.explanation(fit, terms, idf)),
            steps: None,
            condition: symbols.condition(&matching.file.path, fit.line, fit.start_utf16),
        }
    }
}
