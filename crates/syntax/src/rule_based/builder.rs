//! The state of the walk.

use super::grammar_rules::Table;
use super::name_scopes::Seen;
use super::rules::{Field, FlatTree};
use crate::facts::{DefinitionId, Facts, Position, Reference, ScopeId};
use crate::name_table::Names;
use crate::positions::Positions;
use crate::tree::At;

/// The file's own scope.
pub(super) const MODULE: ScopeId = ScopeId(0);

/// What a node is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// It is read.
    #[default]
    Read,
    /// It is mentioned, also where a name by itself is none.
    Mentioned,
    /// It is called.
    Callee,
    /// It is imported.
    Import,
    /// It is inherited from.
    Inherit,
    /// The names in it are variables, seen from this offset on.
    Local(u32),
    /// It names what is being defined.
    Defined,
    /// Nothing in it is a mention.
    Skip,
}

/// What stands before a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of<'t> {
    Nothing,
    /// What the instance or class calls itself.
    Own,
    /// The parameter that is the instance.
    Receiver(&'t str),
    Name(&'t str),
    Unknown,
}

/// A name that is no variable's.
#[derive(Debug)]
pub(super) struct Mention<'t> {
    pub(super) text: &'t str,
    pub(super) of: Of<'t>,
    pub(super) reference: Reference,
}

/// The walk with what it found so far.
pub(super) struct Walk<'t> {
    pub(super) tree: &'t FlatTree<'t>,
    pub(super) table: &'t Table,
    pub(super) facts: Facts,
    pub(super) names: Names<'t>,
    pub(super) positions: Positions<'t>,
    pub(super) mentions: Vec<Mention<'t>>,
    pub(super) seen: Seen<'t>,
    /// One for each node of the tree, set before the node's turn comes.
    pub(super) roles: Vec<Role>,
    /// The definitions around a node with the first node behind each, innermost last.
    pub(super) open: Vec<(At, DefinitionId)>,
    /// To where variables are seen, innermost last, with the first node behind.
    pub(super) regions: Vec<(At, u32)>,
}

impl Walk<'_> {
    /// The innermost definition around.
    pub(super) fn around(&self) -> Option<DefinitionId> {
        self.open.last().map(|(_, id)| *id)
    }

    pub(super) fn position(&mut self, at: At) -> Position {
        self.positions.at(self.tree.node(at).start as usize)
    }

    /// The scope that a definition opens; the file's without one.
    pub(super) fn scope_of(&self, definition: Option<DefinitionId>) -> ScopeId {
        let definition = definition.and_then(|id| self.facts.definitions.get(id.0 as usize));
        definition.map_or(MODULE, |definition| definition.scope)
    }

    pub(super) fn scope_around(&self, definition: DefinitionId) -> ScopeId {
        let scope = self.scope_of(Some(definition));
        let scope = self.facts.scopes.get(scope.0 as usize);
        scope.and_then(|scope| scope.parent).unwrap_or(MODULE)
    }

    pub(super) fn give_all(&mut self, at: At, role: Role) {
        if role == Role::Read {
            return;
        }
        for child in self.tree.children(at) {
            self.set(child, role);
        }
    }

    pub(super) fn give_field(&mut self, at: At, field: Field, role: Role) {
        for child in self.tree.children(at) {
            if self.tree.node(child).field == field {
                self.set(child, role);
            }
        }
    }

    pub(super) fn set(&mut self, at: At, role: Role) {
        let known = self.roles.get_mut(at);
        // What names a definition does so however deep inside its node it stands.
        if let Some(known) = known.filter(|known| **known != Role::Defined) {
            *known = role;
        }
    }
}
