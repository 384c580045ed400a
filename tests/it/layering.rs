//! A crate depends only on crates above its own, and only a boundary uses its binding library.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, UseName, UseRename, UseTree};

/// The crates, top to bottom. Crates on one line do not depend on each other.
const LAYERS: [&[&str]; 7] = [
    &["base"],
    &["syntax", "matching"],
    &["resolve"],
    &["index"],
    &["repository"],
    &["query"],
    &["agent"],
];

fn layer_of(name: &str) -> usize {
    LAYERS
        .iter()
        .position(|layer| layer.contains(&name))
        .unwrap_or_else(|| panic!("the crate {name} is in no layer; add it to the table"))
}

pub fn folders(parent: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).expect("the folder can be listed");
    entries
        .map(|entry| entry.expect("an entry").path())
        .collect()
}

/// Returns the crates of this workspace that a manifest names.
fn dependencies(manifest: &str) -> Vec<String> {
    let lines = manifest.lines();
    let names = lines.filter_map(|line| line.strip_prefix("ragnav-")?.split(['.', ' ']).next());
    names.map(str::to_owned).collect()
}

#[test]
fn crates_depend_only_on_crates_above_them() {
    let crates = folders("crates");
    assert_eq!(crates.len(), LAYERS.concat().len());
    for folder in crates {
        let own = folder.file_name().expect("a name").to_string_lossy();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        for dependency in dependencies(&manifest) {
            assert!(
                layer_of(&dependency) < layer_of(&own),
                "{own} depends on {dependency}, which is not above it"
            );
        }
    }
}

pub fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Asserts that only the files of `boundary` in `src/` contain the names of `foreign`.
fn only_in(boundary: &str, foreign: &[&str]) {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    sources(Path::new("crates"), &mut files);
    let own = Path::new("src").join(boundary);
    let is_own = |file: &&PathBuf| file.starts_with(&own) || **file == own.with_extension("rs");
    for file in files.iter().filter(|file| !is_own(file)) {
        let source = fs::read_to_string(file).expect("a source");
        let code = source.lines();
        for line in code.filter(|line| !line.trim_start().starts_with("//")) {
            let is_foreign = foreign.iter().any(|name| line.contains(name));
            assert!(!is_foreign, "{}: {line}", file.display());
        }
    }
}

#[test]
fn only_a_boundary_uses_its_binding_library() {
    only_in("wasm", &["wasm_bindgen", "js_sys"]);
    only_in("component", &["wit_bindgen"]);
}

#[test]
fn the_component_world_has_the_version_of_the_crate() {
    let world = fs::read_to_string("wit/ragnav.wit").expect("the world");
    let package = concat!("package ragnav:core@", env!("CARGO_PKG_VERSION"), ";\n");
    assert!(world.starts_with(package), "wit/ragnav.wit: {package}");
}

/// The paths in a source, such as `crate::parse::parse`.
#[derive(Default)]
struct Paths(Vec<Vec<String>>);

impl Paths {
    fn add_imports(&mut self, tree: &UseTree, mut before: Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.add_imports(&path.tree, before);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_imports(tree, before.clone());
                }
            }
            UseTree::Name(UseName { ident }) | UseTree::Rename(UseRename { ident, .. }) => {
                before.push(ident.to_string());
                self.0.push(before);
            }
            UseTree::Glob(_) => self.0.push(before),
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        let is_cfg = |attribute: &Attribute| attribute.path().is_ident("cfg");
        if !module.attrs.iter().any(is_cfg) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, import: &'ast ItemUse) {
        self.add_imports(&import.tree, Vec::new());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter();
        self.0
            .push(segments.map(|one| one.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

/// Returns the files of a crate that a source names, each by the longest path of a file. A module
/// that the file is a part of is left out.
fn imported_files(root: &Path, file: &Path, source: &str) -> Vec<PathBuf> {
    let beside = file.parent().expect("a folder");
    let inside = file.with_extension("");
    let mut paths = Paths::default();
    paths.visit_file(&syn::parse_file(source).expect("Rust code"));
    let files = paths.0.iter().filter_map(|path| match path.split_first()? {
        (head, rest) if head == "crate" => file_at(root, rest),
        (head, rest) if head == "super" => file_at(beside, rest),
        (head, rest) if head == "self" => file_at(&inside, rest),
        _ => file_at(&inside, path),
    });
    files
        .filter(|other| !file.starts_with(other.with_extension("")))
        .collect()
}

/// Returns the file of the longest part of a path that is a module.
fn file_at(folder: &Path, path: &[String]) -> Option<PathBuf> {
    let lengths = (1..=path.len()).rev();
    let mut files =
        lengths.map(|length| folder.join(path[..length].join("/")).with_extension("rs"));
    files.find(|file| file.is_file())
}

/// Follows the imports of a file; returns the first cycle.
fn circle(
    graph: &BTreeMap<PathBuf, Vec<PathBuf>>,
    file: &Path,
    way: &mut Vec<PathBuf>,
    done: &mut BTreeSet<PathBuf>,
) -> Option<Vec<PathBuf>> {
    if let Some(start) = way.iter().position(|one| one == file) {
        return Some(way[start..].to_vec());
    }
    if done.contains(file) {
        return None;
    }
    way.push(file.to_owned());
    let imports = graph.get(file).map_or(&[][..], Vec::as_slice);
    let others = imports.iter().filter(|import| *import != file);
    let found = others
        .into_iter()
        .find_map(|import| circle(graph, import, way, done));
    way.pop();
    done.insert(file.to_owned());
    found
}

#[test]
fn no_two_files_of_a_crate_import_each_other() {
    for folder in folders("crates") {
        let root = folder.join("src");
        let mut files = Vec::new();
        sources(&root, &mut files);
        let graph: BTreeMap<PathBuf, Vec<PathBuf>> = files
            .into_iter()
            .map(|file| {
                let source = fs::read_to_string(&file).expect("a source");
                let imports = imported_files(&root, &file, &source);
                (file, imports)
            })
            .collect();
        let mut done = BTreeSet::new();
        for file in graph.keys() {
            let found = circle(&graph, file, &mut Vec::new(), &mut done);
            assert!(found.is_none(), "these files import each other: {found:?}");
        }
    }
}
