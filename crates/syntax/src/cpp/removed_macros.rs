//! References to macros that were removed before parsing, and so have no nodes.

use super::builder::FactsBuilder;
use super::macros::{is_keyword, is_macro_name};
use super::tokens::Tokens;
use crate::facts::{MODULE, Receiver, ReferenceKind, ScopeId, Space};
use crate::facts_writer::{NameAt, ReferenceTo};
use crate::value_text::ValueText;
use ragnav_base::position::wire;

impl FactsBuilder<'_> {
    /// Adds the references in the text that no node covers: to macros, and to the names in their
    /// arguments.
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
                self.add_macros_between((covered, own.start), scope);
            }
            covered = covered.max(own.end);
        }
        self.add_macros_between((covered, wire(text.len())), MODULE);
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
            if is_macro_name(word) {
                let to = (ReferenceKind::Reference, Receiver::None, Space::Any);
                self.add_removed(&gap, index, MODULE, to);
                let close = gap.tokens.close_of(index + 1);
                arguments_end = close.unwrap_or_default().max(arguments_end);
            } else if index < arguments_end && gap.tokens.is_word_token(token) && !is_keyword(word)
            {
                self.add_argument(&gap, index);
            }
            index += 1;
        }
    }

    /// Adds the reference to a name in the arguments of a macro.
    fn add_argument(&mut self, gap: &Gap<'_>, index: usize) {
        let tokens = &gap.tokens;
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
        let to = (ReferenceKind::Reference, receiver, space);
        self.add_removed(gap, index, scope, to);
    }

    /// Adds a reference, which is a call if parentheses follow.
    fn add_removed(
        &mut self,
        gap: &Gap<'_>,
        index: usize,
        scope: ScopeId,
        (kind, receiver, space): (ReferenceKind, Receiver, Space),
    ) {
        let Some(token) = gap.tokens.get(index) else {
            return;
        };
        let is_called = gap.tokens.is(index + 1, "(");
        let start = gap.start + wire(token.start);
        let name = NameAt {
            text: self.tree.slice(start, gap.start + wire(token.end)),
            offset: start,
        };
        let to = ReferenceTo {
            kind: if is_called { ReferenceKind::Call } else { kind },
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
