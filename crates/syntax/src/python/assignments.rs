//! What assigns to names besides loops: assignments, `:=`, `as` and type aliases.

use super::builder::{Context, Role, Walk};
use super::kinds::{Field, Kind};
use super::value_text::Said;
use crate::facts::{Binding, Bound, RETURNED, Receiver, ReferenceKind, ScopeId, ScopeKind, Value};
use crate::tree::At;

impl<'t> Walk<'t> {
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
        if let Some(annotation) = annotation {
            self.give(annotation, Role::Annotation, context.scope);
        }
        let annotated = annotation.and_then(|annotation| self.tree.annotation(annotation));
        let (said, other) = match right {
            Some(right) if annotated.is_none() => self.alternatives(right),
            _ => (annotated, None),
        };
        let value = self.value(said);
        self.give(left, Role::Target(value), context.scope);
        if let Some(other) = self.value(other) {
            self.bind_other(left, context.scope, other);
        }
    }

    /// What an expression may be: `a` or `b` where it is `a or b` or `a if c else b`.
    fn alternatives(&self, at: At) -> (Option<Said<'t>>, Option<Said<'t>>) {
        let tree = self.tree;
        let mut at = at;
        while tree.kind(at) == Kind::ParenthesizedExpression {
            let Some(inner) = tree.operands(at).next() else {
                break;
            };
            at = inner;
        }
        let parts: Vec<At> = match tree.kind(at) {
            Kind::BooleanOperator | Kind::ConditionalExpression => tree.operands(at).collect(),
            _ => return (tree.value(at), None),
        };
        // The condition of `a if c else b` stands between the two.
        let ends = (parts.first(), parts.last());
        let (Some(&first), Some(&last)) = ends else {
            return (None, None);
        };
        match (tree.value(first), tree.value(last)) {
            (None, last) => (last, None),
            both => both,
        }
    }

    /// Binds a simple target to a further value that it may have.
    fn bind_other(&mut self, target: At, scope: ScopeId, value: Value) {
        match self.tree.kind(target) {
            Kind::Identifier => self.bind(target, scope, Bound::Variable(Some(value)), scope),
            Kind::Attribute => {
                let name = self.tree.operands(target).nth(1);
                if let Some(name) = name {
                    self.bind_attribute(name, scope, Some(value));
                }
            }
            _ => {}
        }
    }

    /// What a loop gives its target: one of what it goes over.
    pub(super) fn element(&mut self, at: At) -> Option<Value> {
        let right = self.tree.child(at, Field::Right)?;
        let said = self.tree.value(right)?.element();
        self.value(Some(said))
    }

    /// What a function that does not say what it returns gives, bound to a name that no program can have.
    pub(super) fn returned(&mut self, at: At, scope: ScopeId) {
        let Some(function) = self.surroundings(scope).returns else {
            return;
        };
        let Some(operand) = self.tree.operands(at).next() else {
            return;
        };
        let (first, other) = self.alternatives(operand);
        for said in [first, other].into_iter().flatten() {
            let binding = Binding {
                scope: function,
                name: self.name(RETURNED),
                at: self.position(at),
                to: Bound::Variable(self.value(Some(said))),
                value_scope: scope,
            };
            self.facts.bindings.push(binding);
        }
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
