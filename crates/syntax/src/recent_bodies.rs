//! The hashes of the bodies of a text that differs from a recent one by an edit.
//!
//! The text of a definition that the edit does not touch is the same, and so is its body. The
//! outermost definitions that it touches are read alone: each is a small text of its own. What the
//! parser rewrites or repairs depends on the whole text, so all texts must be read as they are.

use ragnav_base::hash::HashMap;
use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::rc::Rc;

use ragnav_base::item::DefinitionKind;
use tree_sitter::InputEdit;

use crate::extract::facts_as_written;
use crate::facts::BodyHash;
use crate::language::Language;
use crate::recent_texts::{RecentTexts, find_edit};
use crate::recent_trees;
use crate::symbol::{Outline, Symbol};

/// A definition that an edit touches is read alone if it is at most one such part of the text.
const PARTS: usize = 4;

thread_local! {
    static RECENT: RefCell<RecentTexts<Described>> = RefCell::default();
}

/// The definitions of a text with their bodies.
#[derive(Clone)]
pub(crate) struct Described {
    pub(crate) outline: Rc<Outline>,
    pub(crate) bodies: Rc<Vec<BodyHash>>,
}

/// Returns the bodies of the definitions of a text, if it is an edit of a recent one. Only then it
/// asks for the definitions.
pub(crate) fn find(
    language: &Language,
    text: &str,
    outline: impl FnOnce() -> Rc<Outline>,
) -> Option<Vec<BodyHash>> {
    let (before, edit) = RECENT.with_borrow_mut(|recent| {
        let mut recent = recent.of(language.name);
        recent.find_map(|before| Some((before.known.clone(), find_edit(&before.text, text)?)))
    })?;
    let outline = outline();
    if !recent_trees::is_read_as_written(language.name, text) {
        return None;
    }
    let after = After {
        language,
        text,
        symbols: &outline.definitions,
    };
    after.bodies(&before, &edit)
}

/// Keeps the bodies of the definitions of a text, if the parser reads it as it is.
pub(crate) fn keep(language: &'static str, text: &str, described: Described) {
    if recent_trees::is_read_as_written(language, text) {
        RECENT.with_borrow_mut(|recent| recent.keep(language, text, described));
    }
}

/// A text after an edit.
struct After<'t> {
    language: &'t Language,
    text: &'t str,
    symbols: &'t [Symbol],
}

impl After<'_> {
    fn bodies(&self, before: &Described, edit: &InputEdit) -> Option<Vec<BodyHash>> {
        let known = known_bodies(before);
        let first = edit.start_position.row + 1;
        let (old_last, last) = (edit.old_end_position.row + 1, edit.new_end_position.row + 1);
        let mut bodies = Vec::with_capacity(self.symbols.len());
        while let Some(symbol) = self.symbols.get(bodies.len()) {
            let place_before = if symbol.end_line < first {
                Some(Place::of(symbol))
            } else if symbol.decorated_start_line > last {
                Some(Place::of(symbol).moved(last, old_last))
            } else {
                None
            };
            // The edit may have removed the last lines of a definition.
            let body = place_before.and_then(|place| known.get(&place));
            match body {
                Some(body) => bodies.push(*body),
                None => bodies.extend(self.read_alone(bodies.len(), symbol)?),
            }
        }
        Some(bodies)
    }

    /// Returns the bodies of a definition and of those in it.
    fn read_alone(&self, index: usize, outermost: &Symbol) -> Option<Vec<BodyHash>> {
        let lines = outermost.decorated_start_line..=outermost.end_line;
        let part = lines_of(self.text, lines)?;
        if part.len() > self.text.len() / PARTS {
            return None;
        }
        let facts = facts_as_written(self.language, part)?;
        let offset = outermost.decorated_start_line - 1;
        let found = facts.symbols();
        let inside = self.symbols.get(index..)?;
        let inside = inside
            .iter()
            .take_while(|one| one.start_line <= outermost.end_line);
        let places = inside.map(Place::of);
        let found = found.iter().map(|one| Place::of(one).moved(1, offset + 1));
        let is_same = places.eq(found);
        let bodies = facts.definitions.iter().map(|definition| definition.body);
        is_same.then(|| bodies.collect())
    }
}

/// What a definition is and where, without the text of its body.
#[derive(PartialEq, Eq, Hash)]
struct Place<'s> {
    name_path: &'s str,
    kind: DefinitionKind,
    decorated_start_line: usize,
    start_line: usize,
    start_utf16: u32,
    end_line: usize,
}

impl<'s> Place<'s> {
    fn of(symbol: &'s Symbol) -> Self {
        Self {
            name_path: &symbol.name_path,
            kind: symbol.kind,
            decorated_start_line: symbol.decorated_start_line,
            start_line: symbol.start_line,
            start_utf16: symbol.start_utf16,
            end_line: symbol.end_line,
        }
    }

    /// Returns the place if a line that precedes it, or its first one, were another line.
    fn moved(self, from: usize, to: usize) -> Self {
        let moved = |line: usize| line - from + to;
        Self {
            decorated_start_line: moved(self.decorated_start_line),
            start_line: moved(self.start_line),
            end_line: moved(self.end_line),
            ..self
        }
    }
}

fn known_bodies(before: &Described) -> HashMap<Place<'_>, BodyHash> {
    let places = before.outline.definitions.iter().map(Place::of);
    places.zip(before.bodies.iter().copied()).collect()
}

/// Returns lines of a text, counted from 1.
fn lines_of(text: &str, lines: RangeInclusive<usize>) -> Option<&str> {
    let mut ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
    let start = match lines.start().checked_sub(2) {
        Some(before) => ends.nth(before)?,
        None => 0,
    };
    let end = ends.nth(lines.end() - lines.start()).unwrap_or(text.len());
    text.get(start..end)
}
