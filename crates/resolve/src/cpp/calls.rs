//! Resolves calls of functions, of types and of objects.

use super::Cpp;
use crate::entity::{Entity, Object, ResolvedEntities};
use crate::memo::MemoKey;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{BindingTarget, DefinitionId};

impl Cpp {
    /// Resolves a call of a function or a type that is only declared, of another name of a type, or
    /// of an object.
    pub(super) fn call(&self, resolver: Resolver<'_>, of: &Entity) -> Option<ResolvedEntities> {
        match of {
            Entity::Object(Object {
                file,
                inside: None,
                bound_in: None,
                name,
            }) => Some(self.call_declared(resolver, of, (file, name))),
            Entity::Definition(path, id) => call_type(resolver, path, *id),
            Entity::TypeParameter(_) => Some(ResolvedEntities::single(of.clone())),
            // A pointer to a function counts as what that returns.
            Entity::Instance(..) => {
                let operator = resolver.resolve_member(of, "operator()");
                Some(if operator.entities.is_empty() {
                    ResolvedEntities::single(of.clone())
                } else {
                    resolver.resolve_call(&operator)
                })
            }
            _ => None,
        }
    }

    /// Resolves a call of what a file declares: what the declaration of a function returns, or an
    /// instance of a class.
    fn call_declared(
        &self,
        resolver: Resolver<'_>,
        declared: &Entity,
        (file, name): (&RepoPath, &str),
    ) -> ResolvedEntities {
        let Some(facts) = resolver.database.facts(file) else {
            return ResolvedEntities::unknown();
        };
        let source = SourceFile {
            path: file,
            file: &facts,
        };
        let results = source.module_bindings(name).into_iter();
        let results = results.filter_map(|binding| match binding.target {
            BindingTarget::Attribute(Some(value)) => {
                Some(resolver.resolve_value(&source, binding.value_scope, value))
            }
            _ => None,
        });
        let mut results = ResolvedEntities::union(results);
        if results.entities.is_empty() {
            let classes = self.classes(resolver, declared);
            results.entities = classes
                .map(|class| match class {
                    Entity::Definition(path, id) => Entity::Instance(path, id),
                    other => other,
                })
                .collect();
        }
        results.has_unknown |= results.entities.is_empty();
        results
    }

    /// Returns the definitions of a class that a file declares.
    pub(super) fn classes(
        &self,
        resolver: Resolver<'_>,
        declared: &Entity,
    ) -> impl Iterator<Item = Entity> + use<> {
        let found = self.linked(resolver, declared).into_iter();
        let found = found.filter(|(_, kind)| *kind == DefinitionKind::Class);
        found
            .map(|(class, _)| class)
            .collect::<Vec<_>>()
            .into_iter()
    }
}

/// Resolves a call of another name of a type.
fn call_type(
    resolver: Resolver<'_>,
    path: &RepoPath,
    id: DefinitionId,
) -> Option<ResolvedEntities> {
    let facts = resolver.database.facts(path)?;
    let source = SourceFile { path, file: &facts };
    let definition = source.definition(id)?;
    let value = definition.returns?;
    (definition.kind == DefinitionKind::Type).then(|| {
        let scope = source.enclosing_scope(definition);
        // A name could be another name of itself.
        let key = MemoKey::Returned(path.clone(), id);
        let compute = || resolver.resolve_value(&source, scope, value);
        resolver.database.memoize(key, compute)
    })
}
