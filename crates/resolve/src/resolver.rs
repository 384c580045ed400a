//! The resolver's types.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::entity::{Entity, Meaning};
use crate::file_facts::FileFacts;
use crate::files::Files;
use crate::manifest::Manifest;
use crate::memo::{Asked, Memo};
use crate::source_file::Here;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{Binding, DefinitionFact, Import, ScopeId};

/// Answers who is meant, over the facts of a world.
#[derive(Debug, Clone, Copy)]
pub struct Linker<'w> {
    pub(super) world: &'w World,
}

impl<'w> Linker<'w> {
    /// A linker over the facts that are at hand.
    #[must_use]
    pub fn new(world: &'w World) -> Self {
        Self { world }
    }
}

/// The facts of a repository's files.
#[derive(Debug, Default)]
pub struct World {
    linkings: Rc<Linkings>,
    facts: HashMap<RepoPath, Option<Rc<FileFacts>>>,
    wanted: RefCell<BTreeSet<RepoPath>>,
    memo: Memo,
}

impl World {
    /// A world of some files of which no facts are known yet.
    #[must_use]
    pub fn new(linkings: Rc<Linkings>) -> Self {
        Self {
            linkings,
            memo: Memo::new(),
            ..Self::default()
        }
    }

    /// What follows the names of a file; `None` where nothing does.
    pub(super) fn linking(&self, path: &RepoPath) -> Option<&dyn Linking> {
        let language = ragnav_syntax::of_path(path)?;
        let mut linkings = self.linkings.0.iter();
        let found = linkings.find(|(family, _)| family.languages.contains(&language.name));
        found.map(|(_, linking)| linking.as_ref())
    }

    pub(super) fn linkings(&self) -> impl Iterator<Item = &dyn Linking> {
        self.linkings.0.iter().map(|(_, linking)| linking.as_ref())
    }

    /// Notes that an answer rests on a file that has no facts.
    pub(super) fn consult(&self, file: &RepoPath) {
        self.memo.consult(file);
    }

    /// What something means, worked out once.
    pub(super) fn once(&self, asked: Asked, work_out: impl Fn() -> Meaning) -> Meaning {
        self.memo.once(asked, work_out)
    }

    /// Brings the facts of a file; `None` where it has none.
    pub fn bring(&mut self, file: RepoPath, facts: Option<Rc<FileFacts>>) {
        self.facts.insert(file, facts);
        self.memo.reset();
    }

    /// The facts of a file. One that nobody brought is noted as wanted and has none for now.
    #[must_use]
    pub fn facts(&self, file: &RepoPath) -> Option<Rc<FileFacts>> {
        self.memo.consult(file);
        if let Some(facts) = self.facts.get(file) {
            facts.clone()
        } else {
            self.wanted.borrow_mut().insert(file.clone());
            None
        }
    }

    /// Whether the facts of a file were brought.
    #[must_use]
    pub fn has(&self, file: &RepoPath) -> bool {
        self.facts.contains_key(file)
    }

    /// The files whose facts were asked for and not there, each told once.
    #[must_use]
    pub fn take_wanted(&self) -> BTreeSet<RepoPath> {
        self.wanted.take()
    }

    /// Whether something was too far away to be followed to, so that there may be more.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.memo.is_cut()
    }

    /// Begins to note anew which files are asked for.
    pub fn begin(&self) {
        self.memo.begin();
    }

    /// The files that were asked for since [`begin`](Self::begin): what an answer made since rests on.
    #[must_use]
    pub fn take_consulted(&self) -> BTreeSet<RepoPath> {
        self.memo.take_consulted()
    }
}

/// Languages whose files import each other, as one row of the table in [`families`](super::families).
#[derive(Debug)]
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

/// For each family what follows its names: a function of the files that there are, and of the manifests.
#[derive(Debug, Default)]
pub struct Linkings(pub(super) Vec<(&'static Family, Box<dyn Linking>)>);

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
