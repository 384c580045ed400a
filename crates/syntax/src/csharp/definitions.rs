//! Visits types, methods, properties and lambdas.

use super::MAX_STEPS;
use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, FlatTree, Kind};
use super::patterns::part_name;
use super::types::generic_name;
use crate::facts::{
    BindingTarget, DefinitionId, ELEMENT, EXTENDED, FIELD, PARAMETER, PARTIAL, RETURNED, ScopeId,
    ScopeKind, Space, TypeShape, Value,
};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The name of the assigned value in the accessors of a property or an event.
const ASSIGNED: &str = "value";

/// The method by which a type says into which parts code may deconstruct it.
const DECONSTRUCT: &str = "Deconstruct";

impl FlatTree<'_> {
    /// Reports whether a node may create a value, such as a list, of which code reads a member.
    fn may_be_receiver(&self, node: NodeIndex) -> bool {
        let is_created = matches!(
            self.kind(node),
            Kind::ArrayCreation
                | Kind::Creation
                | Kind::Default
                | Kind::ImplicitArray
                | Kind::Parenthesized
                | Kind::TupleExpression
        );
        is_created
            && matches!(
                self.kind(self.parent(node)),
                Kind::Binary
                    | Kind::ConditionalAccess
                    | Kind::Declarator
                    | Kind::IsPattern
                    | Kind::MemberAccess
                    | Kind::SwitchExpression
            )
    }
}

