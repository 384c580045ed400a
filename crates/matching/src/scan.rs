//! Finding the lines of a text that match a pattern.

use std::ops::Range;

use serde::Deserialize;

use crate::pattern::{Pattern, SearchMode};
use ragnav_base::item::LineMatch;
use ragnav_base::position::{LineIndex, utf16_len, wire};

/// The options of the pure function `iterMatches`.
///
/// # Examples
///
/// ```
/// use ragnav_matching::pattern::SearchMode;
/// use ragnav_matching::scan::MatchOptions;
///
/// let options: MatchOptions = serde_json::from_str(r#"{"mode": "regex"}"#).unwrap();
/// assert_eq!((options.mode, options.case_sensitive), (Some(SearchMode::Regex), None));
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct MatchOptions {
    /// The interpretation of the needle. Default `literal`.
    pub mode: Option<SearchMode>,
    /// Whether case matters. Default `true`.
    pub case_sensitive: Option<bool>,
}

/// A line with a match.
///
/// # Examples
///
/// ```
/// use ragnav_matching::pattern::{Pattern, SearchMode};
/// use ragnav_matching::scan::{MatchedLine, scan};
///
/// let pattern = Pattern::new("total", SearchMode::Literal, true).unwrap();
/// let found = scan("cart\n  total, total\n", &pattern).unwrap();
/// assert_eq!(found.matched, [MatchedLine { line: 2, matched: 2..7 }]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchedLine {
    /// The number of the line, 1-based.
    pub line: usize,
    /// The byte range of the first match, relative to the line.
    pub matched: Range<usize>,
}

/// A text and its lines with a match.
///
/// # Examples
///
/// ```
/// use ragnav_matching::pattern::{Pattern, SearchMode};
/// use ragnav_matching::scan::scan;
///
/// let pattern = Pattern::new("total", SearchMode::Literal, true).unwrap();
/// let found = scan("cart\ntotal = 0\n", &pattern).unwrap();
/// let line = found.matched[0].line;
/// assert_eq!(found.lines.line(found.text, line), "total = 0");
/// ```
#[derive(Debug)]
pub struct MatchedLines<'t> {
    /// The text.
    pub text: &'t str,
    /// The line starts of the text.
    pub lines: LineIndex,
    /// The lines with a match, in order.
    pub matched: Vec<MatchedLine>,
}

/// Finds the lines with a match, each once; returns `None` if there is none.
///
/// No pattern matches a line break, so each search ends on a new line with a match. Time is
/// therefore linear in the text.
///
/// # Examples
///
/// ```
/// use ragnav_matching::pattern::{Pattern, SearchMode};
/// use ragnav_matching::scan::scan;
///
/// let pattern = Pattern::new("b", SearchMode::Literal, true).unwrap();
/// let found = scan("a\nb b\nb\n", &pattern).unwrap();
/// assert_eq!(found.matched.iter().map(|line| line.line).collect::<Vec<_>>(), [2, 3]);
/// assert!(scan("a\n", &pattern).is_none());
/// ```
#[must_use]
pub fn scan<'t>(text: &'t str, pattern: &Pattern) -> Option<MatchedLines<'t>> {
    let mut found = pattern.find_at(text, 0)?;
    let lines = LineIndex::new(text);
    let mut matched = Vec::new();
    loop {
        let line = lines.line_at(found.start);
        matched.extend(matched_line(text, &lines, line, &found));
        let next_line = lines.full_range(line).end;
        // An empty match at the end of the text belongs to the line that was just added.
        let next = (next_line < text.len()).then(|| pattern.find_at(text, next_line));
        match next.flatten() {
            Some(next) => found = next,
            None => break,
        }
    }
    (!matched.is_empty()).then_some(MatchedLines {
        text,
        lines,
        matched,
    })
}

/// Returns the lines of a text with a match, with their columns.
///
/// # Examples
///
/// ```
/// use ragnav_matching::pattern::{Pattern, SearchMode};
/// use ragnav_matching::scan::find_matches;
///
/// let pattern = Pattern::new("price", SearchMode::Literal, true).unwrap();
/// let found = find_matches("# 😀 price\n", &pattern);
/// // Columns are UTF-16 units, and the emoji has two.
/// assert_eq!((found[0].start_utf16, found[0].end_utf16), (5, 10));
/// ```
#[must_use]
pub fn find_matches(text: &str, pattern: &Pattern) -> Vec<LineMatch> {
    let Some(found) = scan(text, pattern) else {
        return Vec::new();
    };
    found
        .matched
        .iter()
        .map(|line| to_line_match(&found, line))
        .collect()
}

