//! Visits functions, types, traits, their implementations, and modules.

use super::builder::{AssociatedConstant, Bound, FactsBuilder, Implementation, Role};
use super::kinds::{Field, Kind};
use super::patterns::Matched;
use crate::facts::{
    BindingTarget, DefinitionId, IMPLEMENTED, ScopeId, ScopeKind, Space, TYPE_NAME, TypeShape,
};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The type whose members an `impl` block or a trait declares.
const SELF_TYPE: &str = "Self";

/// The receiver of a method.
const SELF: &str = "self";

impl<'t> FactsBuilder<'t> {
    pub(super) fn visit_function(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let enclosing = self.open_type_parameters(node, scope, id);
        let inside = self.open_scope(ScopeKind::Function, enclosing, id);
        let name = tree.child(node, Field::Name);
        if let Some(name) = name {
            self.roles.set(name, Role::Handled, scope);
        }
        if let (Some(name), Some(id)) = (name, id) {
            if !self.is_member(node) {
                self.bind(name, scope, BindingTarget::Definition(id));
            }
            let bases = self.implemented_trait(node);
            let results = tree.results(node);
            let named = self.name_at(name);
            self.writer.add_definition(named, inside, bases, results);
            if let Some(own) = tree.own_method(node, name) {
                self.own_methods.insert(id, own);
            }
            self.receivers.insert(id, tree.method_receiver(node));
            self.mark_linkage(node, name);
            self.add_attributes(node);
        }
        self.roles
            .set_field(node, Field::ReturnType, Role::Read, enclosing);
        if let Some(parameters) = tree.child(node, Field::Parameters) {
            self.roles.set(parameters, Role::Read, inside);
            self.bind_parameters(parameters, inside);
        }
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
    }

    /// Reports whether an item stands directly in an `impl` block or a trait.
    fn is_member(&self, node: NodeIndex) -> bool {
        let tree = self.tree;
        let owner = tree.parent(tree.parent(node));
        matches!(tree.kind(owner), Kind::Impl | Kind::Trait)
    }

    /// Returns the trait that the `impl` block around a method implements.
    fn implemented_trait(&self, node: NodeIndex) -> Vec<ValueText> {
        let tree = self.tree;
        let owner = tree.parent(tree.parent(node));
        let base = tree.child(owner, Field::Trait);
        let base = base.filter(|_| tree.kind(owner) == Kind::Impl);
        let base = base.and_then(|base| tree.path(base));
        base.map(ValueText::name).into_iter().collect()
    }

    fn bind_parameters(&mut self, list: NodeIndex, inside: ScopeId) {
        let tree = self.tree;
        for parameter in tree.operands(list) {
            let pattern = tree.child(parameter, Field::Pattern);
            let of = tree.child(parameter, Field::Type);
            let is_self = pattern.is_some_and(|one| tree.kind(one) == Kind::SelfKeyword);
            if is_self || tree.kind(parameter) == Kind::SelfParameter {
                self.bind_self(parameter, inside, of);
            } else if let Some(pattern) = pattern {
                self.bind_parameter((pattern, of), inside);
            }
        }
    }

    /// Binds a parameter of a function. One that is a pattern has no name.
    fn bind_parameter(&mut self, (pattern, of): (NodeIndex, Option<NodeIndex>), inside: ScopeId) {
        let tree = self.tree;
        let value = of.and_then(|of| tree.type_value(of));
        let is_name = tree.kind(pattern) == Kind::Identifier;
        let name = if is_name { tree.text(pattern) } else { "" };
        let target = BindingTarget::Parameter(self.writer.intern_value(value));
        let offset = tree.node(pattern).start;
        self.writer
            .bind_text(name.to_owned(), offset, inside, target);
        if is_name {
            self.bound.insert(pattern);
            self.variables.insert((inside, name));
        } else {
            self.bind_pattern(pattern, (inside, inside), Matched::of_type(of));
        }
    }

