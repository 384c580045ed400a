//! Full names of classes and functions: `a\B` of `class B` in the namespace `a`.
//!
//! An autoloader finds a class by the name of its file, <https://www.php-fig.org/psr/psr-4/>. So
//! each file with the name of a class may declare it, whatever folder stands for its namespace.

use std::collections::{BTreeMap, BTreeSet};

use crate::entity::{Entity, ResolvedEntities};
use crate::files::{Files, parent};
use crate::resolver::Resolver;
use crate::source_file::{MODULE, SourceFile};
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{BindingTarget, DefinitionId, ImportedItem, METHOD};

/// The maximum number of files of one name that are read for a class.
const MAX_FILES: usize = 64;

/// The folder that namespaces are in as entities, so that no other language takes them for its own.
const NAMESPACES: &str = "namespaces of PHP";

/// The files of a repository by the classes that they may declare.
#[derive(Debug)]
pub(super) struct ClassFiles {
    by_name: BTreeMap<String, Vec<RepoPath>>,
    /// The names of folders, which may be the last parts of namespaces.
    folders: BTreeSet<String>,
}

impl ClassFiles {
    pub(super) fn new(files: &Files) -> Self {
        let mut by_name: BTreeMap<String, Vec<RepoPath>> = BTreeMap::new();
        let mut folders = BTreeSet::new();
        for file in files.iter() {
            let stem = file.name().split('.').next().unwrap_or_default();
            by_name
                .entry(stem.to_owned())
                .or_default()
                .push(file.clone());
            folders.insert(parent(file).name().to_owned());
        }
        Self { by_name, folders }
    }

    /// Returns the classes of a full name.
    pub(super) fn resolve(
        &self,
        resolver: Resolver<'_>,
        from: Option<&RepoPath>,
        full: &str,
    ) -> ResolvedEntities {
        let name = full.rsplit('\\').next().unwrap_or(full);
        let named = self.by_name.get(name).into_iter().flatten();
        let mut files: BTreeSet<RepoPath> = named.take(MAX_FILES).cloned().collect();
        files.extend(from.cloned());
        let loaded = resolver.database.loaded_files();
        let loaded = loaded.filter(|(path, _)| path.extension() == Some("php"));
        files.extend(loaded.map(|(path, _)| path.clone()));
        let mut found = ResolvedEntities::none();
        for path in files {
            let Some(facts) = resolver.database.facts(&path) else {
                continue;
            };
            let source = SourceFile {
                path: &path,
                file: &facts,
            };
            found.entities.extend(classes(&source, full));
        }
        found
    }

    /// Reports whether a folder may stand for the namespace of a full name.
    pub(super) fn has_namespace_of(&self, full: &str) -> bool {
        let namespace = full.rsplit('\\').nth(1);
        namespace.is_some_and(|namespace| self.folders.contains(namespace))
    }
}

/// Returns the classes of a full name in a file.
fn classes(source: &SourceFile<'_>, full: &str) -> Vec<Entity> {
    let last = full.rsplit('\\').next().unwrap_or(full);
    let Some(last) = source.file.find_name(last) else {
        return Vec::new();
    };
    let facts = &source.file.facts;
    let definitions = (0..).map(DefinitionId).zip(&facts.definitions);
    let found = definitions.filter(|(id, one)| {
        let is_class = matches!(
            one.kind,
            DefinitionKind::Class | DefinitionKind::Interface | DefinitionKind::Enum
        );
        is_class && one.name == last && full_name(source, *id) == full
    });
    found.map(|(id, _)| source.entity(id)).collect()
}

/// Returns the functions of a full name in the loaded files.
pub(super) fn functions(resolver: Resolver<'_>, full: &str) -> ResolvedEntities {
    let last = full.rsplit('\\').next().unwrap_or(full);
    let bound = format!("{METHOD}{last}");
    let mut found = ResolvedEntities::none();
    for (path, file) in resolver.database.loaded_files() {
        let Some(name) = file
            .find_name(&bound)
            .filter(|_| path.extension() == Some("php"))
        else {
            continue;
        };
        let source = SourceFile { path, file };
        let bindings = file.facts.bindings.iter().filter(|one| one.name == name);
        let declared = bindings.filter_map(|one| match one.target {
            BindingTarget::Definition(id) => Some(id),
            _ => None,
        });
        let own = declared.filter(|id| full_name(&source, *id) == full);
        found.entities.extend(own.map(|id| source.entity(id)));
    }
    found
}

/// Returns the full name of a definition.
fn full_name(source: &SourceFile<'_>, id: DefinitionId) -> String {
    let path = source.file.facts.name_path(id).replace('.', "\\");
    match source.file.facts.package {
        Some(package) => format!("{}\\{path}", source.file.facts.name(package)),
        None => path,
    }
}

/// Returns the full name of a name in the namespace of a file, of its block if it has one.
pub(super) fn in_namespace(source: &SourceFile<'_>, name: &str) -> String {
    let facts = &source.file.facts;
    if let Some(package) = facts.package {
        return format!("{}\\{name}", facts.name(package));
    }
    let definitions = (0..).map(DefinitionId).zip(&facts.definitions);
    let mut blocks = definitions.filter(|(_, one)| one.kind == DefinitionKind::Namespace);
    match blocks.next() {
        Some((block, _)) => format!("{}\\{name}", facts.name_path(block).replace('.', "\\")),
        None => name.to_owned(),
    }
}

/// Returns the full form of a name with a namespace. It is relative to an import or to the
/// namespace of the file, unless it begins with `\`.
pub(super) fn full_path(source: &SourceFile<'_>, path: &str) -> String {
    if let Some(full) = path.strip_prefix('\\') {
        return full.to_owned();
    }
    let (first, rest) = path.split_once('\\').unwrap_or((path, ""));
    match imported(source, first) {
        Some(import) => format!("{import}\\{rest}"),
        None => in_namespace(source, path),
    }
}

/// Returns a namespace as an entity.
pub(super) fn namespace_entity(namespace: &str) -> ResolvedEntities {
    let path = format!("{NAMESPACES}/{}", namespace.replace('\\', "/"));
    let path = path.trim_end_matches('/');
    RepoPath::parse(path).map_or_else(
        |_| ResolvedEntities::unknown(),
        |path| ResolvedEntities::single(Entity::Folder(path)),
    )
}

/// Returns the namespace that an entity stands for.
pub(super) fn namespace_of(folder: &RepoPath) -> Option<String> {
    let path = folder.as_str().strip_prefix(NAMESPACES)?;
    Some(path.trim_start_matches('/').replace('/', "\\"))
}

/// Returns the full name that a file imports under a name.
fn imported<'f>(source: &SourceFile<'f>, name: &str) -> Option<&'f str> {
    let facts = &source.file.facts;
    let mut imports = facts.imports.iter();
    let import = imports.find(|import| {
        let item = match import.item {
            ImportedItem::Member(item) => Some(item),
            _ => None,
        };
        let bound = import.alias.or(item);
        import.level == 0
            && import.scope == MODULE
            && bound.map(|bound| facts.name(bound)) == Some(name)
    });
    import.map(|import| facts.name(import.module))
}
