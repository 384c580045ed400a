//! Finding the definitions that a symbol names.

use std::collections::{BTreeMap, BTreeSet};

use crate::changed_definitions::ChangedDefinitions;
use crate::file_definitions::FileDefinitions;
use crate::partial_files::{PartialFiles, unparsed};
use ragnav_base::envelope::SourceTag;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Definition, Match};
use ragnav_base::path::RepoPath;
use ragnav_base::symbol_id::{self, SymbolId};
use ragnav_index::filter::Needle;
use ragnav_index::index::FileRecord;
use ragnav_index::reidentify_files::reidentify_files;
use ragnav_index::shapes::ShapesByFile;
use ragnav_matching::pattern::{Pattern, SearchMode};
use ragnav_matching::vendored::is_vendored;
use ragnav_repository::provenance::Provenance;
use ragnav_repository::snapshot::Snapshot;

/// The longest symbol that is compared with definitions, in bytes.
const MAX_SYMBOL: usize = 64 << 10;

/// How well an id matches a symbol. Only the best matches are returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MatchQuality {
    Exact,
    Suffix,
    IgnoringCase,
}

/// A symbol as callers name it: a full id, a dotted suffix or a bare name. `A::b` of C++, Rust and
/// Ruby and `A\b` of PHP are dotted suffixes, too.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::locate::locate;
/// use ragnav_query::{QuestionOptions, Settings};
///
/// let host = MemoryHost::new(&[("shop/cart.py", "def total(): return 0\n")]);
/// let (settings, options) = (Settings::default(), QuestionOptions::default());
/// for symbol in ["sym:shop.cart.total", "cart.total", "cart::total", "total"] {
///     assert_eq!(block_on(locate(&host, &settings, symbol, &options)).items.len(), 1);
/// }
/// ```
#[derive(Debug, Clone)]
pub struct SymbolQuery {
    /// The id without its prefix, the suffix or the name.
    dotted: String,
    /// Its last segment.
    name: String,
    /// Whether it names one definition only: it is a full id with its prefix.
    is_full: bool,
}

impl SymbolQuery {
    /// # Errors
    /// `INVALID_ARGUMENT` for a text that is not a symbol.
    pub(super) fn new(symbol: &str) -> Result<Self, RagnavError> {
        if symbol.len() > MAX_SYMBOL {
            let message = format!(
                "a symbol of {} bytes is too long; give a name, a dotted suffix or a full id",
                symbol.len()
            );
            return Err(RagnavError::invalid(message));
        }
        let own = symbol_id::dotted(symbol);
        let path = own.trim_start_matches([':', '\\']);
        let dotted = path.replace("::", ".").replace('\\', ".");
        let name = dotted.rsplit('.').next().unwrap_or(&dotted);
        let is_empty = name.is_empty() || dotted.split('.').any(str::is_empty);
        if is_empty || name.contains(char::is_control) {
            let message =
                format!("{symbol:?} is not a symbol; give a name, a dotted suffix or a full id");
            return Err(RagnavError::invalid(message));
        }
        Ok(Self {
            is_full: own.len() < symbol.trim().len(),
            name: name.to_owned(),
            dotted,
        })
    }

    /// Reports whether an id is the symbol or, unless the symbol is a full id, ends with it.
    pub(super) fn names(&self, id: &SymbolId) -> bool {
        match self.match_quality(id.dotted()) {
            Some(MatchQuality::Exact) => true,
            Some(MatchQuality::Suffix) => !self.is_full,
            Some(MatchQuality::IgnoringCase) | None => false,
        }
    }

    fn match_quality(&self, id: &str) -> Option<MatchQuality> {
        let symbol = self.dotted.as_str();
        // A bare name means all definitions of the name, although one has no module before it.
        if id == symbol && (self.is_full || symbol.contains('.')) {
            return Some(MatchQuality::Exact);
        }
        if symbol_id::ends_with(id, symbol) {
            return Some(MatchQuality::Suffix);
        }
        // As people see it, `jquery%2Emin.init` is `jquery.min.init`.
        if id.contains('%') && symbol_id::ends_with(&symbol_id::display(id), symbol) {
            return Some(MatchQuality::Suffix);
        }
        let folded = symbol_id::ends_with(&id.to_lowercase(), &symbol.to_lowercase());
        folded.then_some(MatchQuality::IgnoringCase)
    }

    /// Returns the symbol without its prefix.
    pub(super) fn as_str(&self) -> &str {
        &self.dotted
    }

