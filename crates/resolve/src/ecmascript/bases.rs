//! Resolves the bases of classes: mixins, values of constructor types, and whatever a class without
//! a name extends.

use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{NAMELESS_BASE, ScopeId, ScopeKind};

/// Returns the entities whose members a class inherits from the value of one of its bases.
///
/// A value of the type `new () => A` passes on the members of `A`. Mixins are typed like this:
/// <https://www.typescriptlang.org/docs/handbook/mixins.html>.
pub(super) fn resolve_base(resolver: Resolver<'_>, base: ResolvedEntities) -> ResolvedEntities {
    let mut all = ResolvedEntities {
        has_unknown: base.has_unknown,
        ..ResolvedEntities::none()
    };
    for entity in base.entities {
        all.merge(base_instance(resolver, entity));
    }
    all
}

/// Returns the instances that a base of a constructor type creates. For a type parameter, its
/// constraint decides. An object type with a constructor stays beside them, since its own members
/// are static members of the class.
fn base_instance(resolver: Resolver<'_>, base: Entity) -> ResolvedEntities {
    let constructors = match base.without_type_arguments() {
        Entity::TypeParameter(parameter) => {
            let mut bound = resolver.constraint(parameter);
            bound.entities.retain(may_be_constructor);
            bound
        }
        _ if may_be_constructor(&base) => ResolvedEntities::single(base.clone()),
        _ => ResolvedEntities::none(),
    };
    if constructors.entities.is_empty() {
        return ResolvedEntities::single(base);
    }
    let mut made = resolver.resolve_call(&constructors);
    let has_members = |one: &Entity| matches!(one.without_type_arguments(), Entity::Shape(..));
    let with_members = constructors.entities.into_iter().filter(has_members);
    made.entities.extend(with_members);
    made
}

/// Reports whether an entity may have a constructor type such as `new () => A`. Functions and
/// object types may.
fn may_be_constructor(entity: &Entity) -> bool {
    matches!(
        entity.without_type_arguments(),
        Entity::Lambda(..) | Entity::External(_) | Entity::Shape(..)
    )
}

/// Returns the scope of the innermost class around a scope, if that class has no name.
pub(super) fn nameless_class(source: &SourceFile<'_>, scope: ScopeId) -> Option<ScopeId> {
    let facts = &source.file.facts;
    let mut around = std::iter::successors(Some(scope), |id| facts.scope(*id)?.parent);
    let class = around.find(|id| {
        facts
            .scope(*id)
            .is_some_and(|one| one.kind == ScopeKind::Class)
    });
    class.filter(|id| is_nameless(source, *id))
}

/// Reports whether a scope with members, such as that of a class, belongs to no definition.
pub(super) fn is_nameless(source: &SourceFile<'_>, scope: ScopeId) -> bool {
    let of = source.file.facts.scope(scope);
    let class = of.filter(|found| found.kind == ScopeKind::Class);
    class.is_some_and(|found| {
        let definition = found.definition.and_then(|id| source.definition(id));
        definition.is_none_or(|definition| definition.scope != scope)
    })
}

/// Resolves a member that a class without a name inherits. Returns `None` if the class declares the
/// member itself, or if none of its bases can have it.
pub(super) fn inherited_member(
    resolver: Resolver<'_>,
    (path, scope): (&RepoPath, ScopeId),
    name: &str,
) -> Option<ResolvedEntities> {
    let file = resolver.database.facts(path)?;
    let source = SourceFile { path, file: &file };
    let mut own = file.find_name(name).into_iter();
    if own.any(|name| file.bindings(scope, name).next().is_some()) {
        return None;
    }
    let mut all = ResolvedEntities::none();
    for base in nameless_bases(resolver, &source, scope) {
        let found = resolver.resolve_members(&base, name);
        if !found.entities.is_empty() {
            return Some(found);
        }
        all.merge(found);
    }
    (!all.is_none()).then_some(all)
}

/// Resolves the classes and interfaces that a class without a name extends or implements. A base
/// outside of the repository is unknown.
pub(super) fn nameless_bases(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    scope: ScopeId,
) -> Vec<ResolvedEntities> {
    let mark = source.file.find_name(NAMELESS_BASE).into_iter();
    let bindings = mark.flat_map(|mark| source.file.bindings(scope, mark));
    let bases = bindings.map(|binding| {
        let value = resolver.resolve_bindings(source, &[binding]);
        let mut base = resolve_base(resolver, value);
        base.has_unknown |= base.entities.is_empty();
        base
    });
    bases.collect()
}
