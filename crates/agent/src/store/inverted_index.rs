//! An inverted index from terms to documents.
//!
//! It stores the weighted frequency of each term in a document (see
//! [`bm25`](ragnav_matching::bm25)). The typical field lengths are constants, so a frequency
//! depends on its document alone. The idf is computed for each query.

use std::ops::{AddAssign, Range};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use ragnav_base::hash::HashMap;
use ragnav_base::position::wire;
use ragnav_matching::fields::{BODY, NAME, PATH, QUALIFIER, SUMMARY};
use ragnav_matching::identifiers;
use ragnav_matching::relevance::FILE_TEXT;
use ragnav_matching::stem::stem;

/// The number of steps in which a frequency of 1 is stored.
const STEPS: f64 = 16.0;
const MAX_STEPS: f64 = 65_535.0;

/// The key of a term: the low half of the hash of its stem. Two terms may share a key.
pub(super) type Key = u32;

/// The searchable fields of a document.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SearchableText<'d> {
    pub(super) name: &'d str,
    pub(super) qualifier: &'d str,
    pub(super) summary: &'d str,
    pub(super) body: &'d str,
    pub(super) path: &'d str,
}

/// Returns the key of a lower-case term. Words with the same stem share it: `hashed` and `hash`.
pub(super) fn term_key(term: &str) -> Key {
    let [a, b, c, d, ..] = xxh3_64(stem(term).as_bytes()).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// The number of words whose terms are remembered, and the length of the longest, in bytes.
/// Together they bound the memory.
const MAX_WORDS: usize = 1 << 15;
const MAX_WORD_BYTES: usize = 64;

/// The number of terms that are kept from one segment to the next at most.
const MAX_KEPT_TERMS: usize = 1 << 20;

/// A term, by its number in the order in which a builder met them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Term(u32);

impl Term {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The terms of texts. Texts repeat their words, and stemming takes longer than a lookup.
#[derive(Debug, Default)]
struct KnownTerms {
    /// The range of each word's terms in `terms`.
    words: HashMap<Box<str>, Range<usize>>,
    terms: Vec<Term>,
    numbers: HashMap<Key, Term>,
    /// The keys of the terms.
    keys: Vec<Key>,
}

impl KnownTerms {
    /// Visits the terms of a text: each subword, and each word of several subwords.
    fn visit(&mut self, text: &str, mut each: impl FnMut(Term)) {
        for word in identifiers::words(text) {
            let word = text.get(word).unwrap_or_default();
            if word.len() > MAX_WORD_BYTES {
                visit_terms(word, |key| each(self.number(key)));
                continue;
            }
            let terms = match self.words.get(word) {
                Some(terms) => terms.clone(),
                None => self.add_word(word),
            };
            let terms = self.terms.get(terms).unwrap_or_default();
            terms.iter().copied().for_each(&mut each);
        }
    }

    fn add_word(&mut self, word: &str) -> Range<usize> {
        if self.words.len() >= MAX_WORDS {
            self.words.clear();
            self.terms.clear();
        }
        let start = self.terms.len();
        visit_terms(word, |key| {
            let term = self.number(key);
            self.terms.push(term);
        });
        let terms = start..self.terms.len();
        self.words.insert(word.into(), terms.clone());
        terms
    }

    fn number(&mut self, key: Key) -> Term {
        *self.numbers.entry(key).or_insert_with(|| {
            self.keys.push(key);
            Term(wire(self.keys.len() - 1))
        })
    }
}

/// A sum for each of a few terms.
#[derive(Debug, Default)]
struct Sums<N> {
    /// The sums by term; zero for all but those in `terms`.
    sums: Vec<N>,
    terms: Vec<Term>,
}

impl<N: Copy + Default + PartialEq + AddAssign> Sums<N> {
    /// Adds a positive number to the sum of a term.
    fn add(&mut self, term: Term, number: N) {
        let at = term.index();
        if self.sums.len() <= at {
            self.sums.resize(at + 1, N::default());
        }
        if let Some(sum) = self.sums.get_mut(at) {
            if *sum == N::default() {
                self.terms.push(term);
            }
            *sum += number;
        }
    }

    /// Visits the sums, and sets them to zero.
    fn take(&mut self, mut each: impl FnMut(Term, N)) {
        for term in self.terms.drain(..) {
            if let Some(sum) = self.sums.get_mut(term.index()) {
                each(term, std::mem::take(sum));
            }
        }
    }
}

/// Visits the terms of a word: each subword, and the whole word if it has several.
fn visit_terms(word: &str, mut each: impl FnMut(Key)) {
    // Most words are one subword, which needs no look at each letter's neighbours.
    if word.bytes().all(|letter| letter.is_ascii_lowercase()) {
        each(term_key(word));
        return;
    }
    let mut part = String::new();
    let mut whole = String::new();
    let mut parts = 0;
    for at in identifiers::subwords(word) {
        part.clear();
        let letters = word.get(at).unwrap_or_default().chars();
        part.extend(letters.map(identifiers::fold_case));
        whole.push_str(&part);
        each(term_key(&part));
        parts += 1;
    }
    if parts > 1 {
        each(term_key(&whole));
    }
}

/// The inverted indexes of a segment: one of its documents, and one of its files as a whole.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct InvertedIndexes {
    pub(super) documents: InvertedIndex,
    pub(super) files: InvertedIndex,
}

/// A builder of inverted indexes.
#[derive(Debug, Default)]
pub(super) struct InvertedIndexBuilder {
    known: KnownTerms,
    documents: Lists,
    files: Lists,
    /// The counts in the bodies of the current file, and their length.
    in_file: Sums<u32>,
    length: usize,
    /// Buffers for one field and one document, reused to save allocations.
    in_field: Sums<u32>,
    in_document: Sums<f64>,
}

impl InvertedIndexBuilder {
    /// Adds the next document.
    pub(super) fn add(&mut self, document: u32, searchable: SearchableText<'_>) {
        let fields = [
            (NAME, searchable.name, false),
            (QUALIFIER, searchable.qualifier, false),
            (SUMMARY, searchable.summary, false),
            (BODY, searchable.body, true),
            (PATH, searchable.path, false),
        ];
        for (field, text, is_body) in fields {
            self.known.visit(text, |term| self.in_field.add(term, 1));
            self.in_field.take(|term, count| {
                let frequency = field.frequency(count, text.len());
                self.in_document.add(term, frequency);
                if is_body {
                    self.in_file.add(term, count);
                }
            });
        }
        self.length += searchable.body.len();
        self.in_document.take(|term, frequency| {
            self.documents.push(term, document, quantize(frequency));
        });
    }

    /// Ends a file, whose documents were added.
    pub(super) fn end_file(&mut self, file: u32) {
        let length = std::mem::take(&mut self.length);
        self.in_file.take(|term, count| {
            let frequency = FILE_TEXT.frequency(count, length);
            self.files.push(term, file, quantize(frequency));
        });
    }

    /// Returns the indexes of the documents that were added since the last call.
    pub(super) fn finish(&mut self) -> InvertedIndexes {
        let [documents, files] = [&mut self.documents, &mut self.files]
            .map(|lists| std::mem::take(lists).finish(&self.known.keys));
        if self.known.keys.len() > MAX_KEPT_TERMS {
            *self = Self::default();
        }
        InvertedIndexes { documents, files }
    }
}

/// The lists of an inverted index under construction, by term.
#[derive(Debug, Default)]
struct Lists(Vec<List>);

#[derive(Debug, Default, Clone)]
struct List {
    /// The last document.
    last: u32,
    /// The same as [`InvertedIndex::postings`].
    postings: Vec<u8>,
}

impl Lists {
    /// Adds a document, which comes after those in the list.
    fn push(&mut self, term: Term, document: u32, steps: u16) {
        let at = term.index();
        if self.0.len() <= at {
            self.0.resize(at + 1, List::default());
        }
        if let Some(list) = self.0.get_mut(at) {
            write_leb128(&mut list.postings, document - list.last);
            write_leb128(&mut list.postings, u32::from(steps));
            list.last = document;
        }
    }

    /// Returns the index of these lists. `keys` are those of the terms.
    fn finish(self, keys: &[Key]) -> InvertedIndex {
        let lists = keys.iter().zip(self.0);
        let mut lists: Vec<_> = lists
            .filter(|(_, list)| !list.postings.is_empty())
            .collect();
        lists.sort_unstable_by_key(|(key, _)| **key);
        let mut inverted = InvertedIndex::default();
        for (key, list) in lists {
            inverted.keys.push(*key);
            inverted.postings.extend(list.postings);
            inverted.ends.push(wire(inverted.postings.len()));
        }
        inverted
    }
}

/// Converts a frequency to steps, at least one, since an occurrence must count.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bounded on both sides"
)]
fn quantize(frequency: f64) -> u16 {
    (frequency * STEPS).round().clamp(1.0, MAX_STEPS) as u16
}

