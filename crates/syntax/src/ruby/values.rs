//! Reads expressions as values: `A::B` is a class, `A::B.new` an instance, and `a.b` the result of
//! a method.

use std::cell::Cell;

use super::kinds::{Field, FlatTree, Kind};
use super::literals::{ANY_OBJECT, instance_of, is_builtin};
use crate::facts::{INHERITED, TOP_LEVEL};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of nodes from an expression to its innermost name.
pub(super) const MAX_STEPS: usize = 24;

/// The maximum number of nodes that are read for the value of an expression.
pub(super) const MAX_NODES: usize = 400;

/// The maximum number of expressions whose values a method may return.
const MAX_RESULTS: usize = 24;

/// The methods that return the object that they are called on.
const RETURNING_SELF: [&str; 7] = [
    "clone", "dup", "extend", "freeze", "itself", "tap", "unfreeze",
];

/// The methods that return an enumerator of the same elements if they get no block.
const ENUMERATING: [&str; 5] = ["collect", "collect_concat", "filter_map", "flat_map", "map"];

/// The methods that return an element of an array, also if that stands in the text.
const CHOOSING: [&str; 7] = ["first", "last", "max", "min", "pop", "sample", "shift"];

/// The methods that return several elements of a container if they are given a number.
const TAKING: [&str; 7] = ["first", "last", "max", "min", "pop", "sample", "shift"];

/// What a name without a receiver is.
pub(super) enum NameMeaning {
    Method,
    /// A variable with its value, if that is known.
    Variable(Option<ValueText>),
}

/// What the names in an expression are.
#[derive(Clone, Copy)]
pub(super) struct Names<'n> {
    pub(super) meaning: &'n dyn Fn(&str) -> NameMeaning,
    /// The number of nodes whose values may still be read.
    pub(super) nodes: &'n Cell<usize>,
}

impl Names<'_> {
    fn take_node(self) -> Option<()> {
        self.nodes.set(self.nodes.get().checked_sub(1)?);
        Some(())
    }
}

