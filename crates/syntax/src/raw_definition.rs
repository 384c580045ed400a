//! Definitions as the extractors find them.

use ragnav_base::item::DefinitionKind;
use ragnav_base::position::LineIndex;

use crate::positions::Positions;
use crate::symbol::Symbol;

/// A definition as a language's file finds it, in bytes, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawDefinition {
    pub(crate) kind: DefinitionKind,
    pub(crate) name_path: String,
    /// Which of the definitions is directly around it.
    pub(crate) parent: Option<usize>,
    /// Where its first decorator begins, or the definition itself.
    pub(crate) decorated_start: usize,
    pub(crate) start: usize,
    /// Just past the last byte of its last statement.
    pub(crate) end: usize,
}

/// What is nested in more definitions is none: each name path holds those before it.
pub(crate) const MAX_NESTING: usize = 256;

/// The longest name path, in bytes. Each holds those of the definitions around it: without a bound they would come to far more than the text.
const MAX_NAME_PATH: usize = 1 << 10;

/// A definition is nested or named beyond what is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Beyond;

/// What leads to a definition.
pub(crate) fn name_path(
    around: Option<&RawDefinition>,
    qualifier: Option<&str>,
    name: &str,
) -> Result<String, Beyond> {
    let around = around.map(|around| around.name_path.as_str());
    let segments: Vec<&str> = around.into_iter().chain(qualifier).chain([name]).collect();
    let len: usize = segments.iter().map(|segment| segment.len() + 1).sum();
    let path = (len <= MAX_NAME_PATH).then(|| segments.join("."));
    path.ok_or(Beyond)
}

/// Numbers namesakes and turns bytes into lines.
pub(crate) fn symbols_of(definitions: Vec<RawDefinition>, text: &str) -> Vec<Symbol> {
    let lines = LineIndex::new(text);
    let mut positions = Positions::new(text);
    let mut seen = std::collections::HashMap::<String, usize>::new();
    definitions
        .into_iter()
        .map(|raw| {
            let count = seen.entry(raw.name_path.clone()).or_default();
            let ordinal = *count;
            *count += 1;
            Symbol {
                kind: raw.kind,
                name_path: raw.name_path,
                ordinal,
                decorated_start_line: lines.line_at(raw.decorated_start),
                start_line: lines.line_at(raw.start),
                start_utf16: positions.at(raw.start).start_utf16,
                end_line: lines.line_at(raw.end.saturating_sub(1).max(raw.start)),
            }
        })
        .collect()
}
