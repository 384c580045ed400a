//! What a ranked query looks for: terms, and where a text mentions them.
//!
//! A text is not taken apart into its terms. One automaton finds whatever spells a term of the query, in any case, and the
//! letters around a hit decide whether it is a mention (see [`identifiers`](super::identifiers)).

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::identifiers::{self, Folded};
use super::query::Query;
pub use super::query::{MAX_QUERY_BYTES, MAX_TERMS};
use ragnav_base::error::RagnavError;

/// The size of patterns, in bytes, up to which the automaton is a table: four times as fast, and a kibibyte a byte of pattern.
const MAX_TABLE_BYTES: usize = 1 << 10;

/// One thing that is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// What it is, without case. Of an identifier its parts together: `getusername`.
    pub text: String,
    /// Whether a text that lacks it lacks something of the query: not so for an identifier as a whole, whose parts are terms too.
    pub is_essential: bool,
}

/// A mention of a term in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// Which of the terms.
    pub term: usize,
    /// Its bytes.
    pub at: Range<usize>,
}

/// Where a hit must begin and end to be a mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edges {
    /// Where parts of an identifier do: `queryset` is mentioned in `QuerySet` too.
    Part,
    /// Where an identifier does, underscores around it left out.
    Identifier,
    /// Anywhere, but that no letter of a word continues one of its own.
    Literal,
}

/// The terms of a query.
///
/// Each part of each word is a term. A word of several parts is one as well, however its parts are joined; so are the words of a
/// short query together, and so is what is not only words but has no blank in it (`auth.login`, `C++`), as it is written. Of a lone letter with signs (`C++` again) the letter is no
/// term of its own. Signs that stand for themselves are terms where the query has nothing else.
#[derive(Debug)]
pub struct Terms {
    all: Vec<Term>,
    /// Of which term each pattern of the automaton is, and when a hit is a mention.
    patterns: Vec<(usize, Edges)>,
    automaton: AhoCorasick,
    /// The term that is all of the query, unless that is one part.
    whole: Option<usize>,
    is_ascii: bool,
    is_cut: bool,
}

impl Terms {
    /// The terms of a query; any text that is not blank has some.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a blank query.
    pub fn new(query: &str) -> Result<Self, RagnavError> {
        let Query {
            terms,
            spellings,
            patterns,
            whole,
            is_cut,
        } = Query::read(query);
        if terms.is_empty() {
            let message = "the query is blank; say what to look for";
            return Err(RagnavError::invalid(message));
        }
        let size: usize = spellings.iter().map(String::len).sum();
        let kind = if size <= MAX_TABLE_BYTES {
            AhoCorasickKind::DFA
        } else {
            AhoCorasickKind::ContiguousNFA
        };
        let automaton = AhoCorasick::builder()
            .kind(Some(kind))
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(true)
            .build(&spellings)
            .map_err(|error| RagnavError::invalid(format!("the query is too large: {error}")))?;
        Ok(Self {
            all: terms,
            patterns,
            automaton,
            whole,
            is_ascii: spellings.iter().all(|spelling| spelling.is_ascii()),
            is_cut,
        })
    }

    /// The terms, in the order of the query.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.all
    }

    /// The term that all of the query is, as an identifier or as it is written; `None` where there is no such term, or where
    /// it is a part.
    #[must_use]
    pub fn whole(&self) -> Option<usize> {
        self.whole
    }

    /// Whether the query has more than is looked for.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Visits the mentions in a text, by where they end. Mentions of different terms may overlap.
    pub fn visit(&self, text: &str, mut each: impl FnMut(Mention)) {
        let folded = if self.is_ascii {
            Folded::as_is(text)
        } else {
            Folded::new(text)
        };
        let hits = self.automaton.find_overlapping_iter(folded.text.as_ref());
        for hit in hits {
            let at = folded.origin(hit.start())..folded.origin(hit.end());
            if let Some((term, edges)) = self.patterns.get(hit.pattern().as_usize())
                && edges.hold(text, &at)
            {
                each(Mention { term: *term, at });
            }
        }
    }

    /// The mentions in a text, by where they end.
    #[must_use]
    pub fn mentions(&self, text: &str) -> Vec<Mention> {
        let mut mentions = Vec::new();
        self.visit(text, |mention| mentions.push(mention));
        mentions
    }

    /// How often a text mentions each term.
    #[must_use]
    pub fn counts(&self, text: &str) -> Vec<u32> {
        let mut counts = vec![0; self.all.len()];
        self.visit(text, |mention| count(&mut counts, mention.term));
        counts
    }
}

