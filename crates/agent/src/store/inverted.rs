//! From a term to the documents that hold it, so that a query does not look at all of them.
//!
//! What a document's mentions of a term come to (see [`bm25`](ragnav_matching::bm25)) is worked out when the document is put in: the
//! lengths of its fields are held against fixed ones, so it depends on nothing else. What terms are worth is worked out when they are asked for.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use ragnav_base::position::wire;
use ragnav_matching::fields::{BODY, NAME, PATH, QUALIFIER, SUMMARY};
use ragnav_matching::identifiers;

/// How finely frequencies are kept: so many steps for each whole one.
const STEPS: f64 = 16.0;
const MAX_STEPS: f64 = 65_535.0;

/// Shorter words have no endings worth taking off, in bytes.
const MIN_STEMMED: usize = 4;

/// A term as the index knows it: the low half of its hash. Two terms may share one, as rarely as 32 bits do.
pub(super) type Key = u32;

/// The texts of a document that are searched.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Searched<'d> {
    pub(super) name: &'d str,
    pub(super) qualifier: &'d str,
    pub(super) summary: &'d str,
    pub(super) body: &'d str,
    pub(super) path: &'d str,
}

/// The key of a term without case, and of all that share its stem: questions say `hashed` where code says `hash`.
pub(super) fn key(term: &str) -> Key {
    let [a, b, c, d, ..] = xxh3_64(stem(term).as_bytes()).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// The stem of an English word, by the Porter2 algorithm; anything else is its own.
fn stem(term: &str) -> Cow<'_, str> {
    if term.len() < MIN_STEMMED || !term.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(term);
    }
    Stemmer::create(Algorithm::English).stem(term)
}

/// Visits the terms of a text: the parts of each word, and a word of several parts as a whole.
fn visit(text: &str, mut each: impl FnMut(Key)) {
    let mut part = String::new();
    let mut whole = String::new();
    for word in identifiers::words(text) {
        let word = text.get(word).unwrap_or_default();
        whole.clear();
        let mut parts = 0;
        for at in identifiers::subwords(word) {
            part.clear();
            let letters = word.get(at).unwrap_or_default().chars();
            part.extend(letters.map(identifiers::fold_case));
            whole.push_str(&part);
            each(key(&part));
            parts += 1;
        }
        if parts > 1 {
            each(key(&whole));
        }
    }
}

/// What mentions of terms come to in some documents.
#[derive(Debug, Default)]
pub(super) struct InvertedBuilder {
    mentions: Vec<(Key, u32, u16)>,
    /// Of one document, kept for its memory.
    keys: Vec<Key>,
    sums: Vec<(Key, f64)>,
}

impl InvertedBuilder {
    /// Adds the next document.
    pub(super) fn add(&mut self, document: u32, searched: Searched<'_>) {
        let fields = [
            (NAME, searched.name),
            (QUALIFIER, searched.qualifier),
            (SUMMARY, searched.summary),
            (BODY, searched.body),
            (PATH, searched.path),
        ];
        for (field, text) in fields {
            self.keys.clear();
            let keys = &mut self.keys;
            visit(text, |key| keys.push(key));
            keys.sort_unstable();
            for run in keys.chunk_by(|one, next| one == next) {
                let Some(key) = run.first() else { continue };
                let frequency = field.frequency(wire(run.len()), text.len());
                self.sums.push((*key, frequency));
            }
        }
        self.sums.sort_by_key(|(key, _)| *key);
        for run in self.sums.chunk_by(|(one, _), (next, _)| one == next) {
            let Some((key, _)) = run.first() else {
                continue;
            };
            let sum: f64 = run.iter().map(|(_, frequency)| frequency).sum();
            self.mentions.push((*key, document, steps(sum)));
        }
        self.sums.clear();
    }

    /// The index of the documents.
    pub(super) fn finish(mut self) -> Inverted {
        self.mentions.sort_unstable();
        let mut inverted = Inverted::default();
        for run in self.mentions.chunk_by(|one, next| one.0 == next.0) {
            let mut before = 0;
            for (_, document, steps) in run {
                push(&mut inverted.postings, document - before);
                push(&mut inverted.postings, u32::from(*steps));
                before = *document;
            }
            inverted.keys.extend(run.first().map(|(key, ..)| *key));
            inverted.ends.push(wire(inverted.postings.len()));
        }
        inverted
    }
}

/// At least one: what is mentioned fits.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bounded on both sides"
)]
fn steps(frequency: f64) -> u16 {
    (frequency * STEPS).round().clamp(1.0, MAX_STEPS) as u16
}

/// From terms to documents. The postings of the `n`th of the sorted keys end at the `n`th of `ends`.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Inverted {
    keys: Vec<Key>,
    ends: Vec<u32>,
    /// Documents as their distance from the one before, and frequencies, in LEB128.
    #[serde(with = "serde_bytes")]
    postings: Vec<u8>,
}

impl Inverted {
    /// The documents that hold a term, in order, and what their mentions come to.
    pub(super) fn of(&self, key: Key) -> impl Iterator<Item = (u32, f64)> {
        let mut bytes = self.list(key).unwrap_or_default();
        let mut document = 0_u32;
        std::iter::from_fn(move || {
            document = document.checked_add(pull(&mut bytes)?)?;
            Some((document, f64::from(pull(&mut bytes)?) / STEPS))
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

fn push(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push((number & 0x7f) as u8);
}

fn pull(bytes: &mut &[u8]) -> Option<u32> {
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
        let mut builder = InvertedBuilder::default();
        for (document, name, body) in [(0, "getUser", "x"), (300, "b", "the user, the user")] {
            let searched = Searched {
                name,
                body,
                ..Searched::default()
            };
            builder.add(document, searched);
        }
        let inverted = builder.finish();
        let of = |term: &str| inverted.of(key(term)).map(|(document, _)| document);
        assert_eq!(of("user").collect::<Vec<_>>(), [0, 300]);
        assert_eq!(of("getuser").collect::<Vec<_>>(), [0]);
        assert_eq!(of("nothing").count(), 0);
        let frequencies: Vec<f64> = inverted.of(key("user")).map(|(_, often)| often).collect();
        assert!(frequencies.first() > frequencies.last());
    }

    #[test]
    fn numbers_are_kept() {
        for number in [0, 1, 127, 128, 300, u32::MAX] {
            let mut bytes = Vec::new();
            push(&mut bytes, number);
            assert_eq!(pull(&mut bytes.as_slice()), Some(number));
        }
        assert_eq!(pull(&mut [0x80_u8].as_slice()), None);
    }
}
