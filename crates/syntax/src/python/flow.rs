//! Collects how values flow between the functions of the file; see [`Flow`](crate::facts::Flow).
//!
//! This is a second pass over the tree, since a value may be a function whose scope the first pass
//! opens later.

mod callbacks;
mod calls;
mod composed_values;
mod containers;
mod definitions;
mod filled_containers;
mod implicit;
mod library_calls;
mod match_patterns;
mod members;
mod narrowing;
mod order;
mod targets;
mod values;

use super::builder::{FactsBuilder, MODULE};
use super::kinds::{Field, Kind};
use crate::facts::{Binding, BindingTarget, Name, ScopeId, ScopeKind, Value};
use crate::flow_order::is_generated;
use crate::tree::NodeIndex;

/// The maximum number of bindings that the flow of one file has.
const MAX_BINDINGS: usize = 20_000;

impl FactsBuilder<'_> {
    /// Collects the flow of values, after all scopes and bindings are known.
    pub(super) fn collect_flow(&mut self) {
        self.facts.flow.is_collected = true;
        self.number_calls();
        self.collect_library_objects();
        for node in 0..self.tree.len() {
            self.visit_flow(node);
        }
        self.forget_changed_attributes();
        self.bind_filled_containers();
        self.place_paths();
        self.collect_order();
    }

    fn visit_flow(&mut self, node: NodeIndex) {
        match self.tree.kind(node) {
            Kind::Assignment | Kind::NamedExpression => self.flow_into_target(node),
            Kind::AugmentedAssignment => self.flow_into_augmented(node),
            Kind::ForStatement | Kind::ForInClause => self.flow_into_loop(node),
            Kind::AsPattern => self.flow_into_pattern(node),
            Kind::WithStatement => self.refer_to_context(node),
            Kind::ReturnStatement | Kind::Yield => self.flow_into_result(node),
            Kind::Lambda => self.flow_into_lambda(node),
            Kind::FunctionDefinition => self.flow_into_function(node),
            Kind::ClassDefinition => self.flow_into_decorators(node),
            Kind::Call => self.flow_into_call(node),
            Kind::RaiseStatement => self.flow_into_raise(node),
            Kind::IfStatement | Kind::ElifClause => self.narrow_branch(node),
            Kind::AssertStatement => self.narrow_assertion(node),
            Kind::CaseClause => self.flow_into_case(node),
            _ => {}
        }
    }

    /// Returns the scope in which the names of a node are looked up.
    fn scope_of(&self, node: NodeIndex) -> ScopeId {
        self.roles.get(node).map_or(MODULE, |context| context.scope)
    }

    /// Returns the scope of the body of a function, lambda or class.
    fn body_scope(&self, node: NodeIndex) -> Option<ScopeId> {
        let body = self.tree.child(node, Field::Body)?;
        Some(self.scope_of(body))
    }

    /// Returns the scope of the function around a scope.
    fn function_scope(&self, scope: ScopeId) -> Option<ScopeId> {
        let mut scope = scope;
        loop {
            let found = self.facts.scope(scope)?;
            match found.kind {
                ScopeKind::Function => return Some(scope),
                ScopeKind::Comprehension => scope = found.parent?,
                _ => return None,
            }
        }
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
        self.bound_nodes.push((scope, name, node));
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
    pub(super) fn path_value(&mut self, path: &str) -> Value {
        Value {
            path: self.intern(path.to_owned()),
            is_called: false,
        }
    }

    /// Moves the bindings of paths such as `a.b` and `a['b']` to the scope that binds `a`.
    fn place_paths(&mut self) {
        let mut bindings = std::mem::take(&mut self.facts.flow.bindings);
        for binding in &mut bindings {
            let path = self.names.text(binding.name);
            let Some(end) = path.find(['.', '[']).filter(|_| !is_generated(path)) else {
                continue;
            };
            let head = path.get(..end).unwrap_or_default().to_owned();
            let head = self.intern(head);
            binding.scope = self.binding_scope_of(binding.scope, head);
        }
        self.facts.flow.bindings = bindings;
    }

    /// Returns the scope around a scope that binds a name, or the scope itself.
    fn binding_scope_of(&self, scope: ScopeId, name: Name) -> ScopeId {
        let mut next = Some(scope);
        while let Some(current) = next {
            let found = self.local_names.get(&(current, name));
            match found {
                Some(true) => return MODULE,
                Some(false) => return current,
                None => next = self.facts.scope(current).and_then(|found| found.parent),
            }
        }
        scope
    }
}
