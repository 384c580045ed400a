//! The conditions of the modules around the places of rows.
//!
//! A file and its name say most of a condition. In Rust, the file that declares a module may add
//! to it.

use std::collections::BTreeMap;
use std::rc::Rc;

use ragnav_base::host::{self, Host};
use ragnav_base::item::{Definition, NavItem};
use ragnav_base::path::RepoPath;
use ragnav_base::text;
use ragnav_index::content::ContentHash;
use ragnav_repository::failure::Failure;
use ragnav_repository::snapshot::Snapshot;
use ragnav_resolve::{FileFacts, files_declaring_module, module_declarations};
use ragnav_syntax::facts::join_conditions;

use crate::occurrences::item::OccurrenceItem;
use crate::place_condition::join;
use crate::states::{States, SymbolPlace};

/// The maximum number of modules around a file that are looked at.
const MAX_DEPTH: usize = 32;

/// A row that has a condition.
pub(super) trait ConditionalRow {
    /// Returns the file of the row, and its condition.
    fn file_and_condition(&mut self) -> (&str, &mut Option<String>);
}

impl ConditionalRow for Definition {
    fn file_and_condition(&mut self) -> (&str, &mut Option<String>) {
        (&self.file, &mut self.condition)
    }
}

impl ConditionalRow for NavItem {
    fn file_and_condition(&mut self) -> (&str, &mut Option<String>) {
        (&self.file, &mut self.condition)
    }
}

impl ConditionalRow for SymbolPlace {
    fn file_and_condition(&mut self) -> (&str, &mut Option<String>) {
        (&self.file, &mut self.condition)
    }
}

impl ConditionalRow for OccurrenceItem {
    fn file_and_condition(&mut self) -> (&str, &mut Option<String>) {
        (&self.file, &mut self.condition)
    }
}

/// Adds the conditions of modules to rows in them.
///
/// # Errors
/// [`Failure::ConcurrentModification`] if a file is not the one of the snapshot; `HOST_FAILED` if
/// the host throws.
pub(super) async fn add_module_conditions<'r, H: Host, R: ConditionalRow + 'r>(
    snapshot: &Snapshot<'_, H>,
    rows: impl IntoIterator<Item = &'r mut R>,
) -> Result<(), Failure> {
    add_conditions(snapshot, BTreeMap::new(), rows).await
}

/// Adds the conditions of modules to rows of a state of the repository. `other` is the state that
/// it was compared with: a file that neither has is as it is now.
///
/// # Errors
/// As [`add_module_conditions`].
pub(super) async fn add_module_conditions_of_state<'r, H: Host, R: ConditionalRow + 'r>(
    snapshot: &Snapshot<'_, H>,
    (state, other): (&States, &States),
    rows: impl IntoIterator<Item = &'r mut R>,
) -> Result<(), Failure> {
    let absent = other.keys().map(|path| (path.clone(), None));
    let mut facts: BTreeMap<RepoPath, Option<Rc<FileFacts>>> = absent.collect();
    let declaring = state.iter().filter(|(path, _)| may_declare_modules(path));
    facts.extend(declaring.map(|(path, state)| (path.clone(), state.facts(path))));
    add_conditions(snapshot, facts, rows).await
}

async fn add_conditions<'r, H: Host, R: ConditionalRow + 'r>(
    snapshot: &Snapshot<'_, H>,
    facts: BTreeMap<RepoPath, Option<Rc<FileFacts>>>,
    rows: impl IntoIterator<Item = &'r mut R>,
) -> Result<(), Failure> {
    let mut modules = Modules {
        snapshot,
        declarations: BTreeMap::new(),
        facts,
    };
    for row in rows {
        let (file, condition) = row.file_and_condition();
        let Ok(path) = RepoPath::parse(file) else {
            continue;
        };
        let around = modules.condition(&path).await?;
        *condition = join(around, condition.take());
    }
    Ok(())
}

