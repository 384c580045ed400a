//! Names the files in tests such as `__has_include(<a.h>)`, which the grammars of C and C++ cannot
//! read. A syntax error in a condition would cost the branches that follow.
//!
//! Source: <https://en.cppreference.com/w/cpp/preprocessor/include>.

use std::ops::Range;

/// The ends of the names of such tests, with those of macros for them such as `FMT_HAS_INCLUDE`.
const TESTS: [&[u8]; 2] = [b"has_include(", b"HAS_INCLUDE("];

/// The maximum length of the path of a file, in bytes.
const MAX_PATH: usize = 1_000;

/// Replaces each file in such a test by a name of the same length. Returns `None` if there is no
/// test. A test on a continued line is left alone.
pub(super) fn name_tested_files(text: &str) -> Option<String> {
    let finds = |name: &&[u8]| memchr::memmem::find(text.as_bytes(), name).is_some();
    TESTS.iter().find(|name| finds(name))?;
    let mut named: Option<Vec<u8>> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let is_directive = line.trim_start().starts_with('#');
        let tests = TESTS.iter().filter(|_| is_directive);
        let places = tests.flat_map(|test| {
            memchr::memmem::find_iter(line.as_bytes(), test).map(|at| at + test.len())
        });
        for file in places.filter_map(|at| file_at(line, at)) {
            let bytes = named.get_or_insert_with(|| text.as_bytes().to_vec());
            let file = bytes.get_mut(start + file.start..start + file.end);
            let file = file.into_iter().flatten();
            for byte in file.filter(|byte| !byte.is_ascii_alphanumeric()) {
                *byte = b'_';
            }
        }
        start += line.len();
    }
    String::from_utf8(named?).ok()
}

/// Returns the range of `<a.h>` or `"a.h"` at a place of a line.
fn file_at(line: &str, place: usize) -> Option<Range<usize>> {
    let rest = line.as_bytes().get(place..)?;
    let end = match rest.first()? {
        b'<' => b'>',
        b'"' => b'"',
        _ => return None,
    };
    let inside = rest.iter().skip(1).take(MAX_PATH);
    let len = inside.copied().position(|byte| byte == end)?;
    Some(place..place + len + 2)
}

#[cfg(test)]
mod tests {
    use super::name_tested_files;

    #[test]
    fn files_become_names_of_the_same_length() {
        for (text, named) in [
            (
                "#if __has_include(<a/b.h>)\n",
                "#if __has_include(_a_b_h_)\n",
            ),
            (
                "# elif A && FMT_HAS_INCLUDE(\"é.h\") || B\n",
                "# elif A && FMT_HAS_INCLUDE(____h_) || B\n",
            ),
        ] {
            assert_eq!(name_tested_files(text).as_deref(), Some(named));
        }
        for text in [
            "__has_include(<a.h>)\n",
            "#if __has_include(A)\n",
            "#if __has_include(<a.h\n>)\n",
            "#if __has_include(",
        ] {
            assert_eq!(name_tested_files(text), None, "{text}");
        }
    }
}
