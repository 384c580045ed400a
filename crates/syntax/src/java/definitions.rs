//! Visits types, methods and the constructs with bodies of their own.

use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, Kind};
use crate::facts::{BindingTarget, DefinitionId, ScopeId, ScopeKind, THIS};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

impl FactsBuilder<'_> {
    pub(super) fn visit_type(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let enclosing = self.open_type_parameters(node, scope, id);
        let inside = self.writer.open_scope(ScopeKind::Namespace, enclosing, id);
        let name = tree.child(node, Field::Name);
        if let Some(name) = name {
            self.roles.set(name, Role::Handled, scope);
        }
        if let (Some(name), Some(id)) = (name, id) {
            let target = BindingTarget::Definition(id);
            if self.is_class_body(scope) {
                self.bind_member(name, scope, |_| target);
            } else {
                self.bind(name, scope, target);
            }
            let bases = self.base_types(node);
            let name = self.name_at(name);
            self.writer.add_definition(name, inside, bases, Vec::new());
        }
        for child in tree.operands(node) {
            if tree.kind(child) == Kind::SuperTypes {
                self.roles.set(child, Role::Base, enclosing);
            }
        }
        if let Some(parameters) = tree.child(node, Field::Parameters) {
            self.visit_record_components(node, parameters, inside);
        }
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
    }

    /// Binds the components of a record as fields, and as the methods that return them.
    fn visit_record_components(
        &mut self,
        record: NodeIndex,
        parameters: NodeIndex,
        inside: ScopeId,
    ) {
        let tree = self.tree;
        self.roles.set(parameters, Role::OwnScope, inside);
        let implements_others = !self.base_types(record).is_empty();
        for component in tree.operands(parameters) {
            let Some(name) = tree.child(component, Field::Name) else {
                continue;
            };
            let of = tree.child(component, Field::Type);
            let value = of.and_then(|of| tree.type_value(of));
            let target = BindingTarget::Attribute(self.writer.intern_value(value));
            self.bind_member(name, inside, |_| target.clone());
            self.bind(name, inside, target);
            if implements_others {
                // The method may be one of an interface.
                self.bind(name, inside, BindingTarget::Attribute(None));
            }
        }
    }

    /// Returns the superclass and the interfaces of a type.
    fn base_types(&self, node: NodeIndex) -> Vec<ValueText> {
        let tree = self.tree;
        let clauses = tree.operands(node);
        let clauses = clauses.filter(|clause| tree.kind(*clause) == Kind::SuperTypes);
        let mut bases = Vec::new();
        for clause in clauses {
            for base in tree.operands(clause) {
                let types: Vec<NodeIndex> = match tree.kind(base) {
                    Kind::TypeList => tree.operands(base).collect(),
                    _ => vec![base],
                };
                bases.extend(types.into_iter().filter_map(|of| tree.type_path(of)));
            }
        }
        bases.into_iter().map(ValueText::name).collect()
    }

    pub(super) fn visit_method(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let enclosing = self.open_type_parameters(node, scope, id);
        let inside = self.writer.open_scope(ScopeKind::Function, enclosing, id);
        let name = tree.child(node, Field::Name);
        if let Some(name) = name {
            self.roles.set(name, Role::Handled, scope);
        }
        if let (Some(name), Some(id)) = (name, id) {
            // No type leads to the methods of a class without a name.
            if self.is_anonymous(scope) {
                self.bind(name, scope, BindingTarget::Definition(id));
            }
            let of = tree.child(node, Field::Type);
            let result = of.and_then(|of| tree.type_value(of));
            let name = self.name_at(name);
            self.writer
                .add_definition(name, inside, Vec::new(), vec![result]);
        }
        self.roles
            .set_field(node, Field::Type, Role::Read, enclosing);
        self.roles
            .set_field(node, Field::Parameters, Role::OwnScope, inside);
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
    }

    fn open_type_parameters(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        id: Option<DefinitionId>,
    ) -> ScopeId {
        let Some(parameters) = self.tree.child(node, Field::TypeParameters) else {
            return scope;
        };
        let enclosing = self.writer.open_scope(ScopeKind::TypeParameters, scope, id);
        self.roles.set(parameters, Role::Read, enclosing);
        enclosing
    }

    /// Visits `T extends A & B`. A value of the parameter may be any of these, or another type.
    pub(super) fn visit_type_parameter(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut operands = tree.operands(node);
        let name = operands.find(|one| tree.kind(*one) == Kind::TypeIdentifier);
        let Some(name) = name else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        self.bind(name, scope, BindingTarget::Variable(None));
        let bound = operands.find(|one| tree.kind(*one) == Kind::TypeBound);
        let types = bound.into_iter().flat_map(|bound| tree.operands(bound));
        let paths: Vec<String> = types.filter_map(|of| tree.type_path(of)).collect();
        for path in paths {
            let value = Some(ValueText::name(path));
            self.bind_value(name, scope, (value, BindingTarget::Variable));
        }
    }

    pub(super) fn visit_enum_constant(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        let facts = &self.writer.facts;
        let owner = facts.scope(scope).and_then(|scope| scope.definition);
        let owner = owner.and_then(|id| facts.definition(id));
        let owner = owner.map(|owner| self.writer.names.text(owner.name).to_owned());
        let value = owner.map(ValueText::call);
        self.bind_member(name, scope, |writer| {
            BindingTarget::Attribute(writer.intern_value(value.clone()))
        });
        if let Some(body) = tree.child(node, Field::Body) {
            self.open_anonymous_class(body, name, scope, value);
        }
    }

    pub(super) fn visit_creation(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.child(node, Field::Type);
        if let Some(of) = of {
            self.roles.set(of, Role::Created, scope);
        }
        let body = tree
            .operands(node)
            .find(|one| tree.kind(*one) == Kind::ClassBody);
        if let Some((body, of)) = body.zip(of) {
            let value = tree.type_value(of);
            self.open_anonymous_class(body, of, scope, value);
        }
    }

    /// Opens the scope of an anonymous class. In it, `this` is an instance of the base type.
    fn open_anonymous_class(
        &mut self,
        body: NodeIndex,
        place: NodeIndex,
        scope: ScopeId,
        base: Option<ValueText>,
    ) {
        let inside = self.writer.open_scope(ScopeKind::Namespace, scope, None);
        self.roles.set(body, Role::OwnScope, inside);
        let value = self.writer.intern_value(base);
        let offset = self.tree.node(place).start;
        let target = BindingTarget::Variable(value);
        self.writer
            .bind_text(THIS.to_owned(), offset, inside, target);
    }

    pub(super) fn visit_lambda(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.open_block(node, scope);
        let Some(parameters) = tree.child(node, Field::Parameters) else {
            return;
        };
        let names: Vec<NodeIndex> = match tree.kind(parameters) {
            Kind::Identifier => vec![parameters],
            Kind::InferredParameters => tree.operands(parameters).collect(),
            _ => return,
        };
        self.roles.set(parameters, Role::Handled, inside);
        for name in names {
            self.bind(name, inside, BindingTarget::Parameter(None));
        }
    }
}
