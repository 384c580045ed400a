//! Splitting identifiers into subwords: `getUserName`, `get_user_name` and `get-user-name` consist
//! of `get`, `user` and `name`.
//!
//! A *word* is a run of letters, digits and underscores. It splits into *subwords* at underscores,
//! at `userName`, at the last capital of `HTTPServer` (`http`, `server`) and between digits and
//! letters (`utf8`). The plural of `URLs` does not split. Chinese and Japanese characters are
//! subwords of their own, since these scripts put no blanks between words.

use std::borrow::Cow;
use std::ops::Range;

/// Returns the lower case of a character, by Unicode's simple case mapping.
///
/// Only ASCII maps to ASCII, so that an ASCII query can search a text without folding it: the
/// Kelvin sign does not become `k`.
///
/// # Examples
///
/// ```
/// use ragnav_matching::identifiers::fold_case;
///
/// assert_eq!((fold_case('K'), fold_case('É')), ('k', 'é'));
/// // The Kelvin sign.
/// assert_ne!(fold_case('\u{212a}'), 'k');
/// ```
#[must_use]
pub fn fold_case(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_lowercase();
    }
    let mut lower = letter.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) if !one.is_ascii() => one,
        _ => letter,
    }
}

/// Reports whether a character can be part of a word.
///
/// # Examples
///
/// ```
/// use ragnav_matching::identifiers::is_word_char;
///
/// assert!(is_word_char('é') && is_word_char('_'));
/// assert!(!is_word_char('-') && !is_word_char('.'));
/// ```
#[must_use]
pub fn is_word_char(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}

/// Returns the byte ranges of the words of a text.
///
/// # Examples
///
/// ```
/// use ragnav_matching::identifiers::words;
///
/// let text = "cart.add_item(42)";
/// assert_eq!(words(text).map(|at| &text[at]).collect::<Vec<_>>(), ["cart", "add_item", "42"]);
/// ```
#[must_use]
pub fn words(text: &str) -> Runs<'_> {
    Runs {
        text,
        end: 0,
        has_underscores: true,
    }
}

/// Returns the byte range of the word around some bytes of a text.
#[must_use]
pub(crate) fn word_around(text: &str, at: &Range<usize>) -> Range<usize> {
    let before = text.get(..at.start).unwrap_or_default();
    let after = text.get(at.end..).unwrap_or_default();
    let start = before.trim_end_matches(is_word_char).len();
    let end = text.len() - after.trim_start_matches(is_word_char).len();
    start..end
}

/// Returns the byte ranges of the subwords of a text.
///
/// # Examples
///
/// ```
/// let text = "HTTPServer";
/// let subwords = ragnav_matching::identifiers::subwords(text);
/// assert_eq!(subwords.map(|at| &text[at]).collect::<Vec<_>>(), ["HTTP", "Server"]);
/// ```
pub fn subwords(text: &str) -> impl Iterator<Item = Range<usize>> {
    runs(text).flat_map(move |run| {
        let mut start = run.start;
        std::iter::from_fn(move || {
            (start < run.end).then(|| {
                let end = subword_end(text, start);
                std::mem::replace(&mut start, end)..end
            })
        })
    })
}

/// Returns the byte ranges of the runs of letters and digits of a text.
pub(crate) fn runs(text: &str) -> Runs<'_> {
    Runs {
        text,
        end: 0,
        has_underscores: false,
    }
}

/// Returns the end of the subword that begins at a byte offset of a text.
pub(crate) fn subword_end(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default().char_indices();
    let mut ends = rest.skip(1).map(|(at, _)| start + at);
    ends.find(|end| is_subword_boundary(text, *end))
        .unwrap_or(text.len())
}

/// Returns the end of the run of letters and digits that begins at a byte offset of a text, unless
/// none begins there.
pub(crate) fn run_end(text: &str, start: usize) -> Option<usize> {
    let (before, rest) = (text.get(..start)?, text.get(start..)?);
    if before.ends_with(char::is_alphanumeric) {
        return None;
    }
    let length = rest.find(|letter: char| !letter.is_alphanumeric());
    Some(start + length.unwrap_or(rest.len()))
}

