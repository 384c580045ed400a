//! Parameters, default values and results of functions.

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::kinds::{Field, Kind};
use crate::facts::{BindingTarget, Name, RETURNED, ScopeId, ScopeKind, Signature};
use crate::tree::NodeIndex;

impl FactsBuilder<'_, '_> {
    /// Visits a function: its parameters, and the result of an arrow function without a block.
    pub(super) fn flow_into_function(&mut self, node: NodeIndex) {
        let Some(scope) = self.function_scope(node) else {
            return;
        };
        self.add_signature(node, scope);
        let tree = self.tree;
        let body = tree.child(node, Field::Body);
        let Some(body) = body.filter(|body| tree.kind(*body) != Kind::Block) else {
            return;
        };
        self.flow_into_returned(body, scope);
    }

    fn add_signature(&mut self, function: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut signature = Signature {
            scope,
            parameters: Vec::new(),
            rest: None,
            has_receiver: false,
        };
        if let Some(single) = tree.child(function, Field::Parameter) {
            let name = self.intern(tree.text(single));
            signature.parameters.push(name);
        }
        let list = tree.child(function, Field::Parameters);
        let parameters: Vec<NodeIndex> = list
            .into_iter()
            .flat_map(|list| tree.operands(list))
            .collect();
        for parameter in parameters {
            self.add_parameter(function, parameter, &mut signature);
        }
        if !signature.parameters.is_empty() || signature.rest.is_some() {
            self.facts.flow.signatures.push(signature);
        }
    }

    fn add_parameter(
        &mut self,
        function: NodeIndex,
        parameter: NodeIndex,
        signature: &mut Signature,
    ) {
        let tree = self.tree;
        // A parameter of TypeScript contains the pattern.
        let (pattern, mut default) = match tree.kind(parameter) {
            Kind::Parameter => (
                tree.child(parameter, Field::Pattern).unwrap_or(parameter),
                tree.child(parameter, Field::Value),
            ),
            _ => (parameter, None),
        };
        if tree.kind(pattern) == Kind::This {
            return;
        }
        let mut pattern = pattern;
        if tree.kind(pattern) == Kind::AssignmentPattern {
            default = tree.child(pattern, Field::Right);
            pattern = tree.child(pattern, Field::Left).unwrap_or(pattern);
        }
        if tree.kind(pattern) == Kind::RestPattern {
            let name = tree.operands(pattern).next();
            let name = name.filter(|&name| tree.kind(name) == Kind::Identifier);
            signature.rest = name.map(|name| self.intern(tree.text(name)));
            return;
        }
        let index = signature.parameters.len();
        let scope = signature.scope;
        let default = default.filter(|_| self.may_be_omitted(function, index));
        if tree.kind(pattern) == Kind::Identifier {
            let name = self.intern(tree.text(pattern));
            signature.parameters.push(name);
            for path in default
                .map(|value| self.values_of(value))
                .unwrap_or_default()
            {
                self.flow_bind((scope, name), pattern, (&path, scope));
            }
            return;
        }
        let name = self.intern(format!("#{index}"));
        signature.parameters.push(name);
        if !matches!(tree.kind(pattern), Kind::ObjectPattern | Kind::ArrayPattern) {
            return;
        }
        self.bind_whole(pattern, (scope, name));
        for path in default
            .map(|value| self.values_of(value))
            .unwrap_or_default()
        {
            self.flow_bind((scope, name), pattern, (&path, scope));
        }
        self.flow_path_to(pattern, &format!("#{index}"), scope, 0);
    }

    /// Binds a parameter that a pattern takes apart.
    fn bind_whole(&mut self, pattern: NodeIndex, (scope, name): (ScopeId, Name)) {
        let target = BindingTarget::Parameter(None);
        self.flow_bind_target((scope, name), pattern, target, scope);
    }

    /// Reports whether a call of the file may omit an argument, so that its default value counts.
    /// It also counts if the file calls nothing of that name.
    fn may_be_omitted(&self, function: NodeIndex, index: usize) -> bool {
        let id = self.definition_at(function);
        let found = id.and_then(|id| self.definitions.get(id.0 as usize));
        let name = found.map(|found| match (found.text.as_ref(), found.raw.parent) {
            ("constructor", Some(class)) => self
                .definitions
                .get(class)
                .map_or("", |class| class.text.as_ref()),
            (name, _) => name,
        });
        let name = name.and_then(|name| self.names.find(name));
        let fewest = name.and_then(|name| self.flow.fewest_arguments.get(&name));
        fewest.is_none_or(|fewest| *fewest <= index)
    }

    /// Visits `return value` and `yield value`.
    pub(super) fn flow_into_result(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let function = self.scope_info(self.scope_of(node)).function;
        let Some(value) = tree.operands(node).next() else {
            return;
        };
        let is_yield = tree.kind(node) == Kind::Yield;
        let is_delegated = is_yield
            && tree
                .children(node)
                .any(|child| tree.kind(child) == Kind::Token && tree.text(child) == "*");
        if !is_yield {
            return self.flow_into_returned(value, function);
        }
        let name = self.intern(RETURNED);
        let scope = self.scope_of(node);
        for path in self.values_of(value) {
            // A generator yields each element of what follows `yield*`.
            let path = if is_delegated {
                Some(path)
            } else {
                self.array_with(node, path)
            };
            if let Some(path) = path {
                self.flow_bind((function, name), node, (&path, scope));
            }
        }
    }

    /// Binds the result of a function to a value, unless the first pass has.
    fn flow_into_returned(&mut self, value: NodeIndex, function: ScopeId) {
        let found = self.facts.scope(function);
        let Some(found) =
            found.filter(|found| matches!(found.kind, ScopeKind::Arrow | ScopeKind::Function))
        else {
            return;
        };
        let definition = found.definition;
        let definition = definition.and_then(|id| self.facts.definition(id));
        let definition = definition.filter(|fact| fact.scope == function);
        if definition.is_some_and(|fact| fact.returns.is_some()) {
            return;
        }
        let known = self
            .first_pass_value(value)
            .filter(|_| definition.is_some());
        let name = self.intern(RETURNED);
        let scope = self.scope_of(value);
        for path in self.values_of(value) {
            if known.as_ref() != Some(&path) {
                self.flow_bind((function, name), value, (&path, scope));
            }
        }
    }
}
