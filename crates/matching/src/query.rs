//! What a ranked query is made of: the terms that it is taken apart into, and how each may be spelled.

use super::identifiers;
use super::terms::{Edges, Term};
use ragnav_base::position::letter_start;

/// Terms of a query that are looked for: the first ones.
pub const MAX_TERMS: usize = 64;

/// Bytes of a query that are read.
pub const MAX_QUERY_BYTES: usize = 16 << 10;

/// What stands around a word of the query and is not meant: quotes, brackets, and the marks that end sentences.
const WRAPPING: &[char] = &[
    '"', '\'', '`', '“', '”', '‘', '’', '(', ')', '[', ']', '{', '}', '<', '>', ',', ';', ':', '.',
    '!', '?', '…',
];

/// Parts that a name has at most, for a query of several words to be looked for as one.
const MAX_NAME_PARTS: usize = 6;

/// How the parts of an identifier may be joined.
const JOINTS: [&str; 3] = ["", "_", "-"];

/// A query that was taken apart.
#[derive(Debug, Default)]
pub(super) struct Query {
    pub(super) terms: Vec<Term>,
    /// What is looked for.
    pub(super) spellings: Vec<String>,
    /// Of which term each spelling is, and when a hit is a mention.
    pub(super) patterns: Vec<(usize, Edges)>,
    /// The term that is all of the query, unless that is one part.
    pub(super) whole: Option<usize>,
    /// Whether there is more than is looked for.
    pub(super) is_cut: bool,
}

impl Query {
    /// Takes a query apart; a blank one has no terms.
    pub(super) fn read(query: &str) -> Self {
        let read = query.get(..letter_start(query, MAX_QUERY_BYTES));
        let read = read.unwrap_or_default();
        let mut taken = Self {
            is_cut: read.len() < query.len(),
            ..Self::default()
        };
        for chunk in read.split_whitespace() {
            taken.whole = taken.add_chunk(chunk);
        }
        if read.split_whitespace().nth(1).is_some() {
            taken.whole = taken.add_name(read);
        }
        if taken.terms.is_empty() {
            for signs in read.split_whitespace() {
                let signs: String = signs.chars().map(identifiers::fold).collect();
                taken.add(signs.clone(), Edges::Literal, true, [signs]);
            }
        }
        taken
    }

    /// What stands between two blanks; gives the term that is all of it, unless that is a part.
    fn add_chunk(&mut self, chunk: &str) -> Option<usize> {
        let chunk = chunk.trim_matches(WRAPPING);
        let folded: String = chunk.chars().map(identifiers::fold).collect();
        let parts = folded_parts(chunk);
        let is_lone_letter = matches!(&parts[..], [part] if part.chars().count() == 1);
        let mut words = identifiers::words(chunk);
        let first = words.next().unwrap_or_default();
        let is_word = first.len() == chunk.len();
        if is_lone_letter && !is_word {
            return self.add(folded.clone(), Edges::Literal, true, [folded]);
        }
        for part in &parts {
            self.add(part.clone(), Edges::Part, true, [part.clone()]);
        }
        let mut whole = None;
        for word in std::iter::once(first).chain(words) {
            whole = self.add_word(chunk.get(word).unwrap_or_default());
        }
        if is_word || parts.is_empty() {
            return whole;
        }
        let is_kebab = |letter| letter == '-' || identifiers::is_word_letter(letter);
        if parts.len() > 1 && chunk.chars().all(is_kebab) {
            return self.add_whole(&parts);
        }
        self.add(folded.clone(), Edges::Literal, false, [folded])
    }

    /// A query of a few words as the name that they may be.
    fn add_name(&mut self, query: &str) -> Option<usize> {
        let is_word = |chunk: &str| chunk.chars().all(identifiers::is_word_letter);
        let parts = folded_parts(query);
        let may_be = query.split_whitespace().all(is_word) && parts.len() <= MAX_NAME_PARTS;
        (may_be && parts.len() > 1).then(|| self.add_whole(&parts))?
    }

    /// A word as a whole, where that says more than its parts do.
    fn add_word(&mut self, word: &str) -> Option<usize> {
        let parts = folded_parts(word);
        if parts.len() > 1 {
            return self.add_whole(&parts);
        }
        if identifiers::parts(word).all(|part| part.len() == word.len()) {
            return None;
        }
        let word: String = word.chars().map(identifiers::fold).collect();
        self.add(word.clone(), Edges::Literal, false, [word])
    }

    fn add_whole(&mut self, parts: &[String]) -> Option<usize> {
        let spellings = JOINTS.map(|joint| parts.join(joint));
        self.add(parts.concat(), Edges::Identifier, false, spellings)
    }

    /// Gives the place of the term; `None` where there are too many.
    fn add<const N: usize>(
        &mut self,
        text: String,
        edges: Edges,
        is_essential: bool,
        spellings: [String; N],
    ) -> Option<usize> {
        let is_known = |(term, known): &&(usize, Edges)| {
            let term = self.terms.get(*term);
            *known == edges && term.is_some_and(|term| term.text == text)
        };
        if let Some((place, _)) = self.patterns.iter().find(is_known) {
            return Some(*place);
        }
        if self.terms.len() >= MAX_TERMS {
            self.is_cut = true;
            return None;
        }
        let place = self.terms.len();
        self.terms.push(Term { text, is_essential });
        for spelling in spellings {
            self.patterns.push((place, edges));
            self.spellings.push(spelling);
        }
        Some(place)
    }
}

fn folded_parts(text: &str) -> Vec<String> {
    let parts = identifiers::parts(text).filter_map(|part| text.get(part));
    parts
        .map(|part| part.chars().map(identifiers::fold).collect())
        .collect()
}
