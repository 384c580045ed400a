//! Turns names into references and bindings, by their roles.

use std::borrow::Cow;

use super::builder::{FactsBuilder, PendingAssignment};
use super::kinds::{Field, FlatTree, Kind};
use super::roles::{Context, Declaration, DeclaredTarget, Role};
use super::value_text::{MAX_STEPS, ValueText};
use crate::facts::{
    Binding, BindingTarget, Name, Position, Receiver, Reference, ReferenceKind, ScopeId, Space,
    Value,
};
use crate::tree::NodeIndex;

/// What `super(a)` calls.
const BASE_CONSTRUCTOR: &str = "super.constructor";

impl<'t> FactsBuilder<'_, 't> {
    pub(super) fn visit_leaf(&mut self, node: NodeIndex, kind: Kind, context: Context) {
        match kind {
            Kind::Identifier | Kind::Shorthand | Kind::ShorthandPattern | Kind::TypeName => {
                self.visit_identifier(node, context);
            }
            Kind::PropertyName => self.visit_property(node, context),
            Kind::Comment => self.visit_comment(node, context),
            Kind::Super if context.role == Role::Callee => {
                let path = self.names.intern(BASE_CONSTRUCTOR);
                let is_called = false;
                let receiver = Receiver::Itself(Value { path, is_called });
                self.add_reference(node, context.scope, ReferenceKind::Call, receiver);
            }
            Kind::This | Kind::Super if context.role != Role::Handled => {
                let kind = reference_kind(context.role);
                self.add_reference(node, context.scope, kind, Receiver::None);
            }
            _ => {}
        }
    }

    fn visit_identifier(&mut self, node: NodeIndex, context: Context) {
        let scope = context.scope;
        match context.role {
            Role::Handled => {}
            Role::Declared(declaration) => self.bind(node, declaration, scope),
            Role::AssignmentTarget(target) => self.add_assignment(node, target, scope),
            Role::Member(_) | Role::AssignedMember(_) => self.visit_property(node, context),
            role => self.add_reference(node, scope, reference_kind(role), Receiver::None),
        }
    }

    /// Visits the name of a member. Keys of objects are neither references nor bindings.
    fn visit_property(&mut self, node: NodeIndex, context: Context) {
        match context.role {
            Role::Member(kind) => {
                let value = self.cast_receiver(node, context.scope);
                let value = value.or_else(|| {
                    let value_text = self.receiver(node);
                    self.intern_value(value_text)
                });
                let receiver = value.map_or(Receiver::Unknown, Receiver::Value);
                self.add_reference(node, context.scope, kind, receiver);
            }
            Role::AssignedMember(target) => self.assign_member(node, target, context.scope),
            Role::Declared(declaration) => self.bind(node, declaration, context.scope),
            _ => {}
        }
    }

    /// Visits `a.b`: `b` has the role of the whole, `a` is read.
    pub(super) fn visit_member(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let (Some(object), Some(property)) =
            (tree.operands(node).next(), tree.operands(node).last())
        else {
            return;
        };
        let is_import = self.import_call_member(node, None, context.scope).is_some();
        let role = match context.role {
            _ if is_import => Role::Handled,
            Role::AssignmentTarget(target) => Role::AssignedMember(target),
            role => Role::Member(reference_kind(role)),
        };
        if property != object {
            self.roles.set(property, role, context.scope);
        }
    }

    /// Visits `a["b"]`, which is read or called like `a.b`.
    pub(super) fn visit_subscript(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let Some((name, _)) = tree.string_key(node) else {
            return;
        };
        if matches!(context.role, Role::AssignmentTarget(_)) {
            return;
        }
        let value_text = tree
            .operands(node)
            .next()
            .and_then(|object| self.value_text(object));
        let receiver = self
            .intern_value(value_text)
            .map_or(Receiver::Unknown, Receiver::Value);
        self.add_reference(name, context.scope, reference_kind(context.role), receiver);
    }

    pub(super) fn visit_call(&mut self, node: NodeIndex, context: Context) {
        self.collect_call_exports(node, context.scope);
        let role = match self.import_call(node, context.scope) {
            Some(_) => Role::Handled,
            None => Role::Callee,
        };
        self.roles
            .set_field(node, Field::Function, role, context.scope);
    }

    /// Visits `<A.B>`, a call of `A.B`, or `</A.B>`. A lower-case name is an element of HTML.
    pub(super) fn visit_element(&mut self, node: NodeIndex, role: Role, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        let is_intrinsic = tree.kind(name) == Kind::Identifier
            && tree
                .text(name)
                .starts_with(|letter: char| letter.is_ascii_lowercase());
        let role = if is_intrinsic { Role::Handled } else { role };
        self.roles.set(name, role, scope);
    }

    pub(super) fn add_reference(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        kind: ReferenceKind,
        receiver: Receiver,
    ) {
        let space = self.space(node, kind);
        self.add_reference_in(node, (scope, space), kind, receiver);
    }

    /// Adds a reference to a name in a namespace.
    pub(super) fn add_reference_in(
        &mut self,
        node: NodeIndex,
        (scope, space): (ScopeId, Space),
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
            space,
            arguments: None,
        };
        self.facts.references.push(reference);
    }

    /// Returns the namespace of a name. Imports, exports and aliases refer to any.
    fn space(&self, node: NodeIndex, kind: ReferenceKind) -> Space {
        let tree = self.tree;
        let enclosing = tree.parent(node);
        let is_exported = tree.kind(enclosing) == Kind::Export
            || tree.kind(tree.parent(enclosing)) == Kind::ExportClause;
        if kind == ReferenceKind::Import || is_exported || tree.is_aliased(node) {
            return Space::Any;
        }
        let is_type = tree.kind(node) == Kind::TypeName || tree.enclosing_cast(node).is_some();
        if is_type { Space::Types } else { Space::Values }
    }

    pub(super) fn bind(&mut self, node: NodeIndex, declaration: Declaration, value_scope: ScopeId) {
        let text = self.tree.text(node);
        if text.is_empty() {
            return;
        }
        let name = self.names.intern(text);
        let target = self
            .bound_imports
            .get(&node)
            .map_or(declaration.target, |&id| DeclaredTarget::Import(id));
        if declaration.is_exported {
            self.export_declared(node, name, target);
        }
        if is_assigned(self.tree.kind(self.tree.parent(node)), target) {
            let bound = (declaration.scope, name, node);
            self.flow.bound_nodes.push(bound);
        }
        self.bind_name(
            name,
            node,
            declaration.scope,
            binding_target(target),
            value_scope,
        );
    }

    pub(super) fn bind_name(
        &mut self,
        name: Name,
        node: NodeIndex,
        scope: ScopeId,
        target: BindingTarget,
        value_scope: ScopeId,
    ) {
        self.record_shadow(name, scope);
        let binding = Binding {
            scope,
            name,
            position: self.position_of(node),
            target,
            value_scope,
        };
        self.facts.bindings.push(binding);
    }

    /// Adds an assignment. The scope that declares the name is found at the end.
    pub(super) fn add_assignment(
        &mut self,
        node: NodeIndex,
        target: DeclaredTarget,
        scope: ScopeId,
    ) {
        let text = self.tree.text(node);
        if text.is_empty() || matches!(text, "module" | "exports") {
            return;
        }
        let assignment = PendingAssignment {
            name: self.names.intern(text),
            position: self.position_of(node),
            node,
            target: self
                .bound_imports
                .get(&node)
                .map_or(target, |&id| DeclaredTarget::Import(id)),
            scope,
        };
        self.pending_assignments.push(assignment);
    }

    /// Returns the receiver of a member name.
    pub(super) fn receiver(&self, member: NodeIndex) -> Option<ValueText<'t>> {
        let tree = self.tree;
        if let Some(target) = tree.enclosing_cast(member) {
            let path = tree.path(target)?;
            let is_called = false;
            return Some(ValueText { path, is_called });
        }
        let object = tree.operands(tree.parent(member)).next()?;
        self.value_text(object)
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

