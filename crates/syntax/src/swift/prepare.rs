//! Replaces what the grammar of Swift does not know, or not everywhere: directives, `sending`, `$`
//! in names, and statements without effect.

use std::ops::Range;

use crate::directive_lines;
use crate::replaced_text::{ReplacedText, is_word_byte};

/// The keyword before the type of a value that leaves its isolation.
const SENDING: &[u8] = b"sending";

/// A statement without effect. The grammar does not know it in a line of its own, but a number.
const EMPTY: &[u8] = b"()";

/// Removes the lines of directives, since the grammar knows none between the cases of a `switch` or
/// the members of a call. Every branch counts. Makes `_` of `$` in names such as `_$a`, which
/// macros make.
///
/// Every offset stays. Returns `None` if nothing changes.
pub(super) fn prepare(text: &str) -> Option<String> {
    let mut replaced = ReplacedText::new(text);
    for line in directive_lines::lines(text) {
        replaced.fill(line, b' ');
    }
    for at in memchr::memmem::find_iter(text.as_bytes(), SENDING) {
        if is_keyword(text.as_bytes(), at) {
            replaced.fill(at..at + SENDING.len(), b' ');
        }
    }
    for at in memchr::memchr_iter(b'$', text.as_bytes()) {
        let before = text.as_bytes().get(..at).unwrap_or_default();
        if before.last().copied().is_some_and(is_word_byte) {
            replaced.fill(at..at + 1, b'_');
        }
    }
    for at in memchr::memmem::find_iter(text.as_bytes(), EMPTY) {
        if is_line(text, at..at + EMPTY.len()) {
            replaced.fill(at..at + EMPTY.len(), b'0');
        }
    }
    replaced.finish()
}

/// Reports whether a part is a line of its own.
fn is_line(text: &str, part: Range<usize>) -> bool {
    let before = text.as_bytes().get(..part.start).unwrap_or_default();
    let after = text.as_bytes().get(part.end..).unwrap_or_default();
    let is_text = |byte: &&u8| !matches!(byte, b' ' | b'\t' | b'\r');
    let around = [
        before.iter().rev().find(is_text),
        after.iter().find(is_text),
    ];
    around.into_iter().flatten().all(|byte| *byte == b'\n')
}

/// Reports whether `sending` stands between `->` or `:` and a type.
fn is_keyword(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_ascii_end();
    let after = text.get(at + SENDING.len()..).unwrap_or_default();
    let follows = before.ends_with(b"->") || before.ends_with(b":");
    let next = after.trim_ascii_start();
    let is_type = next
        .first()
        .is_some_and(|byte| is_word_byte(*byte) || *byte == b'(');
    follows && next.len() < after.len() && is_type
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by a panic")]
mod tests {
    use super::prepare;

    #[test]
    fn what_the_grammar_does_not_know_is_replaced() {
        for (text, prepared) in [
            (
                "switch a {\n#if B\ncase .b: c()\n  #else // d\n#endif\n}",
                "switch a {\n     \ncase .b: c()\n            \n      \n}",
            ),
            ("#error(\"a\")\nf()", "           \nf()"),
            (
                "func f(_ a: sending B) -> sending C",
                "func f(_ a:         B) ->         C",
            ),
            ("self._$a.f($0)", "self.__a.f($0)"),
            ("default:\n  ()\n}", "default:\n  00\n}"),
        ] {
            assert_eq!(prepare(text).unwrap(), prepared);
        }
        for text in [
            "let a = #selector(b)",
            "let sending = a",
            "f(a: sending)",
            "f { $0 }",
            "let a = ()\nf()\n",
        ] {
            assert_eq!(prepare(text), None, "{text}");
        }
    }
}
