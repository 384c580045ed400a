//! Lengths of what the text of a language with a preprocessor of C consists of.

/// Returns the length of a directive, with the lines that a backslash joins.
pub(crate) fn directive_len(text: &[u8]) -> usize {
    let mut ends = memchr::memchr_iter(b'\n', text);
    let is_joined = |end: &usize| {
        let line = text.get(..*end).unwrap_or_default();
        line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\")
    };
    ends.find(|end| !is_joined(end)).unwrap_or(text.len())
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
