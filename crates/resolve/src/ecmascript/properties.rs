//! Resolves properties that are read by a name which is not known: `a[b]`, `Object.values(a)`.

use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, DefinitionId, EMBEDDED, NAMELESS_BASE, ScopeId,
};

/// The maximum number of properties of an object any of which may be read.
const MAX_PROPERTIES: usize = 64;

/// Resolves any property of an object or of an interface without bases. Properties whose values are
/// not of the repository, such as numbers, do not count.
pub(super) fn any_property(resolver: Resolver<'_>, of: &Entity) -> ResolvedEntities {
    let found = match of {
        Entity::Shape(path, scope) => properties_in(resolver, (path, *scope)),
        Entity::Instance(path, id) => interface_scope(resolver, (path, *id))
            .and_then(|scope| properties_in(resolver, (path, scope))),
        _ => None,
    };
    found.unwrap_or_else(ResolvedEntities::unknown)
}

/// Returns the scope of an interface that has no other members.
fn interface_scope(
    resolver: Resolver<'_>,
    (path, id): (&RepoPath, DefinitionId),
) -> Option<ScopeId> {
    let file = resolver.database.facts(path)?;
    let interface = file.facts.definition(id)?;
    let is_whole = interface.kind == DefinitionKind::Interface && interface.bases.is_empty();
    is_whole.then_some(interface.scope)
}

/// Resolves the properties that a scope binds. Returns `None` if there may be others, or too many.
fn properties_in(
    resolver: Resolver<'_>,
    (path, scope): (&RepoPath, ScopeId),
) -> Option<ResolvedEntities> {
    let file = resolver.database.facts(path)?;
    let source = SourceFile { path, file: &file };
    let is_bound = |mark: &str| {
        let mark = file.find_name(mark);
        mark.is_some_and(|mark| file.bindings(scope, mark).next().is_some())
    };
    let properties: Vec<&Binding> = file.bound_in(scope).take(MAX_PROPERTIES + 1).collect();
    let are_all = !is_bound(EMBEDDED) && !is_bound(NAMELESS_BASE);
    if !are_all || properties.is_empty() || properties.len() > MAX_PROPERTIES {
        return None;
    }
    let has_value = |one: &&Binding| !matches!(one.target, BindingTarget::Attribute(None));
    let valued = properties.into_iter().filter(has_value);
    let values = valued.map(|property| resolver.resolve_bindings(&source, &[property]));
    Some(ResolvedEntities::union(values))
}
