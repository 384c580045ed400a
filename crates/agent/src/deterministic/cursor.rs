//! A position in the tokens of a question, with lookahead for the rules.

use super::tokens::{Kind, Token};
use crate::calendar::Day;
use crate::catalogue::{Catalogue, Field, Role};
use crate::draft::DraftFilter;

/// A position in the tokens, with the catalogue and the current day.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub(super) tokens: &'a [Token<'a>],
    pub(super) at: usize,
    pub(super) catalogue: &'a Catalogue,
    pub(super) today: Day,
}

/// The match of a rule at a position.
#[derive(Debug, Default)]
pub(super) struct RuleMatch {
    /// The number of tokens that the rule consumes.
    pub(super) used: usize,
    pub(super) filters: Vec<DraftFilter>,
    /// Whether the filters were written as filters, and not in words with other possible meanings.
    pub(super) is_explicit: bool,
}

impl<'a> Cursor<'a> {
    /// Returns the token `ahead` positions further on.
    pub(super) fn token(&self, ahead: usize) -> Option<&'a Token<'a>> {
        self.tokens.get(self.at + ahead)
    }

    /// Returns the lower-case word `ahead` positions further on, or `""`.
    pub(super) fn word(&self, ahead: usize) -> &'a str {
        self.token(ahead).map_or("", |token| &token.word)
    }

    /// Returns the previous word, or `""`.
    pub(super) fn before(&self) -> &'a str {
        let index = self.at.checked_sub(1);
        let token = index.and_then(|index| self.tokens.get(index));
        token.map_or("", |token| &token.word)
    }

    /// Returns 1 if the word `ahead` positions further on is one of `words`, and 0 otherwise.
    pub(super) fn skip(&self, ahead: usize, words: &[&str]) -> usize {
        usize::from(words.contains(&self.word(ahead)))
    }

    /// Returns the position `ahead` tokens further on.
    pub(super) fn ahead(&self, ahead: usize) -> Self {
        Self {
            at: self.at + ahead,
            ..*self
        }
    }

    pub(super) fn is(&self, ahead: usize, kind: Kind) -> bool {
        self.token(ahead).is_some_and(|token| token.kind == kind)
    }

    pub(super) fn field(&self, role: Role) -> Option<&'a Field> {
        self.catalogue.with_role(role)
    }
}