/// Reports whether a subword begins or ends at a byte offset of a text.
///
/// # Examples
///
/// ```
/// use ragnav_matching::identifiers::is_subword_boundary;
///
/// let text = "getUserName";
/// let boundaries = (0..=text.len()).filter(|at| is_subword_boundary(text, *at));
/// assert_eq!(boundaries.collect::<Vec<_>>(), [0, 3, 7, 11]);
/// ```
#[must_use]
pub fn is_subword_boundary(text: &str, at: usize) -> bool {
    let (Some(head), Some(tail)) = (text.get(..at), text.get(at..)) else {
        return false;
    };
    let mut after = tail.chars();
    let (Some(before), Some(letter)) = (head.chars().next_back(), after.next()) else {
        return true;
    };
    if !before.is_alphanumeric() || !letter.is_alphanumeric() {
        return true;
    }
    if before.is_numeric() != letter.is_numeric() || is_unspaced(before) || is_unspaced(letter) {
        return true;
    }
    if !letter.is_uppercase() {
        return false;
    }
    !before.is_uppercase() || begins_capitalised(after)
}

/// Reports whether the characters behind a capital make it the start of a subword. A lower-case
/// letter does, but not the `s` of a plural such as `URLs`.
fn begins_capitalised(mut after: std::str::Chars<'_>) -> bool {
    match (after.next(), after.next()) {
        (Some('s'), next) => next.is_some_and(char::is_lowercase),
        (Some(letter), _) => letter.is_lowercase(),
        (None, _) => false,
    }
}

/// Reports whether the character's script puts no blanks between words.
fn is_unspaced(letter: char) -> bool {
    matches!(letter,
        '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// An iterator over the byte ranges of the words of a text, or of its runs of letters and digits.
///
/// # Examples
///
/// ```
/// let mut words = ragnav_matching::identifiers::words("a, b");
/// assert_eq!((words.next(), words.next(), words.next()), (Some(0..1), Some(3..4), None));
/// ```
#[derive(Debug, Clone)]
pub struct Runs<'t> {
    text: &'t str,
    /// The end of the last run.
    end: usize,
    /// Whether underscores belong to the runs, as they do to words.
    has_underscores: bool,
}

impl Runs<'_> {
    /// Returns the offset of the next letter that belongs to a run, or of the next that does not.
    /// Returns the end of the text if there is none.
    fn offset_of(&self, start: usize, is_wanted: bool) -> usize {
        let mut at = start;
        loop {
            let rest = self.text.as_bytes().get(at..).unwrap_or_default();
            // Most letters are ASCII, of which the byte tells all.
            let is_of_run =
                |byte: &u8| byte.is_ascii_alphanumeric() || (*byte == b'_' && self.has_underscores);
            let other = if is_wanted {
                let is_stop = |byte: &u8| is_of_run(byte) || !byte.is_ascii();
                rest.iter().position(is_stop)
            } else {
                rest.iter().position(|byte| !is_of_run(byte))
            };
            at += other.unwrap_or(rest.len());
            let letter = self.text.get(at..).and_then(|rest| rest.chars().next());
            match letter {
                Some(letter) if self.admits(letter) != is_wanted => at += letter.len_utf8(),
                _ => return at,
            }
        }
    }

    fn admits(&self, letter: char) -> bool {
        letter.is_alphanumeric() || (self.has_underscores && letter == '_')
    }
}

impl Iterator for Runs<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.offset_of(self.end, true);
        self.end = self.offset_of(start, false);
        (start < self.end).then_some(start..self.end)
    }
}

