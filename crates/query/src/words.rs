//! Where a name is a whole word of a text, and whether it is a string there.

use ragnav_matching::pattern::Pattern;

/// Returns the byte ranges where the name is a whole word.
pub(super) fn words(text: &str, pattern: &Pattern) -> Vec<(usize, usize)> {
    let is_part = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_' || letter == '$')
    };
    let mut words = Vec::new();
    let mut from = 0;
    while let Some(found) = pattern.find_at(text, from) {
        let before = text.get(..found.start).unwrap_or_default();
        let after = text.get(found.end..).unwrap_or_default();
        if !is_part(before.chars().next_back()) && !is_part(after.chars().next()) {
            words.push((found.start, found.end));
        }
        from = found.end.max(from + 1);
    }
    words
}

/// Reports whether the word at a byte range is a string, or the part of a dotted path in a string.
pub(super) fn is_string(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let after = text.get(end..).unwrap_or_default();
    let is_path = |letter: &char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | ':');
    let opening = before.chars().rev().find(|letter| !is_path(letter));
    let closing = after.chars().find(|letter| !is_path(letter));
    matches!(opening, Some('"' | '\'')) && opening == closing
}
