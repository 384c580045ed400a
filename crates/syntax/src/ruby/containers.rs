//! Arrays and hashes: what statements add to them, and what blocks receive of them.
//!
//! <https://docs.ruby-lang.org/en/master/Array.html> and
//! <https://docs.ruby-lang.org/en/master/Enumerable.html>.

use ragnav_base::hash::HashSet;

use super::builder::FactsBuilder;
use super::kinds::{Field, Kind};
use super::literals::{MAX_PARTS, is_builtin, is_container};
use super::passed_values::{Passed, passed_value};
use crate::facts::{Binding, BindingTarget, Name, ReferenceKind, ScopeId, Space};
use crate::facts_writer::ReferenceTo;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

impl FactsBuilder<'_> {
    /// Notes that `a << b`, `a.push(b)` or `a[0] = b` adds an element to what may be a container.
    pub(super) fn add_element(
        &mut self,
        container: NodeIndex,
        (element, scope): (NodeIndex, ScopeId),
        wrap: fn(ValueText) -> ValueText,
    ) {
        let value = self.value_text(element, scope);
        if value.as_ref().is_some_and(is_builtin) {
            return;
        }
        // An element of an unknown value makes it unknown what the container holds.
        let value = value.filter(|value| !value.is_literal());
        let value = value.map(wrap).and_then(ValueText::within_limit);
        let place = self.name_at(container);
        let is_member = self.tree.kind(container) == Kind::InstanceVariable;
        let inside = match self.tree.kind(container) {
            Kind::InstanceVariable => Some(self.scope_of_members(scope)),
            Kind::Identifier => self.scope_of_variable(scope, place.text),
            _ => None,
        };
        let Some(inside) = inside else {
            return;
        };
        let value = self.writer.intern_value(value);
        self.added.push(Binding {
            scope: inside,
            name: self.writer.names.intern(place.text),
            position: self.writer.position_at(place.offset),
            target: if is_member {
                BindingTarget::Attribute(value)
            } else {
                BindingTarget::Variable(value)
            },
            value_scope: scope,
        });
    }

    /// Binds the elements of variables that hold a container: other objects have methods of these
    /// names, too.
    pub(super) fn bind_added_elements(&mut self) {
        let added = std::mem::take(&mut self.added);
        let bindings = self.writer.facts.bindings.iter();
        let containers = bindings.filter(|binding| match binding.target {
            BindingTarget::Attribute(Some(value)) | BindingTarget::Variable(Some(value)) => {
                is_container(self.writer.names.text(value.path), value.is_called)
            }
            _ => false,
        });
        let containers = containers.map(|binding| (binding.scope, binding.name));
        let containers: HashSet<(ScopeId, Name)> = containers.collect();
        let added = added
            .into_iter()
            .filter(|binding| containers.contains(&(binding.scope, binding.name)));
        self.writer.facts.bindings.extend(added);
    }

    /// Visits `a << b` and `A === b`.
    pub(super) fn visit_binary(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let sides = (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        );
        let operator = tree.operator(node);
        if let (Some("==="), (Some(left), Some(right))) = (operator, sides) {
            self.visit_case_equality(node, (left, right), scope);
        }
        if let (Some("<<"), (Some(left), Some(right))) = (operator, sides) {
            // `a << b << c` appends to `a`, too.
            let inner = |node: &NodeIndex| {
                let is_binary = tree.kind(*node) == Kind::Binary;
                tree.child(*node, Field::Left).filter(|_| is_binary)
            };
            let mut chain = std::iter::successors(Some(left), inner).take(MAX_PARTS);
            let container = chain.find(|node| tree.kind(*node) != Kind::Binary);
            if let Some(container) = container {
                self.add_element(container, (right, scope), ValueText::into_sequence);
            }
        }
    }

    /// Visits the arguments of `a.push(b)` and of `a.map(&:b)`, which calls `b` of each element.
    pub(super) fn visit_arguments(&mut self, call: NodeIndex, name: &str, scope: ScopeId) {
        let tree = self.tree;
        let Some(list) = tree.child(call, Field::Arguments) else {
            return;
        };
        let arguments: Vec<NodeIndex> = tree.operands(list).collect();
        let receiver = tree.child(call, Field::Receiver);
        let adds = matches!(
            name,
            "add" | "append" | "concat" | "insert" | "prepend" | "push" | "replace" | "unshift"
        );
        if let Some(of) = receiver.filter(|_| adds) {
            for argument in &arguments {
                self.add_element(of, (*argument, scope), ValueText::into_sequence);
            }
        }
        let block = arguments
            .last()
            .filter(|one| tree.kind(**one) == Kind::BlockArgument);
        if let Some(block) = block {
            self.visit_passed_block(*block, (call, name), scope);
        }
        let symbol = block.and_then(|block| tree.operands(*block).next());
        if let Some(symbol) = symbol.filter(|one| tree.kind(*one) == Kind::Symbol) {
            self.refer_by_symbol(symbol, (call, name), scope);
        }
    }

    /// Adds the reference of `&:b` to the method `b` of what a block would receive.
    fn refer_by_symbol(&mut self, symbol: NodeIndex, call: (NodeIndex, &str), scope: ScopeId) {
        let at = self.tree.name_of_method(symbol);
        let is_part = |letter: char| letter.is_alphanumeric() || "_?!".contains(letter);
        if !at.text.chars().all(is_part) {
            return;
        }
        // A reference has one receiver: what each of several values has is only known by name.
        let mut values = self.received(call, (0, 1), scope);
        let value = values.pop().filter(|_| values.is_empty());
        let to = ReferenceTo {
            kind: ReferenceKind::Call,
            receiver: self.writer.receiver(value),
            space: Space::Any,
        };
        self.writer.add_reference(at, scope, to);
    }

    /// Returns the values that a block receives as the parameter at an index, by the number of
    /// parameters. The scope is the one around the block.
    pub(super) fn block_parameter_values(
        &self,
        block: NodeIndex,
        place: (usize, usize),
        scope: ScopeId,
    ) -> Vec<ValueText> {
        let tree = self.tree;
        let call = tree.parent(block);
        let is_of_block = tree.kind(block) == Kind::Block && tree.kind(call) == Kind::Call;
        let method = tree.child(call, Field::Method).filter(|_| is_of_block);
        method.map_or_else(Vec::new, |method| {
            self.received((call, tree.text(method)), place, scope)
        })
    }

    /// Returns the values that a call passes to a parameter of its block, by the index of the
    /// parameter and the number of parameters.
    pub(super) fn received(
        &self,
        (call, method): (NodeIndex, &str),
        place: (usize, usize),
        scope: ScopeId,
    ) -> Vec<ValueText> {
        let tree = self.tree;
        let Some(of) = tree.child(call, Field::Receiver) else {
            let own = || ValueText::name("self");
            let yielded = passed_value(own(), method, Passed::Yielded(place.0));
            // The object may be one with the methods of `Enumerable`.
            let element = Passed::by_call(method, tree.child(call, Field::Arguments), place);
            let element =
                element.filter(|one| method != "each" && matches!(one, Passed::Element(_)));
            let element = element.and_then(|passed| passed_value(own(), method, passed));
            return yielded.into_iter().chain(element).collect();
        };
        let passed = Passed::by_call(method, tree.child(call, Field::Arguments), place);
        if tree.kind(of) == Kind::Array && matches!(passed, Some(Passed::Element(None))) {
            let parts = tree.operands(of).take(MAX_PARTS);
            let mut values: Vec<ValueText> = parts
                .filter_map(|part| self.value_text(part, scope))
                .collect();
            values.dedup();
            return values;
        }
        let value = passed.zip(self.value_text(of, scope));
        let value = value.and_then(|(passed, of)| passed_value(of, method, passed));
        value.into_iter().collect()
    }

    /// Returns the value of `b` in `a, *b = …`, by its index.
    pub(super) fn rest_value(
        &self,
        right: NodeIndex,
        index: usize,
        scope: ScopeId,
    ) -> Option<ValueText> {
        if self.tree.kind(right) == Kind::RightAssignmentList {
            return None;
        }
        let value = self.value_text(right, scope);
        let value = value.filter(|value| !value.is_literal() && !is_builtin(value))?;
        ValueText::name(format!("{}[{index}:]", value.into_path())).within_limit()
    }

    /// Returns the value of a variable at an index of `a, b = …`.
    pub(super) fn part_value(
        &self,
        right: NodeIndex,
        index: usize,
        scope: ScopeId,
    ) -> Option<ValueText> {
        let tree = self.tree;
        if index >= MAX_PARTS {
            return None;
        }
        if matches!(tree.kind(right), Kind::Array | Kind::RightAssignmentList) {
            let parts: Vec<NodeIndex> = tree.operands(right).take(index + 1).collect();
            let has_splat = parts.iter().any(|part| tree.text(*part).starts_with('*'));
            let part = parts.get(index).filter(|_| !has_splat)?;
            return self.value_text(*part, scope);
        }
        let value = self.value_text(right, scope);
        let value = value.filter(|value| !value.is_literal() && !is_builtin(value))?;
        ValueText::name(format!("{}[{index}]", value.into_path())).within_limit()
    }
}
