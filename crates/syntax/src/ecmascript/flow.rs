//! Collects how values flow between the functions of the file; see [`Flow`](crate::facts::Flow).
//!
//! This is a second pass over the tree, since a value may be a function whose scope the first pass
//! opens later.

mod builtin_results;
mod callbacks;
mod calls;
mod containers;
mod filled_containers;
mod functions;
mod keys;
mod literals;
mod members;
mod narrowed_ranges;
mod order;
mod paths;
mod patterns;
mod targets;
mod tested_receivers;
mod values;

use super::builder::FactsBuilder;
use super::kinds::{Field, Kind};
use super::roles::MODULE;
use crate::facts::{Binding, BindingTarget, ExportedItem, Name, ScopeId, Value};
use crate::flow_order::is_generated;
use crate::tree::NodeIndex;

/// The maximum number of bindings that the flow of one file has.
const MAX_BINDINGS: usize = 20_000;

impl FactsBuilder<'_, '_> {
    /// Collects the flow of values, after all scopes and bindings are known.
    pub(super) fn collect_flow(&mut self) {
        self.facts.flow.is_collected = true;
        self.collect_bound_names();
        self.collect_changed_classes();
        self.collect_parameter_keys();
        self.collect_filled_containers();
        self.collect_tested_variables();
        self.number_calls();
        self.collect_builtin_results();
        for node in 0..self.tree.len() {
            self.visit_flow(node);
        }
        self.flow_into_exports();
        self.place_paths();
        self.collect_order();
    }

    /// Gives the arrays and objects that the module exports to their names.
    fn flow_into_exports(&mut self) {
        for (place, node) in std::mem::take(&mut self.exported_containers) {
            let path = self.first_value(node);
            let value = path.map(|path| ExportedItem::Value(self.path_value(&path)));
            if let (Some(export), Some(item)) = (self.facts.exported.get_mut(place), value) {
                export.item = item;
            }
        }
    }

    fn visit_flow(&mut self, node: NodeIndex) {
        match self.tree.kind(node) {
            Kind::VariableDeclarator | Kind::Assignment => self.flow_into_target(node),
            Kind::AugmentedAssignment if self.tree.is_logical_assignment(node) => {
                self.flow_into_target(node);
            }
            Kind::FieldDefinition => self.flow_into_field(node),
            Kind::ForIn => self.flow_into_loop(node),
            Kind::Return | Kind::Yield => self.flow_into_result(node),
            Kind::FunctionDeclaration
            | Kind::FunctionExpression
            | Kind::ArrowFunction
            | Kind::Method => self.flow_into_function(node),
            Kind::Call | Kind::New => self.flow_into_call(node),
            _ => {}
        }
    }

    /// Collects the names that scopes bind, the constants and the variables of loops.
    fn collect_bound_names(&mut self) {
        for binding in &self.facts.bindings {
            let key = (binding.scope, binding.name);
            self.flow.local_names.insert(key);
            self.flow.bound_names.insert(binding.name);
            if binding.target == BindingTarget::Parameter(None) {
                self.flow.parameters.insert(key);
            }
            if !matches!(binding.target, BindingTarget::Import(_)) {
                self.flow.own_names.insert(binding.name);
            }
        }
        let definitions = self.facts.definitions.iter();
        self.flow
            .own_names
            .extend(definitions.map(|found| found.name));
        let tree = self.tree;
        for node in 0..tree.len() {
            self.collect_member_name(node);
            match tree.kind(node) {
                Kind::VariableDeclarator => self.collect_constant(node),
                Kind::Assignment => self.count_member_assignment(node),
                Kind::AugmentedAssignment if tree.is_logical_assignment(node) => {
                    self.count_member_assignment(node);
                }
                Kind::ForIn => {
                    if let Some(name) = tree.child(node, Field::Left) {
                        self.collect_loop_variable(name);
                    }
                }
                _ => {}
            }
        }
    }

    /// Collects the name of a member that a class, an object or an assignment gives.
    fn collect_member_name(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let name = match tree.kind(node) {
            Kind::Method => tree.child(node, Field::Name),
            Kind::FieldDefinition => tree.field_name(node),
            Kind::Pair if self.may_hold_function(node, Field::Value) => {
                tree.child(node, Field::Key)
            }
            Kind::Shorthand => Some(node),
            Kind::Assignment if self.may_hold_function(node, Field::Right) => tree
                .child(node, Field::Left)
                .filter(|left| tree.kind(*left) == Kind::Member)
                .and_then(|left| tree.operands(left).last()),
            _ => None,
        };
        if let Some(name) = name.and_then(|name| self.names.find(tree.text(name))) {
            self.flow.member_names.insert(name);
        }
    }

