//! The words of a text and the terms of a word, for an index in which queries count them without
//! the text.
//!
//! The sums over a text equal the counts of [`Terms::counts`](crate::terms::Terms::counts) for the
//! subwords and the names of a query.

use ragnav_base::hash::HashMap;

use crate::declarations::{exactness, is_declared};
use crate::identifiers::{self, fold_case};
use crate::stem::stem;

/// The length in bytes from which a word is counted as a name. Nearly all names of several subwords
/// are longer.
pub const MIN_WORD: usize = 6;

/// The occurrences of a word in a text.
///
/// # Examples
///
/// ```
/// use ragnav_matching::text_terms::{Occurrences, count_words};
///
/// let once = Occurrences { count: 1, is_declared: false };
/// assert_eq!(count_words("return total")["total"], once);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Occurrences {
    /// Their number.
    pub count: u32,
    /// Whether the text seems to declare the word at one of them.
    pub is_declared: bool,
}

/// Counts the words of a text.
///
/// # Examples
///
/// ```
/// use ragnav_matching::text_terms::count_words;
///
/// let words = count_words("def total(): return total");
/// assert_eq!(words["total"].count, 2);
/// assert!(words["total"].is_declared && !words["return"].is_declared);
/// ```
#[must_use]
pub fn count_words(text: &str) -> HashMap<&str, Occurrences> {
    let mut words: HashMap<&str, Occurrences> = HashMap::default();
    for at in identifiers::words(text) {
        let word = words.entry(text.get(at.clone()).unwrap_or_default());
        let word = word.or_default();
        word.count += 1;
        word.is_declared |= is_declared(text, &at);
    }
    words
}

/// The terms of a word.
///
/// # Examples
///
/// ```
/// use ragnav_matching::text_terms::WordTerms;
///
/// let terms = WordTerms::of("get_caches");
/// let stems = terms.stems.iter().map(|(stem, _)| stem.as_str());
/// assert_eq!(stems.collect::<Vec<_>>(), ["get", "cach"]);
/// assert_eq!(terms.name.as_deref(), Some("get_caches"));
/// // Only words of at least six bytes are counted as names.
/// assert_eq!(WordTerms::of("cache").name, None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WordTerms {
    /// The stem of each part that a query can find, with the
    /// [`exactness`](crate::declarations::exactness) of the part. A stem occurs as often as the
    /// word has it.
    pub stems: Vec<(String, u32)>,
    /// The word in lower case and without the underscores around it, if that has at least
    /// [`MIN_WORD`] bytes.
    pub name: Option<String>,
}

impl WordTerms {
    /// Returns the terms of a word.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::text_terms::WordTerms;
    ///
    /// assert_eq!(WordTerms::of("_price").stems, [("price".to_owned(), 255)]);
    /// ```
    #[must_use]
    pub fn of(word: &str) -> Self {
        let runs = identifiers::runs(word).filter_map(|run| word.get(run));
        let parts = runs.flat_map(parts);
        let bare = word.trim_matches('_');
        Self {
            stems: parts
                .map(|part| (part.stem, exactness(part.text, word)))
                .collect(),
            name: (bare.len() >= MIN_WORD).then(|| folded(bare)),
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
