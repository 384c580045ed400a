//! The state of the pass that builds facts, and the roles of nodes.

use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{
    BindingTarget, FIELD, Receiver, ReferenceKind, ScopeId, ScopeKind, Space, Value,
};
use crate::facts_writer::{FactsWriter, NameAt, ReferenceTo};
use crate::node_roles::{self, NodeRoles};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The role of a node in its parent, which decides what a name in it becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The node is read.
    Read,
    /// The node is called.
    Called,
    /// A member of the node is read.
    Qualifier,
    /// The node is a type.
    Type,
    /// The node is the type of an attribute.
    Attribute,
    /// The node is the type of a new object.
    Created,
    /// The node is a base class or an interface.
    Base,
    /// The node has a scope already: the body of a method has that of the parameters.
    OwnScope,
    /// The visitor that assigned this role has handled the node, and its names are no references.
    Handled,
}

/// The role of a node and the scope in which its names are looked up.
pub(super) type Context = node_roles::Context<Role>;

/// Makes the target of a binding of its value.
pub(super) type MakeTarget = fn(Option<Value>) -> BindingTarget;

/// The builder of the facts of one file.
pub(super) struct FactsBuilder<'t> {
    pub(super) tree: &'t FlatTree<'t>,
    pub(super) writer: FactsWriter<'t>,
    pub(super) roles: NodeRoles<'t, 't, Kind, Field, Role>,
}

impl<'t> FactsBuilder<'t> {
    pub(super) fn name_at(&self, node: NodeIndex) -> NameAt<'t> {
        let text = self.tree.text(node);
        let name = text.strip_prefix('@').unwrap_or(text);
        let verbatim = u32::from(name.len() < text.len());
        NameAt {
            text: name,
            offset: self.tree.node(node).start + verbatim,
        }
    }

    pub(super) fn bind(&mut self, name: NodeIndex, scope: ScopeId, target: BindingTarget) {
        self.roles.set(name, Role::Handled, scope);
        self.writer.bind(self.name_at(name), scope, (target, scope));
    }

    /// Binds a name to something of a type.
    pub(super) fn bind_value(
        &mut self,
        name: NodeIndex,
        scope: ScopeId,
        (value, target): (Option<ValueText>, MakeTarget),
    ) {
        self.roles.set(name, Role::Handled, scope);
        let name = self.name_at(name);
        self.writer.bind_value(name, scope, (value, scope), target);
    }

    /// Binds a member of a class to its value, which other code reads with [`FIELD`] before its
    /// name.
    pub(super) fn bind_member(
        &mut self,
        name: NodeIndex,
        scope: ScopeId,
        value: Option<ValueText>,
    ) {
        self.roles.set(name, Role::Handled, scope);
        let NameAt { text, offset } = self.name_at(name);
        let has_arguments = value.as_ref().is_some_and(|value| value.has_arguments);
        let value = self.writer.intern_value(value);
        let text = format!("{FIELD}{text}");
        let target = BindingTarget::Attribute(value);
        self.writer.bind_text(text.clone(), offset, scope, target);
        if has_arguments {
            let target = BindingTarget::Attribute(None);
            self.writer.bind_text(text, offset, scope, target);
        }
    }

    pub(super) fn add_reference(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        (kind, receiver, space): (ReferenceKind, Receiver, Space),
    ) {
        self.roles.set(node, Role::Handled, scope);
        let to = ReferenceTo {
            kind,
            receiver,
            space,
        };
        let arguments = match kind {
            ReferenceKind::Call => self.tree.arguments_around(node),
            _ => None,
        };
        let name = self.name_at(node);
        self.writer.add_call(name, scope, (to, arguments));
    }

    /// Reports whether a scope is the body of a type.
    pub(super) fn is_type_body(&self, scope: ScopeId) -> bool {
        let facts = &self.writer.facts;
        let Some(found) = facts.scope(scope) else {
            return false;
        };
        let owner = found.definition.and_then(|id| facts.definition(id));
        found.kind == ScopeKind::Namespace
            && owner.is_some_and(|owner| owner.kind != ragnav_base::item::DefinitionKind::Namespace)
    }

    /// Opens a scope. All children of the node are in it.
    pub(super) fn open_block(&mut self, node: NodeIndex, scope: ScopeId) -> ScopeId {
        let inside = self.writer.open_scope(ScopeKind::Block, scope, None);
        self.roles.set_children(node, Role::Read, inside);
        self.set_types(node, inside);
        inside
    }

    /// Gives types their role: all nodes in the fields of types.
    pub(super) fn set_types(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        for child in tree.children(node) {
            let field = tree.node(child).field;
            if matches!(field, Field::Type | Field::Returns) {
                self.roles.set(child, Role::Type, scope);
            }
        }
    }

    /// Returns the first identifier below a name: `a` of `a<B>`.
    pub(super) fn simple_name(&self, node: NodeIndex) -> Option<NodeIndex> {
        match self.tree.kind(node) {
            Kind::Identifier => Some(node),
            Kind::Generic => {
                let mut operands = self.tree.operands(node);
                operands.find(|one| self.tree.kind(*one) == Kind::Identifier)
            }
            _ => None,
        }
    }
}
