//! The changes of the text of one file, as edits and as the text that they give.

use std::ops::Range;

use ragnav_base::item::{ItemKind, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, byte_at_utf16, utf16_len, wire};
use ragnav_base::text_edit::{TextEdit, edited_bytes};
use ragnav_index::content::ContentHash;
use ragnav_repository::provenance::Provenance;

use super::answer::PlannedEdit;

/// A part of a text that gets another text.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) range: Range<usize>,
    pub(crate) new_text: String,
    pub(crate) kind: ItemKind,
    pub(crate) resolution: Option<Resolution>,
}

/// A line and a column.
pub(crate) type LineColumn = (u32, u32);

/// A file with its changes.
pub(crate) struct FileChanges {
    /// The contents; `None` for a file that does not exist yet.
    bytes: Option<Vec<u8>>,
    pub(crate) text: String,
    pub(crate) lines: LineIndex,
    /// The changes, sorted; none overlaps another.
    changes: Vec<Change>,
    provenance: Provenance,
}

impl FileChanges {
    pub(crate) fn new(bytes: Option<Vec<u8>>, text: String, provenance: Provenance) -> Self {
        Self {
            lines: LineIndex::new(&text),
            bytes,
            text,
            changes: Vec::new(),
            provenance,
        }
    }

    pub(crate) fn is_new(&self) -> bool {
        self.bytes.is_none()
    }

    pub(crate) fn is_changed(&self) -> bool {
        !self.changes.is_empty()
    }

    /// Adds a change. What is inserted at one place stays in the order of the calls.
    pub(crate) fn change(&mut self, change: Change) {
        let at = self.changes.iter().position(|one| {
            let is_same = one.range == change.range && change.range.is_empty();
            is_same || one.range.start > change.range.start
        });
        // Text that is inserted where other text begins stands before it.
        let at = at.unwrap_or(self.changes.len());
        match self.changes.get_mut(at) {
            Some(one) if one.range == change.range && change.range.is_empty() => {
                one.new_text.push_str(&change.new_text);
            }
            _ => {
                let before = at.checked_sub(1).and_then(|last| self.changes.get(last));
                let is_before = before.is_some_and(|one| {
                    one.range.start == change.range.start && change.range.is_empty()
                });
                self.changes.insert(at - usize::from(is_before), change);
            }
        }
    }

    /// Reports whether no two changes are about the same text.
    pub(crate) fn is_consistent(&self) -> bool {
        let pairs = self.changes.iter().zip(self.changes.iter().skip(1));
        pairs
            .into_iter()
            .all(|(one, next)| one.range.end <= next.range.start)
    }

    pub(crate) fn len(&self) -> usize {
        self.changes.len()
    }

    /// Returns the edited contents; `None` if the edits do not fit, which would be a defect.
    pub(crate) fn edited(&self) -> Option<Vec<u8>> {
        let edits: Vec<TextEdit> = self.changes.iter().map(|one| self.edit(one)).collect();
        edited_bytes(self.bytes.as_deref().unwrap_or_default(), &edits).ok()
    }

    /// Returns the hash of the contents that the edits are made for.
    pub(crate) fn hash(&self) -> Option<String> {
        self.bytes
            .as_deref()
            .map(|bytes| ContentHash::of(bytes).to_hex())
    }

    /// Returns the edits as rows.
    pub(crate) fn rows(&self, path: &RepoPath) -> impl Iterator<Item = PlannedEdit> {
        self.changes.iter().map(move |change| PlannedEdit {
            file: path.to_string(),
            edit: self.edit(change),
            kind: change.kind,
            resolution: change.resolution,
            source: self.provenance.source,
            freshness_state: self.provenance.freshness_state,
            proof: self.provenance.proof,
        })
    }

    fn edit(&self, change: &Change) -> TextEdit {
        let (line, start_utf16) = self.place_of(change.range.start);
        TextEdit {
            line,
            start_utf16,
            old_text: self
                .text
                .get(change.range.clone())
                .unwrap_or_default()
                .to_owned(),
            new_text: change.new_text.clone(),
        }
    }

    /// Returns the line and the column of a byte. After the last line break is a line of its own.
    pub(crate) fn place_of(&self, at: usize) -> LineColumn {
        place_in(&self.text, &self.lines, at)
    }

    /// Returns the byte at a line and a column.
    pub(crate) fn offset_of(&self, (line, column): LineColumn) -> usize {
        let content = self.lines.line(&self.text, line as usize);
        self.lines.full_range(line as usize).start + byte_at_utf16(content, column as usize)
    }

    /// Returns the range of a line without its line break.
    pub(crate) fn line_range(&self, line: usize) -> Range<usize> {
        let start = self.lines.full_range(line).start;
        start..start + self.lines.line(&self.text, line).len()
    }

    /// Returns where a place is after the changes; `None` for one that they replace.
    pub(crate) fn place_after(&self, place: LineColumn) -> Option<LineColumn> {
        let at = self.offset_of(place);
        let mut moved = at;
        for change in self.changes.iter().take_while(|one| one.range.start <= at) {
            if change.range.contains(&at) {
                return None;
            }
            moved = moved + change.new_text.len() - change.range.len();
        }
        let text = self.edited_text();
        Some(place_in(&text, &LineIndex::new(&text), moved))
    }

    /// Returns the place after the changes at which the new text of the first change with some
    /// text begins with that text.
    pub(crate) fn place_of_new(&self, wanted: &str) -> Option<LineColumn> {
        let mut shift = 0_isize;
        for change in &self.changes {
            if let Some(inside) = change.new_text.find(wanted) {
                let at = change.range.start.checked_add_signed(shift)? + inside;
                let text = self.edited_text();
                return Some(place_in(&text, &LineIndex::new(&text), at));
            }
            shift += isize::try_from(change.new_text.len()).ok()?;
            shift -= isize::try_from(change.range.len()).ok()?;
        }
        None
    }

    fn edited_text(&self) -> String {
        let mut text = String::with_capacity(self.text.len());
        let mut done = 0;
        for change in &self.changes {
            text.push_str(self.text.get(done..change.range.start).unwrap_or_default());
            text.push_str(&change.new_text);
            done = change.range.end;
        }
        text.push_str(self.text.get(done..).unwrap_or_default());
        text
    }

    /// Returns the line break that the file uses.
    pub(crate) fn line_break(&self) -> &'static str {
        if self.text.contains("\r\n") {
            "\r\n"
        } else {
            "\n"
        }
    }
}

fn place_in(text: &str, lines: &LineIndex, at: usize) -> LineColumn {
    let is_after_end = at == text.len() && (at == 0 || text.ends_with(['\n', '\r']));
    if is_after_end {
        return (wire(lines.count() + 1), 0);
    }
    let line = lines.line_at(at);
    let before = text
        .get(lines.full_range(line).start..at)
        .unwrap_or_default();
    (wire(line), wire(utf16_len(before)))
}
