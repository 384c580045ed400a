//! A text of spaces into which code is copied.

use std::ops::Range;

/// A text as long as another one in bytes: code of that text, and spaces and line breaks.
#[derive(Clone)]
pub(super) struct BlankedText<'t> {
    text: &'t str,
    bytes: Vec<u8>,
}

impl<'t> BlankedText<'t> {
    /// Replaces everything but line breaks by spaces.
    pub(super) fn new(text: &'t str) -> Self {
        let blank = |byte: u8| {
            if matches!(byte, b'\n' | b'\r') {
                byte
            } else {
                b' '
            }
        };
        Self {
            text,
            bytes: text.bytes().map(blank).collect(),
        }
    }

    /// Copies a range of the text, which must start and end between characters.
    pub(super) fn keep(&mut self, range: Range<usize>) {
        let code = self.text.get(range.clone());
        if let (Some(code), Some(blank)) = (code, self.bytes.get_mut(range)) {
            blank.copy_from_slice(code.as_bytes());
        }
    }

    /// Puts other code at the place of blanks.
    pub(super) fn put(&mut self, at: usize, code: &str) {
        if let Some(blank) = self.bytes.get_mut(at..at + code.len()) {
            blank.copy_from_slice(code.as_bytes());
        }
    }

    pub(super) fn finish(self) -> Option<String> {
        String::from_utf8(self.bytes).ok()
    }
}