impl FactsBuilder<'_> {
    pub(super) fn visit_type(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let enclosing = self.open_type_parameters(node, scope, id);
        let inside = self.writer.open_scope(ScopeKind::Namespace, enclosing, id);
        self.roles.set_children(node, Role::Read, enclosing);
        self.set_types(node, enclosing);
        if let Some(name) = tree.child(node, Field::Name) {
            self.roles.set(name, Role::Handled, scope);
            if let (true, Some(id)) = (self.is_type_body(scope), id) {
                self.bind_nested_type(name, scope, id);
            }
            if self.has_modifier(node, "partial") {
                self.mark(name, inside, PARTIAL);
            }
            let bases = self.base_types(node);
            let place = self.name_at(name);
            if id.is_some() {
                self.writer.add_definition(place, inside, bases, Vec::new());
                self.add_attributes(node, name);
                self.writer
                    .count_parameters(tree.head_parameter_count(node));
            }
        }
        for child in tree.operands(node) {
            match tree.kind(child) {
                Kind::Parameters => self.visit_primary_parameters(child, inside),
                // The attributes of a type see its members.
                Kind::AttributeList => self.roles.set(child, Role::Read, inside),
                _ => {}
            }
        }
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
    }

    fn bind_nested_type(&mut self, name: NodeIndex, scope: ScopeId, id: DefinitionId) {
        let tree = self.tree;
        let place = self.name_at(name);
        let mut parts = tree.operands(tree.parent(name));
        let parameters = parts.find(|one| tree.kind(*one) == Kind::TypeParameters);
        let names = match parameters.map(|list| tree.operands(list).count()) {
            Some(arity) => {
                let name = generic_name(place.text, arity);
                vec![format!("{FIELD}{name}"), name]
            }
            // Its own name is found among the definitions of the type around it.
            None => vec![format!("{FIELD}{}", place.text)],
        };
        for text in names {
            let target = BindingTarget::Definition(id);
            self.writer.bind_text(text, place.offset, scope, target);
        }
    }

    /// Binds a name that no code can write, as a mark of the definition of a scope.
    fn mark(&mut self, name: NodeIndex, scope: ScopeId, mark: &str) {
        let offset = self.tree.node(name).start;
        let target = BindingTarget::Attribute(None);
        self.writer
            .bind_text(mark.to_owned(), offset, scope, target);
    }

    pub(super) fn has_modifier(&self, node: NodeIndex, modifier: &str) -> bool {
        let mut children = self.tree.children(node);
        children.any(|child| {
            matches!(self.tree.kind(child), Kind::Modifier | Kind::Token)
                && self.tree.text(child) == modifier
        })
    }

    /// Binds the parameters of a type as its members: `A` of `record R(int A)`.
    fn visit_primary_parameters(&mut self, parameters: NodeIndex, inside: ScopeId) {
        let tree = self.tree;
        for parameter in tree.operands(parameters) {
            let of = tree.child(parameter, Field::Type);
            let value = of.and_then(|of| tree.type_value(of));
            if let Some(name) = tree.child(parameter, Field::Name) {
                self.bind_member(name, inside, value);
            }
        }
        let mut words = tree.children(tree.parent(parameters));
        if words.any(|one| tree.text(one) == "record") {
            self.bind_parts(parameters, inside);
        }
    }

    /// Binds the parts into which code may deconstruct a value of a class. They have the types of
    /// the parameters of a record, or of its method `Deconstruct`.
    fn bind_parts(&mut self, parameters: NodeIndex, class: ScopeId) {
        let tree = self.tree;
        let count = tree.operands(parameters).count();
        for (index, parameter) in tree.operands(parameters).enumerate() {
            let of = tree.child(parameter, Field::Type);
            let value = self
                .writer
                .intern_value(of.and_then(|of| tree.type_value(of)));
            let offset = tree.node(parameter).start;
            let target = BindingTarget::Attribute(value);
            self.writer
                .bind_text(part_name(index, count), offset, class, target);
        }
    }

    /// Returns the base class and the interfaces of a type.
    fn base_types(&self, node: NodeIndex) -> Vec<ValueText> {
        let tree = self.tree;
        let lists = tree.operands(node);
        let lists = lists.filter(|list| tree.kind(*list) == Kind::BaseList);
        let bases = lists.flat_map(|list| tree.operands(list));
        let types = bases.filter_map(|base| match tree.kind(base) {
            Kind::PrimaryBase => tree.child(base, Field::Type),
            _ => Some(base),
        });
        let paths = types.filter_map(|of| tree.type_path(of));
        paths.map(ValueText::name).collect()
    }

    pub(super) fn visit_method(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let enclosing = self.open_type_parameters(node, scope, id);
        let inside = self.writer.open_scope(ScopeKind::Function, enclosing, id);
        self.roles.set_children(node, Role::OwnScope, inside);
        let of = tree
            .child(node, Field::Returns)
            .or_else(|| tree.child(node, Field::Type));
        if let Some(of) = of {
            self.roles.set(of, Role::Type, enclosing);
        }
        let name = tree.child(node, Field::Name);
        if let Some(name) = name {
            self.roles.set(name, Role::Handled, scope);
            if let (Kind::LocalFunction, Some(id)) = (tree.kind(node), id) {
                self.bind(name, scope, BindingTarget::Definition(id));
            }
        }
        let parameters = tree.child(node, Field::Parameters);
        if let Some(parameters) =
            parameters.filter(|_| name.is_some_and(|name| tree.text(name) == DECONSTRUCT))
            && self.is_type_body(scope)
        {
            self.bind_parts(parameters, scope);
        }
        if let Some((id, operator)) = id.zip(tree.operator_name(node)) {
            let offset = tree.node(node).start;
            let target = BindingTarget::Definition(id);
            self.writer
                .bind_text(operator.to_owned(), offset, scope, target);
        }
        if id.is_some() {
            let result = of.and_then(|of| tree.type_value(of));
            let place = name.unwrap_or(node);
            self.mark_extension(node, place, inside);
            let place = self.definition_name(node, name);
            self.writer
                .add_definition(place, inside, Vec::new(), vec![result]);
            self.writer.count_parameters(tree.parameter_count(node));
            if let Some(name) = name {
                self.add_attributes(node, name);
            }
        }
    }

    /// Adds the attributes of the last definition, which stand before its name.
    fn add_attributes(&mut self, node: NodeIndex, name: NodeIndex) {
        let tree = self.tree;
        let attributes = (node..name).filter(|one| tree.kind(*one) == Kind::Attribute);
        let names = attributes.filter_map(|one| tree.child(one, Field::Name));
        self.writer.decorate(names.map(|name| tree.text(name)));
    }

    /// Binds the type of `a` of `static void f(this A a)`, by which a call finds the method.
    fn mark_extension(&mut self, node: NodeIndex, name: NodeIndex, inside: ScopeId) {
        let tree = self.tree;
        let parameters = tree.child(node, Field::Parameters);
        let first = parameters.and_then(|list| tree.operands(list).next());
        let first = first.filter(|first| self.has_modifier(*first, "this"));
        let of = first.and_then(|first| tree.child(first, Field::Type));
        if let Some(of) = of {
            let value = tree.type_value(of);
            let value = self.writer.intern_value(value);
            let offset = tree.node(name).start;
            let target = BindingTarget::Attribute(value);
            self.writer
                .bind_text(EXTENDED.to_owned(), offset, inside, target);
        }
    }

    fn open_type_parameters(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        id: Option<DefinitionId>,
    ) -> ScopeId {
        let tree = self.tree;
        let names: Vec<NodeIndex> = tree
            .operands(node)
            .filter(|one| tree.kind(*one) == Kind::TypeParameters)
            .collect();
        if names.is_empty() {
            return scope;
        }
        let enclosing = self.writer.open_scope(ScopeKind::TypeParameters, scope, id);
        let parameters = names.into_iter().flat_map(|list| tree.operands(list));
        let names: Vec<NodeIndex> = parameters
            .filter_map(|one| tree.child(one, Field::Name))
            .collect();
        for name in names {
            self.bind(name, enclosing, BindingTarget::Variable(None));
        }
        let constraints = tree
            .operands(node)
            .filter(|one| tree.kind(*one) == Kind::Constraints);
        let constraints: Vec<NodeIndex> = constraints.collect();
        for constraint in constraints {
            self.bind_constraint(constraint, enclosing);
        }
        enclosing
    }

    /// Binds `T` of `where T : A`. A value of the parameter may be an `A`, or another type.
    fn bind_constraint(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut operands = tree.operands(node);
        let name = operands
            .next()
            .filter(|one| tree.kind(*one) == Kind::Identifier);
        let Some(name) = name else {
            return;
        };
        let types = operands.filter_map(|one| tree.child(one, Field::Type));
        let paths: Vec<String> = types.filter_map(|of| tree.type_path(of)).collect();
        for path in paths {
            let value = Some(ValueText::call(path));
            self.bind_value(name, scope, (value, BindingTarget::Variable));
        }
    }

    pub(super) fn visit_constraints(&mut self, node: NodeIndex, scope: ScopeId) {
        self.roles.set_operand(node, 0, Role::Handled, scope);
    }

    /// Visits a property, an indexer or an event with accessors.
    pub(super) fn visit_property(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let inside = self.writer.open_scope(ScopeKind::Function, scope, id);
        self.roles.set_children(node, Role::OwnScope, inside);
        let of = tree.child(node, Field::Type);
        let value = of.and_then(|of| tree.type_value(of));
        if let Some(of) = of {
            self.roles.set(of, Role::Type, scope);
        }
        let name = tree.child(node, Field::Name);
        let is_explicit = tree
            .operands(node)
            .any(|one| tree.kind(one) == Kind::ExplicitInterface);
        if let Some(name) = name {
            self.roles.set(name, Role::Handled, scope);
            if !is_explicit {
                self.bind_member(name, scope, value.clone());
            }
        } else if let (false, Some(id)) = (is_explicit, id) {
            let offset = tree.node(node).start;
            let target = BindingTarget::Definition(id);
            self.writer
                .bind_text(ELEMENT.to_owned(), offset, scope, target);
        }
        if id.is_some() {
            let place = self.definition_name(node, name);
            self.writer
                .add_definition(place, inside, Vec::new(), vec![value]);
            if let Some(name) = name {
                self.add_attributes(node, name);
            }
        }
    }

    /// Visits `get`, `set`, `add` and the like. All but `get` see the assigned value.
    pub(super) fn visit_accessor(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.open_block(node, scope);
        let of = tree.child(tree.parent(tree.parent(node)), Field::Type);
        let value = of.and_then(|of| tree.type_value(of));
        let value = self.writer.intern_value(value);
        let offset = tree.node(node).start;
        let is_read = tree
            .child(node, Field::Name)
            .is_some_and(|name| tree.text(name) == "get");
        if !is_read {
            let target = BindingTarget::Parameter(value);
            self.writer
                .bind_text(ASSIGNED.to_owned(), offset, inside, target);
        }
    }

    /// Visits `event A b, c;`, whose first event is a definition.
    pub(super) fn visit_event_field(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let variable = tree
            .operands(node)
            .find(|one| tree.kind(*one) == Kind::Variable);
        let inside = self.writer.open_scope(ScopeKind::Function, scope, id);
        let Some(variable) = variable else {
            return;
        };
        let of = tree.child(variable, Field::Type);
        let value = of.and_then(|of| tree.type_value(of));
        let names = self.declared_names(variable);
        for name in &names {
            self.bind_member(*name, scope, value.clone());
        }
        if let (Some(name), Some(_)) = (names.first(), id) {
            let place = self.name_at(*name);
            self.writer
                .add_definition(place, inside, Vec::new(), vec![value]);
        }
    }

    /// Returns the type of a parameter of a lambda without types.
    pub(super) fn lambda_parameter(&self, lambda: NodeIndex, index: usize) -> Option<ValueText> {
        let element = self.tree.element_of_first_argument(lambda);
        if let Some(element) = element.filter(|_| index == 0) {
            return Some(element);
        }
        let function = self.tree.expected_type(lambda)?.into_path();
        ValueText::name(format!("{function}{PARAMETER}{index}")).within_limit()
    }

    /// Adds the type of a function: `Action<A>`, or `Func<A, B>`, which returns a `B`.
    pub(super) fn add_delegate(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut operands = tree.operands(node);
        let (Some(name), Some(arguments)) = (operands.next(), operands.next()) else {
            return;
        };
        let name = tree.text(name);
        let inside = self.writer.open_scope(ScopeKind::Function, scope, None);
        let arguments: Vec<NodeIndex> = tree.operands(arguments).collect();
        let (result, parameters) = match arguments.split_last() {
            Some((result, parameters)) if name == "Func" => (Some(*result), parameters),
            _ => (None, arguments.as_slice()),
        };
        for (index, of) in parameters.iter().enumerate() {
            let value = tree.type_value(*of);
            let target = BindingTarget::Parameter(self.writer.intern_value(value));
            let offset = tree.node(*of).start;
            self.writer
                .bind_text_in(index.to_string(), offset, inside, (target, scope));
        }
        if let Some(result) = result {
            let value = tree.type_value(result);
            let target = BindingTarget::Attribute(self.writer.intern_value(value));
            let offset = tree.node(result).start;
            self.writer
                .bind_text_in(RETURNED.to_owned(), offset, inside, (target, scope));
        }
        let shape = TypeShape::Function(inside);
        self.writer.add_type(node, scope, shape);
    }

    /// Adds a type or a method with its type arguments: `A<B>`, or `a<B>` of `a<B>()`.
    pub(super) fn add_generic(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let (of, space) = match tree.generic_call(node) {
            Some(call) => (
                tree.callee_without_arguments(call, MAX_STEPS),
                Space::Values,
            ),
            None if tree.is_well_known(node) => return,
            None => (
                tree.path_without_arguments(node).map(ValueText::name),
                Space::Types,
            ),
        };
        let lists = tree.operands(node).skip(1);
        let arguments = lists.flat_map(|list| tree.operands(list));
        let arguments = arguments.map(|one| tree.type_value(one));
        self.writer.add_applied(node, scope, (of, space), arguments);
    }

    /// Adds a tuple type whose elements have names: `(A a, B b)` is a tuple and has the members
    /// `a` and `b`.
    pub(super) fn add_tuple_type(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let parts = tree.tuple_of_type(node, MAX_STEPS);
        let named = tree.named_elements(node);
        let named = named.map(|(of, name)| (name, tree.parent(of), tree.type_value(of)));
        self.add_tuple(node, scope, (parts, named.collect()));
    }

    /// Adds a tuple whose parts have names by which code can read them: `(a, b: c)`.
    pub(super) fn add_named_tuple(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if !tree.has_named_parts(node) {
            return;
        }
        let parts = tree.tuple_of_parts(node, MAX_STEPS);
        let named = tree.named_parts(node);
        let named = named.map(|(name, of)| (name, tree.parent(of), tree.value_text(of)));
        self.add_tuple(node, scope, (parts, named.collect()));
    }

    /// Adds a tuple with the names of its parts, each with the node of the part and its value.
    fn add_tuple(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        (parts, named): (ValueText, Vec<(NodeIndex, NodeIndex, Option<ValueText>)>),
    ) {
        let tree = self.tree;
        // The first named part stands for the object of the names.
        let Some((_, first, _)) = named.first() else {
            return;
        };
        let first = *first;
        let inside = self.writer.open_scope(ScopeKind::Block, scope, None);
        for (name, _, value) in named {
            if tree.node(name).field == Field::Name {
                self.roles.set(name, Role::Handled, scope);
            }
            let text = format!("{FIELD}{}", tree.plain(name));
            let value = self.writer.intern_value(value);
            let target = (BindingTarget::Attribute(value), scope);
            let offset = tree.node(name).start;
            self.writer.bind_text_in(text, offset, inside, target);
        }
        let object = ValueText::numbered(first);
        let forms = [parts, object].into_iter();
        let forms = forms.filter_map(|one| self.writer.intern_value(one.within_limit()));
        let shape = TypeShape::AnyOf(forms.collect());
        self.writer.add_type(node, scope, shape);
        self.writer
            .add_type(first, scope, TypeShape::Object(inside));
    }

    /// Adds a container or a tuple that an expression creates if code reads a member of it.
    pub(super) fn add_receiver(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if !tree.may_be_receiver(node) {
            return;
        }
        let value = tree.value_text(node).filter(ValueText::is_literal);
        if let Some(value) = self.writer.intern_value(value) {
            self.writer
                .add_type(node, scope, TypeShape::AnyOf(vec![value]));
        }
    }

    /// Adds what an operation gives by the operators that types declare.
    pub(super) fn add_operation(&mut self, node: NodeIndex, scope: ScopeId) {
        let results = self.tree.operation(node, MAX_STEPS);
        let results = results.into_iter().flatten().flatten();
        let values = results.filter_map(|one| self.writer.intern_value(one.within_limit()));
        let values: Vec<Value> = values.collect();
        if !values.is_empty() {
            self.writer.add_type(node, scope, TypeShape::AnyOf(values));
        }
    }

    pub(super) fn visit_lambda(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.open_block(node, scope);
        self.add_lambda(node, (scope, inside));
        let Some(parameters) = tree.child(node, Field::Parameters) else {
            return;
        };
        self.roles.set(parameters, Role::OwnScope, inside);
        if tree.kind(parameters) == Kind::ImplicitParameter {
            let value = self.lambda_parameter(node, 0);
            self.bind_value(parameters, inside, (value, BindingTarget::Parameter));
        }
    }
}
