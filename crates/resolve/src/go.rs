//! Go: packages, imports by the paths of modules, methods in all files of a package, and the
//! methods of interfaces that a type implements.

mod build_constraint;
mod embedded;
mod file_name;
mod modules;
mod standard;
mod unnamed_types;

use crate::computed_names::{ComputedNames, Reflection};
use std::collections::{BTreeMap, BTreeSet};

use self::modules::GoModules;
use crate::entity::{Entity, ResolvedEntities};
use crate::files::{Files, parent};
use crate::resolver::{CallArguments, FamilyLanguages, LanguageFamily, LanguageResolver, Resolver};
use crate::source_file::SourceFile;
use crate::type_parameters::type_parameter;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, DefinitionFact, DefinitionId, Import, ImportedItem, ScopeId,
};

/// The name of the language.
const LANGUAGE: &str = "go";

pub(super) const FAMILY: LanguageFamily = LanguageFamily {
    languages: FamilyLanguages::Named(&[LANGUAGE]),
    is_resolved_by_name: false,
    // <https://pkg.go.dev/reflect>, <https://pkg.go.dev/plugin>.
    reflection: Reflection {
        members: ComputedNames::ByCalls(&["FieldByName", "MethodByName"]),
        others: ComputedNames::ByCalls(&["plugin.Open"]),
    },
    is_manifest: modules::is_go_mod,
    create_resolver: |files, manifests| Box::new(Go::new(&files, GoModules::new(manifests))),
};

/// The names that every file sees: <https://go.dev/ref/spec#Predeclared_identifiers>.
const PREDECLARED: [&str; 44] = [
    "any",
    "append",
    "bool",
    "byte",
    "cap",
    "clear",
    "close",
    "comparable",
    "complex",
    "complex128",
    "complex64",
    "copy",
    "delete",
    "error",
    "false",
    "float32",
    "float64",
    "imag",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "iota",
    "len",
    "make",
    "max",
    "min",
    "new",
    "nil",
    "panic",
    "print",
    "println",
    "real",
    "recover",
    "rune",
    "string",
    "true",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintptr",
];

/// The systems and processors in names such as `file_windows.go` that are not those of
/// [`build_constraint`].
const OTHER_SYSTEMS: [&str; 24] = [
    "386",
    "aix",
    "android",
    "arm",
    "arm64",
    "darwin",
    "dragonfly",
    "freebsd",
    "illumos",
    "ios",
    "js",
    "loong64",
    "mips",
    "mips64",
    "netbsd",
    "openbsd",
    "plan9",
    "ppc64le",
    "riscv64",
    "s390x",
    "solaris",
    "wasip1",
    "wasm",
    "windows",
];

/// The end of the names of files with tests.
const TEST_FILE: &str = "_test.go";

#[derive(Debug)]
struct Go {
    /// The files of each folder.
    folders: BTreeMap<RepoPath, Vec<RepoPath>>,
    modules: GoModules,
}

impl Go {
    fn new(files: &Files, modules: GoModules) -> Self {
        let mut folders: BTreeMap<RepoPath, Vec<RepoPath>> = BTreeMap::new();
        for file in files.iter() {
            folders.entry(parent(file)).or_default().push(file.clone());
        }
        Self { folders, modules }
    }

    fn files_in(&self, folder: &RepoPath) -> &[RepoPath] {
        self.folders.get(folder).map_or(&[], Vec::as_slice)
    }

