//! Positions of byte offsets.

use ragnav_base::position::{LineIndex, utf16_len, wire};

use crate::facts::Position;

/// Positions of offsets, quick where each is asked for near the one before.
#[derive(Debug)]
pub(crate) struct Positions<'t> {
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
    pub(crate) fn new(text: &'t str) -> Self {
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
    pub(crate) fn at(&mut self, offset: usize) -> Position {
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
