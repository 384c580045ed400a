//! What is too long for one chunk is divided where a paragraph, a block or a statement ends.

use super::{Chunk, Lines, MAX_TOKENS, Source, TOKEN_BYTES};
use crate::metadata::Metadata;

/// Of how many lines a repeated heading has at most.
const MAX_HEAD_LINES: u32 = 3;

/// The bytes of a chunk.
const BUDGET: usize = MAX_TOKENS * TOKEN_BYTES;

/// Something that becomes one chunk, or several.
#[derive(Default)]
pub(super) struct Piece {
    pub(super) heading: String,
    pub(super) ordinal: u32,
    /// What later parts repeat.
    pub(super) head: Option<Lines>,
    /// What the first part says of itself.
    pub(super) summary: String,
    pub(super) metadata: Metadata,
}

impl Piece {
    /// Makes the chunks of some spans of lines. Lines without a letter or digit around them are left out.
    pub(super) fn split(self, source: &Source<'_>, spans: &[Lines], chunks: &mut Vec<Chunk>) {
        let head = self.head.map(|head| Lines {
            end: head.end.min(head.start + MAX_HEAD_LINES - 1),
            ..head
        });
        let mut parts = Parts {
            source,
            done: Vec::new(),
            current: Vec::new(),
            left: BUDGET,
            later: BUDGET.saturating_sub(head.map_or(0, |head| bytes(source, head))),
        };
        for span in spans {
            parts.take(*span);
        }
        parts.end();
        let parts = (0..).zip(parts.done);
        chunks.extend(parts.map(|(part, lines)| Chunk {
            heading: self.heading.clone(),
            ordinal: self.ordinal,
            part,
            head: head.filter(|_| part > 0),
            lines,
            summary: match part {
                0 => self.summary.clone(),
                _ => String::new(),
            },
            metadata: self.metadata.clone(),
        }));
    }
}

/// Parts that are being filled.
struct Parts<'s> {
    source: &'s Source<'s>,
    done: Vec<Vec<Lines>>,
    current: Vec<Lines>,
    /// How many bytes more the current part takes.
    left: usize,
    /// How many a further one takes beside what it repeats.
    later: usize,
}

impl Parts<'_> {
    fn take(&mut self, span: Lines) {
        let mut rest = trimmed(self.source, span);
        while let Some(span) = rest {
            let all = bytes(self.source, span);
            if all <= self.left {
                self.current.push(span);
                self.left -= all;
                return;
            }
            let fits_alone = all <= self.later && !self.current.is_empty();
            let end = match cut(self.source, span, self.left) {
                Some(end) if !fits_alone => Some(end),
                // A line that is too long is a part by itself.
                None if self.current.is_empty() => Some(span.start),
                _ => None,
            };
            if let Some(end) = end {
                self.current.push(Lines { end, ..span });
                let start = end + 1;
                let behind = (start <= span.end).then_some(Lines { start, ..span });
                rest = behind.and_then(|behind| trimmed(self.source, behind));
            }
            self.end();
        }
    }

    fn end(&mut self) {
        if !self.current.is_empty() {
            self.done.push(std::mem::take(&mut self.current));
        }
        self.left = self.later;
    }
}

/// The bytes of some lines, line breaks counted.
pub(super) fn bytes(source: &Source<'_>, span: Lines) -> usize {
    let range = |line: u32| source.lines.full_range(line as usize);
    range(span.end).end.saturating_sub(range(span.start).start)
}

/// A span without the blank lines at its ends; `None` where it has no letter and no digit.
pub(super) fn trimmed(source: &Source<'_>, span: Lines) -> Option<Lines> {
    let is_blank = |line: &u32| source.line(*line).trim().is_empty();
    let mut lines = span.start..=span.end;
    let start = lines.find(|line| !is_blank(line))?;
    let end = lines.rfind(|line| !is_blank(line)).unwrap_or(start);
    let is_said = |line: u32| source.line(line).contains(char::is_alphanumeric);
    (start..=end).any(is_said).then_some(Lines { start, end })
}

/// The last line of a first part of at most so many bytes: before a blank line, else before the line that is indented least, in
/// the latter half; `None` where not even the first line fits.
fn cut(source: &Source<'_>, span: Lines, budget: usize) -> Option<u32> {
    let fits = |line: u32| bytes(source, Lines { end: line, ..span }) <= budget;
    let count = (span.start..=span.end)
        .take_while(|line| fits(*line))
        .count();
    let last = span.start + u32::try_from(count).ok()?.checked_sub(1)?;
    let earliest = span.start + (last - span.start) / 2;
    let worth = |line: &u32| {
        let next = source.line(line + 1);
        let blank = next.trim().is_empty();
        let indent = next.len() - next.trim_start().len();
        (!blank, if blank { 0 } else { indent })
    };
    // Of those alike the last.
    (earliest..=last).rev().min_by_key(worth)
}
