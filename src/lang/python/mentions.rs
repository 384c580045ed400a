//! What identifiers become by what they are for: references and bindings.

use std::borrow::Cow;

use super::facts::{Context, Role, Walk};
use super::kinds::Kind;
use super::values::Said;
use crate::lang::facts::{
    Binding, Bound, Name, Position, Receiver, Reference, ReferenceKind, ScopeId, Space, Value,
};
use crate::lang::tree::At;

impl<'t> Walk<'t> {
    pub(super) fn identifier(&mut self, at: At, context: Context) {
        let scope = context.scope;
        match context.role {
            Role::Callee => self.refer(at, scope, ReferenceKind::Call, Receiver::None),
            Role::Base => self.refer(at, scope, ReferenceKind::Inherit, Receiver::None),
            Role::Member(kind) => {
                let receiver = self.receiver(at);
                self.refer(at, scope, kind, receiver);
            }
            Role::TargetMember(value) => self.bind_attribute(at, scope, value),
            Role::Target(value) => self.bind(at, scope, Bound::Variable(value), scope),
            Role::Declared => self.bind(at, scope, Bound::Variable(None), scope),
            Role::Outer(outer) => self.bind(at, scope, Bound::Outer(outer), scope),
            Role::Updated => {
                self.refer(at, scope, ReferenceKind::Reference, Receiver::None);
                self.bind(at, scope, Bound::Variable(None), scope);
            }
            Role::Parameter(value) => self.bind_parameter(at, scope, value),
            Role::Done => {}
            Role::Read | Role::Superclasses | Role::PatternClass | Role::FirstFor => {
                self.refer(at, scope, ReferenceKind::Reference, Receiver::None);
            }
        }
    }

    /// What an attribute's or dotted name's segment is a member of.
    fn receiver(&mut self, at: At) -> Receiver {
        let tree = self.tree;
        let parent = tree.parent(at);
        let said = if tree.kind(parent) == Kind::DottedName {
            let path = tree.before_segment(parent, at);
            let called = false;
            path.map(|path| Said { path, called })
        } else {
            let object = tree.operands(parent).next();
            let object = object.and_then(|object| tree.without_splat(object));
            object.and_then(|object| tree.value(object))
        };
        self.value(said).map_or(Receiver::Unknown, Receiver::Value)
    }

    pub(super) fn refer(
        &mut self,
        at: At,
        scope: ScopeId,
        kind: ReferenceKind,
        receiver: Receiver,
    ) {
        let text = self.tree.text(at);
        // The grammar makes up tokens where some are missing.
        if text.is_empty() {
            return;
        }
        let reference = Reference {
            name: self.names.name(text),
            receiver,
            kind,
            at: self.position(at),
            scope,
            space: Space::Any,
        };
        self.facts.references.push(reference);
    }

    pub(super) fn bind(&mut self, at: At, scope: ScopeId, to: Bound, value_scope: ScopeId) {
        let text = self.tree.text(at);
        if text.is_empty() {
            return;
        }
        let binding = Binding {
            scope,
            name: self.names.name(text),
            at: self.position(at),
            to,
            value_scope,
        };
        self.facts.bindings.push(binding);
    }

    pub(super) fn position(&mut self, at: At) -> Position {
        self.positions.at(self.tree.node(at).start as usize)
    }

    pub(super) fn name(&mut self, text: impl Into<Cow<'t, str>>) -> Name {
        self.names.name(text)
    }

    pub(super) fn value(&mut self, said: Option<Said<'t>>) -> Option<Value> {
        let Said { path, called } = said?;
        let path = self.names.name(path);
        Some(Value { path, called })
    }
}
