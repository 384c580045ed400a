//! Calls with their arguments, and calls of values without a name of their own.

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::kinds::{Field, Kind};
use crate::ecmascript::value_text::MAX_STEPS;
use crate::facts::{
    Argument, ArgumentPlace, CallFact, Receiver, Reference, ReferenceKind, ScopeId, Space,
};
use crate::tree::NodeIndex;
use ragnav_base::position::wire;

/// The maximum number of calls whose arguments are kept.
const MAX_CALLS: usize = 10_000;
/// The maximum number of arguments of a call.
const MAX_ARGUMENTS: usize = 16;

impl<'t> FactsBuilder<'_, 't> {
    /// Numbers the calls whose arguments may reach a function of the file.
    pub(super) fn number_calls(&mut self) {
        for node in 0..self.tree.len() {
            if !matches!(self.tree.kind(node), Kind::Call | Kind::New) {
                continue;
            }
            self.count_arguments(node);
            if self.flow.call_numbers.len() >= MAX_CALLS {
                continue;
            }
            if self.has_arguments(node) && self.may_call_local(node) {
                let number = wire(self.flow.call_numbers.len());
                self.flow.call_numbers.insert(node, number);
                let callee = self.path_value("");
                let fact = CallFact {
                    scope: self.scope_of(node),
                    position: self.position_of(node),
                    callee,
                    arguments: Vec::new(),
                };
                self.facts.flow.calls.push(fact);
            }
        }
    }

    /// Notes the number of arguments by the name of what is called.
    fn count_arguments(&mut self, call: NodeIndex) {
        let tree = self.tree;
        let callee = tree.callee(call);
        let last = callee.and_then(|callee| self.last_name_node(callee));
        let Some(name) = last.and_then(|last| self.names.find(tree.text(last))) else {
            return;
        };
        let arguments = self.arguments_of(call);
        let is_unknown = arguments
            .iter()
            .any(|argument| tree.kind(*argument) == Kind::Spread);
        let count = if is_unknown { 0 } else { arguments.len() };
        let known = self.flow.fewest_arguments.entry(name).or_insert(count);
        *known = (*known).min(count);
    }

    /// Returns the arguments of a call.
    pub(super) fn arguments_of(&self, call: NodeIndex) -> Vec<NodeIndex> {
        let tree = self.tree;
        let list = tree.children(call).last();
        let list = list.filter(|&list| tree.text(list).starts_with('('));
        let list = list.filter(|&list| Some(list) != tree.callee(call));
        let arguments = list.into_iter().flat_map(|list| tree.operands(list));
        arguments.take(MAX_ARGUMENTS).collect()
    }

    /// Reports whether an argument of a call may hold a function.
    fn has_arguments(&self, call: NodeIndex) -> bool {
        let arguments = self.arguments_of(call);
        arguments
            .iter()
            .any(|argument| !matches!(self.tree.kind(*argument), Kind::String | Kind::Other))
    }

    /// Reports whether a call may run a function of the file, by its name.
    fn may_call_local(&self, call: NodeIndex) -> bool {
        let tree = self.tree;
        let Some(callee) = tree.callee(call) else {
            return false;
        };
        match self.last_name_node(callee) {
            Some(last) => {
                let name = tree.text(last);
                let is_member = tree.kind(callee) == Kind::Member;
                self.has_own(name) || (is_member && matches!(name, "then" | "catch"))
            }
            None => matches!(tree.kind(callee), Kind::Parenthesized | Kind::Super),
        }
    }

    /// Visits a call: its arguments, what it calls, and what a builtin function calls.
    pub(super) fn flow_into_call(&mut self, node: NodeIndex) {
        let Some(function) = self.tree.callee(node) else {
            return;
        };
        self.refer_to_result(function);
        if self.tree.kind(node) == Kind::Call {
            self.flow_into_callbacks(node, function);
            self.flow_into_container(node);
        }
        let Some(number) = self.flow.call_numbers.get(&node).copied() else {
            return;
        };
        let callee = self.first_value(function);
        let arguments = self.arguments_of(node);
        let arguments = self.passed(&arguments);
        let callee = self.path_value(&callee.unwrap_or_default());
        if let Some(call) = self.facts.flow.calls.get_mut(number as usize) {
            call.callee = callee;
            call.arguments = arguments;
        }
    }

    /// Returns the values of arguments by their places, up to a spread.
    pub(super) fn passed(&mut self, parts: &[NodeIndex]) -> Vec<Argument> {
        let mut arguments = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            if self.tree.kind(*part) == Kind::Spread {
                break;
            }
            let place = ArgumentPlace::Index(wire(index));
            for path in self.values_of(*part) {
                let value = self.path_value(&path);
                arguments.push(Argument { place, value });
            }
        }
        arguments
    }

    /// Adds a reference to a called value that no name in the text shows: `a()` in `a()()`.
    fn refer_to_result(&mut self, function: NodeIndex) {
        let tree = self.tree;
        let function = tree.strip_wrappers(function);
        let is_nameless = match tree.kind(function) {
            Kind::Call | Kind::New => true,
            Kind::Subscript => tree.string_key(function).is_none(),
            Kind::Member => return self.refer_to_member(function),
            _ => false,
        };
        if !is_nameless {
            return;
        }
        for path in self.values_of(function) {
            self.refer_to(function, &path);
        }
    }

    /// Adds a call of a member if the first pass knows no receiver: one that is subscripted or
    /// called twice.
    fn refer_to_member(&mut self, member: NodeIndex) {
        let tree = self.tree;
        let mut operands = tree.operands(member);
        let (Some(object), Some(name)) = (operands.next(), operands.last()) else {
            return;
        };
        let mut tested = self.tested_classes(object);
        if !tested.is_empty() {
            // Nothing tells which classes extend one of another repository.
            tested.push(tree.text(tree.strip_wrappers(object)).to_owned());
            if let Some(path) = self.any_of(object, &tested) {
                let receiver = Receiver::Value(self.path_value(&path));
                self.add_flow_call(name, receiver, Space::Values);
            }
            return;
        }
        if !self.is_unnamed(object) && !self.is_computed(object) {
            return;
        }
        let values = self.values_of(object);
        if let Some(path) = self.any_of(object, &values) {
            let receiver = Receiver::Value(self.path_value(&path));
            self.add_flow_call(name, receiver, Space::Values);
        }
    }

    /// Reports whether an object comes from an operator or a builtin function, so that the flow of
    /// values tells more about it than its names.
    fn is_computed(&mut self, object: NodeIndex) -> bool {
        let tree = self.tree;
        let mut inner = object;
        for _ in 0..MAX_STEPS {
            let next = match tree.kind(inner) {
                Kind::Ternary | Kind::Binary | Kind::Sequence => return true,
                Kind::Call | Kind::New if self.is_builtin(inner) => return true,
                Kind::Call | Kind::New => tree.callee(inner),
                Kind::Member
                | Kind::Subscript
                | Kind::Parenthesized
                | Kind::Await
                | Kind::NonNull
                | Kind::As => tree.operands(inner).next(),
                _ => None,
            };
            let Some(next) = next else {
                return false;
            };
            inner = next;
        }
        false
    }

    /// Reports whether a call of a builtin function gives a known value.
    fn is_builtin(&mut self, call: NodeIndex) -> bool {
        let is_promised = matches!(self.called_member(call), Some((_, "then" | "catch")));
        is_promised || self.builtin(call).is_some()
    }

    /// Reports whether the first pass has no path for an object.
    fn is_unnamed(&self, object: NodeIndex) -> bool {
        let tree = self.tree;
        let is_expression = matches!(
            tree.kind(tree.strip_wrappers(object)),
            Kind::Subscript | Kind::Call | Kind::New | Kind::Member | Kind::Object | Kind::Array
        );
        is_expression && tree.value_text(object).is_none()
    }

    /// Adds a call of a value, at the last name in a node.
    pub(super) fn refer_to(&mut self, node: NodeIndex, path: &str) {
        let Some(name) = self.last_name_node(node) else {
            return;
        };
        let receiver = Receiver::Itself(self.path_value(path));
        self.add_flow_call(name, receiver, Space::Any);
    }

    fn add_flow_call(&mut self, name: NodeIndex, receiver: Receiver, space: Space) {
        let reference = Reference {
            name: self.intern(self.tree.text(name)),
            receiver,
            kind: ReferenceKind::Call,
            position: self.position_of(name),
            scope: self.scope_of(name),
            space,
            arguments: None,
        };
        self.facts.flow.references.push(reference);
    }

    /// Adds a call that is no call in the text.
    pub(super) fn add_call(
        &mut self,
        node: NodeIndex,
        (callee, scope): (&str, ScopeId),
        arguments: Vec<Argument>,
    ) {
        if arguments.is_empty() || self.facts.flow.calls.len() >= 2 * MAX_CALLS {
            return;
        }
        let call = CallFact {
            scope,
            position: self.position_of(node),
            callee: self.path_value(callee),
            arguments,
        };
        self.facts.flow.calls.push(call);
    }

    /// Marks a mentioned name as called.
    pub(super) fn mark_called(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let node = tree.strip_wrappers(node);
        let name = match tree.kind(node) {
            Kind::Identifier => Some(node),
            Kind::Member => tree.operands(node).last(),
            Kind::Call | Kind::Subscript => {
                if let Some(path) = self.first_value(node) {
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

    /// Returns the object of a called member, with its name.
    pub(super) fn called_member(&self, call: NodeIndex) -> Option<(NodeIndex, &'t str)> {
        let tree = self.tree;
        let function = tree.child(call, Field::Function)?;
        if tree.kind(function) != Kind::Member {
            return None;
        }
        let mut operands = tree.operands(function);
        Some((operands.next()?, tree.text(operands.last()?)))
    }
}
