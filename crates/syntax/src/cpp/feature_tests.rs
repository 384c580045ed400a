//! Makes names of the arguments of feature tests in conditions: `__has_include(<a.h>)`,
//! `__has_cpp_attribute(gnu::pure)` and macros for them.
//!
//! The grammars of C and C++ cannot read them, and a syntax error in a condition would cost the
//! branches that follow.
//!
//! Source: <https://en.cppreference.com/w/cpp/feature_test>.

use std::ops::Range;

use crate::c_text::directive_len;

/// The ends of the names of tests for a file, with those of macros such as `FMT_HAS_INCLUDE`.
const FILE_TESTS: [&[u8]; 2] = [b"has_include(", b"HAS_INCLUDE("];

/// The maximum length of the path of a file or of a string, in bytes.
const MAX_ARGUMENT: usize = 1_000;

/// Puts `_` in the place of each byte of these arguments that cannot be in a name. Returns `None`
/// if there are none.
pub(super) fn name_tested_features(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut named: Option<Vec<u8>> = None;
    let mut read = 0;
    for hash in memchr::memchr_iter(b'#', bytes) {
        let before = bytes.get(read..hash).unwrap_or_default();
        let blanks = before.iter().rev();
        let last = blanks.copied().find(|byte| !matches!(byte, b' ' | b'\t'));
        if hash < read || !matches!(last, None | Some(b'\n')) {
            continue;
        }
        let directive = bytes.get(hash..).unwrap_or_default();
        let directive = directive
            .get(..directive_len(directive))
            .unwrap_or_default();
        read = hash + directive.len();
        if !is_condition(directive) {
            continue;
        }
        for range in arguments(directive) {
            let named = named.get_or_insert_with(|| bytes.to_vec());
            let argument = named.get_mut(hash + range.start..hash + range.end);
            let argument = argument.into_iter().flatten();
            for byte in argument.filter(|byte| !byte.is_ascii_alphanumeric()) {
                *byte = b'_';
            }
        }
    }
    String::from_utf8(named?).ok()
}

fn is_condition(directive: &[u8]) -> bool {
    let name = directive.get(1..).unwrap_or_default().trim_ascii_start();
    name.starts_with(b"if") || name.starts_with(b"elif")
}

/// Returns where a condition has arguments that are no names: strings, files and `::`.
fn arguments(condition: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = condition.get(at..).filter(|rest| !rest.is_empty()) {
        let before = condition.get(..at).unwrap_or_default().trim_ascii_end();
        let is_file = || FILE_TESTS.iter().any(|test| before.ends_with(test));
        let end = match rest {
            [b'"', ..] => b'"',
            [b'<', ..] if is_file() => b'>',
            [b':', b':', ..] => b':',
            _ => {
                at += 1;
                continue;
            }
        };
        let inside = rest.iter().skip(1).take(MAX_ARGUMENT);
        let mut inside = inside.take_while(|byte| **byte != b'\n');
        let len = inside
            .position(|byte| *byte == end)
            .map_or(0, |len| len + 2);
        found.extend((len > 0).then_some(at..at + len));
        at += len.max(1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::name_tested_features;

    #[test]
    fn arguments_become_names_of_the_same_length() {
        for (text, named) in [
            (
                "#if __has_include(<a/b.h>)\n",
                "#if __has_include(_a_b_h_)\n",
            ),
            (
                "# elif A && FMT_HAS_INCLUDE(\"é.h\") || B\n",
                "# elif A && FMT_HAS_INCLUDE(____h_) || B\n",
            ),
            (
                "#if A && \\\n  __has_cpp_attribute(gnu::pure)\n",
                "#if A && \\\n  __has_cpp_attribute(gnu__pure)\n",
            ),
            (
                "\t#if HAS_WARNING(\"-Wold\") && A < B\n",
                "\t#if HAS_WARNING(__Wold_) && A < B\n",
            ),
        ] {
            assert_eq!(name_tested_features(text).as_deref(), Some(named));
        }
        for text in [
            "__has_include(<a.h>)\n",
            "#if __has_include(A)\n",
            "#if __has_include(<a.h\n>)\n",
            "#if __has_include(",
            "#define A B::C\n",
            "a; #if \"b\"\n",
        ] {
            assert_eq!(name_tested_features(text), None, "{text}");
        }
    }
}
