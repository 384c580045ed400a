//! The terms of a file: how often its text has each stem and word, and which stems are in words
//! that it seems to declare.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};

use crate::postings::PostingKey;
use ragnav_base::hash::HashMap;
use ragnav_base::position::wire;
use ragnav_matching::terms_in_text::{MAX_COUNT, ranked_length};
use ragnav_matching::text_terms::{Occurrences, WordTerms, count_words};

/// The number of different stems above which the terms of a text are not indexed. Such a text is
/// data, and a query reads it.
const MAX_FILE_TERMS: usize = 1 << 13;

/// The number of words whose keys are remembered, and the length of the longest, in bytes.
/// Together they bound the memory.
const MAX_WORDS: usize = 1 << 15;
const MAX_WORD_BYTES: usize = 64;

thread_local! {
    /// The keys of words. Files repeat their words, and a lookup takes less time than splitting and
    /// stemming.
    static KNOWN: RefCell<HashMap<Box<str>, WordKeys>> = RefCell::default();
}

/// Returns the key of the texts with a stem.
pub(crate) fn stem_key(stem: &str) -> PostingKey {
    PostingKey::of(stem)
}

/// Returns the key of the texts that seem to declare a word with a stem. No stem contains a blank.
pub(crate) fn declared_key(stem: &str) -> PostingKey {
    PostingKey::of(&format!("declare {stem}"))
}

/// Returns the key of the texts with a word. No stem contains a blank.
pub(crate) fn word_key(word: &str) -> PostingKey {
    PostingKey::of(&format!("word {word}"))
}

/// The terms of a file.
///
/// # Examples
///
/// ```
/// use ragnav_index::file_terms::FileTerms;
///
/// // Case and order do not matter.
/// assert_eq!(FileTerms::of("Cart total"), FileTerms::of("total cart"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileTerms {
    /// The [length](ranked_length) of the text; 0 for a text without words.
    pub(crate) length: u32,
    /// The count of each term, or the exactness with which it is declared, by key.
    pub(crate) counts: Vec<(PostingKey, u32)>,
}

impl FileTerms {
    /// Counts the terms of a text. Returns `None` for a text with too many different stems.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::file_terms::FileTerms;
    ///
    /// assert!(FileTerms::of("def total(): return 0\n").is_some());
    /// let words: Vec<String> = (0..10_000).map(|number| format!("word{number}")).collect();
    /// assert!(FileTerms::of(&words.join(" ")).is_none());
    /// ```
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let mut counts = Counts::default();
        for (word, occurrences) in count_words(text) {
            with_keys(word, |keys| counts.add(keys, occurrences));
        }
        let counts = counts.merged()?;
        let length = if counts.is_empty() {
            0
        } else {
            wire(ranked_length(text))
        };
        Some(Self { length, counts })
    }
}

/// The keys of a word.
struct WordKeys {
    stems: Box<[StemKeys]>,
    name: Option<PostingKey>,
}

/// The keys of a stem in a word.
struct StemKeys {
    stem: PostingKey,
    declared: PostingKey,
    /// The share of the word that the stem's part of it takes.
    exactness: u32,
}

impl WordKeys {
    fn new(word: &str) -> Self {
        let WordTerms { stems, name } = WordTerms::of(word);
        let keys = stems.iter().map(|(stem, exactness)| StemKeys {
            stem: stem_key(stem),
            declared: declared_key(stem),
            exactness: *exactness,
        });
        Self {
            stems: keys.collect(),
            name: name.map(|name| word_key(&name)),
        }
    }
}

/// Finds the keys of a word among those of earlier words, or computes them.
fn with_keys(word: &str, found: impl FnOnce(&WordKeys)) {
    if word.len() > MAX_WORD_BYTES {
        return found(&WordKeys::new(word));
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(keys) = known.get(word) {
            return found(keys);
        }
        if known.len() >= MAX_WORDS {
            known.clear();
        }
        found(known.entry(word.into()).or_insert(WordKeys::new(word)));
    });
}

/// What the words of a text add to the count of each key, in any order.
#[derive(Default)]
struct Counts {
    stems: Vec<(PostingKey, u32)>,
    declared: Vec<(PostingKey, u32)>,
    names: Vec<(PostingKey, u32)>,
}

impl Counts {
    fn add(&mut self, keys: &WordKeys, Occurrences { count, is_declared }: Occurrences) {
        let stems = keys.stems.iter();
        self.stems
            .extend(stems.clone().map(|keys| (keys.stem, count)));
        if is_declared {
            let declared = stems.map(|keys| (keys.declared, keys.exactness));
            self.declared.extend(declared);
        }
        self.names.extend(keys.name.map(|name| (name, count)));
    }

    /// Returns one count a key, sorted. Returns `None` if there are too many different stems.
    fn merged(self) -> Option<Vec<(PostingKey, u32)>> {
        let mut counts = merged(self.stems, u32::saturating_add);
        if counts.len() > MAX_FILE_TERMS {
            return None;
        }
        counts.extend(merged(self.declared, u32::max));
        counts.extend(merged(self.names, u32::saturating_add));
        let mut counts = merged(counts, u32::min);
        for (_, count) in &mut counts {
            *count = MAX_COUNT.min(*count);
        }
        Some(counts)
    }
}

/// Sorts counts, and merges those of equal keys.
fn merged(
    mut counts: Vec<(PostingKey, u32)>,
    merge: fn(u32, u32) -> u32,
) -> Vec<(PostingKey, u32)> {
    counts.sort_unstable();
    counts.dedup_by(|(key, count), (first, sum)| {
        let is_same = key == first;
        if is_same {
            *sum = merge(*sum, *count);
        }
        is_same
    });
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_not_indexed() {
        let numbers: Vec<String> = (0..=MAX_FILE_TERMS).map(|at| at.to_string()).collect();
        assert_eq!(FileTerms::of(&numbers.join(" ")), None);
    }

    #[test]
    fn words_are_known_however_many_and_however_long() {
        let long = "a".repeat(MAX_WORD_BYTES + 1);
        let first = FileTerms::of(&long);
        for number in 0..=MAX_WORDS {
            with_keys(&format!("number{number}"), |keys| {
                assert!(keys.name.is_some());
            });
        }
        KNOWN.with_borrow(|known| assert!(known.len() <= MAX_WORDS));
        assert_eq!(FileTerms::of(&long), first);
    }
}
