//! Resolves imports to files.

use std::collections::BTreeSet;

use super::ambient::AmbientFiles;
use super::export_names::STAR;
use super::search::is_typed;
use super::specifiers::Specifiers;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{EXPORT_EQUALS, Export, ExportedItem, Import, ImportedItem};

/// The maximum number of modules that are searched for a star export of what does not exist.
const MAX_MODULES: usize = 256;

#[derive(Debug)]
pub(super) struct Ecmascript {
    pub(super) specifiers: Specifiers,
    pub(super) ambient: AmbientFiles,
}

impl Ecmascript {
    pub(super) fn new(specifiers: Specifiers) -> Self {
        Self {
            ambient: AmbientFiles::new(&specifiers),
            specifiers,
        }
    }

    pub(super) fn find_file(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> Option<RepoPath> {
        let specifier = source.file.facts.name(import.module);
        let observe = |manifest: &RepoPath| resolver.database.add_dependency(manifest);
        self.specifiers.find(&observe, source.path, specifier)
    }

    /// Reports whether a chain of at most `steps` imports ends at what does not exist.
    pub(super) fn is_missing(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
        steps: usize,
    ) -> bool {
        let Some(path) = &self.find_file(resolver, source, import) else {
            let specifier = source.file.facts.name(import.module);
            let observe = |manifest: &RepoPath| resolver.database.add_dependency(manifest);
            return self.specifiers.is_own(&observe, source.path, specifier);
        };
        match import.item {
            ImportedItem::Member(name) => {
                let name = source.file.facts.name(name);
                self.is_missing_in(resolver, path, name, steps)
            }
            _ => false,
        }
    }

    /// Reports whether a module has no export of this name, or only what is imported and missing.
    pub(super) fn is_missing_in(
        &self,
        resolver: Resolver<'_>,
        path: &RepoPath,
        name: &str,
        steps: usize,
    ) -> bool {
        let Some(file) = &resolver.database.facts(path).filter(|_| steps > 0) else {
            return false;
        };
        let facts = &file.facts;
        let module = SourceFile { path, file };
        // A script may have any member, and so may what a module exports as a whole or by star.
        let is_script = facts.exported.is_empty() && !is_typed(path);
        let has_any = || {
            facts
                .exported
                .iter()
                .any(|export| is_of_any(&module, export))
        };
        if is_script || has_any() {
            return self.exports_missing(resolver, path);
        }
        let exported = facts.exported.iter();
        let mut named = exported.filter(|export| facts.name(export.name) == name);
        named.all(|export| match export.item {
            ExportedItem::From(id) => file
                .import(id)
                .is_some_and(|import| self.is_missing(resolver, &module, import, steps - 1)),
            _ => false,
        })
    }

    /// Reports whether a module exports as a whole, or by star, what does not exist: the result of
    /// a build, for one.
    fn exports_missing(&self, resolver: Resolver<'_>, module: &RepoPath) -> bool {
        let mut visited = BTreeSet::from([module.clone()]);
        let mut pending = vec![module.clone()];
        while let Some(path) = pending.pop() {
            let Some(file) = resolver.database.facts(&path) else {
                continue;
            };
            let module = SourceFile {
                path: &path,
                file: &file,
            };
            let exported = file.facts.exported.iter();
            let all = exported.filter(|export| is_of_any(&module, export));
            let imports = all.filter_map(|export| match export.item {
                ExportedItem::From(id) => file.import(id),
                _ => None,
            });
            for import in imports {
                match self.find_file(resolver, &module, import) {
                    Some(inner) if visited.len() < MAX_MODULES && visited.insert(inner.clone()) => {
                        pending.push(inner);
                    }
                    None if self.is_missing(resolver, &module, import, 0) => return true,
                    _ => {}
                }
            }
        }
        false
    }
}

/// Reports whether what is exported may have any member: a module as a whole, or by star.
fn is_of_any(module: &SourceFile<'_>, export: &Export) -> bool {
    let name = module.file.facts.name(export.name);
    matches!(name, STAR | EXPORT_EQUALS)
}
