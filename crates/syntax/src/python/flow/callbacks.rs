//! Functions that code of the standard library calls.

use super::calls::MAX_ARGUMENTS;
use crate::facts::{Argument, ArgumentPlace};
use crate::python::builder::FactsBuilder;
use crate::python::kinds::Kind;
use crate::tree::NodeIndex;

/// Functions of the standard library that call their first argument.
const CALL_FIRST: [&str; 7] = [
    "map",
    "filter",
    "reduce",
    "submit",
    "call_soon",
    "starmap",
    "takewhile",
];
/// Functions of the standard library that call a keyword argument, with its name.
const CALL_KEYWORD: [(&str, &str); 9] = [
    ("sorted", "key"),
    ("sort", "key"),
    ("min", "key"),
    ("max", "key"),
    ("groupby", "key"),
    ("nlargest", "key"),
    ("nsmallest", "key"),
    ("Thread", "target"),
    ("Process", "target"),
];

impl FactsBuilder<'_> {
    /// Marks the arguments that a function of the standard library calls.
    pub(super) fn flow_into_callbacks(&mut self, call: NodeIndex, function: NodeIndex) {
        let tree = self.tree;
        let Some(name) = tree.last_name(function) else {
            return;
        };
        let keyword = CALL_KEYWORD.iter().find(|(of, _)| *of == name);
        let is_first = CALL_FIRST.contains(&name);
        if (keyword.is_none() && !is_first) || self.binds(name) {
            return;
        }
        let Some(list) = tree.operands(call).nth(1) else {
            return;
        };
        let arguments: Vec<NodeIndex> = tree.operands(list).take(MAX_ARGUMENTS).collect();
        if is_first && let Some(first) = arguments.first() {
            self.mark_called(*first);
            let parameters: &[u32] = match (name, arguments.len()) {
                // Without an initial value, the first element is one.
                ("reduce", 2) => &[0, 1],
                ("reduce", _) => &[1],
                _ => &[0],
            };
            for parameter in parameters {
                self.pass_elements(*first, arguments.get(1).copied(), *parameter);
            }
        }
        let Some((_, keyword)) = keyword else {
            return;
        };
        let elements = self.compared_elements((name, function), &arguments);
        for argument in arguments {
            let mut sides = tree.operands(argument);
            let (key, value) = (sides.next(), sides.next());
            let is_callback = tree.kind(argument) == Kind::KeywordArgument
                && key.is_some_and(|key| tree.text(key) == *keyword);
            if let Some(value) = value.filter(|_| is_callback) {
                self.mark_called(value);
                self.pass_elements(value, elements, 0);
            }
        }
    }

    /// Returns the container whose elements a function compares by their keys.
    fn compared_elements(
        &self,
        (name, function): (&str, NodeIndex),
        arguments: &[NodeIndex],
    ) -> Option<NodeIndex> {
        let tree = self.tree;
        let named = arguments.iter().copied();
        let mut values = named.filter(|one| tree.kind(*one) != Kind::KeywordArgument);
        let first = values.next();
        let second = values.next();
        match name {
            "sort" => tree.operands(function).next(),
            "nlargest" | "nsmallest" => second,
            "Thread" | "Process" => None,
            // `max(a, b)` compares its arguments.
            "max" | "min" => first.filter(|_| second.is_none()),
            _ => first,
        }
    }

    /// Passes the elements of a container to a parameter of the function that is called with each.
    fn pass_elements(&mut self, function: NodeIndex, elements: Option<NodeIndex>, parameter: u32) {
        let Some(elements) = elements else {
            return;
        };
        let scope = self.scope_of(function);
        let Some(callee) = self.values_of(function).into_iter().next() else {
            return;
        };
        let mut arguments = Vec::new();
        for path in self.values_of(elements) {
            let value = self.path_value(&format!("{path}*"));
            let place = ArgumentPlace::Index(parameter);
            arguments.push(Argument { place, value });
        }
        self.add_call(function, (&callee, scope), arguments);
    }

    /// Marks a mentioned name as called.
    pub(super) fn mark_called(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let node = self.without_brackets(node);
        let name = match tree.kind(node) {
            Kind::Identifier => Some(node),
            Kind::Attribute => tree.operands(node).nth(1),
            Kind::Call | Kind::Subscript => {
                if let Some(path) = self.path_text(node) {
                    self.refer_to(node, &path);
                }
                None
            }
            _ => None,
        };
        if let Some(name) = name {
            let position = self.position_of(name);
            self.facts.flow.called.push(position);
        }
    }
}
