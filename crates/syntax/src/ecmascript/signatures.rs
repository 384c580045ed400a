//! Repairs signatures that mislead the grammar.
//!
//! In TypeScript type arguments must start on the line of their type. A line of an interface that
//! begins with `<` is thus a signature, and the line before needs no `;`. tree-sitter-typescript
//! 0.23 reads it as type arguments of the line before. If they cannot be any, it loses the whole
//! interface.

/// The maximum length of the type parameters, in characters.
const MAX_PARAMETERS: usize = 10_000;

/// The number of characters that may be read again for each byte of a text.
const MAX_REREAD: usize = 4;

/// Puts a `;` into the indentation of each such signature. Keeps every byte offset.
///
/// Returns `None` if there is none.
pub(super) fn repair(text: &str) -> Option<String> {
    let mut repaired = String::new();
    let mut copied = 0;
    let mut before = "";
    let mut start = 0;
    let mut left = MAX_PARAMETERS + MAX_REREAD * text.len();
    for line in text.split_inclusive('\n') {
        let code = line.trim_start();
        let indentation = line.len() - code.len();
        let at = start + indentation;
        if indentation > 0 && ends_type(before) && begins_signature(text, at, &mut left) {
            let blank = at - 1;
            repaired.push_str(text.get(copied..blank).unwrap_or_default());
            repaired.push(';');
            copied = blank + 1;
        }
        if !is_comment(code) {
            before = without_comment(code);
        }
        start += line.len();
    }
    if repaired.is_empty() {
        return None;
    }
    repaired.push_str(text.get(copied..).unwrap_or_default());
    // A whitespace character may have several bytes.
    (repaired.len() == text.len()).then_some(repaired)
}

fn is_comment(code: &str) -> bool {
    code.is_empty()
        || ["//", "/*", "*"]
            .iter()
            .any(|start| code.starts_with(start))
}

fn without_comment(code: &str) -> &str {
    let end = code.find(" //").unwrap_or(code.len());
    code.get(..end).unwrap_or(code).trim_end()
}

/// Reports whether a line ends with the type of a member, which may begin on a line before.
fn ends_type(line: &str) -> bool {
    let says_type = line.contains(':') || line.starts_with([')', '>', ']', '}']);
    let is_end = |letter: char| letter.is_alphanumeric() || "_$>])}'\"".contains(letter);
    says_type && line.ends_with(is_end)
}

/// Reports whether type parameters followed by parameters start at an offset, and reads no more
/// characters than are left.
fn begins_signature(text: &str, at: usize, left: &mut usize) -> bool {
    let Some(inside) = text.get(at..).and_then(|rest| rest.strip_prefix('<')) else {
        return false;
    };
    let mut depth = 1_usize;
    let mut last = '<';
    for (place, letter) in inside.char_indices().take(MAX_PARAMETERS.min(*left)) {
        *left -= 1;
        match letter {
            '<' => depth += 1,
            '>' if last != '=' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let end = inside.get(place + 1..).unwrap_or_default();
            return end.starts_with('(');
        }
        last = letter;
    }
    false
}
