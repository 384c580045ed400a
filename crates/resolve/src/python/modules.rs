//! Finds the file of a module.
//!
//! Source: Python's import system. The roots are guessed from the tree.

use std::collections::BTreeSet;

use crate::entity::Entity;
use crate::files::{Files, parent};
use ragnav_base::path::RepoPath;

/// The extensions of Python files, in order of precedence.
const EXTENSIONS: [&str; 3] = ["py", "pyi", "pyw"];

/// The usual names of folders that contain the packages of a repository.
const COMMON_ROOTS: [&str; 3] = ["src", "lib", "python"];

/// The Python files of a repository and the folders in which absolute imports start.
#[derive(Debug)]
pub(super) struct Modules {
    files: Files,
    /// The folders that contain a top-level package or module, the root of the repository first.
    roots: Vec<RepoPath>,
}

impl Modules {
    /// Collects the roots of some files.
    pub(super) fn new(files: Files) -> Self {
        let mut modules = Self {
            files,
            roots: Vec::new(),
        };
        modules.roots = modules.find_roots();
        modules
    }

    /// Finds the module of an import with `level` leading dots. Returns `None` for an external
    /// module.
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
        self.find_below(&folder, module)
    }

    /// Finds a module or folder inside a package.
    pub(super) fn find_submodule(&self, of: &Entity, name: &str) -> Option<Entity> {
        match of {
            Entity::Folder(folder) => self.find_below(folder, name),
            Entity::Module(file) if is_package(file) => self.find_below(&parent(file), name),
            _ => None,
        }
    }

    /// Finds an absolute import in the first root that has it.
    ///
    /// The interpreter would search the root of the importing file, the root of the repository and
    /// then others. If several others have it, they contradict each other and none counts.
    fn find_absolute(&self, from: &RepoPath, module: &str) -> Option<Entity> {
        let own = self.find_root(from);
        let beside = parent(from);
        let common = COMMON_ROOTS
            .iter()
            .filter_map(|name| RepoPath::root().join(name));
        let likely = [own, RepoPath::root()].into_iter().chain(common);
        for root in likely.chain([beside]) {
            if let Some(found) = self.find_below(&root, module).filter(is_code) {
                return Some(found);
            }
        }
        let found: BTreeSet<Entity> = self
            .roots
            .iter()
            .filter_map(|root| self.find_below(root, module).filter(is_code))
            .collect();
        match found.len() {
            1 => found.into_iter().next(),
            _ => None,
        }
    }

    fn find_below(&self, folder: &RepoPath, module: &str) -> Option<Entity> {
        let mut place = folder.clone();
        if module.is_empty() {
            return self.find_folder(&place);
        }
        let mut segments = module.split('.').peekable();
        while let Some(segment) = segments.next() {
            if segments.peek().is_none() {
                return self.find_module(&place, segment);
            }
            place = place.join(segment)?;
            if !self.files.contains_folder(&place) {
                return None;
            }
        }
        None
    }

    /// Finds a module in a folder.
    ///
    /// As in CPython, a package precedes a module of the same name, and a folder comes last.
    fn find_module(&self, folder: &RepoPath, name: &str) -> Option<Entity> {
        let package = folder.join(name)?;
        if let Some(Entity::Module(file)) = self.find_folder(&package) {
            return Some(Entity::Module(file));
        }
        let files = EXTENSIONS
            .iter()
            .map(|extension| format!("{name}.{extension}"));
        let mut files = files.filter_map(|file| folder.join(&file));
        let file = files.find(|file| self.files.contains(file));
        file.map(Entity::Module)
            .or_else(|| self.find_folder(&package))
    }

    fn find_folder(&self, folder: &RepoPath) -> Option<Entity> {
        let mut files = EXTENSIONS
            .iter()
            .filter_map(|extension| folder.join(&format!("__init__.{extension}")));
        if let Some(file) = files.find(|file| self.files.contains(file)) {
            return Some(Entity::Module(file));
        }
        let is_there = self.files.contains_folder(folder);
        is_there.then(|| Entity::Folder(folder.clone()))
    }

    fn is_package(&self, folder: &RepoPath) -> bool {
        matches!(self.find_folder(folder), Some(Entity::Module(_)))
    }

    /// Returns the parent of the outermost package that contains a file.
    fn find_root(&self, file: &RepoPath) -> RepoPath {
        let mut folder = parent(file);
        while folder != RepoPath::root() && self.is_package(&folder) {
            folder = parent(&folder);
        }
        folder
    }

    fn find_roots(&self) -> Vec<RepoPath> {
        // A notebook imports modules, but no file can import a notebook.
        let modules = self.files.iter().filter(|file| {
            let extension = file.extension();
            EXTENSIONS
                .iter()
                .any(|of_module| extension == Some(of_module))
        });
        let roots: BTreeSet<RepoPath> = modules.map(|file| self.find_root(file)).collect();
        roots.into_iter().collect()
    }
}

/// Reports whether a file represents its folder.
fn is_package(file: &RepoPath) -> bool {
    file.name().starts_with("__init__.")
}

fn is_code(found: &Entity) -> bool {
    matches!(found, Entity::Module(_) | Entity::Folder(_))
}
