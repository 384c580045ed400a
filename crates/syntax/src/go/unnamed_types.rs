//! Visits types without a name: structs and functions. A value of one refers to it by its number.

use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, Kind};
use crate::facts::{Binding, BindingTarget, EMBEDDED, RETURNED, ScopeId, ScopeKind, TypeShape};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// Returns a value of the type that a node is.
pub(super) fn unnamed_type(node: NodeIndex) -> ValueText {
    ValueText::numbered(node)
}

impl FactsBuilder<'_> {
    /// Visits a struct. That of `type a struct {}` has the scope of the type.
    pub(super) fn visit_struct(&mut self, node: NodeIndex, scope: ScopeId) {
        if self.is_named(node) {
            return;
        }
        let inside = self.open_scope(ScopeKind::Class, scope, None);
        self.roles.set_children(node, Role::Read, inside);
        let shape = TypeShape::Object(inside);
        self.writer.add_type(node, scope, shape);
    }

    fn is_named(&self, node: NodeIndex) -> bool {
        let parent = self.tree.parent(node);
        let of = self.tree.child(parent, Field::Type);
        self.tree.kind(parent) == Kind::TypeSpec && of == Some(node)
    }

    /// Binds an embedded type of a struct without a name, whose members the struct has, too.
    pub(super) fn bind_embedded(
        &mut self,
        field: NodeIndex,
        scope: ScopeId,
        value: Option<ValueText>,
    ) {
        let of = self.tree.parent(self.tree.parent(field));
        if self.is_named(of) {
            return;
        }
        let offset = self.tree.node(field).start;
        let value = self.writer.intern_value(value);
        let target = BindingTarget::Attribute(value);
        self.writer
            .bind_text(EMBEDDED.to_owned(), offset, scope, target);
    }

    /// Visits the type of a function.
    pub(super) fn visit_function_type(&mut self, node: NodeIndex, scope: ScopeId) {
        let inside = self.open_scope(ScopeKind::Function, scope, None);
        self.add_function(node, (scope, inside));
        if let Some(list) = self.tree.child(node, Field::Parameters) {
            self.bind_parameters_of_type(list, scope, inside);
        }
    }

    /// Adds a function without a name, with its results.
    pub(super) fn add_function(&mut self, node: NodeIndex, (scope, inside): (ScopeId, ScopeId)) {
        let tree = self.tree;
        let shape = TypeShape::Function(inside);
        self.writer.add_type(node, scope, shape);
        let position = self.writer.position_at(tree.node(node).start);
        for (place, value) in tree.results(node).into_iter().enumerate() {
            let name = match place {
                0 => self.writer.names.intern(RETURNED),
                place => self.writer.names.intern(place.to_string()),
            };
            let value = self.writer.intern_value(value);
            self.writer.facts.bindings.push(Binding {
                scope: inside,
                name,
                position,
                target: BindingTarget::Attribute(value),
                value_scope: scope,
            });
        }
    }
}
