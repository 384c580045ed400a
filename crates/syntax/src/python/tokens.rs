//! Scans strings and comments for code that rewrites a text before it is parsed.

use std::ops::Range;

/// Returns the end of the comment, string, escape sequence or other byte at an offset.
pub(crate) fn token_end(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b'#') => line_end(bytes, at),
        Some(b'"' | b'\'') => string_end(bytes, at),
        Some(b'\\') => (at + 2).min(bytes.len()),
        _ => at + 1,
    }
}

/// Replaces ranges by blanks, which keeps every byte offset. Returns `None` for no ranges.
pub(super) fn blank_ranges(text: &str, places: Vec<Range<usize>>) -> Option<String> {
    if places.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for place in places {
        if let Some(blank) = bytes.get_mut(place) {
            blank.fill(b' ');
        }
    }
    String::from_utf8(bytes).ok()
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    memchr::memchr2(b'\n', b'\r', rest).map_or(bytes.len(), |length| from + length)
}

/// Returns the end of a string, or of its line if an ordinary string is not closed on it.
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
