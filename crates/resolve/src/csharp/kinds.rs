//! The kinds of the definitions that a name means.

use super::Place;
use crate::entity::Entity;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_syntax::facts::{BindingTarget, DefinitionFact, FIELD};

fn definition_of<T>(
    resolver: Resolver<'_>,
    entity: &Entity,
    read: impl FnOnce(&SourceFile<'_>, &DefinitionFact) -> T,
) -> Option<T> {
    let Entity::Definition(path, id) = entity.without_type_arguments() else {
        return None;
    };
    let file = resolver.database.facts(path)?;
    let source = SourceFile { path, file: &file };
    Some(read(&source, source.definition(*id)?))
}

/// Reports whether an entity is a method, a property or a function.
pub(super) fn is_callable(resolver: Resolver<'_>, entity: &Entity) -> bool {
    let kind = definition_of(resolver, entity, |_, definition| definition.kind);
    matches!(
        kind,
        Some(DefinitionKind::Method | DefinitionKind::Function)
    )
}

/// Reports whether an entity is a property, an indexer or an event, to whose value its type binds
/// the name.
pub(super) fn is_value(resolver: Resolver<'_>, entity: &Entity) -> bool {
    let found = definition_of(resolver, entity, |source, definition| {
        let class = definition.parent.and_then(|id| source.definition(id));
        let name = format!("{FIELD}{}", source.file.facts.name(definition.name));
        let name = source.file.find_name(&name);
        class.zip(name).is_some_and(|(class, name)| {
            let mut bindings = source.file.bindings(class.scope, name);
            bindings.any(|binding| matches!(binding.target, BindingTarget::Attribute(_)))
        })
    });
    found.unwrap_or_default()
}

/// Reports whether an entity is a constructor, which code does not name.
pub(super) fn is_constructor(resolver: Resolver<'_>, entity: &Entity) -> bool {
    let found = definition_of(resolver, entity, |source, definition| {
        let class = definition.parent.and_then(|id| source.definition(id));
        let is_method = definition.kind == DefinitionKind::Method;
        class.is_some_and(|class| is_method && class.name == definition.name)
    });
    found.unwrap_or_default()
}

pub(super) fn has_name(resolver: Resolver<'_>, (path, id): &Place, name: &str) -> bool {
    let entity = Entity::Definition(path.clone(), *id);
    let found = definition_of(resolver, &entity, |source, definition| {
        source.file.facts.name(definition.name) == name
    });
    found.unwrap_or_default()
}
