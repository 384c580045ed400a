//! Reads the source of a cell: a text, and the place of each character in the file.

use std::ops::Range;

use serde_json::value::RawValue;

/// A character of a cell.
#[derive(Debug, Clone)]
pub(super) struct PlacedCharacter {
    pub(super) character: char,
    /// Its bytes in the file: several for an escape sequence.
    pub(super) place: Range<usize>,
}

/// The text of a cell.
#[derive(Debug, Default)]
pub(super) struct CellSource {
    pub(super) characters: Vec<PlacedCharacter>,
}

impl CellSource {
    /// Reads the JSON of a source: a string, or a list of strings. It must be a slice of `file`.
    pub(super) fn read(file: &str, source: &RawValue) -> Self {
        let json = source.get();
        // The address of a slice tells its offset.
        let start = (json.as_ptr() as usize).saturating_sub(file.as_ptr() as usize);
        let mut read = Self::default();
        let mut at = start;
        let end = start + json.len();
        while let Some(quote) = find(file, at..end, b'"') {
            let closing = read.string(file, quote + 1..end);
            at = closing + 1;
            read.end_string(file, closing, at..end);
        }
        read
    }

    /// Adds the characters of a string, and returns the offset of the quote that ends it.
    fn string(&mut self, file: &str, range: Range<usize>) -> usize {
        let mut at = range.start;
        let text = file.get(range.clone()).unwrap_or_default();
        let mut rest = text.chars();
        while let Some(first) = rest.next() {
            if first == '"' {
                return at;
            }
            let character = if first == '\\' {
                escaped(&mut rest)
            } else {
                Some(first)
            };
            let next = range.end - rest.as_str().len();
            if let Some(character) = character {
                let place = at..next;
                self.characters.push(PlacedCharacter { character, place });
            }
            at = next;
        }
        range.end
    }

    /// Ends the last line of a string, whose closing quote is at an offset.
    ///
    /// A line break of the file replaces that of the string, if there is one before the next string.
    fn end_string(&mut self, file: &str, closing: usize, rest: Range<usize>) {
        let next = find(file, rest.clone(), b'"');
        let line_break = find(file, rest.start..next.unwrap_or(rest.end), b'\n');
        let is_complete = self
            .characters
            .last()
            .is_some_and(|last| last.character == '\n');
        match (line_break, self.characters.last_mut()) {
            (Some(at), Some(last)) if is_complete => last.place = at..at + 1,
            _ if is_complete || next.is_some() => {}
            _ => self.characters.push(PlacedCharacter {
                character: '\n',
                place: closing..closing + 1,
            }),
        }
    }
}

/// Returns the offset of a byte in a range of a text.
fn find(text: &str, range: Range<usize>, byte: u8) -> Option<usize> {
    let bytes = text.as_bytes().get(range.clone())?;
    Some(range.start + memchr::memchr(byte, bytes)?)
}

/// Reads the rest of an escape sequence of JSON. Half of a surrogate pair is left out.
fn escaped(rest: &mut std::str::Chars<'_>) -> Option<char> {
    match rest.next()? {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        'b' => Some('\u{8}'),
        'f' => Some('\u{c}'),
        'u' => {
            let digits = rest.as_str().get(..4)?;
            *rest = rest.as_str().get(4..)?.chars();
            char::from_u32(u32::from_str_radix(digits, 16).ok()?)
        }
        other => Some(other),
    }
}
