//! Imports.

use super::specifiers::Specifiers;
use crate::resolver::Linker;
use crate::source_file::Here;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::Import;

#[derive(Debug)]
pub(super) struct Ecmascript {
    pub(super) specifiers: Specifiers,
}

impl Ecmascript {
    pub(super) fn file(
        &self,
        linker: Linker<'_>,
        here: &Here<'_>,
        import: &Import,
    ) -> Option<RepoPath> {
        let specifier = here.file.facts.name(import.module);
        let note = |manifest: &RepoPath| linker.world.consult(manifest);
        self.specifiers.find(&note, here.path, specifier)
    }
}
