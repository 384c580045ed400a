//! The definitions of a text as callers see them.

use ragnav_base::item::DefinitionKind;

/// The definitions in a text, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline<D = Symbol> {
    /// Each behind those around it.
    pub definitions: Vec<D>,
    /// Whether the text has more: it is nested, named or repeated beyond what is read.
    pub is_partial: bool,
}

impl<D> Outline<D> {
    pub(crate) fn map<E>(self, definitions: impl FnOnce(Vec<D>) -> Vec<E>) -> Outline<E> {
        Outline {
            definitions: definitions(self.definitions),
            is_partial: self.is_partial,
        }
    }
}

/// A definition in a text. Lines are 1-based and inclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// What it defines.
    pub kind: DefinitionKind,
    /// The names of the definitions around it and its own, joined with dots.
    pub name_path: String,
    /// Which of the definitions with this name path in this text it is, from 0.
    pub ordinal: usize,
    /// The line of its first decorator; `start_line` where it has none.
    pub decorated_start_line: usize,
    /// The line of its `def` or `class`.
    pub start_line: usize,
    /// Where that begins on the line, in UTF-16 units.
    pub start_utf16: u32,
    /// The line on which its last statement ends; comments after it do not count.
    pub end_line: usize,
}

impl Symbol {
    /// Whether a line is one of its lines, decorators not counted.
    #[must_use]
    pub fn encloses(&self, line: usize) -> bool {
        (self.start_line..=self.end_line).contains(&line)
    }

    /// Whether what ends at a column of a line is not before it, and on one of its lines.
    #[must_use]
    pub fn encloses_end(&self, line: usize, end_utf16: u32) -> bool {
        let is_before = line == self.start_line && end_utf16 <= self.start_utf16;
        self.encloses(line) && !is_before
    }
}
