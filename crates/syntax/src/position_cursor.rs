//! Converts byte offsets to lines and UTF-16 columns.

use ragnav_base::position::{LineIndex, utf16_len, wire};

use crate::facts::Position;

/// A cursor that is fast if each offset lies near the previous one.
#[derive(Debug)]
pub(crate) struct PositionCursor<'t> {
    text: &'t str,
    lines: LineIndex,
    line_start: usize,
    line_end: usize,
    /// The most recent offset.
    last: usize,
    /// The position of `last`.
    position: Position,
}

impl<'t> PositionCursor<'t> {
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

    /// Returns the line of a byte offset, and leaves the cursor where it is.
    pub(crate) fn line_at(&self, offset: usize) -> usize {
        self.lines.line_at(offset)
    }

    /// Returns the position of a byte offset.
    ///
    /// It counts from the previous offset on the same line, since a line can be as long as the
    /// text.
    pub(crate) fn position_at(&mut self, offset: usize) -> Position {
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
