//! Locate: where a symbol is defined now. Source: seed `locator`, section 2.

use std::collections::BTreeMap;

use crate::envelope::{RagResult, SourceTag};
use crate::error::RagnavError;
use crate::graph::index::FileRecord;
use crate::graph::rejoin_files::{Shapes, rejoin_files};
use crate::host::Host;
use crate::item::{Definition, Match};
use crate::matching::pattern::{Pattern, SearchMode};
use crate::overlay::Overlaid;
use crate::path::RepoPath;
use crate::symbol_id;
use crate::tools::answer::{Failure, item_limit, limit_items};
use crate::tools::basis::Basis;
use crate::tools::differing::Differing;
use crate::tools::file_symbols::FileSymbols;
use crate::tools::ground::Ground;
use crate::tools::live_files::LiveFiles;
use crate::tools::scope::Scope;
use crate::tools::{QuestionOptions, Settings};

/// How well an id fits what was asked for; a better fit puts the others out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Exact,
    Suffix,
    IgnoringCase,
}

/// Answers with every definition that a full id, a dotted suffix or a bare name fits best, by file and line.
///
/// Exact beats suffix beats suffix without regard to case. Files that are proven to be as they were indexed are answered
/// for by the index and not read. A symbol that nothing defines by its name any more is looked for under another one, in files that differ
/// from the index: with its body it is the same (`renamed`). A symbol that nothing defines is no error: the items are empty, and meta says on what that rests.
pub async fn locate<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    options: &QuestionOptions,
) -> RagResult<Definition> {
    match try_locate(host, settings, symbol, options).await {
        Ok(result) => result,
        Err(failure) => RagResult {
            meta: failure.meta(),
            items: Vec::new(),
        },
    }
}

/// What was asked for.
struct Question<'q> {
    /// The id without its prefix, the suffix or the name.
    dotted: &'q str,
    /// Its last segment.
    name: &'q str,
}

impl<'q> Question<'q> {
    fn new(symbol: &'q str) -> Result<Self, RagnavError> {
        let dotted = symbol_id::dotted(symbol);
        let name = dotted.rsplit('.').next().unwrap_or(dotted);
        if name.is_empty() || dotted.split('.').any(str::is_empty) {
            let message =
                format!("{symbol:?} is no symbol; give a name, a dotted suffix or a full id");
            return Err(RagnavError::invalid(message));
        }
        Ok(Self { dotted, name })
    }
}

async fn try_locate<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    options: &QuestionOptions,
) -> Result<RagResult<Definition>, Failure> {
    let question = Question::new(symbol)?;
    let limit = item_limit(options)?;
    let host = &Overlaid::new(host).await?;
    let basis = Basis::new(host, settings, options.stale_policy, Scope::Code).await?;
    let mut found = indexed(&basis, &question);
    let reading = Reading::new(host, settings, &basis);
    let mut unread = reading.look_for(&question, true, &mut found).await?;
    let is_found = |found: &[Found]| found.iter().any(|(fit, _)| *fit != Fit::IgnoringCase);
    if !is_found(&found) {
        found.retain(|(_, definition)| is_from_index(definition));
        unread = reading.look_for(&question, false, &mut found).await?;
    }
    if !is_found(&found) {
        found.extend(renamed(host, settings, &basis, &question).await?);
    }
    let best = found.iter().map(|(fit, _)| *fit).min();
    let mut items: Vec<Definition> = found
        .into_iter()
        .filter(|(fit, _)| Some(*fit) == best)
        .map(|(_, definition)| definition)
        .collect();
    items.sort_by(|a, b| (&a.file, a.start_line).cmp(&(&b.file, b.start_line)));
    let mut meta = basis.meta(settings, unread)?;
    limit_items(&mut items, limit, &mut meta);
    Ok(RagResult { meta, items })
}

type Found = (Fit, Definition);

fn is_from_index(definition: &Definition) -> bool {
    definition.source == SourceTag::RagGraph
}

/// The definitions in files that the index answers for.
fn indexed(basis: &Basis, question: &Question<'_>) -> Vec<Found> {
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
        if let Some(file) = basis.known_symbols(path) {
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
    let mut was_there = index.defining(question.name).filter(unproven).peekable();
    if was_there.peek().is_none() {
        return Ok(Vec::new());
    }
    let Some(differing) = Differing::read(host, settings, basis).await? else {
        return Ok(Vec::new());
    };
    let mut known = BTreeMap::new();
    for record in index.files() {
        if differing.may_be_from(basis, &record.path)
            && let Some(file) = basis.known_symbols(&record.path)
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
        for (symbol, join) in file.symbols.iter().zip(joins) {
            let Some(join) = join.filter(|join| join.found == Match::Renamed) else {
                continue;
            };
            let was = known
                .get(&join.file)
                .and_then(|file| file.id_of(join.known));
            if let Some(fit) = was.and_then(|was| fit(was.dotted(), question.dotted)) {
                found.push((
                    fit,
                    file.definition(&path, symbol, ground, Some(Match::Renamed)),
                ));
            }
        }
    }
    Ok(found)
}

/// The files that are read for the answer.
struct Reading<'q, H> {
    host: &'q Overlaid<'q, H>,
    settings: &'q Settings,
    basis: &'q Basis,
    files: Vec<RepoPath>,
}

impl<'q, H: Host> Reading<'q, H> {
    fn new(host: &'q Overlaid<'q, H>, settings: &'q Settings, basis: &'q Basis) -> Self {
        let files = basis.files.iter();
        Self {
            host,
            settings,
            basis,
            files: files
                .filter(|path| basis.proven(path).is_none())
                .cloned()
                .collect(),
        }
    }

    /// Parses the files whose text holds the name; gives how many could not be read.
    async fn look_for(
        &self,
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
            if pattern.find_at(text, 0).is_some() {
                let file = FileSymbols::new(path, text);
                let ground = Ground::live(self.host.proof(path));
                let known = self.basis.known_symbols(path);
                found.extend(fitting(path, &file, question, ground, known.as_ref()));
            }
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
    let symbols = file.symbols.iter();
    symbols
        .map(|symbol| {
            let found = known.and_then(|known| known.match_of(symbol));
            file.definition(path, symbol, ground, found)
        })
        .filter_map(|definition| {
            Some((
                fit(definition.symbol.dotted(), question.dotted)?,
                definition,
            ))
        })
        .collect()
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
