//! What a search looks for: a literal or a regular expression.

use std::ops::Range;

use memchr::memmem;
use regex::{Regex, RegexBuilder};
use serde::Deserialize;

use crate::error::RagnavError;

/// How a query is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum SearchMode {
    /// As the text itself.
    #[default]
    Literal,
    /// As a regular expression in the syntax of the Rust `regex` crate, which takes linear time.
    Regex,
}

/// A compiled query.
#[derive(Debug, Clone)]
pub struct Pattern(Kind);

#[derive(Debug, Clone)]
enum Kind {
    Literal(Box<memmem::Finder<'static>>),
    Regex(Regex),
}

impl Pattern {
    /// Compiles a query. Without case, letters match by Unicode's simple case folding.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an empty query, one with a line break, and a bad or huge regular expression.
    pub fn new(query: &str, mode: SearchMode, case_sensitive: bool) -> Result<Self, RagnavError> {
        if query.is_empty() {
            return Err(RagnavError::invalid(
                "the query is empty; say what to look for",
            ));
        }
        if query.contains(['\n', '\r']) {
            let message = "the query holds a line break, and a match never spans lines; search for one line of it";
            return Err(RagnavError::invalid(message));
        }
        let kind = match (mode, case_sensitive) {
            (SearchMode::Literal, true) => {
                Kind::Literal(Box::new(memmem::Finder::new(query).into_owned()))
            }
            (SearchMode::Literal, false) => Kind::Regex(regex(&regex::escape(query), false)?),
            (SearchMode::Regex, case_sensitive) => Kind::Regex(regex(query, case_sensitive)?),
        };
        Ok(Self(kind))
    }

    /// The bytes of the first match that begins at or behind an offset.
    #[must_use]
    pub fn find_at(&self, text: &str, offset: usize) -> Option<Range<usize>> {
        if offset > text.len() {
            return None;
        }
        match &self.0 {
            Kind::Regex(regex) => regex.find_at(text, offset).map(|found| found.range()),
            Kind::Literal(finder) => {
                let start = offset + finder.find(text.as_bytes().get(offset..)?)?;
                Some(start..start + finder.needle().len())
            }
        }
    }
}

/// `^` and `$` are the ends of a line, and `.` is no line break.
fn regex(pattern: &str, case_sensitive: bool) -> Result<Regex, RagnavError> {
    RegexBuilder::new(pattern)
        .case_insensitive(!case_sensitive)
        .multi_line(true)
        .crlf(true)
        .build()
        .map_err(|error| {
            RagnavError::invalid(format!("the regular expression is not valid: {error}"))
        })
}
