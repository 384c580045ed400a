//! Finding the definitions that a symbol names.

use std::collections::{BTreeMap, BTreeSet};

use crate::Settings;
use crate::basis::Basis;
use crate::differing::Differing;
use crate::file_symbols::FileSymbols;
use crate::ground::Ground;
use crate::live_files::LiveFiles;
use ragnav_base::envelope::SourceTag;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Definition, Match};
use ragnav_base::path::RepoPath;
use ragnav_base::symbol_id;
use ragnav_index::filter::Needle;
use ragnav_index::index::FileRecord;
use ragnav_index::rejoin_files::{Shapes, rejoin_files};
use ragnav_matching::pattern::{Pattern, SearchMode};
use ragnav_repository::overlay::Overlaid;

/// What is longer names nothing, and is not compared with everything to find that out.
const MAX_SYMBOL: usize = 64 << 10;

/// How well an id fits what was asked for; a better fit puts the others out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Exact,
    Suffix,
    IgnoringCase,
}

/// What was asked for.
pub(super) struct Question<'q> {
    /// The id without its prefix, the suffix or the name.
    dotted: &'q str,
    /// Its last segment.
    name: &'q str,
    /// Whether it names one definition and no other: a full id with its prefix.
    is_full: bool,
}

impl<'q> Question<'q> {
    /// # Errors
    /// `INVALID_ARGUMENT` for what is no symbol.
    pub(super) fn new(symbol: &'q str) -> Result<Self, RagnavError> {
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
            dotted,
            name,
            is_full: dotted.len() < symbol.trim().len(),
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
    host: &Overlaid<'_, H>,
    settings: &Settings,
    basis: &Basis,
    question: &Question<'_>,
) -> Result<Finding, RagnavError> {
    let mut found = indexed(host, basis, question).await;
    let (proven, mut partial): (BTreeSet<RepoPath>, BTreeSet<RepoPath>) =
        known_in_part(basis, question)
            .into_iter()
            .partition(|path| basis.proven(path).is_some());
    let mut reading = Reading::new(host, settings, basis, proven);
    let mut unread = reading.look_for(question, true, &mut found).await?;
    let is_meant = |fit: Fit| fit == Fit::Exact || (fit == Fit::Suffix && !question.is_full);
    if !found.iter().any(|(fit, _)| is_meant(*fit)) {
        let mut renamed = renamed(host, settings, basis, question).await?;
        renamed.retain(|(fit, _)| is_meant(*fit));
        if !renamed.is_empty() {
            found = renamed;
        } else if found.iter().all(|(fit, _)| *fit == Fit::IgnoringCase) {
            found.retain(|(_, found)| found.definition.source == SourceTag::RagGraph);
            unread = reading.look_for(question, false, &mut found).await?;
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
async fn indexed<H: Host>(
    host: &Overlaid<'_, H>,
    basis: &Basis,
    question: &Question<'_>,
) -> Vec<Found> {
    let Some(index) = basis.index() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for record in index.defining(question.name) {
        let path = &record.path;
        let is_unproven = basis.unproven.binary_search(path).is_ok();
        let ground = match basis.proven(path) {
            Some((_, proof)) => Ground::proven(proof),
            None if is_unproven => basis.unproven_ground(path),
            None => continue,
        };
        if let Some(file) = basis.known_symbols(host, path).await {
            // What is remembered of an unproven file was not found again.
            let known = (!is_unproven).then_some(&file);
            found.extend(fitting(path, &file, question, ground, known));
        }
    }
    found
}

/// The definitions of now that were, when they were indexed, what was asked for.
async fn renamed<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    basis: &Basis,
    question: &Question<'_>,
) -> Result<Vec<Found>, RagnavError> {
    let Some(index) = basis.index() else {
        return Ok(Vec::new());
    };
    let unproven = |record: &&FileRecord| basis.proven(&record.path).is_none();
    let mut was_there = index.defining(question.name).filter(unproven);
    if was_there.next().is_none() {
        return Ok(Vec::new());
    }
    let Some(differing) = Differing::read(host, settings, basis).await? else {
        return Ok(Vec::new());
    };
    let mut known = BTreeMap::new();
    for record in index.files() {
        if differing.may_be_from(&record.path)
            && let Some(file) = basis.known_symbols(host, &record.path).await
        {
            known.insert(record.path.clone(), file);
        }
    }
    let shapes: Shapes = known
        .iter()
        .map(|(path, file)| (path.clone(), file.shapes.clone()))
        .collect();
    let mut found = Vec::new();
    for (path, joins) in rejoin_files(&shapes, &differing.shapes()) {
        let Some(file) = differing.file(&path) else {
            continue;
        };
        let ground = Ground::live(host.proof(&path));
        for (place, (symbol, join)) in file.symbols.iter().zip(joins).enumerate() {
            let Some(join) = join.filter(|join| join.found == Match::Renamed) else {
                continue;
            };
            let was = known
                .get(&join.file)
                .and_then(|file| file.id_of(join.known));
            if let Some(fit) = was.and_then(|was| fit(was.dotted(), question.dotted)) {
                let definition = file.definition(&path, symbol, ground, Some(Match::Renamed));
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
fn known_in_part(basis: &Basis, question: &Question<'_>) -> BTreeSet<RepoPath> {
    let Some(index) = basis.index() else {
        return BTreeSet::new();
    };
    let needle = Needle::new(question.name, false);
    let may_hold = basis
        .known_in_part()
        .filter(|record| index.may_hold(record, &needle));
    may_hold.map(|record| record.path.clone()).collect()
}

/// The files that are read for the answer.
struct Reading<'q, H> {
    host: &'q Overlaid<'q, H>,
    settings: &'q Settings,
    basis: &'q Basis,
    files: Vec<RepoPath>,
    /// Those of the files that are known only in part and hold the name.
    partial: BTreeSet<RepoPath>,
}

impl<'q, H: Host> Reading<'q, H> {
    /// Of those that are not proven, and some that are.
    fn new(
        host: &'q Overlaid<'q, H>,
        settings: &'q Settings,
        basis: &'q Basis,
        proven: BTreeSet<RepoPath>,
    ) -> Self {
        let mut files = basis.live();
        files.retain(|path| ragnav_syntax::detect_language(path).is_some());
        files.extend(proven);
        files.sort_unstable();
        Self {
            host,
            settings,
            basis,
            files,
            partial: BTreeSet::new(),
        }
    }

    /// Parses the files whose text holds the name; gives how many could not be read.
    async fn look_for(
        &mut self,
        question: &Question<'_>,
        case_sensitive: bool,
        found: &mut Vec<Found>,
    ) -> Result<usize, RagnavError> {
        let pattern = Pattern::new(question.name, SearchMode::Literal, case_sensitive)?;
        let max_bytes = self.settings.limits.max_file_bytes;
        let mut files = LiveFiles::new(self.host, &self.files, max_bytes);
        while let Some((path, bytes)) = files.next().await? {
            let Some(text) = files.text(path, &bytes) else {
                continue;
            };
            if pattern.find_at(text, 0).is_none() {
                continue;
            }
            if self.basis.proven(path).is_some() {
                // What is known of it was found in the index.
                self.partial.insert(path.clone());
                continue;
            }
            let known = self.basis.known_symbols(self.host, path).await;
            let file = FileSymbols::now(path, text, known.is_some());
            if file.is_partial {
                self.partial.insert(path.clone());
            }
            let ground = Ground::live(self.host.proof(path));
            found.extend(fitting(path, &file, question, ground, known.as_ref()));
        }
        Ok(files.into_skipped().len())
    }
}

fn fitting(
    path: &RepoPath,
    file: &FileSymbols,
    question: &Question<'_>,
    ground: Ground,
    known: Option<&FileSymbols>,
) -> Vec<Found> {
    let mut fitting = Vec::new();
    let found = file.found_again(known).into_iter();
    for (place, (symbol, found)) in file.symbols.iter().zip(found).enumerate() {
        let definition = file.definition(path, symbol, ground, found);
        if let Some(fit) = fit(definition.symbol.dotted(), question.dotted) {
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
