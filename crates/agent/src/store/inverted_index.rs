//! An inverted index from terms to documents.
//!
//! It stores the weighted frequency of each term in a document (see
//! [`bm25`](ragnav_matching::bm25)). The typical field lengths are constants, so a frequency
//! depends on its document alone. The idf is computed for each query.

use std::collections::HashMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

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

/// The number of words whose keys are remembered, and the length of the longest, in bytes. Together
/// they bound the memory.
const MAX_WORDS: usize = 1 << 15;
const MAX_WORD_BYTES: usize = 64;

/// The keys of the words of texts. Texts repeat their words, and stemming takes longer than a
/// lookup.
#[derive(Debug, Default)]
struct WordKeys {
    /// The range of each word's keys in `keys`.
    ranges: HashMap<Box<str>, Range<usize>>,
    keys: Vec<Key>,
}

impl WordKeys {
    /// Adds the keys of the terms of a text to a list: each subword, and each word of several
    /// subwords.
    fn add_of_text(&mut self, text: &str, all: &mut Vec<Key>) {
        for word in identifiers::words(text) {
            let word = text.get(word).unwrap_or_default();
            if word.len() > MAX_WORD_BYTES {
                visit_terms(word, |key| all.push(key));
                continue;
            }
            let keys = match self.ranges.get(word) {
                Some(keys) => keys.clone(),
                None => self.add_word(word),
            };
            all.extend_from_slice(self.keys.get(keys).unwrap_or_default());
        }
    }

    fn add_word(&mut self, word: &str) -> Range<usize> {
        if self.ranges.len() >= MAX_WORDS {
            *self = Self::default();
        }
        let start = self.keys.len();
        visit_terms(word, |key| self.keys.push(key));
        let keys = start..self.keys.len();
        self.ranges.insert(word.into(), keys.clone());
        keys
    }
}

/// Visits the terms of a word: each subword, and the whole word if it has several.
fn visit_terms(word: &str, mut each: impl FnMut(Key)) {
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
    mentions: Vec<(Key, u32, u16)>,
    in_files: Vec<(Key, u32, u16)>,
    /// The counts in the bodies of the current file, and their length.
    counts: Vec<(Key, u32)>,
    length: usize,
    words: WordKeys,
    /// Buffers for one document, reused to save allocations.
    keys: Vec<Key>,
    sums: Vec<(Key, f64)>,
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
            self.keys.clear();
            self.words.add_of_text(text, &mut self.keys);
            self.keys.sort_unstable();
            for run in self.keys.chunk_by(|one, next| one == next) {
                let Some(key) = run.first() else { continue };
                let frequency = field.frequency(wire(run.len()), text.len());
                self.sums.push((*key, frequency));
                if is_body {
                    self.counts.push((*key, wire(run.len())));
                }
            }
        }
        self.length += searchable.body.len();
        self.sums.sort_by_key(|(key, _)| *key);
        for run in self.sums.chunk_by(|(one, _), (next, _)| one == next) {
            let Some((key, _)) = run.first() else {
                continue;
            };
            let sum: f64 = run.iter().map(|(_, frequency)| frequency).sum();
            self.mentions.push((*key, document, quantize(sum)));
        }
        self.sums.clear();
    }

    /// Ends a file, whose documents were added.
    pub(super) fn end_file(&mut self, file: u32) {
        self.counts.sort_unstable();
        for run in self.counts.chunk_by(|one, next| one.0 == next.0) {
            let Some((key, _)) = run.first() else {
                continue;
            };
            let count = run.iter().map(|(_, count)| count).sum();
            let frequency = FILE_TEXT.frequency(count, self.length);
            self.in_files.push((*key, file, quantize(frequency)));
        }
        self.counts.clear();
        self.length = 0;
    }

    /// Returns the indexes.
    pub(super) fn finish(self) -> InvertedIndexes {
        InvertedIndexes {
            documents: InvertedIndex::new(self.mentions),
            files: InvertedIndex::new(self.in_files),
        }
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
    fn new(mut mentions: Vec<(Key, u32, u16)>) -> Self {
        mentions.sort_unstable();
        let mut inverted = Self::default();
        for run in mentions.chunk_by(|one, next| one.0 == next.0) {
            let mut before = 0;
            for (_, document, steps) in run {
                write_leb128(&mut inverted.postings, document - before);
                write_leb128(&mut inverted.postings, u32::from(*steps));
                before = *document;
            }
            inverted.keys.extend(run.first().map(|(key, ..)| *key));
            inverted.ends.push(wire(inverted.postings.len()));
        }
        inverted
    }

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
    fn numbers_are_kept() {
        for number in [0, 1, 127, 128, 300, u32::MAX] {
            let mut bytes = Vec::new();
            write_leb128(&mut bytes, number);
            assert_eq!(read_leb128(&mut bytes.as_slice()), Some(number));
        }
        assert_eq!(read_leb128(&mut [0x80_u8].as_slice()), None);
    }
}
