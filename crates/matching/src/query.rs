//! Parsing a ranked query into terms and their spellings.

use std::ops::Range;

use super::identifiers;
use super::passages::{Passage, PassageKind, passages};
use super::stem::{common_beginning, stem};
use super::stop_words::is_stop_word;
use ragnav_base::position::floor_char_boundary;

/// The largest number of terms of a query that are counted; further terms are ignored.
pub const MAX_TERMS: usize = 512;

/// The number of terms that decide the scores: those with the highest idf and weight.
pub(crate) const MAX_SCORED_TERMS: usize = 64;

/// The number of bytes of a query that are parsed; the rest is ignored.
pub const MAX_QUERY_BYTES: usize = 16 << 10;

/// The characters around a word that are not part of it: quotes, brackets and punctuation.
const WRAPPING: &[char] = &[
    '"', '\'', '`', '“', '”', '‘', '’', '(', ')', '[', ']', '{', '}', '<', '>', ',', ';', ':', '.',
    '!', '?', '…',
];

/// The largest number of subwords in a query of several words that is also tried as one name.
const MAX_NAME_SUBWORDS: usize = 6;

/// One term of a query.
///
/// # Examples
///
/// ```
/// use ragnav_matching::terms::Terms;
///
/// let terms = Terms::new("caching").unwrap();
/// let term = &terms.terms()[0];
/// assert_eq!((term.text.as_str(), term.stem.as_str()), ("caching", "cach"));
/// assert!(term.is_essential);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// The term in lower case. For an identifier it is the joined subwords: `getusername`.
    pub text: String,
    /// The stem that all words of the term share. Other terms are their own stem.
    pub stem: String,
    /// Whether a text without the term lacks part of the query. That is not so for a whole
    /// identifier, whose subwords are terms too.
    pub is_essential: bool,
    /// The weight of its occurrences, by the passage of the query that it is in.
    pub weight: f64,
    /// How it occurs in a text.
    pub occurs: Occurs,
}

/// How a term occurs in a text.
///
/// # Examples
///
/// ```
/// use ragnav_matching::terms::{Occurs, Terms};
///
/// let terms = Terms::new("get_user C++").unwrap();
/// let occurs = |text: &str| {
///     let term = terms.terms().iter().find(|term| term.text == text);
///     term.map(|term| term.occurs.clone())
/// };
/// assert_eq!(occurs("get"), Some(Occurs::Subword));
/// assert!(matches!(occurs("getuser"), Some(Occurs::Identifier { .. })));
/// assert_eq!(occurs("c++"), Some(Occurs::Literal));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Occurs {
    /// As a subword.
    Subword,
    /// As an identifier, which may have underscores around it.
    Identifier {
        /// The spellings that are one word: `getuser` and `get_user`.
        words: [String; 2],
        /// The spelling that is several words: `get-user`.
        kebab: String,
    },
    /// As written.
    Literal,
}

/// The boundaries that an occurrence needs on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Boundary {
    /// Subword boundaries: `query` occurs in `QuerySet` too. The spelling is the beginning of a
    /// subword, which must have the stem of the term.
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
    /// The weight of the terms of the current passage.
    weight: f64,
    /// Whether the query is one word, so that it may be a name.
    pub(super) is_name: bool,
    /// Whether the query exceeds a limit and was truncated.
    pub(super) is_truncated: bool,
}

impl ParsedQuery {
    /// Parses a query; a blank query has no terms.
    pub(super) fn parse(query: &str) -> Self {
        let read = query.get(..floor_char_boundary(query, MAX_QUERY_BYTES));
        let read = read.unwrap_or_default();
        let mut parsed = Self {
            weight: 1.0,
            is_truncated: read.len() < query.len(),
            ..Self::default()
        };
        let tokens = || read.split_whitespace();
        parsed.is_name = tokens().nth(1).is_none();
        parsed.add_passages(read, |token| !is_stop_token(token));
        if parsed.terms.is_empty() {
            parsed.add_passages(read, |_| true);
        }
        if !parsed.is_name {
            parsed.whole = parsed.add_name(read);
        }
        if parsed.terms.is_empty() {
            for signs in read.split_whitespace() {
                let signs: String = signs.chars().map(identifiers::fold_case).collect();
                parsed.add_literal(signs, true);
            }
        }
        parsed
    }

