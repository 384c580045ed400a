//! The declarations `mod a;`, which make a file a module, found without the files of the crate.

use crate::files::{join_relative, parent};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{utf16_len, wire};
use ragnav_syntax::facts::{
    BindingTarget, Facts, Import, MODULE_FILE, Position, ScopeId, ScopeKind,
};

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

/// Returns the places at which a file declares another one as a module. The condition of such a
/// place is that of the declaration of this file.
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
    let imports = imports_of((declaring, facts), file);
    let places = imports.map(|import| match facts.name(import.module) {
        path if is_path(path) => import.position,
        // What follows the name has the condition under which no attribute has another path.
        name => Position {
            start_utf16: import.position.start_utf16 + wire(utf16_len(name)),
            ..import.position
        },
    });
    places.collect()
}

/// Returns the declarations `mod a;` of a file that lead to another one.
pub(super) fn imports_of<'f>(
    (declaring, facts): (&RepoPath, &'f Facts),
    file: &RepoPath,
) -> impl Iterator<Item = &'f Import> {
    let name = module_name(file);
    let folder = parent(declaring);
    let own = folder.join(declaring.name().trim_end_matches(".rs"));
    let modules = facts
        .imports
        .iter()
        .filter(|import| import.level == MODULE_FILE);
    modules.filter(move |import| {
        let path = facts.name(import.module);
        if !is_path(path) {
            return path == name;
        }
        let leads = |path: &str| join_relative(&folder, path).as_ref() == Some(file);
        let inside = modules_around(facts, import.scope);
        if inside.is_empty() {
            return leads(path);
        }
        // Whether the modules of the file are in its folder depends on its crate.
        let path = format!("{}/{path}", inside.join("/"));
        let beside = own.as_ref().and_then(|own| join_relative(own, &path));
        leads(&path) || beside.as_ref() == Some(file)
    })
}

/// Returns the names of the blocks `mod a { … }` around a scope, the outermost first.
pub(super) fn modules_around(facts: &Facts, scope: ScopeId) -> Vec<&str> {
    let scope_at = |scope: ScopeId| facts.scope(scope);
    let mut names = Vec::new();
    let mut next = scope_at(scope);
    while let Some(current) = next {
        let module = current
            .definition
            .filter(|_| current.kind == ScopeKind::Namespace);
        let module = module.and_then(|id| facts.definition(id));
        names.extend(module.map(|module| facts.name(module.name)));
        next = current.parent.and_then(scope_at);
    }
    names.reverse();
    names
}

/// Reports whether the module of a declaration is a path, not a name.
pub(super) fn is_path(module: &str) -> bool {
    module.strip_suffix(".rs").is_some()
}

/// Reports whether attributes give the module of a declaration other files, each under a condition.
pub(super) fn has_paths(facts: &Facts, import: &Import) -> bool {
    let mut bound = facts.bindings.iter().filter(|binding| {
        let is_import = matches!(binding.target, BindingTarget::Import(_));
        is_import && binding.position == import.position
    });
    // `#[macro_use]` binds another name.
    let name = bound.next().map(|binding| binding.name);
    bound.any(|binding| Some(binding.name) == name)
}

/// Returns the name of the module of a file.
fn module_name(file: &RepoPath) -> String {
    let folder = file.parent().unwrap_or_else(RepoPath::root);
    match file.name() {
        "mod.rs" => folder.name().to_owned(),
        name => name.trim_end_matches(".rs").to_owned(),
    }
}
