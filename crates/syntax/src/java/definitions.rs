//! Visits types, methods and the constructs with bodies of their own.

use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{
    BindingTarget, CALL_SIGNATURE, DefinitionId, PARAMETER, ScopeId, ScopeKind, Space, THIS,
    TUPLE_PART, TypeShape,
};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The number of nodes between a function and the declaration that gives its type.
const MAX_STEPS: usize = 16;

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
            let place = self.name_at(name);
            self.writer.add_definition(place, inside, bases, Vec::new());
            self.add_annotations(node, name);
            if tree.child(node, Field::Parameters).is_some() {
                self.writer.count_parameters(tree.parameter_count(node));
            }
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
        for (index, component) in tree.operands(parameters).enumerate() {
            let Some(name) = tree.child(component, Field::Name) else {
                continue;
            };
            let of = tree.child(component, Field::Type);
            let value = of.and_then(|of| tree.type_value(of));
            let target = BindingTarget::Attribute(self.writer.intern_value(value));
            let (part, offset) = (format!("{TUPLE_PART}{index}"), tree.node(name).start);
            self.writer.bind_text(part, offset, inside, target.clone());
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

    /// Adds the annotations of the last definition, which stand before its name.
    fn add_annotations(&mut self, node: NodeIndex, name: NodeIndex) {
        let tree = self.tree;
        let annotations = (node..name).filter(|one| tree.kind(*one) == Kind::Annotation);
        let names = annotations.filter_map(|one| tree.child(one, Field::Name));
        self.writer.decorate(names.map(|name| tree.text(name)));
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
            if tree.is_only_abstract(node) {
                let target = (BindingTarget::Definition(id), scope);
                let offset = tree.node(name).start;
                self.writer
                    .bind_text_in(CALL_SIGNATURE.to_owned(), offset, scope, target);
            }
            let of = tree.child(node, Field::Type);
            let result = of.and_then(|of| tree.type_value(of));
            let place = self.name_at(name);
            self.writer
                .add_definition(place, inside, Vec::new(), vec![result]);
            self.writer.count_parameters(tree.parameter_count(node));
            self.add_annotations(node, name);
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

    /// Adds a type with its arguments, to which values refer by its number.
    pub(super) fn add_generic_type(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut arguments = tree.type_arguments(node).peekable();
        if arguments.peek().is_none() {
            return;
        }
        let of = tree.operands(node).next();
        let of = of.and_then(|of| tree.type_path(of)).map(ValueText::name);
        let arguments = arguments.map(|one| tree.type_value(one));
        self.writer
            .add_applied(node, scope, (of, Space::Types), arguments);
    }

    /// Visits `T extends A & B`.
    pub(super) fn visit_type_parameter(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut operands = tree.operands(node);
        let name = operands.find(|one| tree.kind(*one) == Kind::TypeIdentifier);
        let Some(name) = name else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        let bound = operands.find(|one| tree.kind(*one) == Kind::TypeBound);
        let types = bound.into_iter().flat_map(|bound| tree.operands(bound));
        let mut values: Vec<Option<ValueText>> = types.map(|of| tree.type_value(of)).collect();
        if values.is_empty() {
            values.push(None);
        }
        for value in values {
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
        if let Some(owner) = &owner {
            self.refer_to_enum_constructor(node, name, (scope, owner));
        }
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
        self.add_diamond(node, scope);
        if let Some((body, of)) = tree.class_body(node).zip(of) {
            let value = tree.type_value(of);
            let inside = self.open_anonymous_class(body, of, scope, value);
            let shape = TypeShape::Object(inside);
            self.writer.add_type(node, scope, shape);
        }
    }

    /// Opens the scope of an anonymous class. In it, `this` is an instance of the base type.
    fn open_anonymous_class(
        &mut self,
        body: NodeIndex,
        place: NodeIndex,
        scope: ScopeId,
        base: Option<ValueText>,
    ) -> ScopeId {
        let inside = self.writer.open_scope(ScopeKind::Namespace, scope, None);
        self.roles.set(body, Role::OwnScope, inside);
        let value = self.writer.intern_value(base);
        let offset = self.tree.node(place).start;
        let target = BindingTarget::Variable(value);
        self.writer
            .bind_text(THIS.to_owned(), offset, inside, target);
        inside
    }

    pub(super) fn visit_lambda(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.open_block(node, scope);
        self.add_lambda(node, (scope, inside));
        let Some(parameters) = tree.child(node, Field::Parameters) else {
            return;
        };
        let names: Vec<NodeIndex> = match tree.kind(parameters) {
            Kind::Identifier => vec![parameters],
            Kind::InferredParameters => tree.operands(parameters).collect(),
            _ => return,
        };
        self.roles.set(parameters, Role::Handled, inside);
        let context = tree.expected_type(node);
        for (index, name) in names.into_iter().enumerate() {
            let value = context.clone().map(|context| {
                let function = context.into_path();
                ValueText::name(format!("{function}{PARAMETER}{index}"))
            });
            let value = value.and_then(ValueText::within_limit);
            self.bind_value(name, inside, (value, BindingTarget::Parameter));
        }
    }
}

impl FlatTree<'_> {
    /// Reports whether a method is the only one without a body in its interface, so that a function
    /// can be an instance of the interface ([JLS 9.8]).
    ///
    /// [JLS 9.8]: https://docs.oracle.com/javase/specs/jls/se21/html/jls-9.html#jls-9.8
    fn is_only_abstract(&self, method: NodeIndex) -> bool {
        let body = self.parent(method);
        let is_abstract = |one: NodeIndex| {
            self.kind(one) == Kind::Method && self.child(one, Field::Body).is_none()
        };
        self.kind(body) == Kind::InterfaceBody
            && is_abstract(method)
            && self.operands(body).filter(|one| is_abstract(*one)).count() == 1
    }

    /// Returns the type that is expected of a function: of a parameter, a variable or a result.
    fn expected_type(&self, function: NodeIndex) -> Option<ValueText> {
        let mut node = function;
        for _ in 0..MAX_STEPS {
            let parent = self.parent(node);
            match self.kind(parent) {
                Kind::Parenthesized | Kind::Ternary => node = parent,
                Kind::Cast => return self.type_value(self.child(parent, Field::Type)?),
                Kind::Arguments => {
                    let index = self.operands(parent).position(|one| one == node)?;
                    let call = self.parent(parent);
                    let called = (self.kind(call) == Kind::MethodCall).then_some(call)?;
                    let (called, index) = self.receiving_call(called, index);
                    if let Some((of, method)) = self.method_of_first(called).filter(|_| index == 1)
                    {
                        let method = self.value_text(of)?.member(method)?.into_path();
                        return Some(ValueText::name(format!("{method}{PARAMETER}0")));
                    }
                    let called = self.callee(called)?.into_path();
                    return Some(ValueText::name(format!("{called}{PARAMETER}{index}")));
                }
                Kind::Declarator => {
                    return self.type_value(self.child(self.parent(parent), Field::Type)?);
                }
                Kind::Assignment => return self.value_text(self.child(parent, Field::Left)?),
                Kind::Return => return self.result_type(parent),
                _ => return None,
            }
        }
        None
    }

    /// Returns the type of the method around a statement.
    fn result_type(&self, statement: NodeIndex) -> Option<ValueText> {
        let around = std::iter::successors(Some(statement), |one| Some(self.parent(*one)));
        let mut around = around.take(MAX_STEPS);
        let method = around.find(|one| matches!(self.kind(*one), Kind::Lambda | Kind::Method))?;
        self.type_value(self.child(method, Field::Type)?)
    }
}
