//! The definitions that have to be renamed together, and the references to them.

use std::collections::BTreeSet;

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_resolve::{FileFacts, Resolver, share_family};
use ragnav_syntax::Symbol;
use ragnav_syntax::facts::{DefinitionFact, DefinitionId};

use super::family::{family, is_method};
use crate::code_facts::CodeFacts;
use crate::edit_plan::{Refusal, RefusalReason, name_of, others_meant};
use crate::find_definitions::FoundDefinition;
use crate::reference_site::ReferenceSite;
use crate::references::references_to;
use crate::targets::{Targets, targets};

/// The largest number of rounds in which definitions are joined.
const MAX_ROUNDS: usize = 8;

/// A symbol with everything that has its name because of it.
pub(super) struct RenamedSymbol {
    pub(super) name: String,
    /// Its definitions: overloads, parts, constructors with its name, and for a method those that
    /// override it or that it overrides.
    pub(super) targets: Targets,
    /// The references to these definitions, sorted.
    pub(super) sites: Vec<ReferenceSite>,
    /// The files of references that also mean definitions which keep their name.
    pub(super) shared: BTreeSet<RepoPath>,
    /// The number of such references.
    pub(super) shared_count: usize,
}

impl RenamedSymbol {
    /// Finds what is renamed with some definitions, or why it is not one symbol.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn find<H: Host>(
        code: &mut CodeFacts<'_, H>,
        found: &[FoundDefinition],
    ) -> Result<Result<Self, Refusal>, RagnavError> {
        let homes = found.iter().map(|one| one.path.clone()).collect();
        code.load(&homes).await?;
        let wanted = classes_of_constructors(code, &targets(found));
        let names: BTreeSet<String> = wanted
            .iter()
            .filter_map(|place| name_of(code, place))
            .collect();
        let (Some(first), Some(name)) = (wanted.first(), names.first()) else {
            return Ok(Err(Refusal::new(
                RefusalReason::Undefined,
                "Nothing is to be renamed.",
            )));
        };
        let mut targets = Targets::from([first.clone()]);
        for _ in 0..MAX_ROUNDS {
            extend(code, name, &mut targets).await?;
            let sites = references_to(code, name, &targets).await?;
            let others = others_meant(code, name, &sites, &targets);
            let joined: Targets = others
                .iter()
                .flat_map(|(_, places)| places)
                .filter(|place| is_part(code, place, &targets))
                .cloned()
                .collect();
            if joined.is_empty() {
                if wanted.is_subset(&targets) {
                    return Ok(Ok(Self::new(name, targets, sites, &others)));
                }
                return Ok(Err(ambiguous(code, &wanted)));
            }
            targets.extend(joined);
        }
        code.mark_truncated();
        Ok(Err(ambiguous(code, &wanted)))
    }

    fn new(
        name: &str,
        targets: Targets,
        mut sites: Vec<ReferenceSite>,
        others: &[(ReferenceSite, Targets)],
    ) -> Self {
        sites.sort_unstable();
        Self {
            name: name.to_owned(),
            targets,
            sites,
            shared: others.iter().map(|(site, _)| site.path.clone()).collect(),
            shared_count: others.len(),
        }
    }

    /// Returns the renamed methods that something else may declare too: a class from outside of the
    /// repository, or the unknown type of the object that a method is assigned to.
    pub(super) fn outside_bases<H: Host>(&self, code: &CodeFacts<'_, H>) -> Targets {
        let resolver = Resolver::new(&code.world);
        let is_of_unknown_type = |path: &RepoPath, id| {
            is_assigned(code, path, id) && resolver.overridden_methods(path, id).is_empty()
        };
        let is_declared = |(path, id): &&(RepoPath, DefinitionId)| {
            is_method(code, path, *id)
                && (resolver.may_override_unknown(path, *id) || is_of_unknown_type(path, *id))
        };
        self.targets.iter().filter(is_declared).cloned().collect()
    }
}

/// Reports whether a method of TypeScript is assigned to an object, whose type declares it then.
fn is_assigned<H: Host>(code: &CodeFacts<'_, H>, path: &RepoPath, id: DefinitionId) -> bool {
    let language = ragnav_syntax::detect_language(path).map(|language| language.name);
    let file = code.world.facts(path);
    matches!(language, Some("typescript" | "tsx"))
        && file.is_some_and(|file| {
            let definition = file.facts.definition(id);
            definition.is_some_and(|found| found.qualifier.is_some())
        })
}

/// Returns definitions with classes in place of the constructors that have their names.
fn classes_of_constructors<H: Host>(code: &CodeFacts<'_, H>, places: &Targets) -> Targets {
    let resolver = Resolver::new(&code.world);
    let class_of = |place: &(RepoPath, DefinitionId)| {
        let class = resolver.constructed_class(&place.0, place.1)?;
        let class = (place.0.clone(), class);
        (name_of(code, &class) == name_of(code, place)).then_some(class)
    };
    let classes = places.iter();
    classes
        .map(|place| class_of(place).unwrap_or_else(|| place.clone()))
        .collect()
}

