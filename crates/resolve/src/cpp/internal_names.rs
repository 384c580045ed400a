//! Names that only one file sees.

use crate::source_file::SourceFile;
use ragnav_syntax::facts::{DefinitionId, STATIC};

/// Reports whether only the file of a definition sees it.
pub(super) fn is_internal(source: &SourceFile<'_>, id: DefinitionId) -> bool {
    let definition = source.definition(id);
    definition.is_some_and(|definition| source.has_modifier(definition, STATIC))
}
