//! Brackets that are opened and never closed, as a file has them while it is typed.
//!
//! To a grammar everything behind such a bracket is inside it: the definitions that follow are lost.
//! But `def` and `class` are keywords, so a line that begins with one inside brackets proves that
//! the brackets before it were left open.

/// A copy of the text with a blank for each bracket that was left open before a definition, so that
/// no offset moves; `None` where there is none.
pub(super) fn close(text: &str) -> Option<String> {
    let open = left_open(text.as_bytes());
    if open.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for at in open {
        if let Some(byte) = bytes.get_mut(at) {
            *byte = b' ';
        }
    }
    String::from_utf8(bytes).ok()
}

/// Where the brackets stand that are open at the start of a definition's line.
fn left_open(bytes: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'(' | b'[' | b'{' => open.push(at),
            b')' | b']' | b'}' => drop(open.pop()),
            b'#' => at = line_end(bytes, at) - 1,
            b'"' | b'\'' => at = string_end(bytes, at) - 1,
            b'\n' | b'\r' if begins_definition(bytes.get(at + 1..).unwrap_or_default()) => {
                found.append(&mut open);
            }
            _ => {}
        }
        at += 1;
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

fn line_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    memchr::memchr2(b'\n', b'\r', rest).map_or(bytes.len(), |length| from + length)
}

/// Just past a string's closing quote; past its line where a plain string is not closed on it.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let quote = bytes.get(start).copied().unwrap_or_default();
    let triple = [quote; 3];
    let is_triple = bytes.get(start..start + 3) == Some(&triple);
    let mut at = start + if is_triple { 3 } else { 1 };
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' | b'\r' if !is_triple => return at,
            _ if byte != quote => {}
            _ if !is_triple => return at + 1,
            _ if bytes.get(at..at + 3) == Some(&triple) => return at + 3,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(close(text).as_deref(), expected, "{text:?}");
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
    fn what_is_closed_or_no_code_stays() {
        for text in [
            "def f(a,\n      b): pass\ndef g(): pass\n",
            "f(\n)\ndef g(): pass\n",
            "'('\n# (\n\"\"\"(\n(\"\"\"\ndef g(): pass\n",
            "x = ('''\ndef g(): pass\n''')\n",
            "f(\n  definition, class_\n)\n",
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
