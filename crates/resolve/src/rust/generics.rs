//! Members of types with type arguments. Each `impl` block gives names of its own to the type
//! parameters: `U` of `impl<U> Cart<U> { … }`.

use super::containers;
use super::members::{ITEM, TARGET};
use crate::entity::{Entity, ResolvedEntities, TypeArguments, TypeParameter};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use crate::type_parameters::type_parameter;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, DefinitionId, IMPLEMENTED, ScopeId, Space, TYPE_NAME, TypeShape, Value,
};

/// Resolves a member of a type with type arguments, of what it points to, or of an iterator over
/// its elements.
pub(super) fn member(
    resolver: Resolver<'_>,
    of: (&Entity, &TypeArguments),
    name: &str,
) -> ResolvedEntities {
    let names = |path: &RepoPath, id| own_names(resolver, path, id);
    let found = resolver.member_with_own_names(of, name, names);
    if !found.entities.is_empty() || [ITEM, TARGET].contains(&name) {
        return found;
    }
    let associated = |name| resolver.resolve_call(&resolver.member_with_own_names(of, name, names));
    let pointed = resolver.resolve_members(&associated(TARGET), name);
    if !pointed.entities.is_empty() {
        return pointed;
    }
    if !containers::is_of_iterators(name) {
        return found;
    }
    let items = associated(ITEM).map(Entity::sequence);
    let of_iterator = resolver.resolve_members(&items, name);
    if of_iterator.entities.is_empty() {
        return found;
    }
    of_iterator
}

/// Resolves a call of a value whose type is a type parameter: `A` for the bound `Fn() -> A`.
/// Without such a bound it is the value itself, by which a method of a container stands for its
/// result.
pub(super) fn result_of_value(
    resolver: Resolver<'_>,
    of: &Entity,
    parameter: &TypeParameter,
) -> ResolvedEntities {
    let mut bounds = resolver.constraint(parameter);
    bounds
        .entities
        .retain(|bound| matches!(bound, Entity::Lambda(..)));
    if bounds.entities.is_empty() {
        return ResolvedEntities::single(of.clone());
    }
    resolver.resolve_call(&bounds)
}

/// Returns the type parameter that a binding declares.
pub(super) fn declared_parameter(source: &SourceFile<'_>, binding: &Binding) -> Option<Entity> {
    let name = source.file.facts.name(binding.name);
    let is_other = [super::SELF_TYPE, IMPLEMENTED].contains(&name);
    type_parameter(source, binding).filter(|_| !is_other)
}

/// Returns an instance of the type with type arguments whose `impl` block is around a scope, if the
/// repository defines it.
pub(super) fn implemented_instance(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    scope: ScopeId,
) -> Option<ResolvedEntities> {
    let (block, value) = implemented_type(source, scope)?;
    let path = source.file.facts.name(value.path);
    let found = resolver.resolve_path_text(source, (block, Space::Types), (path, true));
    // What `Box<A>` leads to is no type of the block.
    let is_own = |entity: &Entity| match entity {
        Entity::Generic(of, _) => matches!(**of, Entity::Instance(..)),
        _ => false,
    };
    let is_known = !found.entities.is_empty() && found.entities.iter().all(is_own);
    is_known.then_some(found)
}

/// Returns the type with type arguments whose `impl` block is around a scope, with the scope of the
/// block.
fn implemented_type(source: &SourceFile<'_>, scope: ScopeId) -> Option<(ScopeId, Value)> {
    let mark = source.file.find_name(IMPLEMENTED)?;
    let parent = |id: ScopeId| source.file.facts.scope(id)?.parent;
    let mut around = std::iter::successors(Some(scope), |id| parent(*id));
    let bound = |scope| source.file.bindings(scope, mark).next();
    let (scope, block) = around.find_map(|scope| Some((scope, bound(scope)?)))?;
    match block.target {
        BindingTarget::Variable(Some(value)) => Some((scope, value)),
        _ => None,
    }
}

/// Returns the names that the `impl` block of a method has for the type parameters of its type, in
/// their order. An argument that is no type parameter of the block has the empty name.
fn own_names(resolver: Resolver<'_>, path: &RepoPath, id: DefinitionId) -> Vec<TypeParameter> {
    let names = || {
        let file = resolver.database.facts(path)?;
        let source = SourceFile { path, file: &file };
        let method = source.definition(id)?;
        let facts = &file.facts;
        method.qualifier?;
        let outside = facts.scope(method.scope)?.parent?;
        let (scope, value) = implemented_type(&source, outside)?;
        let Some(TypeShape::Applied { arguments, .. }) = source.type_shape(facts.name(value.path))
        else {
            return None;
        };
        let names = arguments.iter().map(|argument| {
            let path = argument.map(|value| facts.name(value.path));
            let name = path.and_then(|path| path.strip_suffix(TYPE_NAME));
            TypeParameter {
                file: source.path.clone(),
                scope,
                name: name.unwrap_or_default().to_owned(),
            }
        });
        Some(names.collect())
    };
    names().unwrap_or_default()
}
