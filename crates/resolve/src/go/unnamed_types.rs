//! Members of structs without a name, and results of functions without a name.

use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{EMBEDDED, RETURNED, ScopeId};

/// Resolves a member of a struct without a name: its field, or a member of an embedded type. The
/// members of a function are its second and further results. Returns `None` for other entities.
pub(super) fn member(resolver: Resolver<'_>, of: &Entity, name: &str) -> Option<ResolvedEntities> {
    match of {
        Entity::Shape(path, scope) => {
            let own = bound(resolver, (path, *scope), name);
            Some(own.unwrap_or_else(|| {
                let embedded = bound(resolver, (path, *scope), EMBEDDED);
                let embedded = embedded.unwrap_or_default();
                resolver.resolve_members(&embedded, name)
            }))
        }
        Entity::Lambda(path, scope) => bound(resolver, (path, *scope), name),
        _ => None,
    }
}

/// Resolves the first result of a function without a name.
pub(super) fn result(
    resolver: Resolver<'_>,
    (path, scope): (&RepoPath, ScopeId),
) -> ResolvedEntities {
    bound(resolver, (path, scope), RETURNED).unwrap_or_default()
}

/// Resolves what a scope binds to a name; `None` if it binds nothing.
fn bound(
    resolver: Resolver<'_>,
    (path, scope): (&RepoPath, ScopeId),
    name: &str,
) -> Option<ResolvedEntities> {
    let Some(file) = resolver.database.facts(path) else {
        return Some(ResolvedEntities::unknown());
    };
    let bindings: Vec<_> = file.bindings(scope, file.find_name(name)?).collect();
    let source = SourceFile { path, file: &file };
    (!bindings.is_empty()).then(|| resolver.resolve_bindings(&source, &bindings))
}
