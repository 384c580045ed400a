//! Signatures that mislead the grammar.
//!
//! In TypeScript type arguments stand on the line of their type: a line of an interface that begins with `<` is a signature of its
//! own, and what is before it needs no `;`. tree-sitter-typescript 0.23 takes the signature's type parameters for arguments of the
//! type before, and where these could be none the whole interface and what follows is lost.

/// Type parameters of more bytes are not looked for.
const MAX_PARAMETERS: usize = 1000;

/// A copy of the text with a `;` in the indentation of each such signature, so that no offset moves; `None` where there is none.
pub(super) fn mend(text: &str) -> Option<String> {
    let mut mended = String::new();
    let mut copied = 0;
    let mut before = "";
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim_start();
        let indentation = line.len() - code.len();
        if indentation > 0 && ends_type(before) && begins_signature(text, start + indentation) {
            let blank = start + indentation - 1;
            mended.push_str(text.get(copied..blank).unwrap_or_default());
            mended.push(';');
            copied = blank + 1;
        }
        if !is_comment(code) {
            before = without_comment(code);
        }
        start += line.len();
    }
    if mended.is_empty() {
        return None;
    }
    mended.push_str(text.get(copied..).unwrap_or_default());
    // A blank may be a letter of several bytes.
    (mended.len() == text.len()).then_some(mended)
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

/// Whether a line ends with the type of a member.
fn ends_type(line: &str) -> bool {
    let says_type = line.contains(':') || line.starts_with(')');
    let is_end = |letter: char| letter.is_alphanumeric() || "_$>])}'\"".contains(letter);
    says_type && line.ends_with(is_end)
}

/// Whether type parameters stand there with parameters behind them.
fn begins_signature(text: &str, at: usize) -> bool {
    let Some(inside) = text.get(at..).and_then(|rest| rest.strip_prefix('<')) else {
        return false;
    };
    let mut depth = 1_usize;
    let mut last = '<';
    for (place, letter) in inside.char_indices().take(MAX_PARAMETERS) {
        match letter {
            '<' => depth += 1,
            '>' if last != '=' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let behind = inside.get(place + 1..).unwrap_or_default();
            return behind.starts_with('(');
        }
        last = letter;
    }
    false
}
