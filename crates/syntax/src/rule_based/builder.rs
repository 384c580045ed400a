//! The state of the pass that builds facts.

use super::grammar_rules::GrammarRules;
use super::name_scopes::NameScopes;
use super::rules::{Field, FlatTree};
use crate::facts::{DefinitionId, Facts, Position, Reference, ScopeId};
use crate::name_interner::NameInterner;
use crate::position_cursor::PositionCursor;
use crate::tree::NodeIndex;

pub(super) use crate::facts::MODULE;

/// The role of a node in its parent, which decides what a name in it becomes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// The node is read.
    #[default]
    Read,
    /// The node is a reference, even where a bare [`Rule::Identifier`](super::rules::Rule) is not.
    Reference,
    /// The node is called.
    Callee,
    /// The node is imported.
    Import,
    /// The node is a base class.
    Base,
    /// The names in the node are variables, visible from this offset on.
    Variable(u32),
    /// The names in the node are fields.
    Field,
    /// The names in the node are variables, unless definitions have these names.
    ForwardVariable,
    /// The node is the name of a definition.
    DefinitionName,
    /// No name in the node is a reference.
    Skip,
}

/// The text before the dot of a member access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReceiverText<'t> {
    None,
    /// A name of the current instance or its class: `self` or `this`.
    OwnInstance,
    /// The parameter that holds the instance: `r` of Go's `func (r *T) f()`.
    InstanceParameter(&'t str),
    Name(&'t str),
    Unknown,
}

/// A reference whose receiver is decided once all definitions are known.
#[derive(Debug)]
pub(super) struct PendingReference<'t> {
    pub(super) text: &'t str,
    pub(super) receiver_text: ReceiverText<'t>,
    pub(super) reference: Reference,
    /// Whether an unknown object may have a member of the name.
    pub(super) may_be_member: bool,
}

/// The builder of the facts of one file.
pub(super) struct FactsBuilder<'t> {
    pub(super) tree: &'t FlatTree<'t>,
    pub(super) rules: &'t GrammarRules,
    pub(super) facts: Facts,
    pub(super) names: NameInterner<'t>,
    pub(super) positions: PositionCursor<'t>,
    pub(super) pending_references: Vec<PendingReference<'t>>,
    pub(super) name_scopes: NameScopes<'t>,
    /// The role of each node, assigned before the node is visited.
    pub(super) roles: Vec<Role>,
    /// The enclosing definitions, innermost last, each with the first node after it.
    pub(super) open: Vec<(NodeIndex, DefinitionId)>,
    /// The offsets at which variables go out of scope, innermost last, with the first node after.
    pub(super) scope_ends: Vec<(NodeIndex, u32)>,
    /// The first nodes after the enclosing constructs in which an unknown object may have the
    /// members that bare names refer to, innermost last.
    pub(super) receiver_ends: Vec<NodeIndex>,
}

impl FactsBuilder<'_> {
    /// Returns the innermost enclosing definition.
    pub(super) fn enclosing_definition(&self) -> Option<DefinitionId> {
        self.open.last().map(|(_, id)| *id)
    }

    pub(super) fn position_of(&mut self, node: NodeIndex) -> Position {
        self.positions
            .position_at(self.tree.node(node).start as usize)
    }

    /// Returns the scope that a definition opens, or the scope of the file for `None`.
    pub(super) fn scope_of(&self, definition: Option<DefinitionId>) -> ScopeId {
        let definition = definition.and_then(|id| self.facts.definition(id));
        definition.map_or(MODULE, |definition| definition.scope)
    }

    pub(super) fn enclosing_scope(&self, definition: DefinitionId) -> ScopeId {
        self.facts.enclosing_scope(self.scope_of(Some(definition)))
    }

    pub(super) fn set_child_roles(&mut self, node: NodeIndex, role: Role) {
        // The default, which must not replace the role that an outer node gave to a child.
        if role == Role::Read {
            return;
        }
        for child in self.tree.children(node) {
            self.set_role(child, role);
        }
    }

    pub(super) fn set_field_role(&mut self, node: NodeIndex, field: Field, role: Role) {
        for child in self.tree.children(node) {
            if self.tree.node(child).field == field {
                self.set_role(child, role);
            }
        }
    }

    pub(super) fn set_role(&mut self, node: NodeIndex, role: Role) {
        let known = self.roles.get_mut(node);
        // The name of a definition keeps its role however deeply it is nested: `*f` in C.
        if let Some(known) = known.filter(|known| **known != Role::DefinitionName) {
            *known = role;
        }
    }
}
