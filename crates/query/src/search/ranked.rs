//! Search by rank: what fits a query best, definitions before what mentions them.
//!
//! First every file in scope is read and its mentions of the query's terms are counted (`survey`); how many files hold a term
//! says what it is worth. Then the best of these files are read again and, unless the index answers for them, parsed, and
//! their definitions and the passages outside of them are scored (`fit`). All comes from what the files hold, so a score is the same
//! live and from an index.

mod fit;
mod named;
mod passage;
mod survey;

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use self::fit::{File, Fit};
use self::survey::{Holding, Survey};
use crate::answer::Failure;
use crate::basis::Basis;
use crate::enrich::FileKnowledge;
use crate::file_symbols::FileSymbols;
use crate::knowledge::Knowledge;
use crate::live_files::LiveFiles;
use crate::search::{Asking, Found};
use ragnav_base::envelope::SourceTag;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, Host};
use ragnav_base::item::{ItemKind, NavItem};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, byte_at_utf16, wire};
use ragnav_base::text;
use ragnav_matching::snippet;
use ragnav_matching::terms::{MAX_QUERY_BYTES, MAX_TERMS, Terms};
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
    asking: &Asking<'_, H>,
    basis: &mut Basis,
    knowledge: &mut Knowledge,
    terms: &Terms,
) -> Result<Found, Failure> {
    let mut survey = Survey::new(asking, basis, terms).await?;
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
    let Some((files, rows)) = rows(asking, basis, terms, &survey).await? else {
        found.is_restless = true;
        return Ok(found);
    };
    let partial = files.iter().filter(|file| file.symbols.is_partial);
    found.partial = partial.map(|file| file.holding.path.clone()).collect();
    found.is_bounded |= !found.partial.is_empty();
    found.rows = rows.len();
    found.fingerprint = fingerprint(&files, &rows);
    let page = asking.question.page();
    let page = rows.get(page.start..page.end.min(rows.len()));
    let making = Making {
        asking,
        files: &files,
    };
    match making
        .items(basis, knowledge, page.unwrap_or_default())
        .await?
    {
        Some(items) => found.items = items,
        None => found.is_restless = true,
    }
    Ok(found)
}

fn messages(terms: &Terms, holding: usize, looked: usize) -> Vec<String> {
    let mut messages = Vec::new();
    if terms.is_cut() {
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
    symbols: FileSymbols,
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

/// All rows, best first, with the files that they stand in; `None` where a file is not what it was when it was first read.
async fn rows<'s, H: Host>(
    asking: &Asking<'_, H>,
    basis: &Basis,
    terms: &Terms,
    survey: &'s Survey,
) -> Result<Option<(Vec<Looked<'s>>, Vec<Row>)>, RagnavError> {
    let paths: Vec<RepoPath> = survey
        .holding
        .iter()
        .map(|file| file.path.clone())
        .collect();
    let mut reading = LiveFiles::new(asking.host, &paths, asking.settings.limits.max_file_bytes);
    let mut looked = Vec::with_capacity(paths.len());
    let mut rows = Vec::new();
    for holding in &survey.holding {
        let Some((path, bytes)) = reading.next().await? else {
            return Ok(None);
        };
        if *path != holding.path || xxh3_64(&bytes) != holding.hash {
            return Ok(None);
        }
        let Some(text) = reading.text(path, &bytes) else {
            return Ok(None);
        };
        let done = (looked.len(), survey.holding.len());
        let facts = facts_of(asking, basis, holding, text, done).await;
        let symbols = FileSymbols::of_facts(path, &facts);
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
    Ok(Some((looked, rows)))
}

/// What a file says by itself: the index has it of a file that is as it was indexed. Parsing is work enough for a pause.
async fn facts_of<H: Host>(
    asking: &Asking<'_, H>,
    basis: &Basis,
    holding: &Holding,
    text: &str,
    (done, files): (usize, usize),
) -> Facts {
    let Some(language) = ragnav_syntax::detect_language(&holding.path) else {
        return Facts::default();
    };
    let is_indexed = holding.ground.source == SourceTag::RagGraph;
    if is_indexed && let Some(facts) = basis.known_facts(asking.host, &holding.path).await {
        return facts;
    }
    host::pause(asking.host, wire(done), Some(wire(files))).await;
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
    asking: &'q Asking<'q, H>,
    files: &'q [Looked<'q>],
}

impl<H: Host> Making<'_, H> {
    /// The items, in the order of the rows; `None` where a file is not what it was any more.
    async fn items(
        &self,
        basis: &Basis,
        knowledge: &mut Knowledge,
        page: &[Row],
    ) -> Result<Option<Vec<NavItem>>, RagnavError> {
        let Asking { host, settings, .. } = *self.asking;
        let mut shown: Vec<usize> = page.iter().map(|row| row.file).collect();
        shown.sort_unstable();
        shown.dedup();
        let looked = |file: &usize| self.files.get(*file);
        let is_news = |file: &Looked<'_>| knowledge.looks_elsewhere(file.holding.ground);
        if shown.iter().filter_map(looked).any(is_news) {
            knowledge.look_elsewhere(host, settings, basis).await?;
        }
        let paths = shown.iter().filter_map(looked);
        let paths: Vec<RepoPath> = paths.map(|file| file.holding.path.clone()).collect();
        let mut reading = LiveFiles::new(host, &paths, settings.limits.max_file_bytes);
        let mut items: Vec<Option<NavItem>> = page.iter().map(|_| None).collect();
        for file in &shown {
            let Some((looked, (_, bytes))) = looked(file).zip(reading.next().await?) else {
                return Ok(None);
            };
            if xxh3_64(&bytes) != looked.holding.hash {
                return Ok(None);
            }
            let Ok(text) = text::decode(&bytes) else {
                return Ok(None);
            };
            let shown = Shown {
                looked,
                text,
                lines: LineIndex::new(text),
                known: knowledge.of_file(&looked.holding.path, &looked.symbols),
            };
            let rows = items.iter_mut().zip(page);
            for (item, row) in rows.filter(|(_, row)| row.file == *file) {
                *item = Some(shown.item(&row.fit));
            }
        }
        Ok(items.into_iter().collect())
    }
}

/// A file of a page.
struct Shown<'f> {
    looked: &'f Looked<'f>,
    text: &'f str,
    lines: LineIndex,
    known: FileKnowledge,
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
            snippet: snippet::snippet(self.text, &self.lines, holding.path.as_str(), line, at),
            line: fit.line,
            start_utf16: fit.start_utf16,
            end_utf16: fit.end_utf16,
            kind: match fit.place {
                Some(_) => ItemKind::Definition,
                None => ItemKind::Text,
            },
            symbol: place.and_then(|place| symbols.id_of(place)),
            source: holding.ground.source,
            freshness_state: holding.ground.freshness_state,
            proof: holding.ground.proof,
            enrichment: place.and_then(|place| self.known.of(place)),
            resolution: None,
            score: Some(fit.score),
        }
    }
}
