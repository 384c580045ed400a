//! Templates: what their parameters stand for, in members outside of the class, too.

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
    let outermost = || {
        let file = resolver.database.facts(path)?;
        let source = SourceFile { path, file: &file };
        let method = source.definition(id)?;
        method.qualifier?;
        let facts = &file.facts;
        let parent = |id: ScopeId| facts.scope(id)?.parent;
        let around = std::iter::successors(parent(method.scope), |id| parent(*id));
        let kind = |id: &ScopeId| facts.scope(*id).map(|scope| scope.kind);
        let around = around.take_while(|id| {
            matches!(kind(id), Some(ScopeKind::Block | ScopeKind::TypeParameters))
        });
        let mut templates = around.filter(|id| kind(id) == Some(ScopeKind::TypeParameters));
        let first = templates.next()?;
        let scope = templates.last().unwrap_or(first);
        Some(type_parameters_in(&source, scope))
    };
    outermost().unwrap_or_default()
}
