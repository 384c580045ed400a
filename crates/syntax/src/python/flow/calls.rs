//! Calls with their arguments, and calls of values without a name of their own.

use crate::facts::{
    Argument, ArgumentPlace, BindingTarget, CallFact, ImportedItem, Outer, Receiver, Reference,
    ReferenceKind, ScopeId, Space,
};
use crate::python::builder::{FactsBuilder, MODULE};
use crate::python::kinds::{Field, Kind};
use crate::tree::NodeIndex;
use ragnav_base::position::wire;

/// The maximum number of calls whose arguments are kept.
const MAX_CALLS: usize = 10_000;
/// The maximum number of arguments of a call.
pub(super) const MAX_ARGUMENTS: usize = 16;

impl FactsBuilder<'_> {
    /// Numbers the calls whose arguments may reach a function of the file.
    pub(super) fn number_calls(&mut self) {
        self.collect_local_names();
        for node in 0..self.tree.len() {
            if self.tree.kind(node) != Kind::Call || self.call_numbers.len() >= MAX_CALLS {
                continue;
            }
            let may_be_used = self.may_call_local(node) || self.may_tell_types(node);
            if may_be_used && self.has_arguments(node) {
                let number = wire(self.call_numbers.len());
                self.call_numbers.insert(node, number);
                let fact = self.empty_call(node);
                self.facts.flow.calls.push(fact);
            }
        }
    }

    fn collect_local_names(&mut self) {
        for binding in &self.facts.bindings {
            let is_global = binding.target == BindingTarget::Outer(Outer::Global);
            if binding.target == BindingTarget::Outer(Outer::Nonlocal) {
                continue;
            }
            let key = (binding.scope, binding.name);
            let known = self.local_names.entry(key).or_default();
            *known |= is_global;
            if !matches!(binding.target, BindingTarget::Import(_)) {
                self.bound_names.insert(binding.name);
                self.own_bindings.insert(key);
            }
        }
    }

    fn empty_call(&mut self, node: NodeIndex) -> CallFact {
        CallFact {
            scope: self.scope_of(node),
            position: self.position_of(node),
            callee: self.path_value(""),
            arguments: Vec::new(),
        }
    }

    fn has_arguments(&self, call: NodeIndex) -> bool {
        let Some(arguments) = self.tree.operands(call).nth(1) else {
            return false;
        };
        self.tree.operands(arguments).any(|argument| {
            let value = match self.tree.kind(argument) {
                Kind::KeywordArgument => self.tree.child(argument, Field::Value),
                _ => Some(argument),
            };
            value.is_some_and(|value| {
                !matches!(
                    self.tree.kind(value),
                    Kind::String | Kind::Integer | Kind::None
                )
            })
        })
    }

    /// Reports whether the arguments of a call may tell the type of its result, which is used. The
    /// called function is imported or a member.
    fn may_tell_types(&self, call: NodeIndex) -> bool {
        let tree = self.tree;
        let mut around = tree.parent(call);
        while matches!(
            tree.kind(around),
            Kind::ParenthesizedExpression | Kind::Await
        ) {
            around = tree.parent(around);
        }
        let is_used = matches!(
            tree.kind(around),
            Kind::Assignment
                | Kind::AsPattern
                | Kind::Attribute
                | Kind::ForInClause
                | Kind::ForStatement
                | Kind::NamedExpression
                | Kind::ReturnStatement
        );
        let function = tree.child(call, Field::Function).filter(|_| is_used);
        function.is_some_and(|function| match tree.kind(function) {
            Kind::Identifier => {
                let name = self.names.find(tree.text(function));
                let has_star = || {
                    self.facts
                        .imports
                        .iter()
                        .any(|one| one.item == ImportedItem::Star)
                };
                let is_bound = |name| self.local_names.contains_key(&(MODULE, name));
                name.is_some_and(is_bound) || has_star()
            }
            Kind::Attribute => true,
            _ => false,
        })
    }

    /// Reports whether a call may run a function of the file, by its name.
    fn may_call_local(&self, call: NodeIndex) -> bool {
        let tree = self.tree;
        let Some(function) = tree.child(call, Field::Function) else {
            return false;
        };
        match tree.kind(function) {
            Kind::Identifier => {
                let text = tree.text(function);
                self.binds(text)
            }
            Kind::Attribute => {
                let name = tree.last_name(function).unwrap_or_default();
                self.binds(name)
            }
            Kind::Call | Kind::Subscript => {
                let last = self.last_name_node(function).map(|node| tree.text(node));
                last.is_some_and(|last| self.binds(last))
            }
            Kind::Lambda | Kind::ParenthesizedExpression => true,
            _ => false,
        }
    }

    /// Visits a call: its arguments, what it calls, and what a function of the library calls.
    pub(super) fn flow_into_call(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let Some(function) = tree.child(node, Field::Function) else {
            return;
        };
        self.refer_to_result(function);
        self.flow_into_callbacks(node, function);
        self.flow_into_container(node, function);
        let Some(number) = self.call_numbers.get(&node).copied() else {
            return;
        };
        let callee = self.values_of(function).into_iter().next();
        let arguments = self.arguments(node);
        let callee = self.path_value(&callee.unwrap_or_default());
        if let Some(call) = self.facts.flow.calls.get_mut(number as usize) {
            call.callee = callee;
            call.arguments = arguments;
        }
    }

    fn arguments(&mut self, call: NodeIndex) -> Vec<Argument> {
        let tree = self.tree;
        let Some(list) = tree.operands(call).nth(1) else {
            return Vec::new();
        };
        let parts: Vec<NodeIndex> = match tree.kind(list) {
            Kind::Comprehension => vec![list],
            _ => tree.operands(list).take(MAX_ARGUMENTS).collect(),
        };
        let mut arguments = Vec::new();
        let mut index = 0;
        for part in parts {
            let (place, value) = match tree.kind(part) {
                Kind::KeywordArgument => {
                    let mut sides = tree.operands(part);
                    let (Some(name), Some(value)) = (sides.next(), sides.next()) else {
                        continue;
                    };
                    (ArgumentPlace::Keyword(self.intern(tree.text(name))), value)
                }
                Kind::Splat => break,
                _ => {
                    index += 1;
                    (ArgumentPlace::Index(index - 1), part)
                }
            };
            for path in self.values_of(value) {
                let value = self.path_value(&path);
                arguments.push(Argument { place, value });
            }
        }
        arguments
    }

    /// Adds a reference to a called value without a name of its own: `a()` in `a()()`.
    fn refer_to_result(&mut self, function: NodeIndex) {
        let function = self.without_brackets(function);
        if self.tree.kind(function) == Kind::Attribute {
            return self.refer_to_member(function);
        }
        if !matches!(self.tree.kind(function), Kind::Call | Kind::Subscript) {
            return;
        }
        for path in self.composed_values(function) {
            self.refer_to(function, &path);
        }
    }

    /// Adds a call of a member of `(a or b)`, or of what a function of the standard library or a
    /// call with known arguments returns. The first pass does not know what these are.
    fn refer_to_member(&mut self, member: NodeIndex) {
        let mut operands = self.tree.operands(member);
        let (Some(object), Some(name)) = (operands.next(), operands.next()) else {
            return;
        };
        let object = self.without_await(object);
        let paths = match self.tree.kind(object) {
            Kind::Attribute | Kind::Call | Kind::Subscript => {
                let composed = self.values_from_head(object);
                composed.unwrap_or_else(|| self.numbered_text(object).into_iter().collect())
            }
            Kind::NamedExpression | Kind::BooleanOperator | Kind::ConditionalExpression => {
                self.values_of(object)
            }
            _ => Vec::new(),
        };
        for path in paths {
            let receiver = Receiver::Value(self.path_value(&path));
            self.add_flow_reference(name, self.scope_of(name), receiver);
        }
    }

    /// Returns the dotted name of an expression that contains a call with known arguments.
    fn numbered_text(&self, node: NodeIndex) -> Option<String> {
        let is_numbered = |path: &String| {
            let mut calls = path.split('(').skip(1);
            calls.any(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
        };
        self.path_text(node).filter(is_numbered)
    }

    /// Adds a call of a value, at the last name in a node.
    pub(super) fn refer_to(&mut self, node: NodeIndex, path: &str) {
        let Some(name) = self.last_name_node(node) else {
            return;
        };
        let scope = self.scope_of(node);
        let receiver = Receiver::Itself(self.path_value(path));
        self.add_flow_reference(name, scope, receiver);
    }

    fn add_flow_reference(&mut self, name: NodeIndex, scope: ScopeId, receiver: Receiver) {
        let reference = Reference {
            name: self.intern(self.tree.text(name)),
            receiver,
            kind: ReferenceKind::Call,
            position: self.position_of(name),
            scope,
            space: Space::Any,
            arguments: None,
        };
        self.facts.flow.references.push(reference);
    }

    /// Returns the last name of an expression, whatever is called or subscripted.
    pub(super) fn last_name_node(&self, node: NodeIndex) -> Option<NodeIndex> {
        let tree = self.tree;
        let mut node = node;
        for _ in 0..32 {
            node = match tree.kind(node) {
                Kind::Identifier => return Some(node),
                Kind::Attribute => tree.operands(node).nth(1)?,
                Kind::Call => tree.child(node, Field::Function)?,
                Kind::Subscript => tree.child(node, Field::Value)?,
                Kind::ParenthesizedExpression | Kind::Await => tree.operands(node).next()?,
                _ => return None,
            };
        }
        None
    }

    /// Adds a call that is no call in the text.
    pub(super) fn add_call(
        &mut self,
        node: NodeIndex,
        (callee, scope): (&str, ScopeId),
        arguments: Vec<Argument>,
    ) -> Option<u32> {
        if arguments.is_empty() || self.facts.flow.calls.len() >= 2 * MAX_CALLS {
            return None;
        }
        let number = wire(self.facts.flow.calls.len());
        let call = CallFact {
            scope,
            position: self.position_of(node),
            callee: self.path_value(callee),
            arguments,
        };
        self.facts.flow.calls.push(call);
        Some(number)
    }
}
