//! Joins a class template with its specialisations: a use of its name may mean any of them.

use std::collections::BTreeSet;

use super::{Cpp, paths_of};
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{DefinitionFact, DefinitionId, NAMESPACE, SPECIALIZATION, ScopeId};

/// From one specialisation over its template to the others.
const ROUNDS: usize = 2;

impl Cpp {
    /// Adds the template and the specialisations of the classes among some entities.
    pub(super) fn add_specializations(resolver: Resolver<'_>, entities: &mut BTreeSet<Entity>) {
        let mut added: Vec<Entity> = entities.iter().cloned().collect();
        for _ in 0..ROUNDS {
            let classes = added.iter().filter(|one| is_class(resolver, one));
            let joined = classes.map(|class| resolver.resolve_member(class, SPECIALIZATION));
            let joined: BTreeSet<Entity> = joined.flat_map(|found| found.entities).collect();
            added = joined.difference(entities).cloned().collect();
            entities.extend(joined);
        }
    }

    /// Resolves the specialisations of a class in the loaded files, and the template that it
    /// specialises.
    pub(super) fn specializations(
        &self,
        resolver: Resolver<'_>,
        class: &Entity,
    ) -> ResolvedEntities {
        let mut joined = ResolvedEntities::none();
        let Some(name) = name_of(resolver, class) else {
            return joined;
        };
        for (path, facts) in resolver.database.loaded_files() {
            let Some(name) = facts.find_name(&name) else {
                continue;
            };
            let source = SourceFile { path, file: facts };
            let ids = (0..).map(DefinitionId).zip(&facts.facts.definitions);
            let named =
                ids.filter(|(_, one)| one.name == name && source.has_modifier(one, SPECIALIZATION));
            for (id, definition) in named {
                let mut group = self.look_up(resolver, path, &whole_path(&source, definition));
                group.entities.retain(|one| is_class(resolver, one));
                let own = source.entity(id);
                if own == *class {
                    joined.entities.extend(group.entities);
                } else if group.entities.contains(class) {
                    joined.entities.insert(own);
                }
            }
        }
        joined
    }
}

/// Returns the whole path of a definition outside of classes.
pub(super) fn whole_path(source: &SourceFile<'_>, definition: &DefinitionFact) -> String {
    let facts = &source.file.facts;
    let parent = |id: ScopeId| facts.scope(id)?.parent;
    let mut around = std::iter::successors(Some(definition.scope), |id| parent(*id));
    let namespace = around.find_map(|id| paths_of(source, id, NAMESPACE).next());
    let qualifier = definition
        .qualifier
        .map(|name| source.file.facts.name(name));
    let name = source.file.facts.name(definition.name);
    let parts = [
        namespace.unwrap_or_default(),
        qualifier.unwrap_or_default(),
        name,
    ];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(".")
}

fn is_class(resolver: Resolver<'_>, entity: &Entity) -> bool {
    definition_of(resolver, entity, |definition, _| {
        definition.kind == DefinitionKind::Class
    })
    .unwrap_or_default()
}

fn name_of(resolver: Resolver<'_>, entity: &Entity) -> Option<String> {
    definition_of(resolver, entity, |definition, source| {
        source.file.facts.name(definition.name).to_owned()
    })
}

/// Reads the definition of an entity.
fn definition_of<T>(
    resolver: Resolver<'_>,
    entity: &Entity,
    read: impl Fn(&DefinitionFact, &SourceFile<'_>) -> T,
) -> Option<T> {
    let Entity::Definition(path, id) = entity else {
        return None;
    };
    let path: &RepoPath = path;
    let facts = resolver.database.facts(path)?;
    let source = SourceFile { path, file: &facts };
    Some(read(source.definition(*id)?, &source))
}
