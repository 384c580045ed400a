//! The subject of a query about code: a symbol by its name, or the name at a place in a file.

use std::collections::BTreeSet;

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::Definition;
use ragnav_base::item::SkipReason;
use ragnav_base::path::RepoPath;
use ragnav_repository::failure::Failure;
use ragnav_repository::scope::Scope;
use ragnav_repository::snapshot::Snapshot;

use crate::code_facts::CodeFacts;
use crate::find_definitions::{FoundDefinition, FoundDefinitions, Needed, SymbolQuery, find};
use crate::indirect_names::find_indirectly;
use crate::modules::{FoundModule, FoundModules, find_modules};
use crate::name_at_place::{Meaning, Place, meaning_of};
use crate::partial_files::PartialFiles;
use crate::row_conditions::add_module_conditions;
use crate::suggestions::similar_symbols;

/// What a query about code is about.
///
/// # Examples
///
/// ```
/// use ragnav_query::Query;
/// use ragnav_query::arguments::Arguments;
/// use ragnav_query::locate::Locate;
///
/// let validate = |symbol: &str| {
///     let arguments = serde_json::json!({"symbol": symbol});
///     let arguments = Arguments::lenient(arguments, Locate::POSITIONAL);
///     Locate::new(&arguments, Default::default()).validate()
/// };
/// assert!(validate("a.total").is_ok());
/// assert!(validate("a.py:2:1").is_ok());
/// assert!(validate("a.py:0:1").is_err());
/// ```
#[derive(Debug, Clone)]
pub enum Subject {
    /// Every definition that a symbol names.
    Symbol(SymbolQuery),
    /// The definitions that the name at a place means.
    Place(Place),
}

/// The definitions of a subject.
#[derive(Clone)]
pub(super) struct FoundSubject {
    pub(super) definitions: Vec<FoundDefinition>,
    /// The modules, if no definition is meant.
    pub(super) modules: Vec<FoundModule>,
    /// Whether the definitions only share the name that was asked about.
    pub(super) is_by_name_only: bool,
    /// The number of files that could not be read.
    pub(super) unread: usize,
    /// The files that may hold more definitions and were only parsed in part.
    pub(super) partial: PartialFiles,
    /// What a person should know about the definitions.
    pub(super) note: Option<String>,
    /// The name, if nothing is known that defines it.
    pub(super) undefined: Option<String>,
    /// The file of a place, if nothing is known that the name there means.
    pub(super) unexplained: Option<RepoPath>,
    /// The defined symbols whose names are most like the one that nothing defines, best first.
    pub(super) suggestions: Vec<String>,
}

impl Subject {
    /// Parses a place, such as `shop/cart.py:14:9`, or else a symbol.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for neither; `LANGUAGE_UNAVAILABLE` for a place in another kind of file.
    pub(super) fn parse(text: &str) -> Result<Self, RagnavError> {
        match Place::parse(text) {
            Some(place) => Ok(Self::Place(place?)),
            None => Ok(Self::Symbol(SymbolQuery::new(text)?)),
        }
    }

