//! What differs between languages when a name is followed.

use std::collections::BTreeSet;

use crate::entity::{Entity, Meaning};
use crate::files::Files;
use crate::linker::Linker;
use crate::manifest::Manifest;
use crate::names::Here;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{Binding, DefinitionFact, Import, ScopeId};

/// Languages whose files import each other, as one row of the table in [`families`](super::families).
pub(super) struct Family {
    /// The names of its languages.
    pub(super) languages: &'static [&'static str],
    /// Whether names are not followed out of their files, so that all of a name may be meant.
    pub(super) is_by_name: bool,
    /// Whether a file, in no language, says where its modules are.
    pub(super) is_manifest: fn(&RepoPath) -> bool,
    /// Makes what follows its names, of its files and manifests.
    pub(super) linking: fn(Files, &[Manifest]) -> Box<dyn Linking>,
}

/// How the names of a family of languages lead to what they mean.
///
/// Scopes, bindings, classes and inheritance are the same for all and not here.
pub(super) trait Linking: std::fmt::Debug {
    /// What an import binds, or would bind to its name.
    fn imported(&self, linker: Linker<'_>, here: &Here<'_>, import: &Import) -> Meaning;

    /// What the name means that stands in an import.
    fn import_mentions(&self, linker: Linker<'_>, here: &Here<'_>, import: &Import) -> Meaning {
        self.imported(linker, here, import)
    }

    /// The file that an import brings, or brings something of.
    fn imported_file(
        &self,
        linker: Linker<'_>,
        here: &Here<'_>,
        import: &Import,
    ) -> Option<RepoPath>;

    /// Whether who imports what a module exports under this name chooses a name for it.
    fn is_chosen_by_importers(&self, _name: &str) -> bool {
        false
    }

    /// The last segments of the specifiers that may mean a file, where importers of its default export go by any name; none where who
    /// imports a module's members names them.
    fn import_keys(&self, _file: &RepoPath) -> BTreeSet<String> {
        BTreeSet::new()
    }

    /// What a name means in a scope by the language's own rules, before any binding; `None` where bindings decide.
    fn keyword(
        &self,
        linker: Linker<'_>,
        here: &Here<'_>,
        scope: ScopeId,
        word: Word<'_>,
    ) -> Option<Meaning>;

    /// Whether what is directly in a class's or enum's body sees its members by their names.
    fn sees_members(&self, class: &DefinitionFact) -> bool;

    /// What a name means that no scope binds.
    fn unbound(&self, linker: Linker<'_>, here: &Here<'_>, name: &str) -> Meaning;

    /// What a binding means beside what it says.
    fn bound(&self, here: &Here<'_>, binding: &Binding) -> Meaning;

    /// What a parameter is that says nothing of itself.
    fn parameter(&self, here: &Here<'_>, binding: &Binding) -> Meaning;

    /// What a name means as a member of a module.
    fn module_member(&self, linker: Linker<'_>, module: &Here<'_>, name: &str) -> Meaning;

    /// What a name means as a member of a folder.
    fn folder_member(&self, folder: &RepoPath, name: &str) -> Meaning;

    /// What a name means as a member of any class or function, whatever that defines.
    fn builtin_member(&self, of: &Entity, name: &str) -> Option<Meaning>;

    /// What a call of something outside the repository gives, by its name.
    fn outside_call(&self, name: &str) -> Meaning;

    /// What calling something gives by the language's own rules; `None` where what it is decides.
    fn call(&self, of: &Entity) -> Option<Meaning>;

    /// Whether reading a definition gives what it returns. `is_passed` says that a member of it is read and it is not called.
    fn is_property(&self, here: &Here<'_>, definition: &DefinitionFact, is_passed: bool) -> bool;

    /// The methods that run where their class is called.
    fn constructors(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether a call of a function that does not say what it returns may give an instance of it.
    fn constructs(&self, definition: &DefinitionFact) -> bool;
}

/// The first name of a dotted one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'n> {
    pub(super) text: &'n str,
    /// Whether it is called by itself.
    pub(super) called: bool,
}
