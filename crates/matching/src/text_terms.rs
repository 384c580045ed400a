//! The terms of a text, for an index in which queries count them without the text.
//!
//! The counts equal those of [`Terms::counts`](crate::terms::Terms::counts) for the subwords and
//! the names of a query.

use std::collections::{HashMap, HashSet};

use crate::declarations::{exactness, is_declared};
use crate::identifiers::{self, fold_case};
use crate::stem::stem;

/// The length in bytes from which a word is counted as a name. Nearly all names of several subwords
/// are longer.
pub const MIN_WORD: usize = 6;

/// The terms of a text.
///
/// # Examples
///
/// ```
/// use ragnav_matching::text_terms::TextTerms;
///
/// let terms = TextTerms::of("get_user(user)");
/// assert_eq!((terms.counts["get"], terms.counts["user"]), (1, 2));
/// // Only words of at least six bytes are counted as names.
/// assert_eq!(terms.words.into_iter().collect::<Vec<_>>(), [("get_user".to_owned(), 1)]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextTerms {
    /// The number of occurrences of each stem.
    pub counts: HashMap<String, u32>,
    /// The stems in words that the text seems to declare, each with the largest
    /// [`exactness`](crate::declarations::exactness).
    pub declared: HashMap<String, u32>,
    /// The number of occurrences of each word of at least [`MIN_WORD`] bytes, in lower case and
    /// without the underscores around it.
    pub words: HashMap<String, u32>,
}

impl TextTerms {
    /// Counts the terms of a text.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::text_terms::TextTerms;
    ///
    /// let terms = TextTerms::of("def get_caches(): return caching");
    /// assert_eq!(terms.counts["cach"], 2);
    /// assert!(terms.declared["cach"] > terms.declared["get"]);
    /// ```
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut words: HashMap<&str, u32> = HashMap::new();
        let mut declared: HashSet<&str> = HashSet::new();
        for at in identifiers::words(text) {
            let word = text.get(at.clone()).unwrap_or_default();
            *words.entry(word).or_default() += 1;
            if is_declared(text, &at) {
                declared.insert(word);
            }
        }
        let mut terms = Self::default();
        let mut runs: HashMap<&str, u32> = HashMap::new();
        for (word, count) in words {
            for run in identifiers::runs(word) {
                *runs.entry(word.get(run).unwrap_or_default()).or_default() += count;
            }
            let bare = word.trim_matches('_');
            if bare.len() >= MIN_WORD {
                *terms.words.entry(folded(bare)).or_default() += count;
            }
        }
        for (run, count) in runs {
            for part in parts(run) {
                *terms.counts.entry(part.stem).or_default() += count;
            }
        }
        for word in declared {
            terms.add_declared(word);
        }
        terms
    }

    fn add_declared(&mut self, word: &str) {
        for run in identifiers::runs(word) {
            for part in parts(word.get(run).unwrap_or_default()) {
                let known = self.declared.entry(part.stem).or_default();
                *known = exactness(part.text, word).max(*known);
            }
        }
    }
}

/// A part of a run of letters and digits that a query can find.
struct Part<'t> {
    text: &'t str,
    stem: String,
}

impl<'t> Part<'t> {
    fn new(text: &'t str) -> Self {
        let stem = stem(&folded(text)).into_owned();
        Self { text, stem }
    }
}

/// Returns the subwords of a run, and the run itself if it has several.
///
/// A run with the stem of its first subword is left out: a query finds the subword there, and counts
/// the place once.
fn parts(run: &str) -> Vec<Part<'_>> {
    // Most runs are plain words, which need no look at each letter's neighbours.
    if run.bytes().all(|letter| letter.is_ascii_lowercase()) {
        return vec![Part::new(run)];
    }
    let mut parts: Vec<_> = identifiers::subwords(run)
        .map(|subword| Part::new(run.get(subword).unwrap_or_default()))
        .collect();
    let whole = Part::new(run);
    let is_other = parts.first().is_some_and(|first| first.stem != whole.stem);
    if parts.len() > 1 && is_other {
        parts.push(whole);
    }
    parts
}

fn folded(text: &str) -> String {
    text.chars().map(fold_case).collect()
}