impl FlatTree<'_> {
    /// Reports whether a name is part of `b.c` in `import A = b.c`.
    fn is_aliased(&self, node: NodeIndex) -> bool {
        let mut enclosing = self.parent(node);
        for _ in 0..MAX_STEPS {
            if self.kind(enclosing) != Kind::Member {
                break;
            }
            enclosing = self.parent(enclosing);
        }
        self.kind(enclosing) == Kind::ImportAlias
    }

    /// Returns the type of a cast that a member name ends.
    ///
    /// The grammar reads `a as b.c.d` as `(a as b.c).d`.
    fn enclosing_cast(&self, member: NodeIndex) -> Option<NodeIndex> {
        let enclosing = self.parent(member);
        let object = self.operands(enclosing).next()?;
        let is_member = self.kind(enclosing) == Kind::Member && object != member;
        if !is_member || self.kind(object) != Kind::As {
            return None;
        }
        self.operands(object).last()
    }
}

/// Reports whether a declaration assigns a value where it stands. Functions and parameters have
/// theirs before.
fn is_assigned(declared_by: Kind, target: DeclaredTarget) -> bool {
    match target {
        DeclaredTarget::Variable(_) => true,
        DeclaredTarget::Definition(_) => declared_by == Kind::VariableDeclarator,
        DeclaredTarget::Parameter(_) | DeclaredTarget::Import(_) => false,
    }
}

pub(super) fn binding_target(target: DeclaredTarget) -> BindingTarget {
    match target {
        DeclaredTarget::Variable(value) => BindingTarget::Variable(value),
        DeclaredTarget::Parameter(value) => BindingTarget::Parameter(value),
        DeclaredTarget::Definition(id) => BindingTarget::Definition(id),
        DeclaredTarget::Import(id) => BindingTarget::Import(id),
    }
}

pub(super) fn reference_kind(role: Role) -> ReferenceKind {
    match role {
        Role::Callee => ReferenceKind::Call,
        Role::Base => ReferenceKind::Inherit,
        _ => ReferenceKind::Reference,
    }
}
