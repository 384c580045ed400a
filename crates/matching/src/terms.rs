//! The terms of a ranked query, and their occurrences in a text.
//!
//! Texts are not tokenised. One Aho-Corasick automaton finds every spelling of a term in any case,
//! and the characters around a match decide whether it is an occurrence.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::bm25::IdfTable;
use super::identifiers::{self, FoldedText};
use super::query::MAX_SCORED_TERMS;
use super::query::{Boundary, ParsedQuery};
pub use super::query::{MAX_QUERY_BYTES, MAX_TERMS, Occurs, Term};
use super::stem::stem;
use ragnav_base::error::RagnavError;
use ragnav_base::hash::HashMap;

/// The total size of the spellings, in bytes, up to which the automaton is a DFA. That is four
/// times as fast, and takes a kibibyte for each byte of the spellings.
const MAX_TABLE_BYTES: usize = 1 << 10;

/// An occurrence of a term in a text.
///
/// # Examples
///
/// ```
/// use ragnav_matching::terms::{Occurrence, Terms};
///
/// let terms = Terms::new("price").unwrap();
/// let found = terms.occurrences("PriceList");
/// assert_eq!(found, [Occurrence { term: 0, at: 0..5 }]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// The index of the term.
    pub term: usize,
    /// The byte range of the occurrence.
    pub at: Range<usize>,
}

/// The terms of a query.
///
/// Each subword is a term, with all words of its stem: `cache` occurs in `caching`. It also occurs
/// in a run of subwords that has its stem as a whole: `queryset` in `QuerySets`. Words such as
/// `how`, which are in questions of all kinds, are terms only if the query has no others. A word of
/// several subwords is a term too, however it is spelled, and so are the words of a short query
/// together. A text with other characters and no blanks (`auth.login`, `C++`) is a term as written;
/// the letter of `C++` alone is not. Punctuation is a term only if the query holds nothing else.
///
/// # Examples
///
/// ```
/// use ragnav_matching::terms::Terms;
///
/// let terms = Terms::new("how does the cache work").unwrap();
/// let texts: Vec<&str> = terms.terms().iter().map(|term| term.text.as_str()).collect();
/// assert_eq!(texts[0], "cache");
/// assert_eq!(terms.counts("# Caching\nCACHES = make_cache()\n")[0], 3);
/// ```
#[derive(Debug)]
pub struct Terms {
    /// The query as it was given.
    query: String,
    all: Vec<Term>,
    /// For each pattern of the automaton its term and the boundary that an occurrence needs.
    patterns: Vec<(usize, Boundary)>,
    automaton: AhoCorasick,
    /// The term for the whole query, unless the query is a single subword.
    whole: Option<usize>,
    is_name: bool,
    is_ascii: bool,
    is_truncated: bool,
}