/// An inverted index. The postings of the `n`th sorted key end at the `n`th of `ends`.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct InvertedIndex {
    keys: Vec<Key>,
    ends: Vec<u32>,
    /// Differences between document numbers, and frequencies, in LEB128.
    #[serde(with = "serde_bytes")]
    postings: Vec<u8>,
}

impl InvertedIndex {
    /// Returns the documents that contain a term, in order, with the term's frequency.
    pub(super) fn postings(&self, key: Key) -> impl Iterator<Item = (u32, f64)> {
        let mut bytes = self.list(key).unwrap_or_default();
        let mut document = 0_u32;
        std::iter::from_fn(move || {
            document = document.checked_add(read_leb128(&mut bytes)?)?;
            Some((document, f64::from(read_leb128(&mut bytes)?) / STEPS))
        })
    }

    fn list(&self, key: Key) -> Option<&[u8]> {
        let at = self.keys.binary_search(&key).ok()?;
        let start = match at.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.postings
            .get(start as usize..*self.ends.get(at)? as usize)
    }
}

fn write_leb128(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push((number & 0x7f) as u8);
}

fn read_leb128(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for shift in (0..u32::BITS).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_lead_to_documents() {
        let mut builder = InvertedIndexBuilder::default();
        for (document, name, body) in [(0, "getUser", "x"), (300, "b", "the user, the user")] {
            let searchable = SearchableText {
                name,
                body,
                ..SearchableText::default()
            };
            builder.add(document, searchable);
        }
        builder.end_file(0);
        let inverted = builder.finish().documents;
        let of = |term: &str| {
            inverted
                .postings(term_key(term))
                .map(|(document, _)| document)
        };
        assert_eq!(of("user").collect::<Vec<_>>(), [0, 300]);
        assert_eq!(of("getuser").collect::<Vec<_>>(), [0]);
        assert_eq!(of("nothing").count(), 0);
        let frequencies: Vec<f64> = inverted
            .postings(term_key("user"))
            .map(|(_, often)| often)
            .collect();
        assert!(frequencies.first() > frequencies.last());
    }

    #[test]
    fn segments_of_one_builder_are_those_of_two() {
        let add = |builder: &mut InvertedIndexBuilder, body: &str| {
            let searchable = SearchableText {
                body,
                ..SearchableText::default()
            };
            builder.add(0, searchable);
            builder.end_file(0);
            let InvertedIndexes { documents, files } = builder.finish();
            [documents, files].map(|inverted| (inverted.keys, inverted.ends, inverted.postings))
        };
        let mut one = InvertedIndexBuilder::default();
        for body in ["total of a cart", "the cart, cartTotal and prices", ""] {
            let alone = add(&mut InvertedIndexBuilder::default(), body);
            assert_eq!(add(&mut one, body), alone);
        }
    }

    #[test]
    fn numbers_are_kept() {
        for number in [0, 1, 127, 128, 300, u32::MAX] {
            let mut bytes = Vec::new();
            write_leb128(&mut bytes, number);
            assert_eq!(read_leb128(&mut bytes.as_slice()), Some(number));
        }
        assert_eq!(read_leb128(&mut [0x80_u8].as_slice()), None);
    }
}