    /// Splits the symbol before its last segment, before its last two segments, and so on. Returns
    /// each first part with the segments after it, of which there are at most `most`.
    pub(super) fn splits(&self, most: usize) -> impl Iterator<Item = (Self, Vec<&str>)> {
        let dots = self.dotted.rmatch_indices('.').take(most);
        dots.filter_map(|(at, _)| {
            let (owner, members) = (self.dotted.get(..at)?, self.dotted.get(at + 1..)?);
            let name = owner.rsplit('.').next().unwrap_or(owner);
            let owner = Self {
                dotted: owner.to_owned(),
                name: name.to_owned(),
                is_full: self.is_full,
            };
            Some((owner, members.split('.').collect()))
        })
    }

    /// Reports whether the symbol has more than one segment.
    pub(super) fn is_dotted(&self) -> bool {
        self.dotted.contains('.')
    }

    /// Returns a text that stands where the last segment is written: `operator` of `operator+`, as
    /// C# writes `operator +`.
    fn written(&self) -> &str {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
        let words = self.name.split(|letter| !is_part(letter));
        let longest = words.max_by_key(|word| word.len());
        longest
            .filter(|word| !word.is_empty())
            .unwrap_or(&self.name)
    }

    /// Returns the last segment.
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

/// The definitions of a symbol, and the files that may have more.
pub(super) struct FoundDefinitions {
    /// The definitions, by file and line.
    pub(super) definitions: Vec<FoundDefinition>,
    /// The number of files that could not be read.
    pub(super) unread: usize,
    /// The files that contain the name and may have more definitions.
    pub(super) partial: PartialFiles,
}

/// What a query needs of the changed files that it looks for definitions in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needed {
    /// Their definitions.
    Definitions,
    /// Their other facts, too. One reading then gives both.
    Facts,
}

/// Returns the definitions that a full id, a dotted suffix or a bare name matches best.
///
/// An exact match precedes a suffix, and a suffix precedes one that ignores case. The index answers
/// for files that are proven unchanged, so these are not read. If no definition has the name any
/// more, a definition with the same body in a changed file counts as renamed (`renamed`).
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn find<H: Host>(
    snapshot: &Snapshot<'_, H>,
    query: &SymbolQuery,
    needed: Needed,
) -> Result<FoundDefinitions, RagnavError> {
    let mut found = indexed(snapshot, query).await;
    let (proven, mut cut): (BTreeSet<RepoPath>, BTreeSet<RepoPath>) =
        partially_parsed_files(snapshot, query)
            .into_iter()
            .partition(|path| snapshot.proven(path).is_some());
    let mut reading = Reading::new(snapshot, proven, needed);
    let mut unread = reading.parse_files(query, true, &mut found).await?;
    let is_meant = |fit: MatchQuality| {
        fit == MatchQuality::Exact || (fit == MatchQuality::Suffix && !query.is_full)
    };
    if !found.iter().any(|(fit, _)| is_meant(*fit)) {
        let mut renamed = renamed(snapshot, query).await?;
        renamed.retain(|(fit, _)| is_meant(*fit));
        if !renamed.is_empty() {
            found = renamed;
        } else if found
            .iter()
            .all(|(fit, _)| *fit == MatchQuality::IgnoringCase)
        {
            found.retain(|(_, found)| found.definition.source == SourceTag::RagGraph);
            unread = reading.parse_files(query, false, &mut found).await?;
        }
    }
    let best = found.iter().map(|(fit, _)| *fit).min();
    let best = found.into_iter().filter(|(fit, _)| Some(*fit) == best);
    let mut definitions: Vec<FoundDefinition> = best.map(|(_, found)| found).collect();
    definitions.sort_by_cached_key(|one| (is_vendored(&one.path), one.path.clone(), one.place));
    cut.extend(reading.partial);
    let names = BTreeSet::from([query.name.clone()]);
    let unparsed = unparsed(snapshot, &names, reading.broken).await?;
    Ok(FoundDefinitions {
        definitions,
        unread,
        partial: PartialFiles { cut, unparsed },
    })
}

/// A definition with its index among those of its file.
#[derive(Debug, Clone)]
pub(super) struct FoundDefinition {
    pub(super) path: RepoPath,
    pub(super) place: usize,
    pub(super) definition: Definition,
}

type Found = (MatchQuality, FoundDefinition);

