//! How identifiers are taken apart: `getUserName`, `get_user_name` and `get-user-name` are `get`, `user`, `name`.
//!
//! A *word* is a run of letters, digits and underscores. Its *parts* are what people read it as: underscores divide,
//! and so does a change from a small letter to a capital (`userName`), from the last of several capitals to a small letter
//! (`HTTPServer` is `http`, `server`; the `s` of `URLs` belongs to the capitals), between digits and letters (`utf8`), and on
//! both sides of a letter of Chinese or Japanese, which are written without blanks.

use std::borrow::Cow;
use std::ops::Range;

/// A letter without its case, by Unicode's simple lower-casing.
///
/// Only ASCII becomes ASCII, so that a text of ASCII is searched as it is: the Kelvin sign is no `k`.
#[must_use]
pub fn fold(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_lowercase();
    }
    let mut lower = letter.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) if !one.is_ascii() => one,
        _ => letter,
    }
}

/// Whether a word may hold a letter.
#[must_use]
pub fn is_word_letter(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}

/// Where the words of a text stand, in bytes.
pub fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    runs(text, is_word_letter)
}

/// Where the parts of a text's words stand, in bytes.
pub fn parts(text: &str) -> impl Iterator<Item = Range<usize>> {
    runs(text, char::is_alphanumeric).flat_map(|run| {
        let mut start = run.start;
        let inside = text.get(run.clone()).unwrap_or_default().char_indices();
        let mut cuts: Vec<usize> = inside.map(|(at, _)| run.start + at).skip(1).collect();
        cuts.retain(|at| divides(text, *at));
        cuts.push(run.end);
        cuts.into_iter()
            .map(move |end| std::mem::replace(&mut start, end)..end)
    })
}

/// Whether a part begins or ends at a byte of a text, seen from the letters on both sides.
#[must_use]
pub fn divides(text: &str, at: usize) -> bool {
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

/// Whether what follows a capital makes it the first of a capitalised part: a small letter, but not the lone `s` of a plural.
fn begins_capitalised(mut after: std::str::Chars<'_>) -> bool {
    match (after.next(), after.next()) {
        (Some('s'), next) => next.is_some_and(char::is_lowercase),
        (Some(letter), _) => letter.is_lowercase(),
        (None, _) => false,
    }
}

/// Whether a letter is of a script that puts no blanks between its words.
fn is_unspaced(letter: char) -> bool {
    matches!(letter,
        '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

fn runs(text: &str, admits: fn(char) -> bool) -> impl Iterator<Item = Range<usize>> {
    let mut letters = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, _) = letters.find(|(_, letter)| admits(*letter))?;
        while letters.next_if(|(_, letter)| admits(*letter)).is_some() {}
        let end = letters.peek().map_or(text.len(), |(at, _)| *at);
        Some(start..end)
    })
}

/// A text without case, and the way back to where things stood before.
#[derive(Debug)]
pub struct Folded<'t> {
    /// The text without case.
    pub text: Cow<'t, str>,
    /// Behind which byte of `text` how many bytes are missing; less than none where there are more.
    shifts: Vec<(usize, isize)>,
}

impl<'t> Folded<'t> {
    /// A text as it is, for a search that needs no case taken away.
    #[must_use]
    pub fn as_is(text: &'t str) -> Self {
        Self {
            text: text.into(),
            shifts: Vec::new(),
        }
    }

    /// A text without case.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        if text.is_ascii() {
            return Self::as_is(text);
        }
        let mut folded = String::with_capacity(text.len());
        let mut shifts = Vec::new();
        let mut shift = 0;
        for letter in text.chars() {
            let small = fold(letter);
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

    /// Where a byte of the folded text stands in the text.
    #[must_use]
    pub fn origin(&self, at: usize) -> usize {
        let behind = self.shifts.partition_point(|(from, _)| *from <= at);
        let shift = behind.checked_sub(1).and_then(|last| self.shifts.get(last));
        at.saturating_add_signed(shift.map_or(0, |(_, shift)| *shift))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(word: &str) -> Vec<String> {
        let parts = parts(word).filter_map(|part| word.get(part));
        parts.map(|part| part.chars().map(fold).collect()).collect()
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
        let folded = Folded::new(text);
        assert_eq!(folded.text, "aßb\u{212a}ⱥcσ");
        for (letter, (at, _)) in text.chars().zip(folded.text.char_indices()) {
            let there = text.get(folded.origin(at)..).unwrap_or_default();
            assert!(there.starts_with(letter), "{letter} at {at}");
        }
        assert_eq!(folded.origin(folded.text.len()), text.len());
    }
}
