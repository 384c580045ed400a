//! Finds types and namespaces by their full names, whatever files declare them.

use crate::definitions_named::definitions_named;
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use crate::type_parameters::arity;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{ARITY, DefinitionFact, DefinitionId, PARTIAL, ScopeId, TYPE_ARGUMENT};

use super::projects::Projects;
use super::{CSHARP, Place};

/// The first segment of the folder that stands for a namespace. No file has this path.
const NAMESPACE: &str = "global::";

/// The first segment of the folder that stands for a type outside of the repository.
const OUTSIDE: &str = "extern::";

/// Returns the folder that stands for a namespace.
pub(super) fn namespace(dotted: &str) -> Option<Entity> {
    let path = format!("{NAMESPACE}/{}", dotted.replace('.', "/"));
    Some(Entity::Folder(RepoPath::parse(&path).ok()?))
}

/// Returns the dotted name of the namespace that a folder stands for.
pub(super) fn namespace_of(folder: &RepoPath) -> Option<String> {
    let path = folder.as_str().strip_prefix(NAMESPACE)?;
    Some(path.strip_prefix('/')?.replace('/', "."))
}

/// Returns what stands for a value of a type outside of the repository.
pub(super) fn outside(name: &str) -> ResolvedEntities {
    let path = RepoPath::parse(&format!("{OUTSIDE}/{name}"));
    path.map_or_else(
        |_| ResolvedEntities::none(),
        |path| ResolvedEntities::single(Entity::Folder(path)),
    )
}

/// Returns the name of the type outside of the repository that a folder stands for.
pub(super) fn outside_name(entity: &Entity) -> Option<&str> {
    match entity {
        Entity::Folder(folder) => folder.as_str().strip_prefix(OUTSIDE)?.strip_prefix('/'),
        _ => None,
    }
}

/// Joins the parts of a dotted name.
pub(super) fn join(namespace: &str, name: &str) -> String {
    match namespace {
        "" => name.to_owned(),
        namespace => format!("{namespace}.{name}"),
    }
}

/// Returns the full name of what a directive names: that in the innermost namespace around the
/// directive that has it, or else the name as it is written. The level of the directive contains
/// the number of type arguments.
pub(super) fn name_in_directive(
    resolver: Resolver<'_>,
    projects: &Projects,
    source: &SourceFile<'_>,
    (scope, dotted, level): (ScopeId, &str, u32),
) -> String {
    let facts = &source.file.facts;
    let around = facts.scope(scope).and_then(|scope| scope.definition);
    let around = around.filter(|id| {
        let definition = source.definition(*id);
        definition.is_some_and(|one| one.kind == DefinitionKind::Namespace)
    });
    let around = around.map_or(String::new(), |namespace| facts.name_path(namespace));
    let ends = around.match_indices('.').map(|(end, _)| end);
    let mut outer: Vec<&str> = ends
        .chain([around.len()])
        .filter_map(|end| around.get(..end))
        .collect();
    outer.retain(|outer| !outer.is_empty());
    let is_meant = |source: &SourceFile<'_>, id, kind| is_named_at(source, (id, kind), level);
    let mut inner = outer.into_iter().rev().map(|outer| join(outer, dotted));
    let nearest =
        inner.find(|name| !at_path(resolver, projects, (name, source.path), is_meant).is_empty());
    nearest.unwrap_or_else(|| dotted.to_owned())
}

/// Returns the definitions with a name, in all files.
pub(super) fn all_named(
    resolver: Resolver<'_>,
    name: &str,
    is_wanted: impl Fn(&DefinitionFact) -> bool,
) -> Vec<Place> {
    definitions_named(resolver, CSHARP, name, |_, _, one| is_wanted(one))
}

/// Returns the types with a bare name such as `A` or ``A`1``, in all files.
pub(super) fn all_types_named(resolver: Resolver<'_>, name: &str) -> Vec<Place> {
    let (name, wanted) = split_arity(name);
    definitions_named(resolver, CSHARP, name, |source, id, one| {
        is_type(one.kind) && arity(source, id) == wanted
    })
}

