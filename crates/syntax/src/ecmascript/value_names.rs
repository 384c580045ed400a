//! By what name a function or class goes that is a value: the name that leads to it.
//!
//! `const a = { b: { c() {} } }` leads to `a.b.c`, `A.prototype.m = function () {}` to `A.m`, and what is assigned to a member of
//! `exports` or `module.exports` is named as it is exported.

use std::borrow::Cow;

use super::export_names::DEFAULT;
use super::kinds::{Field, FlatTree, Kind};
use super::value_text::MAX_STEPS;
use crate::tree::At;

/// What leads to a value.
#[derive(Debug)]
pub(super) struct Way<'t> {
    /// The name, as it counts in a name path.
    pub(super) text: Cow<'t, str>,
    /// Where it stands.
    pub(super) name: At,
    /// What its name path has before it, besides the definitions around.
    pub(super) qualifier: Option<String>,
    /// What binds it: the declarator, assignment, property or field.
    pub(super) binder: At,
    /// Whether it is a member of `this`.
    pub(super) of_this: bool,
}

/// The names on a way, from the value outwards.
struct Climb<'t> {
    names: Vec<(Cow<'t, str>, At)>,
    binder: Option<At>,
    of_this: bool,
}

impl<'t> Climb<'t> {
    fn pass(&mut self, text: Cow<'t, str>, name: At, binder: At) {
        self.names.push((text, name));
        self.binder.get_or_insert(binder);
    }

    fn arrived(self) -> Option<Way<'t>> {
        let mut names = self.names.into_iter();
        let (text, name) = names.next()?;
        let mut before: Vec<Cow<'t, str>> = names.map(|(text, _)| text).collect();
        before.reverse();
        Some(Way {
            text,
            name,
            qualifier: (!before.is_empty()).then(|| before.join(".")),
            binder: self.binder?,
            of_this: self.of_this,
        })
    }
}

impl<'t> FlatTree<'t> {
    /// What leads to a function or class that is a value; `None` where nothing does.
    pub(super) fn way(&self, value: At) -> Option<Way<'t>> {
        let mut climb = Climb {
            names: Vec::new(),
            binder: None,
            of_this: false,
        };
        let mut inside = value;
        if self.kind(value) == Kind::Method {
            let name = self.child(value, Field::Name)?;
            climb.pass(self.key(name)?, name, value);
            if self.kind(self.parent(value)) != Kind::Object {
                return climb.arrived();
            }
            inside = self.parent(value);
        }
        for _ in 0..MAX_STEPS {
            let around = self.parent(inside);
            let is_value = self.node(inside).field == Field::Value;
            match self.kind(around) {
                // An object is a pair's or a method's here.
                Kind::Object
                | Kind::Parenthesized
                | Kind::As
                | Kind::NonNull
                | Kind::TypeAssertion => {}
                Kind::Pair if is_value => {
                    let name = self.child(around, Field::Key)?;
                    climb.pass(self.key(name)?, name, around);
                }
                Kind::VariableDeclarator if is_value => {
                    let name = self.child(around, Field::Name)?;
                    if self.kind(name) != Kind::Identifier {
                        return None;
                    }
                    climb.pass(self.text(name).into(), name, around);
                    return climb.arrived();
                }
                Kind::FieldDefinition if is_value => {
                    let name = self.field_name(around)?;
                    climb.pass(self.key(name)?, name, around);
                    return climb.arrived();
                }
                Kind::Export if is_value => {
                    climb.pass(DEFAULT.into(), inside, around);
                    return climb.arrived();
                }
                Kind::Assignment => return self.assigned_way(around, inside, climb),
                _ => return None,
            }
            inside = around;
        }
        None
    }

    fn assigned_way(&self, assignment: At, value: At, mut climb: Climb<'t>) -> Option<Way<'t>> {
        let left = self.child(assignment, Field::Left)?;
        if left == value {
            return None;
        }
        let segments = self.segments(left)?;
        let root = segments.first().map(|&at| self.text(at))?;
        let mut rest = segments.as_slice();
        if matches!(root, "exports" | "this") {
            rest = rest.get(1..)?;
        } else if root == "module"
            && segments
                .get(1)
                .is_some_and(|&at| self.text(at) == "exports")
        {
            rest = rest.get(2..)?;
        }
        climb.of_this = root == "this";
        if rest.is_empty() && climb.names.is_empty() {
            climb.pass(DEFAULT.into(), value, assignment);
        }
        for &at in rest.iter().rev() {
            let text = self.text(at);
            // A member of the prototype is one of the class.
            if text != "prototype" || climb.names.is_empty() {
                climb.pass(text.into(), at, assignment);
            }
        }
        climb.arrived()
    }

    /// The names of a dotted name, first to last.
    pub(super) fn segments(&self, at: At) -> Option<Vec<At>> {
        let mut segments = Vec::new();
        let mut object = at;
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

    /// The name of a class's field; the grammars call it differently.
    pub(super) fn field_name(&self, field: At) -> Option<At> {
        self.child(field, Field::Name)
            .or_else(|| self.child(field, Field::Property))
    }

    /// What a property's key is called: a name without dots and blanks, or `@@iterator` for `[Symbol.iterator]`.
    pub(super) fn key(&self, at: At) -> Option<Cow<'t, str>> {
        let text = match self.kind(at) {
            Kind::String => self.string_content(at)?,
            Kind::ComputedName => {
                let inner = self.operands(at).next()?;
                if self.kind(inner) == Kind::String {
                    self.string_content(inner)?
                } else {
                    let symbol = self.text(inner).strip_prefix("Symbol.")?;
                    return is_key(symbol).then(|| format!("@@{symbol}").into());
                }
            }
            _ => self.text(at),
        };
        is_key(text).then_some(text.into())
    }
}

fn is_key(text: &str) -> bool {
    let is_odd = |letter: char| letter == '.' || letter.is_whitespace() || letter.is_control();
    !text.is_empty() && !text.contains(is_odd)
}
