//! Names that declaration files give to other files without an import: those at the top level of a
//! file without imports and exports, and those in `declare global { … }`.
//!
//! Source:
//! <https://www.typescriptlang.org/docs/handbook/declaration-files/templates/global-d-ts.html>.

use super::specifiers::Specifiers;
use super::standard;
use crate::entity::{Entity, ResolvedEntities};
use crate::file_facts::FileFacts;
use crate::files::parent;
use crate::resolver::Resolver;
use crate::source_file::{MODULE, SourceFile};
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, DefinitionFact, DefinitionId, Facts, GLOBAL, Import, ScopeKind, Space,
};

/// The ends of the names of declaration files.
const ENDINGS: [&str; 3] = [".d.ts", ".d.mts", ".d.cts"];

/// The maximum number of declaration files of one repository that are searched.
const MAX_FILES: usize = 64;

/// The names of the global object of a page.
pub(super) const GLOBAL_OBJECTS: [&str; 3] = ["globalThis", "self", "window"];

/// The interface of the global object, to which a repository may add members.
const WINDOW: &str = "Window";

/// Resolves the global object of a page, as far as the repository declares its members.
pub(super) fn global_object(resolver: Resolver<'_>, source: &SourceFile<'_>) -> ResolvedEntities {
    let place = (MODULE, Space::Types);
    let declared = resolver.resolve_path_text(source, place, (WINDOW, false));
    resolver.resolve_call(&declared)
}

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

    /// Resolves a name that a file does not bind.
    pub(super) fn resolve(
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
}

impl AmbientFiles {
    /// Resolves a member that a declaration file adds to a class or an interface of a module:
    /// `b` of `declare module "./a" { interface A { b: B } }`.
    ///
    /// Source: "Module Augmentation",
    /// <https://www.typescriptlang.org/docs/handbook/declaration-merging.html>.
    pub(super) fn added_member(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (class, name): (&DefinitionFact, &str),
    ) -> ResolvedEntities {
        let class = source.file.facts.name(class.name);
        let others = self.0.iter().map(|(_, path)| path);
        let others = others.filter(|path| *path != source.path);
        ResolvedEntities::union(others.filter_map(|path| {
            let file = resolver.database.facts(path)?;
            let (class, _) = (file.find_name(class)?, file.find_name(name)?);
            let source = SourceFile { path, file: &file };
            let all = (0..).map(DefinitionId).zip(&file.facts.definitions);
            let adding = all.filter(|(_, one)| one.name == class && adds_members(&source, one));
            let members = adding.filter_map(|(id, _)| {
                let interface = Entity::Instance(path.clone(), id);
                resolver.own_member(&source, (&interface, id), name)
            });
            Some(ResolvedEntities::union(members))
        }))
    }
}

/// Reports whether a definition is an interface in `declare module "a" { … }`.
fn adds_members(source: &SourceFile<'_>, definition: &DefinitionFact) -> bool {
    let around = source.file.facts.scope(source.enclosing_scope(definition));
    definition.kind == DefinitionKind::Interface
        && around.is_some_and(|scope| scope.kind == ScopeKind::Namespace)
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
