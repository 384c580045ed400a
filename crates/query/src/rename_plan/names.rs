//! What a symbol may be named.

use super::refusal::{Refusal, RefusalReason};

/// The longest name, in bytes.
const MAX_NAME: usize = 1_000;

/// Reports whether a text can be a name: `total`, `_x1`, `$el`, `valid?`.
pub(super) fn is_name(text: &str) -> bool {
    let own = text.strip_suffix(['?', '!', '=']).unwrap_or(text);
    let own = own.strip_prefix('#').unwrap_or(own);
    let mut letters = own.chars();
    let is_mark = |letter: char| letter == '_' || letter == '$';
    let starts = letters
        .next()
        .is_some_and(|first| first.is_alphabetic() || is_mark(first));
    starts
        && text.len() <= MAX_NAME
        && letters.all(|letter| letter.is_alphanumeric() || is_mark(letter))
}

/// Returns the refusal for a name that its language gives a meaning: `__init__`, `constructor`.
pub(super) fn reserved(name: &str, new_name: &str) -> Option<Refusal> {
    let is_special = |name: &str| {
        let is_dunder = name.len() > 4 && name.starts_with("__") && name.ends_with("__");
        is_dunder || name == "constructor" || name == "initialize"
    };
    if name == new_name {
        let message = format!("The symbol is named `{name}` already.");
        return Some(Refusal::new(RefusalReason::NameTaken, message));
    }
    let special = [name, new_name];
    let special = special.into_iter().find(|name| is_special(name))?;
    let message = format!("The language calls `{special}` by itself.");
    Some(Refusal::new(RefusalReason::Reserved, message))
}
