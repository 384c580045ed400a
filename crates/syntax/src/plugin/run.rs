//! Runs a query over a tree, within bounds.
//!
//! A query keeps the matches that it has begun, so its work may grow with their number times that of
//! the nodes. Depth, begun matches, memory and the text that predicates read have limits.

use std::cell::Cell;
use std::ops::ControlFlow;

use tree_sitter::{
    Node, Query, QueryCursor, QueryCursorOptions, QueryCursorState, QueryMatch, StreamingIterator,
    TextProvider, Tree,
};

use crate::allocations::Allocations;

/// The depth below which no match begins. Code written by people is less deep.
const MAX_DEPTH: u32 = 512;
/// The maximum number of matches that a query has begun and not ended.
const MAX_BEGUN: u32 = 1024;
/// The number of bytes that a query may allocate for any text.
const MIN_ALLOCATED: u64 = 64 << 20;
/// The number of bytes that a query may allocate per byte of text in addition.
const MAX_ALLOCATED: u64 = 512;
/// The number of bytes that predicates may read of any text.
const MIN_READ: usize = 16 << 20;
/// The number of times that predicates may read a text in addition.
const MAX_READINGS: usize = 64;
/// The number of matches of any text, and of each byte of it in addition.
const MIN_MATCHES: usize = 1024;

/// Calls a function for each match. Returns whether a limit was exceeded, so that matches are
/// missing.
pub(super) fn run<'t>(
    query: &Query,
    tree: &'t Tree,
    text: &str,
    mut take: impl FnMut(&QueryMatch<'_, 't>),
) -> bool {
    let max_allocated = MAX_ALLOCATED.saturating_mul(text.len() as u64);
    let max_allocated = max_allocated.saturating_add(MIN_ALLOCATED);
    let max_allocated = max_allocated.saturating_add(Allocations::current().bytes);
    let unread = Cell::new(MIN_READ.saturating_add(text.len().saturating_mul(MAX_READINGS)));
    let is_over = Cell::new(false);
    let mut check_progress = |_: &QueryCursorState| {
        is_over.set(is_over.get() || Allocations::current().bytes > max_allocated);
        if is_over.get() || unread.get() == 0 {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    let options = QueryCursorOptions::new().progress_callback(&mut check_progress);
    let mut cursor = QueryCursor::new();
    cursor.set_match_limit(MAX_BEGUN);
    cursor.set_max_start_depth(Some(MAX_DEPTH));
    let provider = BoundedText {
        text,
        unread: &unread,
    };
    let mut matches = cursor.matches_with_options(query, tree.root_node(), provider, options);
    let mut left = MIN_MATCHES.saturating_add(text.len());
    while let Some(found) = matches.next() {
        if left == 0 {
            return true;
        }
        left -= 1;
        take(found);
    }
    drop(matches);
    is_over.get() || unread.get() == 0 || cursor.did_exceed_match_limit()
}

/// The text that predicates read. It ends when they have read too much of it.
struct BoundedText<'a> {
    text: &'a str,
    /// The number of bytes that may still be read.
    unread: &'a Cell<usize>,
}

impl<'a> TextProvider<&'a str> for BoundedText<'a> {
    type I = std::iter::Once<&'a str>;

    fn text(&mut self, node: Node<'_>) -> Self::I {
        let text = self.text.get(node.byte_range()).unwrap_or_default();
        let unread = self.unread.get().saturating_sub(text.len());
        self.unread.set(unread);
        std::iter::once(if unread == 0 { "" } else { text })
    }
}

/// Reports whether a tree is deeper than queries look. It is iterative, since the author of a text
/// controls the depth of its tree.
pub(super) fn is_too_deep(tree: &Tree) -> bool {
    let mut cursor = tree.walk();
    loop {
        if cursor.depth() > MAX_DEPTH {
            return true;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}
