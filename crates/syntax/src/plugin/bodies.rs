//! Hashes the bodies of definitions by the tokens of their text.

use tree_sitter::{Tree, TreeCursor};

use super::definitions::FoundDefinition;
use crate::body_hash::{Body, Token, hash_tokens, token};
use crate::facts::BodyHash;

/// The names of the current instance in many languages.
const OWN_RECEIVERS: &[&str] = &["self", "this"];

/// The tokens of a text.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    tokens: Vec<Token>,
    /// The offset at which each token begins.
    starts: Vec<usize>,
}

impl Tokens {
    /// Reads the tokens of a tree, without comments. It is iterative, since the author of a text
    /// controls the depth of its tree.
    pub(super) fn read(tree: &Tree, text: &str) -> Self {
        let mut tokens = Self::default();
        let mut cursor = tree.walk();
        let mut end = 0;
        loop {
            if cursor.goto_first_child() {
                continue;
            }
            end = tokens.take_leaf(&cursor, text, end);
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return tokens;
                }
            }
        }
    }

    /// Adds the text before a leaf that is no token of the grammar, and the leaf. Returns its end.
    fn take_leaf(&mut self, cursor: &TreeCursor<'_>, text: &str, before: usize) -> usize {
        let leaf = cursor.node();
        self.push(text, before, leaf.start_byte());
        let is_comment = leaf.is_extra() && leaf.kind().contains("comment");
        if !is_comment {
            self.push(text, leaf.start_byte(), leaf.end_byte());
        }
        before.max(leaf.end_byte())
    }

    fn push(&mut self, text: &str, start: usize, end: usize) {
        let part = text.get(start..end).unwrap_or_default().trim();
        if !part.is_empty() {
            self.tokens.push(token(part));
            self.starts.push(start);
        }
    }

    /// Hashes the bodies of definitions.
    pub(super) fn hash(&self, found: &[FoundDefinition], text: &str) -> Vec<BodyHash> {
        let at = |offset: usize| self.starts.partition_point(|start| *start < offset);
        let bodies = found.iter().map(|found| {
            let name = text.get(found.name.clone()).unwrap_or_default();
            let is_inside = found.name.start >= found.raw.start;
            let first = if is_inside {
                found.name.end
            } else {
                found.raw.start
            };
            let range = at(first)..at(found.raw.end).max(at(first));
            Body::of_tokens(range, name, found.depth)
        });
        let bodies: Vec<Body> = bodies.collect();
        hash_tokens(&self.tokens, &bodies, OWN_RECEIVERS)
    }
}
