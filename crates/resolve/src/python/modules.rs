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

    /// Returns the files of the repository.
    pub(super) fn files(&self) -> &Files {
        &self.files
    }

    /// Returns the paths that are files.
    pub(super) fn existing(&self, mut paths: Vec<RepoPath>) -> Vec<RepoPath> {
        paths.retain(|path| self.files.contains(path));
        paths
    }

    /// Finds the module of an import with `level` leading dots. Returns `None` for an external
    /// module.
    pub(super) fn find(&self, from: &RepoPath, level: u32, module: &str) -> Option<Entity> {
        if level == 0 {
            return self.find_absolute(from, module);
        }
        let repository = self.files.root_of(from);
        let mut folder = parent(from);
        for _ in 1..level {
            if folder == repository {
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

    /// Finds the outermost package of a module: `a` of `a.b`, in the root that has `a.b`.
    pub(super) fn find_top(&self, from: &RepoPath, level: u32, module: &str) -> Option<Entity> {
        let (top, rest) = module.split_once('.').unwrap_or((module, ""));
        let inner = match self.find(from, level, module) {
            Some(Entity::Module(file)) if is_package(&file) => parent(&file),
            Some(Entity::Module(place) | Entity::Folder(place)) => place,
            _ => return self.find(from, level, top),
        };
        let depth = rest.split('.').filter(|name| !name.is_empty()).count();
        let mut above = std::iter::successors(Some(inner), |place| Some(parent(place)));
        self.find_folder(&above.nth(depth)?)
    }

    /// Finds an absolute import in the first root that has it.
    ///
    /// The interpreter would search the root of the importing file, the root of the repository and
    /// then others. Those above the file come first, the nearest before the others. If several
    /// others have it, they contradict each other and none counts. Other
    /// repositories come last, since they are installed.
    fn find_absolute(&self, from: &RepoPath, module: &str) -> Option<Entity> {
        let repository = self.files.root_of(from);
        let own = std::iter::once(self.find_root(from));
        let likely = own.chain(common_roots(&repository)).chain([parent(from)]);
        let found = self.first_below(likely, module);
        if found.is_some() {
            return found;
        }
        // A folder without `__init__.py` may be a package too, and then the root is above it. A
        // module without a package could as well be one of the standard library.
        if module.contains('.') {
            let found = self.first_below(self.folders_above(from), module);
            if found.is_some() {
                return found;
            }
        }
        let roots = self.roots_in(&repository);
        let found: BTreeSet<Entity> = roots
            .filter_map(|root| self.find_below(root, module).filter(is_code))
            .collect();
        match found.len() {
            0 => self.find_installed(&repository, module),
            1 => found.into_iter().next(),
            _ => None,
        }
    }

    /// Finds a module in the repositories besides the importing one. If several have it, none
    /// counts.
    fn find_installed(&self, own: &RepoPath, module: &str) -> Option<Entity> {
        let others = self.files.roots_besides(own);
        let found = others.flat_map(|repository| self.find_distributed(repository, module));
        let found: BTreeSet<Entity> = found.collect();
        let only = found.len() == 1;
        found.into_iter().next().filter(|_| only)
    }

    /// Finds a module that a repository distributes: in a folder of packages, or in a package at
    /// any place. Scripts elsewhere are not installed.
    fn find_distributed(&self, repository: &RepoPath, module: &str) -> BTreeSet<Entity> {
        let found = self.first_below(common_roots(repository), module);
        if let Some(found) = found {
            return BTreeSet::from([found]);
        }
        let top = module.split('.').next().unwrap_or(module);
        let packages = self.roots_in(repository).filter(|root| {
            let package = root.join(top);
            package.is_some_and(|package| self.is_package(&package))
        });
        packages
            .filter_map(|root| self.find_below(root, module).filter(is_code))
            .collect()
    }

    fn first_below(
        &self,
        mut roots: impl Iterator<Item = RepoPath>,
        module: &str,
    ) -> Option<Entity> {
        roots.find_map(|root| self.find_below(&root, module).filter(is_code))
    }

    fn roots_in<'m>(&'m self, repository: &'m RepoPath) -> impl Iterator<Item = &'m RepoPath> {
        let roots = self.roots.iter();
        roots.filter(move |root| self.files.root_of(root) == *repository)
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
        let repository = self.files.root_of(file);
        let mut folder = parent(file);
        while folder != repository && self.is_package(&folder) {
            folder = parent(&folder);
        }
        folder
    }

    /// Returns the folders that enclose the root of a file, the innermost first.
    fn folders_above(&self, file: &RepoPath) -> impl Iterator<Item = RepoPath> {
        let repository = self.files.root_of(file);
        let above = move |folder: &RepoPath| (*folder != repository).then(|| parent(folder));
        std::iter::successors(Some(self.find_root(file)), above).skip(1)
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

/// Returns the folders of a repository that usually contain its packages.
fn common_roots(repository: &RepoPath) -> impl Iterator<Item = RepoPath> {
    let usual = COMMON_ROOTS.iter();
    let usual = usual.filter_map(|name| repository.join(name));
    std::iter::once(repository.clone()).chain(usual)
}

/// Reports whether a file represents its folder.
fn is_package(file: &RepoPath) -> bool {
    file.name().starts_with("__init__.")
}

fn is_code(found: &Entity) -> bool {
    matches!(found, Entity::Module(_) | Entity::Folder(_))
}
