//! Names that declaration files give to other files without an import: those at the top level of a
//! file without imports and exports, and those in `declare global { … }`.
//!
//! Source:
//! <https://www.typescriptlang.org/docs/handbook/declaration-files/templates/global-d-ts.html>.

use super::specifiers::Specifiers;
use super::standard;
use crate::entity::ResolvedEntities;
use crate::file_facts::FileFacts;
use crate::files::parent;
use crate::resolver::Resolver;
use crate::source_file::{MODULE, SourceFile};
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{Binding, DefinitionFact, Facts, GLOBAL, Import, ScopeKind};

/// The ends of the names of declaration files.
const ENDINGS: [&str; 3] = [".d.ts", ".d.mts", ".d.cts"];

/// The maximum number of declaration files of one repository that are searched.
const MAX_FILES: usize = 64;

/// The names of the global object of a page.
const GLOBAL_OBJECTS: [&str; 2] = ["globalThis", "window"];

/// The interface of the global object, to which a repository may add members.
const WINDOW: &str = "Window";

/// The declaration files of a repository, each with the folder of its package, whose files it may
/// give names to.
#[derive(Debug, Default)]
pub(super) struct AmbientFiles(Vec<(RepoPath, RepoPath)>);

impl AmbientFiles {
    /// Returns the declaration files that declare no JavaScript file beside them.
    pub(super) fn new(specifiers: &Specifiers) -> Self {
        let files = specifiers.files.iter();
        let declaring = files.filter(|file| {
            let is_declaring = ENDINGS.iter().any(|end| file.name().ends_with(end));
            is_declaring && specifiers.defining_files(file).is_empty()
        });
        let placed = declaring.map(|file| (specifiers.package_folder(file), file.clone()));
        Self(placed.take(MAX_FILES).collect())
    }

    /// Resolves a name that a file does not bind. The global object has the members that the
    /// repository declares for it.
    pub(super) fn resolve(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        let found = self.declared(resolver, source, name);
        if !found.is_none() || !GLOBAL_OBJECTS.contains(&name) {
            return found;
        }
        let own = source.file.find_name(&format!("{GLOBAL}{WINDOW}"));
        let own = own
            .into_iter()
            .flat_map(|name| source.file.bindings(MODULE, name));
        let mut window = resolver.resolve_bindings(source, &own.collect::<Vec<_>>());
        window.merge(self.declared(resolver, source, WINDOW));
        resolver.resolve_call(&window)
    }

    /// Resolves a name that declaration files give to other files.
    fn declared(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        if standard::is_container(name) {
            return ResolvedEntities::none();
        }
        let files = self.0.iter().filter(|(folder, file)| {
            let is_below = *folder == RepoPath::root() || source.path.below(folder).is_some();
            is_below && file != source.path
        });
        ResolvedEntities::union(files.map(|(_, path)| {
            let file = resolver.database.facts(path);
            file.map_or_else(ResolvedEntities::none, |file| {
                let found = global_bindings(&file, name);
                resolver.resolve_bindings(&SourceFile { path, file: &file }, &found)
            })
        }))
    }

    /// Reports whether a declaration file may add a member to a class or an interface of a module:
    /// `b` of `declare module "./a" { interface A { b: B } }`. Which module it is does not count.
    ///
    /// Source: "Module Augmentation",
    /// <https://www.typescriptlang.org/docs/handbook/declaration-merging.html>.
    pub(super) fn may_add(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (class, name): (&DefinitionFact, &str),
    ) -> bool {
        let class = source.file.facts.name(class.name);
        let mut others = self.0.iter().filter(|(_, path)| path != source.path);
        others.any(|(_, path)| {
            let file = resolver.database.facts(path);
            file.is_some_and(|file| declares_member(&file, (class, name)))
        })
    }
}

/// Reports whether an interface of a name in a namespace or module declares a member of a name.
fn declares_member(file: &FileFacts, (interface, name): (&str, &str)) -> bool {
    let Some((interface, name)) = file.find_name(interface).zip(file.find_name(name)) else {
        return false;
    };
    let kind = |scope| file.facts.scope(scope).map(|scope| scope.kind);
    let parent = |scope| file.facts.scope(scope)?.parent;
    let all = file.facts.definitions.iter();
    let mut interfaces =
        all.filter(|one| one.name == interface && one.kind == DefinitionKind::Interface);
    interfaces.any(|one| {
        let is_in_module = parent(one.scope).and_then(kind) == Some(ScopeKind::Namespace);
        is_in_module && file.bindings(one.scope, name).next().is_some()
    })
}

impl Specifiers {
    /// Returns the folder of the package around a file, or the root.
    fn package_folder(&self, file: &RepoPath) -> RepoPath {
        let mut folder = parent(file);
        while folder != RepoPath::root() && !self.packages.contains_key(&folder) {
            folder = parent(&folder);
        }
        folder
    }
}

/// Reports whether a file is a script, whose names all files see. Types that comments import do
/// not make it a module.
pub(super) fn is_script(facts: &Facts) -> bool {
    let mut imports = facts.imports.iter();
    facts.exported.is_empty() && imports.all(|import| is_documentation(facts, import))
}

/// Reports whether a comment imports a type: `import("./a").B`.
pub(super) fn is_documentation(facts: &Facts, import: &Import) -> bool {
    let scope = facts.scope(import.scope);
    scope.is_some_and(|scope| scope.kind == ScopeKind::Documentation)
}

/// Returns the bindings of a name that other files see without an import.
fn global_bindings<'f>(file: &'f FileFacts, name: &str) -> Vec<&'f Binding> {
    let name = if is_script(&file.facts) {
        file.find_name(name)
    } else {
        file.find_name(&format!("{GLOBAL}{name}"))
    };
    let bindings = name
        .into_iter()
        .flat_map(|name| file.bindings(MODULE, name));
    bindings.collect()
}