    /// Binds `self` to a value of the type that its parameter names, or else of `Self`.
    fn bind_self(&mut self, parameter: NodeIndex, inside: ScopeId, of: Option<NodeIndex>) {
        let value = of.and_then(|of| self.tree.type_value(of));
        let value = value.unwrap_or_else(|| ValueText::call(format!("{SELF_TYPE}{TYPE_NAME}")));
        let value = self.writer.intern_value(Some(value));
        let offset = self.tree.node(parameter).start;
        let target = BindingTarget::Parameter(value);
        self.writer
            .bind_text(SELF.to_owned(), offset, inside, target);
    }

    pub(super) fn visit_type(&mut self, node: NodeIndex, scope: ScopeId) {
        let (id, enclosing, inside) = self.declare_type(node, scope, Vec::new());
        let parameters = self.operands_of(self.tree.child(node, Field::TypeParameters));
        let parameters = self.parameter_names(parameters.into_iter());
        self.type_parameters.insert(enclosing, parameters);
        self.bind_type_itself(node, enclosing, id);
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
    }

    /// Binds `Self` to the type or trait that a scope is around.
    fn bind_type_itself(&mut self, node: NodeIndex, scope: ScopeId, id: Option<DefinitionId>) {
        if let Some(id) = id {
            let offset = self.tree.node(node).start;
            let target = BindingTarget::Definition(id);
            self.writer
                .bind_text(SELF_TYPE.to_owned(), offset, scope, target);
        }
    }

    pub(super) fn visit_trait(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let bounds = self.operands_of(tree.child(node, Field::Bounds));
        let bases = bounds.into_iter().filter_map(|bound| tree.path(bound));
        let bases = bases.map(ValueText::name).collect();
        let (id, enclosing, inside) = self.declare_type(node, scope, bases);
        self.roles
            .set_field(node, Field::Bounds, Role::Base, enclosing);
        self.bind_type_itself(node, enclosing, id);
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
    }

    /// Declares a type or a trait. Returns the scope around its body, which has `Self`, and that of
    /// its body.
    fn declare_type(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        bases: Vec<ValueText>,
    ) -> (Option<DefinitionId>, ScopeId, ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let enclosing = self.open_scope(ScopeKind::TypeParameters, scope, id);
        self.roles.set_children(node, Role::Read, enclosing);
        let inside = self.open_scope(ScopeKind::Class, enclosing, id);
        if let Some(name) = tree.child(node, Field::Name) {
            self.roles.set(name, Role::Handled, scope);
            if let Some(id) = id {
                self.bind(name, scope, BindingTarget::Definition(id));
                let name = self.name_at(name);
                self.writer.add_definition(name, inside, bases, Vec::new());
            }
        }
        (id, enclosing, inside)
    }

