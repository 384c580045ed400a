//! The names that methods outside of a class template give to the parameters of the template.

use crate::entity::TypeParameter;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use crate::type_parameters::type_parameters_in;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{DefinitionId, ScopeId, ScopeKind};

/// Returns the names that a method outside of its class gives to the template parameters of the
/// class: `U` of `template <class U> U Box<U>::get() { … }`.
pub(super) fn own_names(
    resolver: Resolver<'_>,
    path: &RepoPath,
    id: DefinitionId,
) -> Vec<TypeParameter> {
    let names = || {
        let file = resolver.database.facts(path)?;
        let source = SourceFile { path, file: &file };
        let method = source.definition(id)?;
        let qualifier = file.facts.name(method.qualifier?);
        let facts = &file.facts;
        let parent = |id: ScopeId| facts.scope(id)?.parent;
        let around = std::iter::successors(parent(method.scope), |id| parent(*id));
        let kind = |id: &ScopeId| facts.scope(*id).map(|scope| scope.kind);
        let around = around.take_while(|id| {
            matches!(kind(id), Some(ScopeKind::Block | ScopeKind::TypeParameters))
        });
        let mut templates = around.filter(|id| kind(id) == Some(ScopeKind::TypeParameters));
        let innermost = templates.next()?;
        let outer = templates.last();
        // The outer parameters may be those of a class around that of the method.
        let is_nested = outer.is_some() && qualifier.contains('.');
        let scope = outer.unwrap_or(innermost);
        (!is_nested).then(|| type_parameters_in(&source, scope))
    };
    names().unwrap_or_default()
}
