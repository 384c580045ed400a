//! Joins declarations with their definitions, as a linker does.

use std::collections::BTreeSet;

use super::hidden_namespaces::definitions_in_hidden_namespaces;
use super::includes::{is_header, is_of_family};
use super::internal_names::is_internal;
use super::{Cpp, bindings_of, is_macro, is_variable};
use crate::entity::{Entity, Object, ResolvedEntities};
use crate::file_facts::FileFacts;
use crate::files::{parent, shared_folders};
use crate::generics::without_type_arguments;
use crate::memo::MemoKey;
use crate::resolver::Resolver;
use crate::source_file::{MODULE, SourceFile};
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, CLASS_OF_BODY, DefinitionId, Receiver, Reference, ReferenceKind,
    UNDEFINED,
};

/// The number of lines between a macro and the name of a function in its arguments.
const MAX_ARGUMENT_LINES: u32 = 3;

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
        let seen = self.includes.seen(resolver, source.path);
        let is_seen = |entity: &Entity| entity.file().is_none_or(|path| seen.contains(path));
        let may_mean_others = resolution.is_unknown() || !resolution.entities.is_empty();
        if is_bare && may_mean_others && !resolution.entities.iter().any(is_seen) {
            let key = MemoKey::NamedByHeader(source.path.clone(), name.to_owned());
            let named = || self.named_by_header(resolver, &seen, name);
            let function = resolver.database.memoize(key, named);
            if !function.entities.is_empty() {
                return function;
            }
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

    /// Returns the function that a header declares by a macro, as far as the arguments tell:
    /// `EXPORT(int, f, (void));`. There is only one function of the name.
    fn named_by_header(
        &self,
        resolver: Resolver<'_>,
        seen: &[RepoPath],
        name: &str,
    ) -> ResolvedEntities {
        let mut headers = seen.iter().filter(|file| is_header(file));
        let header = headers.find(|file| {
            let facts = resolver.database.facts(file);
            facts.is_some_and(|facts| is_argument_outside(&facts, name))
        });
        let Some(header) = header else {
            return ResolvedEntities::none();
        };
        let defined = self.definitions_of(resolver, header, name).into_iter();
        let mut functions = defined.filter(|entity| is_function(resolver, entity));
        let only = functions.next().filter(|_| functions.next().is_none());
        only.map_or_else(ResolvedEntities::none, ResolvedEntities::single)
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

/// Reports whether a file names something behind a use of a macro, outside of every definition.
fn is_argument_outside(facts: &FileFacts, name: &str) -> bool {
    let Some(name) = facts.find_name(name) else {
        return false;
    };
    let references = facts.facts.references.iter();
    let mut outside = references.filter(|reference| reference.scope == MODULE);
    let is_near = |line: u32, call: u32| line.saturating_sub(call) <= MAX_ARGUMENT_LINES;
    let mut last_call = None;
    outside.any(|reference| {
        let line = reference.position.line;
        if reference.kind == ReferenceKind::Call {
            last_call = Some(line);
        }
        reference.name == name && last_call.is_some_and(|call| is_near(line, call))
    })
}

fn is_function(resolver: Resolver<'_>, entity: &Entity) -> bool {
    let Entity::Definition(path, id) = entity else {
        return false;
    };
    let facts = resolver.database.facts(path);
    let definition = facts.and_then(|facts| Some(facts.facts.definition(*id)?.kind));
    definition == Some(DefinitionKind::Function) && !is_macro(resolver, entity)
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
