//! Keeps the trees of the texts that were parsed last, so that a text that differs by one edit is
//! parsed incrementally.
//!
//! An editor's buffer is asked about after each edit. tree-sitter reuses the subtrees that an edit
//! left alone (Wagner and Graham, "Efficient and Flexible Incremental Parsing", 1998). How it
//! recovers from an error depends on the tree before the edit, so only trees without errors are
//! edited: they are those of the grammar, whatever came before. The trees belong to a thread, as
//! [grammars](crate::grammars) do.

use std::cell::RefCell;

use tree_sitter::{InputEdit, Point, Tree};

use crate::grammars;

/// The shortest text whose tree is kept, in bytes. Parsing a shorter one takes little time.
const MIN_TEXT: usize = 8 << 10;
/// The largest total size of the texts, in bytes. A tree takes about sixty times its text.
const MAX_TEXTS: usize = 1 << 20;
/// The largest part of a text that may differ, in bytes.
const MAX_EDIT: usize = 4 << 10;

thread_local! {
    static RECENT: RefCell<RecentTrees> = RefCell::default();
}

/// The trees of the texts that were parsed last, the oldest first.
#[derive(Default)]
struct RecentTrees {
    parsed: Vec<Parsed>,
    /// How often grammars had changed when these texts were parsed.
    changes: u64,
}

struct Parsed {
    grammar: &'static str,
    text: String,
    tree: Tree,
}

/// What is known of a text before it is parsed.
pub(crate) enum Known {
    /// Its tree.
    Tree(Tree),
    /// The tree of a similar text without errors, in which the difference is marked.
    Edited(Tree),
}

/// Returns what the trees of recent texts say about a text.
pub(crate) fn find(grammar: &'static str, text: &str) -> Option<Known> {
    RECENT.with_borrow_mut(|recent| {
        recent.forget_other_grammars();
        let mut parsed = recent.parsed.iter().rev();
        parsed.find_map(|parsed| parsed.known_of(grammar, text))
    })
}

/// Keeps the tree of a text.
pub(crate) fn keep(grammar: &'static str, text: &str, tree: &Tree) {
    if !(MIN_TEXT..=MAX_TEXTS).contains(&text.len()) {
        return;
    }
    RECENT.with_borrow_mut(|recent| {
        recent.forget_other_grammars();
        recent.parsed.push(Parsed {
            grammar,
            text: text.to_owned(),
            tree: tree.clone(),
        });
        recent.drop_oldest();
    });
}

impl RecentTrees {
    fn forget_other_grammars(&mut self) {
        let changes = grammars::changes();
        if self.changes != changes {
            self.parsed.clear();
            self.changes = changes;
        }
    }

    fn drop_oldest(&mut self) {
        let mut bytes: usize = self.parsed.iter().map(|parsed| parsed.text.len()).sum();
        let is_over = |parsed: &&Parsed| {
            let is_over = bytes > MAX_TEXTS;
            bytes -= parsed.text.len();
            is_over
        };
        let dropped = self.parsed.iter().take_while(is_over).count();
        self.parsed.drain(..dropped);
    }
}

impl Parsed {
    fn known_of(&self, grammar: &str, text: &str) -> Option<Known> {
        if self.grammar != grammar {
            return None;
        }
        if self.text == text {
            return Some(Known::Tree(self.tree.clone()));
        }
        if self.tree.root_node().has_error() {
            return None;
        }
        let edit = find_edit(&self.text, text)?;
        let mut tree = self.tree.clone();
        tree.edit(&edit);
        Some(Known::Edited(tree))
    }
}

/// Returns the smallest edit between two texts, unless it is too large.
fn find_edit(old: &str, new: &str) -> Option<InputEdit> {
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
    let is_small = old_end.max(new_end) - start <= MAX_EDIT;
    is_small.then(|| InputEdit {
        start_byte: start,
        old_end_byte: old_end,
        new_end_byte: new_end,
        start_position: point_at(old, start),
        old_end_position: point_at(old, old_end),
        new_end_position: point_at(new, new_end),
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

fn point_at(text: &str, offset: usize) -> Point {
    let before = text.get(..offset).unwrap_or_default().as_bytes();
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    Point {
        row: memchr::memchr_iter(b'\n', before).count(),
        column: offset - line_start,
    }
}
