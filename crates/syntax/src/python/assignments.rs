//! Collects assignments, `:=`, `as` patterns, returned values and type aliases.

use super::annotations;
use super::builder::{Context, FactsBuilder, Role};
use super::kinds::{Field, Kind};
use super::value_text::ValueText;
use crate::facts::{
    Binding, BindingTarget, RETURNED, Receiver, ReferenceKind, ScopeId, ScopeKind, Value,
};
use crate::tree::NodeIndex;

impl<'t> FactsBuilder<'t> {
    pub(super) fn visit_assignment(&mut self, node: NodeIndex, context: Context) {
        let Some(left) = self.tree.child(node, Field::Left) else {
            return;
        };
        let right = self.tree.child(node, Field::Right);
        self.collect_assigned_exports(left, right, context);
        if self.tree.kind(node) == Kind::AugmentedAssignment {
            let value = self.updated_value(node, left);
            return self.roles.set(left, Role::Updated(value), context.scope);
        }
        let annotation = self.tree.child(node, Field::Type);
        if let Some(annotation) = annotation {
            self.roles.set(annotation, Role::Annotation, context.scope);
        }
        let is_alias =
            annotation.is_some_and(|one| annotations::is_type_alias(self.tree.text(one)));
        let declared = match (annotation, right) {
            (Some(_), Some(right)) if is_alias => self.alias_text(right, context.scope),
            (Some(annotation), _) => self.annotation_text(annotation, context.scope),
            (None, Some(right)) => self.declared_by_value(left, right, context.scope),
            (None, None) => None,
        };
        let (value_text, other) = match right {
            Some(right) if declared.is_none() => self.alternative_values(right),
            _ => (declared, None),
        };
        let value = self.intern_value(value_text);
        if right.is_none() && self.declares_attribute(left, context.scope) {
            let target = BindingTarget::Attribute(value);
            self.bind(left, context.scope, target, context.scope);
            return self.roles.set(left, Role::Handled, context.scope);
        }
        if annotation.is_some() && !is_alias && self.declares_attribute(left, context.scope) {
            let target = BindingTarget::Attribute(value);
            self.bind(left, context.scope, target, context.scope);
        }
        self.roles.set(left, Role::Target(value), context.scope);
        if let Some(other) = self.intern_value(other) {
            self.bind_alternative(left, context.scope, other);
        }
    }

