//! Which file a module's name means. Source: Python's import system, with the roots guessed from the tree.

use std::collections::BTreeSet;

use crate::entity::Entity;
use crate::files::{Files, parent};
use ragnav_base::path::RepoPath;

/// Extensions of Python files, the one that is run first.
const EXTENSIONS: [&str; 3] = ["py", "pyi", "pyw"];

/// Folders that commonly hold the packages of a repository.
const COMMON_ROOTS: [&str; 3] = ["src", "lib", "python"];

/// The Python files of a repository and where imports may start.
#[derive(Debug)]
pub(super) struct Modules {
    files: Files,
    /// Folders that hold a top-level package or module, the repository's root first.
    roots: Vec<RepoPath>,
}

impl Modules {
    /// The modules of some files.
    pub(super) fn new(files: Files) -> Self {
        let mut modules = Self {
            files,
            roots: Vec::new(),
        };
        modules.roots = modules.find_roots();
        modules
    }

    /// What an import from a file names: `level` leading dots, then a dotted name; `None` for what is not in the repository.
    pub(super) fn find(&self, from: &RepoPath, level: u32, module: &str) -> Option<Entity> {
        if level == 0 {
            return self.find_absolute(from, module);
        }
        let mut folder = parent(from);
        for _ in 1..level {
            if folder == RepoPath::root() {
                return None;
            }
            folder = parent(&folder);
        }
        self.below(&folder, module)
    }

    /// A module or folder below another one.
    pub(super) fn submodule(&self, of: &Entity, name: &str) -> Option<Entity> {
        match of {
            Entity::Folder(folder) => self.below(folder, name),
            Entity::Module(file) if is_package(file) => self.below(&parent(file), name),
            _ => None,
        }
    }

    /// The first root that has the name, in the order in which an interpreter would see them: that of the importing file, the
    /// repository's, then the others. Several others that have it contradict each other.
    fn find_absolute(&self, from: &RepoPath, module: &str) -> Option<Entity> {
        let own = self.root_of(from);
        let beside = parent(from);
        let common = COMMON_ROOTS
            .iter()
            .filter_map(|name| RepoPath::root().join(name));
        let likely = [own, RepoPath::root()].into_iter().chain(common);
        for root in likely.chain([beside]) {
            if let Some(found) = self.below(&root, module).filter(is_code) {
                return Some(found);
            }
        }
        let found: BTreeSet<Entity> = self
            .roots
            .iter()
            .filter_map(|root| self.below(root, module).filter(is_code))
            .collect();
        match found.len() {
            1 => found.into_iter().next(),
            _ => None,
        }
    }

    fn below(&self, folder: &RepoPath, module: &str) -> Option<Entity> {
        let mut place = folder.clone();
        if module.is_empty() {
            return self.folder(&place);
        }
        let mut segments = module.split('.').peekable();
        while let Some(segment) = segments.next() {
            if segments.peek().is_none() {
                return self.module(&place, segment);
            }
            place = place.join(segment)?;
            if !self.files.has_folder(&place) {
                return None;
            }
        }
        None
    }

    /// A package wins over a module of the same name, as in CPython; a folder is the last resort.
    fn module(&self, folder: &RepoPath, name: &str) -> Option<Entity> {
        let package = folder.join(name)?;
        if let Some(Entity::Module(file)) = self.folder(&package) {
            return Some(Entity::Module(file));
        }
        let files = EXTENSIONS
            .iter()
            .map(|extension| format!("{name}.{extension}"));
        let mut files = files.filter_map(|file| folder.join(&file));
        let file = files.find(|file| self.files.has(file));
        file.map(Entity::Module).or_else(|| self.folder(&package))
    }

    fn folder(&self, folder: &RepoPath) -> Option<Entity> {
        let mut files = EXTENSIONS
            .iter()
            .filter_map(|extension| folder.join(&format!("__init__.{extension}")));
        if let Some(file) = files.find(|file| self.files.has(file)) {
            return Some(Entity::Module(file));
        }
        let is_there = self.files.has_folder(folder);
        is_there.then(|| Entity::Folder(folder.clone()))
    }

    fn is_package(&self, folder: &RepoPath) -> bool {
        matches!(self.folder(folder), Some(Entity::Module(_)))
    }

    /// The folder above the topmost package around a file.
    fn root_of(&self, file: &RepoPath) -> RepoPath {
        let mut folder = parent(file);
        while folder != RepoPath::root() && self.is_package(&folder) {
            folder = parent(&folder);
        }
        folder
    }

    fn find_roots(&self) -> Vec<RepoPath> {
        let roots: BTreeSet<RepoPath> = self.files.iter().map(|file| self.root_of(file)).collect();
        roots.into_iter().collect()
    }
}

/// Whether a file stands for its folder.
fn is_package(file: &RepoPath) -> bool {
    file.name().starts_with("__init__.")
}

fn is_code(found: &Entity) -> bool {
    matches!(found, Entity::Module(_) | Entity::Folder(_))
}