    /// Returns the files that finding the definitions needs.
    pub(super) fn scope(&self) -> Scope<'_> {
        match self {
            Self::Symbol(query) if !query.is_dotted() => Scope::Code,
            Self::Symbol(_) | Self::Place(_) => Scope::Links,
        }
    }

    /// Returns the definitions of the subject for a query that needs no other facts.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if no name is at the place; `FILE_UNREADABLE`; `HOST_FAILED`.
    pub(super) async fn find_alone<H: Host>(
        &self,
        snapshot: &Snapshot<'_, H>,
    ) -> Result<FoundSubject, Failure> {
        let (mut code, mut found);
        match self {
            Self::Symbol(query) => {
                found = find_symbol(snapshot, query, Needed::Definitions).await?;
                if found.is_found() {
                    return found.with_module_conditions(snapshot).await;
                }
                code = CodeFacts::new(snapshot).await?;
                found = find_otherwise(snapshot, &mut code, query, found).await?;
            }
            Self::Place(place) => {
                code = CodeFacts::new(snapshot).await?;
                found = find_at(snapshot, &mut code, place).await?;
            }
        }
        // Other queries report what their own facts lack.
        let outcome = code.into_outcome(found.unread, found.partial, None);
        (found.unread, found.partial) = (outcome.unread, outcome.partial);
        found.with_module_conditions(snapshot).await
    }

    /// Returns the definitions of the subject.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if no name is at the place; `FILE_UNREADABLE`; `HOST_FAILED`.
    pub(super) async fn find<H: Host>(
        &self,
        snapshot: &Snapshot<'_, H>,
        code: &mut CodeFacts<'_, H>,
    ) -> Result<FoundSubject, Failure> {
        let found = match self {
            Self::Symbol(query) => match find_symbol(snapshot, query, Needed::Facts).await? {
                found if found.is_found() => found,
                nothing => find_otherwise(snapshot, code, query, nothing).await?,
            },
            Self::Place(place) => find_at(snapshot, code, place).await?,
        };
        found.with_module_conditions(snapshot).await
    }
}

/// Returns the definitions or modules that have the name of a symbol.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
async fn find_symbol<H: Host>(
    snapshot: &Snapshot<'_, H>,
    query: &SymbolQuery,
    needed: Needed,
) -> Result<FoundSubject, Failure> {
    let found = FoundSubject::from(find(snapshot, query, needed).await?);
    if !found.definitions.is_empty() {
        return Ok(found);
    }
    let FoundModules { modules, unread } = find_modules(snapshot, query).await?;
    Ok(FoundSubject {
        modules,
        unread: found.unread.max(unread),
        ..found
    })
}

/// Returns the definitions that a symbol means by imports and inheritance, for a symbol that is the
/// name of nothing. If there are none, returns similar symbols.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
async fn find_otherwise<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &mut CodeFacts<'_, H>,
    query: &SymbolQuery,
    nothing: FoundSubject,
) -> Result<FoundSubject, Failure> {
    let definitions = find_indirectly(snapshot, code, query).await?;
    if !definitions.is_empty() {
        return Ok(FoundSubject {
            note: Some(indirect(query.as_str(), &definitions)),
            definitions,
            ..nothing
        });
    }
    let suggestions = similar_symbols(snapshot, query).await?;
    let is_proven = nothing.unread == 0 && nothing.partial.is_empty() && lists_all_code(snapshot);
    Ok(FoundSubject {
        note: Some(undefined(query.as_str(), is_proven, &suggestions)),
        undefined: Some(query.as_str().to_owned()),
        suggestions,
        ..nothing
    })
}

/// Returns the definitions that the name at a place means. If that is not known, these are all
/// definitions of the name in the same family of languages.
///
/// # Errors
/// `INVALID_ARGUMENT` if no name is at the place; `FILE_UNREADABLE`; `HOST_FAILED`.
async fn find_at<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &mut CodeFacts<'_, H>,
    place: &Place,
) -> Result<FoundSubject, Failure> {
    let name = match meaning_of(snapshot, code, place).await? {
        Meaning::Definitions(definitions) => {
            return Ok(FoundSubject {
                definitions,
                ..FoundSubject::none()
            });
        }
        Meaning::Modules(modules) => {
            return Ok(FoundSubject {
                modules,
                ..FoundSubject::none()
            });
        }
        Meaning::Nothing(name) => {
            let note = format!(
                "No definition of `{name}` at {place} is known in this repository: it may be of a \
                 dependency, built in, or of a type that is not followed."
            );
            return Ok(FoundSubject {
                note: Some(note),
                undefined: Some(name),
                unexplained: Some(place.file.clone()),
                ..FoundSubject::none()
            });
        }
        Meaning::Unknown(name) => name,
    };
    let query = SymbolQuery::new(&name)?;
    let mut found = FoundSubject::from(find(snapshot, &query, Needed::Facts).await?);
    let is_related =
        |found: &FoundDefinition| ragnav_resolve::share_family(&found.path, &place.file);
    found.definitions.retain(is_related);
    found.is_by_name_only = true;
    found.note = Some(unknown(&name, place, found.definitions.len()));
    found.undefined = found.definitions.is_empty().then_some(name);
    Ok(found)
}

