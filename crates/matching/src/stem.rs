//! The stems of English words.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

/// The shortest word that is stemmed, in bytes.
const MIN_STEMMED: usize = 4;

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
    let stem = Stemmer::create(Algorithm::English).stem(word);
    if word.starts_with(common_beginning(&stem)) {
        return stem;
    }
    Cow::Borrowed(word)
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
