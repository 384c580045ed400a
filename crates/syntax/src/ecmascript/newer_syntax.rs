//! Repairs TypeScript that is newer than its grammar, tree-sitter-typescript 0.23: `export type *`
//! and the variance of type parameters, as in `interface A<in T, out U>`.
//!
//! Sources: the release notes of TypeScript 5.0 and 4.7.

use std::ops::Range;

use crate::replaced_text::blank;

/// The maximum length of a comment before a word, in bytes.
const MAX_COMMENT: usize = 2_000;

/// Blanks the words that the grammar does not know. Keeps every byte offset. Returns `None` if
/// there are none.
pub(super) fn repair(text: &str) -> Option<String> {
    let exports = text.match_indices("export");
    let exports = exports.filter_map(|(at, word)| type_of_star(text, at + word.len()));
    let variances = ["in", "out"].into_iter().flat_map(|word| {
        let places = text.match_indices(word).map(|(at, _)| at..at + word.len());
        places.filter(|place| is_variance(text, place))
    });
    let words: Vec<Range<usize>> = exports.chain(variances).collect();
    if words.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for word in words {
        blank(&mut bytes, word.start, word.end);
    }
    String::from_utf8(bytes).ok()
}

/// Returns the place of `type` in `export type *`, behind `export`.
fn type_of_star(text: &str, behind: usize) -> Option<Range<usize>> {
    let rest = text.get(behind..)?.trim_start();
    let star = rest.strip_prefix("type")?.trim_start();
    let start = text.len() - rest.len();
    (star.starts_with('*') && start > behind).then(|| start..start + "type".len())
}

/// Reports whether a word stands before the name of a type parameter: `in` of `<in T>`.
fn is_variance(text: &str, word: &Range<usize>) -> bool {
    let before = text.get(..word.start).unwrap_or_default();
    let after = text.get(word.end..).unwrap_or_default();
    let first = before.strip_suffix(char::is_whitespace).map(str::trim_end);
    // A parameter with both words is written `in out T`.
    let around = first.and_then(|first| first.strip_suffix("in"));
    let begins = |before: &str| without_comments(before).ends_with(['<', ',']);
    let is_first = begins(before) || around.is_some_and(begins);
    let name = after.trim_start();
    let is_name = |letter: char| letter.is_alphabetic() || letter == '_' || letter == '$';
    is_first
        && name.len() < after.len()
        && name.starts_with(is_name)
        && !name.starts_with("extends ")
}

/// Returns a text without spaces and block comments at its end.
fn without_comments(text: &str) -> &str {
    let mut kept = text.trim_end();
    while let Some(start) = start_of_comment(kept) {
        kept = kept.get(..start).unwrap_or_default().trim_end();
    }
    kept
}

/// Returns where the comment starts that ends a text.
fn start_of_comment(text: &str) -> Option<usize> {
    let inside = text.strip_suffix("*/")?.as_bytes();
    let from = inside.len().saturating_sub(MAX_COMMENT);
    Some(from + memchr::memmem::rfind(inside.get(from..)?, b"/*")?)
}

#[cfg(test)]
mod tests {
    use super::repair;

    #[test]
    fn words_are_blank_that_the_grammar_does_not_know() {
        for (text, repaired) in [
            ("export type * from 'a';", "export      * from 'a';"),
            (
                "export type  * as a from 'a';",
                "export       * as a from 'a';",
            ),
            (
                "interface A<in T, out U, in out V = W> {}",
                "interface A<   T,     U,        V = W> {}",
            ),
            ("type A<\n  out T,\n> = B;", "type A<\n      T,\n> = B;"),
            (
                "type A</** b */ /* c */ in T> = B;",
                "type A</** b */ /* c */    T> = B;",
            ),
        ] {
            assert_eq!(repair(text).as_deref(), Some(repaired));
        }
        for text in [
            "export type A = B;",
            "exporttype * from 'a';",
            "type A<out extends B, input> = C;",
            "for (const a in b) c(d, out, inner);",
        ] {
            assert_eq!(repair(text), None, "{text}");
        }
    }
}
