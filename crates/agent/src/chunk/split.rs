//! Splitting long sections at the end of a paragraph, a block or a statement.

use super::chunked_file::{Chunk, Lines, MAX_TOKENS, Source, TOKEN_BYTES};
use crate::metadata::Metadata;

/// The largest number of lines of a repeated heading.
const MAX_HEAD_LINES: u32 = 3;

/// The size limit of a chunk, in bytes.
const BUDGET: usize = MAX_TOKENS * TOKEN_BYTES;

/// A section of a file that becomes one or more chunks.
#[derive(Default)]
pub(super) struct Section {
    pub(super) heading: String,
    pub(super) ordinal: u32,
    /// The lines that later parts repeat.
    pub(super) head: Option<Lines>,
    /// The summary of the first part.
    pub(super) summary: String,
    pub(super) metadata: Metadata,
}

impl Section {
    /// Appends the chunks of some line ranges, without surrounding lines that have no letter or
    /// digit.
    pub(super) fn split(self, source: &Source<'_>, spans: &[Lines], chunks: &mut Vec<Chunk>) {
        let head = self.head.map(|head| Lines {
            end: head.end.min(head.start + MAX_HEAD_LINES - 1),
            ..head
        });
        let mut splitter = Splitter {
            source,
            done: Vec::new(),
            current: Vec::new(),
            left: BUDGET,
            later: BUDGET.saturating_sub(head.map_or(0, |head| byte_len(source, head))),
        };
        for span in spans {
            splitter.add(*span);
        }
        splitter.finish_part();
        let parts = (0..).zip(splitter.done);
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

/// The parts of a section that are being filled.
struct Splitter<'s> {
    source: &'s Source<'s>,
    done: Vec<Vec<Lines>>,
    current: Vec<Lines>,
    /// The number of bytes that the current part may still take.
    left: usize,
    /// The number of bytes that a later part may take beside the repeated lines.
    later: usize,
}

impl Splitter<'_> {
    fn add(&mut self, span: Lines) {
        let mut rest = trim_blank_lines(self.source, span);
        while let Some(span) = rest {
            let all = byte_len(self.source, span);
            if all <= self.left {
                self.current.push(span);
                self.left -= all;
                return;
            }
            let fits_alone = all <= self.later && !self.current.is_empty();
            let end = match find_cut(self.source, span, self.left) {
                Some(end) if !fits_alone => Some(end),
                // A line over the limit is a part by itself.
                None if self.current.is_empty() => Some(span.start),
                _ => None,
            };
            if let Some(end) = end {
                self.current.push(Lines { end, ..span });
                let start = end + 1;
                let behind = (start <= span.end).then_some(Lines { start, ..span });
                rest = behind.and_then(|behind| trim_blank_lines(self.source, behind));
            }
            self.finish_part();
        }
    }

    fn finish_part(&mut self) {
        if !self.current.is_empty() {
            self.done.push(std::mem::take(&mut self.current));
        }
        self.left = self.later;
    }
}

/// Returns the number of bytes of some lines, with line breaks.
pub(super) fn byte_len(source: &Source<'_>, span: Lines) -> usize {
    let range = |line: u32| source.lines.full_range(line as usize);
    range(span.end).end.saturating_sub(range(span.start).start)
}

/// Trims blank lines at both ends. Returns `None` if no letter or digit remains.
pub(super) fn trim_blank_lines(source: &Source<'_>, span: Lines) -> Option<Lines> {
    let is_blank = |line: &u32| source.line(*line).trim().is_empty();
    let mut lines = span.start..=span.end;
    let start = lines.find(|line| !is_blank(line))?;
    let end = lines.rfind(|line| !is_blank(line)).unwrap_or(start);
    let has_text = |line: u32| source.line(line).contains(char::is_alphanumeric);
    (start..=end).any(has_text).then_some(Lines { start, end })
}

/// Returns the last line of a first part of at most `budget` bytes, or `None` if not even the first
/// line fits. In the latter half of the part, the cut is before a blank line, or else before the
/// line with the smallest indentation.
fn find_cut(source: &Source<'_>, span: Lines, budget: usize) -> Option<u32> {
    let fits = |line: u32| byte_len(source, Lines { end: line, ..span }) <= budget;
    let count = (span.start..=span.end)
        .take_while(|line| fits(*line))
        .count();
    let last = span.start + u32::try_from(count).ok()?.checked_sub(1)?;
    let earliest = span.start + (last - span.start) / 2;
    let cost = |line: &u32| {
        let next = source.line(line + 1);
        let blank = next.trim().is_empty();
        let indent = next.len() - next.trim_start().len();
        (!blank, if blank { 0 } else { indent })
    };
    // Of equal lines the last one is chosen.
    (earliest..=last).rev().min_by_key(cost)
}