impl Terms {
    /// Parses a query; any query that is not blank has terms.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::terms::Terms;
    ///
    /// let terms = Terms::new("user name").unwrap();
    /// let texts: Vec<&str> = terms.terms().iter().map(|term| term.text.as_str()).collect();
    /// assert_eq!(texts, ["user", "name", "username"]);
    /// assert_eq!(terms.counts("def get_user_name(): ..."), [1, 1, 0]);
    /// ```
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a blank query.
    pub fn new(query: &str) -> Result<Self, RagnavError> {
        let ParsedQuery {
            terms,
            spellings,
            patterns,
            whole,
            is_name,
            is_truncated,
            ..
        } = ParsedQuery::parse(query);
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
            query: query.to_owned(),
            all: terms,
            patterns,
            automaton,
            whole,
            is_name,
            is_ascii: spellings.iter().all(|spelling| spelling.is_ascii()),
            is_truncated,
        })
    }

    /// Returns the idf of each term, from the number of documents that hold it, by its weight in the
    /// query. Only the `MAX_SCORED_TERMS` terms that are worth most keep theirs.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::terms::Terms;
    ///
    /// let terms = Terms::new("cart total").unwrap();
    /// // Of 100 documents 2 hold `cart`, 60 `total` and none `carttotal`.
    /// let idf = terms.idf(100, &[2, 60, 0]);
    /// assert!(idf.get(0) > idf.get(1));
    /// ```
    #[must_use]
    pub fn idf(&self, documents: usize, holding: &[usize]) -> IdfTable {
        let weights = self.all.iter().map(|term| term.weight);
        IdfTable::new(documents, holding).weighted(weights, MAX_SCORED_TERMS)
    }

    /// Returns the query as it was given.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::terms::Terms;
    ///
    /// assert_eq!(Terms::new(" Cart total").unwrap().query(), " Cart total");
    /// ```
    #[must_use]
    pub fn query(&self) -> &str {
        &self.query
    }

    /// Returns the terms, in the order of the query.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::terms::Terms;
    ///
    /// let terms = Terms::new("getUser").unwrap();
    /// let texts: Vec<&str> = terms.terms().iter().map(|term| term.text.as_str()).collect();
    /// assert_eq!(texts, ["get", "user", "getuser"]);
    /// ```
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.all
    }

    /// Returns the term for the whole query, as an identifier or as written. A query that is a
    /// single subword has none.
    #[must_use]
    pub(crate) fn whole_query(&self) -> Option<usize> {
        self.whole
    }

    /// Reports whether the query is one word, so that it may be a name.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::terms::Terms;
    ///
    /// assert!(Terms::new("get_user").unwrap().is_name());
    /// assert!(!Terms::new("get user").unwrap().is_name());
    /// ```
    #[must_use]
    pub fn is_name(&self) -> bool {
        self.is_name
    }

    /// Reports whether a text without the term lacks part of the query.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::terms::Terms;
    ///
    /// let terms = Terms::new("getUser").unwrap();
    /// // `get` and `user` must occur, `getuser` need not.
    /// assert_eq!([0, 1, 2].map(|term| terms.is_essential(term)), [true, true, false]);
    /// ```
    #[must_use]
    pub fn is_essential(&self, term: usize) -> bool {
        self.all.get(term).is_some_and(|term| term.is_essential)
    }

    /// Reports whether the query exceeds a limit and was truncated.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::terms::{MAX_QUERY_BYTES, Terms};
    ///
    /// assert!(!Terms::new("cart").unwrap().is_truncated());
    /// assert!(Terms::new(&"a ".repeat(MAX_QUERY_BYTES)).unwrap().is_truncated());
    /// ```
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.is_truncated
    }

    /// Visits the occurrences in a text, by their ends. Occurrences of different terms may overlap.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::terms::Terms;
    ///
    /// let terms = Terms::new("price").unwrap();
    /// let text = "prices[0] = price_of(article)";
    /// let mut found = Vec::new();
    /// terms.visit(text, |occurrence| found.push(&text[occurrence.at]));
    /// assert_eq!(found, ["prices", "price"]);
    /// ```
    pub fn visit(&self, text: &str, mut each: impl FnMut(Occurrence)) {
        let folded = if self.is_ascii {
            FoldedText::without_folding(text)
        } else {
            FoldedText::new(text)
        };
        let mut stems = StemCache::default();
        for found in self.automaton.find_overlapping_iter(folded.text.as_ref()) {
            let at = folded.original_offset(found.start())..folded.original_offset(found.end());
            let Some((index, boundary)) = self.patterns.get(found.pattern().as_usize()) else {
                continue;
            };
            let term = *index;
            let at = match (boundary, self.all.get(term)) {
                (Boundary::Subword, Some(of)) => stems.subword_with(&of.stem, term, text, &at),
                _ => boundary.accepts(text, &at).then_some(at),
            };
            if let Some(at) = at {
                each(Occurrence { term, at });
            }
        }
    }

    /// Returns the occurrences in a text, by their ends.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::terms::Terms;
    ///
    /// let terms = Terms::new("price").unwrap();
    /// let found = terms.occurrences("price, PRICE");
    /// assert_eq!(found.into_iter().map(|found| found.at).collect::<Vec<_>>(), [0..5, 7..12]);
    /// ```
    #[must_use]
    pub fn occurrences(&self, text: &str) -> Vec<Occurrence> {
        let mut occurrences = Vec::new();
        self.visit(text, |occurrence| occurrences.push(occurrence));
        occurrences
    }

    /// Returns the number of occurrences of each term in a text.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::terms::Terms;
    ///
    /// let terms = Terms::new("get user").unwrap();
    /// assert_eq!(terms.counts("user = get_user()"), [1, 2, 1]);
    /// ```
    #[must_use]
    pub fn counts(&self, text: &str) -> Vec<u32> {
        let mut counts = vec![0; self.all.len()];
        self.visit(text, |occurrence| increment(&mut counts, occurrence.term));
        counts
    }
}

