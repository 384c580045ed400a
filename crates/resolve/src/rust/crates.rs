//! The crates of a repository and the files of their modules.
//!
//! Sources: <https://doc.rust-lang.org/cargo/reference/cargo-targets.html> and
//! <https://doc.rust-lang.org/reference/items/modules.html>.

use std::collections::{BTreeMap, BTreeSet};

use super::quoted_text::quoted_text;
use super::renamed_dependencies::RenamedDependencies;
use crate::files::{Files, join_relative, parent, shared_folders};
use crate::manifest::Manifest;
use ragnav_base::path::RepoPath;

/// The folders of a package that hold a crate in each file, or in each folder, by the key of a
/// manifest with which a package says whether they do.
const TARGET_FOLDERS: [(&str, &str); 4] = [
    ("autobenches", "benches"),
    ("autoexamples", "examples"),
    ("autobins", "src/bin"),
    ("autotests", "tests"),
];

/// The maximum number of files that are searched for the path of a file.
const MAX_DECLARING: usize = 64;

/// The crates of a repository.
#[derive(Debug)]
pub(super) struct Crates {
    pub(super) files: Files,
    /// The first file of each crate.
    roots: BTreeSet<RepoPath>,
    /// The first files of the libraries, by the name under which other crates use them.
    libraries: BTreeMap<String, Vec<RepoPath>>,
    /// The first files of the libraries, by the name of their package.
    packaged: BTreeMap<String, Vec<RepoPath>>,
    /// The dependencies with other names than their packages, by the folder of the manifest.
    renamed: BTreeMap<RepoPath, RenamedDependencies>,
    /// The folders with a package.
    packages: BTreeSet<RepoPath>,
    /// The folders of packages whose files are crates.
    target_folders: BTreeSet<RepoPath>,
    /// Some files of each package that usually declare modules.
    declaring: BTreeMap<RepoPath, Vec<RepoPath>>,
}

impl Crates {
    pub(super) fn new(files: Files, manifests: &[Manifest]) -> Self {
        let mut crates = Self {
            files,
            roots: BTreeSet::new(),
            libraries: BTreeMap::new(),
            packaged: BTreeMap::new(),
            renamed: BTreeMap::new(),
            packages: BTreeSet::new(),
            target_folders: BTreeSet::new(),
            declaring: BTreeMap::new(),
        };
        for manifest in manifests.iter().filter(|one| is_cargo_toml(&one.path)) {
            crates.add_package(manifest);
            crates.add_renamed(manifest);
        }
        let files = crates.files.iter();
        let roots: Vec<RepoPath> = files
            .filter(|file| crates.is_target(file) || crates.is_root_without_package(file))
            .cloned()
            .collect();
        crates.roots.extend(roots);
        crates.add_declaring();
        crates
    }

    fn add_package(&mut self, manifest: &Manifest) {
        let folder = parent(&manifest.path);
        let Some(name) = value_of(&manifest.text, "package", "name") else {
            return;
        };
        self.packages.insert(folder.clone());
        let targets = TARGET_FOLDERS.iter();
        let targets = targets.filter(|(key, _)| !is_false(&manifest.text, "package", key));
        let targets = targets.filter_map(|(_, path)| join_relative(&folder, path));
        self.target_folders.extend(targets);
        let path = value_of(&manifest.text, "lib", "path").unwrap_or("src/lib.rs");
        let library = join_relative(&folder, path).filter(|path| self.files.contains(path));
        if let Some(library) = library {
            let packaged = self.packaged.entry(name.to_owned()).or_default();
            packaged.push(library.clone());
            let name = value_of(&manifest.text, "lib", "name").unwrap_or(name);
            let same = self.libraries.entry(name.replace('-', "_")).or_default();
            same.push(library.clone());
            self.roots.insert(library);
        }
        let build = value_of(&manifest.text, "package", "build").unwrap_or("build.rs");
        let usual = ["src/main.rs", build];
        for program in usual.into_iter().chain(target_paths(&manifest.text)) {
            let program = join_relative(&folder, program).filter(|path| self.files.contains(path));
            self.roots.extend(program);
        }
    }

    fn add_renamed(&mut self, manifest: &Manifest) {
        let renamed = RenamedDependencies::read(&manifest.text);
        self.renamed.insert(parent(&manifest.path), renamed);
    }

