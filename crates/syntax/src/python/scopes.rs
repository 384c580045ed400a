//! Visits the constructs that open scopes.

use super::builder::{Context, FactsBuilder, Role};
use super::kinds::{Field, Kind};
use super::value_text::ValueText;
use crate::body_hash::NamedNode;
use crate::facts::{
    BindingTarget, BodyHash, DefinitionFact, DefinitionId, ScopeId, ScopeKind, Value,
};
use crate::tree::NodeIndex;
use ragnav_base::position::wire;

impl<'t> FactsBuilder<'t> {
    pub(super) fn visit_function(&mut self, node: NodeIndex, context: Context) {
        let returns = self.tree.child(node, Field::ReturnType);
        let (scope, enclosing) = self.open_definition(node, context, ScopeKind::Function);
        let in_class = self
            .facts
            .scope(context.scope)
            .is_some_and(|scope| scope.kind == ScopeKind::Class);
        if in_class {
            let instance = self
                .instance_parameter(node)
                .map(|name| (name, context.scope));
            if let Some(inside) = self.scope_info.get_mut(scope.0 as usize) {
                inside.instance = instance;
            }
        }
        self.roles
            .set_field(node, Field::Parameters, Role::Read, scope);
        if let Some(returns) = returns {
            self.roles.set(returns, Role::Annotation, enclosing);
        } else if let Some(inside) = self.scope_info.get_mut(scope.0 as usize) {
            inside.returns = Some(scope);
        }
        self.roles.set_field(node, Field::Body, Role::Read, scope);
    }

    pub(super) fn visit_class(&mut self, node: NodeIndex, context: Context) {
        let (scope, enclosing) = self.open_definition(node, context, ScopeKind::Class);
        self.roles
            .set_field(node, Field::Superclasses, Role::Superclasses, enclosing);
        self.roles.set_field(node, Field::Body, Role::Read, scope);
    }

    /// Opens the scope of a definition. Returns it and its parent.
    fn open_definition(
        &mut self,
        node: NodeIndex,
        context: Context,
        kind: ScopeKind,
    ) -> (ScopeId, ScopeId) {
        let id = self
            .is_next_definition(node)
            .then(|| DefinitionId(wire(self.definition_nodes.len())));
        let mut enclosing = context.scope;
        if let Some(parameters) = self.tree.child(node, Field::TypeParameters) {
            enclosing = self.open_scope(ScopeKind::TypeParameters, enclosing, id);
            let role = Role::TypeParameter(None);
            self.roles.set(parameters, role, enclosing);
        }
        let scope = self.open_scope(kind, enclosing, id);
        if let Some(name) = self.tree.child(node, Field::Name) {
            self.roles.set(name, Role::Handled, context.scope);
            let target = id.map_or(BindingTarget::Variable(None), BindingTarget::Definition);
            self.bind(name, context.scope, target, context.scope);
            if id.is_some() {
                self.add_definition(node, name, scope);
            }
        }
        (scope, enclosing)
    }

    /// Reports whether a node is the next of the definitions found before.
    fn is_next_definition(&self, node: NodeIndex) -> bool {
        let start = self.tree.node(node).start as usize;
        self.pending_definitions
            .last()
            .is_some_and(|(raw, _)| raw.start == start)
    }

    fn add_definition(&mut self, node: NodeIndex, name: NodeIndex, scope: ScopeId) {
        let Some((raw, symbol)) = self.pending_definitions.pop() else {
            return;
        };
        let body = self.tree.child(node, Field::Body);
        let enclosing = self.facts.enclosing_scope(scope);
        let returns = self.tree.child(node, Field::ReturnType);
        let returns = returns.and_then(|returns| self.annotation_text(returns, enclosing));
        let id = DefinitionId(wire(self.definition_nodes.len()));
        self.definition_ids.insert(node, id);
        self.definition_nodes.push(NamedNode {
            definition: node,
            name,
        });
        let fact = DefinitionFact {
            kind: symbol.kind,
            name: self.intern(self.tree.text(name)),
            qualifier: None,
            parent: raw.parent.map(|parent| DefinitionId(wire(parent))),
            ordinal: wire(symbol.ordinal),
            decorated_start_line: wire(symbol.decorated_start_line),
            start_line: wire(symbol.start_line),
            start_utf16: symbol.start_utf16,
            end_line: wire(symbol.end_line),
            end_utf16: symbol.end_utf16,
            name_position: self.position_of(name),
            scope,
            bases: self.bases(node, enclosing),
            decorators: self.decorators(node),
            returns: self.intern_value(returns),
            parameters: None,
            docstring: body.and_then(|body| self.tree.docstring(body)),
            body: BodyHash { hash: 0, tokens: 0 },
        };
        self.facts.definitions.push(fact);
    }

    fn bases(&mut self, class: NodeIndex, scope: ScopeId) -> Vec<Value> {
        let tree = self.tree;
        let arguments = tree.child(class, Field::Superclasses);
        let bases = arguments
            .into_iter()
            .flat_map(|arguments| tree.operands(arguments));
        bases
            .filter_map(|base| {
                let value = self.base_text(base, scope);
                self.intern_value(value)
            })
            .collect()
    }

    fn decorators(&mut self, definition: NodeIndex) -> Vec<Value> {
        let value_text = self.decorator_texts(definition);
        value_text
            .into_iter()
            .filter_map(|value_text| self.intern_value(Some(value_text)))
            .collect()
    }

    pub(super) fn decorator_texts(&self, definition: NodeIndex) -> Vec<ValueText<'t>> {
        let tree = self.tree;
        let parent = tree.parent(definition);
        if tree.kind(parent) != Kind::DecoratedDefinition {
            return Vec::new();
        }
        tree.operands(parent)
            .take_while(|&child| child < definition)
            .filter_map(|decorator| tree.value_text(tree.operands(decorator).next()?))
            .collect()
    }

    pub(super) fn visit_lambda(&mut self, node: NodeIndex, context: Context) {
        let scope = self.open_scope(ScopeKind::Function, context.scope, None);
        self.roles
            .set_field(node, Field::Parameters, Role::Read, scope);
        self.roles.set_field(node, Field::Body, Role::Read, scope);
    }

    pub(super) fn visit_comprehension(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let scope = self.open_scope(ScopeKind::Comprehension, context.scope, None);
        let mut role = Role::FirstFor;
        for part in tree.operands(node) {
            let is_for = tree.kind(part) == Kind::ForInClause;
            self.roles
                .set(part, if is_for { role } else { Role::Read }, scope);
            if is_for {
                role = Role::Read;
            }
        }
    }

    pub(super) fn visit_for_in(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let element = self.loop_element(node);
        self.roles
            .set_field(node, Field::Left, Role::Target(element), context.scope);
        if context.role != Role::FirstFor {
            return;
        }
        let enclosing = self.facts.enclosing_scope(context.scope);
        let rights = tree
            .children(node)
            .filter(|&child| tree.node(child).field == Field::Right);
        for right in rights {
            self.roles.set(right, Role::Read, enclosing);
        }
    }

    pub(super) fn visit_superclasses(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        for base in tree.operands(node) {
            let is_keyword = tree.kind(base) == Kind::KeywordArgument;
            let role = if is_keyword { Role::Read } else { Role::Base };
            self.roles.set(base, role, context.scope);
        }
    }
}
