//! Resolves names in languages whose imports are not followed.
//!
//! A name that its own file defines is resolved. Any other name may refer to any definition of that
//! name, so it stays unknown.

use crate::computed_names::Reflection;
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::{FamilyLanguages, HeadName, LanguageFamily, LanguageResolver, Resolver};
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_syntax::facts::{DefinitionFact, Import, OWN_INSTANCE, ScopeId};

/// Creates the family of languages that may define each other's names.
pub(super) const fn family(languages: FamilyLanguages) -> LanguageFamily {
    LanguageFamily {
        languages,
        is_resolved_by_name: true,
        reflection: Reflection::BY_SYNTAX,
        is_manifest: |_| false,
        create_resolver: |_, _| Box::new(ByName),
    }
}

#[derive(Debug)]
struct ByName;

impl LanguageResolver for ByName {
    fn resolve_import(&self, _: Resolver<'_>, _: &SourceFile<'_>, _: &Import) -> ResolvedEntities {
        ResolvedEntities::unknown()
    }

    fn resolve_keyword(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        head: HeadName<'_>,
    ) -> Option<ResolvedEntities> {
        (head.text == OWN_INSTANCE).then(|| resolve_own_instance(resolver, source, scope))
    }

    fn has_members_in_scope(&self, _: &DefinitionFact) -> bool {
        true
    }

    fn resolve_unbound(&self, _: Resolver<'_>, _: &SourceFile<'_>, _: &str) -> ResolvedEntities {
        ResolvedEntities::unknown()
    }

    fn resolve_module_member(
        &self,
        _: Resolver<'_>,
        _: &SourceFile<'_>,
        _: &str,
    ) -> ResolvedEntities {
        ResolvedEntities::unknown()
    }

    fn resolve_external_call(&self, _: &str) -> ResolvedEntities {
        ResolvedEntities::unknown()
    }

    fn resolve_call(&self, _: Resolver<'_>, _: &Entity) -> Option<ResolvedEntities> {
        Some(ResolvedEntities::unknown())
    }
}

/// Resolves the current instance: an instance of the enclosing type or of the method's qualifier.
fn resolve_own_instance(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    scope: ScopeId,
) -> ResolvedEntities {
    let inside = source.file.facts.scope(scope);
    let inside = inside.and_then(|scope| scope.definition);
    let Some((id, definition)) = inside.and_then(|id| Some((id, source.definition(id)?))) else {
        return ResolvedEntities::unknown();
    };
    if definition.kind != DefinitionKind::Method {
        return instance_of(resolver, Entity::Definition(source.path.clone(), id));
    }
    if let Some(name) = definition.qualifier {
        let name = source.file.facts.name(name);
        let enclosing = source.enclosing_scope(definition);
        let named = resolver.resolve_name(source, enclosing, name);
        let types = named
            .entities
            .into_iter()
            .map(|of| instance_of(resolver, of));
        let mut resolution = ResolvedEntities::union(types);
        resolution.has_unknown |= named.has_unknown || resolution.entities.is_empty();
        return resolution;
    }
    let class = definition.parent.map(|class| source.entity(class));
    class.map_or_else(ResolvedEntities::unknown, |class| {
        instance_of(resolver, class)
    })
}

fn instance_of(resolver: Resolver<'_>, entity: Entity) -> ResolvedEntities {
    match entity {
        Entity::Definition(path, id) if resolver.has_members(&path, id) => {
            ResolvedEntities::single(Entity::Instance(path, id))
        }
        _ => ResolvedEntities::unknown(),
    }
}
