//! What a symbol may be named.

use ragnav_base::path::RepoPath;

use crate::edit_plan::{Refusal, RefusalReason};

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
pub(super) fn reserved(path: &RepoPath, name: &str, new_name: &str) -> Option<Refusal> {
    if name == new_name {
        let message = format!("The symbol is named `{name}` already.");
        return Some(Refusal::new(RefusalReason::NameTaken, message));
    }
    let language = ragnav_syntax::detect_language(path)?.name;
    let names = [name, new_name];
    let special = names.into_iter().find(|name| has_meaning(language, name))?;
    let message = format!("The language calls `{special}` by itself.");
    Some(Refusal::new(RefusalReason::Reserved, message))
}

/// Reports whether a language calls what has a name by itself.
fn has_meaning(language: &str, name: &str) -> bool {
    match language {
        "python" => name.len() > 4 && name.starts_with("__") && name.ends_with("__"),
        "php" => name.starts_with("__"),
        "ruby" => name == "initialize",
        "javascript" | "typescript" | "tsx" => name == "constructor",
        _ => false,
    }
}
