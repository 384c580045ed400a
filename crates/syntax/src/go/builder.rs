//! The state of the pass that builds facts, and the roles of nodes.

use super::kinds::{Field, FlatTree, Kind};
use super::values::ValueText;
use crate::facts::{
    Binding, BindingTarget, Facts, Position, Receiver, Reference, ReferenceKind, ScopeId, Space,
    Value,
};
use crate::name_interner::NameInterner;
use crate::node_roles::{self, NodeRoles};
use crate::position_cursor::PositionCursor;
use crate::rule_based::FoundDefinition;
use crate::symbol::Symbol;
use crate::tree::NodeIndex;

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
    pub(super) facts: Facts,
    pub(super) names: NameInterner<'t>,
    pub(super) positions: PositionCursor<'t>,
    /// The definitions that the walk has not reached, in reverse order.
    pub(super) pending_definitions: Vec<(FoundDefinition, Symbol)>,
    pub(super) roles: NodeRoles<'t, 't, Kind, Field, Role>,
}

impl FactsBuilder<'_> {
    pub(super) fn bind(
        &mut self,
        name: NodeIndex,
        scope: ScopeId,
        target: BindingTarget,
        value_scope: ScopeId,
    ) {
        let text = self.tree.text(name);
        if matches!(text, "" | "_") {
            return;
        }
        let name_id = self.names.intern(text);
        let position = self.position_of(name);
        self.facts.bindings.push(Binding {
            scope,
            name: name_id,
            position,
            target,
            value_scope,
        });
    }

    /// Binds a name to a value, which is looked up in another scope. `target` makes the target.
    pub(super) fn bind_value(
        &mut self,
        name: NodeIndex,
        scope: ScopeId,
        (value, value_scope): (Option<ValueText>, ScopeId),
        target: fn(Option<Value>) -> BindingTarget,
    ) {
        let has_arguments = value.as_ref().is_some_and(|value| value.has_arguments);
        let value = self.intern_value(value);
        self.bind(name, scope, target(value), value_scope);
        if has_arguments {
            self.bind(name, scope, BindingTarget::Variable(None), value_scope);
        }
    }

    /// Binds a variable to a value, which is looked up in another scope.
    pub(super) fn bind_variable(
        &mut self,
        name: NodeIndex,
        scope: ScopeId,
        value: (Option<ValueText>, ScopeId),
    ) {
        self.bind_value(name, scope, value, BindingTarget::Variable);
    }

    pub(super) fn add_reference(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        (kind, receiver): (ReferenceKind, Receiver),
    ) {
        let text = self.tree.text(node);
        // The parser inserts empty tokens where some are missing.
        if text.is_empty() {
            return;
        }
        let reference = Reference {
            name: self.names.intern(text),
            receiver,
            kind,
            position: self.position_of(node),
            scope,
            space: Space::Any,
        };
        self.facts.references.push(reference);
    }

    pub(super) fn position_of(&mut self, node: NodeIndex) -> Position {
        self.positions
            .position_at(self.tree.node(node).start as usize)
    }

    pub(super) fn intern_value(&mut self, value: Option<ValueText>) -> Option<Value> {
        let ValueText {
            path, is_called, ..
        } = value?;
        let path = self.names.intern(path);
        Some(Value { path, is_called })
    }
}
