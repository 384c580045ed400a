//! What the name at a place in a file means.

use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::Evidence;
use ragnav_base::path::RepoPath;
use ragnav_repository::compiler::verify::NamePlace;
use ragnav_repository::failure::Failure;
use ragnav_repository::provenance::Provenance;
use ragnav_repository::snapshot::Snapshot;
use ragnav_resolve::{FileFacts, Resolver};
use ragnav_syntax::facts::{DefinitionId, Facts, Name, Position, Receiver, Reference};

use crate::code_facts::CodeFacts;
use crate::compiler_definitions::compiler_definitions;
use crate::definitions_of_file::no_facts;
use crate::file_definitions::FileDefinitions;
use crate::find_definitions::FoundDefinition;
use crate::modules::{FoundModule, module_at};
use crate::targets::Targets;

/// A place in a file, as people write it: `shop/cart.py:14:9`.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::locate::locate;
/// use ragnav_query::{QuestionOptions, Settings};
///
/// let host = MemoryHost::new(&[("a.py", "def total(): return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), QuestionOptions::default());
/// let answer = block_on(locate(&host, &settings, "a.py:2:1", &options));
/// assert_eq!(answer.items[0].symbol.as_str(), "sym:a.total");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: RepoPath,
    /// The line, 1-based.
    pub line: u32,
    /// The column, 1-based and in UTF-16 code units.
    pub column: u32,
}

impl Place {
    /// Parses `file:line:column`; returns `None` for text of another form.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a path outside the repository, a number that is 0, or a line of code
    /// without a column.
    #[must_use]
    pub(super) fn parse(text: &str) -> Option<Result<Self, RagnavError>> {
        let (rest, column) = split_number(text.trim())?;
        let Some((file, line)) = split_number(rest) else {
            return is_code(rest).then(|| Err(without_column(text)));
        };
        if line == 0 || column == 0 {
            let message = format!("{text:?}: lines and columns count from 1");
            return Some(Err(RagnavError::invalid(message)));
        }
        Some(RepoPath::parse(file).map(|file| Self { file, line, column }))
    }

    /// Parses a place: a file, a line and a column.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for anything else.
    pub(super) fn require(text: &str) -> Result<Self, RagnavError> {
        Self::parse(text).unwrap_or_else(|| {
            let message = format!("{text:?} is not a place; give one as in src/app.py:12:5");
            Err(RagnavError::invalid(message))
        })
    }

    /// Reports whether a name covers the place. The end of the name counts, as in editors.
    fn is_in(&self, name: &str, at: Position) -> bool {
        let column = self.column - 1;
        let length = u32::try_from(name.encode_utf16().count()).unwrap_or(u32::MAX);
        let end = at.start_utf16.saturating_add(length);
        at.line == self.line && (at.start_utf16..=end).contains(&column)
    }
}

/// Splits a place such as `shop/cart.py:14` into its file and the last number.
fn split_number(text: &str) -> Option<(&str, u32)> {
    let (file, line) = text.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}

fn is_code(path: &str) -> bool {
    let path = RepoPath::parse(path);
    path.is_ok_and(|path| ragnav_syntax::detect_language(&path).is_some())
}

fn without_column(text: &str) -> RagnavError {
    RagnavError::invalid(format!(
        "{text:?} has no column; give the place of a name, as in src/app.py:12:5, or ask \
         `identify` which definitions enclose the line"
    ))
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column } = self;
        write!(formatter, "{file}:{line}:{column}")
    }
}

/// What a name means.
pub(super) enum Meaning {
    /// Definitions of the repository.
    Definitions(Vec<FoundDefinition>),
    /// The modules that the name means.
    Modules(Vec<FoundModule>),
    /// Something that the repository does not define, such as a variable or a built-in function.
    Nothing(String),
    /// Something that cannot be proven, such as a member of an object of unknown type.
    Unknown(String),
}

/// A name in a file.
enum NameAtPlace {
    Definition(DefinitionId),
    Reference(Reference),
}

/// Returns what the name at a place means.
///
/// # Errors
/// `INVALID_ARGUMENT` if no name is there; `FILE_UNREADABLE`; `LANGUAGE_UNAVAILABLE`;
/// `HOST_FAILED`.
pub(super) async fn meaning_of<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &mut CodeFacts<'_, H>,
    place: &Place,
) -> Result<Meaning, Failure> {
    let path = &place.file;
    let file = facts_of(snapshot, code, path).await?;
    let reference = match name_at(&file.facts, place) {
        None => return Err(no_name(place).into()),
        Some(NameAtPlace::Definition(id)) => {
            let found = found_definition(snapshot, path, &file, id).await;
            return Ok(Meaning::Definitions(found.into_iter().collect()));
        }
        Some(NameAtPlace::Reference(reference)) => reference,
    };
    let name = file.facts.name(reference.name).to_owned();
    let (mut targets, is_unknown) = resolve_at(code, path, &file, &reference).await?;
    let evidence = targets.is_empty().then_some(Evidence::Compiler);
    if targets.is_empty() {
        let at = NamePlace {
            path: path.clone(),
            line: reference.position.line,
            start_utf16: reference.position.start_utf16,
        };
        targets = compiler_definitions(code, &at).await?;
    }
    let mut definitions = found_definitions(snapshot, code, targets).await?;
    if !definitions.is_empty() {
        for found in &mut definitions {
            found.definition.evidence = evidence;
        }
        return Ok(Meaning::Definitions(definitions));
    }
    let resolver = Resolver::new(&code.world);
    let meaning = resolver.resolve_reference(path, &file, &reference);
    let mut modules = Vec::new();
    for path in resolver.modules(&meaning) {
        modules.extend(module_at(snapshot, path).await?);
    }
    Ok(match (modules.is_empty(), is_unknown) {
        (false, _) => Meaning::Modules(modules),
        (true, true) => Meaning::Unknown(name),
        (true, false) => Meaning::Nothing(name),
    })
}

