//! The values of expressions that contain others: branches, blocks, loops, arrays and closures.

use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{TYPE_NAME, TYPE_NUMBER};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of blocks and branches around an expression that gives them their value.
const MAX_AROUND: usize = 24;

/// The maximum number of branches or `break` expressions that are read for the value of all.
const MAX_RESULTS: usize = 16;

/// The beginnings of calls that tell no type: `Default::default()`, and functions that end the
/// process.
const OPEN: [&str; 4] = ["Default::", "exit", "process::.exit", "std::.process.exit"];

impl FlatTree<'_> {
    /// Returns the value of an expression whose type is that of another in it: a branch of an `if`
    /// or `match`, the last expression of a block, the value of a `break`, or the first element of
    /// an array.
    pub(super) fn inner_value(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        match self.kind(node) {
            Kind::If => {
                let branches = [Field::Consequence, Field::Alternative];
                let branches = branches.into_iter().filter_map(|one| self.child(node, one));
                self.value_of_any(branches, steps)
            }
            Kind::Else | Kind::WrappedBlock => {
                self.result_value(self.operands(node).last()?, steps)
            }
            Kind::Match => {
                let arms = self.operands(self.child(node, Field::Body)?);
                let arms = arms.filter(|arm| self.kind(*arm) == Kind::MatchArm);
                self.value_of_any(arms.filter_map(|arm| self.child(arm, Field::Value)), steps)
            }
            Kind::Block => self.result_value(self.operands(node).last()?, steps),
            Kind::Loop => self.value_of_any(self.breaks(node), steps),
            Kind::ArrayExpression => {
                let first = self.operands(node).next()?;
                Some(self.made_value(first, steps)?.into_sequence())
            }
            Kind::MacroInvocation => self.vector(node),
            Kind::Closure => {
                let returned = self.result_value(self.child(node, Field::Body)?, steps)?;
                Some(returned.into_function())
            }
            _ => None,
        }
    }

    /// Returns the value of one of several expressions of one type: preferably one whose text tells
    /// it, wherever it is read.
    fn value_of_any(
        &self,
        results: impl Iterator<Item = NodeIndex>,
        steps: usize,
    ) -> Option<ValueText> {
        let mut first = None;
        for result in results.take(MAX_RESULTS) {
            let Some(value) = self.result_value(result, steps) else {
                continue;
            };
            let is_open = value.is_numbered()
                || self.is_boxed(self.last_expression(result))
                || OPEN.iter().any(|open| value.path.starts_with(open));
            if !is_open {
                return Some(value);
            }
            first.get_or_insert(value);
        }
        first
    }

    /// Returns the value of an expression that gives a block or a branch its value. For one that
    /// depends on variables of the block, its number stands.
    fn result_value(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let node = self.without_statement(node);
        let value = self.made_value(node, steps)?;
        if is_independent(&value) {
            return Some(value);
        }
        self.is_result(node).then(|| ValueText::numbered(node))
    }

    /// Returns the expression at the end of blocks in blocks, or else the node itself.
    fn last_expression(&self, node: NodeIndex) -> NodeIndex {
        let inner = |node: &NodeIndex| {
            let is_around = self.is_open_statement(*node)
                || matches!(
                    self.kind(*node),
                    Kind::Block | Kind::Else | Kind::WrappedBlock
                );
            is_around.then(|| self.operands(*node).last())?
        };
        let chain = std::iter::successors(Some(node), inner);
        chain.take(MAX_AROUND).last().unwrap_or(node)
    }

    /// Returns the expression of a statement without a semicolon, or else the node itself.
    fn without_statement(&self, node: NodeIndex) -> NodeIndex {
        let inner = self.operands(node).next();
        inner
            .filter(|_| self.is_open_statement(node))
            .unwrap_or(node)
    }

    fn is_open_statement(&self, node: NodeIndex) -> bool {
        self.kind(node) == Kind::ExpressionStatement && !self.text(node).ends_with(';')
    }

    /// Returns the value of an expression that is a fact of its own, since it gives a block or a
    /// branch its value and depends on variables of it.
    pub(super) fn dependent_result(&self, node: NodeIndex) -> Option<ValueText> {
        if !self.is_result(node) {
            return None;
        }
        let value = self.value_text(node)?;
        let is_tuple = self.kind(node) == Kind::Tuple;
        (!is_tuple && !is_independent(&value)).then_some(value)
    }

    /// Reports whether an expression gives its value to a block, a branch or a loop around it whose
    /// value is used: not to a statement or to a whole function.
    fn is_result(&self, node: NodeIndex) -> bool {
        let Some(first) = self.value_around(node) else {
            return false;
        };
        let around = std::iter::successors(Some(first), |node| self.value_around(*node));
        let Some(outermost) = around.take(MAX_AROUND).last() else {
            return false;
        };
        !matches!(
            self.kind(self.parent(outermost)),
            Kind::ExpressionStatement | Kind::Function | Kind::Block
        )
    }

    /// Returns the expression around another one that has the same value.
    fn value_around(&self, node: NodeIndex) -> Option<NodeIndex> {
        let parent = self.parent(node);
        if self.is_open_statement(parent) {
            return self.value_around(parent);
        }
        match self.kind(parent) {
            Kind::Block => self.is_last_in_block(node, parent).then_some(parent),
            Kind::WrappedBlock | Kind::Else => {
                (self.operands(parent).last() == Some(node)).then_some(parent)
            }
            Kind::If => (self.child(parent, Field::Condition) != Some(node)).then_some(parent),
            Kind::MatchArm => {
                let is_value = self.child(parent, Field::Value) == Some(node);
                is_value.then(|| self.parent(self.parent(parent)))
            }
            Kind::Break => self.loop_around(parent),
            _ => None,
        }
    }

    /// Reports whether nothing but comments follows a node in its block, whose nodes may be many.
    fn is_last_in_block(&self, node: NodeIndex, block: NodeIndex) -> bool {
        let end = self.subtree_end(block);
        let next = |node: &NodeIndex| Some(self.subtree_end(*node)).filter(|next| *next < end);
        let mut following = std::iter::successors(next(&node), next);
        let found = following.find(|one| self.kind(*one) != Kind::Comment);
        found.is_none_or(|one| self.text(one) == "}")
    }

    /// Returns the values of the `break` expressions of a loop.
    fn breaks(&self, around: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let inside = around + 1..self.subtree_end(around);
        let breaks = inside.filter(move |node| {
            self.kind(*node) == Kind::Break && self.loop_around(*node) == Some(around)
        });
        breaks.filter_map(|node| {
            let value = self.operands(node).last()?;
            (self.kind(value) != Kind::Lifetime).then_some(value)
        })
    }

    /// Returns the loop that a `break` without a label leaves.
    fn loop_around(&self, of: NodeIndex) -> Option<NodeIndex> {
        let has_label = self
            .operands(of)
            .any(|inner| self.kind(inner) == Kind::Lifetime);
        if has_label {
            return None;
        }
        let parent = |node: &NodeIndex| Some(self.parent(*node)).filter(|parent| parent != node);
        let mut around = std::iter::successors(Some(of), parent);
        let found = around.find(|node| {
            let is_while = self.kind(*node) == Kind::If && self.child(*node, Field::Body).is_some();
            let kind = self.kind(*node);
            is_while
                || matches!(
                    kind,
                    Kind::Loop | Kind::For | Kind::Closure | Kind::Function
                )
        })?;
        (self.kind(found) == Kind::Loop).then_some(found)
    }

    /// Returns the value of an expression that is no tuple, of which only the parts have values.
    fn made_value(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let is_tuple = self.kind(node) == Kind::Tuple;
        (!is_tuple).then(|| self.value_within(node, steps))?
    }

    /// Returns the value of `vec![A::new(), …]`. The tokens of a macro have no syntax.
    fn vector(&self, node: NodeIndex) -> Option<ValueText> {
        let name = self.child(node, Field::Macro)?;
        let mut parts = self.operands(node);
        let list = parts.find(|part| self.kind(*part) == Kind::TokenTree)?;
        if self.text(name) != "vec" {
            return None;
        }
        let mut tokens = self.children(list).skip(1);
        let mut names = Vec::new();
        let made = tokens.by_ref().find(|token| {
            let is_part = self.kind(*token) == Kind::Identifier;
            if is_part {
                names.push(self.text(*token));
            }
            !is_part && self.text(*token) != "::"
        })?;
        if let ([only], "," | ";" | "]" | ")") = (&*names, self.text(made)) {
            return Some(ValueText::name(*only).into_sequence());
        }
        let is_last = tokens.next().is_some_and(|next| {
            let text = self.text(next);
            matches!(text, "," | ";" | "]" | ")" | "}")
        });
        let is_made = self.text(made).starts_with(['(', '{']) && is_last;
        let (first, rest) = names.split_first().filter(|_| is_made)?;
        let is_function = rest.is_empty() && self.text(made).starts_with('(');
        let mark = if is_function { "" } else { TYPE_NAME };
        let path = std::iter::once(format!("{first}{mark}"));
        let path = path.chain(rest.iter().map(|name| (*name).to_owned()));
        let path = path.collect::<Vec<_>>().join(".");
        Some(ValueText::call(path).into_sequence())
    }
}

/// Reports whether a value is the same wherever it is read: it begins with an item, a function or a
/// number, not with a variable.
fn is_independent(value: &ValueText) -> bool {
    let head = value.path.trim_start_matches(['[', '{']);
    let head = head.split(['.', '(']).next().unwrap_or_default();
    let is_item = head.ends_with(TYPE_NAME) || head.starts_with(TYPE_NUMBER);
    is_item || (value.is_called && head == value.path)
}
