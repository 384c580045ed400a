//! Long runs of comments.
//!
//! For the indentation of what follows, tree-sitter-python 0.25 looks over all comments in a row, and again at each of them: some thousands
//! take seconds, and a file of nothing else hours. To the grammar blank lines say the same, and are looked over once.

use std::ops::Range;

use super::tokens::{blanked, token_end};

/// As many comments in a row stay: more are hardly written, and these cost nothing yet.
const MAX_RUN: usize = 64;

/// A copy of the text with blanks for the comments of each long run; `None` where there is none.
pub(super) fn blank(text: &str) -> Option<String> {
    // Most texts have none, and need not be looked at byte by byte.
    has_long_run(text)
        .then(|| blanked(text, long_runs(text.as_bytes())))
        .flatten()
}

/// Whether so many lines in a row look like comments, be it in a string.
fn has_long_run(text: &str) -> bool {
    let mut run = 0;
    text.lines().any(|line| {
        match line.trim_ascii_start().as_bytes().first() {
            Some(b'#') => run += 1,
            Some(_) => run = 0,
            None => {}
        }
        run > MAX_RUN
    })
}

/// The comments of all long runs: between them are line breaks and blanks alone.
fn long_runs(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut run = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let end = token_end(bytes, at);
        match byte {
            b'#' => run.push(at..end),
            _ if byte.is_ascii_whitespace() => {}
            _ => take(&mut run, &mut found),
        }
        at = end;
    }
    take(&mut run, &mut found);
    found
}

fn take(run: &mut Vec<Range<usize>>, found: &mut Vec<Range<usize>>) {
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
        let around = |comment: &str| {
            let run = format!("    {comment}\n\n").repeat(MAX_RUN + 1);
            format!("f()\n{run}'''\n# a\n''' # b\n")
        };
        assert_eq!(blank(&around("# é")), Some(around("    ")));
    }

    #[test]
    fn fewer_comments_and_what_is_in_strings_stay() {
        let few = "# a\n".repeat(MAX_RUN);
        let in_string = format!("'''\n{}'''\n", "# a\n".repeat(MAX_RUN + 1));
        let broken = "# a\nf()\n".repeat(MAX_RUN + 1);
        for text in [&few, &in_string, &broken, ""] {
            assert_eq!(blank(text), None, "{text:?}");
        }
    }
}
