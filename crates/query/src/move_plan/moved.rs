//! The text of a definition that moves.

use std::ops::Range;

use ragnav_base::position::wire;
use ragnav_syntax::facts::{DefinitionId, Reference};
use ragnav_syntax::layout::{Statement, StatementKind};

use super::files::OpenFile;
use super::names::{bindings_at_top, is_assigned_by_functions};
use crate::edit_plan::{Refusal, RefusalReason};

/// The words of a comment at the start of a file that is about the file.
const HEADER_WORDS: [&str; 5] = ["copyright", "license", "licence", "coding:", "@file"];

/// A definition that moves.
pub(super) struct Moved {
    pub(super) id: DefinitionId,
    pub(super) name: String,
    /// Its text, with decorators and the comments before it.
    pub(super) range: Range<usize>,
    /// The statement alone.
    pub(super) statement: Range<usize>,
    /// The lines of the text, the last one included.
    pub(super) lines: (u32, u32),
}

impl Moved {
    /// Finds the text of a definition, or why it cannot be moved.
    pub(super) fn find(file: &OpenFile, id: DefinitionId, comment: &str) -> Result<Self, Refusal> {
        let facts = &file.facts.facts;
        let refuse =
            |message: String| Refusal::in_files(RefusalReason::NotAtTop, 1, [&file.path], message);
        let Some(definition) = facts.definition(id) else {
            return Err(refuse("The definition is not there.".to_owned()));
        };
        let name = facts.name(definition.name).to_owned();
        if definition.parent.is_some() || definition.qualifier.is_some() {
            let path = facts.name_path(id);
            return Err(refuse(format!(
                "`{path}` is inside of another definition; only definitions at the top of a file \
                 can be moved."
            )));
        }
        let at = (
            definition.name_position.line,
            definition.name_position.start_utf16,
        );
        let at = file.changes.offset_of(at);
        let all = &file.layout.statements;
        let place = all.iter().position(|one| one.range.contains(&at));
        let statement = place.and_then(|place| all.get(place));
        let statement = statement.filter(|one| one.kind == StatementKind::Definition);
        let (Some(place), Some(statement)) = (place, statement) else {
            return Err(refuse(format!(
                "`{name}` is defined inside of a condition or another statement; only statements \
                 at the top of a file can be moved."
            )));
        };
        // A decorated function is bound twice at one place: as itself, and as what decorators return.
        let position = definition.name_position;
        let has_others = bindings_at_top(&file.facts, &name).any(|one| one.position != position);
        if has_others || is_assigned_by_functions(&file.facts, &name) {
            return Err(refuse(format!(
                "`{name}` has several definitions or values in {}; a move would divide them.",
                file.path
            )));
        }
        let end = end_of(file, statement, comment);
        let Some(end) = end.filter(|_| starts_line(file, statement.range.start)) else {
            return Err(refuse(format!(
                "`{name}` shares a line with other statements; give it lines of its own first."
            )));
        };
        let start = start_with_comments(file, all.get(..place).unwrap_or_default(), statement);
        let (first, _) = file.changes.place_of(start);
        let last = file.changes.lines.line_at(end.saturating_sub(1).max(start));
        Ok(Self {
            id,
            name,
            range: start..end,
            statement: statement.range.clone(),
            lines: (first, wire(last)),
        })
    }

    /// Reports whether a reference is inside of the definition.
    pub(super) fn contains(&self, reference: &Reference) -> bool {
        self.has_line(reference.position.line)
    }

    pub(super) fn has_line(&self, line: u32) -> bool {
        (self.lines.0..=self.lines.1).contains(&line)
    }

    /// Returns the range to remove: the text, and blank lines such that the lines before and after
    /// it keep one distance.
    pub(super) fn removed(&self, text: &str) -> Range<usize> {
        let after = text.get(self.range.end..).unwrap_or_default();
        let blank = blank_prefix(after);
        if blank < after.len() {
            return self.range.start..self.range.end + blank;
        }
        let before = text.get(..self.range.start).unwrap_or_default();
        let kept = before.trim_end().len();
        let line_break = before.get(kept..).map_or(0, |rest| {
            if rest.starts_with("\r\n") {
                2
            } else {
                usize::from(!rest.is_empty())
            }
        });
        kept + line_break.min(before.len() - kept)..text.len()
    }
}

/// Returns the number of bytes of the line break and the blank lines at the start of a text.
fn blank_prefix(text: &str) -> usize {
    let content = text.len() - text.trim_start().len();
    let blank = text.get(..content).unwrap_or_default();
    if content == text.len() {
        return content;
    }
    blank.rfind('\n').map_or(0, |last| last + 1)
}

fn starts_line(file: &OpenFile, at: usize) -> bool {
    let before = file.text().get(..at).unwrap_or_default();
    before.is_empty() || before.ends_with('\n')
}

/// Returns the end of the lines of a statement, if only a comment follows it there. Comments that
/// are indented below it belong to it.
fn end_of(file: &OpenFile, statement: &Statement, comment: &str) -> Option<usize> {
    let lines = &file.changes.lines;
    let mut last = lines.line_at(statement.range.end.saturating_sub(1));
    let mut end = file.changes.line_range(last).end;
    let rest = file.text().get(statement.range.end..end)?.trim();
    let rest = rest.strip_prefix(';').unwrap_or(rest).trim();
    if !rest.is_empty() && !rest.starts_with(comment) && !rest.starts_with("/*") {
        return None;
    }
    while last < lines.count() {
        let next = file.changes.line_range(last + 1);
        let content = file.slice(next.clone());
        let is_indented = content.starts_with([' ', '\t']);
        if !is_indented || !content.trim_start().starts_with(comment) {
            break;
        }
        last += 1;
        end = next.end;
    }
    Some(end)
}

/// Returns the start of the comments that stand directly above a statement.
fn start_with_comments(file: &OpenFile, before: &[Statement], statement: &Statement) -> usize {
    let lines = &file.changes.lines;
    let mut start = statement.range.start;
    for comment in before.iter().rev() {
        let end = lines.line_at(comment.range.end.saturating_sub(1));
        let is_adjacent = end + 1 == lines.line_at(start);
        let is_own =
            comment.kind == StatementKind::Comment && starts_line(file, comment.range.start);
        if !is_adjacent || !is_own || is_header(file, comment) {
            break;
        }
        start = comment.range.start;
    }
    start
}

fn is_header(file: &OpenFile, comment: &Statement) -> bool {
    let text = file.slice(comment.range.clone());
    let is_early = file.changes.lines.line_at(comment.range.start) <= 2;
    let lower = text.to_lowercase();
    text.starts_with("#!") || (is_early && HEADER_WORDS.iter().any(|word| lower.contains(word)))
}