/// Returns the types with a full name such as `A.B` or ``A.B`1``.
pub(super) fn named(
    resolver: Resolver<'_>,
    projects: &Projects,
    (dotted, from): (&str, &RepoPath),
) -> Vec<Place> {
    let (dotted, wanted) = split_arity(dotted);
    at_path(resolver, projects, (dotted, from), |source, id, kind| {
        is_type(kind) && arity(source, id) == wanted
    })
}

/// Separates a name from the number of its type arguments.
fn split_arity(name: &str) -> (&str, usize) {
    let parts = name.rsplit_once(ARITY);
    let generic = parts.and_then(|(name, arity)| Some((name, arity.parse().ok()?)));
    generic.unwrap_or((name, 0))
}

/// Reports whether an entity is no type, or has as many type parameters as a name has arguments.
pub(super) fn has_arity_of(resolver: Resolver<'_>, entity: &Entity, name: &str) -> bool {
    let Entity::Definition(path, id) = entity.without_type_arguments() else {
        return true;
    };
    let file = resolver.database.facts(path);
    file.is_none_or(|file| {
        let source = SourceFile { path, file: &file };
        let kind = source.definition(*id).map(|one| one.kind);
        !kind.is_some_and(is_type) || arity(&source, *id) == split_arity(name).1
    })
}

/// Reports whether a definition is a namespace, or a type with as many type parameters as a
/// directive with a level has arguments.
pub(super) fn is_named_at(
    source: &SourceFile<'_>,
    (id, kind): (DefinitionId, DefinitionKind),
    level: u32,
) -> bool {
    kind == DefinitionKind::Namespace || (is_type(kind) && has_arity_at(source, id, Some(level)))
}

/// Reports whether a type has as many type parameters as a directive with a level has arguments. A
/// directive of a project has no level.
pub(super) fn has_arity_at(source: &SourceFile<'_>, id: DefinitionId, level: Option<u32>) -> bool {
    level.is_none_or(|level| u32::try_from(arity(source, id)) == Ok(level / TYPE_ARGUMENT))
}

/// Returns the definitions with a dotted name that are wanted, by their kind. If projects declare
/// one each, that of the project of a file counts.
pub(super) fn at_path(
    resolver: Resolver<'_>,
    projects: &Projects,
    (dotted, from): (&str, &RepoPath),
    is_wanted: impl Fn(&SourceFile<'_>, DefinitionId, DefinitionKind) -> bool,
) -> Vec<Place> {
    let name = dotted.rsplit('.').next().unwrap_or(dotted);
    let found = definitions_named(resolver, CSHARP, name, |source, id, one| {
        is_wanted(source, id, one.kind)
    });
    let has_path = |(path, id): &Place| {
        let facts = resolver.database.facts(path);
        facts.is_some_and(|facts| facts.facts.name_path(*id) == dotted)
    };
    let found: Vec<Place> = found.into_iter().filter(has_path).collect();
    let own = projects.folder_of(from);
    let is_own = |(path, _): &Place| projects.folder_of(path) == own;
    if own.is_some() && found.iter().any(is_own) {
        return found.into_iter().filter(is_own).collect();
    }
    found
}

/// Reports whether a definition is a type.
pub(super) fn is_type(kind: DefinitionKind) -> bool {
    matches!(
        kind,
        DefinitionKind::Class
            | DefinitionKind::Interface
            | DefinitionKind::Enum
            | DefinitionKind::Type
    )
}

/// Returns the parts of a partial type in all files, or nothing for any other type.
pub(super) fn parts(
    resolver: Resolver<'_>,
    projects: &Projects,
    source: &SourceFile<'_>,
    id: DefinitionId,
) -> Vec<Place> {
    if !is_partial(source, id) {
        return Vec::new();
    }
    let dotted = source.file.facts.name_path(id);
    let wanted = arity(source, id);
    at_path(
        resolver,
        projects,
        (&dotted, source.path),
        |source, id, kind| is_type(kind) && arity(source, id) == wanted && is_partial(source, id),
    )
}

/// Reports whether other files may declare parts of a type.
pub(super) fn is_partial(source: &SourceFile<'_>, id: DefinitionId) -> bool {
    let scope = source.definition(id).map(|found| found.scope);
    let mark = source.file.find_name(PARTIAL);
    scope.zip(mark).is_some_and(|(scope, mark)| {
        let mut bindings = source.file.bindings(scope, mark);
        bindings.next().is_some()
    })
}
