//! Reads expressions as dotted names: `a.b`, `new a.B(…)`, `a.b().c`.

use std::borrow::Cow;

use super::annotations::type_number;
use super::kinds::{Field, FlatTree, Kind};
use super::value_text::{MAX_STEPS, ValueText};
use crate::tree::NodeIndex;

/// The maximum length of a name with calls, in bytes. Longer ones could make the facts quadratic in
/// the text.
const MAX_CHAIN: usize = 200;

/// Joins the segments of a dotted name with calls, which are in reverse order.
fn join_chain(segments: &[(Cow<'_, str>, bool)]) -> Option<Cow<'static, str>> {
    let mut text = String::new();
    for (name, is_called) in segments.iter().rev() {
        if !text.is_empty() {
            text.push('.');
        }
        text.push_str(name);
        text.push_str(if *is_called { "()" } else { "" });
        if text.len() > MAX_CHAIN {
            return None;
        }
    }
    Some(text.into())
}

/// Reports whether a text can be a name without quotes.
fn is_identifier(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    text.chars().all(is_letter) && text.starts_with(|first: char| !first.is_numeric())
}

impl<'t> FlatTree<'t> {
    /// Returns the dotted name of an expression or type.
    pub(super) fn path(&self, node: NodeIndex) -> Option<Cow<'t, str>> {
        let segments = self.segments(node)?;
        if let [only] = *segments {
            return Some(self.text(only).into());
        }
        let texts: Vec<&'t str> = segments.iter().map(|&node| self.text(node)).collect();
        let letters: usize = texts.iter().map(|text| text.len()).sum();
        let text = self.text(node);
        if text.len() + 1 == letters + texts.len() {
            return Some(text.into());
        }
        Some(texts.join(".").into())
    }

    /// Returns the value of an expression that is a name, a call or a construction.
    ///
    /// `await a()` counts as `a()`, and `a = b` as `b`.
    pub(super) fn value_text(&self, node: NodeIndex) -> Option<ValueText<'t>> {
        let mut inner = node;
        for _ in 0..MAX_STEPS {
            let callee = match self.kind(inner) {
                Kind::Parenthesized | Kind::Await | Kind::NonNull => {
                    inner = self.operands(inner).next()?;
                    continue;
                }
                Kind::Assignment => {
                    inner = self.child(inner, Field::Right)?;
                    continue;
                }
                Kind::As => return self.cast_text(inner),
                Kind::Call => {
                    if let Some(module) = self.module_value(inner) {
                        return Some(module);
                    }
                    self.callee(inner)
                }
                _ => self.callee(inner),
            };
            let path = self.path(callee.unwrap_or(inner));
            return Some(ValueText {
                path: path.or_else(|| self.chain_text(callee.unwrap_or(inner)))?,
                is_called: callee.is_some(),
            });
        }
        None
    }

    /// Returns the function of a call or the class of a construction.
    pub(super) fn callee(&self, node: NodeIndex) -> Option<NodeIndex> {
        match self.kind(node) {
            Kind::Call => self.child(node, Field::Function),
            Kind::New => self.child(node, Field::Constructor),
            _ => None,
        }
    }

    /// Returns the list of arguments of a call or construction, which a tagged template lacks.
    pub(super) fn argument_list(&self, call: NodeIndex) -> Option<NodeIndex> {
        let mut children = self.children(call);
        children.find(|&child| self.kind(child) == Kind::Arguments)
    }

    /// Returns a dotted name that contains calls: `a.b().c`.
    fn chain_text(&self, node: NodeIndex) -> Option<Cow<'t, str>> {
        let mut segments: Vec<(Cow<'t, str>, bool)> = Vec::new();
        let mut object = node;
        let mut is_called = false;
        for _ in 0..MAX_STEPS {
            if let Some(module) = self.module_value(object) {
                segments.push((module.into_path().into(), is_called));
                return join_chain(&segments);
            }
            match self.kind(object) {
                Kind::Identifier | Kind::This | Kind::Super => {
                    segments.push((self.text(object).into(), is_called));
                    return join_chain(&segments);
                }
                Kind::Member => {
                    let mut operands = self.operands(object);
                    let inner = operands.next()?;
                    segments.push((self.text(operands.last()?).into(), is_called));
                    is_called = false;
                    object = inner;
                }
                Kind::Subscript => {
                    let (_, name) = self.string_key(object)?;
                    segments.push((name.into(), is_called));
                    is_called = false;
                    object = self.operands(object).next()?;
                }
                // A call of a call, `a()()`, has no name.
                Kind::Call | Kind::New if !is_called => {
                    is_called = true;
                    object = self.callee(object)?;
                }
                Kind::Await | Kind::NonNull | Kind::Parenthesized => {
                    object = self.operands(object).next()?;
                }
                _ => return None,
            }
        }
        None
    }

    /// Returns the value of a cast: an instance of `B` for `a as B`, and `a` for `a as const`.
    fn cast_text(&self, node: NodeIndex) -> Option<ValueText<'t>> {
        let mut operands = self.operands(node);
        let (value, cast_type) = (operands.next()?, operands.next());
        let cast_text = cast_type.and_then(|cast_type| self.annotation_text(cast_type));
        cast_text.or_else(|| {
            let path = self.path(value)?;
            let is_called = false;
            Some(ValueText { path, is_called })
        })
    }

    /// Returns the value of a base class. `Base<T>` is the number of a type.
    pub(super) fn base_text(&self, node: NodeIndex) -> Option<ValueText<'t>> {
        match self.kind(node) {
            Kind::GenericType => Some(type_number(node)),
            _ => self.value_text(node),
        }
    }

    /// Returns the node and text of the name in `a["name"]`.
    pub(super) fn string_key(&self, subscript: NodeIndex) -> Option<(NodeIndex, &'t str)> {
        let key = self.operands(subscript).last()?;
        let content = self.operands(key).next()?;
        let is_string = self.kind(key) == Kind::String;
        let text = self.text(content);
        let is_whole = is_string && self.string_content(key) == Some(text);
        (is_whole && is_identifier(text)).then_some((content, text))
    }

    /// Returns the text between the quotes of a string.
    pub(super) fn string_content(&self, node: NodeIndex) -> Option<&'t str> {
        let text = self.text(node);
        let quote = text
            .chars()
            .next()
            .filter(|quote| matches!(quote, '"' | '\''))?;
        text.strip_prefix(quote)?.strip_suffix(quote)
    }

    /// Strips parentheses, casts and `!`.
    pub(super) fn strip_wrappers(&self, node: NodeIndex) -> NodeIndex {
        let mut inner = node;
        for _ in 0..MAX_STEPS {
            let is_wrapped = matches!(
                self.kind(inner),
                Kind::Parenthesized | Kind::As | Kind::NonNull
            );
            match self.operands(inner).next().filter(|_| is_wrapped) {
                Some(wrapped) => inner = wrapped,
                None => return inner,
            }
        }
        inner
    }
}
