//! Visits classes, modules, methods and variables.

use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, Kind};
use super::literals::is_builtin;
use super::passed_values::{Passed, passed_value};
use crate::facts::{Binding, BindingTarget, MODULE, RETURNED, ScopeId, ScopeKind};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;
use ragnav_base::hash::HashSet;

/// The mark of a method of the class itself, as its decorator.
const SINGLETON: &str = "self";

impl FactsBuilder<'_> {
    pub(super) fn visit_class(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        let id = self.writer.next_definition(node);
        let inside = self.open_scope(ScopeKind::Namespace, scope, id);
        let last = match tree.kind(name) {
            Kind::ScopeResolution => tree.child(name, Field::Name),
            _ => Some(name),
        };
        self.roles.set(name, Role::Handled, scope);
        if tree.kind(name) == Kind::ScopeResolution
            && let Some(of) = tree.child(name, Field::Scope)
        {
            self.roles.set(name, Role::OwnScope, scope);
            self.roles.set(of, Role::Read, scope);
        }
        if let (Some(last), Some(id)) = (last, id) {
            if last == name {
                self.bind(name, scope, BindingTarget::Definition(id));
            }
            let above = tree.child(node, Field::Superclass);
            let above = above.and_then(|above| tree.operands(above).next());
            let bases = above
                .and_then(|above| tree.path(above))
                .map(ValueText::name);
            let bases = bases.into_iter().collect();
            let place = self.name_at(last);
            self.writer.add_definition(place, inside, bases, Vec::new());
            self.declared.insert(last);
            if let Some(above) = above {
                self.bind_created_members((above, tree.text(last)), inside);
            }
        }
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
    }

    /// Visits `class << self`, whose methods are those of the class itself.
    pub(super) fn visit_singleton_class(&mut self, node: NodeIndex, scope: ScopeId) {
        let inside = self.open_scope(ScopeKind::Comprehension, scope, None);
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
    }

    pub(super) fn visit_method(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let inside = self.open_scope(ScopeKind::Function, scope, id);
        let name = tree.child(node, Field::Name);
        if let Some(name) = name {
            self.roles.set(name, Role::Handled, scope);
        }
        let owner = self.writer.facts.scope(scope);
        let is_singleton = tree.kind(node) == Kind::SingletonMethod
            || owner.is_some_and(|owner| owner.kind == ScopeKind::Comprehension);
        if let (Some(name), Some(id)) = (name, id) {
            if self.class_around(scope).is_none() && !is_singleton {
                // Also in a block, a method is one of the whole program.
                self.bind(name, MODULE, BindingTarget::Definition(id));
            }
            let place = self.name_at(name);
            self.writer
                .add_definition(place, inside, Vec::new(), Vec::new());
            if is_singleton {
                let mark = self.writer.intern_value(Some(ValueText::name(SINGLETON)));
                let definitions = &mut self.writer.facts.definitions;
                if let Some(method) = definitions.get_mut(id.0 as usize) {
                    method.decorators.extend(mark);
                }
            }
        }
        for field in [Field::Parameters, Field::Body] {
            self.roles.set_field(node, field, Role::OwnScope, inside);
        }
        if let Some(list) = tree.child(node, Field::Parameters) {
            self.writer
                .add_signature(inside, &tree.parameter_names(list));
        }
        if let Some(body) = tree.child(node, Field::Body) {
            self.returns.insert(body, inside);
        }
    }

    /// Binds what methods return: the values of their last statements, now that all variables are
    /// known.
    pub(super) fn bind_results(&mut self) {
        let mut bodies: Vec<(NodeIndex, ScopeId)> = self.returns.drain().collect();
        bodies.sort_unstable();
        for (body, scope) in bodies {
            self.bind_result(body, scope);
        }
    }

    /// Visits `return a`, also in a block.
    pub(super) fn visit_return(&mut self, node: NodeIndex, scope: ScopeId) {
        if let Some(method) = self.writer.function_around(scope) {
            let value = self.value_text(node, scope);
            self.bind_returned(node, method, (value, scope));
        }
    }

    fn bind_returned(
        &mut self,
        node: NodeIndex,
        method: ScopeId,
        (value, scope): (Option<ValueText>, ScopeId),
    ) {
        let binding = Binding {
            scope: method,
            name: self.writer.names.intern(RETURNED),
            position: self.writer.position_at(self.tree.node(node).start),
            target: BindingTarget::Variable(self.writer.intern_value(value)),
            value_scope: scope,
        };
        self.writer.facts.bindings.push(binding);
    }

    fn bind_result(&mut self, body: NodeIndex, scope: ScopeId) {
        for result in self.tree.results(body) {
            let value = self.value_text(result, scope);
            self.bind_returned(result, scope, (value, scope));
        }
    }

    pub(super) fn visit_declared_names(&mut self, node: NodeIndex, scope: ScopeId) {
        let names: Vec<NodeIndex> = self.tree.operands(node).collect();
        // What a block receives is a value in the scope around it.
        let around = self.writer.facts.scope(scope).and_then(|one| one.parent);
        let around = around.unwrap_or(scope);
        for (index, name) in names.iter().enumerate() {
            if self.tree.kind(*name) == Kind::Identifier {
                let place = (index, names.len());
                let values = self.values_of_declared(node, place, around);
                self.roles.set(*name, Role::Handled, scope);
                self.declare(*name, scope, (values, around));
            }
        }
    }

    /// Returns the values of a name in a list of parameters, by its index and the number of names.
    fn values_of_declared(
        &self,
        list: NodeIndex,
        place: (usize, usize),
        around: ScopeId,
    ) -> Vec<ValueText> {
        let tree = self.tree;
        let outer = tree.parent(list);
        if tree.kind(outer) != Kind::DeclaredNames {
            return self.block_parameter_values(outer, place, around);
        }
        // `|(a, b), c|` takes the first argument apart.
        let index = tree.operands(outer).position(|one| one == list);
        let count = tree.operands(outer).count();
        let block = tree.parent(outer);
        let call = tree.parent(block);
        let method = tree.child(call, Field::Method);
        let (Some(index), Some(method)) = (index, method) else {
            return Vec::new();
        };
        let arguments = tree.child(call, Field::Arguments);
        let passed = Passed::by_call(tree.text(method), arguments, (index, count));
        let of = tree.child(call, Field::Receiver);
        let of = of.filter(|_| matches!(passed, Some(Passed::Element(None))));
        let of = of.and_then(|of| self.value_text(of, around));
        let part = Passed::Element(Some(place.0));
        let value = of.and_then(|of| passed_value(of, tree.text(method), part));
        value.into_iter().collect()
    }

    /// Visits a parameter with a name, which may have a default value.
    pub(super) fn visit_parameter(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        self.declare(name, scope, (Vec::new(), scope));
        if tree.kind(node) == Kind::BlockParameter {
            self.block_parameters.insert((scope, tree.text(name)));
        }
        let default = tree.child(node, Field::Value);
        let default = default.and_then(|value| self.value_text(value, scope));
        if let Some(value) = default.filter(|value| !is_builtin(value)) {
            let place = self.name_at(name);
            self.writer
                .bind_value(place, scope, (Some(value), scope), BindingTarget::Parameter);
        }
    }

    /// Declares a parameter, which hides a variable of its name around the block, with the values
    /// that it receives.
    pub(super) fn declare(
        &mut self,
        name: NodeIndex,
        scope: ScopeId,
        (values, value_scope): (Vec<ValueText>, ScopeId),
    ) {
        let text = self.tree.text(name);
        self.variables.insert((scope, text));
        if values.is_empty() {
            return self.bind(name, scope, BindingTarget::Parameter(None));
        }
        for value in values {
            let value = (Some(value), value_scope);
            let place = self.name_at(name);
            self.writer
                .bind_value(place, scope, value, BindingTarget::Parameter);
        }
    }

    pub(super) fn visit_assignment(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let (Some(left), Some(right)) = (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        ) else {
            return;
        };
        if self.visit_created_class((node, left, right), scope) {
            return;
        }
        match tree.kind(left) {
            Kind::Identifier | Kind::Constant => {
                self.roles.set(left, Role::Handled, scope);
                for value in self.alternative_values(right, scope) {
                    self.bind_variable(left, scope, value);
                }
            }
            Kind::InstanceVariable => {
                for value in self.alternative_values(right, scope) {
                    self.bind_instance_variable(left, (scope, value));
                }
            }
            Kind::LeftAssignmentList => self.assign_parts(left, right, scope),
            Kind::Call => self.assign_attribute(left, right, scope),
            Kind::ElementReference => {
                if let Some(container) = tree.child(left, Field::Object) {
                    self.add_element(container, (right, scope), ValueText::into_mapping);
                }
            }
            _ => {}
        }
    }

    /// Visits `self.a = b`, which assigns `@a` if the class declares `attr_accessor :a`.
    fn assign_attribute(&mut self, left: NodeIndex, right: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let object = tree.child(left, Field::Receiver);
        let is_own = object.is_some_and(|object| tree.kind(object) == Kind::SelfKeyword);
        let name = tree.child(left, Field::Method).filter(|_| is_own);
        let (Some(name), Some((class, _))) = (name, self.class_around(scope)) else {
            return;
        };
        if !self.setters.contains(&(class, tree.text(name))) {
            return;
        }
        let offset = tree.node(name).start;
        for value in self.alternative_values(right, scope) {
            let target = BindingTarget::Attribute(self.writer.intern_value(value));
            let variable = format!("@{}", tree.text(name));
            self.writer
                .bind_text_in(variable, offset, class, (target, scope));
        }
    }

    /// Visits `a, (b, *c) = d`.
    fn assign_parts(&mut self, left: NodeIndex, right: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        for name in left..tree.subtree_end(left) {
            if tree.kind(name) == Kind::Identifier
                && tree.kind(tree.parent(name)) == Kind::LeftAssignmentList
            {
                let value = self.value_of_part((left, name), right, scope);
                self.declared.insert(name);
                self.bind_variable(name, scope, value);
            }
        }
    }

    /// Returns the value of a name in `a, (b, *c) = d`.
    fn value_of_part(
        &self,
        (left, name): (NodeIndex, NodeIndex),
        right: NodeIndex,
        scope: ScopeId,
    ) -> Option<ValueText> {
        let tree = self.tree;
        let list = tree.parent(name);
        let index = |of: NodeIndex, one: NodeIndex| tree.operands(of).position(|at| at == one);
        if list == left {
            return self.part_value(right, index(left, name)?, scope);
        }
        let place = index(left, list)?;
        if tree.text(list).starts_with('*') {
            return self.rest_value(right, place, scope);
        }
        let part = tree.operands(right).nth(place);
        let is_list = matches!(tree.kind(right), Kind::Array | Kind::RightAssignmentList);
        let inner = index(list, name)?;
        if let Some(part) = part.filter(|_| is_list) {
            return self.part_value(part, inner, scope);
        }
        let outer = self.part_value(right, place, scope)?;
        ValueText::name(format!("{}[{inner}]", outer.into_path())).within_limit()
    }

    /// Returns the values of the branches of an expression, of which the unknown ones are one.
    pub(super) fn alternative_values(
        &self,
        node: NodeIndex,
        scope: ScopeId,
    ) -> Vec<Option<ValueText>> {
        let results = self.tree.results(node).into_iter();
        let mut values: Vec<_> = results.map(|one| self.value_text(one, scope)).collect();
        // One such as `nil` has no methods of the repository.
        let has_other = values.iter().flatten().any(|value| !is_builtin(value));
        values.retain(|value| !has_other || !value.as_ref().is_some_and(is_builtin));
        let mut known = HashSet::default();
        values.retain(|value| known.insert(value.clone().map(ValueText::into_path)));
        if values.is_empty() {
            values.push(None);
        }
        values
    }

    /// Binds the name that stands for a choice to each value that it may have.
    pub(super) fn bind_choice(&mut self, choice: NodeIndex, scope: ScopeId) {
        let offset = self.tree.node(choice).start;
        let values = self.alternative_values(choice, scope);
        self.writer.bind_choice((choice, offset), scope, values);
    }

    /// Visits `for a in b`.
    pub(super) fn visit_for(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let pattern = tree.child(node, Field::Pattern);
        let of = tree.child(node, Field::Value);
        let of = of.and_then(|of| tree.operands(of).next());
        let (Some(pattern), Some(of)) = (pattern, of) else {
            return;
        };
        let names: Vec<NodeIndex> = match tree.kind(pattern) {
            Kind::LeftAssignmentList => tree.operands(pattern).collect(),
            _ => vec![pattern],
        };
        let count = names.len();
        for (index, name) in names.into_iter().enumerate() {
            if tree.kind(name) != Kind::Identifier {
                continue;
            }
            let passed = Passed::by_call("each", None, (index, count));
            let value = passed.zip(self.value_text(of, scope));
            let value = value.and_then(|(passed, of)| passed_value(of, "each", passed));
            self.declared.insert(name);
            self.bind_variable(name, scope, value);
        }
    }

    /// Returns the scope of the instance variables at a place: that of the class around it.
    pub(super) fn scope_of_members(&self, scope: ScopeId) -> ScopeId {
        let body = self.class_around(scope);
        body.map_or(MODULE, |(body, _)| body)
    }

    /// Binds `@a` as a member of the class around it.
    fn bind_instance_variable(
        &mut self,
        name: NodeIndex,
        (scope, value): (ScopeId, Option<ValueText>),
    ) {
        let body = self.scope_of_members(scope);
        let value = self.writer.intern_value(value);
        let place = self.name_at(name);
        let binding = Binding {
            scope: body,
            name: self.writer.names.intern(place.text),
            position: self.writer.position_at(place.offset),
            target: BindingTarget::Attribute(value),
            value_scope: scope,
        };
        self.writer.facts.bindings.push(binding);
    }

    /// Visits `rescue A => b`, where `b` is an instance of `A`.
    pub(super) fn visit_rescue(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(variable) = tree.child(node, Field::Variable) else {
            return;
        };
        let name = tree.operands(variable).next();
        if let Some(name) = name.filter(|name| tree.kind(*name) == Kind::Identifier) {
            self.declared.insert(name);
            self.bind_variable(name, scope, None);
        }
    }
}
