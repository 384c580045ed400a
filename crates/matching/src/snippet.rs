//! Snippets: the lines around a match.

use ragnav_base::error::RagnavError;
use ragnav_base::item::{Snippet, SnippetLocation};
use ragnav_base::position::{LineIndex, utf16_len, wire};

/// The number of lines that a snippet shows on each side of the match.
const CONTEXT: usize = 2;

/// The longest line that is shown in full, in UTF-16 units.
const MAX_LINE_UTF16: usize = 500;

/// The mark where a line is truncated.
const CUT: &str = "…";

/// Returns the lines from two before to two after a line, truncated around the byte `at`.
///
/// `line` is 1-based and must exist; the caller has found it in this text.
///
/// # Examples
///
/// ```
/// use ragnav_base::position::LineIndex;
/// use ragnav_matching::snippet::snippet_around;
///
/// let text = "a\nb\nc\nd\ne\nf";
/// let snippet = snippet_around(text, &LineIndex::new(text), "a.txt", 4, 0);
/// assert_eq!(snippet.text, "b\nc\nd\ne\nf");
/// assert_eq!(snippet.location.start_line, 2);
/// ```
#[must_use]
pub fn snippet_around(
    text: &str,
    lines: &LineIndex,
    path: &str,
    line: usize,
    at: usize,
) -> Snippet {
    let first = line.saturating_sub(CONTEXT).max(1);
    let last = (line + CONTEXT).min(lines.count());
    let shown: Vec<String> = (first..=last)
        .map(|number| {
            truncate_line(
                lines.line(text, number),
                if number == line { at } else { 0 },
            )
        })
        .collect();
    Snippet {
        text: shown.join("\n"),
        location: SnippetLocation {
            path: path.to_owned(),
            start_line: wire(first),
            end_line: wire(last),
        },
    }
}

/// Returns the snippet around a line that the caller names, 1-based.
///
/// # Errors
/// `INVALID_ARGUMENT` for a line that does not exist.
///
/// # Examples
///
/// ```
/// let snippet = ragnav_matching::snippet::snippet_of_line("a\nb\nc\nd", "a.txt", 1).unwrap();
/// assert_eq!(snippet.text, "a\nb\nc");
/// ```
pub fn snippet_of_line(text: &str, path: &str, line: usize) -> Result<Snippet, RagnavError> {
    let lines = LineIndex::new(text);
    if line < 1 || line > lines.count() {
        let message = format!("there is no line {line}: the text has {}", lines.count());
        return Err(RagnavError::invalid(message));
    }
    Ok(snippet_around(text, &lines, path, line, 0))
}

/// Truncates a line to `MAX_LINE_UTF16` units around the byte `at`; a fifth of them precede it.
fn truncate_line(line: &str, at: usize) -> String {
    if line.len() <= MAX_LINE_UTF16 || utf16_len(line) <= MAX_LINE_UTF16 {
        return line.to_owned();
    }
    let before = line.get(..at).unwrap_or_default();
    let start = before.len() - suffix_len(before, MAX_LINE_UTF16 / 5);
    let rest = line.get(start..).unwrap_or_default();
    let kept = rest
        .get(..prefix_len(rest, MAX_LINE_UTF16))
        .unwrap_or_default();
    let head = if start == 0 { "" } else { CUT };
    let tail = if kept.len() == rest.len() { "" } else { CUT };
    format!("{head}{kept}{tail}")
}

/// Returns the bytes of the longest prefix that fits into `units` UTF-16 units.
fn prefix_len(text: &str, units: usize) -> usize {
    bytes_within(text.chars(), units)
}

/// Returns the bytes of the longest suffix that fits into `units` UTF-16 units.
fn suffix_len(text: &str, units: usize) -> usize {
    bytes_within(text.chars().rev(), units)
}

fn bytes_within(letters: impl Iterator<Item = char>, units: usize) -> usize {
    letters
        .scan(0, |used, letter| {
            *used += letter.len_utf16();
            (*used <= units).then(|| letter.len_utf8())
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, line: usize, expected: (&str, u32, u32)) {
        let snippet = snippet_around(text, &LineIndex::new(text), "a.py", line, 0);
        let SnippetLocation {
            path,
            start_line,
            end_line,
        } = snippet.location;
        assert_eq!((snippet.text.as_str(), start_line, end_line), expected);
        assert_eq!(path, "a.py");
    }

    #[test]
    fn two_lines_on_each_side() {
        let text = "1\n2\n3\n4\n5\n6\n7\n";
        check(text, 1, ("1\n2\n3", 1, 3));
        check(text, 4, ("2\n3\n4\n5\n6", 2, 6));
        check(text, 7, ("5\n6\n7", 5, 7));
        check("only", 1, ("only", 1, 1));
    }

    #[test]
    fn long_lines_are_cut_around_the_hit() {
        let line = format!("{}needle{}", "é".repeat(2000), "x".repeat(2000));
        let shown = snippet_around(&line, &LineIndex::new(&line), "a", 1, 4000).text;
        assert!(shown.starts_with("…é") && shown.ends_with("x…") && shown.contains("needle"));
        assert_eq!(utf16_len(&shown), MAX_LINE_UTF16 + 2);
    }

    #[test]
    fn lines_at_the_bound_are_whole() {
        let line = "é".repeat(MAX_LINE_UTF16);
        check(&line, 1, (&line, 1, 1));
    }
}
