//! Parsing a ranked query into terms and their spellings.

use std::ops::Range;

use super::identifiers;
use ragnav_base::position::floor_char_boundary;

/// The largest number of terms of a query; further terms are ignored.
pub const MAX_TERMS: usize = 64;

/// The number of bytes of a query that are parsed; the rest is ignored.
pub const MAX_QUERY_BYTES: usize = 16 << 10;

/// The characters around a word that are not part of it: quotes, brackets and punctuation.
const WRAPPING: &[char] = &[
    '"', '\'', '`', '“', '”', '‘', '’', '(', ')', '[', ']', '{', '}', '<', '>', ',', ';', ':', '.',
    '!', '?', '…',
];

/// The largest number of subwords in a query of several words that is also tried as one name.
const MAX_NAME_SUBWORDS: usize = 6;

/// The separators between the subwords of an identifier.
const JOINERS: [&str; 3] = ["", "_", "-"];

/// One term of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The term in lower case. For an identifier it is the joined subwords: `getusername`.
    pub text: String,
    /// Whether a text without the term lacks part of the query. That is not so for a whole
    /// identifier, whose subwords are terms too.
    pub is_essential: bool,
}

/// The boundaries that an occurrence needs on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Boundary {
    /// Subword boundaries: `queryset` occurs in `QuerySet` too.
    Subword,
    /// Identifier boundaries, ignoring underscores.
    Identifier,
    /// No boundary, except that a word character must not continue a word of the match.
    Literal,
}

/// A parsed ranked query.
#[derive(Debug, Default)]
pub(super) struct ParsedQuery {
    pub(super) terms: Vec<Term>,
    /// The texts that the automaton looks for.
    pub(super) spellings: Vec<String>,
    /// For each spelling its term and the boundary that an occurrence needs.
    pub(super) patterns: Vec<(usize, Boundary)>,
    /// The term for the whole query, unless the query is a single subword.
    pub(super) whole: Option<usize>,
    /// Whether the query exceeds a limit and was truncated.
    pub(super) is_truncated: bool,
}

impl ParsedQuery {
    /// Parses a query; a blank query has no terms.
    pub(super) fn parse(query: &str) -> Self {
        let read = query.get(..floor_char_boundary(query, MAX_QUERY_BYTES));
        let read = read.unwrap_or_default();
        let mut parsed = Self {
            is_truncated: read.len() < query.len(),
            ..Self::default()
        };
        for token in read.split_whitespace() {
            parsed.whole = parsed.add_token(token);
        }
        if read.split_whitespace().nth(1).is_some() {
            parsed.whole = parsed.add_name(read);
        }
        if parsed.terms.is_empty() {
            for signs in read.split_whitespace() {
                let signs: String = signs.chars().map(identifiers::fold_case).collect();
                parsed.add(signs.clone(), Boundary::Literal, true, [signs]);
            }
        }
        parsed
    }

    /// Adds the terms of a text between blanks. Returns the term for the whole text, unless that is
    /// a subword.
    fn add_token(&mut self, token: &str) -> Option<usize> {
        let token = token.trim_matches(WRAPPING);
        let folded: String = token.chars().map(identifiers::fold_case).collect();
        let subwords = folded_subwords(token);
        let is_lone_letter = matches!(&subwords[..], [subword] if subword.chars().count() == 1);
        let mut words = identifiers::words(token);
        let first = words.next().unwrap_or_default();
        let is_word = first.len() == token.len();
        if is_lone_letter && !is_word {
            return self.add(folded.clone(), Boundary::Literal, true, [folded]);
        }
        for subword in &subwords {
            self.add(subword.clone(), Boundary::Subword, true, [subword.clone()]);
        }
        let mut whole = None;
        for word in std::iter::once(first).chain(words) {
            whole = self.add_word(token.get(word).unwrap_or_default());
        }
        if is_word || subwords.is_empty() {
            return whole;
        }
        let is_kebab = |letter| letter == '-' || identifiers::is_word_char(letter);
        if subwords.len() > 1 && token.chars().all(is_kebab) {
            return self.add_whole(&subwords);
        }
        self.add(folded.clone(), Boundary::Literal, false, [folded])
    }

    /// Adds a query of a few words as the name that they may spell: `user name` as `userName`.
    fn add_name(&mut self, query: &str) -> Option<usize> {
        let is_word = |token: &str| token.chars().all(identifiers::is_word_char);
        let subwords = folded_subwords(query);
        let may_be = query.split_whitespace().all(is_word) && subwords.len() <= MAX_NAME_SUBWORDS;
        (may_be && subwords.len() > 1).then(|| self.add_whole(&subwords))?
    }

    /// Adds a whole word, if it differs from its subwords.
    fn add_word(&mut self, word: &str) -> Option<usize> {
        let subwords = folded_subwords(word);
        if subwords.len() > 1 {
            return self.add_whole(&subwords);
        }
        if identifiers::subwords(word).all(|subword| subword.len() == word.len()) {
            return None;
        }
        let word: String = word.chars().map(identifiers::fold_case).collect();
        self.add(word.clone(), Boundary::Literal, false, [word])
    }

    fn add_whole(&mut self, subwords: &[String]) -> Option<usize> {
        let spellings = JOINERS.map(|joiner| subwords.join(joiner));
        self.add(subwords.concat(), Boundary::Identifier, false, spellings)
    }

    /// Adds a term and returns its index, or `None` if the query has too many terms.
    fn add<const N: usize>(
        &mut self,
        text: String,
        boundary: Boundary,
        is_essential: bool,
        spellings: [String; N],
    ) -> Option<usize> {
        let is_known = |(term, known): &&(usize, Boundary)| {
            let term = self.terms.get(*term);
            *known == boundary && term.is_some_and(|term| term.text == text)
        };
        if let Some((index, _)) = self.patterns.iter().find(is_known) {
            return Some(*index);
        }
        if self.terms.len() >= MAX_TERMS {
            self.is_truncated = true;
            return None;
        }
        let index = self.terms.len();
        self.terms.push(Term { text, is_essential });
        for spelling in spellings {
            self.patterns.push((index, boundary));
            self.spellings.push(spelling);
        }
        Some(index)
    }
}

impl Boundary {
    /// Reports whether a match at these bytes of a text is an occurrence.
    pub(super) fn accepts(self, text: &str, at: &Range<usize>) -> bool {
        if self == Self::Subword {
            return identifiers::is_subword_boundary(text, at.start)
                && identifiers::is_subword_boundary(text, at.end);
        }
        let (Some(before), Some(found), Some(after)) = (
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
        let is_word = identifiers::is_word_char;
        !(before.ends_with(is_word) && found.starts_with(is_word)
            || after.starts_with(is_word) && found.ends_with(is_word))
    }
}

fn folded_subwords(text: &str) -> Vec<String> {
    let subwords = identifiers::subwords(text).filter_map(|subword| text.get(subword));
    subwords
        .map(|subword| subword.chars().map(identifiers::fold_case).collect())
        .collect()
}
