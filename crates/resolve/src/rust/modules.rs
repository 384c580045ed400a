//! Modules: each file is one, and so is each block `mod a { … }` in a file.

use super::crates::Parents;
use super::declarations::{imports_of, is_path, modules_around};
use super::{Rust, SUPER, prelude};
use crate::entity::{Entity, ResolvedEntities};
use crate::memo::MemoKey;
use crate::resolver::Resolver;
use crate::source_file::{MODULE, SourceFile};
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    DefinitionFact, Import, ImportedItem, Scope, ScopeId, Space, TYPE_NAME,
};

/// The maximum number of modules between a file and the first one of its crate.
const MAX_DEPTH: usize = 64;

impl Rust {
    /// Resolves a `use` of a single name, which is that of a crate or of an item beside it.
    pub(super) fn resolve_crate(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (scope, name): (ScopeId, &str),
    ) -> ResolvedEntities {
        match name {
            "crate" => self.crate_root(resolver, source.path),
            "self" => ResolvedEntities::single(module_at(source, scope)),
            SUPER => self.parent_module(resolver, &module_at(source, scope)),
            _ => self
                .crates
                .library(name, source.path)
                .map_or_else(ResolvedEntities::none, |library| {
                    ResolvedEntities::single(Entity::Module(library.clone()))
                }),
        }
    }

