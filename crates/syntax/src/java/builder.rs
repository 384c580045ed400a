//! The state of the pass that builds facts, and the roles of nodes.

use ragnav_base::hash::HashMap;

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
    /// The node is the type of a new object.
    Created,
    /// The node is a superclass or an interface.
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
    /// The number of imports of each name.
    pub(super) imported: HashMap<&'t str, usize>,
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

    /// Binds a name to something of a type.
    pub(super) fn bind_value(
        &mut self,
        name: NodeIndex,
        scope: ScopeId,
        (value, target): (Option<ValueText>, MakeTarget),
    ) {
        let name = self.name_at(name);
        self.writer.bind_value(name, scope, (value, scope), target);
    }

    /// Binds a member of a class, which other code reads with [`FIELD`] before its name.
    pub(super) fn bind_member(
        &mut self,
        name: NodeIndex,
        scope: ScopeId,
        target: impl FnOnce(&mut FactsWriter<'t>) -> BindingTarget,
    ) {
        let NameAt { text, offset } = self.name_at(name);
        let target = target(&mut self.writer);
        let text = format!("{FIELD}{text}");
        self.writer.bind_text(text, offset, scope, target);
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
        let arguments = match kind {
            ReferenceKind::Call => self.tree.arguments_around(node),
            _ => None,
        };
        let name = self.name_at(node);
        self.writer.add_call(name, scope, (to, arguments));
    }

    /// Reports whether a scope is the body of a class.
    pub(super) fn is_class_body(&self, scope: ScopeId) -> bool {
        let scope = self.writer.facts.scope(scope);
        scope.is_some_and(|scope| scope.kind == ScopeKind::Namespace)
    }

    /// Reports whether a scope is the body of a class without a name.
    pub(super) fn is_anonymous(&self, scope: ScopeId) -> bool {
        let facts = &self.writer.facts;
        let owner = facts.scope(scope).and_then(|scope| scope.definition);
        let owner = owner.and_then(|id| facts.definition(id));
        self.is_class_body(scope) && owner.is_none_or(|owner| owner.scope != scope)
    }
}
