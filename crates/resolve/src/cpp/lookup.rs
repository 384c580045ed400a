//! Looks up what a file and the files that it sees declare.

use super::Cpp;
use crate::entity::{Entity, Object, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{BindingTarget, TAG};

impl Cpp {
    /// Resolves a whole path, such as `a.b` of `a::b`, among the files that a file sees.
    pub(super) fn look_up(
        &self,
        resolver: Resolver<'_>,
        file: &RepoPath,
        path: &str,
    ) -> ResolvedEntities {
        let mut seen = self.includes.seen(resolver, file);
        let found = Self::declared_in_all(resolver, &seen, path);
        if !found.is_none() {
            return found;
        }
        let further = self.includes.seen_by_includers(resolver, file);
        if !further.is_empty() {
            seen = further.into_iter().collect();
        }
        let found = Self::declared_in_all(resolver, &seen, path);
        if !found.is_none() {
            return found;
        }
        // `struct a` of a header of C++ is `a`, and that of a header of C is no other `a`.
        match path.strip_prefix(TAG) {
            Some(name) => keep_types(resolver, Self::declared_in_all(resolver, &seen, name)),
            None if path.contains('.') => found,
            None => Self::declared_in_all(resolver, &seen, &format!("{TAG}{path}")),
        }
    }

    fn declared_in_all(resolver: Resolver<'_>, files: &[RepoPath], path: &str) -> ResolvedEntities {
        let mut all = ResolvedEntities::none();
        for file in files {
            if let Some(facts) = resolver.database.facts(file) {
                let source = SourceFile {
                    path: file,
                    file: &facts,
                };
                all.merge(declared_in(resolver, &source, path));
            }
        }
        if path.starts_with(TAG) && all.entities.iter().any(is_definition) {
            // A type needs no declaration where its definition is.
            all.entities.retain(is_definition);
        }
        all
    }
}

fn is_definition(entity: &Entity) -> bool {
    matches!(entity, Entity::Definition(..))
}

/// Resolves what a file declares by a whole path. A declaration without a definition is an object,
/// and so is a variable of an unknown type.
pub(super) fn declared_in(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    path: &str,
) -> ResolvedEntities {
    let object = |inside| {
        ResolvedEntities::single(Entity::Object(Object {
            file: source.path.clone(),
            inside,
            name: path.to_owned(),
        }))
    };
    let bindings = source.module_bindings(path).into_iter();
    ResolvedEntities::union(bindings.map(|binding| match binding.target {
        BindingTarget::Definition(id) => ResolvedEntities::single(source.entity(id)),
        BindingTarget::Attribute(_) => object(None),
        BindingTarget::Variable(None) => object(Some(ragnav_syntax::facts::DefinitionId(0))),
        _ => resolver.resolve_bindings(source, &[binding]),
    }))
}

/// Keeps the structs, unions and enums.
fn keep_types(resolver: Resolver<'_>, mut found: ResolvedEntities) -> ResolvedEntities {
    found.entities.retain(|entity| match entity {
        Entity::Definition(path, id) => resolver.database.facts(path).is_some_and(|facts| {
            let definition = facts.facts.definitions.get(id.0 as usize);
            definition.is_some_and(|found| {
                matches!(found.kind, DefinitionKind::Class | DefinitionKind::Enum)
            })
        }),
        Entity::Object(object) => object.inside.is_none(),
        _ => false,
    });
    found
}
