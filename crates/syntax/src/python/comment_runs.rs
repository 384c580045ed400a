//! Blanks out long runs of comments.
//!
//! To measure the indentation of the next statement, tree-sitter-python 0.25 scans all following
//! comments again at each one. Thousands take seconds, and a file of nothing else takes hours.
//! Blank lines have the same meaning and are scanned once.

use std::ops::Range;

use super::tokens::{blank_ranges, token_end};

/// The longest run that stays. People hardly write longer ones, and these are still cheap.
const MAX_RUN: usize = 64;

/// Blanks out the comments of each long run. Returns `None` if there is no such run.
pub(super) fn blank(text: &str) -> Option<String> {
    // Most texts have no long run, and this check is cheaper than the scan of every byte.
    has_long_run(text)
        .then(|| blank_ranges(text, long_runs(text.as_bytes())))
        .flatten()
}

/// Reports whether so many consecutive lines look like comments, perhaps inside a string.
fn has_long_run(text: &str) -> bool {
    let mut rest = text.as_bytes();
    let mut run = 0;
    while let Some(mark) = memchr::memchr(b'#', rest) {
        let (before, comment) = rest.split_at(mark);
        let line = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let (between, indent) = before.split_at(line);
        run = match (is_blank(between), is_blank(indent)) {
            (true, true) => run + 1,
            (false, true) => 1,
            (_, false) => 0,
        };
        if run > MAX_RUN {
            return true;
        }
        let line_end = memchr::memchr(b'\n', comment).unwrap_or(comment.len());
        rest = comment.get(line_end..).unwrap_or_default();
    }
    false
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}

/// Returns the ranges of the comments in long runs, between which only whitespace stands.
fn long_runs(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut run = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let end = token_end(bytes, at);
        match byte {
            b'#' => run.push(at..end),
            _ if byte.is_ascii_whitespace() => {}
            _ => flush_run(&mut run, &mut found),
        }
        at = end;
    }
    flush_run(&mut run, &mut found);
    found
}

fn flush_run(run: &mut Vec<Range<usize>>, found: &mut Vec<Range<usize>>) {
    if run.len() > MAX_RUN {
        found.append(run);
    }
    run.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_a_long_run_are_blanked() {
        let enclosing = |comment: &str| {
            let run = format!("    {comment}\n\n").repeat(MAX_RUN + 1);
            format!("f()\n{run}'''\n# a\n''' # b\n")
        };
        assert_eq!(blank(&enclosing("# é")), Some(enclosing("    ")));
    }

    #[test]
    fn short_runs_and_strings_stay() {
        let few = "# a\n".repeat(MAX_RUN);
        let in_string = format!("'''\n{}'''\n", "# a\n".repeat(MAX_RUN + 1));
        let broken = "# a\nf()\n".repeat(MAX_RUN + 1);
        for text in [&few, &in_string, &broken, ""] {
            assert_eq!(blank(text), None, "{text:?}");
        }
    }
}
