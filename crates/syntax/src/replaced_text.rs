//! Replaces parts of a text before it is parsed. A replacement has the length of what it replaces, so
//! every offset stays.

use std::ops::Range;

/// A text with replacements. It is copied at the first one.
pub(crate) struct ReplacedText<'t> {
    text: &'t str,
    bytes: Option<Vec<u8>>,
}

impl<'t> ReplacedText<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, bytes: None }
    }

    /// Puts one byte in the place of others, but not of line ends.
    pub(crate) fn fill(&mut self, range: Range<usize>, by: u8) {
        fill(self.bytes(), range, by);
    }

    /// Puts bytes in the place of as many others.
    pub(crate) fn put(&mut self, start: usize, bytes: &[u8]) {
        let place = self.bytes().get_mut(start..start + bytes.len());
        if let Some(place) = place {
            place.copy_from_slice(bytes);
        }
    }

    /// Returns the text, or `None` if nothing was replaced.
    pub(crate) fn finish(self) -> Option<String> {
        String::from_utf8(self.bytes?).ok()
    }

    fn bytes(&mut self) -> &mut Vec<u8> {
        let text = self.text;
        self.bytes.get_or_insert_with(|| text.as_bytes().to_vec())
    }
}

/// Replaces bytes by spaces, but not line ends.
pub(crate) fn blank(bytes: &mut [u8], start: usize, end: usize) {
    fill(bytes, start..end, b' ');
}

fn fill(bytes: &mut [u8], range: Range<usize>, by: u8) {
    for byte in bytes.get_mut(range).into_iter().flatten() {
        if !matches!(byte, b'\n' | b'\r') {
            *byte = by;
        }
    }
}

/// Reports whether a byte belongs to a word, also outside of ASCII.
pub(crate) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}
