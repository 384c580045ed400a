//! Finds the names of anonymous functions and classes.
//!
//! In `const a = { b: { c() {} } }` the method is `a.b.c`, and `A.prototype.m = function () {}`
//! defines `A.m`. A value assigned to a member of `exports` or `module.exports` has the name of the
//! export.

use std::borrow::Cow;

use super::export_names::DEFAULT;
use super::kinds::{Field, FlatTree, Kind};
use super::value_text::MAX_STEPS;
use crate::tree::NodeIndex;

/// The name that a function or class is bound to.
#[derive(Debug)]
pub(super) struct ValueName<'t> {
    /// The name as it appears in a name path.
    pub(super) text: Cow<'t, str>,
    /// The node of the name.
    pub(super) name: NodeIndex,
    /// The part of the name path before the name that no enclosing definition supplies.
    pub(super) qualifier: Option<String>,
    /// The node that binds the name: a declarator, assignment, property or field.
    pub(super) binder: NodeIndex,
    /// Whether the name is a member of `this`.
    pub(super) is_this_member: bool,
}

/// The names that lead to a value, from the inside out.
struct NamePathBuilder<'t> {
    names: Vec<(Cow<'t, str>, NodeIndex)>,
    binder: Option<NodeIndex>,
    is_this_member: bool,
}

impl<'t> NamePathBuilder<'t> {
    fn push(&mut self, text: Cow<'t, str>, name: NodeIndex, binder: NodeIndex) {
        self.names.push((text, name));
        self.binder.get_or_insert(binder);
    }

    fn finish(self) -> Option<ValueName<'t>> {
        let mut names = self.names.into_iter();
        let (text, name) = names.next()?;
        let mut before: Vec<Cow<'t, str>> = names.map(|(text, _)| text).collect();
        before.reverse();
        Some(ValueName {
            text,
            name,
            qualifier: (!before.is_empty()).then(|| before.join(".")),
            binder: self.binder?,
            is_this_member: self.is_this_member,
        })
    }
}

impl<'t> FlatTree<'t> {
    /// Returns the name that a function or class expression is bound to, if there is one.
    pub(super) fn name_of_value(&self, value: NodeIndex) -> Option<ValueName<'t>> {
        let mut path = NamePathBuilder {
            names: Vec::new(),
            binder: None,
            is_this_member: false,
        };
        let mut inside = value;
        if self.kind(value) == Kind::Method {
            let name = self.child(value, Field::Name)?;
            path.push(self.key(name)?, name, value);
            if self.kind(self.parent(value)) != Kind::Object {
                return path.finish();
            }
            inside = self.parent(value);
        }
        for _ in 0..MAX_STEPS {
            let enclosing = self.parent(inside);
            let is_value = self.node(inside).field == Field::Value;
            match self.kind(enclosing) {
                // The walk enters an object only from one of its pairs or methods.
                Kind::Object
                | Kind::Parenthesized
                | Kind::As
                | Kind::NonNull
                | Kind::TypeAssertion => {}
                Kind::Arguments => {
                    let call = self.parent(enclosing);
                    if self.component_function(call) != Some(inside) {
                        return None;
                    }
                    inside = call;
                    continue;
                }
                Kind::Pair if is_value => {
                    let name = self.child(enclosing, Field::Key)?;
                    path.push(self.key(name)?, name, enclosing);
                }
                Kind::VariableDeclarator if is_value => {
                    let name = self.child(enclosing, Field::Name)?;
                    if self.kind(name) != Kind::Identifier {
                        return None;
                    }
                    path.push(self.text(name).into(), name, enclosing);
                    return path.finish();
                }
                Kind::FieldDefinition if is_value => {
                    let name = self.field_name(enclosing)?;
                    path.push(self.key(name)?, name, enclosing);
                    return path.finish();
                }
                Kind::Export if is_value => {
                    path.push(DEFAULT.into(), value, enclosing);
                    return path.finish();
                }
                Kind::Assignment => return self.name_of_assigned(enclosing, inside, path),
                _ => return None,
            }
            inside = enclosing;
        }
        None
    }

    fn name_of_assigned(
        &self,
        assignment: NodeIndex,
        value: NodeIndex,
        mut path: NamePathBuilder<'t>,
    ) -> Option<ValueName<'t>> {
        let left = self.child(assignment, Field::Left)?;
        if left == value {
            return None;
        }
        let segments = self.segments(left)?;
        let root = segments.first().map(|&node| self.text(node))?;
        let mut rest = segments.as_slice();
        if matches!(root, "exports" | "this") {
            rest = rest.get(1..)?;
        } else if root == "module"
            && segments
                .get(1)
                .is_some_and(|&node| self.text(node) == "exports")
        {
            rest = rest.get(2..)?;
        }
        path.is_this_member = root == "this";
        if rest.is_empty() && path.names.is_empty() {
            path.push(DEFAULT.into(), value, assignment);
        }
        for &node in rest.iter().rev() {
            let text = self.text(node);
            // A member of the prototype is a member of the class.
            if text != "prototype" || path.names.is_empty() {
                path.push(text.into(), node, assignment);
            }
        }
        path.finish()
    }

    /// Returns the names of a dotted name, first to last.
    pub(super) fn segments(&self, node: NodeIndex) -> Option<Vec<NodeIndex>> {
        let mut segments = Vec::new();
        let mut object = node;
        for _ in 0..MAX_STEPS {
            match self.kind(object) {
                Kind::Identifier | Kind::This | Kind::Super | Kind::TypeName => {
                    segments.push(object);
                    segments.reverse();
                    return Some(segments);
                }
                Kind::Member => {
                    let mut operands = self.operands(object);
                    let inner = operands.next()?;
                    segments.push(operands.last()?);
                    object = inner;
                }
                Kind::Parenthesized | Kind::NonNull => object = self.operands(object).next()?,
                _ => return None,
            }
        }
        None
    }

    /// Returns the name of a field. The grammars use different fields for it.
    pub(super) fn field_name(&self, field: NodeIndex) -> Option<NodeIndex> {
        self.child(field, Field::Name)
            .or_else(|| self.child(field, Field::Property))
    }

    /// Returns the name of a property key.
    ///
    /// It has neither dots nor whitespace. `[Symbol.iterator]` is `@@iterator`.
    pub(super) fn key(&self, node: NodeIndex) -> Option<Cow<'t, str>> {
        let text = match self.kind(node) {
            Kind::String => self.string_content(node)?,
            Kind::ComputedName => {
                let inner = self.operands(node).next()?;
                if self.kind(inner) == Kind::String {
                    self.string_content(inner)?
                } else {
                    let symbol = self.text(inner).strip_prefix("Symbol.")?;
                    return is_key(symbol).then(|| format!("@@{symbol}").into());
                }
            }
            _ => self.text(node),
        };
        is_key(text).then_some(text.into())
    }
}

fn is_key(text: &str) -> bool {
    let is_odd = |letter: char| letter == '.' || letter.is_whitespace() || letter.is_control();
    !text.is_empty() && !text.contains(is_odd)
}