/// Counts one more mention of a term.
pub fn count(counts: &mut [u32], term: usize) {
    if let Some(count) = counts.get_mut(term) {
        *count = count.saturating_add(1);
    }
}

impl Edges {
    fn hold(self, text: &str, at: &Range<usize>) -> bool {
        if self == Self::Part {
            return identifiers::divides(text, at.start) && identifiers::divides(text, at.end);
        }
        let (Some(before), Some(hit), Some(after)) = (
            text.get(..at.start),
            text.get(at.clone()),
            text.get(at.end..),
        ) else {
            return false;
        };
        if self == Self::Identifier {
            let (before, after) = (before.trim_end_matches('_'), after.trim_start_matches('_'));
            return !before.ends_with(char::is_alphanumeric)
                && !after.starts_with(char::is_alphanumeric);
        }
        let is_word = identifiers::is_word_letter;
        !(before.ends_with(is_word) && hit.starts_with(is_word)
            || after.starts_with(is_word) && hit.ends_with(is_word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(query: &str) -> Terms {
        Terms::new(query).unwrap_or_else(|error| unreachable_query(query, &error))
    }

    #[expect(clippy::panic, reason = "a test fails loudly")]
    fn unreachable_query(query: &str, error: &RagnavError) -> Terms {
        panic!("{query:?}: {error}")
    }

    fn texts(query: &str) -> Vec<String> {
        let terms = terms(query);
        terms.all.into_iter().map(|term| term.text).collect()
    }

    /// The mentions of a query in a text, as they stand there.
    fn found<'t>(query: &str, text: &'t str) -> Vec<&'t str> {
        let mentions = terms(query).mentions(text);
        let spelled = |found: Mention| text.get(found.at).unwrap_or_default();
        mentions.into_iter().map(spelled).collect()
    }

    #[test]
    fn queries_are_parts_and_wholes() {
        for (query, expected) in [
            ("getUserName", &["get", "user", "name", "getusername"][..]),
            ("get_user", &["get", "user", "getuser"]),
            ("get-user", &["get", "user", "getuser"]),
            ("get user", &["get", "user", "getuser"]),
            ("a b c d e f g", &["a", "b", "c", "d", "e", "f", "g"]),
            ("user User", &["user", "useruser"]),
            ("auth.login", &["auth", "login", "auth.login"]),
            ("a.getUser", &["a", "get", "user", "getuser", "a.getuser"]),
            ("C++", &["c++"]),
            ("C++11", &["c", "11", "c++11"]),
            ("\"quoted", &["quoted"]),
            ("f(x)", &["f", "x", "f(x"]),
            ("__init__", &["init", "__init__"]),
            ("why?", &["why"]),
            ("-> =>", &["->", "=>"]),
            ("-> to", &["to"]),
            ("😀", &["😀"]),
            ("ÄRGER", &["ärger"]),
            ("x", &["x"]),
        ] {
            assert_eq!(texts(query), expected, "{query}");
        }
        assert!(Terms::new("").is_err() && Terms::new(" \t\n").is_err());
    }

    #[test]
    fn parts_are_found_in_any_spelling() {
        let text = "user Username getUser USER_ID users 'user' userName superuser";
        assert_eq!(
            found("user", text),
            ["user", "User", "USER", "user", "user"]
        );
        assert_eq!(found("é", "É e é1 né"), ["É", "é"]);
        assert_eq!(found("straße", "STRAẞE"), ["STRAẞE"]);
    }

    #[test]
    fn wholes_are_found_in_any_spelling() {
        let wholes = |query, text| {
            let mut found = found(query, text);
            found.retain(|hit| hit.len() > 5);
            found
        };
        let text = "getUser get_user _GET_USER_ get-user getuser getUserName myGetUser";
        assert_eq!(
            wholes("get_user", text),
            ["getUser", "get_user", "GET_USER", "get-user", "getuser"]
        );
        assert_eq!(
            wholes("auth.login", "Auth.login(auth.logins)"),
            ["Auth.login"]
        );
        assert_eq!(found("C++", "C, C++ and ObjC++, c++"), ["C++", "c++"]);
    }

    #[test]
    fn long_queries_are_cut() {
        let many: Vec<String> = (0..100).map(|at| format!("{}", at + 1000)).collect();
        let many = terms(&many.join(" "));
        assert!(many.is_cut() && many.terms().len() == MAX_TERMS);
        let long = "é".repeat(MAX_QUERY_BYTES);
        assert!(terms(&long).is_cut());
        assert!(!terms(&"x".repeat(10_000)).is_cut());
    }
}
