//! The declarations `mod a;`, which make a file a module, found without the files of the crate.

use super::modules::module_name;
use crate::files::{join_relative, parent};
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{Facts, MODULE_FILE, Position};

/// The files that declare the modules of their folder.
const DECLARING: [&str; 3] = ["lib.rs", "main.rs", "mod.rs"];

/// Returns the files that may declare the module of a file. They need not exist. A file of another
/// language has none.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::files_declaring_module;
///
/// let files = files_declaring_module(&RepoPath::parse("src/a/b.rs").unwrap());
/// let paths: Vec<&str> = files.iter().map(RepoPath::as_str).collect();
/// assert_eq!(paths, ["src/a/lib.rs", "src/a/main.rs", "src/a/mod.rs", "src/a.rs"]);
/// ```
#[must_use]
pub fn files_declaring_module(file: &RepoPath) -> Vec<RepoPath> {
    let language = ragnav_syntax::detect_language(file);
    if language.is_none_or(|language| language.name != "rust") {
        return Vec::new();
    }
    let folder = match file.name() {
        "mod.rs" => parent(&parent(file)),
        _ => parent(file),
    };
    let inside = DECLARING.iter().filter_map(|name| folder.join(name));
    let beside = match folder.name() {
        "" => None,
        name => parent(&folder).join(&format!("{name}.rs")),
    };
    inside.chain(beside).filter(|one| one != file).collect()
}

/// Returns the places at which a file declares another one as a module.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::module_declarations;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let path = |path: &str| RepoPath::parse(path).unwrap();
/// let facts = extract_facts(find_language("rust").unwrap(), "mod a;\n");
/// let declared = module_declarations((&path("src/lib.rs"), &facts), &path("src/a.rs"));
/// assert_eq!(declared[0].line, 1);
/// ```
#[must_use]
pub fn module_declarations(
    (declaring, facts): (&RepoPath, &Facts),
    file: &RepoPath,
) -> Vec<Position> {
    let name = module_name(file);
    let folder = parent(declaring);
    let modules = facts
        .imports
        .iter()
        .filter(|import| import.level == MODULE_FILE);
    let declares = modules.filter(|import| {
        let module = facts.name(import.module);
        let is_path = module.strip_suffix(".rs").is_some();
        if is_path {
            join_relative(&folder, module).as_ref() == Some(file)
        } else {
            module == name
        }
    });
    declares.map(|import| import.position).collect()
}
