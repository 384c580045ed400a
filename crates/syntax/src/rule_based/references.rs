//! Collects references and decides their receivers.

use super::builder::{FactsBuilder, PendingReference, ReceiverText};
use super::grammar_rules::MembersInScope;
use super::name_scopes::NameTarget;
use super::rules::{Field, Rule};
use crate::facts::{Facts, OWN_INSTANCE, Receiver, Reference, ReferenceKind, Space, Value};
use crate::tree::NodeIndex;
use ragnav_base::sort::SmallSort;

impl FactsBuilder<'_> {
    /// Adds a pending reference, unless the name is a variable.
    pub(super) fn add_reference(&mut self, node: NodeIndex, kind: ReferenceKind) {
        let tree = self.tree;
        let text = tree.name(node);
        let offset = tree.node(node).start;
        let may_be_member = !self.receiver_ends.is_empty();
        let receiver_text = match self.receiver_of(node) {
            ReceiverText::OwnInstance if may_be_member => ReceiverText::Unknown,
            ReceiverText::None if kind != ReferenceKind::Import && self.is_variable(node, kind) => {
                return;
            }
            ReceiverText::Name(name) if self.name_scopes.is_variable_at(name, offset) => {
                ReceiverText::Unknown
            }
            // One variable is the parameter itself; a second one shadows it.
            ReceiverText::InstanceParameter(name)
                if self.name_scopes.count_variables_at(name, offset) > 1 =>
            {
                ReceiverText::Unknown
            }
            receiver_text => receiver_text,
        };
        if text.is_empty() {
            return;
        }
        let enclosing = self.enclosing_definition();
        let mut scope = self.scope_of(enclosing);
        if kind == ReferenceKind::Import {
            self.import_name(node, scope);
        }
        if kind == ReferenceKind::Inherit
            && let Some(derived) = enclosing.filter(|_| self.is_in_definition_head(node))
        {
            self.add_base(derived, text);
            if self.rules.members_in_scope == MembersInScope::All {
                self.name_scopes.mark_open(scope);
            }
            scope = self.enclosing_scope(derived);
        }
        let reference = Reference {
            name: self.names.intern(text),
            receiver: Receiver::Unknown,
            kind,
            position: self.position_of(node),
            scope,
            space: Space::Any,
            arguments: None,
        };
        self.pending_references.push(PendingReference {
            text,
            receiver_text,
            reference,
            may_be_member: may_be_member && self.rules.members_in_scope == MembersInScope::All,
        });
    }

    /// Reports whether a name is a variable. A method call is not one, since classes and variables
    /// have separate names where members are in scope.
    fn is_variable(&mut self, node: NodeIndex, kind: ReferenceKind) -> bool {
        let is_method = kind == ReferenceKind::Call
            && matches!(
                self.tree.kind(self.tree.parent(node)),
                Rule::MethodCall { .. }
            );
        let span = self.tree.node(node);
        !is_method
            && self
                .name_scopes
                .is_variable_at(self.tree.name(node), span.start)
    }

    /// Reports whether a base stands in the head of a definition, not in an `impl` block.
    fn is_in_definition_head(&self, node: NodeIndex) -> bool {
        let mut inner = node;
        for _ in 0..8 {
            let parent = self.tree.parent(inner);
            if self.tree.kind(parent) == Rule::Members {
                return self.tree.node(inner).field != Field::Trait;
            }
            inner = parent;
        }
        true
    }

    /// Decides the receivers of all references, now that every definition is known.
    pub(super) fn finish(mut self) -> Facts {
        let own = self.names.intern(OWN_INSTANCE);
        let anything = self.names.intern("");
        let pending_references = std::mem::take(&mut self.pending_references);
        for pending in pending_references {
            let scope = pending.reference.scope;
            let is_import = pending.reference.kind == ReferenceKind::Import;
            if pending.receiver_text == ReceiverText::None
                && !is_import
                && self.name_scopes.target(&self.facts, scope, pending.text) == NameTarget::Variable
            {
                continue;
            }
            let is_definition = |name| {
                let target = self.name_scopes.target_of(&self.facts, scope, name);
                // An unknown object has functions as members, but no types.
                target.is_some_and(|to| to == NameTarget::Types || !pending.may_be_member)
            };
            let receiver = match pending.receiver_text {
                ReceiverText::None if is_definition(pending.text) => Receiver::None,
                ReceiverText::OwnInstance | ReceiverText::InstanceParameter(_) => {
                    Receiver::Value(Value {
                        path: own,
                        is_called: false,
                    })
                }
                ReceiverText::Name(name) if is_definition(name) => Receiver::Value(Value {
                    path: self.names.intern(name),
                    is_called: false,
                }),
                ReceiverText::None | ReceiverText::Name(_) | ReceiverText::Unknown => {
                    Receiver::Unknown
                }
            };
            let receiver = if is_import {
                Receiver::Unknown
            } else {
                receiver
            };
            self.facts.references.push(Reference {
                receiver,
                ..pending.reference
            });
        }
        self.facts.add_unknown_bases(anything);
        self.facts
            .bindings
            .small_sort_by_key(|binding| binding.position);
        self.facts.names = self.names.into_texts();
        self.facts
    }
}
