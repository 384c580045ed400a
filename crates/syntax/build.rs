//! Hashes what the facts of each language depend on: its extractor, the code that extractors share,
//! and the releases of its grammar and of tree-sitter. `src/extractors.rs` includes the result.
//!
//! The hash is the same on every system and for every version of Rust, since an index that one
//! build wrote is read by others.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a build script reads files and prints to cargo"
)]

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Each language with the modules of its extractor and the crates of its grammars.
///
/// The rules of C++ read some headers of C.
const LANGUAGES: [(&str, &[&str], &[&str]); 25] = [
    (
        "astro",
        &["ecmascript", "embedded"],
        &["tree-sitter-typescript"],
    ),
    ("bash", &["bash", "rule_based"], &["tree-sitter-bash"]),
    (
        "c",
        &["c", "cpp", "rule_based"],
        &["tree-sitter-c", "tree-sitter-cpp"],
    ),
    ("cpp", &["cpp", "rule_based"], &["tree-sitter-cpp"]),
    (
        "csharp",
        &["csharp", "rule_based"],
        &["tree-sitter-c-sharp"],
    ),
    ("dart", &["dart", "rule_based"], &["tree-sitter-dart"]),
    ("elixir", &["elixir", "rule_based"], &["tree-sitter-elixir"]),
    ("go", &["go", "rule_based"], &["tree-sitter-go"]),
    ("java", &["java", "rule_based"], &["tree-sitter-java"]),
    ("javascript", &["ecmascript"], &["tree-sitter-javascript"]),
    ("jupyter", &["embedded", "python"], &["tree-sitter-python"]),
    (
        "markdown",
        &["ecmascript", "embedded"],
        &["tree-sitter-typescript"],
    ),
    (
        "kotlin",
        &["kotlin", "rule_based"],
        &["tree-sitter-kotlin-sg"],
    ),
    ("lua", &["lua", "rule_based"], &["tree-sitter-lua"]),
    ("php", &["php", "rule_based"], &["tree-sitter-php"]),
    ("python", &["python"], &["tree-sitter-python"]),
    ("ruby", &["ruby", "rule_based"], &["tree-sitter-ruby"]),
    ("rust", &["rust", "rule_based"], &["tree-sitter-rust"]),
    ("scala", &["scala", "rule_based"], &["tree-sitter-scala"]),
    (
        "svelte",
        &["ecmascript", "embedded"],
        &["tree-sitter-typescript"],
    ),
    ("swift", &["swift", "rule_based"], &["tree-sitter-swift"]),
    ("tsx", &["ecmascript"], &["tree-sitter-typescript"]),
    ("typescript", &["ecmascript"], &["tree-sitter-typescript"]),
    (
        "vue",
        &["ecmascript", "embedded"],
        &["tree-sitter-typescript"],
    ),
    ("zig", &["zig", "rule_based"], &["tree-sitter-zig"]),
];

/// The module that extracts the facts of plug-ins.
const PLUGIN: &str = "plugin";

/// The modules that change no facts.
const WITHOUT_FACTS: [&str; 5] = ["extractors", "grammars", "languages", "lib", "locator"];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let lock = folder.join("../../Cargo.lock");
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed={}", lock.display());
    let lock = fs::read_to_string(lock)?;
    let sources = sources(&folder.join("src"))?;
    let mut table = String::from("[\n");
    for (language, modules, grammars) in LANGUAGES {
        let hash = hash(&sources, modules, &lock, grammars);
        writeln!(table, "    ({language:?}, {hash}),")?;
    }
    table.push(']');
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("extractors.rs"), table)?;
    let of_plugins = hash(&sources, &[PLUGIN], &lock, &[]);
    fs::write(out.join("plugin_extractor.rs"), of_plugins)?;
    Ok(())
}

/// Returns the hash of an extractor as a literal of Rust.
fn hash(sources: &[(String, String)], modules: &[&str], lock: &str, grammars: &[&str]) -> String {
    let mut hash = Fnv::new();
    for (path, text) in sources {
        let module = path.split(['/', '.']).next().unwrap_or_default();
        let is_shared = !is_of_any_language(module) && !WITHOUT_FACTS.contains(&module);
        if is_shared || modules.contains(&module) {
            hash.update(path);
            hash.update(text);
        }
    }
    for entry in lock.split("[[package]]") {
        let is_named = |name: &&str| entry.contains(&format!("name = \"{name}\"\n"));
        if grammars.iter().any(is_named) || is_named(&"tree-sitter") {
            hash.update(entry.trim());
        }
    }
    let [a, b, c, d] = [48, 32, 16, 0].map(|shift| hash.0 >> shift & 0xffff);
    format!("0x{a:04x}_{b:04x}_{c:04x}_{d:04x}")
}

fn is_of_any_language(module: &str) -> bool {
    let mut modules = LANGUAGES.iter().flat_map(|(_, modules, _)| *modules);
    module == PLUGIN || modules.any(|of_language| *of_language == module)
}

/// Returns the paths below a folder with their texts, sorted, without carriage returns.
fn sources(folder: &Path) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(current) = folders.pop() {
        for entry in fs::read_dir(current)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder)?.to_string_lossy();
            let text = fs::read_to_string(&path)?.replace('\r', "");
            found.push((name.replace('\\', "/"), text));
        }
    }
    found.sort();
    Ok(found)
}

/// The hash FNV-1a with 64 bits: <http://www.isthe.com/chongo/tech/comp/fnv/>.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds a text and its end.
    fn update(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
