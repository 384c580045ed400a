//! Resolves `this` and `super`.

use super::bases::{is_nameless, nameless_bases, nameless_class};
use super::types;
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_syntax::facts::{BindingTarget, DefinitionId, Name, ScopeId, ScopeKind, Value};

/// Resolves `this`: an instance of the enclosing class or function, or the object of a method.
pub(super) fn resolve_this(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    scope: ScopeId,
) -> ResolvedEntities {
    let facts = &source.file.facts;
    let name = source.file.find_name("this");
    let mut next = Some(scope);
    while let Some(current) = next {
        let Some(found) = facts.scope(current) else {
            break;
        };
        let declared = name.and_then(|name| declared_this(resolver, source, (current, name)));
        if let Some(declared) = declared {
            return declared;
        }
        let around = found.parent.filter(|_| found.kind == ScopeKind::Function);
        let mut places = [Some(current), around].into_iter().flatten();
        if let Some(class) = places.find(|id| is_nameless(source, *id)) {
            let instance = Entity::Shape(source.path.clone(), class);
            return ResolvedEntities::single(instance);
        }
        // Only an arrow function in a field has the scope of the class as its parent.
        if let (ScopeKind::Class, Some(class)) = (found.kind, found.definition) {
            return instance_of(source, class);
        }
        if found.kind == ScopeKind::Function {
            let enclosing = found.parent.and_then(|id| facts.scope(id));
            let in_class = enclosing.is_some_and(|enclosing| enclosing.kind == ScopeKind::Class);
            let definition = found.definition;
            let own = definition.filter(|id| {
                let definition = source.definition(*id);
                definition.is_some_and(|definition| definition.scope == current)
            });
            return match (own, definition) {
                (Some(method), _) => receiver(resolver, source, method),
                // Initializers of fields and static blocks.
                (None, Some(class)) if in_class => instance_of(source, class),
                _ => ResolvedEntities::unknown(),
            };
        }
        next = found.parent;
    }
    ResolvedEntities::unknown()
}

/// Resolves the type that a scope declares for `this`.
fn declared_this(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (scope, name): (ScopeId, Name),
) -> Option<ResolvedEntities> {
    let mut is_hidden = false;
    for binding in source.file.bindings(scope, name) {
        let BindingTarget::Parameter(Some(value)) = binding.target else {
            is_hidden = true;
            continue;
        };
        let declared = resolver.resolve_value(source, binding.value_scope, value);
        // No compiler need have checked the type of a comment.
        if types::is_typed(source) || !declared.entities.is_empty() {
            return Some(declared);
        }
    }
    is_hidden.then(ResolvedEntities::unknown)
}

fn instance_of(source: &SourceFile<'_>, class: DefinitionId) -> ResolvedEntities {
    ResolvedEntities::single(Entity::Instance(source.path.clone(), class))
}

/// Resolves the receiver of a function or method.
fn receiver(resolver: Resolver<'_>, source: &SourceFile<'_>, id: DefinitionId) -> ResolvedEntities {
    let Some(definition) = source.definition(id) else {
        return ResolvedEntities::unknown();
    };
    if let Some(qualifier) = definition.qualifier {
        let enclosing = source.enclosing_scope(definition);
        let owner = Value {
            path: qualifier,
            is_called: false,
        };
        let owner = resolver.resolve_value(source, enclosing, owner);
        let object = source.object(definition.parent, source.file.facts.name(qualifier));
        let mut resolution = ResolvedEntities::unknown();
        resolution.entities.extend(object);
        resolution
            .entities
            .extend(owner.entities.into_iter().map(|owner| match owner {
                Entity::Definition(path, id) => Entity::Instance(path, id),
                owner => owner,
            }));
        return resolution;
    }
    match (definition.kind, definition.parent) {
        (DefinitionKind::Method, Some(class)) => instance_of(source, class),
        (DefinitionKind::Function, _) => {
            let mut resolution = instance_of(source, id);
            resolution.has_unknown = true;
            resolution
        }
        _ => ResolvedEntities::unknown(),
    }
}

/// Resolves `super`: an instance of the enclosing class that has only the inherited members.
pub(super) fn resolve_super(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    scope: ScopeId,
) -> ResolvedEntities {
    if let Some(class) = nameless_class(source, scope) {
        let mut bases = nameless_bases(resolver, source, class).into_iter();
        return bases.next().unwrap_or_else(ResolvedEntities::unknown);
    }
    let scope = source.file.facts.scope(scope);
    let mut enclosing = scope.and_then(|scope| scope.definition);
    while let Some(definition) = enclosing.and_then(|id| source.definition(id)) {
        if definition.kind == DefinitionKind::Class {
            let class = enclosing.map(|id| Entity::Super(source.path.clone(), id));
            return class.map_or_else(ResolvedEntities::unknown, ResolvedEntities::single);
        }
        enclosing = definition.parent;
    }
    ResolvedEntities::unknown()
}
