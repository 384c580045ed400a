//! Collects the names of the parameters of functions, by which other places ask for their types.

use super::builder::FactsBuilder;
use super::kinds::{Field, Kind};
use crate::facts::{BindingTarget, ScopeId, Signature};
use crate::tree::NodeIndex;

/// The kinds of functions that have parameters of their own.
const FUNCTIONS: [Kind; 5] = [
    Kind::ArrowFunction,
    Kind::FunctionDeclaration,
    Kind::FunctionExpression,
    Kind::Method,
    Kind::MethodSignature,
];

impl FactsBuilder<'_, '_> {
    /// Collects the names of the parameters of all functions.
    pub(super) fn collect_parameter_names(&mut self) {
        for node in 0..self.tree.len() {
            if FUNCTIONS.contains(&self.tree.kind(node)) {
                self.add_function_signature(node);
            }
        }
    }

    fn add_function_signature(&mut self, function: NodeIndex) {
        let tree = self.tree;
        let id = self.definition_at(function);
        let definition = id.and_then(|id| self.facts.definition(id));
        let scope = definition.map(|definition| definition.scope);
        let scope = scope.or_else(|| {
            let parameters = tree.child(function, Field::Parameters)?;
            let is_signature = tree.kind(function) == Kind::MethodSignature;
            (!is_signature).then(|| self.scope_at(parameters))
        });
        if let Some(scope) = scope {
            self.add_signature_of(function, scope);
        }
    }

    /// Adds the names of the parameters of a function. A pattern has the name of its index.
    pub(super) fn add_signature_of(&mut self, function: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut signature = Signature {
            scope,
            parameters: Vec::new(),
            rest: None,
            has_receiver: false,
        };
        let list = tree.child(function, Field::Parameters);
        let parameters = list.into_iter().flat_map(|list| tree.operands(list));
        let parameters = parameters.chain(tree.child(function, Field::Parameter));
        for parameter in parameters.collect::<Vec<_>>() {
            let pattern = tree.child(parameter, Field::Pattern).unwrap_or(parameter);
            match tree.kind(pattern) {
                Kind::This => {}
                Kind::RestPattern => {
                    let name = tree.operands(pattern).next();
                    signature.rest = name.map(|name| self.intern(tree.text(name)));
                }
                Kind::Identifier => {
                    let name = self.intern(tree.text(pattern));
                    signature.parameters.push(name);
                }
                _ => {
                    let name = self.intern(format!("#{}", signature.parameters.len()));
                    signature.parameters.push(name);
                    let value = tree.declared_text(parameter);
                    if value.is_some() {
                        let target = BindingTarget::Parameter(self.intern_value(value));
                        let enclosing = self.facts.enclosing_scope(scope);
                        self.bind_name(name, pattern, scope, target, enclosing);
                    }
                }
            }
        }
        if !signature.parameters.is_empty() || signature.rest.is_some() {
            self.facts.flow.signatures.push(signature);
        }
    }
}
