//! Joins declarations with their definitions, as a linker does.

use std::collections::BTreeSet;

use super::hidden_namespaces::definitions_in_hidden_namespaces;
use super::includes::{is_header, is_of_family};
use super::internal_names::is_internal;
use super::{Cpp, bindings_of, is_variable};
use crate::entity::{Entity, Object, ResolvedEntities};
use crate::file_facts::FileFacts;
use crate::files::{parent, shared_folders};
use crate::generics::without_type_arguments;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, CLASS_OF_BODY, DefinitionId, Receiver, Reference, UNDEFINED,
};

impl Cpp {
    /// Replaces declarations by the definitions in loaded files. All files that mention the name of
    /// the reference are loaded, and no other name is looked up.
    pub(super) fn link(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        reference: &Reference,
        resolution: ResolvedEntities,
    ) -> ResolvedEntities {
        let resolution = without_type_arguments(resolution);
        let name = source.file.facts.name(reference.name);
        let is_bare = reference.receiver == Receiver::None;
        if resolution.is_unknown() && is_bare && is_variable(source, reference.scope, name) {
            return ResolvedEntities::none();
        }
        let was_declared = !resolution.entities.is_empty();
        let mut linked = ResolvedEntities {
            has_unknown: resolution.has_unknown,
            ..ResolvedEntities::default()
        };
        let mut hidden = ResolvedEntities::none();
        for entity in resolution.entities {
            match entity {
                Entity::Object(Object {
                    file,
                    inside: None,
                    bound_in: None,
                    name,
                }) => {
                    let defined = self.definitions_of(resolver, &file, &name);
                    if defined.is_empty() {
                        hidden.merge(definitions_in_hidden_namespaces(resolver, &file, &name));
                    }
                    linked.entities.extend(defined);
                }
                Entity::Definition(..) => {
                    linked.entities.insert(entity);
                }
                _ => {}
            }
        }
        keep_defined_macros(source, reference, &mut linked.entities);
        linked.has_unknown &= !(was_declared && linked.entities.is_empty());
        linked.merge(hidden);
        let bodies = self.joined_methods(resolver, name, &linked.entities);
        linked.entities.extend(bodies);
        Self::add_specializations(resolver, &mut linked.entities);
        linked
    }

    /// Returns the bodies of methods outside of their class, of those in its own.
    fn joined_methods(
        &self,
        resolver: Resolver<'_>,
        name: &str,
        methods: &BTreeSet<Entity>,
    ) -> BTreeSet<Entity> {
        let classes = methods
            .iter()
            .flat_map(|one| self.classes_of(resolver, one));
        let classes: BTreeSet<Entity> = classes.collect();
        let mut found = BTreeSet::new();
        if classes.is_empty() {
            return found;
        }
        for (path, facts) in resolver.database.loaded_files() {
            let Some(name) = facts.find_name(name).filter(|_| is_of_family(path)) else {
                continue;
            };
            let ids = (0..).map(DefinitionId).zip(&facts.facts.definitions);
            let outside = ids.filter(|(_, one)| one.name == name && one.qualifier.is_some());
            for (id, _) in outside {
                let body = Entity::Definition(path.clone(), id);
                let of = self.classes_of(resolver, &body);
                if of.iter().any(|class| classes.contains(class)) {
                    found.insert(body);
                }
            }
        }
        found
    }

    /// Returns the class of a method: the one around, or the one that its name contains.
    fn classes_of(&self, resolver: Resolver<'_>, method: &Entity) -> BTreeSet<Entity> {
        let Entity::Definition(path, id) = method else {
            return BTreeSet::new();
        };
        let Some(facts) = resolver.database.facts(path) else {
            return BTreeSet::new();
        };
        let source = SourceFile { path, file: &facts };
        let Some(definition) = source.definition(*id) else {
            return BTreeSet::new();
        };
        if definition.kind != DefinitionKind::Method {
            return BTreeSet::new();
        }
        let signature = source.enclosing_scope(definition);
        let classes: Vec<&Binding> = bindings_of(&source, signature, CLASS_OF_BODY).collect();
        if !classes.is_empty() {
            let classes = resolver.resolve_bindings(&source, &classes);
            let classes = self.defined(resolver, classes).into_iter();
            return classes
                .map(|(path, id)| Entity::Definition(path, id))
                .collect();
        }
        let class = definition.parent.filter(|_| definition.qualifier.is_none());
        class
            .map(|class| source.entity(class))
            .into_iter()
            .collect()
    }

