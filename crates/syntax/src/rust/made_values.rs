//! The values of expressions that contain others: branches, blocks, arrays and closures.

use super::kinds::{Field, FlatTree, Kind};
use super::values::element;
use crate::facts::TYPE_NAME;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

impl FlatTree<'_> {
    /// Returns the value of an expression whose type is that of another in it: a branch of an `if`
    /// or `match`, the last expression of a block, or the first element of an array.
    pub(super) fn inner_value(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        match self.kind(node) {
            Kind::If => {
                let condition = self.child(node, Field::Condition);
                let matched = condition.filter(|of| self.kind(*of) == Kind::LetCondition);
                let inner = matched.and_then(|of| {
                    let result = self.child(node, Field::Consequence)?;
                    let value = self.child(of, Field::Value)?;
                    self.unwrapped((self.child(of, Field::Pattern)?, value), result, steps)
                });
                if inner.is_some() {
                    return inner;
                }
                let branches = [Field::Consequence, Field::Alternative];
                let mut branches = branches.into_iter().filter_map(|one| self.child(node, one));
                branches.find_map(|branch| self.tail_value(branch, steps))
            }
            Kind::Else => self.tail_value(self.operands(node).next()?, steps),
            Kind::Match => {
                let body = self.child(node, Field::Body)?;
                let of = self.child(node, Field::Value)?;
                let arms = self.operands(body);
                let mut arms = arms.filter(|arm| self.kind(*arm) == Kind::MatchArm);
                arms.find_map(|arm| {
                    let result = self.child(arm, Field::Value)?;
                    let pattern = self.child(arm, Field::Pattern)?;
                    let pattern = self.operands(pattern).next()?;
                    let inner = self.unwrapped((pattern, of), result, steps);
                    inner.or_else(|| self.tail_value(result, steps))
                })
            }
            Kind::Block => self.tail_value(self.operands(node).last()?, steps),
            Kind::ArrayExpression => {
                let first = self.operands(node).next()?;
                Some(self.made_value(first, steps)?.into_sequence())
            }
            Kind::MacroInvocation => self.vector(node),
            Kind::Closure => {
                let returned = self.tail_value(self.child(node, Field::Body)?, steps)?;
                Some(returned.into_function())
            }
            _ => None,
        }
    }

    /// Returns what is inside of a value, if a branch returns it: `b` of `Some(b) => b`.
    fn unwrapped(
        &self,
        (pattern, of): (NodeIndex, NodeIndex),
        result: NodeIndex,
        steps: usize,
    ) -> Option<ValueText> {
        let result = match self.kind(result) {
            Kind::Block => {
                let mut statements = self.operands(result);
                let only = statements.next()?;
                statements.next().is_none().then_some(only)?
            }
            _ => result,
        };
        let kind = self.child(pattern, Field::Type)?;
        let mut inside = self.operands(pattern).filter(|inner| *inner != kind);
        let (name, None) = (inside.next()?, inside.next()) else {
            return None;
        };
        let is_unwrapping = self.kind(pattern) == Kind::TupleStructPattern
            && matches!(self.text(kind), "Some" | "Ok");
        let is_inside = self.kind(name) == Kind::Identifier
            && self.kind(result) == Kind::Identifier
            && self.text(name) == self.text(result);
        let value = || element(self.value_within(of, steps)?);
        (is_unwrapping && is_inside).then(value)?
    }

    /// Returns the value of an expression at the end of a block, unless it may be one of a variable
    /// of the block.
    fn tail_value(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let value = self.made_value(node, steps)?;
        let head = value.path.trim_start_matches(['[', '{']);
        let head = head.split(['.', '(']).next().unwrap_or_default();
        let is_item = head.ends_with(TYPE_NAME) || (value.is_called && head == value.path);
        is_item.then_some(value)
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
