//! Modifiers of definitions.

use crate::source_file::SourceFile;
use ragnav_syntax::facts::{DefinitionFact, DefinitionId, STATIC};

/// Reports whether only the file of a definition sees it.
pub(super) fn is_internal(source: &SourceFile<'_>, id: DefinitionId) -> bool {
    let definition = source.definition(id);
    definition.is_some_and(|definition| has_modifier(source, definition, STATIC))
}

/// Reports whether a definition has a modifier.
pub(super) fn has_modifier(
    source: &SourceFile<'_>,
    definition: &DefinitionFact,
    word: &str,
) -> bool {
    let mut modifiers = definition.decorators.iter();
    modifiers.any(|modifier| source.file.facts.name(modifier.path) == word)
}
