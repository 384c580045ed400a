//! The classes and modules that a constant names. Any file may open them.

use crate::definitions_named::definitions_named;
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;

use super::RUBY;

/// The folder that stands for the top level, which has the constants of no module. No file has this
/// path.
const TOP_LEVEL_FOLDER: &str = "Object::";

/// The constants of Ruby itself that programs use most:
/// <https://docs.ruby-lang.org/en/master/index.html#core>.
const CORE: [&str; 40] = [
    "ARGV",
    "ArgumentError",
    "Array",
    "BasicObject",
    "Class",
    "Comparable",
    "Data",
    "Dir",
    "ENV",
    "Encoding",
    "Enumerable",
    "Enumerator",
    "Exception",
    "FalseClass",
    "File",
    "Float",
    "Hash",
    "IO",
    "Integer",
    "Kernel",
    "Marshal",
    "Math",
    "Method",
    "Module",
    "NilClass",
    "Numeric",
    "Object",
    "Proc",
    "Process",
    "Range",
    "Rational",
    "Regexp",
    "Set",
    "StandardError",
    "String",
    "Struct",
    "Symbol",
    "Thread",
    "Time",
    "TrueClass",
];

/// Reports whether Ruby itself defines a constant at the top level, as far as the list goes.
pub(super) fn is_of_core(name: &str) -> bool {
    CORE.contains(&name)
}

/// Returns the top level, where `::A` finds its constant.
pub(super) fn top_level() -> ResolvedEntities {
    RepoPath::parse(TOP_LEVEL_FOLDER).map_or_else(
        |_| ResolvedEntities::unknown(),
        |folder| ResolvedEntities::single(Entity::Folder(folder)),
    )
}

/// Reports whether a folder stands for the top level.
pub(super) fn is_top_level(folder: &RepoPath) -> bool {
    folder.as_str() == TOP_LEVEL_FOLDER
}

/// Returns the definitions of a class or module by its full path.
pub(super) fn resolve(resolver: Resolver<'_>, path: &str) -> ResolvedEntities {
    let last = path.rsplit('.').next().unwrap_or(path);
    definitions_named(resolver, RUBY, last, |source, id, one| {
        let is_class = matches!(one.kind, DefinitionKind::Class | DefinitionKind::Namespace);
        is_class && source.file.facts.name_path(id) == path
    })
    .into()
}
