//! References to macros, and includes, that were removed before parsing, and so have no nodes.

use std::ops::Range;

use super::builder::FactsBuilder;
use super::is_keyword;
use super::macro_names::is_macro_name;
use super::tokens::Tokens;
use crate::facts::{MODULE, Receiver, ReferenceKind, ScopeId, Space};
use crate::facts_writer::{NameAt, ReferenceTo};
use crate::value_text::ValueText;
use ragnav_base::position::wire;

/// The words of C++ that are no names, besides those that C has, too.
const WORDS_OF_CPP: [&str; 4] = ["false", "nullptr", "this", "true"];

impl FactsBuilder<'_> {
    /// Adds the references in the text that no node covers: to macros, and to the names in their
    /// arguments. Adds the includes there, too.
    pub(super) fn add_removed_macros(&mut self, text: &str) {
        let mut covered = 0;
        for node in 0..self.tree.len() {
            if !self.tree.is_leaf(node) {
                continue;
            }
            let own = self.tree.node(node);
            if own.start > covered {
                let context = self.roles.get(node);
                let scope = context.map_or(MODULE, |context| context.scope);
                self.add_between((covered, own.start), scope);
            }
            covered = covered.max(own.end);
        }
        self.add_between((covered, wire(text.len())), MODULE);
    }

    fn add_between(&mut self, (start, end): (u32, u32), scope: ScopeId) {
        if self.tree.slice(start, end).trim().is_empty() {
            return;
        }
        self.add_macros_between((start, end), scope);
        let mut offset = start;
        for line in self.tree.slice(start, end).split_inclusive('\n') {
            if line.trim_start().starts_with('#') {
                self.add_directive(line, offset);
            }
            offset += wire(line.len());
        }
    }

    /// Adds the include of a line, or the macros in another directive.
    fn add_directive(&mut self, line: &str, offset: u32) {
        if let Some(range) = included_path(line) {
            let start = offset + wire(range.start);
            let path = self.tree.slice(start, offset + wire(range.end));
            return self.add_include(path, start, MODULE);
        }
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut at = 0;
        for word in line.split(|letter| !is_part(letter)) {
            let end = at + word.len();
            let after = line.get(end..).unwrap_or_default();
            if is_macro_name(word) {
                let range = offset + wire(at)..offset + wire(end);
                let to = (MODULE, Receiver::None, Space::Any);
                self.add_name(range, after.starts_with('('), to);
            }
            at = end + after.chars().next().map_or(0, char::len_utf8);
        }
    }

    fn add_macros_between(&mut self, (start, end): (u32, u32), scope: ScopeId) {
        let gap = Gap {
            start,
            tokens: Tokens::new(self.tree.slice(start, end)),
            scope,
        };
        // Where the arguments of the macros so far end.
        let mut arguments_end = 0;
        let mut index = 0;
        while let Some(token) = gap.tokens.get(index) {
            let word = gap.tokens.text(token);
            let is_annotation = index >= arguments_end
                && gap.tokens.is_word_token(token)
                && gap.tokens.is(index + 1, "(")
                && !is_keyword(word);
            if is_annotation || is_macro_name(word) {
                self.add_removed(&gap, index, (MODULE, Receiver::None, Space::Any));
                let close = gap.tokens.other_bracket(index + 1);
                arguments_end = close.unwrap_or_default().max(arguments_end);
            } else if index < arguments_end && gap.tokens.is_word_token(token) {
                self.add_argument(&gap, index);
            }
            index += 1;
        }
    }

    /// Adds the reference to a name in the arguments of a macro.
    fn add_argument(&mut self, gap: &Gap<'_>, index: usize) {
        let tokens = &gap.tokens;
        if is_keyword(tokens.at(index)) || WORDS_OF_CPP.contains(&tokens.at(index)) {
            return;
        }
        let separator = |at: usize| at.checked_sub(1).map_or("", |at| tokens.at(at));
        let is_scope = tokens.is(index + 1, "::");
        let space = if is_scope { Space::Types } else { Space::Any };
        let (scope, receiver) = match separator(index) {
            "::" => match gap.names_before(index) {
                Some(path) if path.is_empty() => (MODULE, Receiver::None),
                path => {
                    let value = path.map(ValueText::name).and_then(ValueText::within_limit);
                    (gap.scope, self.writer.receiver(value))
                }
            },
            // The fields and function pointers of C are no definitions.
            "." | "->" if self.is_c() => return,
            "." | "->" => (gap.scope, Receiver::Unknown),
            _ => (gap.scope, Receiver::None),
        };
        self.add_removed(gap, index, (scope, receiver, space));
    }

    /// Adds a reference, which is a call if parentheses follow.
    fn add_removed(&mut self, gap: &Gap<'_>, index: usize, to: (ScopeId, Receiver, Space)) {
        if let Some(token) = gap.tokens.get(index) {
            let range = gap.start + wire(token.start)..gap.start + wire(token.end);
            self.add_name(range, gap.tokens.is(index + 1, "("), to);
        }
    }

    fn add_name(
        &mut self,
        range: Range<u32>,
        is_called: bool,
        (scope, receiver, space): (ScopeId, Receiver, Space),
    ) {
        let name = NameAt {
            text: self.tree.slice(range.start, range.end),
            offset: range.start,
        };
        let kind = if is_called {
            ReferenceKind::Call
        } else {
            ReferenceKind::Reference
        };
        let to = ReferenceTo {
            kind,
            receiver,
            space,
        };
        self.writer.add_reference(name, scope, to);
    }
}

/// A part of the text that no node covers.
struct Gap<'t> {
    start: u32,
    tokens: Tokens<'t>,
    /// The scope of what follows it.
    scope: ScopeId,
}

impl Gap<'_> {
    /// Returns the names before one, joined with dots: `a.b` for `c` in `a::b::c`, and nothing in
    /// `::c`. Returns `None` if one of them is no name.
    fn names_before(&self, index: usize) -> Option<String> {
        let mut names = Vec::new();
        let mut at = index;
        while at > 0 && self.tokens.is(at - 1, "::") {
            let is_name = at >= 2 && self.tokens.is_word(at - 2);
            if is_name {
                names.push(self.tokens.at(at - 2));
                at -= 2;
            } else if at >= 2 && self.tokens.is(at - 2, ">") {
                return None;
            } else {
                break;
            }
        }
        names.reverse();
        Some(names.join("."))
    }
}

/// Returns the range of the path of an include with its quotes: `"a.h"` of `#include "a.h"`.
fn included_path(line: &str) -> Option<Range<usize>> {
    let directive = line.trim_start().strip_prefix('#')?.trim_start();
    let path = directive.strip_prefix("include")?.trim_start();
    let close = match path.chars().next()? {
        '"' => '"',
        '<' => '>',
        _ => return None,
    };
    let len = path.get(1..)?.find(close)? + 2;
    let start = line.len() - path.len();
    Some(start..start + len)
}
