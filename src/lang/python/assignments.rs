//! What assigns to names besides loops: assignments, `:=`, `as` and type aliases.

use super::facts::{Context, Role, Walk};
use super::kinds::{Field, Kind};
use super::values::Said;
use crate::lang::facts::{Bound, Receiver, ReferenceKind, ScopeKind};
use crate::lang::tree::At;

impl Walk<'_> {
    pub(super) fn assignment(&mut self, at: At, context: Context) {
        let Some(left) = self.tree.child(at, Field::Left) else {
            return;
        };
        let right = self.tree.child(at, Field::Right);
        self.assigned_exports(left, right, context);
        if self.tree.kind(at) == Kind::AugmentedAssignment {
            return self.give(left, Role::Updated, context.scope);
        }
        let annotation = self.tree.child(at, Field::Type);
        let annotated = annotation.and_then(|annotation| self.tree.annotation(annotation));
        let said = annotated.or_else(|| self.tree.value(right?));
        let value = self.value(said);
        self.give(left, Role::Target(value), context.scope);
    }

    /// `name := value` binds in the function around the comprehensions that it is in.
    pub(super) fn named_expression(&mut self, at: At, context: Context) {
        let name = self.tree.child(at, Field::Name);
        let Some(name) = name.filter(|&name| self.tree.kind(name) == Kind::Identifier) else {
            return;
        };
        let right = self.tree.child(at, Field::Value);
        let value = self.value(right.and_then(|right| self.tree.value(right)));
        let scope = self.surroundings(context.scope).host;
        self.bind(name, scope, Bound::Variable(value), context.scope);
        self.give(name, Role::Done, context.scope);
    }

    /// `value as name`, in `with`, `except` and patterns.
    pub(super) fn as_pattern(&mut self, at: At, context: Context) {
        let parts: Vec<At> = self.tree.operands(at).take(3).collect();
        let [value, target] = *parts else {
            return;
        };
        let said = self.tree.value(value);
        let said = match self.tree.kind(self.tree.parent(at)) {
            Kind::ExceptClause => said.map(caught),
            _ => said.filter(|said| said.called),
        };
        let value = self.value(said);
        self.give(target, Role::Target(value), context.scope);
    }

    pub(super) fn except(&mut self, at: At, context: Context) {
        let said = self
            .tree
            .child(at, Field::Value)
            .and_then(|value| self.tree.value(value));
        let value = self.value(said.map(caught));
        self.give_field(at, Field::Alias, Role::Target(value), context.scope);
    }

    /// `type Name[T] = …`
    pub(super) fn type_alias(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let (left, right) = (tree.child(at, Field::Left), tree.child(at, Field::Right));
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        let said = tree
            .operands(right)
            .next()
            .and_then(|right| tree.value(right));
        let value = self.value(said);
        let named = tree.operands(left).next();
        let is_name = named
            .is_some_and(|named| matches!(tree.kind(named), Kind::Identifier | Kind::GenericType));
        if !is_name {
            // To the grammar `type(a).b = c` is an alias.
            self.refer(at + 1, context.scope, ReferenceKind::Call, Receiver::None);
        }
        let is_generic = named.is_some_and(|named| tree.kind(named) == Kind::GenericType);
        let scope = if is_generic {
            self.open(ScopeKind::TypeParameters, context.scope, None)
        } else {
            context.scope
        };
        self.give(left, Role::Target(value), scope);
        self.give(right, Role::Read, scope);
    }

    /// The `Name[T]` of a type alias.
    pub(super) fn generic_alias(&mut self, at: At, context: Context) {
        let mut parts = self.tree.operands(at);
        let (name, parameters) = (parts.next(), parts.next());
        if let Some(name) = name {
            self.give(name, context.role, self.around(context.scope));
        }
        if let Some(parameters) = parameters {
            self.give(parameters, Role::Declared, context.scope);
        }
    }
}

/// What an `except` binds is an instance of the class that it names.
fn caught(said: Said<'_>) -> Said<'_> {
    Said {
        called: true,
        ..said
    }
}
