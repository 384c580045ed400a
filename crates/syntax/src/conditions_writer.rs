//! Writes the conditions of a text from the ranges in which each holds.

use std::cmp::Reverse;

use crate::facts::{Change, Condition, Conditions};
use crate::position_cursor::PositionCursor;
use ragnav_base::hash::HashMap;
use ragnav_base::position::{floor_char_boundary, wire};
use ragnav_base::sort::SmallSort;

/// The longest text of a single condition, in bytes.
const MAX_TEXT: usize = 200;

/// A range of bytes in which a condition holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ConditionRange {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The index of the text of the condition.
    pub(crate) text: u32,
    /// Whether the text must not hold.
    pub(crate) is_negated: bool,
}

/// The writer of the conditions of a text.
#[derive(Debug, Default)]
pub(crate) struct ConditionsWriter {
    texts: Vec<String>,
    places: HashMap<String, u32>,
    ranges: Vec<ConditionRange>,
}

impl ConditionsWriter {
    /// Returns the index of the text of a condition, without repeated blanks. A long text is cut.
    pub(crate) fn intern(&mut self, text: &str) -> u32 {
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut text = words.join(" ");
        if text.len() > MAX_TEXT {
            text.truncate(floor_char_boundary(&text, MAX_TEXT));
            text.push('…');
        }
        if let Some(place) = self.places.get(&text) {
            return *place;
        }
        let place = wire(self.texts.len());
        self.texts.push(text.clone());
        self.places.insert(text, place);
        place
    }

    /// Adds a range. Two ranges are apart, or one of them contains the other; of equal ones, the
    /// first is the outer one.
    pub(crate) fn add(&mut self, range: ConditionRange) {
        if range.start < range.end {
            self.ranges.push(range);
        }
    }

    /// Returns the conditions of the text.
    pub(crate) fn finish(mut self, text: &str) -> Conditions {
        if self.ranges.is_empty() {
            return Conditions::default();
        }
        self.ranges
            .small_sort_by_key(|range| (range.start, Reverse(range.end)));
        let mut changes = Changes {
            positions: PositionCursor::new(text),
            made: Vec::new(),
        };
        let mut conditions = Vec::new();
        let mut known: HashMap<Condition, u32> = HashMap::default();
        // The ends of the ranges around the current one, with their conditions.
        let mut open: Vec<(usize, u32)> = Vec::new();
        for range in &self.ranges {
            close(&mut open, range.start, &mut changes);
            let enclosing = open.last().map(|(_, condition)| *condition);
            let condition = Condition {
                text: range.text,
                is_negated: range.is_negated,
                enclosing,
            };
            let place = *known.entry(condition).or_insert_with(|| {
                conditions.push(condition);
                wire(conditions.len() - 1)
            });
            let limit = open.last().map_or(usize::MAX, |(end, _)| *end);
            open.push((range.end.min(limit), place));
            changes.add(range.start, Some(place));
        }
        close(&mut open, usize::MAX, &mut changes);
        Conditions {
            texts: self.texts,
            parts: conditions,
            changes: changes.made,
        }
    }
}

/// Closes the ranges that end before an offset.
fn close(open: &mut Vec<(usize, u32)>, offset: usize, changes: &mut Changes<'_>) {
    while let Some((end, _)) = open.pop_if(|(end, _)| *end <= offset) {
        let enclosing = open.last().map(|(_, condition)| *condition);
        changes.add(end, enclosing);
    }
}

struct Changes<'t> {
    positions: PositionCursor<'t>,
    made: Vec<Change>,
}

impl Changes<'_> {
    /// Adds a change. Of several at one place, the last one counts.
    fn add(&mut self, offset: usize, condition: Option<u32>) {
        let position = self.positions.position_at(offset);
        if self
            .made
            .last()
            .is_some_and(|last| last.position == position)
        {
            self.made.pop();
        }
        self.made.push(Change {
            position,
            condition,
        });
    }
}
