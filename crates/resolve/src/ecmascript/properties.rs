//! Resolves properties that are read by a name which is not known: `a[b]`, `Object.values(a)`.

use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, CALL_SIGNATURE, CONSTRUCT_SIGNATURE, DefinitionId, EMBEDDED,
    INDEX_SIGNATURE, NAMELESS_BASE, RETURNED, ScopeId,
};

/// The maximum number of properties of an object any of which may be read.
const MAX_PROPERTIES: usize = 64;

/// The names in the scope of an object or interface that say that it may have other properties.
const OPEN: [&str; 3] = [EMBEDDED, INDEX_SIGNATURE, NAMELESS_BASE];

/// The names in such a scope that are no properties.
const SIGNATURES: [&str; 3] = [CALL_SIGNATURE, CONSTRUCT_SIGNATURE, RETURNED];

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
    let has_value = |one: &&Binding| {
        let is_property = !SIGNATURES.contains(&file.facts.name(one.name));
        is_property && !matches!(one.target, BindingTarget::Attribute(None))
    };
    let properties = file.bound_in(scope).filter(has_value);
    let properties: Vec<&Binding> = properties.take(MAX_PROPERTIES + 1).collect();
    let is_open = OPEN.into_iter().any(is_bound);
    if is_open || properties.is_empty() || properties.len() > MAX_PROPERTIES {
        return None;
    }
    let values = properties.into_iter();
    let values = values.map(|property| resolver.resolve_bindings(&source, &[property]));
    Some(ResolvedEntities::union(values))
}
