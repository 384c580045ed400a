//! What identifiers become by what they are for: references and bindings.

use std::borrow::Cow;

use super::annotations;
use super::builder::{Context, Role, Walk};
use super::kinds::{Field, Kind};
use super::value_text::Said;
use crate::facts::{
    Binding, Bound, Name, Position, Receiver, Reference, ReferenceKind, ScopeId, Space, Value,
};
use crate::tree::At;

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
            Role::TargetMember(value) => {
                let receiver = self.receiver(at);
                self.refer(at, scope, ReferenceKind::Reference, receiver);
                self.bind_attribute(at, scope, value);
            }
            Role::Target(value) => self.bind(at, scope, Bound::Variable(value), scope),
            Role::Declared => self.bind(at, scope, Bound::Variable(None), scope),
            Role::Outer(outer) => self.bind(at, scope, Bound::Outer(outer), scope),
            Role::Updated => {
                self.refer(at, scope, ReferenceKind::Reference, Receiver::None);
                self.bind(at, scope, Bound::Variable(None), scope);
            }
            Role::Parameter(value) => self.bind_parameter(at, scope, value),
            Role::Done => {}
            Role::Read
            | Role::Annotation
            | Role::Superclasses
            | Role::PatternClass
            | Role::FirstFor => {
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

    /// The names in an annotation that stands in quotes.
    pub(super) fn quoted(&mut self, at: At, scope: ScopeId) {
        let tree = self.tree;
        let mut contents = tree
            .children(at)
            .filter(|&child| tree.kind(child) == Kind::StringContent);
        let (Some(content), None) = (contents.next(), contents.next()) else {
            return;
        };
        let start = tree.node(content).start as usize;
        for mentioned in annotations::mentioned(tree.text(content)) {
            let said = mentioned.of.map(|path| Said {
                path: path.into(),
                called: false,
            });
            let reference = Reference {
                name: self.names.name(mentioned.name),
                receiver: self.value(said).map_or(Receiver::None, Receiver::Value),
                kind: ReferenceKind::Reference,
                at: self.positions.at(start + mentioned.start),
                scope,
                space: Space::Any,
            };
            self.facts.references.push(reference);
        }
    }

    /// In its brackets `Literal[…]` has no annotations, and `Annotated[…]` one.
    pub(super) fn generic_annotation(&mut self, at: At, scope: ScopeId) {
        let tree = self.tree;
        // A generic type has its arguments in a node of their own, a subscript beside its name.
        let (generic, before) = match tree.kind(at) {
            Kind::TypeParameter => (tree.parent(at), 0),
            _ => (at, 1),
        };
        let kept = match annotations::head(tree.text(generic)) {
            "Literal" => 0,
            "Annotated" => 1,
            _ => return,
        };
        for part in tree.operands(at).skip(before + kept) {
            self.give(part, Role::Read, scope);
        }
    }

    /// The quoted annotations in `cast("A", …)` and `TypeVar(…, bound="A")`.
    pub(super) fn quoted_arguments(&mut self, call: At, context: Context) {
        let tree = self.tree;
        let mut parts = tree.operands(call);
        let (Some(function), Some(arguments)) = (parts.next(), parts.next()) else {
            return;
        };
        let annotation = match tree.last_name(function) {
            Some("cast") => tree.operands(arguments).next(),
            Some("TypeVar") => tree
                .operands(arguments)
                .filter(|&argument| tree.kind(argument) == Kind::KeywordArgument)
                .find_map(|argument| tree.child(argument, Field::Value)),
            _ => None,
        };
        let annotation = annotation.filter(|&annotation| tree.kind(annotation) == Kind::String);
        if let Some(annotation) = annotation {
            self.quoted(annotation, context.scope);
        }
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
