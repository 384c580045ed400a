//! Keeps something about the texts that were met last, and finds the one that another text is an
//! edit of.

use tree_sitter::{InputEdit, Point};

use crate::grammar_registry;

/// The shortest text that is kept, in bytes. Reading a shorter one takes little time.
const MIN_TEXT: usize = 8 << 10;
/// The largest total size of the texts, in bytes. A tree takes about sixty times its text.
const MAX_TEXTS: usize = 1 << 20;
/// The largest part of a text that may differ, in bytes.
const MAX_EDIT: usize = 4 << 10;

/// The texts that were met last, the oldest first.
pub(crate) struct RecentTexts<T> {
    texts: Vec<RecentText<T>>,
    /// How often grammars had changed when these texts were read.
    changes: u64,
}

/// A text in a language, and what is known of it.
pub(crate) struct RecentText<T> {
    pub(crate) language: &'static str,
    pub(crate) text: String,
    pub(crate) known: T,
}

impl<T> Default for RecentTexts<T> {
    fn default() -> Self {
        Self {
            texts: Vec::new(),
            changes: 0,
        }
    }
}

impl<T> RecentTexts<T> {
    /// Returns the texts of a language, the latest first.
    pub(crate) fn of(&mut self, language: &str) -> impl Iterator<Item = &RecentText<T>> {
        self.forget_other_grammars();
        let latest = self.texts.iter().rev();
        latest.filter(move |recent| recent.language == language)
    }

    pub(crate) fn keep(&mut self, language: &'static str, text: &str, known: T) {
        self.forget_other_grammars();
        if !(MIN_TEXT..=MAX_TEXTS).contains(&text.len()) {
            return;
        }
        self.texts.push(RecentText {
            language,
            text: text.to_owned(),
            known,
        });
        let mut bytes: usize = self.texts.iter().map(|recent| recent.text.len()).sum();
        let is_over = |recent: &&RecentText<T>| {
            let is_over = bytes > MAX_TEXTS;
            bytes -= recent.text.len();
            is_over
        };
        let dropped = self.texts.iter().take_while(is_over).count();
        self.texts.drain(..dropped);
    }

    fn forget_other_grammars(&mut self) {
        let changes = grammar_registry::changes();
        if self.changes != changes {
            self.texts.clear();
            self.changes = changes;
        }
    }
}

/// Returns the smallest edit between two texts, unless it is too large.
pub(crate) fn find_edit(old: &str, new: &str) -> Option<InputEdit> {
    let most = old.len().min(new.len());
    if old.len().max(new.len()) - most > MAX_EDIT {
        return None;
    }
    let mut start = common_prefix(old.as_bytes(), new.as_bytes());
    while !old.is_char_boundary(start) {
        start -= 1;
    }
    let old_rest = old.get(start..)?;
    let new_rest = new.get(start..)?;
    let mut same = common_suffix(old_rest.as_bytes(), new_rest.as_bytes());
    while !old.is_char_boundary(old.len() - same) {
        same -= 1;
    }
    let (old_end, new_end) = (old.len() - same, new.len() - same);
    let (removed, inserted) = (old.get(start..old_end)?, new.get(start..new_end)?);
    let is_small = removed.len().max(inserted.len()) <= MAX_EDIT;
    let start_position = point_after(Point::default(), old.get(..start)?);
    is_small.then(|| InputEdit {
        start_byte: start,
        old_end_byte: old_end,
        new_end_byte: new_end,
        start_position,
        old_end_position: point_after(start_position, removed),
        new_end_position: point_after(start_position, inserted),
    })
}

fn common_prefix(one: &[u8], other: &[u8]) -> usize {
    let pairs = one.iter().zip(other);
    pairs.take_while(|(one, other)| one == other).count()
}

fn common_suffix(one: &[u8], other: &[u8]) -> usize {
    let pairs = one.iter().rev().zip(other.iter().rev());
    pairs.take_while(|(one, other)| one == other).count()
}

/// Returns the point at the end of a text that begins at a point.
fn point_after(start: Point, text: &str) -> Point {
    let text = text.as_bytes();
    let Some(last) = memchr::memrchr(b'\n', text) else {
        let column = start.column + text.len();
        return Point { column, ..start };
    };
    Point {
        row: start.row + memchr::memchr_iter(b'\n', text).count(),
        column: text.len() - last - 1,
    }
}
