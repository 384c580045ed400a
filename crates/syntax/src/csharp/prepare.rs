//! Replaces syntax of C# that the grammar does not know. Every offset stays.

use std::ops::Range;

use memchr::memmem;

use crate::c_text::{comment_len, literal_len};
use crate::replaced_text::{ReplacedText, is_word_byte};

/// The number of bytes in the head of a type, or in the target of an assignment.
const MAX_HEAD: usize = 1_000;

/// The modifiers of a type. `record` is longer than `class`, so it takes the place of one, too.
const MODIFIERS: [&[u8]; 13] = [
    b"abstract",
    b"file",
    b"internal",
    b"new",
    b"partial",
    b"private",
    b"protected",
    b"public",
    b"readonly",
    b"ref",
    b"sealed",
    b"static",
    b"unsafe",
];

/// The keyword of the only type that the grammar knows without a body.
const RECORD: &[u8] = b"record";

const EXTENSION: &[u8] = b"extension";

/// Makes a record of `class A;`, and `a .b = c;` of `a?.b = c;`. Removes the head and the braces of
/// `extension(A a) { … }`, so that its members are those of the class around. Returns `None` if
/// nothing changes.
pub(super) fn prepare(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut replaced = ReplacedText::new(text);
    for at in memmem::find_iter(bytes, b"?.") {
        if is_assigned(bytes, at) {
            replaced.fill(at..at + 1, b' ');
        }
    }
    for keyword in [&b"class"[..], b"struct", b"interface"] {
        for at in memmem::find_iter(bytes, keyword) {
            let Some(head) = bodyless_head(bytes, at..at + keyword.len()) else {
                continue;
            };
            replaced.fill(head.clone(), b' ');
            replaced.put(head.start, RECORD);
        }
    }
    for (head, close) in extensions(bytes) {
        replaced.fill(head, b' ');
        replaced.fill(close..close + 1, b' ');
    }
    replaced.finish()
}

/// Reports whether the member behind `?.` is the target of an assignment.
fn is_assigned(bytes: &[u8], at: usize) -> bool {
    let near = bytes.get(at + 1..).unwrap_or_default();
    let mut depth = 0_usize;
    let mut is_target = |byte: &u8| match byte {
        b'[' | b'(' => {
            depth += 1;
            true
        }
        b']' | b')' if depth > 0 => {
            depth -= 1;
            true
        }
        b'?' | b'.' | b'!' => true,
        _ => depth > 0 || is_word_byte(*byte),
    };
    let len = near
        .iter()
        .take(MAX_HEAD)
        .take_while(|byte| is_target(byte));
    let rest = near
        .get(len.count()..)
        .unwrap_or_default()
        .trim_ascii_start();
    match rest {
        [b'=', after, ..] => !matches!(after, b'=' | b'>'),
        [
            b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^',
            b'=',
            ..,
        ]
        | [b'?', b'?', b'=', ..] => true,
        _ => false,
    }
}

/// Returns the modifiers and the keyword of a type that has no body.
fn bodyless_head(bytes: &[u8], keyword: Range<usize>) -> Option<Range<usize>> {
    let before = bytes.get(..keyword.start)?;
    let after = bytes.get(keyword.end..)?;
    let name = after.trim_ascii_start();
    let word = name.split(|byte| !is_word_byte(*byte)).next()?;
    let is_named = name.len() < after.len() && !word.is_empty() && word != b"where";
    let is_whole = before
        .last()
        .is_none_or(|byte| !is_word_byte(*byte) && *byte != b'@');
    let mut body = name.iter().take(MAX_HEAD);
    let end = body.find(|byte| matches!(byte, b';' | b'{' | b'}' | b'='))?;
    // The grammar knows `record struct A;`.
    if !is_named || !is_whole || *end != b';' || last_word(before) == RECORD {
        return None;
    }
    let mut start = keyword.start;
    while keyword.end - start < RECORD.len() {
        start = modifier_start(bytes, start)?;
    }
    Some(start..keyword.end)
}

/// Returns the start of the modifier before an offset.
fn modifier_start(bytes: &[u8], end: usize) -> Option<usize> {
    let before = bytes.get(..end)?.trim_ascii_end();
    let word = last_word(before);
    MODIFIERS
        .contains(&word)
        .then_some(before.len() - word.len())
}

/// Returns the word at the end of a text, before blanks.
fn last_word(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_end();
    let letters = text.iter().rev();
    let len = letters.take_while(|byte| is_word_byte(**byte)).count();
    text.get(text.len() - len..).unwrap_or_default()
}

/// Returns the heads of blocks of extension members, each with the offset of the brace that closes
/// it. There are none in one another.
fn extensions(bytes: &[u8]) -> Vec<(Range<usize>, usize)> {
    let mut found = Vec::new();
    let mut end = 0;
    for at in memmem::find_iter(bytes, EXTENSION) {
        let Some(open) = extension_brace(bytes, at).filter(|_| at >= end) else {
            continue;
        };
        let Some(close) = closing_brace(bytes, open) else {
            break;
        };
        found.push((at..open + 1, close));
        end = close;
    }
    found
}

/// Returns the brace that opens a block of extension members.
fn extension_brace(bytes: &[u8], at: usize) -> Option<usize> {
    let before = bytes.get(..at)?.trim_ascii_end();
    let follows = matches!(before.last(), Some(b'{' | b'}' | b';'));
    let start = at + EXTENSION.len();
    let rest = bytes.get(start..)?;
    if !follows || !matches!(rest.trim_ascii_start().first(), Some(b'(' | b'<')) {
        return None;
    }
    let mut head = rest.iter().take(MAX_HEAD);
    let open = start + head.position(|byte| matches!(byte, b'{' | b';' | b'}'))?;
    (bytes.get(open) == Some(&b'{')).then_some(open)
}

fn closing_brace(bytes: &[u8], open: usize) -> Option<usize> {
    let (mut at, mut depth) = (open, 0_usize);
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        at += match rest {
            [b'/', b'/', ..] => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            [b'/', b'*', ..] => comment_len(rest),
            [b'"' | b'\'', ..] => literal_len(rest),
            [b'{', ..] => {
                depth += 1;
                1
            }
            [b'}', ..] if depth == 1 => return Some(at),
            [b'}', ..] => {
                depth -= 1;
                1
            }
            _ => 1,
        };
    }
    None
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by a panic")]
mod tests {
    use super::prepare;

    #[test]
    fn unknown_syntax_becomes_known_syntax() {
        for (text, prepared) in [
            ("a?.b = c;", "a .b = c;"),
            ("a?.b[d]?.c += e;", "a .b[d] .c += e;"),
            ("public class A;", "record       A;"),
            (
                "[B]\npublic partial class A(int b) : C(b);",
                "[B]\npublic record        A(int b) : C(b);",
            ),
            ("struct A(int b);", "record A(int b);"),
            ("interface A : B;", "record    A : B;"),
            (
                "class A {\n  extension<T>(B<T> b) { C d() { } }\n}",
                "class A {\n                         C d() { }  \n}",
            ),
        ] {
            assert_eq!(prepare(text).unwrap(), prepared);
        }
        for text in [
            "var a = b?.c == d;",
            "f(a?.b, c => d);",
            "public class A { }",
            "public record struct A(int b);",
            "readonly record class A(int b);",
            "void f<T>() where T : class;",
            "void f<T, U>() where T : class where U : B;",
            "class A;",
            "var extension = f(a);",
            "f(extension(a)); { }",
        ] {
            assert_eq!(prepare(text), None, "{text}");
        }
    }
}