impl FoundSubject {
    /// Adds the conditions of modules to the definitions.
    async fn with_module_conditions<H: Host>(
        mut self,
        snapshot: &Snapshot<'_, H>,
    ) -> Result<Self, Failure> {
        let definitions = self.definitions.iter_mut().map(|one| &mut one.definition);
        add_module_conditions(snapshot, definitions).await?;
        Ok(self)
    }

    /// Returns nothing.
    pub(super) fn none() -> Self {
        Self {
            definitions: Vec::new(),
            modules: Vec::new(),
            is_by_name_only: false,
            unread: 0,
            partial: PartialFiles::default(),
            note: None,
            undefined: None,
            unexplained: None,
            suggestions: Vec::new(),
        }
    }

    /// Reports whether a definition or a module is meant.
    fn is_found(&self) -> bool {
        !self.definitions.is_empty() || !self.modules.is_empty()
    }

    /// Says why no definition is meant.
    pub(super) fn without_definition(&self) -> String {
        let module = self.modules.first().map(|module| {
            format!(
                "`{}` is the file {}, and no definition in it.",
                module.definition.symbol.dotted(),
                module.path
            )
        });
        let note = self.note.clone().or(module);
        note.unwrap_or_else(|| "Nothing has this name.".to_owned())
    }

    /// Returns the rows of the definitions and modules.
    pub(super) fn rows(&self) -> Vec<Definition> {
        let definitions = self.definitions.iter().map(|one| &one.definition);
        let modules = self.modules.iter().map(|one| &one.definition);
        definitions.chain(modules).cloned().collect()
    }
}

impl From<FoundDefinitions> for FoundSubject {
    fn from(found: FoundDefinitions) -> Self {
        Self {
            definitions: found.definitions,
            unread: found.unread,
            partial: found.partial,
            ..Self::none()
        }
    }
}

/// Reports whether no limit and no failure kept a file with code out of the answer.
fn lists_all_code<H: Host>(snapshot: &Snapshot<'_, H>) -> bool {
    let has_no_code = |reason: SkipReason| {
        matches!(
            reason,
            SkipReason::Binary
                | SkipReason::Link
                | SkipReason::InstalledPackages
                | SkipReason::Cache
                | SkipReason::Ignored
        )
    };
    let mut skipped = snapshot.skipped().iter();
    snapshot.is_complete() && skipped.all(|skip| has_no_code(skip.reason))
}

fn undefined(symbol: &str, is_proven: bool, suggestions: &[String]) -> String {
    let files = if is_proven {
        "this repository"
    } else {
        "the files that could be read and parsed in full"
    };
    let nothing = format!(
        "No function, class, type or module in {files} is called `{symbol}`; variables and \
         constants are not looked for."
    );
    match suggestions {
        [] => nothing,
        [best] => format!("{nothing} Did you mean `{best}`?"),
        [best, others @ ..] => {
            let others: Vec<String> = others.iter().map(|name| format!("`{name}`")).collect();
            format!("{nothing} Did you mean `{best}`, or {}?", others.join(", "))
        }
    }
}

fn indirect(symbol: &str, definitions: &[FoundDefinition]) -> String {
    let ids: BTreeSet<String> = definitions
        .iter()
        .map(|found| format!("`{}`", found.definition.symbol.dotted()))
        .collect();
    let ids = ids.into_iter().collect::<Vec<_>>().join(" and ");
    format!("By imports and inheritance, `{symbol}` is {ids}, which the answer is about.")
}

fn unknown(name: &str, place: &Place, definitions: usize) -> String {
    let known = match definitions {
        0 => "and nothing in this language defines the name".to_owned(),
        1 => "so the answer is about the one definition of that name".to_owned(),
        count => format!("so the answer is about all {count} definitions of that name"),
    };
    format!("What `{name}` means at {place} cannot be proven, {known}.")
}
