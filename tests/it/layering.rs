//! Data flows one way: a module of the core imports only from lines above its own.

use std::fs;
use std::path::Path;

/// The layers, top to bottom. Modules on one line stand beside each other and import nothing of each other.
const LAYERS: [&[&str]; 13] = [
    &["error"],
    &["argument", "path"],
    &["symbol_id", "position"],
    &["envelope"],
    &["item", "host"],
    &["repo", "lang", "overlay", "own_files"],
    &["locator", "link"],
    &["graph"],
    &["freshness", "matching"],
    &["tools"],
    &["agent"],
    &["session"],
    &["wasm", "component"],
];

fn layer_of(module: &str) -> usize {
    LAYERS
        .iter()
        .position(|layer| layer.contains(&module))
        .unwrap_or_else(|| panic!("{module} is in no layer; add it to the table"))
}

fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).expect("src can be listed") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn module_of(file: &Path) -> String {
    let inside = file.strip_prefix("src").expect("below src");
    let first = inside.components().next().expect("a name").as_os_str();
    first.to_string_lossy().trim_end_matches(".rs").to_owned()
}

/// The modules that a source names as `crate::…`, its own tests left out.
fn imports(source: &str) -> Vec<String> {
    let code = source
        .split("#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or_default();
    let code = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code: String = code.collect::<Vec<_>>().join("\n");
    code.split("crate::")
        .skip(1)
        .map(|rest| {
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
            rest[..end.unwrap_or(rest.len())].to_owned()
        })
        .collect()
}

#[test]
fn modules_import_only_from_above() {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    for file in files.iter().filter(|file| !file.ends_with("lib.rs")) {
        let own = module_of(file);
        let source = fs::read_to_string(file).expect("a source");
        for import in imports(&source).iter().filter(|import| **import != own) {
            assert!(
                layer_of(import) < layer_of(&own),
                "{} imports {import}, which is not above {own}",
                file.display()
            );
        }
    }
}

/// No code but a boundary's own names what it is bound with.
fn only_in(boundary: &str, foreign: &[&str]) {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    for file in files.iter().filter(|file| module_of(file) != boundary) {
        let source = fs::read_to_string(file).expect("a source");
        let code = source
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
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