/// Returns the types of what the name at a place means.
///
/// # Errors
/// `INVALID_ARGUMENT` if no name is there; `FILE_UNREADABLE`; `LANGUAGE_UNAVAILABLE`;
/// `HOST_FAILED`.
pub(super) async fn types_at<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &mut CodeFacts<'_, H>,
    place: &Place,
) -> Result<Vec<FoundDefinition>, Failure> {
    let path = &place.file;
    let file = facts_of(snapshot, code, path).await?;
    let named = name_at(&file.facts, place).ok_or_else(|| no_name(place))?;
    let types = loop {
        let resolver = Resolver::new(&code.world);
        let meaning = match &named {
            NameAtPlace::Definition(id) => vec![(path.clone(), *id)].into(),
            NameAtPlace::Reference(reference) => resolver.resolve_reference(path, &file, reference),
        };
        let types = resolver.types_of(&meaning);
        if !code.load_missing().await? {
            break types;
        }
    };
    found_definitions(snapshot, code, types).await
}

/// Returns the facts of a file.
///
/// # Errors
/// `FILE_UNREADABLE`; `LANGUAGE_UNAVAILABLE` if no language has its extension; `HOST_FAILED`.
async fn facts_of<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &mut CodeFacts<'_, H>,
    path: &RepoPath,
) -> Result<Rc<FileFacts>, Failure> {
    code.load(&BTreeSet::from([path.clone()])).await?;
    match code.world.facts(path) {
        Some(facts) => Ok(facts),
        None => Err(no_facts(snapshot, path).await?.into()),
    }
}

/// Returns definitions with their rows.
pub(super) async fn found_definitions<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &CodeFacts<'_, H>,
    targets: BTreeSet<(RepoPath, DefinitionId)>,
) -> Result<Vec<FoundDefinition>, Failure> {
    let mut definitions = Vec::new();
    for (path, id) in targets {
        if let Some(file) = code.world.facts(&path) {
            definitions.extend(found_definition(snapshot, &path, &file, id).await);
        }
    }
    Ok(definitions)
}

/// Returns the definitions that a reference of a loaded file means, and whether it may mean others.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn resolve_at<H: Host>(
    code: &mut CodeFacts<'_, H>,
    path: &RepoPath,
    file: &FileFacts,
    reference: &Reference,
) -> Result<(Targets, bool), RagnavError> {
    let name = file.facts.name(reference.name).to_owned();
    code.load_linked(path, &BTreeSet::from([name])).await?;
    loop {
        let resolver = Resolver::new(&code.world);
        let meaning = resolver.resolve_reference(path, file, reference);
        let targets = resolver.definitions(&meaning);
        let targets = targets.map(|(path, id)| (path.clone(), id)).collect();
        let is_unknown = meaning.is_unknown();
        if !code.load_missing().await? {
            return Ok((targets, is_unknown));
        }
    }
}

/// Returns the name at a place. A definition precedes a reference at the same place.
fn name_at(facts: &Facts, place: &Place) -> Option<NameAtPlace> {
    let covers = |name: Name, at: Position| place.is_in(facts.name(name), at);
    let ids = (0u32..).map(DefinitionId);
    let mut definitions = facts.definitions.iter().zip(ids);
    let defined = definitions.find(|(one, _)| covers(one.name, one.name_position));
    if let Some((_, id)) = defined {
        return Some(NameAtPlace::Definition(id));
    }
    let named = |one: &&Reference| {
        // What a call returns has no name: `a()()` calls it at `a`.
        let has_name = !matches!(one.receiver, Receiver::Itself(_));
        has_name && covers(one.name, one.position)
    };
    let references = facts.references.iter().filter(named);
    // Of two names that meet at the place, the one that begins there is meant.
    let last = references.max_by_key(|one| one.position.start_utf16);
    last.cloned().map(NameAtPlace::Reference)
}

fn no_name(place: &Place) -> RagnavError {
    let message = format!("there is no name of a definition or reference at {place}");
    RagnavError::invalid(message)
}

/// Returns a definition of a file with its provenance and how it was re-identified.
async fn found_definition<H: Host>(
    snapshot: &Snapshot<'_, H>,
    path: &RepoPath,
    file: &FileFacts,
    id: DefinitionId,
) -> Option<FoundDefinition> {
    let place = id.0 as usize;
    let known = FileDefinitions::indexed(snapshot, path).await;
    let file = FileDefinitions::of_facts(path, &file.facts);
    let provenance = match snapshot.proven(path) {
        Some((_, proof)) => Provenance::indexed(proof),
        None if snapshot.uses_unproven_index(path) => snapshot.unproven_provenance(path),
        None => Provenance::live(snapshot.live_proof(path)),
    };
    let found = file.reidentify(known.as_ref()).into_iter().nth(place)?;
    let definition = file.definition(path, file.symbols.get(place)?, provenance, found);
    Some(FoundDefinition {
        path: path.clone(),
        place,
        definition,
    })
}
