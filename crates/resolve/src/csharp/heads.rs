//! Resolves the first names of values, by the characters before them.

use super::kinds::{has_name, is_callable};
use super::{CSharp, types};
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_syntax::facts::{ARITY, DefinitionId, ScopeId, ScopeKind, Space};

impl CSharp {
    /// Returns the type whose body is nearest around a place.
    pub(super) fn type_around(source: &SourceFile<'_>, scope: ScopeId) -> Option<DefinitionId> {
        let facts = &source.file.facts;
        let at = |id: ScopeId| facts.scope(id);
        let mut around = std::iter::successors(at(scope), |scope| at(scope.parent?));
        around.find_map(|scope| {
            let id = scope.definition?;
            let is_type = types::is_type(source.definition(id)?.kind);
            (scope.kind == ScopeKind::Namespace && is_type).then_some(id)
        })
    }

    /// Resolves the first name of the type of a value: `#A` of `#A.@B`.
    pub(super) fn resolve_type_head(
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        (name, is_called): (&str, bool),
    ) -> ResolvedEntities {
        if name.starts_with(char::is_lowercase) && is_predefined(name) {
            return types::outside(name);
        }
        let mut found = resolver.resolve_name_in(source, (scope, Space::Types), name);
        // No namespace has type parameters.
        if !is_called && !name.contains(ARITY) {
            return found;
        }
        found
            .entities
            .retain(|one| !matches!(one, Entity::Folder(_)));
        if found.is_none() && !types::all_types_named(resolver, name).is_empty() {
            // A directive in a file that is generated may bring one of these into scope.
            return ResolvedEntities::unknown();
        }
        if !is_called {
            return found;
        }
        if found.is_none() {
            return types::outside(name);
        }
        resolver.resolve_call(&found)
    }

    /// Resolves the value of a bare name that is not called.
    pub(super) fn resolve_value_head(
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        name: &str,
    ) -> ResolvedEntities {
        let mut found = resolver.resolve_name_in(source, (scope, Space::Any), name);
        let has_any = !found.entities.is_empty();
        found.entities.retain(|one| !is_callable(resolver, one));
        // A group of methods is a value of no known type.
        found.has_unknown |= has_any && found.entities.is_empty();
        // A property may have the name of its type: `Color.Red` reads a member of the type.
        let entities = found.entities.iter();
        let same = entities.filter_map(|one| match one.without_type_arguments() {
            Entity::Instance(path, id) => Some((path.clone(), *id)),
            _ => None,
        });
        let same = same.filter(|place| has_name(resolver, place, name));
        let same: Vec<Entity> = same
            .map(|(path, id)| Entity::Definition(path, id))
            .collect();
        found.entities.extend(same);
        found
    }

    /// Resolves what is called without a receiver, or the result of its call.
    pub(super) fn resolve_called_head(
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        (name, is_called): (&str, bool),
    ) -> ResolvedEntities {
        let mut found = resolver.resolve_name_in(source, (scope, Space::Any), name);
        let has_any = !found.entities.is_empty();
        found.entities.retain(|one| {
            let function = one.without_type_arguments();
            let is_delegate = matches!(function, Entity::External(_) | Entity::Lambda(..));
            is_delegate || is_callable(resolver, one)
        });
        // The call of another delegate has a result of no known type.
        found.has_unknown |= has_any && found.entities.is_empty();
        if found.is_none() {
            return ResolvedEntities::unknown();
        }
        if !is_called {
            return found;
        }
        resolver.resolve_call(&found)
    }

    /// Resolves `base`: an instance with the members that all parts of a type inherit.
    pub(super) fn resolve_base(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        class: DefinitionId,
    ) -> ResolvedEntities {
        let parts = types::parts(resolver, &self.projects, source, class).into_iter();
        let parts = parts.chain([(source.path.clone(), class)]);
        parts.map(|(path, id)| Entity::Super(path, id)).collect()
    }
}

/// Reports whether a name is a keyword for a type, such as `int`.
fn is_predefined(name: &str) -> bool {
    matches!(
        name,
        "bool"
            | "byte"
            | "char"
            | "decimal"
            | "double"
            | "dynamic"
            | "float"
            | "int"
            | "long"
            | "object"
            | "sbyte"
            | "short"
            | "string"
            | "uint"
            | "ulong"
            | "ushort"
            | "void"
    )
}
