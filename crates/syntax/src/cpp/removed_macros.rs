//! References to macros that were removed before parsing, and so have no nodes.

use super::builder::FactsBuilder;
use crate::facts::{MODULE, Receiver, ReferenceKind, Space};
use crate::facts_writer::{NameAt, ReferenceTo};
use ragnav_base::position::wire;

/// The shortest name of a macro. Template parameters are shorter.
const MIN_NAME: usize = 3;

impl FactsBuilder<'_> {
    /// Adds a reference for each word in capital letters that no node covers.
    pub(super) fn add_removed_macros(&mut self, text: &str) {
        let mut covered = 0;
        for node in 0..self.tree.len() {
            let own = self.tree.node(node);
            if self.tree.is_leaf(node) && own.start > covered {
                self.add_macros_between(text, covered, own.start);
            }
            if self.tree.is_leaf(node) {
                covered = covered.max(own.end);
            }
        }
    }

    fn add_macros_between(&mut self, text: &str, start: u32, end: u32) {
        let gap = self.tree.slice(start, end);
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut rest = gap;
        while let Some(first) = rest.find(is_part) {
            let word = rest.get(first..).unwrap_or_default();
            let len = word.find(|letter| !is_part(letter)).unwrap_or(word.len());
            let (word, after) = word.split_at_checked(len).unwrap_or((word, ""));
            let offset = start + wire(gap.len() - after.len() - word.len());
            rest = after;
            let is_macro = word.len() >= MIN_NAME
                && !word.contains(char::is_lowercase)
                && word.starts_with(|letter: char| letter.is_uppercase() || letter == '_');
            if is_macro {
                self.add_macro(text, offset, word.len());
            }
        }
    }

    fn add_macro(&mut self, text: &str, offset: u32, len: usize) {
        let name = self.tree.slice(offset, offset + wire(len));
        let after = text.get(offset as usize + len..).unwrap_or_default();
        let is_called = after.starts_with('(');
        let to = ReferenceTo {
            kind: if is_called {
                ReferenceKind::Call
            } else {
                ReferenceKind::Reference
            },
            receiver: Receiver::None,
            space: Space::Any,
        };
        let name = NameAt { text: name, offset };
        self.writer.add_reference(name, MODULE, to);
    }
}
