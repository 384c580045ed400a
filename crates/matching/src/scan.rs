//! The lines of a text that match.

use std::ops::Range;

use serde::Deserialize;

use crate::pattern::{Pattern, SearchMode};
use ragnav_base::item::LineMatch;
use ragnav_base::position::{LineIndex, utf16_len, wire};

/// What the pure function `iterMatches` may be told beside its needle.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct MatchOptions {
    /// How the needle is read. Default `literal`.
    pub mode: Option<SearchMode>,
    /// Whether case counts. Default `true`.
    pub case_sensitive: Option<bool>,
}

/// A line that matches: its number and the bytes of its first match, within the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineHit {
    /// The line.
    pub line: usize,
    /// The first match on it, as bytes of the line.
    pub matched: Range<usize>,
}

/// A text with its line starts and the lines that match.
#[derive(Debug)]
pub struct Hits<'t> {
    /// The text.
    pub text: &'t str,
    /// Where its lines begin.
    pub lines: LineIndex,
    /// The lines that match, in order.
    pub hits: Vec<LineHit>,
}

/// Finds the lines that match, each once; `None` where no line does.
///
/// No pattern matches a line break, so each search ends on the line it began on or on a later line
/// that matches: time is linear in the text.
#[must_use]
pub fn scan<'t>(text: &'t str, pattern: &Pattern) -> Option<Hits<'t>> {
    let mut found = pattern.find_at(text, 0)?;
    let lines = LineIndex::new(text);
    let mut hits = Vec::new();
    loop {
        let line = lines.line_at(found.start);
        hits.extend(line_hit(text, &lines, line, &found));
        let next_line = lines.full_range(line).end;
        // An empty match at the end of the text belongs to the line that was just looked at.
        let next = (next_line < text.len()).then(|| pattern.find_at(text, next_line));
        match next.flatten() {
            Some(next) => found = next,
            None => break,
        }
    }
    (!hits.is_empty()).then_some(Hits { text, lines, hits })
}

/// The lines of a text that match, with their columns.
#[must_use]
pub fn matches(text: &str, pattern: &Pattern) -> Vec<LineMatch> {
    let Some(found) = scan(text, pattern) else {
        return Vec::new();
    };
    found
        .hits
        .iter()
        .map(|hit| line_match(&found, hit))
        .collect()
}

/// A hit with its columns and text.
#[must_use]
pub fn line_match(hits: &Hits<'_>, hit: &LineHit) -> LineMatch {
    let text = hits.lines.line(hits.text, hit.line);
    let units = |end: usize| wire(text.get(..end).map_or(0, utf16_len));
    LineMatch {
        line: wire(hit.line),
        start_utf16: units(hit.matched.start),
        end_utf16: units(hit.matched.end),
        text: text.to_owned(),
    }
}

/// A match as its line has it; `None` for an empty match within or behind the line break, where nothing is.
fn line_hit(text: &str, lines: &LineIndex, line: usize, found: &Range<usize>) -> Option<LineHit> {
    let start = lines.full_range(line).start;
    let len = lines.line(text, line).len();
    let matched = found.start - start..(found.end - start).min(len);
    (line > 0 && matched.start <= len).then_some(LineHit { line, matched })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mode: SearchMode, query: &str, text: &str, expected: &[(usize, usize, usize)]) {
        let pattern = Pattern::new(query, mode, true);
        let found = pattern.ok().and_then(|pattern| {
            let hits = scan(text, &pattern)?;
            let rows = hits.hits.iter();
            Some(
                rows.map(|hit| (hit.line, hit.matched.start, hit.matched.end))
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