/// A case-folded text that maps its byte offsets to those of the original.
///
/// # Examples
///
/// ```
/// use ragnav_matching::identifiers::FoldedText;
///
/// // `İ` has two bytes, and its lower case `i̇` three.
/// let folded = FoldedText::new("İstanbul CAFÉ");
/// let at = folded.text.find("café").unwrap();
/// assert_eq!(&"İstanbul CAFÉ"[folded.original_offset(at)..], "CAFÉ");
/// ```
#[derive(Debug)]
pub struct FoldedText<'t> {
    /// The case-folded text.
    pub text: Cow<'t, str>,
    /// For each change of the difference between original and folded offsets: the folded offset
    /// from which it applies, and the difference.
    shifts: Vec<(usize, isize)>,
}

impl<'t> FoldedText<'t> {
    /// Wraps a text without folding it, for a search that ignores only the case of ASCII.
    #[must_use]
    pub(crate) fn without_folding(text: &'t str) -> Self {
        Self {
            text: text.into(),
            shifts: Vec::new(),
        }
    }

    /// Folds the case of a text.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::identifiers::FoldedText;
    ///
    /// assert_eq!(FoldedText::new("CAFÉ").text, "café");
    /// // A search ignores the case of ASCII by itself.
    /// assert_eq!(FoldedText::new("getUser").text, "getUser");
    /// ```
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        if text.is_ascii() {
            return Self::without_folding(text);
        }
        let mut folded = String::with_capacity(text.len());
        let mut shifts = Vec::new();
        let mut shift = 0;
        for letter in text.chars() {
            let small = fold_case(letter);
            folded.push(small);
            if small.len_utf8() != letter.len_utf8() {
                shift += letter.len_utf8().cast_signed() - small.len_utf8().cast_signed();
                shifts.push((folded.len(), shift));
            }
        }
        Self {
            text: folded.into(),
            shifts,
        }
    }

    /// Returns the byte offset in the original text of an offset in the folded text.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::identifiers::FoldedText;
    ///
    /// // `Ⱥ` has two bytes, and its lower case `ⱥ` three.
    /// let folded = FoldedText::new("ȺB");
    /// assert_eq!(folded.text, "ⱥb");
    /// assert_eq!(folded.original_offset(3), 2);
    /// ```
    #[must_use]
    pub fn original_offset(&self, at: usize) -> usize {
        let behind = self.shifts.partition_point(|(from, _)| *from <= at);
        let shift = behind.checked_sub(1).and_then(|last| self.shifts.get(last));
        at.saturating_add_signed(shift.map_or(0, |(_, shift)| *shift))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(word: &str) -> Vec<String> {
        let parts = subwords(word).filter_map(|part| word.get(part));
        parts
            .map(|part| part.chars().map(fold_case).collect())
            .collect()
    }

    #[test]
    fn identifiers_are_read_as_people_read_them() {
        for (word, expected) in [
            ("getUserName", &["get", "user", "name"][..]),
            ("GetUserName", &["get", "user", "name"]),
            ("get_user_name", &["get", "user", "name"]),
            ("get-user.name", &["get", "user", "name"]),
            ("GET_USER", &["get", "user"]),
            ("HTTPServer", &["http", "server"]),
            ("parseURLs", &["parse", "urls"]),
            ("IDs", &["ids"]),
            ("URLsafe", &["ur", "lsafe"]),
            ("utf8Decode", &["utf", "8", "decode"]),
            ("__init__", &["init"]),
            ("x", &["x"]),
            ("ÄrgerÜber", &["ärger", "über"]),
            ("ΑΒΓδε", &["αβ", "γδε"]),
            ("検索API", &["検", "索", "api"]),
            ("_", &[]),
            ("", &[]),
        ] {
            assert_eq!(split(word), expected, "{word}");
        }
    }

    #[test]
    fn folding_knows_the_way_back() {
        let text = "aẞb\u{212a}ȺcΣ";
        let folded = FoldedText::new(text);
        assert_eq!(folded.text, "aßb\u{212a}ⱥcσ");
        for (letter, (at, _)) in text.chars().zip(folded.text.char_indices()) {
            let there = text.get(folded.original_offset(at)..).unwrap_or_default();
            assert!(there.starts_with(letter), "{letter} at {at}");
        }
        assert_eq!(folded.original_offset(folded.text.len()), text.len());
    }
}
