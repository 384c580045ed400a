//! Finding the definitions that a symbol names.

use std::collections::{BTreeMap, BTreeSet};

use crate::changed_definitions::ChangedDefinitions;
use crate::file_definitions::FileDefinitions;
use ragnav_base::envelope::SourceTag;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Definition, Match};
use ragnav_base::path::RepoPath;
use ragnav_base::symbol_id;
use ragnav_index::filter::Needle;
use ragnav_index::index::FileRecord;
use ragnav_index::reidentify_files::{ShapesByFile, reidentify_files};
use ragnav_matching::pattern::{Pattern, SearchMode};
use ragnav_repository::provenance::Provenance;
use ragnav_repository::snapshot::Snapshot;

/// What is longer names nothing, and is not compared with everything to find that out.
const MAX_SYMBOL: usize = 64 << 10;

/// How well an id fits what was asked for; a better fit puts the others out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Exact,
    Suffix,
    IgnoringCase,
}

/// A symbol as callers name it: a full id, a dotted suffix or a bare name.
#[derive(Debug, Clone)]
pub struct SymbolQuery {
    /// The id without its prefix, the suffix or the name.
    dotted: String,
    /// Its last segment.
    name: String,
    /// Whether it names one definition and no other: a full id with its prefix.
    is_full: bool,
}

impl SymbolQuery {
    /// # Errors
    /// `INVALID_ARGUMENT` for what is no symbol.
    pub(super) fn new(symbol: &str) -> Result<Self, RagnavError> {
        if symbol.len() > MAX_SYMBOL {
            let message = format!(
                "a symbol of {} bytes is none; give a name, a dotted suffix or a full id",
                symbol.len()
            );
            return Err(RagnavError::invalid(message));
        }
        let dotted = symbol_id::dotted(symbol);
        let name = dotted.rsplit('.').next().unwrap_or(dotted);
        if name.is_empty() || dotted.split('.').any(str::is_empty) {
            let message =
                format!("{symbol:?} is no symbol; give a name, a dotted suffix or a full id");
            return Err(RagnavError::invalid(message));
        }
        Ok(Self {
            is_full: dotted.len() < symbol.trim().len(),
            name: name.to_owned(),
            dotted: dotted.to_owned(),
        })
    }
}

/// What was found, and what kept more from being found.
pub(super) struct Finding {
    /// By file and line.
    pub(super) definitions: Vec<FoundDefinition>,
    /// How many files could not be read.
    pub(super) unread: usize,
    /// The files with the name in them that are known only in part.
    pub(super) partial: BTreeSet<RepoPath>,
}

/// The definitions that a full id, a dotted suffix or a bare name fits best.
///
/// Exact beats suffix beats suffix without regard to case. Files that are proven to be as they were indexed are answered for by the index and not read.
/// What nothing defines by that name any more is looked for under another one, in files that differ from the index: with its body it is
/// the same (`renamed`).
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub(super) async fn find<H: Host>(
    snapshot: &Snapshot<'_, H>,
    query: &SymbolQuery,
) -> Result<Finding, RagnavError> {
    let mut found = indexed(snapshot, query).await;
    let (proven, mut partial): (BTreeSet<RepoPath>, BTreeSet<RepoPath>) =
        known_in_part(snapshot, query)
            .into_iter()
            .partition(|path| snapshot.proven(path).is_some());
    let mut reading = Reading::new(snapshot, proven);
    let mut unread = reading.look_for(query, true, &mut found).await?;
    let is_meant = |fit: Fit| fit == Fit::Exact || (fit == Fit::Suffix && !query.is_full);
    if !found.iter().any(|(fit, _)| is_meant(*fit)) {
        let mut renamed = renamed(snapshot, query).await?;
        renamed.retain(|(fit, _)| is_meant(*fit));
        if !renamed.is_empty() {
            found = renamed;
        } else if found.iter().all(|(fit, _)| *fit == Fit::IgnoringCase) {
            found.retain(|(_, found)| found.definition.source == SourceTag::RagGraph);
            unread = reading.look_for(query, false, &mut found).await?;
        }
    }
    let best = found.iter().map(|(fit, _)| *fit).min();
    let best = found.into_iter().filter(|(fit, _)| Some(*fit) == best);
    let mut definitions: Vec<FoundDefinition> = best.map(|(_, found)| found).collect();
    definitions.sort_by(|a, b| (&a.path, a.place).cmp(&(&b.path, b.place)));
    partial.extend(reading.partial);
    Ok(Finding {
        definitions,
        unread,
        partial,
    })
}

/// A definition with its place among those of its file.
#[derive(Debug, Clone)]
pub(super) struct FoundDefinition {
    pub(super) path: RepoPath,
    pub(super) place: usize,
    pub(super) definition: Definition,
}

type Found = (Fit, FoundDefinition);

/// The definitions in files that the index answers for.
async fn indexed<H: Host>(snapshot: &Snapshot<'_, H>, query: &SymbolQuery) -> Vec<Found> {
    let Some(index) = snapshot.index() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for record in index.files_defining(&query.name) {
        let path = &record.path;
        let is_unproven = snapshot.remembered().binary_search(path).is_ok();
        let provenance = match snapshot.proven(path) {
            Some((_, proof)) => Provenance::indexed(proof),
            None if is_unproven => snapshot.remembered_provenance(path),
            None => continue,
        };
        if let Some(file) = FileDefinitions::indexed(snapshot, path).await {
            // What is remembered of an unproven file was not found again.
            let known = (!is_unproven).then_some(&file);
            found.extend(fitting(path, &file, query, provenance, known));
        }
    }
    found
}