/// Reports whether a file is in a language whose files are modules that others declare.
fn may_declare_modules(path: &RepoPath) -> bool {
    !files_declaring_module(path).is_empty()
}

/// The declaration of a module.
#[derive(Clone)]
struct Declaration {
    /// The file with the declaration.
    file: RepoPath,
    condition: Option<String>,
}

/// The modules that files are.
struct Modules<'q, H> {
    snapshot: &'q Snapshot<'q, H>,
    declarations: BTreeMap<RepoPath, Option<Declaration>>,
    /// The facts of files that may declare modules. Many files have the same candidates.
    facts: BTreeMap<RepoPath, Option<Rc<FileFacts>>>,
}

impl<H: Host> Modules<'_, H> {
    /// Returns the conditions of the modules around a file.
    async fn condition(&mut self, path: &RepoPath) -> Result<Option<String>, Failure> {
        let mut conditions = Vec::new();
        let mut file = path.clone();
        for _ in 0..MAX_DEPTH {
            let Some(declaration) = self.declaration(&file).await? else {
                break;
            };
            conditions.extend(declaration.condition);
            file = declaration.file;
        }
        conditions.reverse();
        Ok(join_conditions(&conditions))
    }

    /// Returns the declaration of the module that a file is. Of several, one must hold; if one of
    /// them always holds, there is no condition.
    async fn declaration(&mut self, file: &RepoPath) -> Result<Option<Declaration>, Failure> {
        if let Some(known) = self.declarations.get(file) {
            return Ok(known.clone());
        }
        let candidates = files_declaring_module(file);
        self.load(&candidates).await?;
        let mut first = None;
        let mut conditions = Vec::new();
        for path in candidates {
            let Some(Some(facts)) = self.facts.get(&path) else {
                continue;
            };
            for at in module_declarations((&path, &facts.facts), file) {
                first.get_or_insert_with(|| path.clone());
                conditions.push(facts.facts.conditions.at(at));
            }
        }
        let found = first.map(|file| Declaration {
            file,
            condition: any_of(conditions),
        });
        self.declarations.insert(file.clone(), found.clone());
        Ok(found)
    }

    /// Loads the missing facts of files, which need not exist.
    async fn load(&mut self, files: &[RepoPath]) -> Result<(), Failure> {
        let missing = files.iter().filter(|path| !self.facts.contains_key(*path));
        let missing: Vec<RepoPath> = missing.cloned().collect();
        if missing.is_empty() {
            return Ok(());
        }
        let max_bytes = self.snapshot.settings().limits.max_file_bytes;
        let read = host::read_many(self.snapshot.host(), &missing, max_bytes).await?;
        for (path, bytes) in missing.into_iter().zip(read) {
            let facts = match bytes {
                Ok(bytes) => facts_of(self.snapshot, &path, &bytes).await?,
                Err(_) => None,
            };
            self.facts.insert(path, facts);
        }
        Ok(())
    }
}

/// Returns the facts of a file that was read.
async fn facts_of<H: Host>(
    snapshot: &Snapshot<'_, H>,
    path: &RepoPath,
    bytes: &[u8],
) -> Result<Option<Rc<FileFacts>>, Failure> {
    let hash = ContentHash::of(bytes);
    match snapshot.proven(path).map(|(record, _)| record.hash()) {
        Some(indexed) if indexed == Some(hash) => Ok(snapshot.cached_facts(path).await),
        Some(_) => Err(snapshot.contradicted(path)),
        None => match text::decode(bytes) {
            Ok(text) => Ok(snapshot.parsed_facts(path, &text, hash).await),
            Err(_) => Ok(None),
        },
    }
}

/// Joins conditions of which one must hold.
fn any_of(conditions: Vec<Option<String>>) -> Option<String> {
    let mut all: Vec<String> = conditions.into_iter().collect::<Option<_>>()?;
    all.sort_unstable();
    all.dedup();
    (!all.is_empty()).then(|| all.join(" || "))
}
