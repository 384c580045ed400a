//! Names that look like those of macros.

/// The shortest name of a macro. Template parameters are shorter.
const MIN_NAME: usize = 3;

/// Reports whether a word has only capital letters, digits and underscores, as macros do.
pub(super) fn is_macro_name(word: &str) -> bool {
    let mut letters = word.bytes();
    word.len() >= MIN_NAME
        && letters
            .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == b'_')
        && word.bytes().any(|letter| letter.is_ascii_uppercase())
}
