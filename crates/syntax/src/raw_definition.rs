//! Definitions as the languages extract them, before lines and ordinals are known.

use ragnav_base::item::DefinitionKind;
use ragnav_base::position::{floor_char_boundary, wire};

use crate::facts::Position;
use crate::position_cursor::PositionCursor;
use crate::symbol::Symbol;

/// A definition with byte offsets. An enclosing definition precedes those inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawDefinition {
    pub(crate) kind: DefinitionKind,
    pub(crate) name_path: String,
    /// The index of the directly enclosing definition.
    pub(crate) parent: Option<usize>,
    /// The start of the first decorator, or of the definition itself.
    pub(crate) decorated_start: usize,
    pub(crate) start: usize,
    /// The offset just past the last statement.
    pub(crate) end: usize,
}

/// Definitions nested deeper than this are ignored: each name path repeats those of its parents.
pub(crate) const MAX_NESTING: usize = 256;

/// The longest name path, in bytes. Each repeats the paths of its parents, so without a limit all
/// paths together could be quadratic in the size of the text.
const MAX_NAME_PATH: usize = 1 << 10;

/// The error for a definition that exceeds [`MAX_NESTING`] or [`MAX_NAME_PATH`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LimitExceeded;

/// Joins the name path of the enclosing definition, the qualifier and the name.
pub(crate) fn name_path(
    enclosing: Option<&RawDefinition>,
    qualifier: Option<&str>,
    name: &str,
) -> Result<String, LimitExceeded> {
    let enclosing = enclosing.map(|enclosing| enclosing.name_path.as_str());
    let segments: Vec<&str> = enclosing
        .into_iter()
        .chain(qualifier)
        .chain([name])
        .collect();
    let len: usize = segments.iter().map(|segment| segment.len() + 1).sum();
    let path = (len <= MAX_NAME_PATH).then(|| segments.join("."));
    path.ok_or(LimitExceeded)
}

/// Converts byte offsets to lines and numbers the definitions that share a name path.
pub(crate) fn into_symbols(definitions: Vec<RawDefinition>, text: &str) -> Vec<Symbol> {
    let mut positions = PositionCursor::new(text);
    let ends = end_positions(&definitions, text, &mut positions);
    let mut counts = ragnav_base::hash::HashMap::<String, usize>::default();
    definitions
        .into_iter()
        .zip(ends)
        .map(|(raw, end)| {
            let count = counts.entry(raw.name_path.clone()).or_default();
            let ordinal = *count;
            *count += 1;
            Symbol {
                kind: raw.kind,
                name_path: raw.name_path,
                ordinal,
                decorated_start_line: positions.line_at(raw.decorated_start),
                start_line: positions.line_at(raw.start),
                start_utf16: positions.position_at(raw.start).start_utf16,
                end_line: end.line as usize,
                end_utf16: end.start_utf16,
            }
        })
        .collect()
}

/// Returns the last line of each definition and the column just past it on that line.
///
/// They are found in the order of the text: definitions that end on one long line would otherwise
/// take the cursor back and forth.
fn end_positions(
    definitions: &[RawDefinition],
    text: &str,
    positions: &mut PositionCursor<'_>,
) -> Vec<Position> {
    let mut lasts: Vec<(usize, usize)> = definitions.iter().map(last_byte).enumerate().collect();
    lasts.sort_unstable_by_key(|(_, last)| *last);
    let mut ends: Vec<(usize, Position)> = lasts
        .into_iter()
        .map(|(index, last)| (index, position_past(positions, text, last)))
        .collect();
    ends.sort_unstable_by_key(|(index, _)| *index);
    ends.into_iter().map(|(_, end)| end).collect()
}

fn last_byte(definition: &RawDefinition) -> usize {
    definition.end.saturating_sub(1).max(definition.start)
}

/// Returns the line of the character with this byte, and the column just past it.
fn position_past(cursor: &mut PositionCursor<'_>, text: &str, byte: usize) -> Position {
    let start = floor_char_boundary(text, byte);
    let rest = text.get(start..).unwrap_or_default();
    let width = rest.chars().next().map_or(0, char::len_utf16);
    let Position { line, start_utf16 } = cursor.position_at(start);
    Position {
        line,
        start_utf16: start_utf16 + wire(width),
    }
}
