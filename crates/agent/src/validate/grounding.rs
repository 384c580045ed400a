//! Grounding: checking that the question contains a filter's value. Language models invent tags and
//! folders, which must not filter anything.

/// Returns the words of a text: runs of letters and digits, in lower case.
#[must_use]
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Reports whether a text contains the words of a value in sequence, in any case and with any
/// punctuation between them. The last word may be a plural in either. For scripts without spaces,
/// the characters are compared.
#[must_use]
pub(crate) fn occurs(value: &str, text: &str) -> bool {
    let sought = words(value);
    let Some((last, first)) = sought.split_last() else {
        // Punctuation alone, such as `->`, has no words.
        return !value.trim().is_empty() && text.contains(value.trim());
    };
    let there = words(text);
    let found = there.windows(sought.len()).any(|window| {
        window
            .split_last()
            .is_some_and(|(end, begin)| begin == first && is_form_of(end, last))
    });
    found
        || (value.chars().any(has_no_spaces) && text.to_lowercase().contains(&value.to_lowercase()))
}

/// Returns the known value with the same words, if it is unique.
pub(super) fn find_known_value<'a>(value: &str, values: &'a [String]) -> Option<&'a String> {
    let exact = values.iter().find(|known| *known == value);
    exact.or_else(|| {
        let sought = words(value);
        let mut same = values.iter().filter(|known| words(known) == sought);
        same.next().filter(|_| !sought.is_empty())
    })
}

fn is_form_of(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    // A short word with a plural ending looks like another word: `a` and `as`.
    let ending = long.strip_prefix(short);
    ending == Some("") || (short.chars().count() > 2 && matches!(ending, Some("s" | "es")))
}

/// Reports whether a character belongs to a script without spaces, such as Chinese or Thai.
fn has_no_spaces(letter: char) -> bool {
    matches!(
        letter,
        '\u{0E00}'..='\u{0EFF}'
            | '\u{1000}'..='\u{109F}'
            | '\u{1780}'..='\u{17FF}'
            | '\u{2E80}'..='\u{9FFF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_occur() {
        for (value, text) in [
            ("project-hydra", "files tagged 'project-hydra'."),
            ("Project Hydra", "notes on project-hydra"),
            ("function", "list all functions"),
            ("%.py", "all .py files"),
            ("src/agent/", "what is in src/agent?"),
            ("安全", "关于安全的笔记"),
            ("C++", "written in c++"),
        ] {
            assert!(occurs(value, text), "{value} in {text}");
        }
    }

    #[test]
    fn values_that_do_not() {
        for (value, text) in [
            ("art", "start of the project"),
            ("a", "as it is"),
            ("hydra project", "project hydra"),
            ("security", ""),
            ("", "anything"),
            ("->", "anything"),
        ] {
            assert!(!occurs(value, text), "{value} in {text}");
        }
    }
}