    /// Returns the name of the package that a file uses under another name. A workspace may rename
    /// it for those of its packages that say so.
    fn renamed_package(&self, name: &str, from: &RepoPath) -> Option<&String> {
        let folder = self.package_of(from)?;
        let manifest = self.renamed.get(&folder)?;
        let named = |pairs: &'_ [(String, String)]| pairs.iter().position(|(own, _)| own == name);
        if let Some(at) = named(&manifest.own) {
            return manifest.own.get(at).map(|(_, package)| package);
        }
        if !manifest.of_workspace.iter().any(|own| own == name) {
            return None;
        }
        let mut around = std::iter::successors(Some(folder), RepoPath::parent);
        around.find_map(|folder| {
            let shared = &self.renamed.get(&folder)?.shared;
            shared.get(named(shared)?).map(|(_, package)| package)
        })
    }

    /// Reports whether a file is a program, test, example or benchmark of its package.
    fn is_target(&self, file: &RepoPath) -> bool {
        let inside = parent(file);
        self.target_folders.contains(&inside)
            || (file.name() == "main.rs" && self.target_folders.contains(&parent(&inside)))
    }

    fn is_root_without_package(&self, file: &RepoPath) -> bool {
        matches!(file.name(), "lib.rs" | "main.rs") && self.package_of(file).is_none()
    }

    /// Returns the innermost folder with a package around a file.
    pub(super) fn package_of(&self, file: &RepoPath) -> Option<RepoPath> {
        let mut folder = parent(file);
        loop {
            if self.packages.contains(&folder) {
                return Some(folder);
            }
            if folder == RepoPath::root() {
                return None;
            }
            folder = parent(&folder);
        }
    }

    pub(super) fn is_root(&self, file: &RepoPath) -> bool {
        self.roots.contains(file)
    }

    /// Returns the first file of a library by its name in a file. If several libraries have this
    /// name, the one that shares most folders with the file counts.
    pub(super) fn library(&self, name: &str, from: &RepoPath) -> Option<&RepoPath> {
        let folder = parent(from);
        let shared = |library: &RepoPath| shared_folders(&parent(library), &folder);
        let named = match self.renamed_package(name, from) {
            Some(package) => self.packaged.get(package)?,
            None => self.libraries.get(name)?,
        };
        let most = named.iter().map(shared).max();
        let mut nearest = named.iter().filter(|library| Some(shared(library)) == most);
        let library = nearest.next()?;
        nearest.next().is_none().then_some(library)
    }

    /// Returns the most likely first file of the crate of a file that no module declares.
    pub(super) fn root_beside(&self, file: &RepoPath) -> Option<RepoPath> {
        let package = self.package_of(file)?;
        let usual = ["src/lib.rs", "src/main.rs"].map(|path| join_relative(&package, path));
        usual.into_iter().flatten().find(|path| self.is_root(path))
    }

    /// Returns the files that may declare the module of a file. If there are none beside it, a file
    /// further up may declare it in a block, and one of another folder by its path.
    pub(super) fn parents(&self, file: &RepoPath) -> Parents {
        let own = match file.name() {
            "mod.rs" => parent(&parent(file)),
            _ => parent(file),
        };
        let mut folder = own.clone();
        loop {
            let found = self.declaring(&folder, file);
            if !found.is_empty() && folder == own {
                return Parents::Beside(found);
            }
            if !found.is_empty() || folder == RepoPath::root() {
                return Parents::Elsewhere(found);
            }
            folder = parent(&folder);
        }
    }

    /// Returns files of the package of a file that may declare it by its path.
    pub(super) fn declaring_by_path(&self, file: &RepoPath) -> &[RepoPath] {
        let package = self.package_of(file).unwrap_or_else(RepoPath::root);
        let declaring = self.declaring.get(&package);
        declaring.map_or(&[], Vec::as_slice)
    }

    /// Notes the files that usually declare modules, by their package.
    fn add_declaring(&mut self) {
        let files = self.files.iter();
        let declaring = files.filter(|file| file.name() == "mod.rs" || self.is_root(file));
        let mut found: BTreeMap<RepoPath, Vec<RepoPath>> = BTreeMap::new();
        for file in declaring {
            let package = self.package_of(file).unwrap_or_else(RepoPath::root);
            let files = found.entry(package).or_default();
            if files.len() < MAX_DECLARING {
                files.push(file.clone());
            }
        }
        self.declaring = found;
    }

