//! Visits names in expressions and types.

use super::MAX_STEPS;
use super::builder::{Context, FactsBuilder, Role};
use super::kinds::{Field, FlatTree, Kind};
use super::types::generic_name;
use crate::facts::{
    BindingTarget, FIELD, Receiver, ReferenceKind, ScopeId, ScopeKind, Space, TypeShape,
};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The number of nodes around a member binding in which its receiver is searched.
const MAX_AROUND: usize = 8;

/// The members that the values of an enumeration have. Any other member belongs to the type.
const OF_VALUES: [&str; 7] = [
    "CompareTo",
    "Equals",
    "GetHashCode",
    "GetType",
    "GetTypeCode",
    "HasFlag",
    "ToString",
];

impl FactsBuilder<'_> {
    pub(super) fn visit_name(&mut self, node: NodeIndex, Context { role, scope }: Context) {
        if let Some((kind, space)) = reference_kind(role) {
            let space = self.space_of(node, space);
            self.add_reference(node, scope, (kind, Receiver::None, space));
        }
    }

    /// Returns the namespace of a name. Of a generic type only those count that have as many type
    /// parameters.
    fn space_of(&mut self, name: NodeIndex, space: Space) -> Space {
        let generic = self.tree.parent(name);
        if self.tree.kind(generic) != Kind::Generic {
            return space;
        }
        // A generic name that is read may also be a method.
        let is_type = matches!(space, Space::Types | Space::Qualifiers);
        if !is_type && !self.tree.must_be_type(generic) {
            return space;
        }
        let arity = self.tree.type_argument_count(generic);
        // A resolver looks up only names that the file contains.
        let text = generic_name(self.name_at(name).text, arity);
        self.writer.names.intern(text);
        Space::GenericTypes(arity)
    }

    /// Visits `a.b`.
    pub(super) fn visit_member_access(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let of = tree.child(node, Field::Expression);
        let value = of.and_then(|of| tree.receiver(of));
        let name = tree.child(node, Field::Name).map(|name| tree.text(name));
        if let Some(of) = of {
            let role = match name {
                Some(name) if OF_VALUES.contains(&name) => Role::Read,
                _ => Role::Qualifier,
            };
            self.roles.set(of, role, context.scope);
        }
        self.add_member(node, context, value);
    }

    /// Visits `.b` of `a?.b`.
    pub(super) fn visit_member_binding(&mut self, node: NodeIndex, context: Context) {
        let value = self.tree.bound_receiver(node, MAX_AROUND);
        self.add_member(node, context, value);
    }

    fn add_member(&mut self, node: NodeIndex, context: Context, of: Option<ValueText>) {
        let tree = self.tree;
        let Some(member) = tree.child(node, Field::Name) else {
            return;
        };
        let Some(name) = self.simple_name(member) else {
            return;
        };
        let receiver = self.writer.receiver(of);
        let kind = match context.role {
            Role::Called => ReferenceKind::Call,
            _ => ReferenceKind::Reference,
        };
        // `a.B<C>` may be a method, but not that in `a.B<C>.d`.
        let is_type = context.role == Role::Qualifier || tree.must_be_type(node);
        let space = if is_type && name != member {
            self.space_of(name, Space::Types)
        } else {
            Space::Any
        };
        self.add_reference(name, context.scope, (kind, receiver, space));
        if name != member {
            self.roles.set(member, Role::OwnScope, context.scope);
        }
    }

    /// Visits `a<B>`. The member before `.` has added its name already.
    pub(super) fn visit_generic(&mut self, node: NodeIndex, context: Context) {
        let name = self.simple_name(node);
        if let Some(name) = name {
            let role = match context.role {
                Role::OwnScope => Role::Handled,
                role => role,
            };
            self.roles.set(name, role, context.scope);
        }
        let is_called = self.tree.generic_call(node).is_some();
        if self.tree.is_delegate(node) && !is_called {
            self.add_delegate(node, context.scope);
        } else {
            self.add_generic(node, context.scope);
        }
    }

    /// Visits `a.B` in a type.
    pub(super) fn visit_qualified(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let of = tree.child(node, Field::Qualifier);
        let value = of.and_then(|of| tree.type_path(of)).map(ValueText::name);
        if let Some(of) = of {
            self.roles.set(of, Role::Type, context.scope);
        }
        let Some(member) = tree.child(node, Field::Name) else {
            return;
        };
        let name = self.simple_name(member);
        let (Some(name), Some((kind, _))) = (name, reference_kind(context.role)) else {
            return;
        };
        let receiver = self.writer.receiver(value);
        let space = self.space_of(name, Space::Types);
        self.add_reference(name, context.scope, (kind, receiver, space));
        if name != member {
            self.roles.set(member, Role::OwnScope, context.scope);
        }
    }

    pub(super) fn visit_attribute(&mut self, node: NodeIndex, scope: ScopeId) {
        let role = match self.tree.child(node, Field::Name) {
            Some(name) if self.tree.kind(name) == Kind::Identifier => Role::Attribute,
            _ => Role::Type,
        };
        self.roles.set_field(node, Field::Name, role, scope);
    }

    /// Visits `A = b` of `new C { A = b }`, where `A` is a member of the object.
    pub(super) fn visit_assignment(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let initializer = tree.parent(node);
        let is_of_object = tree.kind(initializer) == Kind::Initializer
            && tree.kind(tree.parent(initializer)) != Kind::ArrayCreation;
        let left = tree.child(node, Field::Left);
        if let Some(left) = left.filter(|_| is_of_object) {
            self.refer_to_initialized(left, initializer, scope);
        }
    }

    /// Visits `A = b` of `c with { A = b }`.
    pub(super) fn visit_with_initializer(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let is_of_with = tree.kind(tree.parent(node)) == Kind::With;
        if let Some(name) = tree.operands(node).next().filter(|_| is_of_with) {
            self.refer_to_initialized(name, node, scope);
        }
    }

    fn refer_to_initialized(&mut self, name: NodeIndex, initializer: NodeIndex, scope: ScopeId) {
        if self.tree.kind(name) == Kind::Identifier {
            let of = self.tree.initialized_value(initializer, MAX_AROUND);
            let receiver = self.writer.receiver(of);
            let kind = ReferenceKind::Reference;
            self.add_reference(name, scope, (kind, receiver, Space::Any));
        }
    }

    /// Visits `A: b` or `A.B: c` in a pattern.
    pub(super) fn visit_subpattern(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let pattern = tree.parent(tree.parent(node));
        let mut operands = tree.operands(node);
        let (Some(first), Some(_)) = (operands.next(), operands.next()) else {
            return;
        };
        let mut value = tree.matched_value(pattern, MAX_STEPS);
        for name in tree.dotted_names(first) {
            let receiver = self.writer.receiver(value.clone());
            let kind = ReferenceKind::Reference;
            self.add_reference(name, scope, (kind, receiver, Space::Any));
            value = value.and_then(|value| tree.object_member(value, name));
        }
    }

    /// Visits `new { A = b, c.D }`, where `A` is no reference. The object has the members `A` and
    /// `D`.
    pub(super) fn visit_anonymous_object(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.writer.open_scope(ScopeKind::Block, scope, None);
        let mut parts = tree.operands(node);
        while let Some(part) = parts.next() {
            let (name, value) = if tree.is_assigned(part) {
                self.roles.set(part, Role::Handled, scope);
                (Some(part), parts.next())
            } else {
                (tree.dotted_names(part).pop(), Some(part))
            };
            if let Some((name, value)) = name.zip(value) {
                let text = format!("{FIELD}{}", tree.plain(name));
                let offset = tree.node(name).start;
                let value = self.writer.intern_value(tree.value_text(value));
                let target = (BindingTarget::Attribute(value), scope);
                self.writer.bind_text_in(text, offset, inside, target);
            }
        }
        self.writer.add_type(node, scope, TypeShape::Object(inside));
    }
}

