//! The hashes of the bodies of a text that differs from a recent one by an edit.
//!
//! The text of a definition that the edit does not touch is the same, and so is its body. What the
//! parser rewrites or repairs depends on the whole text, so both texts must be read as they are.

use std::cell::RefCell;
use std::rc::Rc;

use ragnav_base::hash::HashMap;
use ragnav_base::item::DefinitionKind;
use tree_sitter::InputEdit;

use crate::facts::BodyHash;
use crate::language::{Extractor, Language};
use crate::recent_texts::{RecentTexts, find_edit};
use crate::recent_trees;
use crate::symbol::{Outline, Symbol};

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
    let tree = recent_trees::find_as_written(language.name, text)?;
    let Extractor::Code(own) = &language.extractor else {
        return None;
    };
    let mut bodies = known_bodies(&before, &edit, &outline.definitions);
    let unknown = (0..).zip(&bodies).filter(|(_, body)| body.is_none());
    let unknown: Vec<usize> = unknown.map(|(index, _)| index).collect();
    if unknown.is_empty() {
        return bodies.into_iter().collect();
    }
    let mut read = (own.bodies)(&tree, text, &unknown).into_iter();
    for body in bodies.iter_mut().filter(|body| body.is_none()) {
        *body = read.next();
    }
    bodies.into_iter().collect()
}

/// Keeps the bodies of the definitions of a text, if the parser reads it as it is.
pub(crate) fn keep(language: &'static str, text: &str, described: Described) {
    if recent_trees::find_as_written(language, text).is_some() {
        RECENT.with_borrow_mut(|recent| recent.keep(language, text, described));
    }
}

/// Returns the bodies of those definitions that an edit leaves alone.
fn known_bodies(before: &Described, edit: &InputEdit, symbols: &[Symbol]) -> Vec<Option<BodyHash>> {
    let places = before.outline.definitions.iter().map(Place::of);
    let known: HashMap<_, _> = places.zip(before.bodies.iter().copied()).collect();
    let first = edit.start_position.row + 1;
    let (old_last, last) = (edit.old_end_position.row + 1, edit.new_end_position.row + 1);
    let body = |symbol| {
        let place = Place::of(symbol);
        let place_before = if place.end_line < first {
            place
        } else if place.decorated_start_line > last {
            place.moved(last, old_last)
        } else {
            return None;
        };
        // The edit may have removed the last lines of a definition.
        known.get(&place_before).copied()
    };
    symbols.iter().map(body).collect()
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
