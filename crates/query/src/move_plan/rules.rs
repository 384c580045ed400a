//! What the languages that have moves differ in.

use ragnav_base::path::RepoPath;
use ragnav_resolve::FileFacts;
use ragnav_syntax::facts::{Import, ImportedItem};
use ragnav_syntax::layout::ImportForm;

use super::files::OpenFile;
use super::moved::Moved;
use super::names::ClassScopes;
use crate::edit_plan::{Change, Refusal};

/// What a statement imports by one name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Imported {
    /// The name in the module; `None` for the module itself.
    pub(super) name: Option<String>,
    /// The name that the importing file gives it.
    pub(super) alias: Option<String>,
}

/// What an import means, whatever file it stands in: a module, and a name in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ImportKey {
    pub(super) module: String,
    pub(super) name: Option<String>,
}

/// An import that a file gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ImportRequest {
    /// How the statement names the module.
    pub(super) specifier: String,
    pub(super) imported: Imported,
    pub(super) form: ImportForm,
}

/// The rules of a language.
pub(super) trait Rules {
    /// What a comment of one line begins with.
    fn comment(&self) -> &'static str;

    /// Whether the names of a class are seen in its body.
    fn class_scopes(&self) -> ClassScopes;

    /// The number of blank lines between definitions.
    fn blank_lines(&self) -> usize;

    /// Returns why a definition cannot go from one file to another.
    fn target_problem(&self, source: &RepoPath, target: &RepoPath) -> Option<String>;

    /// Returns how a file names the module of another one. `like` is a file whose style is
    /// followed, with an example of a specifier in it if there is one.
    fn specifier(
        &self,
        from_to: (&RepoPath, &RepoPath),
        like: &OpenFile,
        example: Option<&str>,
    ) -> Option<String>;

    /// Returns the text of a statement.
    fn statement(&self, specifier: &str, imported: &[Imported], form: ImportForm) -> String;

    /// Returns what an import means.
    fn key(&self, path: &RepoPath, file: &FileFacts, import: &Import) -> ImportKey;

    /// Returns the module of a file as keys have it.
    fn module(&self, path: &RepoPath) -> String;

    /// Returns the import of the target that replaces one of the source.
    fn copied(
        &self,
        source: &OpenFile,
        import: &Import,
        target: &RepoPath,
    ) -> Result<ImportRequest, Refusal>;

    /// Reports whether two imports may bind one name: `import a.b` and `import a.c` of Python.
    fn may_share_name(&self, one: &ImportKey, other: &ImportKey) -> bool;

    /// Returns why the text of a definition cannot stand in another file.
    fn text_problem(&self, source: &OpenFile, moved: &Moved, target: &OpenFile) -> Option<Refusal>;

    /// Returns why a name of the source cannot be imported from it.
    fn import_problem(&self, source: &OpenFile, name: &str) -> Option<Refusal>;

    /// Reports whether the language or its library defines a name.
    fn is_builtin(&self, name: &str) -> bool;

    /// Returns the changes of lists of exported names in the source and in the target.
    fn export_changes(
        &self,
        source: &OpenFile,
        moved: &Moved,
        target: &OpenFile,
    ) -> Result<(Vec<Change>, Vec<Change>), Refusal>;

    /// Returns the text of the definition for the target, given whether others import it.
    fn moved_text(&self, source: &OpenFile, moved: &Moved, is_imported: bool) -> String;

    /// Returns the first lines that a new file needs.
    fn head_of_new(&self, source: &OpenFile) -> Option<String>;

    /// Reports whether files may import names of a file that are not written in it.
    fn is_facade(&self, path: &RepoPath) -> bool;

    /// Returns the name by which a file can import the module of the target as a whole, and the
    /// import.
    fn module_import(
        &self,
        from_to: (&RepoPath, &RepoPath),
        like: &OpenFile,
        example: Option<&str>,
    ) -> Option<(String, ImportRequest)>;

    /// Returns what stands in a block that has no other statement.
    fn empty_statement(&self) -> &'static str;

    /// Reports whether other files can import a definition of the source.
    fn is_exported(&self, source: &OpenFile, moved: &Moved) -> bool;

    /// Returns the form by which others import a name of the source.
    fn form_of(&self, source: &OpenFile, name: &str) -> ImportForm;

    /// Reports whether an import brings names into scope that it does not write.
    fn is_star(&self, import: &Import) -> bool;

    /// Returns the files that run too when a file imports another one: the packages around it.
    fn packages_between(&self, from: &RepoPath, to: &RepoPath) -> Vec<RepoPath>;
}

/// Returns the name of what an import takes from its module.
pub(super) fn imported_name<'f>(file: &'f FileFacts, import: &Import) -> Option<&'f str> {
    match import.item {
        ImportedItem::Member(name) => Some(file.facts.name(name)),
        ImportedItem::Module | ImportedItem::Star => None,
    }
}