    /// Returns the other files of the package of a file. Only tests see what tests declare.
    fn package_files<'g>(
        &'g self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
    ) -> Vec<&'g RepoPath> {
        let package = package_name(source);
        let is_test = is_test_file(source.path);
        let files = self.files_in(&parent(source.path)).iter();
        let files = files.filter(|file| *file != source.path && (is_test || !is_test_file(file)));
        let is_of_package = |file: &&RepoPath| {
            let facts = resolver.database.facts(file);
            facts.is_some_and(|facts| {
                let file = SourceFile {
                    path: source.path,
                    file: &facts,
                };
                package_name(&file) == package
            })
        };
        files.filter(is_of_package).collect()
    }

    /// Returns what files declare by a name. If some of these take part in a build without options,
    /// the others do not count.
    fn declared_in<'f>(
        resolver: Resolver<'_>,
        files: impl Iterator<Item = &'f RepoPath>,
        name: &str,
    ) -> ResolvedEntities {
        let mut usual = ResolvedEntities::none();
        let mut others = ResolvedEntities::none();
        for file in files {
            let declared = Self::declared(resolver, file, name);
            if is_usual(resolver, file) {
                usual.merge(declared);
            } else {
                others.merge(declared);
            }
        }
        if usual.is_none() { others } else { usual }
    }

    /// Returns what a file declares by a name at its top level.
    fn declared(resolver: Resolver<'_>, file: &RepoPath, name: &str) -> ResolvedEntities {
        let Some(facts) = resolver.database.facts(file) else {
            return ResolvedEntities::none();
        };
        let source = SourceFile {
            path: file,
            file: &facts,
        };
        let bindings = source.module_bindings(name).into_iter();
        let bindings = bindings.filter(|one| !matches!(one.target, BindingTarget::Import(_)));
        resolver.resolve_bindings(&source, &bindings.collect::<Vec<_>>())
    }

    /// Reports whether an import means a package of the repository's modules, which may be missing.
    fn is_own(&self, import: &Import, source: &SourceFile<'_>) -> bool {
        let module = source.file.facts.name(import.module);
        self.modules.have(module)
    }

    /// Returns the path of an imported package that is not of the repository, and the name in it
    /// that a path means: `sync/atomic` and `Pointer` for `atomic.Pointer`.
    fn standard_name<'n>(
        &self,
        (source, scope): (&'n SourceFile<'_>, ScopeId),
        path: &'n str,
    ) -> Option<(&'n str, &'n str)> {
        let (package, name) = path.split_once('.')?;
        let package = source.file.find_name(package)?;
        let bound_in = source.file.binding_scope(scope, package)?;
        let mut bindings = source.file.bindings(bound_in, package);
        let import = bindings.find_map(|binding| match binding.target {
            BindingTarget::Import(id) => source.file.import(id),
            _ => None,
        })?;
        let is_own = self.modules.is_empty() || self.is_own(import, source);
        (!is_own).then(|| (source.file.facts.name(import.module), name))
    }

    /// Returns the first file of the package that an import means, or `None` if it is not in the
    /// repository.
    fn find_package(&self, import: &Import, source: &SourceFile<'_>) -> Option<&RepoPath> {
        let module = source.file.facts.name(import.module);
        let folder = self.modules.folder_of(module, source.path, |folder| {
            self.folders.contains_key(folder)
        })?;
        let mut files = self.files_in(&folder).iter();
        files.find(|file| !is_test_file(file))
    }

    /// Resolves a name that is that of an imported package, though the path of the import does not
    /// say so.
    fn resolve_package_name(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        let imports = source.file.facts.imports.iter();
        let unnamed = imports.filter(|one| one.item == ImportedItem::Module && one.alias.is_none());
        let packages = unnamed.filter_map(|import| self.find_package(import, source));
        for file in packages {
            let Some(facts) = resolver.database.facts(file) else {
                continue;
            };
            let package = facts.facts.package.map(|package| facts.facts.name(package));
            if package == Some(name) {
                return ResolvedEntities::single(Entity::Module(file.clone()));
            }
        }
        ResolvedEntities::none()
    }
}

/// The functions that run when a program starts:
/// <https://go.dev/ref/spec#Program_initialization_and_execution>.
const ENTRY_POINTS: [&str; 2] = ["init", "main"];

/// How the names of functions begin that `go test` calls: <https://pkg.go.dev/testing>.
const TESTS: [&str; 4] = ["Benchmark", "Example", "Fuzz", "Test"];

impl LanguageResolver for Go {
    fn runs_unnamed(&self, source: &SourceFile<'_>, definition: &DefinitionFact) -> bool {
        let name = source.file.facts.name(definition.name);
        let is_test_file = source.path.as_str().ends_with("_test.go");
        let is_test = is_test_file && TESTS.iter().any(|start| name.starts_with(start));
        definition.kind == DefinitionKind::Function && (is_test || ENTRY_POINTS.contains(&name))
    }

