//! Resolves imports to files.

use super::exports;
use super::search::is_typed;
use super::specifiers::Specifiers;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{EXPORT_EQUALS, Export, ExportedItem, Import, ImportedItem};

#[derive(Debug)]
pub(super) struct Ecmascript {
    pub(super) specifiers: Specifiers,
}

impl Ecmascript {
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
        // What a module exports as a whole, or by star, may have any member, and so may a script.
        let has_any =
            |export: &Export| matches!(facts.name(export.name), exports::STAR | EXPORT_EQUALS);
        let is_script = facts.exported.is_empty() && !is_typed(path);
        if is_script || facts.exported.iter().any(has_any) {
            return false;
        }
        let module = SourceFile { path, file };
        let exported = facts.exported.iter();
        let mut named = exported.filter(|export| facts.name(export.name) == name);
        named.all(|export| match export.item {
            ExportedItem::From(id) => file
                .import(id)
                .is_some_and(|import| self.is_missing(resolver, &module, import, steps - 1)),
            _ => false,
        })
    }
}
