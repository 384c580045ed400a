//! Visits functions, methods and types.

use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, Kind};
use crate::facts::{BindingTarget, DefinitionId, ScopeId, ScopeKind};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

impl FactsBuilder<'_> {
    pub(super) fn visit_function(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let is_method = tree.kind(node) == Kind::Method;
        let id = self.writer.next_definition(node);
        let mut enclosing = scope;
        if let Some(parameters) = tree.child(node, Field::TypeParameters) {
            enclosing = self.open_scope(ScopeKind::TypeParameters, scope, id);
            self.roles.set(parameters, Role::Read, enclosing);
        }
        let receiver = tree.child(node, Field::Receiver);
        if let Some(receiver) = receiver {
            enclosing = self.bind_receiver_parameters(receiver, (scope, id));
        }
        let inside = self.open_scope(ScopeKind::Function, enclosing, id);
        if let Some(name) = tree.child(node, Field::Name) {
            self.roles.set(name, Role::Handled, scope);
            // Several `init` functions may stand in a package, and no name refers to them.
            if let Some(id) = id.filter(|_| !is_method && tree.text(name) != "init") {
                self.bind(name, scope, BindingTarget::Definition(id));
            }
        }
        self.add_definition(node, inside, Vec::new());
        if let Some(receiver) = receiver {
            self.roles.set(receiver, Role::Read, enclosing);
            self.bind_parameters(receiver, enclosing, inside);
        }
        self.visit_signature(node, enclosing, inside);
    }

    pub(super) fn visit_function_literal(&mut self, node: NodeIndex, scope: ScopeId) {
        let inside = self.open_scope(ScopeKind::Function, scope, None);
        self.add_function(node, (scope, inside));
        self.visit_signature(node, scope, inside);
    }

    /// Visits the method of an interface.
    pub(super) fn visit_method_elem(&mut self, node: NodeIndex, scope: ScopeId) {
        let id = self.writer.next_definition(node);
        let inside = self.open_scope(ScopeKind::Function, scope, id);
        self.roles
            .set_field(node, Field::Name, Role::Handled, scope);
        self.add_definition(node, inside, Vec::new());
        self.visit_signature(node, scope, inside);
    }

    /// Binds parameters and results, and lets the body see them.
    fn visit_signature(&mut self, node: NodeIndex, enclosing: ScopeId, inside: ScopeId) {
        let tree = self.tree;
        for field in [Field::Parameters, Field::Result] {
            if let Some(list) = tree.child(node, field) {
                self.roles.set(list, Role::Read, enclosing);
                self.bind_parameters(list, enclosing, inside);
            }
        }
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
    }

    fn bind_parameters(&mut self, list: NodeIndex, enclosing: ScopeId, inside: ScopeId) {
        let tree = self.tree;
        if tree.kind(list) != Kind::Parameters {
            return;
        }
        for declared in tree.operands(list) {
            let value = self.parameter_value(declared);
            for name in tree.names_of(declared) {
                let value = (value.clone(), enclosing);
                self.writer
                    .bind_value(self.name_at(name), inside, value, BindingTarget::Parameter);
            }
        }
    }

    /// Returns the value that a function receives for a parameter.
    fn parameter_value(&self, declared: NodeIndex) -> Option<ValueText> {
        let tree = self.tree;
        let value = tree.type_value(tree.child(declared, Field::Type)?)?;
        Some(match tree.kind(declared) {
            Kind::VariadicParameter => value.into_sequence(),
            _ => value,
        })
    }

    /// Binds the parameters of a type of functions. Those without a name count, too, since their
    /// places tell what a function receives.
    pub(super) fn bind_parameters_of_type(
        &mut self,
        list: NodeIndex,
        enclosing: ScopeId,
        inside: ScopeId,
    ) {
        let tree = self.tree;
        for declared in tree.operands(list) {
            let value = self.parameter_value(declared);
            let names = tree.names_of(declared).count().max(1);
            for _ in 0..names {
                let offset = tree.node(declared).start;
                let value = self.writer.intern_value(value.clone());
                let target = (BindingTarget::Parameter(value), enclosing);
                self.writer
                    .bind_text_in("_".to_owned(), offset, inside, target);
            }
        }
    }

    /// Binds the type parameters that a receiver names: `K` of `func (l *List[K]) Len()`.
    fn bind_receiver_parameters(
        &mut self,
        receiver: NodeIndex,
        (scope, id): (ScopeId, Option<DefinitionId>),
    ) -> ScopeId {
        let tree = self.tree;
        let end = tree.subtree_end(receiver);
        let generic = (receiver..end).find(|node| tree.kind(*node) == Kind::GenericType);
        let Some(generic) = generic else {
            return scope;
        };
        let enclosing = self.open_scope(ScopeKind::TypeParameters, scope, id);
        let of = tree.child(generic, Field::Type);
        let after = of.map_or(generic, |of| tree.subtree_end(of));
        for node in after..tree.subtree_end(generic) {
            if tree.kind(node) == Kind::TypeIdentifier {
                self.bind(node, enclosing, BindingTarget::Variable(None));
            }
        }
        enclosing
    }

    pub(super) fn visit_type(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let mut enclosing = scope;
        if let Some(parameters) = tree.child(node, Field::TypeParameters) {
            enclosing = self.open_scope(ScopeKind::TypeParameters, scope, id);
            self.roles.set(parameters, Role::Read, enclosing);
        }
        let inside = self.open_scope(ScopeKind::Class, enclosing, id);
        if let Some(name) = tree.child(node, Field::Name) {
            self.roles.set(name, Role::Handled, scope);
            let target = id.map_or(BindingTarget::Variable(None), BindingTarget::Definition);
            self.bind(name, scope, target);
        }
        self.roles.set_field(node, Field::Type, Role::Read, inside);
        let bases = self.embedded_types(node);
        self.add_definition(node, inside, bases);
    }

    /// Returns the types that a struct or an interface embeds.
    fn embedded_types(&self, node: NodeIndex) -> Vec<ValueText> {
        let tree = self.tree;
        let Some(of) = tree.child(node, Field::Type) else {
            return Vec::new();
        };
        let mut bases = Vec::new();
        let fields = tree.operands(of).flat_map(|list| tree.operands(list));
        let fields = fields.filter(|one| tree.kind(*one) == Kind::FieldDeclaration);
        let embedded = fields.filter(|field| tree.names_of(*field).next().is_none());
        let embedded = embedded.filter_map(|field| tree.child(field, Field::Type));
        bases.extend(embedded.filter_map(|of| tree.type_path(of)));
        if tree.kind(of) == Kind::InterfaceType {
            let elements = tree.operands(of).filter_map(|one| self.only_type(one));
            bases.extend(elements.filter_map(|of| tree.type_path(of)));
        }
        bases.into_iter().map(ValueText::name).collect()
    }

    /// Returns the type that an element of an interface embeds, unless it is a union.
    fn only_type(&self, element: NodeIndex) -> Option<NodeIndex> {
        let tree = self.tree;
        let mut types = tree.operands(element);
        let only = types.next()?;
        let is_only = tree.kind(element) == Kind::TypeElem && types.next().is_none();
        is_only.then_some(only)
    }

    pub(super) fn visit_type_elem(&mut self, node: NodeIndex, scope: ScopeId) {
        let in_interface = self.tree.kind(self.tree.parent(node)) == Kind::InterfaceType;
        if let Some(only) = self.only_type(node).filter(|_| in_interface) {
            self.roles.set(only, Role::Base, scope);
        }
    }

    /// Visits a field of a struct. Without a name, its type is embedded.
    pub(super) fn visit_field(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.child(node, Field::Type);
        let value = of.and_then(|of| tree.type_value(of));
        let mut is_embedded = true;
        for name in tree.names_of(node) {
            is_embedded = false;
            self.writer.bind_value(
                self.name_at(name),
                scope,
                (value.clone(), scope),
                BindingTarget::Attribute,
            );
        }
        if let Some(of) = of.filter(|_| is_embedded) {
            self.roles.set(of, Role::Base, scope);
            self.bind_embedded(node, scope, value.clone());
            // The last name of `*pkg.T[int]` before its arguments is the name of the field.
            let end = tree.subtree_end(of);
            let mut names = (of..end).filter(|node| tree.kind(*node) == Kind::TypeIdentifier);
            if let Some(name) = names.next() {
                self.writer.bind_value(
                    self.name_at(name),
                    scope,
                    (value, scope),
                    BindingTarget::Attribute,
                );
            }
        }
    }

    /// Returns the type that an interface without methods names, if it is one: `A` of
    /// `interface{ A }`.
    fn type_of_interface(&self, node: NodeIndex) -> Option<NodeIndex> {
        let tree = self.tree;
        let mut elements = tree.operands(node);
        let only = elements.next().filter(|_| elements.next().is_none())?;
        let is_interface = tree.kind(node) == Kind::InterfaceType;
        is_interface.then(|| self.only_type(only)).flatten()
    }

    /// Visits `T A`, where a value of the parameter has the methods of the interface `A`.
    pub(super) fn visit_type_parameter(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let constraint = tree.child(node, Field::Type);
        let mut types = constraint.into_iter().flat_map(|one| tree.operands(one));
        let only = types.next().filter(|_| types.next().is_none());
        let only = only.map(|only| self.type_of_interface(only).unwrap_or(only));
        let value = only.and_then(|only| tree.type_value(only));
        for name in tree.names_of(node) {
            self.roles.set(name, Role::Handled, scope);
            self.bind(name, scope, BindingTarget::Variable(None));
            if value.is_some() {
                let value = (value.clone(), scope);
                let name = self.name_at(name);
                self.writer
                    .bind_value(name, scope, value, BindingTarget::Variable);
            }
        }
    }

    /// Adds the definition of a node, if it is the next one.
    fn add_definition(&mut self, node: NodeIndex, scope: ScopeId, bases: Vec<ValueText>) {
        let tree = self.tree;
        let name = tree.child(node, Field::Name);
        let (Some(_), Some(name)) = (self.writer.next_definition(node), name) else {
            return;
        };
        let results = match tree.kind(node) {
            // A type with an underlying type has what that has: the elements of `type A []B`.
            Kind::TypeSpec => {
                let of = tree.child(node, Field::Type);
                // The members of a struct are those of the definition.
                let of = of.filter(|of| tree.kind(*of) != Kind::StructType);
                vec![of.and_then(|of| tree.type_value(of))]
            }
            _ => tree.results(node),
        };
        let name = self.name_at(name);
        self.writer.add_definition(name, scope, bases, results);
    }
}
