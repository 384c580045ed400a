//! Search by rank: what fits a query best, definitions before what mentions them.
//!
//! First every file in scope is read and its mentions of the query's terms are counted (`survey`); how many files hold a term
//! says what it is worth. Then the best of these files are read again and, unless the index answers for them, parsed, and
//! their definitions and the passages outside of them are scored (`fit`). All comes from what the files hold, so a score is the same
//! live and from an index.

mod fit;
mod named;
mod passage;
mod scored_file;
mod survey;

use std::ops::Range;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use self::scored_file::{File, Fit};
use self::survey::{Holding, Survey};
use crate::enrichment::Enrichments;
use crate::file_definitions::FileDefinitions;
use crate::file_enrichment::FileEnrichment;
use crate::search::Found;
use ragnav_base::envelope::SourceTag;
use ragnav_base::host::{self, Host};
use ragnav_base::item::{ItemKind, NavItem};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, byte_at_utf16, wire};
use ragnav_base::text;
use ragnav_matching::snippet;
use ragnav_matching::terms::{MAX_QUERY_BYTES, MAX_TERMS, Terms};
use ragnav_repository::failure::Failure;
use ragnav_repository::snapshot::Snapshot;
use ragnav_syntax::facts::Facts;

/// Files that are looked into; of more, those are taken that seem to fit best.
const MAX_FILES: usize = 256;

/// Bytes of code after which no more of it is looked into: parsing takes far longer than all the rest.
const MAX_CODE_BYTES: usize = 1 << 20;

/// Finds what fits, best first; see the module's documentation.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub(super) async fn ranked<H: Host>(
    snapshot: &Snapshot<'_, H>,
    enrichments: &mut Enrichments,
    terms: &Terms,
    page: Range<usize>,
) -> Result<Found, Failure> {
    let mut survey = Survey::new(snapshot, terms).await?;
    let holding = survey.holding.len();
    survey.keep_best(MAX_FILES, MAX_CODE_BYTES);
    let looked = survey.holding.len();
    let unread = std::mem::take(&mut survey.unread);
    let mut found = Found {
        unread,
        is_bounded: looked < holding,
        messages: messages(terms, holding, looked),
        ..Found::default()
    };
    let (files, rows) = rows(snapshot, terms, &survey).await?;
    let partial = files.iter().filter(|file| file.symbols.is_partial);
    found.partial = partial.map(|file| file.holding.path.clone()).collect();
    found.is_bounded |= !found.partial.is_empty();
    found.rows = rows.len();
    found.fingerprint = fingerprint(&files, &rows);
    let page = rows.get(page.start..page.end.min(rows.len()));
    let making = Making {
        snapshot,
        files: &files,
    };
    let page = page.unwrap_or_default();
    found.items = making.items(enrichments, page).await?;
    Ok(found)
}

fn messages(terms: &Terms, holding: usize, looked: usize) -> Vec<String> {
    let mut messages = Vec::new();
    if terms.is_truncated() {
        messages.push(format!(
            "Only the first {MAX_TERMS} terms within the first {MAX_QUERY_BYTES} bytes of the query are looked for."
        ));
    }
    if holding == 0 {
        messages.push("No file in scope holds a term of the query.".to_owned());
    }
    if looked < holding {
        messages.push(format!(
            "{holding} files hold terms of the query; the {looked} that seem to fit best were looked into."
        ));
    }
    messages
}

/// A file that was looked into.
struct Looked<'s> {
    holding: &'s Holding,
    symbols: FileDefinitions,
}

/// A row: what fits, and in which of the files.
struct Row {
    file: usize,
    fit: Fit,
}

impl Row {
    /// Where it stands, told from every other row's place. The files are by path.
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

/// All rows, best first, with the files that they stand in.
///
/// # Errors
/// [`Failure::ConcurrentModification`] where a file is not what it was when it was first read.
async fn rows<'s, H: Host>(
    snapshot: &Snapshot<'_, H>,
    terms: &Terms,
    survey: &'s Survey,
) -> Result<(Vec<Looked<'s>>, Vec<Row>), Failure> {
    let paths: Vec<RepoPath> = survey
        .holding
        .iter()
        .map(|file| file.path.clone())
        .collect();
    let mut reading = snapshot.reader(&paths);
    let mut looked = Vec::with_capacity(paths.len());
    let mut rows = Vec::new();
    for holding in &survey.holding {
        let changed = || snapshot.contradicted(&holding.path);
        let (path, bytes) = reading.next().await?.ok_or_else(changed)?;
        if *path != holding.path || xxh3_64(&bytes) != holding.hash {
            return Err(changed());
        }
        let text = reading.text(path, &bytes).ok_or_else(changed)?;
        let done = (looked.len(), survey.holding.len());
        let facts = facts_of(snapshot, holding, text, done).await;
        let symbols = FileDefinitions::of_facts(path, &facts);
        let file = File {
            path,
            text,
            facts: &facts,
            symbols: &symbols,
        };
        let fits = fit::fits(&file, terms, &survey.worths).into_iter();
        let file = looked.len();
        rows.extend(fits.map(|fit| Row { file, fit }));
        looked.push(Looked { holding, symbols });
    }
    rows.sort_unstable_by(|a, b| {
        let scores = b.fit.score.total_cmp(&a.fit.score);
        scores.then(a.place().cmp(&b.place()))
    });
    Ok((looked, rows))
}

