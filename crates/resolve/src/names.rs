//! Resolves names in scopes.

use crate::entity::{Entity, ResolvedEntities};
use crate::memo::MemoKey;
use crate::resolver::Resolver;
use crate::source_file::{MODULE, SourceFile};
use ragnav_base::item::DefinitionKind;
use ragnav_syntax::facts::{Binding, BindingTarget, Outer, Scope, ScopeId, ScopeKind, Space};

impl Resolver<'_> {
    /// Resolves a name in a scope, in any namespace.
    pub(super) fn resolve_name(
        self,
        source: &SourceFile<'_>,
        scope: ScopeId,
        name: &str,
    ) -> ResolvedEntities {
        self.resolve_name_in(source, (scope, Space::Any), name)
    }

    /// Resolves a name in a scope and namespace.
    pub(super) fn resolve_name_in(
        self,
        source: &SourceFile<'_>,
        place: (ScopeId, Space),
        name: &str,
    ) -> ResolvedEntities {
        let key = MemoKey::InScope(source.path.clone(), place, name.to_owned());
        self.database
            .memoize(key, || self.compute_name(source, place, name))
    }

    fn compute_name(
        self,
        source: &SourceFile<'_>,
        (scope, space): (ScopeId, Space),
        name: &str,
    ) -> ResolvedEntities {
        let language = self.database.language(source.path);
        if matches!(space, Space::Methods | Space::Macros) {
            return language.map_or_else(ResolvedEntities::none, |language| match space {
                Space::Macros => language.resolve_macro_name(self, source, scope, name),
                _ => language.resolve_method_name(self, source, scope, name),
            });
        }
        let spaced = language.and_then(|language| {
            let place = (scope, space);
            language.resolve_spaced_name(self, source, place, name)
        });
        if let Some(resolution) = spaced {
            return resolution;
        }
        let Some(id) = source.file.find_name(name) else {
            return self.resolve_unbound(source, name);
        };
        let mut next = Some(scope);
        let mut is_first = true;
        // Whether a class outside of the repository may have the name.
        let mut may_be_inherited = false;
        while let Some(current) = next {
            let Some(found) = source.file.facts.scopes.get(current.0 as usize) else {
                break;
            };
            let is_seen = match found.kind {
                ScopeKind::Class => is_first && self.has_members_in_scope(source, found),
                _ => true,
            };
            let bindings: Vec<&Binding> = source
                .file
                .bindings(current, id)
                .filter(|binding| is_seen && !matches!(binding.target, BindingTarget::Attribute(_)))
                .filter(|binding| source.is_in(space, found, binding))
                .collect();
            match bindings.first().map(|binding| &binding.target) {
                Some(BindingTarget::Outer(Outer::Global)) => {
                    next = Some(MODULE);
                    is_first = false;
                    continue;
                }
                Some(BindingTarget::Outer(Outer::Nonlocal)) | None => {}
                Some(_) => {
                    let mut resolution = self.resolve_bindings(source, &bindings);
                    resolution.has_unknown |= may_be_inherited;
                    return resolution;
                }
            }
            let member = self.scope_member(source, (current, found), (space, name));
            may_be_inherited |= member.has_unknown;
            if !member.entities.is_empty() {
                return member;
            }
            if language.is_some_and(|language| language.hides_outer_names(found)) {
                break;
            }
            // The scope of type parameters does not hide the names of the class around it.
            is_first = found.kind == ScopeKind::TypeParameters && is_first;
            next = found.parent;
        }
        let mut resolution = self.resolve_unbound(source, name);
        resolution.has_unknown |= may_be_inherited;
        resolution
    }

    /// Resolves a name that a scope does not bind, in a namespace.
    fn scope_member(
        self,
        source: &SourceFile<'_>,
        scope: (ScopeId, &Scope),
        (space, name): (Space, &str),
    ) -> ResolvedEntities {
        let Some(language) = self.database.language(source.path) else {
            return ResolvedEntities::none();
        };
        let mut member = language.resolve_scope_member(self, source, scope, name);
        if let Some(full) = language.full_name(name, space) {
            let found = language.resolve_scope_member(self, source, scope, &full);
            if !found.entities.is_empty() {
                member = found;
            }
        }
        let is_type = |entity: &Entity| {
            // A class that is only declared is an object in C++.
            let is_named = matches!(
                entity,
                Entity::Definition(..) | Entity::Folder(_) | Entity::Object(_)
            );
            is_named && self.is_in(entity, space)
        };
        match space {
            Space::Types | Space::Attributes => member.entities.retain(is_type),
            Space::Qualifiers if self.has_enum_value(&member, name) => member.entities.clear(),
            _ => {}
        }
        member
    }

    /// Reports whether something may be a value of an enumeration of this name.
    fn has_enum_value(self, of: &ResolvedEntities, name: &str) -> bool {
        of.entities.iter().any(|entity| {
            let Entity::Instance(path, id) = entity else {
                return false;
            };
            let file = self.database.facts(path);
            file.is_some_and(|file| {
                let found = file.facts.definitions.get(id.0 as usize);
                found.is_some_and(|found| {
                    found.kind == DefinitionKind::Enum && file.facts.name(found.name) == name
                })
            })
        })
    }

    fn has_members_in_scope(self, source: &SourceFile<'_>, scope: &Scope) -> bool {
        let language = self.database.language(source.path);
        let class = scope.definition.and_then(|id| source.definition(id));
        let known = class.zip(language);
        known.is_none_or(|(class, language)| language.has_members_in_scope(class))
    }

    fn resolve_unbound(self, source: &SourceFile<'_>, name: &str) -> ResolvedEntities {
        let language = self.database.language(source.path);
        language.map_or_else(ResolvedEntities::none, |language| {
            language.resolve_unbound(self, source, name)
        })
    }

    pub(super) fn resolve_bindings(
        self,
        source: &SourceFile<'_>,
        bindings: &[&Binding],
    ) -> ResolvedEntities {
        ResolvedEntities::union(
            bindings
                .iter()
                .map(|binding| self.resolve_binding(source, binding)),
        )
    }

    fn resolve_binding(self, source: &SourceFile<'_>, binding: &Binding) -> ResolvedEntities {
        let Some(language) = self.database.language(source.path) else {
            return ResolvedEntities::unknown();
        };
        let mut resolution = match &binding.target {
            BindingTarget::Definition(id) => ResolvedEntities::single(source.entity(*id)),
            BindingTarget::Import(id) => match source.file.import(*id) {
                Some(import) => language.resolve_import(self, source, import),
                None => ResolvedEntities::unknown(),
            },
            BindingTarget::Parameter(None) => language.resolve_parameter(source, binding),
            BindingTarget::Parameter(Some(value))
            | BindingTarget::Variable(Some(value))
            | BindingTarget::Attribute(Some(value)) => {
                self.resolve_value(source, binding.value_scope, *value)
            }
            BindingTarget::Variable(None)
            | BindingTarget::Attribute(None)
            | BindingTarget::Outer(_) => ResolvedEntities::unknown(),
        };
        resolution.merge(language.resolve_binding_extra(source, binding));
        resolution
    }
}
