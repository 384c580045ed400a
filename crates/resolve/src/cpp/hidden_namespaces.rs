//! Definitions in a namespace that a macro opens: `BEGIN_NAMESPACE` for `namespace a {`.
//!
//! One file may open the namespace by a macro and another one by its name. The whole paths of what
//! they declare then differ by the namespace.

use super::includes::is_of_family;
use super::internal_names::is_internal;
use super::lookup::opening_macros;
use super::specializations::whole_path;
use crate::entity::{Entity, ResolvedEntities};
use crate::file_facts::FileFacts;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{DefinitionFact, DefinitionId};

/// Returns the definitions of what a file declares, if one of the two paths is the end of the other
/// one. They are unknown if no macro is known to open the namespaces before it.
pub(super) fn definitions_in_hidden_namespaces(
    resolver: Resolver<'_>,
    declaring: &RepoPath,
    path: &str,
) -> ResolvedEntities {
    let mut found = ResolvedEntities::none();
    let last = path.rsplit('.').next().unwrap_or_default();
    for (file, facts) in resolver.database.loaded_files() {
        let Some(name) = facts.find_name(last).filter(|_| is_of_family(file)) else {
            continue;
        };
        let source = SourceFile {
            path: file,
            file: facts,
        };
        let ids = (0..).map(DefinitionId).zip(&facts.facts.definitions);
        let free = ids.filter(|(id, one)| {
            one.name == name && is_free(&source, one) && !is_internal(&source, *id)
        });
        for (id, definition) in free {
            let own = whole_path(&source, definition);
            let of_definition = prefix(path, &own).map(|hidden| (file, hidden));
            let hidden =
                of_definition.or_else(|| prefix(&own, path).map(|hidden| (declaring, hidden)));
            match hidden {
                Some((opening, namespace)) if opens(resolver, opening, namespace) => {
                    resolver.database.add_dependency(file);
                    found.entities.insert(Entity::Definition(file.clone(), id));
                }
                Some(_) => found.has_unknown = true,
                None => {}
            }
        }
    }
    found
}

/// Returns what precedes the end of a path: `a.b` of `a.b.c` before `c`.
fn prefix<'p>(path: &'p str, end: &str) -> Option<&'p str> {
    path.strip_suffix(end)?.strip_suffix('.')
}

/// Reports whether a file mentions a macro that opens a namespace.
fn opens(resolver: Resolver<'_>, file: &RepoPath, namespace: &str) -> bool {
    let Some(facts) = resolver.database.facts(file) else {
        return false;
    };
    let files = resolver.database.loaded_files();
    let macros = opening_macros(resolver, files.map(|(file, _)| file), namespace);
    macros.iter().any(|name| mentions(&facts, name))
}

fn mentions(facts: &FileFacts, name: &str) -> bool {
    facts.find_name(name).is_some()
}

/// Reports whether a definition is a member of no class.
fn is_free(source: &SourceFile<'_>, definition: &DefinitionFact) -> bool {
    let parent = definition.parent.and_then(|id| source.definition(id));
    definition.kind != DefinitionKind::Method
        && parent.is_none_or(|parent| parent.kind == DefinitionKind::Namespace)
}
