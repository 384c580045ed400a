//! Reads calls that define properties, such as `Object.defineProperty(…)`.

use super::kinds::{Field, FlatTree, Kind};
use super::value_text::MAX_STEPS;
use crate::tree::NodeIndex;

impl<'t> FlatTree<'t> {
    /// Returns the name and arguments of a call of a method of `Object` or of a compiler's helper.
    pub(super) fn object_call(&self, call: NodeIndex) -> Option<(&'t str, Vec<NodeIndex>)> {
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

    /// Returns the value that an entry of a property descriptor defines.
    pub(super) fn descriptor_value(&self, part: NodeIndex) -> Option<NodeIndex> {
        let key = match self.kind(part) {
            Kind::Shorthand => part,
            Kind::Method => self.child(part, Field::Name)?,
            _ => self.child(part, Field::Key)?,
        };
        let value = self.child(part, Field::Value);
        match &*self.key(key)? {
            "value" => value.or((self.kind(part) == Kind::Shorthand).then_some(part)),
            "get" => self.returned_value(value.unwrap_or(part)),
            _ => None,
        }
    }

    pub(super) fn is_getter(&self, member: NodeIndex) -> bool {
        self.kind(member) == Kind::Method
            && self
                .children(member)
                .take_while(|&child| self.node(child).field != Field::Name)
                .any(|child| self.kind(child) == Kind::Token && self.text(child) == "get")
    }

    /// Returns the value of a function that does nothing but return it.
    pub(super) fn returned_value(&self, function: NodeIndex) -> Option<NodeIndex> {
        let body = self.child(function, Field::Body)?;
        if self.kind(body) != Kind::Block {
            return Some(body);
        }
        let statement = self.operands(body).last()?;
        let is_return = self.kind(statement) == Kind::Return;
        self.operands(statement).next().filter(|_| is_return)
    }

    /// Returns the variable that shares an assigned value: `a` of
    /// `var a = exports = module.exports = {}`.
    pub(super) fn assigned_name(&self, value: NodeIndex) -> Option<NodeIndex> {
        let mut inside = value;
        for _ in 0..MAX_STEPS {
            let enclosing = self.parent(inside);
            let name = match self.kind(enclosing) {
                Kind::Assignment => self.child(enclosing, Field::Left)?,
                Kind::VariableDeclarator => self.child(enclosing, Field::Name)?,
                _ => return None,
            };
            let is_variable = self.kind(name) == Kind::Identifier && self.text(name) != "exports";
            if is_variable {
                return Some(name);
            }
            inside = enclosing;
        }
        None
    }
}
