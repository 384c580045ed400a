//! Search patterns: a literal or a regular expression.

use std::ops::Range;

use memchr::memmem;
use regex_automata::Input;
use regex_automata::meta::Regex;
use serde::{Deserialize, Serialize};

use crate::line_regex::compile_line_regex;
use ragnav_base::error::RagnavError;

/// The size of a large compiled expression, in bytes.
const LARGE_REGEX: usize = 4 << 20;
/// The length of a long line, in bytes.
const LONG_LINE: usize = 4 << 10;

/// The interpretation of a search text.
///
/// # Examples
///
/// ```
/// use ragnav_matching::pattern::{Pattern, SearchMode};
///
/// let finds = |mode| {
///     let pattern = Pattern::new("a.c", mode, true).unwrap();
///     pattern.find_at("abc", 0).is_some()
/// };
/// assert!(!finds(SearchMode::Literal));
/// assert!(finds(SearchMode::Regex));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum SearchMode {
    /// The text itself.
    #[default]
    Literal,
    /// A regular expression in the syntax of the Rust `regex` crate. No match spans lines, so time
    /// is linear in the text times the length of its lines, as in ripgrep.
    Regex,
    /// The subwords of its identifiers, in any spelling and case. The most relevant rows come
    /// first, definitions before references.
    Ranked,
}

/// A compiled search pattern.
///
/// # Examples
///
/// ```
/// use ragnav_matching::pattern::{Pattern, SearchMode};
///
/// let pattern = Pattern::new(r"def \w+_of", SearchMode::Regex, true).unwrap();
/// assert_eq!(pattern.find_at("def price_of(article):", 0), Some(0..12));
/// ```
#[derive(Debug, Clone)]
pub struct Pattern {
    kind: Kind,
    literal: Option<Literal>,
}

#[derive(Debug, Clone)]
struct Literal {
    text: String,
    case_sensitive: bool,
}

#[derive(Debug, Clone)]
enum Kind {
    Literal(Box<memmem::Finder<'static>>),
    Regex(Regex),
}

impl Pattern {
    /// Compiles a pattern. Without case, characters match by Unicode's simple case folding.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an empty query, one with a line break, a malformed or huge regular
    /// expression, and the mode `ranked`, which matches no lines.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::pattern::{Pattern, SearchMode};
    ///
    /// let ignoring_case = Pattern::new("TOTAL", SearchMode::Literal, false).unwrap();
    /// assert_eq!(ignoring_case.find_at("def total(self):", 0), Some(4..9));
    /// assert!(Pattern::new("a\nb", SearchMode::Literal, true).is_err());
    /// assert!(Pattern::new("(", SearchMode::Regex, true).is_err());
    /// ```
    pub fn new(query: &str, mode: SearchMode, case_sensitive: bool) -> Result<Self, RagnavError> {
        if query.is_empty() {
            return Err(RagnavError::invalid(
                "the query is empty; say what to look for",
            ));
        }
        if query.contains(['\n', '\r']) {
            let message = "the query holds a line break, and a match never spans lines; search for \
                           one line of it";
            return Err(RagnavError::invalid(message));
        }
        let kind = match (mode, case_sensitive) {
            (SearchMode::Literal, true) => {
                Kind::Literal(Box::new(memmem::Finder::new(query).into_owned()))
            }
            (SearchMode::Literal, false) => {
                Kind::Regex(compile_line_regex(&regex_syntax::escape(query), false)?)
            }
            (SearchMode::Regex, case_sensitive) => {
                Kind::Regex(compile_line_regex(query, case_sensitive)?)
            }
            (SearchMode::Ranked, _) => {
                let message =
                    "the mode `ranked` is one of search; look for lines with `literal` or `regex`";
                return Err(RagnavError::invalid(message));
            }
        };
        let literal = (mode == SearchMode::Literal).then(|| Literal {
            text: query.to_owned(),
            case_sensitive,
        });
        Ok(Self { kind, literal })
    }

    /// Returns the text that every match contains and whether its case matters, or `None` for a
    /// regular expression.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::pattern::{Pattern, SearchMode};
    ///
    /// let literal = Pattern::new("a.c", SearchMode::Literal, false).unwrap();
    /// assert_eq!(literal.literal(), Some(("a.c", false)));
    /// let regex = Pattern::new("a.c", SearchMode::Regex, true).unwrap();
    /// assert_eq!(regex.literal(), None);
    /// ```
    #[must_use]
    pub fn literal(&self) -> Option<(&str, bool)> {
        let literal = self.literal.as_ref()?;
        Some((&literal.text, literal.case_sensitive))
    }

    /// Reports whether a search of this text could take too long. That is so for an expression of
    /// more than 4 MiB and a line of more than 4 KiB: each byte of the line may cost time in
    /// proportion to the expression.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::pattern::{Pattern, SearchMode};
    ///
    /// let pattern = Pattern::new("[a-z]+", SearchMode::Regex, true).unwrap();
    /// assert!(!pattern.is_too_large_for(&"a".repeat(10_000)));
    /// ```
    #[must_use]
    pub fn is_too_large_for(&self, text: &str) -> bool {
        let Kind::Regex(regex) = &self.kind else {
            return false;
        };
        let has_long_line = || text.split('\n').any(|line| line.len() > LONG_LINE);
        regex.memory_usage() > LARGE_REGEX && has_long_line()
    }

    /// Returns the byte range of the first match at or after an offset.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::pattern::{Pattern, SearchMode};
    ///
    /// let pattern = Pattern::new("ab", SearchMode::Literal, true).unwrap();
    /// assert_eq!(pattern.find_at("ab ab", 0), Some(0..2));
    /// assert_eq!(pattern.find_at("ab ab", 1), Some(3..5));
    /// ```
    #[must_use]
    pub fn find_at(&self, text: &str, offset: usize) -> Option<Range<usize>> {
        if offset > text.len() {
            return None;
        }
        match &self.kind {
            Kind::Regex(regex) => {
                let input = Input::new(text).range(offset..);
                regex.find(input).map(|found| found.range())
            }
            Kind::Literal(finder) => {
                let start = offset + finder.find(text.as_bytes().get(offset..)?)?;
                Some(start..start + finder.needle().len())
            }
        }
    }
}
