//! The classes and modules that a constant names. Any file may open them.

use crate::definitions_named::definitions_named;
use crate::entity::ResolvedEntities;
use crate::resolver::Resolver;
use ragnav_base::item::DefinitionKind;

use super::RUBY;

/// Returns the definitions of a class or module by its full path.
pub(super) fn resolve(resolver: Resolver<'_>, path: &str) -> ResolvedEntities {
    let last = path.rsplit('.').next().unwrap_or(path);
    definitions_named(resolver, RUBY, last, |facts, id, one| {
        let is_class = matches!(one.kind, DefinitionKind::Class | DefinitionKind::Namespace);
        is_class && facts.name_path(id) == path
    })
    .into()
}
