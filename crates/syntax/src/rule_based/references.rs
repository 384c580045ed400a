//! Which mentions of names may be definitions', and what they are members of.

use super::builder::{Mention, Of, Walk};
use super::rules::{Field, Rule};
use crate::facts::{Facts, OWN_INSTANCE, Receiver, Reference, ReferenceKind, Space, Value};
use crate::tree::At;
use ragnav_base::item::DefinitionKind;

impl Walk<'_> {
    /// Notes a mention, unless the name is a variable's.
    pub(super) fn mention(&mut self, at: At, kind: ReferenceKind) {
        let tree = self.tree;
        let text = tree.text(at);
        let offset = tree.node(at).start;
        let of = match self.of(at) {
            Of::Nothing if kind != ReferenceKind::Import && self.is_variable(at, kind) => return,
            Of::Name(name) if self.seen.is_local(name, offset) => Of::Unknown,
            // The parameter is one; another hides it.
            Of::Receiver(name) if self.seen.locals_at(name, offset) > 1 => Of::Unknown,
            of => of,
        };
        if text.is_empty() {
            return;
        }
        let around = self.around();
        let mut scope = self.scope_of(around);
        if kind == ReferenceKind::Import {
            self.name_import(at, scope);
        }
        if kind == ReferenceKind::Inherit
            && let Some(heir) = around.filter(|_| self.is_heir(at))
        {
            self.inherit(heir, text);
            if self.table.sees_members {
                self.seen.open(scope);
            }
            scope = self.scope_around(heir);
        }
        let reference = Reference {
            name: self.names.name(text),
            receiver: Receiver::Unknown,
            kind,
            at: self.position(at),
            scope,
            space: Space::Any,
        };
        self.mentions.push(Mention {
            text,
            of,
            reference,
        });
    }

    /// Methods and variables of a name are told apart where classes have their members' names.
    fn is_variable(&mut self, at: At, kind: ReferenceKind) -> bool {
        let is_method = kind == ReferenceKind::Call
            && matches!(self.tree.kind(self.tree.parent(at)), Rule::Invokes { .. });
        let node = self.tree.node(at);
        !is_method && self.seen.is_local(self.tree.text(at), node.start)
    }

    /// Whether what is inherited from stands in the head of a definition, and not in a block that adds members to one.
    fn is_heir(&self, at: At) -> bool {
        let mut inner = at;
        for _ in 0..8 {
            let parent = self.tree.parent(inner);
            if self.tree.kind(parent) == Rule::Members {
                return self.tree.node(inner).field != Field::Trait;
            }
            inner = parent;
        }
        true
    }

    /// Says of each mention what it is a member of, now that all definitions are known.
    pub(super) fn finish(mut self) -> Facts {
        let own = self.names.name(OWN_INSTANCE);
        let anything = self.names.name("");
        let mentions = std::mem::take(&mut self.mentions);
        for mention in mentions {
            let scope = mention.reference.scope;
            let is_definition = |name| self.seen.is_definition(&self.facts, scope, name);
            let receiver = match mention.of {
                Of::Nothing if is_definition(mention.text) => Receiver::None,
                Of::Own | Of::Receiver(_) => Receiver::Value(Value {
                    path: own,
                    called: false,
                }),
                Of::Name(name) if is_definition(name) => Receiver::Value(Value {
                    path: self.names.name(name),
                    called: false,
                }),
                Of::Nothing | Of::Name(_) | Of::Unknown => Receiver::Unknown,
            };
            let is_import = mention.reference.kind == ReferenceKind::Import;
            let receiver = if is_import {
                Receiver::Unknown
            } else {
                receiver
            };
            self.facts.references.push(Reference {
                receiver,
                ..mention.reference
            });
        }
        // What has members may have more than this file says.
        for definition in &mut self.facts.definitions {
            if !matches!(
                definition.kind,
                DefinitionKind::Function | DefinitionKind::Method
            ) {
                definition.bases.push(Value {
                    path: anything,
                    called: false,
                });
            }
        }
        self.facts.bindings.sort_by_key(|binding| binding.at);
        self.facts.names = self.names.into_texts();
        self.facts
    }
}
