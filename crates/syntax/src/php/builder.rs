//! The state of the pass that builds facts, and the roles of nodes.

use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{
    Binding, BindingTarget, DefinitionId, FIELD, Receiver, ReferenceKind, ScopeId, ScopeKind, Space,
};
use crate::facts_writer::{FactsWriter, NameAt, ReferenceTo};
use crate::flow_order::BoundNode;
use crate::node_roles::{self, NodeRoles};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The role of a node in its parent, which decides what a name in it becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The node is read.
    Read,
    /// The node is a class of which an object is created.
    Created,
    /// The node is a superclass, an interface or a trait that a class uses.
    Base,
    /// The node has a scope already.
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
    /// The assignments to variables.
    pub(super) assigned: Vec<BoundNode>,
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

    /// Binds a variable to each value that it may have.
    pub(super) fn bind_variable(
        &mut self,
        name: NodeIndex,
        scope: ScopeId,
        values: Vec<ValueText>,
    ) {
        self.bind_variable_in(name, scope, (values, scope));
    }

    /// Binds the name that stands for an expression to each value that it may have.
    pub(super) fn bind_choice(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        values: Vec<Option<ValueText>>,
    ) {
        let offset = self.tree.node(node).start;
        self.writer.bind_choice((node, offset), scope, values);
    }

    /// Binds a parameter without a type to what calls pass, and to its default value.
    pub(super) fn bind_parameter(
        &mut self,
        name: NodeIndex,
        scope: ScopeId,
        default: Option<ValueText>,
    ) {
        let place = self.name_at(name);
        let text = self.writer.names.intern(place.text);
        self.assigned.push((scope, text, name));
        self.writer
            .bind_value(place, scope, (None, scope), BindingTarget::Parameter);
        if default.is_some() {
            self.writer
                .bind_value(place, scope, (default, scope), BindingTarget::Parameter);
        }
    }

    /// Binds a variable to each value that it may have, which are those of another scope.
    pub(super) fn bind_variable_in(
        &mut self,
        name: NodeIndex,
        scope: ScopeId,
        (values, value_scope): (Vec<ValueText>, ScopeId),
    ) {
        let place = self.name_at(name);
        let text = self.writer.names.intern(place.text);
        self.assigned.push((scope, text, name));
        if values.is_empty() {
            self.writer
                .bind_value(place, scope, (None, scope), BindingTarget::Variable);
        }
        for value in values {
            let value = (Some(value), value_scope);
            self.writer
                .bind_value(place, scope, value, BindingTarget::Variable);
        }
    }

    /// Binds a property of a class, which other code reads with [`FIELD`] before its name.
    pub(super) fn bind_property(
        &mut self,
        (name, place): (&str, NodeIndex),
        class: ScopeId,
        (value, value_scope): (Option<ValueText>, ScopeId),
    ) {
        let binding = Binding {
            scope: class,
            name: self
                .writer
                .names
                .intern(format!("{FIELD}{}", name.trim_start_matches('$'))),
            position: self.writer.position_at(self.tree.node(place).start),
            target: BindingTarget::Attribute(self.writer.intern_value(value)),
            value_scope,
        };
        self.writer.facts.bindings.push(binding);
    }

    pub(super) fn open_scope(
        &mut self,
        kind: ScopeKind,
        parent: ScopeId,
        definition: Option<DefinitionId>,
    ) -> ScopeId {
        self.writer.open_scope(kind, parent, definition)
    }

    pub(super) fn add_reference(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        (kind, receiver, space): (ReferenceKind, Receiver, Space),
    ) {
        let to = ReferenceTo {
            kind,
            receiver,
            space,
        };
        self.writer.add_reference(self.name_at(node), scope, to);
    }

    /// Returns the scope of the body of the class around a scope.
    pub(super) fn class_around(&self, scope: ScopeId) -> Option<ScopeId> {
        let mut next = Some(scope);
        while let Some(current) = next {
            let found = self.writer.facts.scope(current)?;
            if found.kind == ScopeKind::Class {
                return Some(current);
            }
            next = found.parent;
        }
        None
    }
}