/// Returns the matching definitions in files that the index answers for.
async fn indexed<H: Host>(snapshot: &Snapshot<'_, H>, query: &SymbolQuery) -> Vec<Found> {
    let Some(index) = snapshot.index() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for record in index.files_defining(&query.name) {
        let path = &record.path;
        let is_unproven = snapshot.unproven_files().binary_search(path).is_ok();
        let provenance = match snapshot.proven(path) {
            Some((_, proof)) => Provenance::indexed(proof),
            None if is_unproven => snapshot.unproven_provenance(path),
            None => continue,
        };
        if let Some(file) = FileDefinitions::indexed(snapshot, path).await {
            // A definition that the index has of an unproven file, and that the file lacks now.
            let known = (!is_unproven).then_some(&file);
            found.extend(matching_definitions(path, &file, query, provenance, known));
        }
    }
    found
}

/// Returns the current definitions that had the symbol's name when they were indexed.
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
            if let Some(fit) = was.and_then(|was| query.match_quality(was.dotted())) {
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

/// Returns the files that only the index knows, that were only parsed in part, and that may contain
/// the name.
fn partially_parsed_files<H: Host>(
    snapshot: &Snapshot<'_, H>,
    query: &SymbolQuery,
) -> BTreeSet<RepoPath> {
    let Some(index) = snapshot.index() else {
        return BTreeSet::new();
    };
    let needle = Needle::new(query.written(), false);
    let may_hold = snapshot
        .partial_records()
        .filter(|record| index.may_contain(record, &needle));
    may_hold.map(|record| record.path.clone()).collect()
}

/// The files that are read for the answer.
struct Reading<'q, H> {
    snapshot: &'q Snapshot<'q, H>,
    files: Vec<RepoPath>,
    needed: Needed,
    /// The files that were only parsed in part and contain the name.
    partial: BTreeSet<RepoPath>,
    /// The live files that contain the name and have syntax errors.
    broken: BTreeSet<RepoPath>,
}

impl<'q, H: Host> Reading<'q, H> {
    /// The definitions in files that are not proven unchanged, and in some that are.
    fn new(snapshot: &'q Snapshot<'q, H>, proven: BTreeSet<RepoPath>, needed: Needed) -> Self {
        let mut files = snapshot.live_files();
        files.retain(|path| ragnav_syntax::detect_language(path).is_some());
        files.extend(proven);
        files.sort_unstable();
        Self {
            snapshot,
            files,
            needed,
            partial: BTreeSet::new(),
            broken: BTreeSet::new(),
        }
    }

    /// Parses the files whose text contains the name. Returns the number of files that could not be
    /// read.
    async fn parse_files(
        &mut self,
        query: &SymbolQuery,
        case_sensitive: bool,
        found: &mut Vec<Found>,
    ) -> Result<usize, RagnavError> {
        let pattern = Pattern::new(query.written(), SearchMode::Literal, case_sensitive)?;
        let mut files = self.snapshot.reader(&self.files);
        while let Some((path, bytes)) = files.next().await? {
            let Some(text) = files.text(path, &bytes) else {
                continue;
            };
            if pattern.find_at(&text, 0).is_none() {
                continue;
            }
            if self.snapshot.proven(path).is_some() {
                // The index has its definitions.
                self.partial.insert(path.clone());
                continue;
            }
            let known = FileDefinitions::indexed(self.snapshot, path).await;
            self.snapshot.load_grammar(path, &text).await;
            let file = if known.is_some() && self.needed == Needed::Facts {
                FileDefinitions::with_facts(path, &text)
            } else {
                FileDefinitions::now(path, &text, known.is_some())
            };
            if file.is_partial {
                self.partial.insert(path.clone());
            }
            if file.has_errors {
                self.broken.insert(path.clone());
            }
            let provenance = Provenance::live(self.snapshot.live_proof(path));
            found.extend(matching_definitions(
                path,
                &file,
                query,
                provenance,
                known.as_ref(),
            ));
        }
        Ok(files.into_skipped().len())
    }
}

fn matching_definitions(
    path: &RepoPath,
    file: &FileDefinitions,
    query: &SymbolQuery,
    provenance: Provenance,
    known: Option<&FileDefinitions>,
) -> Vec<Found> {
    let mut matching = Vec::new();
    let found = file.reidentify(known).into_iter();
    for (place, (symbol, found)) in file.symbols.iter().zip(found).enumerate() {
        let definition = file.definition(path, symbol, provenance, found);
        if let Some(fit) = query.match_quality(definition.symbol.dotted()) {
            let path = path.clone();
            matching.push((
                fit,
                FoundDefinition {
                    path,
                    place,
                    definition,
                },
            ));
        }
    }
    matching
}