    fn resolve_import(
        &self,
        _: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> ResolvedEntities {
        match self.find_package(import, source) {
            Some(file) => ResolvedEntities::single(Entity::Module(file.clone())),
            None if self.modules.is_empty() || self.is_own(import, source) => {
                ResolvedEntities::unknown()
            }
            None => ResolvedEntities::none(),
        }
    }

    fn has_members_in_scope(&self, _: &DefinitionFact) -> bool {
        false
    }

    fn resolve_unbound(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        let files = self.package_files(resolver, source).into_iter();
        let own = Self::declared_in(resolver, files, name);
        if !own.is_none() {
            return own;
        }
        let package = self.resolve_package_name(resolver, source, name);
        if !package.is_none() {
            return package;
        }
        let imports = source.file.facts.imports.iter();
        let dots = imports.filter(|import| import.item == ImportedItem::Star);
        let dotted = ResolvedEntities::union(dots.map(|import| {
            let of = self.resolve_import(resolver, source, import);
            resolver.resolve_members(&of, name)
        }));
        if dotted.is_none() && !PREDECLARED.contains(&name) {
            // A file that is generated or too large may declare it.
            return ResolvedEntities::unknown();
        }
        dotted
    }

    fn resolve_module_member(
        &self,
        resolver: Resolver<'_>,
        module: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        let others = self.package_files(resolver, module).into_iter();
        let files = std::iter::once(module.path).chain(others);
        let found = Self::declared_in(resolver, files, name);
        if found.is_none() {
            // A file that is generated or too large may declare it.
            return ResolvedEntities::unknown();
        }
        found
    }

    /// Resolves a method that another file of the package declares for a type.
    fn resolve_member_elsewhere(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (_, of): (&Entity, &DefinitionFact),
        name: &str,
    ) -> ResolvedEntities {
        if of.parent.is_some() {
            return ResolvedEntities::none();
        }
        let of = source.file.facts.name(of.name);
        let package = package_name(source);
        let mut found = ResolvedEntities::none();
        for file in self.files_in(&parent(source.path)) {
            let Some(facts) = resolver.database.facts(file) else {
                continue;
            };
            let other = SourceFile {
                path: file,
                file: &facts,
            };
            if file == source.path || package_name(&other) != package {
                continue;
            }
            let name = facts.find_name(name);
            let own = name.map_or(&[][..], |name| facts.qualified_members(None, of, name));
            found
                .entities
                .extend(own.iter().map(|id| other.entity(*id)));
        }
        found
    }

    fn is_external_type(
        &self,
        _: Resolver<'_>,
        from: (&SourceFile<'_>, ScopeId),
        (name, base): (&str, &ResolvedEntities),
    ) -> bool {
        let is_of_other_package = standard::package_of_type(name).is_some_and(|package| {
            let imported = self.standard_name(from, name);
            imported.is_none_or(|(imported, _)| imported != package)
        });
        base.is_none() && !is_of_other_package
    }

    fn resolve_external_type(
        &self,
        name: &str,
        arguments: &[ResolvedEntities],
    ) -> ResolvedEntities {
        standard::resolve_type(name, arguments)
    }

    fn resolve_library_call(
        &self,
        resolver: Resolver<'_>,
        from: (&SourceFile<'_>, ScopeId),
        path: &str,
        arguments: CallArguments<'_>,
    ) -> Option<ResolvedEntities> {
        let function = self.standard_name(from, path)?;
        standard::resolve_call(resolver, function, arguments)
    }

    fn resolve_container_member(&self, of: &Entity, name: &str) -> ResolvedEntities {
        standard::resolve_member(of, name)
    }

    fn resolve_external_call(&self, name: &str) -> ResolvedEntities {
        if standard::passes(name) {
            return ResolvedEntities::unknown();
        }
        ResolvedEntities::none()
    }

    fn may_implement_unknown(
        &self,
        _: Resolver<'_>,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
    ) -> bool {
        standard::declares(source.file.facts.name(method.name))
    }

    fn resolve_special_member(
        &self,
        resolver: Resolver<'_>,
        of: &Entity,
        name: &str,
    ) -> Option<ResolvedEntities> {
        if let Entity::Generic(inner, arguments) = of {
            let names = |path: &RepoPath, id| resolver.type_parameters(path, id);
            return Some(resolver.member_with_own_names((inner, arguments), name, names));
        }
        unnamed_types::member(resolver, of, name)
    }

    fn resolve_type_parameter(&self, source: &SourceFile<'_>, binding: &Binding) -> Option<Entity> {
        type_parameter(source, binding)
    }

    /// Resolves a call of a function without a name, and a conversion to a type such as `type A
    /// []B`, whose values are also those of the underlying type.
    fn resolve_call(&self, resolver: Resolver<'_>, of: &Entity) -> Option<ResolvedEntities> {
        let (path, id) = match of {
            Entity::Lambda(path, scope) => {
                return Some(unnamed_types::result(resolver, (path, *scope)));
            }
            // The facts have no index in `a[0]()`, since `f[int]()` looks the same.
            Entity::Sequence(element) | Entity::Mapping(element) => {
                let element = ResolvedEntities::single((**element).clone());
                return Some(resolver.resolve_call(&element));
            }
            Entity::TypeParameter(_) => return Some(ResolvedEntities::single(of.clone())),
            Entity::Definition(path, id) | Entity::Instance(path, id) => (path, id),
            _ => return None,
        };
        let facts = resolver.database.facts(path)?;
        let source = SourceFile { path, file: &facts };
        let definition = source.definition(*id)?;
        if definition.kind != DefinitionKind::Type {
            return None;
        }
        if matches!(of, Entity::Instance(..)) {
            // A value of the type is one of the underlying type as well, which decides.
            return Some(ResolvedEntities::none());
        }
        let mut instance = ResolvedEntities::single(Entity::Instance(path.clone(), *id));
        if let Some(value) = definition.returns {
            let scope = source.enclosing_scope(definition);
            instance.merge(resolver.resolve_value(&source, scope, value));
        }
        Some(instance)
    }

    /// The field that embeds a type has its name.
    fn embedded_types(
        &self,
        resolver: Resolver<'_>,
        receiver: &ResolvedEntities,
        field: &str,
    ) -> BTreeSet<Entity> {
        embedded::types_named(resolver, receiver, field)
    }

    /// Returns the methods of the loaded interfaces that the type of a method implements, by the
    /// names of their methods.
    fn implemented_methods(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
    ) -> BTreeSet<(RepoPath, DefinitionId)> {
        let facts = &source.file.facts;
        let Some(of) = method.qualifier.map(|name| facts.name(name)) else {
            return BTreeSet::new();
        };
        let name = facts.name(method.name);
        let types = resolver.resolve_name(source, source.enclosing_scope(method), of);
        let types = types.entities.into_iter().filter_map(|of| match of {
            Entity::Definition(path, id) => Some(Entity::Instance(path, id)),
            _ => None,
        });
        let types: Vec<Entity> = types.collect();
        resolver.structurally_implemented(&types, (LANGUAGE, name), |_, one| {
            one.kind == DefinitionKind::Interface
        })
    }
}

/// Reports whether a file takes part in a build without options, by its name and its constraint.
fn is_usual(resolver: Resolver<'_>, file: &RepoPath) -> bool {
    let name = file
        .name()
        .trim_end_matches(".go")
        .trim_end_matches("_test");
    let system = name.rsplit('_').take(2).filter(|part| *part != name);
    if system.into_iter().any(|part| OTHER_SYSTEMS.contains(&part)) {
        return false;
    }
    let facts = resolver.database.facts(file);
    facts.is_none_or(|file| {
        let constraint = file.facts.build_constraint;
        constraint.is_none_or(|constraint| build_constraint::is_met(file.facts.name(constraint)))
    })
}

/// Returns the condition that the name of a file states: that of Go's `a_linux.go`.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::condition_of_file_name;
///
/// let condition = |path: &str| condition_of_file_name(&RepoPath::parse(path).unwrap());
/// assert_eq!(condition("net/dial_linux_amd64.go").as_deref(), Some("linux && amd64"));
/// assert_eq!(condition("net/dial_linux.c"), None);
/// ```
#[must_use]
pub fn condition_of_file_name(path: &RepoPath) -> Option<String> {
    let language = ragnav_syntax::detect_language(path)?;
    let is_go = FAMILY.languages.include(language);
    is_go
        .then(|| file_name::constraint_of_name(path.name()))
        .flatten()
}

/// Returns the name of the package of a file.
fn package_name<'f>(source: &SourceFile<'f>) -> Option<&'f str> {
    let facts = &source.file.facts;
    facts.package.map(|name| facts.name(name))
}

fn is_test_file(path: &RepoPath) -> bool {
    path.name().ends_with(TEST_FILE)
}