/// Converts a line with a match to UTF-16 columns and its text.
///
/// # Examples
///
/// ```
/// use ragnav_matching::pattern::{Pattern, SearchMode};
/// use ragnav_matching::scan::{scan, to_line_match};
///
/// let pattern = Pattern::new("total", SearchMode::Literal, true).unwrap();
/// let found = scan("é = total\n", &pattern).unwrap();
/// let line = to_line_match(&found, &found.matched[0]);
/// assert_eq!((line.text.as_str(), line.start_utf16), ("é = total", 4));
/// ```
#[must_use]
pub fn to_line_match(matched: &MatchedLines<'_>, line: &MatchedLine) -> LineMatch {
    let text = matched.lines.line(matched.text, line.line);
    let units = |end: usize| wire(text.get(..end).map_or(0, utf16_len));
    LineMatch {
        line: wire(line.line),
        start_utf16: units(line.matched.start),
        end_utf16: units(line.matched.end),
        text: text.to_owned(),
    }
}

/// Makes a match relative to its line. Returns `None` for an empty match within or behind the line
/// break, where no text is.
fn matched_line(
    text: &str,
    lines: &LineIndex,
    line: usize,
    found: &Range<usize>,
) -> Option<MatchedLine> {
    let start = lines.full_range(line).start;
    let len = lines.line(text, line).len();
    let matched = found.start - start..(found.end - start).min(len);
    (line > 0 && matched.start <= len).then_some(MatchedLine { line, matched })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mode: SearchMode, query: &str, text: &str, expected: &[(usize, usize, usize)]) {
        let pattern = Pattern::new(query, mode, true);
        let found = pattern.ok().and_then(|pattern| {
            let matched = scan(text, &pattern)?;
            let rows = matched.matched.iter();
            Some(
                rows.map(|line| (line.line, line.matched.start, line.matched.end))
                    .collect::<Vec<_>>(),
            )
        });
        assert_eq!(found.unwrap_or_default(), expected, "{query:?} in {text:?}");
    }

    #[test]
    fn a_line_counts_once() {
        check(
            SearchMode::Literal,
            "ab",
            "ab ab\nx\nxab",
            &[(1, 0, 2), (3, 1, 3)],
        );
        check(SearchMode::Literal, "zz", "ab", &[]);
    }

    #[test]
    fn every_line_break_ends_a_line() {
        check(
            SearchMode::Literal,
            "a",
            "a\ra\r\na\n",
            &[(1, 0, 1), (2, 0, 1), (3, 0, 1)],
        );
    }

    #[test]
    fn anchors_are_a_lines() {
        check(
            SearchMode::Regex,
            "^b$",
            "a\nb\r\nb\n",
            &[(2, 0, 1), (3, 0, 1)],
        );
        check(
            SearchMode::Regex,
            r"\s+$",
            "a \nb\nc \n",
            &[(1, 1, 2), (3, 1, 2)],
        );
    }

    #[test]
    fn the_ends_of_a_text_are_those_of_a_line() {
        check(
            SearchMode::Regex,
            r"b\z",
            "ab\r\nb\nc",
            &[(1, 1, 2), (2, 0, 1)],
        );
        check(
            SearchMode::Regex,
            r"\Ab|(?-m)^c$",
            "ab\nb\nc\n",
            &[(2, 0, 1), (3, 0, 1)],
        );
        check(
            SearchMode::Regex,
            r"(?-R)a$",
            "a\r\na",
            &[(1, 0, 1), (2, 0, 1)],
        );
        check(
            SearchMode::Regex,
            r"a\r?$",
            "a\r\na",
            &[(1, 0, 1), (2, 0, 1)],
        );
        check(
            SearchMode::Regex,
            r"a(\r?\n|$)",
            "a\nba",
            &[(1, 0, 1), (2, 1, 2)],
        );
    }

    #[test]
    fn no_match_spans_lines() {
        check(SearchMode::Regex, r"a\s*b", "a\nb ab", &[(2, 2, 4)]);
        check(SearchMode::Regex, r"a[^x]+", "ab\nc\nax", &[(1, 0, 2)]);
        for breaks in [r"a\nb", r"[\n]", r"\r", r"[\r\n]+"] {
            assert!(
                Pattern::new(breaks, SearchMode::Regex, true).is_err(),
                "{breaks}"
            );
        }
    }

    #[test]
    fn empty_matches_are_lines() {
        check(
            SearchMode::Regex,
            "x*",
            "a\n\nb\n",
            &[(1, 0, 0), (2, 0, 0), (3, 0, 0)],
        );
        check(SearchMode::Regex, "^$", "a\n\nb\n", &[(2, 0, 0)]);
        check(SearchMode::Regex, "x*", "", &[]);
    }
}