    /// Returns the texts of type parameters or arguments, without lifetimes.
    fn parameter_names(&self, of: impl Iterator<Item = NodeIndex>) -> Vec<&'t str> {
        let tree = self.tree;
        let texts = of.map(|one| tree.text(tree.child(one, Field::Name).unwrap_or(one)));
        texts.filter(|text| !text.starts_with('\'')).collect()
    }

    /// Binds `Self` to a type.
    fn bind_self_type(&mut self, place: NodeIndex, scope: ScopeId, path: Option<String>) {
        let value = self.writer.intern_value(path.map(ValueText::name));
        let offset = self.tree.node(place).start;
        let target = BindingTarget::Variable(value);
        self.writer
            .bind_text(SELF_TYPE.to_owned(), offset, scope, target);
    }

    /// Visits `impl A` or `impl A for B`.
    pub(super) fn visit_impl(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.open_scope(ScopeKind::TypeParameters, scope, None);
        self.roles.set_children(node, Role::Read, inside);
        let implemented = tree.child(node, Field::Type);
        let of = implemented.and_then(|of| tree.path(of));
        self.bind_self_type(node, inside, of.clone());
        if let Some(of) = implemented.filter(|of| tree.kind(*of) == Kind::GenericType) {
            let value = self.writer.intern_value(Some(ValueText::numbered(of)));
            let target = BindingTarget::Variable(value);
            let offset = tree.node(of).start;
            self.writer
                .bind_text(IMPLEMENTED.to_owned(), offset, inside, target);
        }
        let base = tree.child(node, Field::Trait);
        if let Some(base) = base {
            self.roles.set(base, Role::Base, inside);
        }
        let base = base.and_then(|base| tree.path(base));
        if base.is_some() {
            // A type parameter or a type from elsewhere has the members of the trait.
            self.bind_self_type(node, inside, base.clone());
        }
        if let Some(of) = of {
            let arguments = implemented.and_then(|of| tree.child(of, Field::TypeArguments));
            let arguments = self.operands_of(arguments).into_iter();
            self.implementations.push(Implementation {
                of: of.trim_end_matches(TYPE_NAME).to_owned(),
                scope,
                base,
                inside,
                arguments: self.parameter_names(arguments),
            });
        }
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
    }

    /// Visits `type A = B;`, also as a member of a trait or an `impl` block.
    pub(super) fn visit_type_item(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let enclosing = self.open_type_parameters(node, scope, id);
        let inside = self.open_scope(ScopeKind::Class, enclosing, id);
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        self.roles
            .set_field(node, Field::Type, Role::Read, enclosing);
        let Some(id) = id else {
            return;
        };
        if !self.is_member(node) {
            self.bind(name, scope, BindingTarget::Definition(id));
        }
        let of = tree.child(node, Field::Type);
        let value = match of {
            Some(of) => tree.type_value(of),
            None => self.bounds_of_associated(node, enclosing),
        };
        let name = self.name_at(name);
        self.writer
            .add_definition(name, inside, Vec::new(), vec![value]);
    }

    /// Returns what a value of `type A: B + C;` in a trait is.
    fn bounds_of_associated(&mut self, node: NodeIndex, scope: ScopeId) -> Option<ValueText> {
        let tree = self.tree;
        let bounds = self.operands_of(tree.child(node, Field::Bounds));
        let bounds: Vec<ValueText> = bounds
            .into_iter()
            .filter_map(|bound| tree.type_value(bound))
            .collect();
        if bounds.len() < 2 {
            return bounds.into_iter().next();
        }
        let arms = bounds.into_iter();
        let arms = arms.filter_map(|bound| self.writer.intern_value(Some(bound)));
        let shape = TypeShape::AnyOf(arms.collect());
        self.writer.add_type(node, scope, shape);
        Some(ValueText::numbered(node))
    }

    /// Visits a module. One without a body is a file.
    pub(super) fn visit_module(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        let Some(body) = tree.child(node, Field::Body) else {
            return self.visit_module_file(node, name, scope);
        };
        let id = self.writer.next_definition(node);
        let inside = self.open_scope(ScopeKind::Namespace, scope, id);
        if let Some(id) = id {
            self.bind(name, scope, BindingTarget::Definition(id));
            let name = self.name_at(name);
            self.writer
                .add_definition(name, inside, Vec::new(), Vec::new());
        }
        self.roles.set(body, Role::OwnScope, inside);
    }

    /// Opens a scope for the type parameters of an item, and for its `where` clause.
    fn open_type_parameters(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        id: Option<DefinitionId>,
    ) -> ScopeId {
        if self.tree.child(node, Field::TypeParameters).is_none() {
            return scope;
        }
        let enclosing = self.open_scope(ScopeKind::TypeParameters, scope, id);
        self.roles.set_children(node, Role::Read, enclosing);
        enclosing
    }

    /// Visits `T: A + B`. A value of the parameter has the members of its bounds.
    pub(super) fn visit_type_parameter(&mut self, node: NodeIndex, scope: ScopeId) {
        if let Some(name) = self.tree.child(node, Field::Name) {
            self.roles.set(name, Role::Handled, scope);
            self.bind_variable(name, scope, (None, scope));
            self.bind_bounds(node, name, scope);
        }
    }

    pub(super) fn visit_where_predicate(&mut self, node: NodeIndex, scope: ScopeId) {
        let left = self.tree.child(node, Field::Left);
        let is_parameter =
            |left: &NodeIndex| self.variables.contains(&(scope, self.tree.text(*left)));
        if let Some(left) = left.filter(is_parameter) {
            self.bind_bounds(node, left, scope);
        }
    }

    fn bind_bounds(&mut self, node: NodeIndex, name: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        for bound in self.operands_of(tree.child(node, Field::Bounds)) {
            let Some(of) = tree.type_value(bound) else {
                continue;
            };
            self.bind_variable(name, scope, (Some(of.clone()), scope));
            let name = self.name_at(name);
            self.bounds.push(Bound { scope, name, of });
        }
    }

    /// Adds a type with its arguments, to which values refer by its number.
    pub(super) fn add_generic_type(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut arguments = tree.type_arguments(node).peekable();
        if arguments.peek().is_some() {
            let of = tree.path(node).map(ValueText::name);
            let arguments = arguments.map(|one| tree.type_value(one));
            self.writer
                .add_applied(node, scope, (of, Space::Types), arguments);
        }
    }

    pub(super) fn visit_constant(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        let of = tree.child(node, Field::Type);
        let value = of.and_then(|of| tree.type_value(of));
        if self.is_member(node) {
            let owner = self.writer.facts.scope(scope);
            // Only a trait has a scope for its members.
            if owner.is_none_or(|owner| owner.kind != ScopeKind::Class) {
                let constant = AssociatedConstant {
                    inside: scope,
                    name: self.name_at(name),
                    value,
                };
                self.constants.push(constant);
                return;
            }
        }
        self.bind_variable(name, scope, (value, scope));
    }

    pub(super) fn visit_field(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if tree.kind(tree.parent(tree.parent(node))) == Kind::EnumVariant {
            return;
        }
        if let Some(name) = tree.child(node, Field::Name) {
            let of = tree.child(node, Field::Type);
            let value = of.and_then(|of| tree.type_value(of));
            self.bind_field(tree.text(name), name, (scope, value));
        }
    }

    /// Visits the fields of `struct A(B, C);`, whose names are their places.
    pub(super) fn visit_ordered_fields(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if tree.kind(tree.parent(node)) != Kind::EnumVariant {
            self.bind_ordered_fields(node, scope, "");
        }
    }

    fn bind_ordered_fields(&mut self, node: NodeIndex, scope: ScopeId, prefix: &str) {
        let tree = self.tree;
        let children = tree.children(node);
        let types = children.filter(|child| tree.node(*child).field == Field::Type);
        for (place, of) in types.enumerate() {
            let value = tree.type_value(of);
            self.bind_field(&format!("{prefix}{place}"), of, (scope, value));
        }
    }

    /// Visits a variant. It is an instance of its enum, and so is what a call of it returns.
    pub(super) fn visit_variant(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        let variant = tree.text(name);
        let value = ValueText::call(format!("{SELF_TYPE}{TYPE_NAME}"));
        let value = self.writer.intern_value(Some(value));
        let target = BindingTarget::Variable(value);
        self.writer.bind(self.name_at(name), scope, (target, scope));
        let Some(body) = tree.child(node, Field::Body) else {
            return;
        };
        self.bind_ordered_fields(body, scope, &format!("{variant}:"));
        for field in tree.operands(body) {
            if let Some(field_name) = tree.child(field, Field::Name) {
                let of = tree.child(field, Field::Type);
                let value = of.and_then(|of| tree.type_value(of));
                let path = format!("{variant}:{}", tree.text(field_name));
                self.bind_field(&path, field_name, (scope, value));
            }
        }
    }
}