/// The definitions of now that were, when they were indexed, what was asked for.
async fn renamed<H: Host>(
    snapshot: &Snapshot<'_, H>,
    query: &SymbolQuery,
) -> Result<Vec<Found>, RagnavError> {
    let Some(index) = snapshot.index() else {
        return Ok(Vec::new());
    };
    let unproven = |record: &&FileRecord| snapshot.proven(&record.path).is_none();
    let mut was_there = index.files_defining(&query.name).filter(unproven);
    if was_there.next().is_none() {
        return Ok(Vec::new());
    }
    let Some(differing) = ChangedDefinitions::read(snapshot).await? else {
        return Ok(Vec::new());
    };
    let mut known = BTreeMap::new();
    for record in index.files() {
        if differing.may_be_from(&record.path)
            && let Some(file) = FileDefinitions::indexed(snapshot, &record.path).await
        {
            known.insert(record.path.clone(), file);
        }
    }
    let shapes: ShapesByFile = known
        .iter()
        .map(|(path, file)| (path.clone(), file.shapes.clone()))
        .collect();
    let mut found = Vec::new();
    for (path, joins) in reidentify_files(&shapes, &differing.shapes()) {
        let Some(file) = differing.file(&path) else {
            continue;
        };
        let provenance = Provenance::live(snapshot.live_proof(&path));
        for (place, (symbol, join)) in file.symbols.iter().zip(joins).enumerate() {
            let Some(join) = join.filter(|join| join.how == Match::Renamed) else {
                continue;
            };
            let was = known
                .get(&join.file)
                .and_then(|file| file.id_of(join.before));
            if let Some(fit) = was.and_then(|was| fit(was.dotted(), &query.dotted)) {
                let definition = file.definition(&path, symbol, provenance, Some(Match::Renamed));
                let path = path.clone();
                found.push((
                    fit,
                    FoundDefinition {
                        path,
                        place,
                        definition,
                    },
                ));
            }
        }
    }
    Ok(found)
}

/// The files that the index alone knows and only in part, as far as they may hold the name.
fn known_in_part<H: Host>(snapshot: &Snapshot<'_, H>, query: &SymbolQuery) -> BTreeSet<RepoPath> {
    let Some(index) = snapshot.index() else {
        return BTreeSet::new();
    };
    let needle = Needle::new(&query.name, false);
    let may_hold = snapshot
        .partial_records()
        .filter(|record| index.may_contain(record, &needle));
    may_hold.map(|record| record.path.clone()).collect()
}

/// The files that are read for the answer.
struct Reading<'q, H> {
    snapshot: &'q Snapshot<'q, H>,
    files: Vec<RepoPath>,
    /// Those of the files that are known only in part and hold the name.
    partial: BTreeSet<RepoPath>,
}

impl<'q, H: Host> Reading<'q, H> {
    /// Of those that are not proven, and some that are.
    fn new(snapshot: &'q Snapshot<'q, H>, proven: BTreeSet<RepoPath>) -> Self {
        let mut files = snapshot.live_files();
        files.retain(|path| ragnav_syntax::detect_language(path).is_some());
        files.extend(proven);
        files.sort_unstable();
        Self {
            snapshot,
            files,
            partial: BTreeSet::new(),
        }
    }

    /// Parses the files whose text holds the name; gives how many could not be read.
    async fn look_for(
        &mut self,
        query: &SymbolQuery,
        case_sensitive: bool,
        found: &mut Vec<Found>,
    ) -> Result<usize, RagnavError> {
        let pattern = Pattern::new(&query.name, SearchMode::Literal, case_sensitive)?;
        let mut files = self.snapshot.reader(&self.files);
        while let Some((path, bytes)) = files.next().await? {
            let Some(text) = files.text(path, &bytes) else {
                continue;
            };
            if pattern.find_at(text, 0).is_none() {
                continue;
            }
            if self.snapshot.proven(path).is_some() {
                // What is known of it was found in the index.
                self.partial.insert(path.clone());
                continue;
            }
            let known = FileDefinitions::indexed(self.snapshot, path).await;
            let file = FileDefinitions::now(path, text, known.is_some());
            if file.is_partial {
                self.partial.insert(path.clone());
            }
            let provenance = Provenance::live(self.snapshot.live_proof(path));
            found.extend(fitting(path, &file, query, provenance, known.as_ref()));
        }
        Ok(files.into_skipped().len())
    }
}

fn fitting(
    path: &RepoPath,
    file: &FileDefinitions,
    query: &SymbolQuery,
    provenance: Provenance,
    known: Option<&FileDefinitions>,
) -> Vec<Found> {
    let mut fitting = Vec::new();
    let found = file.found_again(known).into_iter();
    for (place, (symbol, found)) in file.symbols.iter().zip(found).enumerate() {
        let definition = file.definition(path, symbol, provenance, found);
        if let Some(fit) = fit(definition.symbol.dotted(), &query.dotted) {
            let path = path.clone();
            fitting.push((
                fit,
                FoundDefinition {
                    path,
                    place,
                    definition,
                },
            ));
        }
    }
    fitting
}

fn fit(id: &str, asked: &str) -> Option<Fit> {
    if id == asked {
        return Some(Fit::Exact);
    }
    if symbol_id::ends_with(id, asked) {
        return Some(Fit::Suffix);
    }
    let folded = symbol_id::ends_with(&id.to_lowercase(), &asked.to_lowercase());
    folded.then_some(Fit::IgnoringCase)
}
