//! Resolves imports to files.

use super::specifiers::Specifiers;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::Import;

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
}
