//! Looks up what a file and the files that it sees declare.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::Cpp;
use crate::entity::{Entity, Object, ResolvedEntities};
use crate::memo::MemoKey;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{BindingTarget, OPENED, TAG};

impl Cpp {
    /// Resolves a whole path, such as `a.b` of `a::b`, among the files that a file sees.
    pub(super) fn look_up(
        &self,
        resolver: Resolver<'_>,
        file: &RepoPath,
        path: &str,
    ) -> ResolvedEntities {
        let key = MemoKey::VisiblePath(file.clone(), path.to_owned());
        let database = resolver.database;
        database.memoize(key, || self.compute_path(resolver, file, path))
    }

    /// Reports whether a file or one that it includes declares a path.
    pub(super) fn sees(&self, resolver: Resolver<'_>, file: &RepoPath, path: &str) -> bool {
        let seen = self.includes.seen(resolver, file);
        !Self::declared_in_all(resolver, &seen, path).is_none()
    }

    fn compute_path(
        &self,
        resolver: Resolver<'_>,
        file: &RepoPath,
        path: &str,
    ) -> ResolvedEntities {
        let mut seen = self.includes.seen(resolver, file);
        let mut found = Self::declared_in_all(resolver, &seen, path);
        found.merge(Self::declared_in_opened(resolver, file, &seen, path));
        if !found.is_none() {
            return found;
        }
        let further = self.includes.seen_by_includers(resolver, (file, path));
        if !further.is_empty() {
            seen = Rc::new(further.into_iter().collect());
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

    /// Resolves a path in the files that open a namespace by a macro. Their facts do not know the
    /// namespace, since another file may define the macro.
    fn declared_in_opened(
        resolver: Resolver<'_>,
        from: &RepoPath,
        files: &[RepoPath],
        path: &str,
    ) -> ResolvedEntities {
        let mut all = ResolvedEntities::none();
        let ends = path.match_indices('.').map(|(end, _)| end);
        for end in ends.chain([path.len()]) {
            let (namespace, rest) = path.split_at_checked(end).unwrap_or((path, ""));
            let macros = opening_macros(resolver, files, namespace);
            if macros.is_empty() {
                continue;
            }
            let Some(rest) = rest.strip_prefix('.') else {
                all.merge(ResolvedEntities::single(Entity::Object(Object {
                    file: from.clone(),
                    inside: None,
                    bound_in: None,
                    name: path.to_owned(),
                })));
                continue;
            };
            for file in files {
                let facts = resolver.database.facts(file).filter(|facts| {
                    let mut macros = macros.iter();
                    macros.any(|name| facts.find_name(name).is_some())
                });
                if let Some(facts) = facts {
                    let source = SourceFile {
                        path: file,
                        file: &facts,
                    };
                    all.merge(declared_in(resolver, &source, rest));
                }
            }
        }
        all
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

/// Returns the macros of these files that open a namespace.
pub(super) fn opening_macros<'p>(
    resolver: Resolver<'_>,
    files: impl IntoIterator<Item = &'p RepoPath>,
    path: &str,
) -> BTreeSet<String> {
    let name = format!("{OPENED}{path}");
    let mut macros = BTreeSet::new();
    for file in files {
        let Some(facts) = resolver.database.facts(file) else {
            continue;
        };
        let source = SourceFile {
            path: file,
            file: &facts,
        };
        let bindings = source.module_bindings(&name).into_iter();
        macros.extend(bindings.filter_map(|binding| match binding.target {
            BindingTarget::Attribute(Some(value)) => Some(facts.facts.name(value.path).to_owned()),
            _ => None,
        }));
    }
    macros
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
            bound_in: None,
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
pub(super) fn keep_types(resolver: Resolver<'_>, mut found: ResolvedEntities) -> ResolvedEntities {
    found.entities.retain(|entity| match entity {
        Entity::Definition(path, id) => resolver.database.facts(path).is_some_and(|facts| {
            let definition = facts.facts.definition(*id);
            definition.is_some_and(|found| {
                matches!(found.kind, DefinitionKind::Class | DefinitionKind::Enum)
            })
        }),
        Entity::Object(object) => object.inside.is_none(),
        _ => false,
    });
    found
}
