//! Full names of classes and functions: `a\B` of `class B` in the namespace `a`.
//!
//! Any file may declare a class or a function of any namespace. An autoloader finds a class by the
//! name of its file, <https://www.php-fig.org/psr/psr-4/>, but not every program has one.

use crate::definitions_named::definitions_named;
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::{MODULE, SourceFile};

use super::PHP;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    BindingTarget, DefinitionFact, DefinitionId, Facts, ImportedItem, NAMESPACE,
};

/// The folder that namespaces are in as entities, so that no other language takes them for its own.
const NAMESPACES: &str = "namespaces of PHP";

/// The beginning of a name in the namespace of the file, whatever the file imports:
/// <https://www.php.net/manual/en/language.namespaces.nsconstants.php>.
const OWN_NAMESPACE: &str = "namespace\\";

/// Returns the classes of a full name.
pub(super) fn classes(resolver: Resolver<'_>, full: &str) -> ResolvedEntities {
    declared(resolver, full, DefinitionKind::has_methods)
}

/// Returns the functions of a full name.
pub(super) fn functions(resolver: Resolver<'_>, full: &str) -> ResolvedEntities {
    declared(resolver, full, |kind| kind == DefinitionKind::Function)
}

fn declared(
    resolver: Resolver<'_>,
    full: &str,
    is_wanted: impl Fn(DefinitionKind) -> bool,
) -> ResolvedEntities {
    let full = full.trim_start_matches('\\');
    let last = full.rsplit('\\').next().unwrap_or(full);
    definitions_named(resolver, PHP, last, |source, id, one| {
        is_wanted(one.kind) && full_name(&source.file.facts, id, one) == full
    })
    .into()
}

/// Returns the full name of a definition.
fn full_name(facts: &Facts, id: DefinitionId, one: &DefinitionFact) -> String {
    let path = facts.name_path(id).replace('.', "\\");
    match package_of(facts, one) {
        Some(package) => format!("{package}\\{path}"),
        None => path,
    }
}

/// Returns the last namespace that begins before a definition.
fn package_of<'f>(facts: &'f Facts, one: &DefinitionFact) -> Option<&'f str> {
    let package = facts.package?;
    let mut before = facts.bindings.iter().filter(|binding| {
        binding.position.line < one.start_line && facts.name(binding.name) == NAMESPACE
    });
    let path = before.next_back().and_then(|binding| match binding.target {
        BindingTarget::Variable(value) => Some(value?.path),
        _ => None,
    });
    Some(facts.name(path.unwrap_or(package)))
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

/// Reports whether a full name begins with the namespace of a file, up to its first `\`: that of a
/// vendor in PSR-4.
pub(super) fn is_own(source: &SourceFile<'_>, full: &str) -> bool {
    let vendor = |name: &str| name.split_once('\\').map(|(vendor, _)| vendor.to_owned());
    let own = vendor(&in_namespace(source, ""));
    own.is_some() && own == vendor(full.trim_start_matches('\\'))
}

/// Returns the full form of a name with a namespace. It is relative to an import or to the
/// namespace of the file, unless it begins with `\`.
pub(super) fn full_path(source: &SourceFile<'_>, path: &str) -> String {
    if let Some(full) = path.strip_prefix('\\') {
        return full.to_owned();
    }
    if let Some(name) = path.strip_prefix(OWN_NAMESPACE) {
        return in_namespace(source, name);
    }
    let (first, rest) = path.split_once('\\').unwrap_or((path, ""));
    match imported(source, first) {
        Some(import) => format!("{import}\\{rest}"),
        None => in_namespace(source, path),
    }
}

/// Returns the full form of the name of a function with a namespace.
pub(super) fn full_function(source: &SourceFile<'_>, path: &str) -> String {
    if let Some(full) = path.strip_prefix('\\') {
        return full.to_owned();
    }
    in_namespace(source, path.strip_prefix(OWN_NAMESPACE).unwrap_or(path))
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
