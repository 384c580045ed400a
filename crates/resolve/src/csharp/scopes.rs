//! Resolves bare names in namespaces and types.

use std::collections::BTreeSet;

use super::kinds::is_constructor;
use super::projects::{UsedType, Using};
use super::{CSharp, types};
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::{MODULE, SourceFile};
use ragnav_syntax::facts::{
    DefinitionId, FIELD, Facts, GLOBAL_USING, Import, ImportedItem, STATIC_USING, ScopeId,
};

impl CSharp {
    /// Resolves a name by the `using` directives of a scope.
    pub(super) fn used(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (scope, name): (ScopeId, &str),
    ) -> ResolvedEntities {
        let facts = &source.file.facts;
        let imports = facts.imports.iter();
        let stars = imports.filter(|one| one.item == ImportedItem::Star && one.scope == scope);
        let mut found = ResolvedEntities::none();
        for import in stars {
            let module = facts.name(import.module);
            let place = (scope, module, import.level);
            let module = types::name_in_directive(resolver, &self.projects, source, place);
            found.merge(self.used_by_namespace(resolver, source, (&module, name)));
            if import.level & STATIC_USING != 0 {
                let of = (module.as_str(), Some(import.level));
                found.merge(self.used_by_type(resolver, source, (of, name)));
            }
        }
        if scope == MODULE {
            for using in self.global_usings(resolver, source) {
                found.merge(self.used_by_project(resolver, source, (&using, name)));
            }
        }
        if scope == MODULE && found.is_none() {
            for using in self.projects.imported_usings_of(source.path) {
                found.merge(self.used_by_project(resolver, source, (using, name)));
            }
        }
        if scope == MODULE && found.is_none() {
            // The code compiles, so the project must import a file that gives the name a meaning.
            for using in self.projects.possible_usings() {
                found.merge(self.used_by_project(resolver, source, (using, name)));
            }
        }
        found
    }

    /// Resolves a name by a directive that a project adds to each of its files.
    fn used_by_project(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (using, name): (&Using, &str),
    ) -> ResolvedEntities {
        match using {
            Using::Namespace(module) => self.used_by_namespace(resolver, source, (module, name)),
            Using::Static(of) => {
                let mut used = self.used_by_namespace(resolver, source, (&of.name, name));
                used.merge(self.used_by_type(resolver, source, ((&of.name, of.level), name)));
                used
            }
            Using::Alias { name: own, target } if own == name => {
                self.type_in_directive(resolver, (&target.name, target.level), source.path)
            }
            Using::Alias { .. } => ResolvedEntities::none(),
        }
    }

    /// Resolves a type of a namespace, or a type inside of another one.
    fn used_by_namespace(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (module, name): (&str, &str),
    ) -> ResolvedEntities {
        self.type_named(resolver, &types::join(module, name), source.path)
    }

    /// Resolves a member of the type that a `using static` directive names. A directive in code has
    /// a level.
    fn used_by_type(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (of, name): ((&str, Option<u32>), &str),
    ) -> ResolvedEntities {
        let of = self.type_in_directive(resolver, of, source.path);
        let mut found = resolver.resolve_members(&of, name);
        found.merge(resolver.resolve_members(&of, &format!("{FIELD}{name}")));
        found
    }

    /// Returns what the project of a file adds to each of its files.
    fn global_usings(&self, resolver: Resolver<'_>, source: &SourceFile<'_>) -> BTreeSet<Using> {
        let mut found: BTreeSet<Using> = self.projects.usings_of(source.path).cloned().collect();
        for file in self.projects.global_files(source.path) {
            let Some(facts) = resolver.database.facts(file) else {
                continue;
            };
            let imports = facts.facts.imports.iter();
            let global = imports.filter(|one| one.level & GLOBAL_USING != 0);
            found.extend(global.filter_map(|one| global_using(&facts.facts, one)));
        }
        found
    }

    /// Returns the namespaces that every file of a project uses.
    pub(super) fn global_namespaces(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
    ) -> BTreeSet<String> {
        let imported = self.projects.imported_usings_of(source.path).cloned();
        let all = self
            .global_usings(resolver, source)
            .into_iter()
            .chain(imported);
        let namespaces = all.filter_map(|using| match using {
            Using::Namespace(name) => Some(name),
            Using::Static(_) | Using::Alias { .. } => None,
        });
        namespaces.collect()
    }

    /// Resolves a member of the type of a body, by its bare name.
    pub(super) fn member_in(
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (class, name): (DefinitionId, &str),
    ) -> ResolvedEntities {
        let instance = Entity::Instance(source.path.clone(), class);
        let of = ResolvedEntities::single(instance);
        let mut found = resolver.resolve_members(&of, name);
        found.entities.retain(|one| !is_constructor(resolver, one));
        found.merge(resolver.resolve_members(&of, &format!("{FIELD}{name}")));
        found
            .entities
            .retain(|one| types::has_arity_of(resolver, one, name));
        found
    }

    /// Resolves a type in a namespace that a scope opens, or by the directives in it.
    pub(super) fn type_in_namespace(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (id, namespace, name): (ScopeId, DefinitionId, &str),
    ) -> ResolvedEntities {
        let facts = &source.file.facts;
        let parent = source.definition(namespace).and_then(|one| one.parent);
        let around = parent.map_or(0, |parent| facts.name_path(parent).len());
        let dotted = facts.name_path(namespace);
        let own = self.type_named(resolver, &types::join(&dotted, name), source.path);
        if !own.entities.is_empty() {
            return own;
        }
        let used = self.used(resolver, source, (id, name));
        if !used.entities.is_empty() {
            return used;
        }
        let ends = dotted.match_indices('.').map(|(end, _)| end);
        let ends: Vec<usize> = ends.filter(|end| *end > around).collect();
        for end in ends.into_iter().rev() {
            let outer = dotted.get(..end).unwrap_or_default();
            let found = self.type_named(resolver, &types::join(outer, name), source.path);
            if !found.entities.is_empty() {
                return found;
            }
        }
        ResolvedEntities::none()
    }
}

/// Returns what a `global using` directive adds.
fn global_using(facts: &Facts, import: &Import) -> Option<Using> {
    let module = facts.name(import.module);
    match (import.item, import.alias) {
        (ImportedItem::Star, _) if import.level & STATIC_USING != 0 => {
            Some(Using::Static(UsedType {
                name: module.to_owned(),
                level: Some(import.level),
            }))
        }
        (ImportedItem::Star, _) => Some(Using::Namespace(module.to_owned())),
        (ImportedItem::Member(name), Some(alias)) => Some(Using::Alias {
            name: facts.name(alias).to_owned(),
            target: UsedType {
                name: types::join(module, facts.name(name)),
                level: Some(import.level),
            },
        }),
        _ => None,
    }
}
