//! Lengths of what the text of a language with a preprocessor of C consists of.

/// Returns the length of a directive, with the lines that a backslash or a comment joins.
pub(crate) fn directive_len(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        at += match rest {
            [b'\n', ..] => return at,
            [b'\\', b'\r', b'\n', ..] => 3,
            [b'\\', _, ..] => 2,
            [b'/', b'*', ..] => comment_len(rest),
            [b'"' | b'\'', ..] => literal_len(rest),
            [b'/', b'/', ..] => line_len(rest),
            _ => 1,
        };
    }
    text.len()
}

/// Returns the length of a line, with the lines that a backslash joins.
fn line_len(text: &[u8]) -> usize {
    let mut ends = memchr::memchr_iter(b'\n', text);
    let is_joined = |end: &usize| {
        let line = text.get(..*end).unwrap_or_default();
        line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\")
    };
    ends.find(|end| !is_joined(end)).unwrap_or(text.len())
}

/// Returns the length of a comment between `/*` and `*/`.
pub(crate) fn comment_len(text: &[u8]) -> usize {
    let inner = text.get(2..).unwrap_or_default();
    memchr::memmem::find(inner, b"*/").map_or(text.len(), |end| end + 4)
}

/// Returns the length of a literal, up to the end of its line at most.
pub(crate) fn literal_len(text: &[u8]) -> usize {
    let quote = text.first().copied().unwrap_or_default();
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => return at,
            b'\\' => at += 1,
            _ if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}
