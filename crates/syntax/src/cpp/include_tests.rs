//! Names the files in tests such as `__has_include(<a.h>)`, which the grammars of C and C++ cannot
//! read. A syntax error in a condition would cost the branches that follow.
//!
//! Source: <https://en.cppreference.com/w/cpp/preprocessor/include>.

/// The ends of the names of such tests, with those of macros for them such as `FMT_HAS_INCLUDE`.
const TESTS: [&[u8]; 2] = [b"has_include(", b"HAS_INCLUDE("];

/// Replaces each file in such a test by a name of the same length. Returns `None` if there is no
/// test.
pub(super) fn name_tested_files(text: &str) -> Option<String> {
    let places = TESTS.iter().flat_map(|test| {
        memchr::memmem::find_iter(text.as_bytes(), test).map(|start| start + test.len())
    });
    let tested: Vec<(usize, usize)> = places
        .filter(|&place| is_in_directive(text, place))
        .filter_map(|place| file_at(text, place))
        .collect();
    if tested.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for (start, end) in tested {
        let file = bytes.get_mut(start..end).into_iter().flatten();
        for byte in file.filter(|byte| !byte.is_ascii_alphanumeric()) {
            *byte = b'_';
        }
    }
    String::from_utf8(bytes).ok()
}

/// Reports whether the line of a place begins with `#`. A test on a continued line is left alone.
fn is_in_directive(text: &str, place: usize) -> bool {
    let before = text.get(..place).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.trim_start().starts_with('#')
}

/// Returns the range of `<a.h>` or `"a.h"` at a place.
fn file_at(text: &str, place: usize) -> Option<(usize, usize)> {
    let rest = text.get(place..)?;
    let end = match rest.as_bytes().first()? {
        b'<' => b'>',
        b'"' => b'"',
        _ => return None,
    };
    let inside = rest.get(1..)?.bytes();
    let len = inside
        .take_while(|byte| *byte != b'\n')
        .position(|byte| byte == end)?;
    Some((place, place + len + 2))
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
