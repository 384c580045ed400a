//! Removes directives within lists of C: `#define` or `#include` among the values of an array, and
//! every directive there. The grammar knows no directives in lists.

use crate::c_text::directive_len;
use crate::conditionals::skipped;
use crate::replaced_text::blank;

/// The nesting up to which braces are read, which bounds the memory.
const MAX_NESTING: usize = 64;

/// The place in a text, with what decides whether a brace opens a list.
#[derive(Default)]
struct Reader {
    /// The open braces: whether each opens a list.
    open: Vec<bool>,
    /// The last byte that is no space.
    last: u8,
    /// Whether the word `enum` stands before, in the same statement.
    is_enum: bool,
}

impl Reader {
    fn is_in_list(&self) -> bool {
        self.open.last().copied().unwrap_or_default()
    }

    fn read(&mut self, byte: u8) {
        match byte {
            b'{' => {
                let is_list = self.last == b'=' || self.is_enum || self.is_in_list();
                self.open.push(is_list);
            }
            b'}' => {
                self.open.pop();
            }
            _ => {}
        }
        if matches!(byte, b'{' | b'}' | b';' | b'(' | b')') {
            self.is_enum = false;
        }
        if !byte.is_ascii_whitespace() {
            self.last = byte;
        }
    }
}

/// Replaces directives within lists by spaces, so that every offset stays. Returns `None` if nothing
/// changes.
pub(crate) fn remove_list_directives(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let mut reader = Reader::default();
    let mut is_changed = false;
    let mut at = 0;
    while let Some(rest) = text.as_bytes().get(at..).filter(|rest| !rest.is_empty()) {
        if reader.open.len() > MAX_NESTING {
            return None;
        }
        if rest.starts_with(b"#") {
            let end = at + directive_len(rest);
            if reader.is_in_list() {
                blank(&mut bytes, at, end);
                is_changed = true;
            }
            at = end;
        } else if let Some(len) = skipped(rest) {
            at += len;
        } else if let Some(len) = word_len(rest) {
            reader.is_enum |= rest.get(..len) == Some(b"enum");
            reader.last = b'a';
            at += len;
        } else {
            reader.read(rest.first().copied().unwrap_or_default());
            at += 1;
        }
    }
    let changed = is_changed.then(|| String::from_utf8(bytes).ok());
    changed.flatten()
}

fn word_len(text: &[u8]) -> Option<usize> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let len = text.iter().take_while(|byte| is_part(byte)).count();
    (len > 0).then_some(len)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by a panic")]
mod tests {
    use super::remove_list_directives;

    #[test]
    fn directives_in_lists_become_spaces() {
        let text =
            "int a[] = {\n#include \"b.h\"\n  1, {\n#if C\n2}\n};\nenum d { E,\n#undef F\n};\n";
        let kept =
            "int a[] = {\n              \n  1, {\n     \n2}\n};\nenum d { E,\n        \n};\n";
        assert_eq!(remove_list_directives(text).unwrap(), kept);
    }

    #[test]
    fn other_directives_stay() {
        for text in [
            "#define A {\nint f(void) {\n#if B\n  g(\"{\"); // = {\n#endif\n}\n",
            "struct s {\n#include \"b.h\"\n};\nenum e f(void) {\n#if B\n#endif\n}\n",
        ] {
            assert_eq!(remove_list_directives(text), None, "{text}");
        }
    }
}
