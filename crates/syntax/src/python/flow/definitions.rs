//! Parameters, default values, lambdas and decorators.

use crate::facts::{
    Argument, ArgumentPlace, BindingTarget, DefinitionId, Name, RETURNED, ScopeId, Signature,
    UNDECORATED, UNKNOWN,
};
use crate::python::builder::FactsBuilder;
use crate::python::kinds::{Field, Kind};
use crate::tree::NodeIndex;

use super::calls::MAX_ARGUMENTS;

/// Decorators after which the name means the function as before, or an attribute.
const TRANSPARENT: [&str; 12] = [
    "property",
    "cached_property",
    "setter",
    "getter",
    "deleter",
    "staticmethod",
    "classmethod",
    "overload",
    "abstractmethod",
    "wraps",
    "dataclass",
    "contextmanager",
];

impl FactsBuilder<'_> {
    pub(super) fn flow_into_function(&mut self, node: NodeIndex) {
        if let Some(scope) = self.body_scope(node) {
            let has_receiver = self.scope_info(scope).instance.is_some_and(|(_, class)| {
                let enclosing = self.facts.enclosing_scope(scope);
                class == enclosing || self.facts.enclosing_scope(enclosing) == class
            });
            self.add_signature(node, scope, has_receiver);
            self.flow_into_declared_result(node, scope);
        }
        self.flow_into_decorators(node);
    }

    /// Binds the result of a function to each type of a union that the function declares.
    fn flow_into_declared_result(&mut self, function: NodeIndex, scope: ScopeId) {
        let Some(annotation) = self.tree.child(function, Field::ReturnType) else {
            return;
        };
        let enclosing = self.facts.enclosing_scope(scope);
        let name = self.intern(RETURNED);
        for path in self.annotation_sides(annotation, enclosing) {
            self.flow_bind((scope, name), annotation, (&path, enclosing));
        }
    }

    /// Visits a lambda: its parameters and its result.
    pub(super) fn flow_into_lambda(&mut self, node: NodeIndex) {
        let Some(scope) = self.body_scope(node) else {
            return;
        };
        self.add_signature(node, scope, false);
        let Some(body) = self.tree.child(node, Field::Body) else {
            return;
        };
        let name = self.intern(RETURNED);
        for path in self.values_of(body) {
            self.flow_bind((scope, name), body, (&path, scope));
        }
    }

    fn add_signature(&mut self, function: NodeIndex, scope: ScopeId, has_receiver: bool) {
        let tree = self.tree;
        let Some(list) = tree.child(function, Field::Parameters) else {
            return;
        };
        let mut signature = Signature {
            scope,
            parameters: Vec::new(),
            rest: None,
            has_receiver,
        };
        let parameters: Vec<NodeIndex> = tree.operands(list).collect();
        for parameter in parameters {
            self.add_parameter(parameter, &mut signature);
        }
        if !signature.parameters.is_empty() || signature.rest.is_some() {
            self.facts.flow.signatures.push(signature);
        }
    }

    fn add_parameter(&mut self, parameter: NodeIndex, signature: &mut Signature) {
        let tree = self.tree;
        let named = match tree.kind(parameter) {
            Kind::Identifier | Kind::Splat => Some(parameter),
            Kind::TypedParameter => tree.operands(parameter).next(),
            Kind::DefaultParameter => tree.child(parameter, Field::Name),
            _ => None,
        };
        let Some(named) = named else {
            return;
        };
        if tree.kind(named) == Kind::Splat {
            let name = tree.operands(named).next();
            if !tree.text(named).starts_with("**") && signature.rest.is_none() {
                signature.rest = name.map(|name| self.intern(tree.text(name)));
            }
            return;
        }
        let name = self.intern(tree.text(named));
        signature.parameters.push(name);
        self.flow_into_parameter(parameter, named, (signature.scope, name));
    }

    /// Binds a parameter to its default value, and to each side of a union.
    fn flow_into_parameter(
        &mut self,
        parameter: NodeIndex,
        named: NodeIndex,
        (scope, name): (ScopeId, Name),
    ) {
        let tree = self.tree;
        let enclosing = self.facts.enclosing_scope(scope);
        if let Some(annotation) = tree.child(parameter, Field::Type) {
            for path in self.annotation_sides(annotation, enclosing) {
                self.flow_bind((scope, name), named, (&path, enclosing));
            }
        }
        if let Some(value) = tree.child(parameter, Field::Value) {
            for path in self.values_of(value) {
                self.flow_bind((scope, name), named, (&path, enclosing));
            }
        }
    }

    /// Visits the decorators of a function or class: each is called with what follows it, and the
    /// name is bound to the result of the first.
    pub(super) fn flow_into_decorators(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let parent = tree.parent(node);
        if tree.kind(parent) != Kind::DecoratedDefinition {
            return;
        }
        let scope = self.scope_of(node);
        let Some((id, name_node)) = self.definition_of(node) else {
            return;
        };
        let decorators: Vec<NodeIndex> = tree
            .operands(parent)
            .take_while(|&child| child < node)
            .filter_map(|decorator| tree.operands(decorator).next())
            .collect();
        let undecorated = format!("{UNDECORATED}{}", id.0);
        let mut value = undecorated.clone();
        for decorator in decorators.iter().rev() {
            self.mark_called(*decorator);
            self.flow_into_parametrized(node, *decorator);
            let last = self.last_name_node(*decorator).map(|node| tree.text(node));
            if last.is_none_or(|last| TRANSPARENT.contains(&last)) {
                continue;
            }
            let Some(callee) = self.path_text(*decorator) else {
                continue;
            };
            let argument = Argument {
                place: ArgumentPlace::Index(0),
                value: self.path_value(&value),
            };
            let number = self.add_call(*decorator, (&callee, scope), vec![argument]);
            value = match number {
                Some(number) => format!("{callee}({number})"),
                None => format!("{callee}()"),
            };
        }
        if value == undecorated || value.len() > 160 {
            return;
        }
        let name = self.intern(tree.text(name_node));
        let target = BindingTarget::Variable(Some(self.path_value(&value)));
        self.flow_bind_target((scope, name), name_node, target, scope);
    }

    /// Binds the parameters that `@pytest.mark.parametrize("a,b", [(c, d)])` names to the values,
    /// whatever fixtures have these names. With `indirect`, fixtures get the values.
    fn flow_into_parametrized(&mut self, function: NodeIndex, decorator: NodeIndex) {
        let tree = self.tree;
        let called = self.last_name_node(decorator).map(|node| tree.text(node));
        let Some(list) = tree.operands(decorator).nth(1) else {
            return;
        };
        let arguments: Vec<NodeIndex> = tree.operands(list).take(MAX_ARGUMENTS).collect();
        let is_indirect = |node: &NodeIndex| tree.text(*node).starts_with("indirect");
        let [names, values, others @ ..] = &*arguments else {
            return;
        };
        if called != Some("parametrize") || others.iter().any(is_indirect) {
            return;
        }
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let words = tree.text(*names).split(|letter| !is_part(letter));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let rows = self.values_of(*values);
        let value_scope = self.scope_of(*values);
        let parameters = tree.child(function, Field::Parameters);
        let Some((parameters, scope)) = parameters.zip(self.body_scope(function)) else {
            return;
        };
        let parameters: Vec<NodeIndex> = tree.operands(parameters).collect();
        for parameter in parameters {
            let text = tree.text(parameter);
            let Some(place) = words.iter().position(|word| *word == text) else {
                continue;
            };
            let index = match words.len() {
                1 => String::new(),
                _ => format!("[{place}]"),
            };
            let name = self.intern(text);
            if rows.is_empty() {
                self.flow_bind((scope, name), parameter, (UNKNOWN, scope));
            }
            for row in &rows {
                let value = format!("{row}*{index}");
                self.flow_bind((scope, name), parameter, (&value, value_scope));
            }
        }
    }

    /// Returns the definition of a function or class, and the node of its name.
    fn definition_of(&self, node: NodeIndex) -> Option<(DefinitionId, NodeIndex)> {
        let name = self.tree.child(node, Field::Name)?;
        let found = self.definition_ids.get(&node)?;
        Some((*found, name))
    }
}
