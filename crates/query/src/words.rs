//! Where a name is a whole word of a text, and whether it is a string there.

use ragnav_matching::pattern::Pattern;

/// The largest number of lines of a macro before a word.
const MAX_CONTINUED_LINES: usize = 1_000;

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

/// Reports whether the word at a byte offset is a symbol of Ruby: `:total`, and not `A::total`.
pub(super) fn is_symbol(text: &str, start: usize) -> bool {
    let before = text
        .get(..start)
        .and_then(|before| before.strip_suffix(':'));
    before.is_some_and(|before| {
        !before.ends_with(|letter: char| letter == ':' || letter.is_alphanumeric())
    })
}

/// Reports whether the word at a byte offset is in the parameters or the body of a macro of C or
/// C++. Its lines may be continued with backslashes.
pub(super) fn is_in_macro(text: &str, start: usize) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let mut lines = before.rsplit('\n');
    let mut directive = lines.next().unwrap_or_default();
    for line in lines.take(MAX_CONTINUED_LINES) {
        if !line.trim_end().ends_with('\\') {
            break;
        }
        directive = line;
    }
    let define = directive
        .trim_start()
        .strip_prefix('#')
        .map(str::trim_start);
    let name = define.and_then(|define| define.strip_prefix("define"));
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let behind = |name: &str| name.trim_start().contains(|letter: char| !is_name(letter));
    name.is_some_and(|name| name.starts_with([' ', '\t']) && behind(name))
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
