//! Repairs defaults of type parameters, as in `class A[T = int]`, which are newer than
//! tree-sitter-python 0.25: a default becomes a bound, or a part of it.
//!
//! Source: PEP 696, <https://peps.python.org/pep-0696/>.

use super::tokens::token_end;
use crate::replaced_text::ReplacedText;

/// The keywords before a name with type parameters.
const KEYWORDS: [&str; 3] = ["class", "def", "type"];

/// The maximum length of the type parameters of a statement, in bytes.
const MAX_LENGTH: usize = 4_000;

/// Replaces the `=` of defaults. Keeps every byte offset. Returns `None` if there are none.
pub(super) fn repair(text: &str) -> Option<String> {
    let mut repaired = ReplacedText::new(text);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(open) = open_bracket(line) {
            replace_defaults(text, start + open, &mut repaired);
        }
        start += line.len();
    }
    repaired.finish()
}

/// Returns the offset of the bracket that opens the type parameters of a statement.
fn open_bracket(line: &str) -> Option<usize> {
    let statement = line.trim_start();
    let statement = statement.strip_prefix("async ").unwrap_or(statement);
    let mut rests = KEYWORDS.iter().map(|word| statement.strip_prefix(word));
    let name = rests.find_map(|rest| rest?.strip_prefix(' '))?.trim_start();
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let rest = name.trim_start_matches(is_name);
    let bracket = rest.trim_start_matches([' ', '\t']);
    (rest.len() < name.len() && bracket.starts_with('[')).then(|| line.len() - bracket.len())
}

fn replace_defaults(text: &str, open: usize, repaired: &mut ReplacedText<'_>) {
    let end = text.len().min(open + MAX_LENGTH);
    let bytes = text.as_bytes().get(..end).unwrap_or_default();
    let mut depth = 0_usize;
    let mut has_bound = false;
    let mut at = open;
    while let Some(&byte) = bytes.get(at) {
        match (byte, depth) {
            (b'[' | b'(' | b'{', _) => depth += 1,
            (b']' | b')' | b'}', 0 | 1) => return,
            (b']' | b')' | b'}', _) => depth -= 1,
            (b',', 1) => has_bound = false,
            (b':', 1) => has_bound = true,
            (b'=', 1) => repaired.put(at, if has_bound { b"|" } else { b":" }),
            _ => {}
        }
        at = token_end(bytes, at);
    }
}

#[cfg(test)]
mod tests {
    use super::repair;

    #[test]
    fn defaults_become_bounds() {
        for (text, repaired) in [
            ("class A[T = int]: pass\n", "class A[T : int]: pass\n"),
            (
                "type A[T: (int, str) = str, *U] = list[T]\n",
                "type A[T: (int, str) | str, *U] = list[T]\n",
            ),
            (
                "async def f[\n    T = dict[str, int],  # = 3\n](a=1): pass\n",
                "async def f[\n    T : dict[str, int],  # = 3\n](a=1): pass\n",
            ),
        ] {
            assert_eq!(repair(text).as_deref(), Some(repaired));
        }
        for text in [
            "class A[T]: b = 1\n",
            "def f(a=[1]): pass\n",
            "type[a] = 3\n",
            "class A[",
        ] {
            assert_eq!(repair(text), None, "{text}");
        }
    }
}
