//! Reads the first lines of documentation comments: `/** … */`.

use super::kinds::{FlatTree, Kind};
use crate::tree::NodeIndex;
use ragnav_base::position::wire;

/// The maximum length of a docstring, in characters.
const MAX_DOCSTRING: usize = 200;

/// The number of line comments that may separate a documentation comment from its statement.
const MAX_COMMENTS: usize = 8;

impl<'t> FlatTree<'t> {
    /// Returns the first line that is not blank of the comment before a statement or its
    /// decorators.
    pub(super) fn docstring(&self, first: NodeIndex) -> Option<String> {
        let block = self.documentation(first)?.strip_prefix("/**")?;
        first_line(block.strip_suffix("*/")?)
    }

    /// Returns the comment before a node that documents it. One at the end of the line of other
    /// code does not.
    pub(super) fn leading_documentation(&self, node: NodeIndex) -> Option<&'t str> {
        let comment = self.documentation(node)?;
        let start = self.offset_of(comment)?;
        let end = start + comment.len();
        let text = |from: usize, to: usize| self.slice(wire(from), wire(to));
        // Only a comment that ends a line is read back to its start, so that no line is read twice.
        if !text(end, self.node(node).start as usize).contains('\n') {
            return Some(comment);
        }
        let before = text(0, start);
        let line = before.rsplit('\n').next().unwrap_or(before);
        line.trim().is_empty().then_some(comment)
    }

    /// Returns the documentation comment before a node.
    pub(super) fn documentation(&self, first: NodeIndex) -> Option<&'t str> {
        let mut before = first;
        for _ in 0..MAX_COMMENTS {
            before = before.checked_sub(1)?;
            if self.kind(before) != Kind::Comment {
                return None;
            }
            let text = self.text(before);
            if text.starts_with("/**") {
                return Some(text);
            }
            if !text.starts_with("//") {
                return None;
            }
        }
        None
    }
}

fn first_line(block: &str) -> Option<String> {
    let lines = block.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix('*').unwrap_or(line).trim()
    });
    let line = lines.into_iter().find(|line| !line.is_empty())?;
    Some(line.chars().take(MAX_DOCSTRING).collect())
}
