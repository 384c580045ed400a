//! References to macros, and includes, that were removed before parsing, and so have no nodes.

use super::builder::FactsBuilder;
use super::is_keyword;
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
                self.add_includes_between(covered, own.start);
            }
            if self.tree.is_leaf(node) {
                covered = covered.max(own.end);
            }
        }
        let end = wire(text.len());
        self.add_macros_between(text, covered, end);
        self.add_includes_between(covered, end);
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
            if !is_macro {
                continue;
            }
            self.add_macro(text, offset, word.len());
            let arguments = arguments_of(after);
            let start = offset + wire(word.len());
            self.add_arguments(start, start + wire(arguments.len()));
            rest = after.get(arguments.len()..).unwrap_or_default();
        }
    }

    /// Adds references to the names in the arguments of a macro, such as `ENABLE_IF(is_number<T>)`.
    /// What their scopes are is unknown.
    fn add_arguments(&mut self, start: u32, end: u32) {
        let arguments = self.tree.slice(start, end);
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut at = 0;
        for word in arguments.split(|letter| !is_part(letter)) {
            let offset = start + wire(at);
            at += word.len();
            at += arguments
                .get(at..)
                .and_then(|rest| rest.chars().next())
                .map_or(0, char::len_utf8);
            let is_name = word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
            if !is_name || is_keyword(word) {
                continue;
            }
            let is_called = arguments.get(at - 1..at) == Some("(");
            let to = ReferenceTo {
                kind: if is_called {
                    ReferenceKind::Call
                } else {
                    ReferenceKind::Reference
                },
                receiver: Receiver::Unknown,
                space: Space::Any,
            };
            let text = self.tree.slice(offset, offset + wire(word.len()));
            self.writer
                .add_reference(NameAt { text, offset }, MODULE, to);
        }
    }

    /// Adds the includes in lists, where the grammar knows none.
    fn add_includes_between(&mut self, start: u32, end: u32) {
        let mut offset = start;
        for line in self.tree.slice(start, end).split_inclusive('\n') {
            let path = included_path(line);
            if let Some(path) = path {
                let at = line.find(path).unwrap_or_default();
                self.add_include(path, offset + wire(at), MODULE);
            }
            offset += wire(line.len());
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

/// Returns the path of an include with its quotes: `"a.h"` of `#include "a.h"`.
fn included_path(line: &str) -> Option<&str> {
    let directive = line.trim_start().strip_prefix('#')?.trim_start();
    let path = directive.strip_prefix("include")?.trim_start();
    let close = match path.chars().next()? {
        '"' => '"',
        '<' => '>',
        _ => return None,
    };
    let end = path.get(1..)?.find(close)? + 2;
    path.get(..end)
}

/// Returns the arguments at the start of a text, with their brackets. Those of a macro without
/// arguments are empty.
fn arguments_of(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '"' | '\'' | '#' => return "",
            _ => {}
        }
        if depth == 0 {
            return if letter == ')' {
                text.get(..=at).unwrap_or_default()
            } else {
                ""
            };
        }
    }
    ""
}