    /// Adds the terms of the tokens that `admits` accepts.
    fn add_passages(&mut self, query: &str, admits: impl Fn(&str) -> bool) {
        for Passage { kind, text } in passages(query) {
            self.weight = weight_of(kind);
            for token in text.split_whitespace().filter(|token| admits(token)) {
                self.whole = self.add_token(token);
            }
        }
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
            return self.add_literal(folded, true);
        }
        for subword in &subwords {
            self.add_subword(subword);
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
        self.add_literal(folded, false)
    }

    fn add_subword(&mut self, subword: &str) {
        let stem = stem(subword).into_owned();
        let beginning = common_beginning(&stem).to_owned();
        let term = Term {
            text: subword.to_owned(),
            stem,
            is_essential: true,
            weight: self.weight,
            occurs: Occurs::Subword,
        };
        self.add_term(term, Boundary::Subword, [beginning]);
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
        self.add_literal(word, false)
    }

    fn add_whole(&mut self, subwords: &[String]) -> Option<usize> {
        let spellings = ["", "_", "-"].map(|joiner| subwords.join(joiner));
        let [joined, snake, kebab] = spellings.clone();
        let term = Term {
            text: subwords.concat(),
            stem: subwords.concat(),
            is_essential: false,
            weight: self.weight,
            occurs: Occurs::Identifier {
                words: [joined, snake],
                kebab,
            },
        };
        self.add_term(term, Boundary::Identifier, spellings)
    }

    /// Adds a term that occurs as it is written. Returns its index, or `None` if the query has too
    /// many terms.
    fn add_literal(&mut self, text: String, is_essential: bool) -> Option<usize> {
        let term = Term {
            stem: text.clone(),
            text: text.clone(),
            is_essential,
            weight: self.weight,
            occurs: Occurs::Literal,
        };
        self.add_term(term, Boundary::Literal, [text])
    }

    fn add_term<const N: usize>(
        &mut self,
        term: Term,
        boundary: Boundary,
        spellings: [String; N],
    ) -> Option<usize> {
        let is_known = |(index, known): &&(usize, Boundary)| {
            let other = self.terms.get(*index);
            *known == boundary && other.is_some_and(|other| other.stem == term.stem)
        };
        if let Some((index, _)) = self.patterns.iter().find(is_known) {
            let index = *index;
            if let Some(known) = self.terms.get_mut(index) {
                known.weight = known.weight.max(term.weight);
            }
            return Some(index);
        }
        if self.terms.len() >= MAX_TERMS {
            self.is_truncated = true;
            return None;
        }
        let index = self.terms.len();
        self.terms.push(term);
        for spelling in spellings {
            self.patterns.push((index, boundary));
            self.spellings.push(spelling);
        }
        Some(index)
    }
}

/// Returns the weight of the terms in a passage. The title says what an issue is about, and code
/// holds many names by chance.
fn weight_of(kind: PassageKind) -> f64 {
    match kind {
        PassageKind::Title => 3.0,
        PassageKind::Prose => 1.0,
        PassageKind::Code => 0.5,
    }
}

/// Reports whether a text between blanks says nothing about what the query asks for.
fn is_stop_token(token: &str) -> bool {
    let token = token.trim_matches(WRAPPING).to_lowercase();
    let (word, ending) = token.split_once(['\'', '’']).unwrap_or((&token, ""));
    // `doesn't` and `what's`.
    is_stop_word(word) || (ending == "t" && word.strip_suffix('n').is_some_and(is_stop_word))
}

impl Boundary {
    /// Reports whether a whole match at these bytes of a text is an occurrence.
    pub(super) fn accepts(self, text: &str, at: &Range<usize>) -> bool {
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
