//! What turns texts and offsets of one file into names and positions of its facts.

use std::borrow::Cow;
use std::collections::HashMap;

use super::facts::{Name, Position};
use ragnav_base::position::{LineIndex, utf16_len, wire};

/// Names, each once.
#[derive(Debug, Default)]
pub(super) struct Names<'t> {
    places: HashMap<Cow<'t, str>, Name>,
    texts: Vec<String>,
}

impl<'t> Names<'t> {
    pub(super) fn name(&mut self, text: impl Into<Cow<'t, str>>) -> Name {
        let text = text.into();
        if let Some(&name) = self.places.get(&text) {
            return name;
        }
        let name = Name(wire(self.texts.len()));
        self.texts.push(text.clone().into_owned());
        self.places.insert(text, name);
        name
    }

    /// The text of a name; only one that this has given has one.
    #[cfg(any(feature = "javascript", feature = "typescript"))]
    pub(super) fn text(&self, name: Name) -> &str {
        let text = self.texts.get(name.0 as usize);
        text.map(String::as_str).unwrap_or_default()
    }

    pub(super) fn into_texts(self) -> Vec<String> {
        self.texts
    }
}

/// Positions of offsets, quick where each is asked for near the one before.
#[derive(Debug)]
pub(super) struct Positions<'t> {
    text: &'t str,
    lines: LineIndex,
    line_start: usize,
    line_end: usize,
    /// The offset that was asked for last.
    last: usize,
    /// Its position.
    position: Position,
}

impl<'t> Positions<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let position = Position {
            line: 1,
            start_utf16: 0,
        };
        Self {
            text,
            lines: LineIndex::new(text),
            line_start: 0,
            line_end: 0,
            last: 0,
            position,
        }
    }

    /// Counts from the last offset on the same line, since a line can be as long as the text.
    pub(super) fn at(&mut self, offset: usize) -> Position {
        if offset < self.line_start || offset >= self.line_end {
            let line = self.lines.line_at(offset);
            let range = self.lines.full_range(line);
            self.line_end = range.end;
            self.line_start = range.start.min(offset);
            self.last = self.line_start;
            self.position = Position {
                line: wire(line),
                start_utf16: 0,
            };
        }
        let between = offset.min(self.last)..offset.max(self.last);
        let between = wire(utf16_len(self.text.get(between).unwrap_or_default()));
        let before = self.position.start_utf16;
        self.position.start_utf16 = if offset < self.last {
            before.saturating_sub(between)
        } else {
            before + between
        };
        self.last = offset;
        self.position
    }
}