    /// Returns the definitions of what a file declares, each with its kind.
    pub(super) fn linked(
        &self,
        resolver: Resolver<'_>,
        declared: &Entity,
    ) -> Vec<(Entity, DefinitionKind)> {
        let Entity::Object(Object {
            file,
            inside: None,
            bound_in: None,
            name,
        }) = declared
        else {
            return Vec::new();
        };
        let found = self.definitions_of(resolver, file, name).into_iter();
        let kinds = found.filter_map(|entity| {
            let Entity::Definition(path, id) = &entity else {
                return None;
            };
            let facts = resolver.database.facts(path)?;
            let kind = facts.facts.definition(*id)?.kind;
            Some((entity, kind))
        });
        kinds.collect()
    }

    /// Returns the definitions of what a file declares: those in files that see the declaration, or
    /// else the nearest ones.
    fn definitions_of(
        &self,
        resolver: Resolver<'_>,
        declaring: &RepoPath,
        path: &str,
    ) -> BTreeSet<Entity> {
        let mut found: Vec<(RepoPath, Vec<DefinitionId>)> = Vec::new();
        for (file, facts) in resolver.database.loaded_files() {
            let ids = external_definitions(file, facts, path);
            if is_of_family(file) && !ids.is_empty() {
                resolver.database.add_dependency(file);
                found.push((file.clone(), ids));
            }
        }
        let has_header = found.iter().any(|(file, _)| is_header(file));
        if has_header {
            // What a source file defines besides is a type of its own.
            found.retain(|(file, _)| is_header(file) || file == declaring);
        }
        if found.len() > 1 {
            let sees = |file: &RepoPath| self.includes.seen(resolver, file).contains(declaring);
            let seeing: Vec<_> = found
                .iter()
                .filter(|(file, _)| sees(file))
                .cloned()
                .collect();
            if seeing.is_empty() {
                let shared = |file: &RepoPath| shared_folders(&parent(file), &parent(declaring));
                let most = found.iter().map(|(file, _)| shared(file)).max();
                found.retain(|(file, _)| Some(shared(file)) == most);
            } else {
                found = seeing;
            }
        }
        let entities = found.into_iter().flat_map(|(file, ids)| {
            let entity = move |id| Entity::Definition(file.clone(), id);
            ids.into_iter().map(entity)
        });
        entities.collect()
    }
}

/// Leaves out the macros of the file that `#undef` removes before a reference, and those that the
/// file defines behind an `#undef` after it.
fn keep_defined_macros(
    source: &SourceFile<'_>,
    reference: &Reference,
    entities: &mut BTreeSet<Entity>,
) {
    let name = source.file.facts.name(reference.name);
    let removals = source.module_bindings(&format!("{UNDEFINED}{name}"));
    if removals.is_empty() {
        return;
    }
    let at = reference.position;
    let is_seen = |entity: &Entity| {
        let Entity::Definition(path, id) = entity else {
            return true;
        };
        let own = source.definition(*id).filter(|_| path == source.path);
        own.is_none_or(|own| {
            let (first, last) = (own.name_position.min(at), own.name_position.max(at));
            let mut between = removals.iter().map(|removal| removal.position);
            !between.any(|removal| first < removal && removal < last)
        })
    };
    if entities.iter().any(is_seen) {
        entities.retain(is_seen);
    }
}

/// Returns the definitions of a path that other files may see.
fn external_definitions(path: &RepoPath, facts: &FileFacts, name: &str) -> Vec<DefinitionId> {
    let source = SourceFile { path, file: facts };
    let bindings = source.module_bindings(name).into_iter();
    let ids = bindings.filter_map(|binding| match binding.target {
        BindingTarget::Definition(id) => Some(id),
        _ => None,
    });
    ids.filter(|id| !is_internal(&source, *id)).collect()
}