    /// Returns the files whose modules are in a folder, besides this one.
    fn declaring(&self, folder: &RepoPath, file: &RepoPath) -> Vec<RepoPath> {
        let beside = parent(folder).join(&format!("{}.rs", folder.name()));
        let usual = folder.join("mod.rs").into_iter().chain(beside);
        let mut found: Vec<RepoPath> = usual
            .filter(|one| one != file && self.files.contains(one))
            .collect();
        let inside = self.roots.range(folder.clone()..);
        let inside = inside.take_while(|root| root.as_str().starts_with(folder.as_str()));
        let roots = inside.filter(|root| parent(root) == *folder && *root != file);
        found.extend(roots.cloned());
        found
    }

    /// Returns the file of a module that a file declares, inside modules with these names.
    pub(super) fn child(&self, file: &RepoPath, inside: &[&str], name: &str) -> Option<RepoPath> {
        let usual = [format!("{name}.rs"), format!("{name}/mod.rs")];
        let own = Some(parent(file)).filter(|_| inside.is_empty());
        // A file that is declared by its path has its modules beside it.
        let folders = self.modules_folder(file, inside).into_iter().chain(own);
        let mut files = folders.flat_map(|folder| {
            let files = usual.iter().map(move |path| join_relative(&folder, path));
            files.flatten().collect::<Vec<_>>()
        });
        files.find(|path| path != file && self.files.contains(path))
    }

    /// Returns the folder of the modules that a file declares, inside modules with these names.
    fn modules_folder(&self, file: &RepoPath, inside: &[&str]) -> Option<RepoPath> {
        let own = parent(file);
        let folder = match file.name() {
            "mod.rs" => own,
            _ if self.is_root(file) => own,
            name => own.join(name.strip_suffix(".rs")?)?,
        };
        let mut names = inside.iter();
        names.try_fold(folder, |folder, name| folder.join(name))
    }

    /// Returns the file at a path in the attribute of a module, inside modules with these names.
    pub(super) fn at_path(&self, file: &RepoPath, inside: &[&str], path: &str) -> Option<RepoPath> {
        let folder = match inside {
            [] => parent(file),
            inside => self.modules_folder(file, inside)?,
        };
        let path = self.files.join_inside(&folder, path)?;
        self.files.contains(&path).then_some(path)
    }
}

/// The files that may declare the module of a file.
pub(super) enum Parents {
    /// Files whose modules are in the folder of the file.
    Beside(Vec<RepoPath>),
    /// The nearest files further up.
    Elsewhere(Vec<RepoPath>),
}

/// Reports whether a file declares a package or a workspace.
pub(super) fn is_cargo_toml(path: &RepoPath) -> bool {
    path.name() == "Cargo.toml"
}

/// The tables of the targets whose files a manifest may name.
const TARGETS: [&str; 4] = ["[[bench]]", "[[bin]]", "[[example]]", "[[test]]"];

/// Returns the paths of the programs, tests, examples and benchmarks that a manifest names.
fn target_paths(text: &str) -> impl Iterator<Item = &str> {
    let mut is_target = false;
    text.lines().map(str::trim).filter_map(move |line| {
        if line.starts_with('[') {
            let head = line.replace(' ', "");
            is_target = TARGETS.iter().any(|table| head.starts_with(table));
        }
        string_of(line, "path").filter(|_| is_target)
    })
}

/// Returns the text of `key = "text"` in a table of a manifest.
fn value_of<'t>(text: &'t str, table: &str, key: &str) -> Option<&'t str> {
    let mut values = rows_of(text, table).filter_map(|line| string_of(line, key));
    values.next().filter(|value| !value.is_empty())
}

/// Reports whether a table of a manifest has `key = false`.
fn is_false(text: &str, table: &str, key: &str) -> bool {
    let mut values = rows_of(text, table).filter_map(|line| value_in(line, key));
    values.any(|value| value.split('#').next().map(str::trim) == Some("false"))
}

/// Returns the lines of a table of a manifest.
fn rows_of<'t>(text: &'t str, table: &str) -> impl Iterator<Item = &'t str> {
    let head = format!("[{table}]");
    let lines = text.lines().map(str::trim);
    let mut lines = lines.skip_while(move |line| line.replace(' ', "") != head);
    lines.next();
    lines.take_while(|line| !line.starts_with('['))
}

/// Returns the text of a line `key = "text"`.
fn string_of<'t>(line: &'t str, key: &str) -> Option<&'t str> {
    quoted_text(value_in(line, key)?)
}

/// Returns what a line `key = value` has behind `=`.
fn value_in<'t>(line: &'t str, key: &str) -> Option<&'t str> {
    let value = line.strip_prefix(key)?.trim_start().strip_prefix('=')?;
    Some(value.trim_start())
}
