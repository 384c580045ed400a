//! Blocks in which `self` is another object: `a.instance_eval { … }` and `Class.new(A) { … }`.
//!
//! <https://docs.ruby-lang.org/en/master/BasicObject.html#method-i-instance_eval>

use super::builder::FactsBuilder;
use super::kinds::{Field, Kind};
use crate::facts::{BindingTarget, ScopeId};
use crate::facts_writer::NameAt;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The current object.
const SELF: &str = "self";

/// The methods that run a block in the object on which they are called.
const EVALUATING: [&str; 6] = [
    "class_eval",
    "class_exec",
    "instance_eval",
    "instance_exec",
    "module_eval",
    "module_exec",
];

/// The maximum nesting of such blocks. Further inside, the object is unknown.
const MAX_NESTED: usize = 8;

impl FactsBuilder<'_> {
    /// Binds `self` in the scope of a block that runs in another object than the code around it. A
    /// new class counts as its superclass, whose methods it inherits.
    pub(super) fn bind_self_of_block(
        &mut self,
        block: NodeIndex,
        (scope, inside): (ScopeId, ScopeId),
    ) {
        let tree = self.tree;
        let call = tree.parent(block);
        if tree.kind(call) != Kind::Call {
            return;
        }
        let receiver = tree.child(call, Field::Receiver);
        let method = tree.child(call, Field::Method).map(|name| tree.text(name));
        let (Some(receiver), Some(method)) = (receiver, method) else {
            return;
        };
        let value: Option<ValueText> = match method {
            _ if tree.kind(receiver) == Kind::SelfKeyword => return,
            method if EVALUATING.contains(&method) => self.value_text(receiver, scope),
            "new" if tree.text(receiver) == "Class" => {
                let list = tree.child(call, Field::Arguments);
                let Some(base) = list.and_then(|list| tree.operands(list).next()) else {
                    return;
                };
                self.value_text(base, scope)
            }
            _ => return,
        };
        let around = self.evaluated.get(&scope).copied().unwrap_or_default();
        self.evaluated.insert(inside, around + 1);
        let value = value.filter(|_| around < MAX_NESTED);
        let value = self.writer.intern_value(value);
        let target = BindingTarget::Variable(value);
        let place = NameAt {
            text: SELF,
            offset: tree.node(block).start,
        };
        // The code around the block reads the receiver.
        self.writer.bind(place, inside, (target, scope));
    }
}
