//! Whether files would import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::path::RepoPath;
use ragnav_resolve::{Entity, FileFacts, Resolver};
use ragnav_syntax::facts::{Import, ReferenceKind};

use super::names::runs_in_function;
use super::rules::Rules;
use crate::code_facts::CodeFacts;
use crate::edit_plan::{Refusal, RefusalReason};

/// The files that each file imports newly.
pub(super) type NewImports = BTreeMap<RepoPath, BTreeSet<RepoPath>>;

/// The largest number of files whose imports are followed.
const MAX_FILES: usize = 5_000;

/// The number of rounds in which missing files are loaded, at each step from file to file.
const MAX_ROUNDS: usize = 8;

/// Returns the files that an import leads to: a module, or a module in a package.
pub(super) fn imported_files<H: Host>(
    code: &CodeFacts<'_, H>,
    path: &RepoPath,
    file: &FileFacts,
    import: &Import,
) -> BTreeSet<RepoPath> {
    let resolver = Resolver::new(&code.world);
    let mut references = file.facts.references.iter();
    let name =
        references.find(|one| one.kind == ReferenceKind::Import && one.position == import.position);
    let meaning = name.map(|name| resolver.resolve_reference(path, file, name));
    let modules = meaning.into_iter().flat_map(|meaning| meaning.entities);
    let modules: BTreeSet<RepoPath> = modules
        .filter_map(|entity| match entity {
            Entity::Module(module) => Some(module),
            _ => None,
        })
        .collect();
    if modules.is_empty() {
        return resolver
            .resolve_import_file(path, file, import)
            .into_iter()
            .collect();
    }
    modules
}

/// Returns the refusal for files that would import each other in a circle because of the move.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn cycles<H: Host>(
    code: &mut CodeFacts<'_, H>,
    rules: &dyn Rules,
    added: &NewImports,
) -> Result<Option<Refusal>, RagnavError> {
    for (from, files) in added {
        for to in files {
            let mut starts = BTreeSet::from([to.clone()]);
            starts.extend(rules.packages_between(from, to));
            if from == to || reaches(code, rules, &starts, from).await? {
                let message = format!(
                    "After the move, {from} would import from {to}, and {to} from {from}, by way \
                     of other files perhaps; such files fail when they are imported."
                );
                return Ok(Some(Refusal::in_files(
                    RefusalReason::Cycle,
                    1,
                    [from, to],
                    message,
                )));
            }
        }
    }
    Ok(None)
}

/// Reports whether one of some files imports a file, by any number of steps, when it is imported.
async fn reaches<H: Host>(
    code: &mut CodeFacts<'_, H>,
    rules: &dyn Rules,
    starts: &BTreeSet<RepoPath>,
    wanted: &RepoPath,
) -> Result<bool, RagnavError> {
    let mut seen = starts.clone();
    let mut ahead = starts.clone();
    while !ahead.is_empty() {
        code.load(&ahead).await?;
        let mut next = imports_of(code, rules, &ahead);
        for _ in 0..MAX_ROUNDS {
            let missing = code.world.take_missing();
            if missing.is_empty() {
                break;
            }
            code.load(&missing).await?;
            next = imports_of(code, rules, &ahead);
        }
        if next.contains(wanted) {
            return Ok(true);
        }
        ahead = next.difference(&seen).cloned().collect();
        seen.extend(ahead.iter().cloned());
        if seen.len() > MAX_FILES {
            code.mark_truncated();
            return Ok(false);
        }
    }
    Ok(false)
}

fn imports_of<H: Host>(
    code: &CodeFacts<'_, H>,
    rules: &dyn Rules,
    files: &BTreeSet<RepoPath>,
) -> BTreeSet<RepoPath> {
    let mut all = BTreeSet::new();
    for path in files {
        let Some(file) = code.world.facts(path) else {
            continue;
        };
        let imports = file.facts.imports.iter();
        for import in imports.filter(|one| !runs_in_function(&file, one.scope)) {
            for to in imported_files(code, path, &file, import) {
                all.extend(rules.packages_between(path, &to));
                all.insert(to);
            }
        }
    }
    all
}
