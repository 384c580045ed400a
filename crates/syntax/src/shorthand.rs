//! Finds the names that stand for both a property and its value, as `total` in `{ total }`.

use crate::facts::Position;
use crate::file_code::FileCode;
use crate::language::Language;
use crate::layout::advance;
use crate::parse::{ParsedText, Reuse};
use crate::position_cursor::PositionCursor;

/// What the grammars of JavaScript and TypeScript call such a name in an object.
const SHORTHAND: &str = "shorthand_property_identifier";

/// Returns the positions of the names in objects of JavaScript and TypeScript that are both a
/// property and its value, in source order. A rename of the value must keep the name of the
/// property.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{find_language, shorthand_properties};
///
/// let javascript = find_language("javascript").unwrap();
/// let found = shorthand_properties(javascript, "f({ total, price: 1 })\n");
/// assert_eq!((found.len(), found[0].start_utf16), (1, 4));
/// ```
#[must_use]
pub fn shorthand_properties(language: &Language, text: &str) -> Vec<Position> {
    if !text.contains('{') {
        return Vec::new();
    }
    let Some(ParsedText { tree, .. }) =
        FileCode::find(language, text).and_then(|mut code| code.parse(Reuse::Nothing))
    else {
        return Vec::new();
    };
    let mut positions = PositionCursor::new(text);
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        if cursor.node().kind() == SHORTHAND {
            found.push(positions.position_at(cursor.node().start_byte()));
        }
        if !advance(&mut cursor) {
            return found;
        }
    }
}
