//! Results of the type of the receiver, in languages that write it as a type parameter:
//! `B set()` in `class A<B extends A<B>>`, the "curiously recurring" pattern of builders.

use crate::entity::{Entity, ResolvedEntities, TypeParameter};
use crate::source_file::SourceFile;
use ragnav_syntax::facts::{BindingTarget, DefinitionFact, ScopeKind, THIS, TYPE, Value};

/// Returns the type of the instance that a method is called on, if it returns a type parameter of
/// its class that must be that class.
pub(super) fn own_instance_type(
    source: &SourceFile<'_>,
    method: &DefinitionFact,
    returns: Value,
) -> Option<ResolvedEntities> {
    let facts = &source.file.facts;
    let class = source.definition(method.parent.filter(|_| returns.is_called)?)?;
    let name_of = |value: Value| {
        let path = facts.name(value.path);
        path.strip_prefix(TYPE).unwrap_or(path)
    };
    let id = source.file.find_name(name_of(returns))?;
    let around = source.enclosing_scope(class);
    let scope = facts.scope(around)?;
    let is_own_bound = |bound: Value| name_of(bound) == facts.name(class.name);
    let mut bindings = source.file.bindings(around, id);
    let must_be_class = bindings.any(|binding| {
        matches!(binding.target, BindingTarget::Variable(Some(bound)) if is_own_bound(bound))
    });
    let is_own = scope.kind == ScopeKind::TypeParameters && must_be_class;
    is_own.then(|| {
        ResolvedEntities::single(Entity::TypeParameter(TypeParameter {
            file: source.path.clone(),
            scope: class.scope,
            name: THIS.to_owned(),
        }))
    })
}