    /// Reports whether the value of a property may be a function.
    fn may_hold_function(&self, node: NodeIndex, field: Field) -> bool {
        let value = self.tree.child(node, field);
        !value.is_some_and(|value| {
            let kind = self.tree.kind(value);
            matches!(kind, Kind::Array | Kind::New | Kind::Object | Kind::String)
        })
    }

    /// Collects `const a = 'b'`, and `i` of `for (let i = 0; …)`.
    fn collect_constant(&mut self, declarator: NodeIndex) {
        let tree = self.tree;
        let declaration = tree.parent(declarator);
        let (Some(name), Some(value)) = (
            tree.child(declarator, Field::Name),
            tree.child(declarator, Field::Value),
        ) else {
            return;
        };
        if tree.kind(tree.parent(declaration)) == Kind::For {
            return self.collect_loop_variable(name);
        }
        let is_constant = tree.text(declaration).starts_with("const");
        if is_constant && let Some(key) = self.bound_key(name) {
            self.flow.constants.insert(key, value);
        }
    }

    fn collect_loop_variable(&mut self, name: NodeIndex) {
        if let Some(key) = self.bound_key(name) {
            self.flow.loop_variables.insert(key);
        }
    }

    /// Returns the scope that binds an identifier, with its name.
    fn bound_key(&self, identifier: NodeIndex) -> Option<(ScopeId, Name)> {
        if !matches!(
            self.tree.kind(identifier),
            Kind::Identifier | Kind::ShorthandPattern
        ) {
            return None;
        }
        let name = self.names.find(self.tree.text(identifier))?;
        let scope = self.binding_scope_of(self.scope_of(identifier), name)?;
        Some((scope, name))
    }

    /// Returns the scope in which the names of a node are looked up.
    fn scope_of(&self, node: NodeIndex) -> ScopeId {
        self.roles.get(node).map_or(MODULE, |context| context.scope)
    }

    /// Binds a name to a path at the position of a node.
    fn flow_bind(
        &mut self,
        (scope, name): (ScopeId, Name),
        node: NodeIndex,
        (path, value_scope): (&str, ScopeId),
    ) {
        let value = self.path_value(path);
        let target = BindingTarget::Variable(Some(value));
        self.flow_bind_target((scope, name), node, target, value_scope);
    }

    fn flow_bind_target(
        &mut self,
        (scope, name): (ScopeId, Name),
        node: NodeIndex,
        target: BindingTarget,
        value_scope: ScopeId,
    ) {
        if self.facts.flow.bindings.len() >= MAX_BINDINGS {
            return;
        }
        self.flow.bound_nodes.push((scope, name, node));
        let binding = Binding {
            scope,
            name,
            position: self.position_of(node),
            target,
            value_scope,
        };
        self.facts.flow.bindings.push(binding);
    }

    /// Returns the value of a path.
    fn path_value(&mut self, path: &str) -> Value {
        Value {
            path: self.intern(path.to_owned()),
            is_called: false,
        }
    }

    /// Moves the bindings of paths such as `a.b` and `a[0]` to the scope that binds `a`.
    fn place_paths(&mut self) {
        let mut bindings = std::mem::take(&mut self.facts.flow.bindings);
        for binding in &mut bindings {
            if let Some(scope) = self.scope_of_path(binding.scope, binding.name) {
                binding.scope = scope;
            }
        }
        self.facts.flow.bindings = bindings;
        let mut bound = std::mem::take(&mut self.flow.bound_nodes);
        for (scope, name, _) in &mut bound {
            if let Some(found) = self.scope_of_path(*scope, *name) {
                *scope = found;
            }
        }
        self.flow.bound_nodes = bound;
    }

    /// Returns the scope that binds the first name of a path such as `a.b`.
    fn scope_of_path(&self, scope: ScopeId, name: Name) -> Option<ScopeId> {
        let path = self.names.text(name);
        let end = path.find(['.', '[']).filter(|_| !is_generated(path))?;
        let head = self.names.find(path.get(..end)?)?;
        self.binding_scope_of(scope, head)
    }

    /// Returns the scope around a scope, or the scope itself, that binds a name.
    fn binding_scope_of(&self, scope: ScopeId, name: Name) -> Option<ScopeId> {
        let mut next = Some(scope);
        while let Some(current) = next {
            if self.flow.local_names.contains(&(current, name)) {
                return Some(current);
            }
            next = self.facts.scope(current).and_then(|found| found.parent);
        }
        None
    }
}