/// Adds what has the name because of the targets: definitions with the same name path,
/// constructors, and methods that override a target or that a target overrides.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn extend<H: Host>(
    code: &mut CodeFacts<'_, H>,
    name: &str,
    targets: &mut Targets,
) -> Result<(), RagnavError> {
    // An overload that is added may have overrides of its own.
    for _ in 0..MAX_ROUNDS {
        let before = targets.len();
        extend_once(code, name, targets).await?;
        if targets.len() == before {
            break;
        }
    }
    Ok(())
}

async fn extend_once<H: Host>(
    code: &mut CodeFacts<'_, H>,
    name: &str,
    targets: &mut Targets,
) -> Result<(), RagnavError> {
    let mut joined = family(code, name, targets).await?;
    joined.append(targets);
    for (path, id) in &joined {
        let Some((file, known)) = code.world.facts(path).zip(code.definitions(path)) else {
            continue;
        };
        let Some(target) = known.symbols.get(id.0 as usize) else {
            continue;
        };
        let resolver = Resolver::new(&code.world);
        let may_be_part = |other| resolver.may_be_parts((path, *id), (path, other));
        let all = (0..).map(DefinitionId).zip(&file.facts.definitions);
        for ((other, definition), symbol) in all.zip(&known.symbols) {
            let is_same = symbol.name_path == target.name_path
                && symbol.kind == target.kind
                && may_be_part(other);
            let is_constructor = is_named_by_class(&file, (definition, symbol), name, target)
                && definition.parent.is_none_or(may_be_part);
            if is_same || is_constructor {
                targets.insert((path.clone(), other));
            }
        }
        let constructors = outer_constructors(code, (path, target), name).await?;
        targets.extend(constructors);
    }
    Ok(())
}

/// Returns the constructors and destructors that are defined in other files than their class.
async fn outer_constructors<H: Host>(
    code: &mut CodeFacts<'_, H>,
    (home, class): (&RepoPath, &Symbol),
    name: &str,
) -> Result<Targets, RagnavError> {
    let mut found = Targets::new();
    if !is_class(class) || !Resolver::new(&code.world).joins_definitions(home) {
        return Ok(found);
    }
    let files = code.files_with_name(name).await?;
    code.load(&files).await?;
    for path in files.into_iter().filter(|path| path != home) {
        let Some((file, known)) = code.world.facts(&path).zip(code.definitions(&path)) else {
            continue;
        };
        let symbols = &known.symbols;
        let has_namesake = symbols.iter().any(|one| one.name_path == class.name_path);
        if has_namesake || !share_family(&path, home) {
            continue;
        }
        let all = (0..).map(DefinitionId).zip(&file.facts.definitions);
        for ((id, definition), symbol) in all.zip(symbols) {
            if is_named_by_class(&file, (definition, symbol), name, class) {
                found.insert((path.clone(), id));
            }
        }
    }
    Ok(found)
}

fn is_class(symbol: &Symbol) -> bool {
    matches!(symbol.kind, DefinitionKind::Class | DefinitionKind::Enum)
}

/// Reports whether a definition is a constructor or destructor that has the name of a class.
fn is_named_by_class(
    file: &FileFacts,
    (definition, symbol): (&DefinitionFact, &Symbol),
    name: &str,
    class: &Symbol,
) -> bool {
    let own = file.facts.name(definition.name).trim_start_matches('~');
    let holder = symbol.name_path.rsplit_once('.').map(|(holder, _)| holder);
    let is_constructor = definition.kind == DefinitionKind::Method;
    is_class(class) && is_constructor && own == name && holder == Some(class.name_path.as_str())
}

/// Reports whether a definition is a part of the same symbol as a target: it has its name path in
/// another file, in a language where that makes them one.
fn is_part<H: Host>(
    code: &CodeFacts<'_, H>,
    (path, id): &(RepoPath, DefinitionId),
    targets: &Targets,
) -> bool {
    let resolver = Resolver::new(&code.world);
    if !resolver.joins_definitions(path) {
        return false;
    }
    let wanted = name_path(code, path, *id);
    wanted.is_some()
        && targets.iter().any(|(home, target)| {
            name_path(code, home, *target) == wanted
                && resolver.may_be_parts((path, *id), (home, *target))
        })
}

fn name_path<H: Host>(
    code: &CodeFacts<'_, H>,
    path: &RepoPath,
    id: DefinitionId,
) -> Option<String> {
    let definitions = code.definitions(path)?;
    Some(definitions.symbols.get(id.0 as usize)?.name_path.clone())
}

fn ambiguous<H: Host>(code: &CodeFacts<'_, H>, wanted: &Targets) -> Refusal {
    let ids: BTreeSet<String> = wanted
        .iter()
        .filter_map(|(path, id)| {
            let id = code.definitions(path)?.id_of(id.0 as usize)?;
            Some(format!("`{}`", id.dotted()))
        })
        .collect();
    Refusal::ambiguous(ids, wanted.iter().map(|(path, _)| path))
}
