//! Repairs code that is newer than its grammars, tree-sitter-typescript 0.23 and
//! tree-sitter-javascript 0.25: `export type *`, the variance of type parameters, as in
//! `interface A<in T, out U>`, `accessor a`, `import defer *`, and `using` as a name or in a loop.
//!
//! Sources: the release notes of TypeScript 5.0, 4.7 and 5.2, and the proposals of TC39.

use std::ops::Range;

use crate::replaced_text::{ReplacedText, is_word_byte};

/// The maximum length of a comment before a word, in bytes.
const MAX_COMMENT: usize = 2_000;

/// A keyword in the place of `using`, and a name.
const DECLARATION: &[u8] = b"const";
const NAME: &[u8] = b"Using";

/// Blanks the words that the grammars do not know, and replaces `using`. Keeps every byte offset.
/// Returns `None` if there are none.
pub(super) fn repair(text: &str) -> Option<String> {
    let mut repaired = ReplacedText::new(text);
    for (before, word) in [("export", "type"), ("import", "defer")] {
        let stars = text.match_indices(before);
        let stars = stars.filter_map(|(at, _)| before_star(text, at + before.len(), word));
        stars.for_each(|word| repaired.fill(word, b' '));
    }
    for word in ["in", "out"] {
        let variances = places(text, word).filter(|place| is_variance(text, place));
        variances.for_each(|word| repaired.fill(word, b' '));
    }
    let accessors = places(text, "accessor").filter(|place| precedes_name(text, place));
    accessors.for_each(|word| repaired.fill(word, b' '));
    for word in places(text, "using") {
        if let Some(other) = other_using(text, &word) {
            repaired.put(word.start, other);
        }
    }
    repaired.finish()
}

/// Returns the places of a word.
fn places(text: &str, word: &'static str) -> impl Iterator<Item = Range<usize>> {
    let is_part = |at: Option<usize>| {
        let byte = at.and_then(|at| text.as_bytes().get(at));
        byte.is_some_and(|byte| is_word_byte(*byte) || *byte == b'$')
    };
    let found = text.match_indices(word).map(|(at, _)| at..at + word.len());
    found.filter(move |place| !is_part(place.start.checked_sub(1)) && !is_part(Some(place.end)))
}

/// Returns the place of a word before a star, behind another one: that of `type` in
/// `export type *`.
fn before_star(text: &str, behind: usize, word: &str) -> Option<Range<usize>> {
    let rest = text.get(behind..)?.trim_start();
    let star = rest.strip_prefix(word)?.trim_start();
    let start = text.len() - rest.len();
    (star.starts_with('*') && start > behind).then(|| start..start + word.len())
}

/// Reports whether a word is followed by a name in the same line.
fn precedes_name(text: &str, word: &Range<usize>) -> bool {
    let after = text.get(word.end..).unwrap_or_default();
    let name = after.trim_start_matches([' ', '\t']);
    let is_name = |letter: char| letter.is_alphabetic() || matches!(letter, '_' | '$' | '#');
    name.len() < after.len() && name.starts_with(is_name)
}

/// Returns what the grammars read in the place of `using`: a keyword in the head of a loop, and a
/// name where none is declared.
fn other_using(text: &str, word: &Range<usize>) -> Option<&'static [u8]> {
    let before = text.get(..word.start)?.trim_end();
    if !precedes_name(text, word) {
        return (!before.ends_with('.')).then_some(NAME);
    }
    before.ends_with('(').then_some(DECLARATION)
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
            (
                "import defer * as a from 'a';",
                "import       * as a from 'a';",
            ),
            (
                "class A { accessor b; static accessor #c; accessor() {} }",
                "class A {          b; static          #c; accessor() {} }",
            ),
            (
                "f(using, { using }, (using: A) => a.using);",
                "f(Using, { Using }, (Using: A) => a.using);",
            ),
            ("for (using a of b) c();", "for (const a of b) c();"),
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
            "import defer from 'a';",
            "await using a = b();",
        ] {
            assert_eq!(repair(text), None, "{text}");
        }
    }
}
