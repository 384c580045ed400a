//! Calls of `Object` and what their arguments say.

use super::kinds::{Field, FlatTree, Kind};
use super::value_text::MAX_STEPS;
use crate::tree::At;

impl<'t> FlatTree<'t> {
    /// A call's arguments, and the name of the function: of `Object`, or of the helpers that compilers write.
    pub(super) fn named_call(&self, call: At) -> Option<(&'t str, Vec<At>)> {
        if self.kind(call) != Kind::Call {
            return None;
        }
        let function = self.child(call, Field::Function)?;
        let name = match self.kind(function) {
            Kind::Identifier => function,
            Kind::Member => self.operands(function).last()?,
            _ => return None,
        };
        let text = self.text(name);
        let is_object = self.text(function).starts_with("Object.");
        if text != "__exportStar" && !is_object {
            return None;
        }
        let arguments = self
            .operands(call)
            .last()
            .filter(|&last| last != function)?;
        Some((text, self.operands(arguments).collect()))
    }

    /// What a part of a descriptor says that a property is.
    pub(super) fn described(&self, part: At) -> Option<At> {
        let key = match self.kind(part) {
            Kind::Shorthand => part,
            Kind::Method => self.child(part, Field::Name)?,
            _ => self.child(part, Field::Key)?,
        };
        let value = self.child(part, Field::Value);
        match &*self.key(key)? {
            "value" => value.or((self.kind(part) == Kind::Shorthand).then_some(part)),
            "get" => self.given(value.unwrap_or(part)),
            _ => None,
        }
    }

    pub(super) fn is_getter(&self, member: At) -> bool {
        self.kind(member) == Kind::Method
            && self
                .children(member)
                .take_while(|&child| self.node(child).field != Field::Name)
                .any(|child| self.kind(child) == Kind::Token && self.text(child) == "get")
    }

    /// What a function gives that does nothing else.
    pub(super) fn given(&self, function: At) -> Option<At> {
        let body = self.child(function, Field::Body)?;
        if self.kind(body) != Kind::Block {
            return Some(body);
        }
        let statement = self.operands(body).last()?;
        let is_return = self.kind(statement) == Kind::Return;
        self.operands(statement).next().filter(|_| is_return)
    }

    /// The variable that a value is assigned to as well: `a` of `var a = exports = module.exports = {}`.
    pub(super) fn assigned_name(&self, value: At) -> Option<At> {
        let mut inside = value;
        for _ in 0..MAX_STEPS {
            let around = self.parent(inside);
            let name = match self.kind(around) {
                Kind::Assignment => self.child(around, Field::Left)?,
                Kind::VariableDeclarator => self.child(around, Field::Name)?,
                _ => return None,
            };
            let is_variable = self.kind(name) == Kind::Identifier && self.text(name) != "exports";
            if is_variable {
                return Some(name);
            }
            inside = around;
        }
        None
    }
}
