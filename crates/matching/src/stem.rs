//! The stems of English words.

use std::borrow::Cow;
use std::cell::RefCell;

use ragnav_base::hash::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

/// The shortest word that is stemmed, in bytes.
const MIN_STEMMED: usize = 4;

/// The number of words whose stems are remembered, and the length of the longest, in bytes.
/// Together they bound the memory.
const MAX_WORDS: usize = 1 << 15;
const MAX_WORD_BYTES: usize = 64;

thread_local! {
    /// The stems of words: texts repeat them, and stemming takes longer than a lookup.
    static STEMS: RefCell<HashMap<Box<str>, Box<str>>> = RefCell::default();
}

/// Returns the stem of a lower-case English word; other words are unchanged.
///
/// Source: the Porter2 algorithm, <https://snowballstem.org/algorithms/english/stemmer.html>.
/// A word that does not begin as its stem does, such as `dying` of `die`, is its own stem here,
/// since an automaton finds the words of a stem by their beginning.
///
/// # Examples
///
/// ```
/// use ragnav_matching::stem::stem;
///
/// assert_eq!(stem("caching"), stem("caches"));
/// assert_eq!(stem("utf8"), "utf8");
/// ```
#[must_use]
pub fn stem(word: &str) -> Cow<'_, str> {
    if word.len() < MIN_STEMMED || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    if word.len() > MAX_WORD_BYTES {
        return compute_stem(word);
    }
    STEMS.with_borrow_mut(|stems| {
        if let Some(stem) = stems.get(word) {
            return beginning_or_copy(word, stem);
        }
        if stems.len() >= MAX_WORDS {
            stems.clear();
        }
        let stem = compute_stem(word);
        stems.insert(word.into(), stem.as_ref().into());
        stem
    })
}

fn compute_stem(word: &str) -> Cow<'_, str> {
    let stem = Stemmer::create(Algorithm::English).stem(word);
    if word.starts_with(common_beginning(&stem)) {
        return stem;
    }
    Cow::Borrowed(word)
}

/// Returns a stem as a part of its word, if it begins it.
fn beginning_or_copy<'w>(word: &'w str, stem: &str) -> Cow<'w, str> {
    match word.get(..stem.len()) {
        Some(beginning) if beginning == stem => Cow::Borrowed(beginning),
        _ => Cow::Owned(stem.to_owned()),
    }
}

/// Returns a beginning of all words with this stem.
///
/// A stem is not always the beginning of its words: those of `citi` are `city` and `cities`, one of
/// `hope` is `hoping`, and one of `sensibl` is `sensibility`.
pub(crate) fn common_beginning(stem: &str) -> &str {
    let shorter = stem
        .strip_suffix(['i', 'e', 'y'])
        .or_else(|| {
            stem.ends_with("bl")
                .then(|| stem.split_at(stem.len() - 1).0)
        })
        .unwrap_or(stem);
    if shorter.is_empty() { stem } else { shorter }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_as_their_stem_does() {
        for (word, expected) in [
            ("caching", "cach"),
            ("cities", "citi"),
            ("hoping", "hope"),
            ("hopping", "hop"),
            ("sensibility", "sensibl"),
            ("serialization", "serial"),
            ("dependency", "depend"),
            ("studies", "studi"),
            ("queries", "queri"),
            ("tied", "tie"),
            ("played", "play"),
            ("relational", "relat"),
        ] {
            assert_eq!(stem(word), expected);
            assert!(word.starts_with(common_beginning(expected)), "{word}");
        }
    }

    #[test]
    fn short_and_other_words_are_their_own_stem() {
        for word in ["", "i", "ids", "Caching", "utf8", "größen", "dying"] {
            assert_eq!(stem(word), word);
        }
    }
}