/// What a file says by itself: the index has it of a file that is as it was indexed. Parsing is work enough for a pause.
async fn facts_of<H: Host>(
    snapshot: &Snapshot<'_, H>,
    holding: &Holding,
    text: &str,
    (done, files): (usize, usize),
) -> Facts {
    let Some(language) = ragnav_syntax::detect_language(&holding.path) else {
        return Facts::default();
    };
    let is_indexed = holding.provenance.source == SourceTag::RagGraph;
    if is_indexed && let Some(facts) = snapshot.indexed_facts(&holding.path).await {
        return facts;
    }
    host::pause(snapshot.host(), wire(done), Some(wire(files))).await;
    ragnav_syntax::extract_facts(language, text)
}

fn fingerprint(files: &[Looked<'_>], rows: &[Row]) -> u64 {
    let mut hash = Xxh3::new();
    for Row { file, fit } in rows {
        let path = files.get(*file).map(|file| file.holding.path.as_str());
        hash.update(path.unwrap_or_default().as_bytes());
        hash.update(&fit.line.to_le_bytes());
        hash.update(&fit.start_utf16.to_le_bytes());
        hash.update(&[u8::from(fit.place.is_some())]);
        hash.update(&fit.score.to_bits().to_le_bytes());
        hash.update(&fit.hash.to_le_bytes());
    }
    hash.digest()
}

/// Makes items of the rows of a page. Its files are read again: the texts of all would be too many to keep.
struct Making<'q, H> {
    snapshot: &'q Snapshot<'q, H>,
    files: &'q [Looked<'q>],
}

impl<H: Host> Making<'_, H> {
    /// The items, in the order of the rows.
    async fn items(
        &self,
        enrichments: &mut Enrichments,
        page: &[Row],
    ) -> Result<Vec<NavItem>, Failure> {
        let snapshot = self.snapshot;
        let mut shown: Vec<usize> = page.iter().map(|row| row.file).collect();
        shown.sort_unstable();
        shown.dedup();
        let looked = |file: &usize| self.files.get(*file);
        let is_news = |file: &Looked<'_>| enrichments.looks_elsewhere(file.holding.provenance);
        if shown.iter().filter_map(looked).any(is_news) {
            enrichments.look_elsewhere(snapshot).await?;
        }
        let paths = shown.iter().filter_map(looked);
        let paths: Vec<RepoPath> = paths.map(|file| file.holding.path.clone()).collect();
        let mut reading = snapshot.reader(&paths);
        let mut items: Vec<Option<NavItem>> = page.iter().map(|_| None).collect();
        for file in &shown {
            let Some(looked) = looked(file) else {
                continue;
            };
            let changed = || snapshot.contradicted(&looked.holding.path);
            let (_, bytes) = reading.next().await?.ok_or_else(changed)?;
            if xxh3_64(&bytes) != looked.holding.hash {
                return Err(changed());
            }
            let text = text::decode(&bytes).map_err(|_| changed())?;
            let shown = Shown {
                looked,
                text,
                lines: LineIndex::new(text),
                known: enrichments.of_file(&looked.holding.path, &looked.symbols),
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
struct Shown<'f> {
    looked: &'f Looked<'f>,
    text: &'f str,
    lines: LineIndex,
    known: FileEnrichment,
}

impl Shown<'_> {
    fn item(&self, fit: &Fit) -> NavItem {
        let Looked { holding, symbols } = self.looked;
        let line = fit.line as usize;
        let at = byte_at_utf16(self.lines.line(self.text, line), fit.start_utf16 as usize);
        let place = fit
            .place
            .or_else(|| symbols.around(fit.line, fit.end_utf16));
        NavItem {
            file: holding.path.to_string(),
            snippet: snippet::snippet_around(
                self.text,
                &self.lines,
                holding.path.as_str(),
                line,
                at,
            ),
            line: fit.line,
            start_utf16: fit.start_utf16,
            end_utf16: fit.end_utf16,
            kind: match fit.place {
                Some(_) => ItemKind::Definition,
                None => ItemKind::Text,
            },
            symbol: place.and_then(|place| symbols.id_of(place)),
            source: holding.provenance.source,
            freshness_state: holding.provenance.freshness_state,
            proof: holding.provenance.proof,
            enrichment: place.and_then(|place| self.known.of(place)),
            resolution: None,
            score: Some(fit.score),
        }
    }
}