    /// Returns the type that an assignment without an annotation gives a name to.
    fn declared_by_value(
        &mut self,
        name: NodeIndex,
        value: NodeIndex,
        scope: ScopeId,
    ) -> Option<ValueText<'t>> {
        let variable = self.type_variable(name, value, scope);
        let declared = variable.or_else(|| self.assigned_type(value, scope))?;
        self.types_by_value.insert(value);
        Some(declared)
    }

    /// Returns the value of `target += …`.
    fn updated_value(&mut self, assignment: NodeIndex, target: NodeIndex) -> Option<Value> {
        let method = self.tree.operator_method(assignment)?;
        let method = method.replacen("__", "__i", 1);
        let path = format!("{}.{method}", self.tree.path(target)?);
        self.intern_value(Some(ValueText {
            path: path.into(),
            is_called: true,
        }))
    }

    /// Reports whether an annotation without a value is of a name in the body of a class. It says
    /// what instances have and binds nothing: in `date: date`, the type is the name outside.
    fn declares_attribute(&self, target: NodeIndex, scope: ScopeId) -> bool {
        let scope = self.facts.scope(scope);
        let is_class = scope.is_some_and(|scope| scope.kind == ScopeKind::Class);
        is_class && self.tree.kind(target) == Kind::Identifier
    }

    /// Returns the values of an expression: `a` and `b` for `a or b` and for `a if c else b`.
    fn alternative_values(
        &self,
        node: NodeIndex,
    ) -> (Option<ValueText<'t>>, Option<ValueText<'t>>) {
        let tree = self.tree;
        let mut node = node;
        while tree.kind(node) == Kind::ParenthesizedExpression {
            let Some(inner) = tree.operands(node).next() else {
                break;
            };
            node = inner;
        }
        let parts: Vec<NodeIndex> = match tree.kind(node) {
            Kind::BooleanOperator | Kind::ConditionalExpression => tree.operands(node).collect(),
            _ => return (tree.value_text(node), None),
        };
        // The condition of `a if c else b` is the operand in the middle.
        let ends = (parts.first(), parts.last());
        let (Some(&first), Some(&last)) = ends else {
            return (None, None);
        };
        match (tree.value_text(first), tree.value_text(last)) {
            (None, last) => (last, None),
            both => both,
        }
    }

    /// Binds a simple target to a second value that it may have.
    fn bind_alternative(&mut self, target: NodeIndex, scope: ScopeId, value: Value) {
        match self.tree.kind(target) {
            Kind::Identifier => {
                self.bind(target, scope, BindingTarget::Variable(Some(value)), scope);
            }
            Kind::Attribute => {
                let name = self.tree.operands(target).nth(1);
                if let Some(name) = name {
                    self.bind_attribute(name, scope, Some(value));
                }
            }
            _ => {}
        }
    }

    /// Returns the value that a loop assigns to its target: an element of its iterable.
    pub(super) fn loop_element(&mut self, node: NodeIndex) -> Option<Value> {
        let right = self.tree.child(node, Field::Right)?;
        let value_text = self.tree.value_text(right)?.element();
        self.intern_value(Some(value_text))
    }

    /// Binds a returned value to [`RETURNED`] if the function declares no return type.
    pub(super) fn visit_return(&mut self, node: NodeIndex, scope: ScopeId) {
        let Some(function) = self.scope_info(scope).returns else {
            return;
        };
        let Some(operand) = self.tree.operands(node).next() else {
            return;
        };
        let (first, other) = self.alternative_values(operand);
        for value_text in [first, other].into_iter().flatten() {
            let binding = Binding {
                scope: function,
                name: self.intern(RETURNED),
                position: self.position_of(node),
                target: BindingTarget::Variable(self.intern_value(Some(value_text))),
                value_scope: scope,
            };
            self.facts.bindings.push(binding);
        }
    }

    /// Binds the name of `name := value` in the scope that encloses the comprehensions.
    pub(super) fn visit_named_expression(&mut self, node: NodeIndex, context: Context) {
        let name = self.tree.child(node, Field::Name);
        let Some(name) = name.filter(|&name| self.tree.kind(name) == Kind::Identifier) else {
            return;
        };
        let right = self.tree.child(node, Field::Value);
        let value = self.intern_value(right.and_then(|right| self.tree.value_text(right)));
        let scope = self.scope_info(context.scope).binding_scope;
        self.bind(name, scope, BindingTarget::Variable(value), context.scope);
        self.roles.set(name, Role::Handled, context.scope);
    }

    /// Visits `value as name` in `with`, `except` and patterns.
    pub(super) fn visit_as_pattern(&mut self, node: NodeIndex, context: Context) {
        let parts: Vec<NodeIndex> = self.tree.operands(node).take(3).collect();
        let [value, target] = *parts else {
            return;
        };
        let value_text = self.tree.value_text(value);
        let value_text = match self.tree.kind(self.tree.parent(node)) {
            Kind::ExceptClause => value_text.map(exception_instance),
            _ => value_text.filter(|value_text| value_text.is_called),
        };
        let value = self.intern_value(value_text);
        self.roles.set(target, Role::Target(value), context.scope);
    }

    pub(super) fn visit_except(&mut self, node: NodeIndex, context: Context) {
        let value_text = self
            .tree
            .child(node, Field::Value)
            .and_then(|value| self.tree.value_text(value));
        let value = self.intern_value(value_text.map(exception_instance));
        self.roles
            .set_field(node, Field::Alias, Role::Target(value), context.scope);
    }

    /// Visits `type Name[T] = …`.
    pub(super) fn visit_type_alias(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let (left, right) = (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        );
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        let named = tree.operands(left).next();
        let is_name = named
            .is_some_and(|named| matches!(tree.kind(named), Kind::Identifier | Kind::GenericType));
        if !is_name {
            // The grammar reads the statement `type(a).b = c` as an alias.
            self.add_reference(node + 1, context.scope, ReferenceKind::Call, Receiver::None);
        }
        let is_typing_generic = named.is_some_and(|named| tree.kind(named) == Kind::GenericType);
        let scope = if is_typing_generic {
            self.open_scope(ScopeKind::TypeParameters, context.scope, None)
        } else {
            context.scope
        };
        let aliased = tree.operands(right).next();
        let aliased = aliased.and_then(|aliased| self.alias_text(aliased, scope));
        let value = self.intern_value(aliased);
        self.roles.set(left, Role::Target(value), scope);
        self.roles.set(right, Role::Read, scope);
    }

    /// Visits the `Name[T]` of a type alias.
    pub(super) fn visit_generic_alias(&mut self, node: NodeIndex, context: Context) {
        let mut parts = self.tree.operands(node);
        let (name, parameters) = (parts.next(), parts.next());
        if let Some(name) = name {
            self.roles.set(
                name,
                context.role,
                self.facts.enclosing_scope(context.scope),
            );
        }
        if let Some(parameters) = parameters {
            self.roles
                .set(parameters, Role::TypeParameter(None), context.scope);
        }
    }
}

/// Returns an instance of the exception class, which `except` binds.
fn exception_instance(value_text: ValueText<'_>) -> ValueText<'_> {
    ValueText {
        is_called: true,
        ..value_text
    }
}
