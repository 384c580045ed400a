//! Type parameters, and `this` as a type.

use crate::entity::{Entity, ResolvedEntities, TypeParameter};
use crate::source_file::SourceFile;
use ragnav_syntax::facts::{
    ACCESSOR, Binding, BindingTarget, DefinitionFact, ScopeId, ScopeKind, THIS, TYPE_NUMBER, Value,
};

/// Returns the type parameter that a binding declares.
pub(super) fn resolve_type_parameter(source: &SourceFile<'_>, binding: &Binding) -> Option<Entity> {
    let scope = source.file.facts.scope(binding.scope)?;
    let is_parameter = scope.kind == ScopeKind::TypeParameters
        && matches!(binding.target, BindingTarget::Variable(_));
    is_parameter.then(|| parameter(source, binding.scope, source.file.facts.name(binding.name)))
}

/// Returns the type of the instance that a method with the return type `this` is called on.
pub(super) fn own_instance_type(
    source: &SourceFile<'_>,
    method: &DefinitionFact,
    returns: Value,
) -> Option<ResolvedEntities> {
    let name = source.file.facts.name(returns.path);
    let is_own = returns.is_called && name.strip_prefix(TYPE_NUMBER) == Some(THIS);
    let class = source.definition(method.parent.filter(|_| is_own)?)?;
    let own = parameter(source, class.scope, THIS);
    Some(ResolvedEntities::single(own))
}

fn parameter(source: &SourceFile<'_>, scope: ScopeId, name: &str) -> Entity {
    Entity::TypeParameter(TypeParameter {
        file: source.path.clone(),
        scope,
        name: name.to_owned(),
    })
}

/// Reports whether a file declares types, which callers may rely on.
pub(super) fn is_typed(source: &SourceFile<'_>) -> bool {
    let language = ragnav_syntax::detect_language(source.path);
    language.is_some_and(|language| matches!(language.name, "tsx" | "typescript"))
}

/// Reports whether reading or assigning a member runs a method.
pub(super) fn is_accessor(source: &SourceFile<'_>, method: &DefinitionFact) -> bool {
    let mark = source.file.find_name(ACCESSOR);
    mark.is_some_and(|mark| source.file.bindings(method.scope, mark).next().is_some())
}
