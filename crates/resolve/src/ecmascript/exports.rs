//! Resolves the exports of a module.

use super::export_names::{DEFAULT, STAR};
use super::imports::Ecmascript;
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::{LanguageResolver, Resolver};
use crate::source_file::{MODULE, SourceFile};
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{Binding, DOCUMENTED, EXPORT_EQUALS, Export, ExportedItem, LITERAL};

/// Reports whether a file is a component, which is its own default export.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
/// # use setup::path;
/// use ragnav_resolve::is_component;
///
/// assert!(is_component(&path("src/Cart.vue")));
/// assert!(!is_component(&path("src/cart.ts")));
/// ```
#[must_use]
pub fn is_component(path: &RepoPath) -> bool {
    let language = ragnav_syntax::detect_language(path);
    language.is_some_and(|language| matches!(language.name, "astro" | "svelte" | "vue"))
}

/// Resolves the values of a type that a comment of a module names. Its name has a prefix, since
/// code does not see it.
fn documented_type(
    resolver: Resolver<'_>,
    module: &SourceFile<'_>,
    name: &str,
) -> ResolvedEntities {
    let name = module.file.find_name(name);
    let bindings = name.into_iter();
    let bindings = bindings.flat_map(|name| module.file.bindings(MODULE, name));
    let bindings: Vec<&Binding> = bindings.collect();
    resolver.resolve_bindings(module, &bindings)
}

impl Ecmascript {
    /// Resolves a module as a whole: the value of `module.exports`, and the namespace of its
    /// exports.
    pub(super) fn resolve_module(
        &self,
        resolver: Resolver<'_>,
        file: &RepoPath,
    ) -> ResolvedEntities {
        let namespace = Entity::Module(file.clone());
        let Some(facts) = resolver.database.facts(file) else {
            return ResolvedEntities::unknown();
        };
        let source = SourceFile {
            path: file,
            file: &facts,
        };
        let mut resolution = self.resolve_named_exports(resolver, &source, EXPORT_EQUALS);
        let mut exports = facts.facts.exported.iter();
        let has_others = exports.any(|export| facts.facts.name(export.name) != EXPORT_EQUALS);
        if has_others || resolution.is_none() {
            resolution.entities.insert(namespace);
        }
        resolution
    }

    /// Resolves an export by its name.
    pub(super) fn resolve_export(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        if name.starts_with(DOCUMENTED) {
            return documented_type(resolver, source, name);
        }
        let facts = &source.file.facts;
        let own = ResolvedEntities::single(Entity::Module(source.path.clone()));
        let mut found = self.resolve_named_exports(resolver, source, name);
        if name == DEFAULT && is_component(source.path) {
            found.merge(own);
            return found;
        }
        if facts.exported.is_empty() {
            return ResolvedEntities::unknown();
        }
        if !found.is_none() {
            return found;
        }
        let whole = self.resolve_named_exports(resolver, source, EXPORT_EQUALS);
        match name {
            DEFAULT if whole.is_none() => own,
            DEFAULT => whole,
            // `exports` is the name of `module.exports` as a member.
            "exports" if whole.is_none() => own,
            "exports" => whole,
            _ => {
                if !whole.is_none() {
                    found.merge(resolver.resolve_members(&whole, name));
                }
                found.merge(self.resolve_star_exports(resolver, source, name));
                found
            }
        }
    }

    fn resolve_named_exports(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        let facts = &source.file.facts;
        let rows = facts.exported.iter();
        let rows = rows.filter(|export| facts.name(export.name) == name);
        ResolvedEntities::union(
            rows.map(|export| self.resolve_export_item(resolver, source, export)),
        )
    }

    fn resolve_export_item(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        export: &Export,
    ) -> ResolvedEntities {
        let facts = &source.file.facts;
        match export.item {
            ExportedItem::Local(name) => resolver.resolve_name(source, MODULE, facts.name(name)),
            ExportedItem::Definition(id) => ResolvedEntities::single(source.entity(id)),
            ExportedItem::From(id) => match source.file.import(id) {
                Some(import) => self.resolve_import(resolver, source, import),
                None => ResolvedEntities::unknown(),
            },
            ExportedItem::Value(value) => {
                let mut found = resolver.resolve_value(source, MODULE, value);
                if facts.name(value.path).starts_with(LITERAL) {
                    found.merge(Self::exported_object(source, export));
                }
                found
            }
            ExportedItem::Other => Self::exported_object(source, export),
        }
    }

    /// Returns the object whose definitions have the name of an export before theirs.
    fn exported_object(source: &SourceFile<'_>, export: &Export) -> ResolvedEntities {
        let mut found = ResolvedEntities::unknown();
        let name = source.file.facts.name(export.name);
        found.entities.extend(source.object(None, name));
        found
    }

    /// Resolves a name in the modules that a module exports by star.
    fn resolve_star_exports(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        let facts = &source.file.facts;
        let exports = facts.exported.iter();
        let stars = exports.filter(|export| facts.name(export.name) == STAR);
        let mut all = ResolvedEntities::none();
        for star in stars {
            let import = match star.item {
                ExportedItem::From(id) => source.file.import(id),
                _ => None,
            };
            let file = import.and_then(|import| self.find_file(resolver, source, import));
            match file {
                Some(file) => all.merge(resolver.resolve_member(&Entity::Module(file), name)),
                None => all.has_unknown = true,
            }
        }
        all
    }
}
