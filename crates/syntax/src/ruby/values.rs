//! Reads expressions as values: `A::B` is a class, `A::B.new` an instance, and `a.b` the result of
//! a method.

use super::containers::{ANY_OBJECT, instance_of};
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::TOP_LEVEL;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of nodes from an expression to its innermost name.
const MAX_STEPS: usize = 24;

/// The maximum number of expressions whose values a method may return.
const MAX_RESULTS: usize = 24;

/// The methods that return the object that they are called on.
const RETURNING_SELF: [&str; 7] = [
    "clone", "dup", "extend", "freeze", "itself", "tap", "unfreeze",
];

/// The methods that return several elements of a container if they are given a number.
const TAKING: [&str; 7] = ["first", "last", "max", "min", "pop", "sample", "shift"];

impl FlatTree<'_> {
    /// Returns the value of an expression, or `None` if it is not known. `is_variable` says whether
    /// a name is a variable, or else a method.
    pub(super) fn value_text(
        &self,
        node: NodeIndex,
        is_variable: &impl Fn(&str) -> bool,
    ) -> Option<ValueText> {
        self.value_within(node, is_variable, MAX_STEPS)?
            .within_limit()
    }

    /// Reports whether a name is a constant of the parser: neither a variable nor a method.
    pub(super) fn is_pseudo_variable(&self, node: NodeIndex) -> bool {
        matches!(self.text(node), "__FILE__" | "__LINE__" | "__ENCODING__")
    }

    fn value_within(
        &self,
        node: NodeIndex,
        is_variable: &impl Fn(&str) -> bool,
        steps: usize,
    ) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        let of = |node: NodeIndex| self.value_within(node, is_variable, steps);
        match self.kind(node) {
            Kind::Constant | Kind::ScopeResolution => Some(ValueText::name(self.path(node)?)),
            Kind::SelfKeyword => Some(ValueText::name("self")),
            Kind::InstanceVariable => ValueText::name("self").member(self.text(node)),
            Kind::Identifier if is_variable(self.text(node)) => {
                Some(ValueText::name(self.text(node)))
            }
            Kind::Identifier if self.is_pseudo_variable(node) => Some(ValueText::call(ANY_OBJECT)),
            Kind::Identifier if self.text(node) == "new" => ValueText::name("self").called(),
            Kind::Identifier => ValueText::name("self").member(self.text(node))?.called(),
            Kind::Call => {
                let name = self.text(self.child(node, Field::Method)?);
                let object = self.child(node, Field::Receiver);
                let receiver = match object {
                    Some(object) => of(object)?,
                    None => ValueText::name("self"),
                };
                let arguments = self.child(node, Field::Arguments);
                match name {
                    "new" => receiver.called(),
                    name if RETURNING_SELF.contains(&name) => Some(receiver),
                    // `a.first(2)` returns several elements.
                    name if arguments.is_some() && TAKING.contains(&name) => {
                        let is_list = receiver.is_container();
                        let slice = || ValueText::name(format!("{}[:]", receiver.into_path()));
                        (!is_list).then(slice)
                    }
                    "first" | "last" if receiver.is_container() => receiver.element(),
                    name if receiver.is_literal() => self.literal_result(object?, name),
                    name => receiver.member(name)?.called(),
                }
            }
            Kind::ElementReference => {
                let object = of(self.child(node, Field::Object)?)?;
                let is_tuple = object.is_literal() && !object.is_container();
                (!is_tuple).then(|| object.element())?
            }
            Kind::Assignment | Kind::OperatorAssignment => of(self.child(node, Field::Right)?),
            Kind::Parenthesized => of(self.operands(node).last()?),
            Kind::Return => {
                let list = self.operands(node).next()?;
                let mut values = self.operands(list);
                let only = values.next().filter(|_| values.next().is_none());
                of(only?)
            }
            // A repository may add methods to these classes.
            Kind::StringLiteral => instance_of("String"),
            Kind::Array => self.array_value(node, of),
            Kind::Hash => self.hash_value(node, of),
            Kind::Literal => Some(ValueText::call(ANY_OBJECT)),
            _ => None,
        }
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
                Kind::Branch => {
                    let is_result = |one: &NodeIndex| {
                        let field = self.node(*one).field;
                        !matches!(field, Field::Condition | Field::Pattern | Field::Value)
                    };
                    pending.extend(self.operands(node).filter(is_result));
                }
                Kind::Binary => pending.extend(self.operands(node)),
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