impl FlatTree<'_> {
    /// Returns the value of an expression, or `None` if it is not known.
    pub(super) fn value_text(
        &self,
        node: NodeIndex,
        meaning: &dyn Fn(&str) -> NameMeaning,
    ) -> Option<ValueText> {
        let nodes = &Cell::new(MAX_NODES);
        self.value_within(node, Names { meaning, nodes }, MAX_STEPS)?
            .within_limit()
    }

    /// Reports whether a name is a constant of the parser: neither a variable nor a method.
    pub(super) fn is_pseudo_variable(&self, node: NodeIndex) -> bool {
        matches!(self.text(node), "__FILE__" | "__LINE__" | "__ENCODING__")
    }

    pub(super) fn value_within(
        &self,
        node: NodeIndex,
        names: Names<'_>,
        steps: usize,
    ) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        names.take_node()?;
        let of = |node: NodeIndex| self.value_within(node, names, steps);
        match self.kind(node) {
            Kind::Constant | Kind::ScopeResolution => Some(ValueText::name(self.path(node)?)),
            Kind::SelfKeyword => Some(ValueText::name("self")),
            Kind::InstanceVariable => ValueText::name("self").member(self.text(node)),
            Kind::Identifier => match (names.meaning)(self.text(node)) {
                NameMeaning::Variable(value) => value,
                NameMeaning::Method => self.own_method_value(node),
            },
            Kind::Call => self.call_value(node, names, steps),
            Kind::ElementReference => {
                let object = of(self.child(node, Field::Object)?)?;
                self.element_value(node, object)
            }
            Kind::Assignment | Kind::OperatorAssignment => of(self.child(node, Field::Right)?),
            Kind::Parenthesized => of(self.operands(node).last()?),
            Kind::Return => {
                let list = self.operands(node).next()?;
                match self.operands(list).count() {
                    1 => of(self.operands(list).next()?),
                    _ => self.array_value(list, of),
                }
            }
            Kind::Super => self.inherited_value(node),
            Kind::Binary if !self.chooses_operand(node) => {
                let operator = self.operator(node)?;
                of(self.child(node, Field::Left)?)?
                    .member(operator)?
                    .called()
            }
            Kind::Binary | Kind::Body | Kind::Branch | Kind::RescueModifier => self
                .only_result(node, names, steps)
                .or_else(|| self.chosen_value(node)),
            Kind::Lambda => self.function_value(node, names, steps),
            // A repository may add methods to these classes.
            Kind::StringLiteral => instance_of("String"),
            Kind::Array => self.array_value(node, of),
            Kind::Hash => self.hash_value(node, of),
            Kind::Literal => Some(ValueText::call(ANY_OBJECT)),
            _ => None,
        }
    }

    /// Returns the result of a method of the current object, which a name calls.
    fn own_method_value(&self, name: NodeIndex) -> Option<ValueText> {
        match self.text(name) {
            _ if self.is_pseudo_variable(name) => Some(ValueText::call(ANY_OBJECT)),
            "new" => ValueText::name("self").called(),
            name if RETURNING_SELF.contains(&name) => Some(ValueText::name("self")),
            name => ValueText::name("self").member(name)?.called(),
        }
    }

    /// Returns what `super` returns, by the name of the method around it.
    fn inherited_value(&self, word: NodeIndex) -> Option<ValueText> {
        let around = std::iter::successors(Some(word), |node| Some(self.parent(*node)));
        let mut around = around.take(MAX_NODES);
        let is_method =
            |node: &NodeIndex| matches!(self.kind(*node), Kind::Method | Kind::SingletonMethod);
        let name = self.text(self.child(around.find(is_method)?, Field::Name)?);
        ValueText::name(INHERITED).member(name)?.called()
    }

    /// Returns the name that stands for the receiver of a call if that is one of several values.
    fn chosen_value(&self, node: NodeIndex) -> Option<ValueText> {
        self.is_chosen_receiver(node)
            .then(|| ValueText::choice(node))
    }

    /// Reports whether a call is one of a choice: `(a || b).c`.
    pub(super) fn is_chosen_receiver(&self, choice: NodeIndex) -> bool {
        let mut node = choice;
        while self.kind(self.parent(node)) == Kind::Parenthesized {
            node = self.parent(node);
        }
        let is_receiver = self.node(node).field == Field::Receiver;
        let has_results = match self.kind(choice) {
            Kind::Binary => self.chooses_operand(choice),
            kind => matches!(kind, Kind::Body | Kind::Branch | Kind::RescueModifier),
        };
        is_receiver && has_results
    }

    fn call_value(&self, call: NodeIndex, names: Names<'_>, steps: usize) -> Option<ValueText> {
        let method = self.child(call, Field::Method);
        if let Some(word) = method.filter(|method| self.kind(*method) == Kind::Super) {
            return self.inherited_value(word);
        }
        // `a.()` calls the method `call`.
        let name = method.map_or("call", |method| self.text(method));
        let object = self.child(call, Field::Receiver);
        let receiver = match object {
            Some(object) => self.value_within(object, names, steps),
            None => Some(ValueText::name("self")),
        };
        let by_block = self.value_by_block((call, name), receiver.as_ref(), names, steps);
        if by_block.is_some() {
            return by_block;
        }
        let receiver = receiver?;
        let arguments = self.child(call, Field::Arguments);
        let has_input = arguments.is_some() || self.child(call, Field::Block).is_some();
        let count = arguments.map_or(0, |list| self.operands(list).count());
        match name {
            "new" if receiver.path == "Set" && count == 1 => {
                let elements = self.operands(arguments?).next()?;
                Some(self.value_within(elements, names, steps)?.into_slice())
            }
            "new" => receiver.called(),
            // Each argument is a key of what the one before it leads to.
            "dig" if count > 1 => (0..count).try_fold(receiver, |of, _| of.element()),
            name if !has_input && ENUMERATING.contains(&name) => Some(receiver),
            name if RETURNING_SELF.contains(&name) => Some(receiver),
            // `a.first(2)` returns several elements.
            name if arguments.is_some() && TAKING.contains(&name) => Some(receiver.into_slice()),
            name if !has_input && receiver.is_container() && CHOOSING.contains(&name) => {
                receiver.element()
            }
            name if receiver.is_literal() => self.literal_result(object?, name),
            name => receiver.member(name)?.called(),
        }
    }

    /// Returns the value that several branches of an expression have, if those that are known have
    /// the same. One such as `nil` has no methods of the repository.
    pub(super) fn only_result(
        &self,
        node: NodeIndex,
        names: Names<'_>,
        steps: usize,
    ) -> Option<ValueText> {
        let results = self.results(node).into_iter();
        let values = results.filter_map(|result| self.value_within(result, names, steps));
        let mut known = values.filter(|value| !is_builtin(value));
        let first = known.next()?;
        known.all(|value| value == first).then_some(first)
    }

    /// Reports whether the value of an operation is one of its operands, or an array of the elements
    /// of both: `a || b` and `a + [b]`.
    fn chooses_operand(&self, operation: NodeIndex) -> bool {
        match self.operator(operation) {
            Some("||" | "or" | "&&" | "and") => true,
            Some("+" | "|") => {
                let mut operands = self.operands(operation);
                operands.any(|operand| self.kind(operand) == Kind::Array)
            }
            _ => false,
        }
    }

    /// Returns the operator of `a + b`.
    pub(super) fn operator(&self, operation: NodeIndex) -> Option<&str> {
        let left = self.child(operation, Field::Left)?;
        let right = self.child(operation, Field::Right)?;
        let between = self.slice(self.node(left).end, self.node(right).start);
        between.split_whitespace().next()
    }

    /// Returns the expressions whose values a body may have: its last statement, in each branch.
    pub(super) fn results(&self, body: NodeIndex) -> Vec<NodeIndex> {
        let mut found = Vec::new();
        let mut pending = vec![body];
        while let Some(node) = pending.pop() {
            if found.len() + pending.len() > MAX_RESULTS {
                break;
            }
            match self.kind(node) {
                Kind::Body | Kind::Parenthesized => {
                    let is_rescue = |one: &NodeIndex| self.kind(*one) == Kind::Rescue;
                    let statements = self.operands(node);
                    pending.extend(statements.filter(is_rescue));
                    let is_last =
                        |one: &NodeIndex| !matches!(self.kind(*one), Kind::Rescue | Kind::Ensure);
                    pending.extend(self.operands(node).filter(is_last).last());
                }
                Kind::Rescue => pending.extend(self.child(node, Field::Body)),
                Kind::RescueModifier => pending.extend(self.operands(node)),
                Kind::Branch => {
                    let is_result = |one: &NodeIndex| {
                        let field = self.node(*one).field;
                        !matches!(field, Field::Condition | Field::Pattern | Field::Value)
                    };
                    pending.extend(self.operands(node).filter(is_result));
                }
                // The left side of `a && b` is the result only if it is `nil` or `false`.
                Kind::Binary if matches!(self.operator(node), Some("&&" | "and")) => {
                    pending.extend(self.child(node, Field::Right));
                }
                Kind::Binary if self.chooses_operand(node) => pending.extend(self.operands(node)),
                Kind::Assignment | Kind::OperatorAssignment => {
                    pending.extend(self.child(node, Field::Right));
                }
                _ => found.push(node),
            }
        }
        found
    }

    /// Returns the name of a constant: `A.B` of `A::B`.
    pub(super) fn path(&self, node: NodeIndex) -> Option<String> {
        let mut names = Vec::new();
        let mut next = node;
        for _ in 0..MAX_STEPS {
            match self.kind(next) {
                Kind::Constant => names.push(self.text(next)),
                Kind::ScopeResolution => {
                    names.push(self.text(self.child(next, Field::Name)?));
                    if let Some(of) = self.child(next, Field::Scope) {
                        next = of;
                        continue;
                    }
                    names.push(TOP_LEVEL);
                }
                _ => return None,
            }
            names.reverse();
            return Some(ValueText::name(names.join(".")).within_limit()?.path);
        }
        None
    }
}
