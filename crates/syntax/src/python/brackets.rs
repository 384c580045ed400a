//! Blanks out brackets that mislead the grammar.
//!
//! Unclosed ones would swallow all code after them. But `def` and `class` are keywords, so a line
//! that begins with one proves that the open brackets before it are unclosed. In closed ones, a
//! line with less indentation than its block ends the block in tree-sitter-python 0.25, unless a
//! bracket could close at the line break. After `(a +` none can, after `(a` one can.

use std::ops::Range;

use super::tokens::{blank_ranges, token_end};

/// Blanks out brackets that are open before a definition, and line breaks and comments inside
/// closed brackets.
///
/// Keeps every byte offset. Returns `None` if nothing misleads the grammar.
pub(super) fn repair(text: &str) -> Option<String> {
    blank_ranges(text, misleading_ranges(text.as_bytes()))
}

/// Returns the ranges that mislead the grammar.
fn misleading_ranges(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    let mut inside = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let end = token_end(bytes, at);
        match byte {
            b'(' | b'[' | b'{' => open.push(at..end),
            b')' | b']' | b'}' => {
                open.pop();
                if open.is_empty() {
                    found.append(&mut inside);
                }
            }
            b'\n' | b'\r' if begins_definition(bytes.get(end..).unwrap_or_default()) => {
                found.append(&mut open);
                inside.clear();
            }
            b'\n' | b'\r' | b'#' | b'\\' if !open.is_empty() => inside.push(at..end),
            _ => {}
        }
        at = end;
    }
    found
}

fn begins_definition(line: &[u8]) -> bool {
    let words = line.trim_ascii_start();
    let words = words
        .strip_prefix(b"async ")
        .unwrap_or(words)
        .trim_ascii_start();
    let name = words
        .strip_prefix(b"def ")
        .or_else(|| words.strip_prefix(b"class "));
    let first = name.map(<[u8]>::trim_ascii_start).and_then(<[u8]>::first);
    first
        .is_some_and(|letter| letter.is_ascii_alphabetic() || *letter == b'_' || !letter.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(repair(text).as_deref(), expected, "{text:?}");
    }

    #[test]
    fn brackets_open_before_a_definition_are_blanked() {
        check("f(1,\ndef g(): pass\n", Some("f 1,\ndef g(): pass\n"));
        check(
            "x = [{\n  'a': (1\nclass A:\n",
            Some("x =   \n  'a':  1\nclass A:\n"),
        );
        check(
            "f(\n    async def g(): pass\n",
            Some("f \n    async def g(): pass\n"),
        );
        check("f(\rdef g(): pass\r", Some("f \rdef g(): pass\r"));
    }

    #[test]
    fn lines_inside_closed_brackets_become_one() {
        check("f(a +\nb)\n", Some("f(a + b)\n"));
        check(
            "f( # one\r\n  a, \\\n  [b,\n c])\n",
            Some("f(          a,     [b,  c])\n"),
        );
        check(
            "f(\n  definition, class_\n)\n",
            Some("f(   definition, class_ )\n"),
        );
        check(
            "def f(a,\n      b): pass\n",
            Some("def f(a,       b): pass\n"),
        );
    }

    #[test]
    fn strings_and_unclosed_brackets_stay() {
        for text in [
            "f()\ndef g(): pass\n",
            "'('\n# (\n\"\"\"(\n(\"\"\"\ndef g(): pass\n",
            "x = ('''\ndef g(): pass\n''')\n",
            "'\\'('\ndef g(): pass\n",
            "f(",
            "'",
            "'''",
            "\\",
            "",
        ] {
            check(text, None);
        }
    }
}