    /// Resolves the path of a `use` that binds the name of the crate that it begins with:
    /// `use a::a;`. Elsewhere the first name of a path may be one that the file binds.
    pub(super) fn path_from_crate(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> Option<ResolvedEntities> {
        let facts = &source.file.facts;
        let mut segments = facts.name(import.module).split('.');
        let head = segments.next()?.strip_suffix(TYPE_NAME)?;
        let bound = match (import.alias, import.item) {
            (Some(alias), _) => alias,
            (None, ImportedItem::Member(name)) => name,
            _ => return None,
        };
        let library = self.crates.library(head, source.path);
        let library = library.filter(|_| facts.name(bound) == head)?;
        let root = ResolvedEntities::single(Entity::Module(library.clone()));
        Some(segments.fold(root, |of, name| resolver.resolve_members(&of, name)))
    }

    /// Returns the first file of the crate of a file.
    pub(super) fn crate_root(&self, resolver: Resolver<'_>, file: &RepoPath) -> ResolvedEntities {
        let mut file = file.clone();
        for _ in 0..MAX_DEPTH {
            if self.crates.is_root(&file) {
                return ResolvedEntities::single(Entity::Module(file));
            }
            match self.parent_file(resolver, &file) {
                Some(parent) => file = parent,
                None => break,
            }
        }
        let beside = self.crates.root_beside(&file);
        beside.map_or_else(ResolvedEntities::unknown, |root| {
            ResolvedEntities::single(Entity::Module(root))
        })
    }

    /// Returns the file beside the first file of a crate that declares it as a module too: Cargo
    /// takes each file of `tests` for a crate.
    fn declaring_file(&self, resolver: Resolver<'_>, root: &RepoPath) -> Option<RepoPath> {
        let Parents::Beside(parents) = self.crates.parents(root) else {
            return None;
        };
        let mut declaring = parents.into_iter();
        declaring.find(|parent| declares(resolver, parent, root))
    }

    /// Returns the file that declares the module of a file.
    pub(super) fn parent_file(&self, resolver: Resolver<'_>, file: &RepoPath) -> Option<RepoPath> {
        let declares = |parent: &&RepoPath| declares(resolver, parent, file);
        match self.crates.parents(file) {
            Parents::Beside(parents) => match &*parents {
                [only] => Some(only.clone()),
                _ => parents.iter().find(declares).or(parents.first()).cloned(),
            },
            Parents::Elsewhere(parents) => {
                let found = parents.iter().find(declares).cloned();
                let by_path = || {
                    let candidates = self.crates.declaring_by_path(file).iter();
                    candidates
                        .filter(|one| *one != file)
                        .find(declares)
                        .cloned()
                };
                found.or_else(by_path).or_else(|| parents.first().cloned())
            }
        }
    }

    /// Returns the module around a module.
    pub(super) fn parent_module(
        &self,
        resolver: Resolver<'_>,
        module: &Entity,
    ) -> ResolvedEntities {
        match module {
            Entity::Module(file) => {
                let parent = if self.crates.is_root(file) {
                    self.declaring_file(resolver, file)
                } else {
                    self.parent_file(resolver, file)
                };
                parent.map_or_else(ResolvedEntities::unknown, |parent| {
                    ResolvedEntities::single(declaring_module(resolver, parent, file))
                })
            }
            Entity::Definition(path, id) => {
                let Some(facts) = resolver.database.facts(path) else {
                    return ResolvedEntities::unknown();
                };
                let source = SourceFile { path, file: &facts };
                let definition = source.definition(*id);
                let scope = definition.map_or(MODULE, |of| source.enclosing_scope(of));
                ResolvedEntities::single(module_at(&source, scope))
            }
            _ => ResolvedEntities::unknown(),
        }
    }

    /// Reports whether a module is one of several, or is inside of one.
    pub(super) fn is_inside(
        &self,
        resolver: Resolver<'_>,
        module: Entity,
        around: &ResolvedEntities,
    ) -> bool {
        let mut module = Some(module);
        for _ in 0..MAX_DEPTH {
            let Some(current) = module else {
                return false;
            };
            if around.entities.contains(&current) {
                return true;
            }
            let parents = self.parent_module(resolver, &current);
            module = parents.entities.into_iter().next();
        }
        false
    }

    /// Returns the file of `mod a;` in a scope.
    pub(super) fn module_file(
        &self,
        source: &SourceFile<'_>,
        scope: ScopeId,
        name: &str,
    ) -> Option<RepoPath> {
        let inside = modules_around(&source.file.facts, scope);
        if is_path(name) {
            return self.crates.at_path(source.path, &inside, name);
        }
        self.crates.child(source.path, &inside, name)
    }

    /// Resolves a name that a file declares or imports as a module.
    pub(super) fn resolve_in_file(
        &self,
        resolver: Resolver<'_>,
        module: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        if name == SUPER {
            return self.parent_module(resolver, &Entity::Module(module.path.clone()));
        }
        let bindings = module.module_bindings(name);
        let bound = resolver.resolve_bindings(module, &bindings);
        if !bound.entities.is_empty() {
            return bound;
        }
        // What is not known may be a macro, beside a type of the same name.
        if let Some(object) = module.object(None, name) {
            return ResolvedEntities::single(object);
        }
        let starred = resolve_starred(resolver, module, (MODULE, name));
        let is_external = bound.is_none() && !bindings.is_empty();
        if starred.is_none() && !is_external {
            // A macro may declare it.
            return ResolvedEntities::unknown();
        }
        starred
    }
}

/// Resolves the path of a `use`, before the name that it imports.
pub(super) fn resolve_used_path(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    import: &Import,
) -> ResolvedEntities {
    let path = source.file.facts.name(import.module);
    if path.is_empty() {
        return ResolvedEntities::none();
    }
    resolver.resolve_path_text(source, (import.scope, Space::Types), (path, false))
}

/// Resolves a name that a block `mod a { … }` does not declare, but imports with `*`.
pub(super) fn resolve_in_module(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (module, name): (&DefinitionFact, &str),
) -> ResolvedEntities {
    if name == SUPER {
        let scope = source.enclosing_scope(module);
        return ResolvedEntities::single(module_at(source, scope));
    }
    let starred = resolve_starred(resolver, source, (module.scope, name));
    if starred.is_none() {
        return ResolvedEntities::unknown();
    }
    starred
}

/// Resolves a name that a scope imports with `*`.
pub(super) fn resolve_starred(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (scope, name): (ScopeId, &str),
) -> ResolvedEntities {
    let imports = source.file.facts.imports.iter();
    let stars = imports.filter(|import| import.scope == scope && import.item == ImportedItem::Star);
    let mut found = ResolvedEntities::none();
    for star in stars.filter(|star| !is_standard(source, star)) {
        let of = resolve_used_path(resolver, source, star);
        // A module from outside of the repository has nothing of it.
        if !of.is_none() {
            found.merge(resolver.resolve_members(&of, name));
        }
    }
    if !found.entities.is_empty() {
        found.has_unknown = false;
    }
    found
}

/// Reports whether an import is one of the standard library, by the first name of its path.
fn is_standard(source: &SourceFile<'_>, import: &Import) -> bool {
    let path = source.file.facts.name(import.module);
    let head = path.split('.').next().unwrap_or(path);
    let head = head.trim_end_matches(TYPE_NAME);
    prelude::is_crate(head) && !source.is_bound(import.scope, head)
}

/// Reports whether a file declares another one as a module.
fn declares(resolver: Resolver<'_>, parent: &RepoPath, file: &RepoPath) -> bool {
    let facts = resolver.database.facts(parent);
    facts.is_some_and(|found| {
        let mut imports = imports_of((parent, &found.facts), file);
        imports.next().is_some()
    })
}

/// Returns the module of a file that declares another file, which may be a block.
fn declaring_module(resolver: Resolver<'_>, parent: RepoPath, file: &RepoPath) -> Entity {
    let facts = resolver.database.facts(&parent);
    let block = facts.as_ref().and_then(|facts| {
        let import = imports_of((&parent, &facts.facts), file).next()?;
        let source = SourceFile {
            path: &parent,
            file: facts,
        };
        Some(module_at(&source, import.scope))
    });
    block.unwrap_or(Entity::Module(parent))
}

/// Returns the innermost module around a scope.
pub(super) fn module_at(source: &SourceFile<'_>, scope: ScopeId) -> Entity {
    let mut next = scope_at(source, scope);
    while let Some(current) = next {
        let module = current.definition.filter(|id| {
            let definition = source.definition(*id);
            definition.is_some_and(|one| one.kind == DefinitionKind::Namespace)
        });
        if let Some(module) = module {
            return source.entity(module);
        }
        next = current.parent.and_then(|parent| scope_at(source, parent));
    }
    Entity::Module(source.path.clone())
}

fn scope_at<'f>(source: &SourceFile<'f>, scope: ScopeId) -> Option<&'f Scope> {
    source.file.facts.scope(scope)
}

/// Returns a value of the type that an alias stands for. That of an associated type in a trait has
/// the bounds of the type.
pub(super) fn aliased(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    alias: &DefinitionFact,
) -> ResolvedEntities {
    // A type may contain itself.
    let key = MemoKey::Alias(source.path.clone(), alias.scope);
    resolver.database.memoize(key, || {
        let value = alias.returns.map(|value| {
            let scope = source.enclosing_scope(alias);
            resolver.resolve_value(source, scope, value)
        });
        let of = alias.parent.and_then(|id| source.definition(id));
        let is_associated = of.is_some_and(|of| of.kind == DefinitionKind::Interface);
        // Types of the repository may implement bounds from outside.
        let value = value.filter(|value| !(is_associated && value.is_none()));
        value.unwrap_or_else(ResolvedEntities::unknown)
    })
}
