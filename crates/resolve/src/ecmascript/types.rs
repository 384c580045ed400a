//! `this` as a type, and accessors.

use crate::entity::ResolvedEntities;
use crate::self_type;
use crate::source_file::SourceFile;
use ragnav_syntax::facts::{ACCESSOR, DefinitionFact, THIS, TYPE_NUMBER, Value};

/// Returns the type of the instance that a method with the return type `this` is called on.
pub(super) fn own_instance_type(
    source: &SourceFile<'_>,
    method: &DefinitionFact,
    returns: Value,
) -> Option<ResolvedEntities> {
    let name = source.file.facts.name(returns.path);
    let is_own = returns.is_called && name.strip_prefix(TYPE_NUMBER) == Some(THIS);
    self_type::own_instance(source, method).filter(|_| is_own)
}

/// Reports whether a file declares types, which callers may rely on.
pub(super) fn is_typed(source: &SourceFile<'_>) -> bool {
    let language = ragnav_syntax::detect_language(source.path);
    language.is_some_and(|language| matches!(language.name, "tsx" | "typescript"))
}

/// Reports whether reading or assigning a member runs a method.
pub(super) fn is_accessor(source: &SourceFile<'_>, method: &DefinitionFact) -> bool {
    let mark = source.file.find_name(ACCESSOR);
    mark.is_some_and(|mark| source.file.bindings(method.scope, mark).next().is_some())
}
