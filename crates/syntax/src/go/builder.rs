//! The state of the pass that builds facts, and the roles of nodes.

use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{BindingTarget, DefinitionId, ScopeId, ScopeKind};
use crate::facts_writer::{FactsWriter, NameAt};
use crate::node_roles::{self, NodeRoles};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The role of a node in its parent, which decides what a name in it becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The node is read.
    Read,
    /// The node is called.
    Callee,
    /// The node is an embedded type.
    Base,
    /// The node has a scope already: the body of a function has that of the parameters.
    OwnScope,
    /// The visitor that assigned this role has handled the node, and its names are no references.
    Handled,
}

/// The role of a node and the scope in which its names are looked up.
pub(super) type Context = node_roles::Context<Role>;

/// The builder of the facts of one file.
pub(super) struct FactsBuilder<'t> {
    pub(super) tree: &'t FlatTree<'t>,
    pub(super) writer: FactsWriter<'t>,
    pub(super) roles: NodeRoles<'t, 't, Kind, Field, Role>,
    /// The number of scopes that were opened for the rest of a block.
    pub(super) rests: usize,
}

impl<'t> FactsBuilder<'t> {
    pub(super) fn name_at(&self, node: NodeIndex) -> NameAt<'t> {
        NameAt {
            text: self.tree.text(node),
            offset: self.tree.node(node).start,
        }
    }

    pub(super) fn bind(&mut self, name: NodeIndex, scope: ScopeId, target: BindingTarget) {
        self.writer.bind(self.name_at(name), scope, (target, scope));
    }

    /// Binds a variable to a value, which is looked up in another scope.
    pub(super) fn bind_variable(
        &mut self,
        name: NodeIndex,
        scope: ScopeId,
        value: (Option<ValueText>, ScopeId),
    ) {
        let name = self.name_at(name);
        self.writer
            .bind_value(name, scope, value, BindingTarget::Variable);
    }

    pub(super) fn open_scope(
        &mut self,
        kind: ScopeKind,
        parent: ScopeId,
        definition: Option<DefinitionId>,
    ) -> ScopeId {
        self.writer.open_scope(kind, parent, definition)
    }
}
