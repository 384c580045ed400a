//! What a macro stands for, if that is what a function returns: `make(a)` of
//! `#define MAKE(a) (make(a))`.

use super::namespaces::dotted;
use crate::value_text::ValueText;

/// The maximum length of a macro that is read, in bytes.
const MAX_LENGTH: usize = 2_000;

/// Returns the value of the text of a macro: a call, also one in parentheses, or one that a
/// declaration assigns.
pub(super) fn result_of(text: &str) -> Option<ValueText> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let text = text.replace('\\', " ");
    let assigned = text.rsplit_once(" = ").map(|(_, value)| value);
    let call = without_parentheses(assigned.unwrap_or(&text));
    let open = call.find('(')?;
    let (name, arguments) = call.split_at_checked(open)?;
    let name = name.trim_end();
    let is_name = |letter: char| letter.is_alphanumeric() || "_:".contains(letter);
    let is_called = !name.is_empty() && name.chars().all(is_name);
    let is_whole = closing(arguments) == Some(arguments.len() - 1);
    let value = (is_called && is_whole).then(|| ValueText::call(dotted(name)))?;
    value.within_limit()
}

/// Removes the parentheses around a whole text.
fn without_parentheses(text: &str) -> &str {
    let mut text = text.trim();
    while closing(text).is_some_and(|end| end + 1 == text.len()) {
        let inside = text.get(1..text.len() - 1);
        text = inside.unwrap_or_default().trim();
    }
    text
}

/// Returns the offset of the parenthesis that closes the one at the start of a text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then_some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_results() {
        let path = |text| result_of(text).map(ValueText::into_path);
        assert_eq!(path("make(a)").as_deref(), Some("make()"));
        assert_eq!(path("(::a::make((a), b))").as_deref(), Some("a.make()"));
        let declared = "static ::a::B* \\\n b##n = \\\n (::a::make(n))";
        assert_eq!(path(declared).as_deref(), Some("a.make()"));
        for other in [
            "",
            "(",
            "a",
            "make(a) + 1",
            "make(a)(b)",
            "(a)(b)",
            "a < make(a)",
        ] {
            assert_eq!(path(other), None, "{other}");
        }
    }
}
