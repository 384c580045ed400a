//! A place in a question, from which rules look ahead.

use super::tokens::{Kind, Token};
use crate::catalogue::{Catalogue, Field, Role};
use crate::civil::Day;
use crate::draft::DraftFilter;

/// What the rules see: the pieces, where they stand, and what there is to filter by.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) tokens: &'a [Token<'a>],
    pub(super) at: usize,
    pub(super) catalogue: &'a Catalogue,
    pub(super) today: Day,
}

/// What a rule makes of the pieces at a place.
#[derive(Debug, Default)]
pub(super) struct Claim {
    /// How many pieces it is about.
    pub(super) used: usize,
    pub(super) filters: Vec<DraftFilter>,
    /// Whether it was written as a filter, and not in words that could mean something else.
    pub(super) is_explicit: bool,
}

impl<'a> View<'a> {
    /// The piece so many further on.
    pub(super) fn token(&self, ahead: usize) -> Option<&'a Token<'a>> {
        self.tokens.get(self.at + ahead)
    }

    /// The word so many further on, in lower case; empty where there is none.
    pub(super) fn word(&self, ahead: usize) -> &'a str {
        self.token(ahead).map_or("", |token| &token.word)
    }

    /// The word before; empty where there is none.
    pub(super) fn before(&self) -> &'a str {
        let index = self.at.checked_sub(1);
        let token = index.and_then(|index| self.tokens.get(index));
        token.map_or("", |token| &token.word)
    }

    /// How many of the pieces so many further on are one of some words: 0 or 1.
    pub(super) fn skip(&self, ahead: usize, words: &[&str]) -> usize {
        usize::from(words.contains(&self.word(ahead)))
    }

    /// The place so many further on.
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
