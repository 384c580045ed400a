//! Guessing from the text alone which words declare a name, in any language.

use std::ops::Range;

use memchr::{memchr2, memrchr2};

use crate::identifiers::is_word_char;
use ragnav_base::position::{floor_char_boundary, wire};

/// Keywords before the name in a declaration, in many languages.
const DECLARATION_KEYWORDS: [&str; 25] = [
    "abstract",
    "async",
    "class",
    "const",
    "def",
    "enum",
    "export",
    "fn",
    "func",
    "function",
    "get",
    "interface",
    "let",
    "mod",
    "namespace",
    "private",
    "protected",
    "public",
    "readonly",
    "set",
    "static",
    "struct",
    "trait",
    "type",
    "var",
];

/// The number of bytes before a word in which a keyword may be, and after it in which a `{` may end
/// the line.
const CONTEXT_BYTES: usize = 160;

/// Reports whether a word seems to be declared: it follows a keyword, or begins a line that ends
/// with `{`.
#[must_use]
pub(crate) fn is_declared(text: &str, word: &Range<usize>) -> bool {
    // A name follows a blank, and most words do not get further than this.
    let start = text.get(..word.start).unwrap_or_default();
    if !start.is_empty() && !start.ends_with(char::is_whitespace) {
        return false;
    }
    let near = floor_char_boundary(text, word.start.saturating_sub(CONTEXT_BYTES));
    let before = text.get(near..word.start).unwrap_or_default();
    let line_start = memrchr2(b'\n', b'\r', before.as_bytes()).map_or(0, |at| at + 1);
    let before = before.get(line_start..).unwrap_or_default();
    let before = before.trim_end();
    if before.is_empty() {
        let near = floor_char_boundary(text, word.end + CONTEXT_BYTES);
        let after = text.get(word.end..near).unwrap_or_default();
        let line_end = memchr2(b'\n', b'\r', after.as_bytes()).unwrap_or(after.len());
        let line = after.get(..line_end).unwrap_or_default();
        return line.trim_end().ends_with('{');
    }
    let declaring = before.rsplit(|letter| !is_word_char(letter)).next();
    declaring.is_some_and(|word| DECLARATION_KEYWORDS.contains(&word))
}

/// The exactness of a declared name that is nothing but a term.
pub const EXACT: u32 = 255;

/// Returns the share of a declared word that a part of it takes, from 1 to [`EXACT`]. Underscores
/// around the word do not count.
///
/// # Examples
///
/// ```
/// use ragnav_matching::declarations::exactness;
///
/// assert_eq!(exactness("price", "_price"), 255);
/// assert_eq!(exactness("price", "price_list"), 127);
/// ```
#[must_use]
pub fn exactness(part: &str, word: &str) -> u32 {
    let word = wire(word.trim_matches('_').len()).max(1);
    (EXACT * wire(part.len()) / word).clamp(1, EXACT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declares(text: &str) -> bool {
        let start = text.find("name").unwrap_or_default();
        is_declared(text, &(start..start + 4))
    }

    #[test]
    fn declarations_differ_from_references() {
        for text in [
            "def name():",
            "x\n    async def  name(",
            "export const name = 1",
            "class A {\n  name(a, b) {\n",
            "  name: function () {\r\n",
            "interface name",
        ] {
            assert!(declares(text), "{text:?}");
        }
        for text in [
            "name()",
            "x = name\n",
            "undef name",
            "return name {",
            "if x:\n    name(y)\n{",
        ] {
            assert!(!declares(text), "{text:?}");
        }
    }

    #[test]
    fn a_part_of_a_name_is_less_exact_than_the_name() {
        assert_eq!(exactness("init", "__init__"), EXACT);
        assert_eq!(exactness("user", "get_user"), EXACT / 2);
        assert_eq!(exactness("a", &"a".repeat(1000)), 1);
    }
}