impl FlatTree<'_> {
    /// Reports whether a part of an object without a type is the name of the next part.
    fn is_assigned(&self, part: NodeIndex) -> bool {
        let end = self.node(self.parent(part)).end;
        let next = self.slice(self.node(part).end, end).trim_start();
        self.kind(part) == Kind::Identifier && next.starts_with('=') && !next.starts_with("==")
    }

    /// Reports whether a generic name must be that of a type, as the argument of `nameof` or as a
    /// pattern.
    fn must_be_type(&self, node: NodeIndex) -> bool {
        let parent = self.parent(node);
        let call = self.parent(self.parent(parent));
        let called = self.child(call, Field::Function);
        match self.kind(parent) {
            Kind::Argument => called.is_some_and(|called| self.text(called) == "nameof"),
            Kind::ConstantPattern => true,
            _ => false,
        }
    }
}

fn reference_kind(role: Role) -> Option<(ReferenceKind, Space)> {
    match role {
        Role::Read | Role::OwnScope => Some((ReferenceKind::Reference, Space::Any)),
        Role::Called => Some((ReferenceKind::Call, Space::Any)),
        Role::Qualifier => Some((ReferenceKind::Reference, Space::Qualifiers)),
        Role::Attribute => Some((ReferenceKind::Reference, Space::Attributes)),
        Role::Type => Some((ReferenceKind::Reference, Space::Types)),
        Role::Created => Some((ReferenceKind::Call, Space::Types)),
        Role::Base => Some((ReferenceKind::Inherit, Space::Types)),
        Role::Handled => None,
    }
}
