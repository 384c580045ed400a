//! Reads expressions of TypeScript as values. Unlike in JavaScript, where the flow of values says
//! more, alternatives, literals and elements are values, too.

use super::annotations::type_number;
use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::value_text::{MAX_STEPS, ValueText};
use crate::tree::NodeIndex;

/// The maximum length of a path, in bytes. Longer ones could make the facts quadratic in the text.
const MAX_PATH: usize = 200;

impl<'t> FactsBuilder<'_, 't> {
    /// Returns the value of an expression.
    pub(super) fn value_text(&self, node: NodeIndex) -> Option<ValueText<'t>> {
        if self.is_typed {
            return self.tree.typed_text(node);
        }
        self.tree.value_text(node)
    }
}

impl<'t> FlatTree<'t> {
    /// Returns the value of an expression of TypeScript.
    pub(super) fn typed_text(&self, node: NodeIndex) -> Option<ValueText<'t>> {
        let found = self.typed_within(node, MAX_STEPS)?;
        (self.is_leaf(node) || found.path.len() <= MAX_PATH).then_some(found)
    }

    fn typed_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText<'t>> {
        let steps = steps.checked_sub(1)?;
        let first = || self.operands(node).next();
        if let Some(module) = self.module_value(node) {
            return Some(module);
        }
        match self.kind(node) {
            Kind::Parenthesized | Kind::NonNull | Kind::Await => self.typed_within(first()?, steps),
            Kind::Assignment => self.typed_within(self.operands(node).last()?, steps),
            Kind::As => match self.operands(node).nth(1) {
                Some(target) => self.annotation_text(target),
                None => self.typed_within(first()?, steps),
            },
            Kind::TypeAssertion => self.annotation_text(self.operands(first()?).next()?),
            Kind::Binary => match self.operator(node)? {
                "&&" => self.typed_within(self.operands(node).last()?, steps),
                "||" | "??" => Some(type_number(node)),
                _ => None,
            },
            Kind::AugmentedAssignment => match self.operator(node)? {
                "&&=" => self.typed_within(self.child(node, Field::Right)?, steps),
                "||=" | "??=" => Some(type_number(node)),
                _ => None,
            },
            Kind::Ternary | Kind::Class => Some(type_number(node)),
            Kind::Object if first().is_some() => Some(type_number(node)),
            Kind::Array if first().is_some() => Some(called(type_number(node))),
            Kind::New if self.is_promise(node) => {
                let arguments = self.type_arguments(node)?;
                self.annotation_text(self.operands(arguments).next()?)
            }
            Kind::Call | Kind::New if self.type_arguments(node).is_some() => {
                Some(called(type_number(node)))
            }
            Kind::Call if self.is_builtin_call(node) || self.is_callback_call(node) => {
                Some(type_number(node))
            }
            Kind::Call | Kind::New if self.may_infer(node) => Some(type_number(node)),
            Kind::Call | Kind::New => {
                let callee = self.typed_within(self.callee(node)?, steps)?;
                Some(called(ValueText {
                    path: path_of(callee),
                    is_called: false,
                }))
            }
            Kind::Subscript => {
                let of = path_of(self.typed_within(first()?, steps)?);
                Some(named(match self.string_key(node) {
                    Some((_, name)) => format!("{of}.{name}"),
                    None => format!("{of}[{}]", self.constant_index(node)),
                }))
            }
            Kind::Member => {
                let of = path_of(self.typed_within(first()?, steps)?);
                let name = self.text(self.operands(node).last()?);
                Some(named(format!("{of}.{name}")))
            }
            Kind::Identifier | Kind::Shorthand | Kind::This | Kind::Super => Some(ValueText {
                path: self.text(node).into(),
                is_called: false,
            }),
            _ => None,
        }
    }

    /// Reports whether an expression creates a promise of a declared type: `new Promise<A>(…)`.
    /// Like an annotation, it counts as its value.
    fn is_promise(&self, new: NodeIndex) -> bool {
        let class = self.callee(new).map(|class| self.text(class));
        class == Some("Promise") && self.type_arguments(new).is_some()
    }

    /// Reports whether a node assigns a value only if the target has none, or has one: `a ??= b`.
    pub(super) fn is_logical_assignment(&self, node: NodeIndex) -> bool {
        self.kind(node) == Kind::AugmentedAssignment
            && matches!(self.operator(node), Some("&&=" | "||=" | "??="))
    }

    /// Reports whether a node assigns a value unless the target has one: `a ??= b`.
    pub(super) fn may_keep_value(&self, node: NodeIndex) -> bool {
        self.is_logical_assignment(node) && self.operator(node) != Some("&&=")
    }

    /// Returns the index in a subscript if it is a number, such as `0` of `a[0]`, or else nothing.
    fn constant_index(&self, subscript: NodeIndex) -> &'t str {
        let index = self.operands(subscript).nth(1);
        let text = index.map_or("", |index| self.text(index));
        let is_number = text.len() <= 2 && text.bytes().all(|digit| digit.is_ascii_digit());
        if is_number { text } else { "" }
    }

    /// Returns the operator of a binary expression.
    pub(super) fn operator(&self, node: NodeIndex) -> Option<&'t str> {
        let mut children = self.children(node);
        let operator = children.find(|&child| self.kind(child) == Kind::Token)?;
        Some(self.text(operator))
    }
}

fn path_of(of: ValueText<'_>) -> std::borrow::Cow<'_, str> {
    if of.is_called {
        return of.into_path().into();
    }
    of.path
}

fn named(path: String) -> ValueText<'static> {
    ValueText {
        path: path.into(),
        is_called: false,
    }
}

fn called(of: ValueText<'_>) -> ValueText<'_> {
    ValueText {
        is_called: true,
        ..of
    }
}
