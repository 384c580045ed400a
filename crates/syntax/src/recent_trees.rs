//! Keeps the trees of the texts that were parsed last, so that a text that differs by one edit is
//! parsed incrementally.
//!
//! An editor's buffer is asked about after each edit. tree-sitter reuses the subtrees that an edit
//! left alone (Wagner and Graham, "Efficient and Flexible Incremental Parsing", 1998). How it
//! recovers from an error depends on the tree before the edit, so only trees without errors are
//! edited: they are those of the grammar, whatever came before. The trees belong to a thread, as
//! [grammars](crate::grammars) do.

use std::cell::RefCell;
use std::rc::Rc;

use tree_sitter::InputEdit;

use crate::recent_texts::{RecentText, RecentTexts, find_edit};
use crate::syntax_tree::SyntaxTree;

thread_local! {
    static RECENT: RefCell<RecentTexts<Rc<SyntaxTree>>> = RefCell::default();
}

/// What is known of a text before it is parsed.
pub(crate) enum Known {
    /// Its tree.
    Tree(Rc<SyntaxTree>),
    /// The tree of a similar text without errors, and how the text differs from it.
    Edited {
        before: Rc<SyntaxTree>,
        edit: InputEdit,
    },
}

/// Returns what the trees of recent texts say about a text.
pub(crate) fn find(grammar: &'static str, text: &str) -> Option<Known> {
    RECENT.with_borrow_mut(|recent| {
        let mut parsed = recent.of(grammar);
        parsed.find_map(|parsed| known_of(parsed, text))
    })
}

/// Keeps the tree of a text.
pub(crate) fn keep(grammar: &'static str, text: &str, tree: Rc<SyntaxTree>) {
    RECENT.with_borrow_mut(|recent| recent.keep(grammar, text, tree));
}

/// Returns the tree of a text that was parsed as it is, without errors: nothing in it was rewritten
/// or repaired.
pub(crate) fn find_as_written(grammar: &str, text: &str) -> Option<Rc<SyntaxTree>> {
    RECENT.with_borrow_mut(|recent| {
        let mut parsed = recent.of(grammar);
        let parsed = parsed.find(|parsed| parsed.text == text && !parsed.known.has_error());
        parsed.map(|parsed| Rc::clone(&parsed.known))
    })
}

fn known_of(parsed: &RecentText<Rc<SyntaxTree>>, text: &str) -> Option<Known> {
    if parsed.text == text {
        return Some(Known::Tree(Rc::clone(&parsed.known)));
    }
    if parsed.known.has_error() {
        return None;
    }
    Some(Known::Edited {
        edit: find_edit(&parsed.text, text)?,
        before: Rc::clone(&parsed.known),
    })
}
