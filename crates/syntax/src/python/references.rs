//! Turns identifiers into references and bindings, by their roles.

use std::borrow::Cow;

use super::annotations;
use super::builder::{Context, FactsBuilder, Role};
use super::kinds::{Field, Kind};
use super::library_generics;
use super::value_text::ValueText;
use crate::facts::{
    Binding, BindingTarget, Name, Position, Receiver, Reference, ReferenceKind, ScopeId, Space,
    Value,
};
use crate::tree::NodeIndex;

impl<'t> FactsBuilder<'t> {
    pub(super) fn visit_identifier(&mut self, node: NodeIndex, context: Context) {
        let scope = context.scope;
        match context.role {
            Role::Callee => self.add_reference(node, scope, ReferenceKind::Call, Receiver::None),
            Role::Base => self.add_reference(node, scope, ReferenceKind::Inherit, Receiver::None),
            Role::Member(kind) => {
                let receiver = self.receiver(node);
                self.add_reference(node, scope, kind, receiver);
            }
            Role::TargetMember(value) => {
                let receiver = self.receiver(node);
                self.add_reference(node, scope, ReferenceKind::Reference, receiver);
                self.bind_attribute(node, scope, value);
            }
            Role::Target(value) => self.bind(node, scope, BindingTarget::Variable(value), scope),
            Role::TypeParameter(bound) => {
                self.bind(node, scope, BindingTarget::Variable(bound), scope);
            }
            Role::Outer(outer) => self.bind(node, scope, BindingTarget::Outer(outer), scope),
            Role::Updated(value) => {
                self.add_reference(node, scope, ReferenceKind::Reference, Receiver::None);
                self.bind(node, scope, BindingTarget::Variable(value), scope);
            }
            Role::Parameter(value) => self.bind_parameter(node, scope, value),
            Role::Handled => {}
            Role::Read
            | Role::Annotation
            | Role::Superclasses
            | Role::PatternClass
            | Role::FirstFor => {
                self.add_reference(node, scope, ReferenceKind::Reference, Receiver::None);
            }
        }
    }

    /// Returns the receiver of a segment of an attribute or dotted name.
    fn receiver(&mut self, node: NodeIndex) -> Receiver {
        let tree = self.tree;
        let parent = tree.parent(node);
        let value_text = if tree.kind(parent) == Kind::DottedName {
            let path = tree.before_segment(parent, node);
            let is_called = false;
            path.map(|path| ValueText { path, is_called })
        } else {
            let object = tree.operands(parent).next();
            let object = object.and_then(|object| tree.without_splat(object));
            object.and_then(|object| tree.value_text(object))
        };
        self.intern_value(value_text)
            .map_or(Receiver::Unknown, Receiver::Value)
    }

    pub(super) fn add_reference(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        kind: ReferenceKind,
        receiver: Receiver,
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
            arguments: None,
        };
        self.facts.references.push(reference);
    }

    /// Refers to the constructor that `cls(a)`, `type(self)(a)` or `self.__class__(a)` calls.
    pub(super) fn refer_to_own_constructor(&mut self, call: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(class) = tree.child(call, Field::Function) else {
            return;
        };
        let (constructor, name) = match tree.text(class) {
            "cls" => ("cls.__init__", Some(class)),
            "type(self)" => ("self.__init__", tree.child(class, Field::Function)),
            "self.__class__" => ("self.__init__", tree.operands(class).nth(1)),
            _ => return,
        };
        let value = Value {
            path: self.names.intern(constructor),
            is_called: false,
        };
        if let Some(name) = name {
            self.add_reference(name, scope, ReferenceKind::Call, Receiver::Itself(value));
        }
    }

    /// Adds references for the names in a quoted annotation.
    pub(super) fn visit_quoted_annotation(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut contents = tree
            .children(node)
            .filter(|&child| tree.kind(child) == Kind::StringContent);
        let (Some(content), None) = (contents.next(), contents.next()) else {
            return;
        };
        let start = tree.node(content).start as usize;
        for quoted in annotations::quoted_names(tree.text(content)) {
            let value_text = quoted.object.map(|path| ValueText {
                path: path.into(),
                is_called: false,
            });
            let reference = Reference {
                name: self.names.intern(quoted.name),
                receiver: self
                    .intern_value(value_text)
                    .map_or(Receiver::None, Receiver::Value),
                kind: ReferenceKind::Reference,
                position: self.positions.position_at(start + quoted.start),
                scope,
                space: Space::Any,
                arguments: None,
            };
            self.facts.references.push(reference);
        }
    }

    /// Visits the arguments of a generic: none of `Literal[…]` are types, one of `Annotated[…]` is.
    pub(super) fn visit_generic_annotation(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        // A generic type wraps its arguments in a node; a subscript lists them after its name.
        let (generic, before) = match tree.kind(node) {
            Kind::TypeParameter => (tree.parent(node), 0),
            _ => (node, 1),
        };
        let kept = match library_generics::generic_name(tree.text(generic)) {
            "Literal" => 0,
            "Annotated" => 1,
            _ => return,
        };
        for part in tree.operands(node).skip(before + kept) {
            self.roles.set(part, Role::Read, scope);
        }
    }

    /// Visits the quoted annotations of `cast("A", …)` and `TypeVar(…, bound="A")`.
    pub(super) fn visit_quoted_arguments(&mut self, call: NodeIndex, context: Context) {
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
            self.visit_quoted_annotation(annotation, context.scope);
        }
    }

    pub(super) fn bind(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        target: BindingTarget,
        value_scope: ScopeId,
    ) {
        let text = self.tree.text(node);
        if text.is_empty() {
            return;
        }
        let name = self.names.intern(text);
        self.bound_nodes.push((scope, name, node));
        let binding = Binding {
            scope,
            name,
            position: self.position_of(node),
            target,
            value_scope,
        };
        self.facts.bindings.push(binding);
    }

    pub(super) fn position_of(&mut self, node: NodeIndex) -> Position {
        self.positions
            .position_at(self.tree.node(node).start as usize)
    }

    pub(super) fn intern(&mut self, text: impl Into<Cow<'t, str>>) -> Name {
        self.names.intern(text)
    }

    pub(super) fn intern_value(&mut self, value_text: Option<ValueText<'t>>) -> Option<Value> {
        let ValueText { path, is_called } = value_text?;
        let path = self.names.intern(path);
        Some(Value { path, is_called })
    }
}
