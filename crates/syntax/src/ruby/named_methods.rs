//! Symbols and strings that name methods: `a.send(:b)`, `before_action :b`.
//!
//! <https://docs.ruby-lang.org/en/master/Object.html> and
//! <https://api.rubyonrails.org/classes/ActiveSupport/Callbacks.html>.

use super::builder::FactsBuilder;
use super::kinds::{Field, Kind};
use crate::facts::{ReferenceKind, SELF_INSTANCE, ScopeId, Space};
use crate::facts_writer::ReferenceTo;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The methods that call, or return, the method that their first argument names.
const REFLECTING: [&str; 7] = [
    "__send__",
    "instance_method",
    "method",
    "public_method",
    "public_send",
    "send",
    "try",
];

/// The methods of a class whose arguments name methods of its instances.
const DECLARING: [&str; 6] = [
    "helper_method",
    "module_function",
    "private",
    "protected",
    "public",
    "validate",
];

/// How the methods of a class begin that say when methods of its instances run.
const CALLBACKS: [&str; 8] = [
    "after_",
    "append_after_",
    "append_before_",
    "around_",
    "before_",
    "prepend_before_",
    "skip_after_",
    "skip_before_",
];

/// The keyword arguments of such a method that name methods, too.
const CONDITIONS: [&str; 3] = ["if", "unless", "with"];

impl FactsBuilder<'_> {
    /// Adds the references of symbols among the arguments of a call that name methods.
    pub(super) fn refer_by_symbols(
        &mut self,
        (call, method): (NodeIndex, &str),
        receiver: Option<&ValueText>,
        scope: ScopeId,
    ) {
        let tree = self.tree;
        let Some(list) = tree.child(call, Field::Arguments) else {
            return;
        };
        if REFLECTING.contains(&method) {
            let kind = match method {
                "instance_method" | "method" | "public_method" => ReferenceKind::Reference,
                _ => ReferenceKind::Call,
            };
            if let (Some(name), Some(of)) = (tree.operands(list).next(), receiver) {
                self.refer_to_named(name, (kind, of.clone()), scope);
            }
            return;
        }
        let is_callback = CALLBACKS.iter().any(|start| method.starts_with(start));
        let is_own = tree.child(call, Field::Receiver).is_none() && self.is_body_of_class(scope);
        if !is_own || !(is_callback || DECLARING.contains(&method)) {
            return;
        }
        let names: Vec<NodeIndex> = tree.operands(list).collect();
        for name in names {
            let name = match tree.kind(name) {
                Kind::Pair => self.condition(name),
                _ => Some(name),
            };
            let of = ValueText::name(SELF_INSTANCE);
            if let Some(name) = name {
                self.refer_to_named(name, (ReferenceKind::Reference, of), scope);
            }
        }
    }

    fn is_body_of_class(&self, scope: ScopeId) -> bool {
        self.class_around(scope)
            .is_some_and(|(body, _)| body == scope)
    }

    /// Returns the value of `if: :a`.
    fn condition(&self, pair: NodeIndex) -> Option<NodeIndex> {
        let key = self.tree.operands(pair).next()?;
        let key = self.tree.text(key).trim_matches(':');
        let value = self.tree.child(pair, Field::Value)?;
        CONDITIONS.contains(&key).then_some(value)
    }

    fn refer_to_named(
        &mut self,
        name: NodeIndex,
        (kind, of): (ReferenceKind, ValueText),
        scope: ScopeId,
    ) {
        let is_name = matches!(self.tree.kind(name), Kind::Symbol | Kind::StringLiteral);
        let at = self.tree.name_of_method(name);
        let is_part = |letter: char| letter.is_alphanumeric() || "_?!=".contains(letter);
        if !is_name || !at.text.chars().all(is_part) {
            return;
        }
        let to = ReferenceTo {
            kind,
            receiver: self.writer.receiver(Some(of)),
            space: Space::Any,
        };
        self.writer.add_reference(at, scope, to);
    }
}
