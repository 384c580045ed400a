//! Finds the names that stand for a property and something else, as `total` in `{ total }`.

use crate::facts::Position;
use crate::file_code::FileCode;
use crate::language::Language;
use crate::layout::advance;
use crate::parse::{ParsedText, Reuse};
use crate::position_cursor::PositionCursor;

/// What the grammars of JavaScript and TypeScript call such a name in an object.
const PROPERTY: &str = "shorthand_property_identifier";

/// What they call such a name in a pattern.
const KEY: &str = "shorthand_property_identifier_pattern";

/// The positions of the names of JavaScript and TypeScript that stand for two things, in source
/// order.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{find_language, shorthand_names};
///
/// let javascript = find_language("javascript").unwrap();
/// let found = shorthand_names(javascript, "const { total } = f({ price });\n");
/// assert_eq!((found.keys[0].start_utf16, found.properties[0].start_utf16), (8, 22));
/// ```
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ShorthandNames {
    /// A property and its value: `a` of `{ a }` as an object. A rename of the value must keep the
    /// name of the property.
    pub properties: Vec<Position>,
    /// A property and the variable that gets its value: `a` of `{ a }` as a pattern. A rename of
    /// the property must keep the name of the variable.
    pub keys: Vec<Position>,
}

/// Returns the names in objects and patterns that stand for two things.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{find_language, shorthand_names};
///
/// let javascript = find_language("javascript").unwrap();
/// let found = shorthand_names(javascript, "f({ total, price: 1 })\n");
/// assert_eq!((found.properties.len(), found.properties[0].start_utf16), (1, 4));
/// ```
#[must_use]
pub fn shorthand_names(language: &Language, text: &str) -> ShorthandNames {
    let mut found = ShorthandNames::default();
    if !text.contains('{') {
        return found;
    }
    let Some(ParsedText { tree, .. }) =
        FileCode::find(language, text).and_then(|mut code| code.parse(Reuse::Nothing))
    else {
        return found;
    };
    let mut positions = PositionCursor::new(text);
    let mut cursor = tree.walk();
    loop {
        let names = match cursor.node().kind() {
            PROPERTY => Some(&mut found.properties),
            KEY => Some(&mut found.keys),
            _ => None,
        };
        if let Some(names) = names {
            names.push(positions.position_at(cursor.node().start_byte()));
        }
        if !advance(&mut cursor) {
            return found;
        }
    }
}
