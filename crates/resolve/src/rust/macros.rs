//! Macros, by the scopes of the reference:
//! <https://doc.rust-lang.org/reference/macros-by-example.html>.

use super::Rust;
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::{MODULE, SourceFile};
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{BindingTarget, Import, MACRO, MODULE_FILE, ScopeId};

/// The maximum number of modules around a use of a macro that are searched for it.
const MAX_DEPTH: usize = 64;

/// The macros of the standard library: <https://doc.rust-lang.org/std/#macros>.
const OF_STD: [&str; 38] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "is_x86_feature_detected",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "ready",
    "stringify",
    "thread_local",
    "todo",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Resolves the name of a macro in a scope.
pub(super) fn resolve(
    rust: &Rust,
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (scope, name): (ScopeId, &str),
) -> ResolvedEntities {
    let found = resolve_any(rust, resolver, source, (scope, name));
    keep_macros(resolver, found, name)
}

fn resolve_any(
    rust: &Rust,
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (scope, name): (ScopeId, &str),
) -> ResolvedEntities {
    let own = in_scopes(resolver, source, (scope, name));
    if !own.is_none() {
        return own;
    }
    let mut file = source.path.clone();
    for _ in 0..MAX_DEPTH {
        let found = in_file(rust, resolver, &file, name);
        if !found.is_none() {
            return found;
        }
        match rust.parent_file(resolver, &file) {
            Some(parent) if !rust.crates.is_root(&file) => file = parent,
            _ => break,
        }
    }
    if OF_STD.contains(&name) {
        return ResolvedEntities::none();
    }
    let modules = ResolvedEntities::single(Entity::Module(file));
    let found = of_modules(rust, resolver, &modules, name);
    if found.is_none() {
        return ResolvedEntities::unknown();
    }
    found
}

/// Resolves a macro that a scope around a place declares or imports.
fn in_scopes(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (scope, name): (ScopeId, &str),
) -> ResolvedEntities {
    let declared = source.file.find_name(&format!("{MACRO}{name}"));
    let imported = source.file.find_name(name);
    let mut next = Some(scope);
    while let Some(current) = next {
        let own = declared.map(|name| source.file.bindings(current, name));
        let own: Vec<_> = own.into_iter().flatten().collect();
        if !own.is_empty() {
            return resolver.resolve_bindings(source, &own);
        }
        let imports = imported.map(|name| source.file.bindings(current, name));
        let imports = imports.into_iter().flatten();
        let imports: Vec<_> = imports
            .filter(|one| matches!(one.target, BindingTarget::Import(_)))
            .collect();
        let found = resolver.resolve_bindings(source, &imports);
        if !found.is_none() {
            return found;
        }
        let scope = source.file.facts.scope(current);
        next = scope.and_then(|scope| scope.parent);
    }
    ResolvedEntities::none()
}

/// Resolves a macro that a file declares, or a module whose macros it uses.
fn in_file(rust: &Rust, resolver: Resolver<'_>, file: &RepoPath, name: &str) -> ResolvedEntities {
    let Some(facts) = resolver.database.facts(file) else {
        return ResolvedEntities::none();
    };
    let source = SourceFile {
        path: file,
        file: &facts,
    };
    let own = declared(resolver, &source, name);
    if !own.is_none() {
        return own;
    }
    let used = source.module_bindings("macro_use").into_iter();
    let used = used.filter_map(|binding| match binding.target {
        BindingTarget::Import(id) => source.file.import(id),
        _ => None,
    });
    ResolvedEntities::union(used.map(|import| in_module(rust, resolver, &source, (import, name))))
}

/// Resolves a macro of the file of a module.
fn in_module(
    rust: &Rust,
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (import, name): (&Import, &str),
) -> ResolvedEntities {
    let module = source.file.facts.name(import.module);
    let file = rust.module_file(source, import.scope, module);
    let facts = file.as_ref().and_then(|file| resolver.database.facts(file));
    let (Some(path), Some(file)) = (file, facts) else {
        return ResolvedEntities::none();
    };
    let module = SourceFile {
        path: &path,
        file: &file,
    };
    declared(resolver, &module, name)
}

/// Resolves a macro at the top level of a file.
fn declared(resolver: Resolver<'_>, source: &SourceFile<'_>, name: &str) -> ResolvedEntities {
    let bindings = source.module_bindings(&format!("{MACRO}{name}"));
    resolver.resolve_bindings(source, &bindings)
}

/// Resolves a macro by a path: of the files of modules, and of the modules that they declare, since
/// an exported macro belongs to the first file of its crate.
pub(super) fn of_modules(
    rust: &Rust,
    resolver: Resolver<'_>,
    modules: &ResolvedEntities,
    name: &str,
) -> ResolvedEntities {
    let mut found = ResolvedEntities::none();
    if OF_STD.contains(&name) || name.starts_with(char::is_uppercase) {
        return found;
    }
    for module in &modules.entities {
        let Entity::Module(file) = module else {
            continue;
        };
        let Some(facts) = resolver.database.facts(file) else {
            continue;
        };
        let source = SourceFile {
            path: file,
            file: &facts,
        };
        found.merge(declared(resolver, &source, name));
        let imports = source.module_bindings(name).into_iter();
        let imports = imports.filter(|one| matches!(one.target, BindingTarget::Import(_)));
        let imported = resolver.resolve_bindings(&source, &imports.collect::<Vec<_>>());
        found.merge(keep_macros(resolver, imported, name));
        if !rust.crates.is_root(file) || !found.is_none() {
            continue;
        }
        if has_name(&source, name) {
            found.merge(in_file(rust, resolver, file, name));
            continue;
        }
        let imports = facts.facts.imports.iter();
        let files = imports.filter(|one| one.level == MODULE_FILE);
        for import in files {
            found.merge(in_module(rust, resolver, &source, (import, name)));
        }
    }
    found
}

/// Reports whether a file declares or imports a name at its top level.
fn has_name(source: &SourceFile<'_>, name: &str) -> bool {
    let name = source.file.find_name(name);
    name.is_some_and(|name| source.file.bindings(MODULE, name).next().is_some())
}

/// Keeps the macros among what a name refers to.
fn keep_macros(resolver: Resolver<'_>, found: ResolvedEntities, name: &str) -> ResolvedEntities {
    let is_macro = |entity: &Entity| {
        let Entity::Definition(path, id) = entity else {
            return false;
        };
        resolver.database.facts(path).is_some_and(|file| {
            let name = file.find_name(&format!("{MACRO}{name}"));
            let mut bindings = file.facts.bindings.iter();
            bindings
                .any(|one| Some(one.name) == name && one.target == BindingTarget::Definition(*id))
        })
    };
    ResolvedEntities {
        entities: found.entities.into_iter().filter(is_macro).collect(),
        has_unknown: found.has_unknown,
    }
}