/// Whether the words of a text have the stems of terms. A text repeats its words, and stemming takes
/// longer than looking them up.
#[derive(Debug, Default)]
struct StemCache<'t>(HashMap<(usize, &'t str), bool>);

impl<'t> StemCache<'t> {
    /// Returns the subword that begins at a match, or else the whole run of letters and digits, if
    /// it has the stem of the term.
    fn subword_with(
        &mut self,
        expected: &str,
        term: usize,
        text: &'t str,
        at: &Range<usize>,
    ) -> Option<Range<usize>> {
        if !identifiers::is_subword_boundary(text, at.start) {
            return None;
        }
        let end = identifiers::subword_end(text, at.start);
        if self.has_stem(expected, term, text.get(at.start..end)?) {
            return Some(at.start..end);
        }
        let run_end = identifiers::run_end(text, at.start).filter(|run_end| *run_end > end)?;
        let is_run = self.has_stem(expected, term, text.get(at.start..run_end)?);
        is_run.then_some(at.start..run_end)
    }

    fn has_stem(&mut self, expected: &str, term: usize, word: &'t str) -> bool {
        word == expected
            || *self.0.entry((term, word)).or_insert_with(|| {
                let folded: String = word.chars().map(identifiers::fold_case).collect();
                stem(&folded) == expected
            })
    }
}

/// Returns the count of a term; 0 for a term that does not exist.
///
/// # Examples
///
/// ```
/// use ragnav_matching::terms::count_of;
///
/// assert_eq!((count_of(&[0, 7], 1), count_of(&[0, 7], 2)), (7, 0));
/// ```
#[must_use]
pub fn count_of(counts: &[u32], term: usize) -> u32 {
    counts.get(term).copied().unwrap_or_default()
}

/// Increments the count of a term.
///
/// # Examples
///
/// ```
/// use ragnav_matching::terms::increment;
///
/// let mut counts = [0, 7];
/// increment(&mut counts, 1);
/// assert_eq!(counts, [0, 8]);
/// ```
pub fn increment(counts: &mut [u32], term: usize) {
    if let Some(count) = counts.get_mut(term) {
        *count = count.saturating_add(1);
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

    /// Returns the texts of all occurrences of a query in a text.
    fn found<'t>(query: &str, text: &'t str) -> Vec<&'t str> {
        let occurrences = terms(query).occurrences(text);
        let spelled = |found: Occurrence| text.get(found.at).unwrap_or_default();
        occurrences.into_iter().map(spelled).collect()
    }

    #[test]
    fn queries_are_parts_and_wholes() {
        for (query, expected) in [
            ("getUserName", &["get", "user", "name", "getusername"][..]),
            ("get_user", &["get", "user", "getuser"]),
            ("get-user", &["get", "user", "getuser"]),
            ("get user", &["get", "user", "getuser"]),
            ("h b c d e f g", &["h", "b", "c", "d", "e", "f", "g"]),
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
    fn subwords_are_found_in_any_spelling() {
        let text = "user Username getUser USER_ID users 'user' userName superuser";
        assert_eq!(
            found("user", text),
            ["user", "User", "USER", "users", "user", "user"]
        );
        assert_eq!(found("é", "É e é1 né"), ["É", "é"]);
        assert_eq!(found("straße", "STRAẞE"), ["STRAẞE"]);
    }

    #[test]
    fn wholes_are_found_in_any_spelling() {
        let wholes = |query, text| {
            let mut found = found(query, text);
            found.retain(|found| found.len() > 5);
            found
        };
        let text = "getUser get_user _GET_USER_ get-user getuser getUserName myGetUser";
        assert_eq!(
            wholes("get_user", text),
            ["getUser", "get_user", "GET_USER", "get-user", "getuser"]
        );
        assert_eq!(
            wholes("auth.login", "Auth.login(auth.logins)"),
            ["Auth.login", "logins"]
        );
        assert_eq!(found("C++", "C, C++ and ObjC++, c++"), ["C++", "c++"]);
    }

    #[test]
    fn long_queries_are_cut() {
        let many: Vec<String> = (0..600).map(|at| format!("{}", at + 1000)).collect();
        let many = terms(&many.join(" "));
        assert!(many.is_truncated() && many.terms().len() == MAX_TERMS);
        let long = "é".repeat(MAX_QUERY_BYTES);
        assert!(terms(&long).is_truncated());
        assert!(!terms(&"x".repeat(10_000)).is_truncated());
    }
}
