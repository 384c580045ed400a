//! Data flows one way: a crate depends only on crates above its own, and only a boundary names what binds it.

use std::fs;
use std::path::{Path, PathBuf};

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

fn folders(parent: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).expect("the folder can be listed");
    entries
        .map(|entry| entry.expect("an entry").path())
        .collect()
}

/// The crates of this workspace that a manifest names.
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

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
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
fn only_a_boundary_names_what_binds_it() {
    only_in("wasm", &["wasm_bindgen", "js_sys"]);
    only_in("component", &["wit_bindgen"]);
}

#[test]
fn the_world_has_the_version_of_the_crate() {
    let world = fs::read_to_string("wit/ragnav.wit").expect("the world");
    let package = concat!("package ragnav:core@", env!("CARGO_PKG_VERSION"), ";\n");
    assert!(world.starts_with(package), "wit/ragnav.wit: {package}");
}
