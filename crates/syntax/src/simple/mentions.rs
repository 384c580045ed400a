//! Which mentions of names may be definitions', and what they are members of.

use std::collections::HashMap;

use super::rules::{Field, Rule};
use super::scopes::MODULE;
use super::walk::Walk;
use crate::facts::{
    DefinitionId, Facts, OWN_INSTANCE, Receiver, Reference, ReferenceKind, ScopeId, Space, Value,
};
use crate::tree::At;
use ragnav_base::item::DefinitionKind;

/// More variables of a name than these are not looked through.
const MAX_LOCALS: usize = 16;
/// Names are looked up through no more scopes than these.
const MAX_SCOPES: usize = 64;

/// What stands before a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of<'t> {
    Nothing,
    /// What the instance or class calls itself.
    Own,
    /// The parameter that is the instance.
    Receiver(&'t str),
    Name(&'t str),
    Unknown,
}

/// A name that is no variable's.
#[derive(Debug)]
pub(super) struct Mention<'t> {
    text: &'t str,
    of: Of<'t>,
    reference: Reference,
}

/// What a name is bound to, however often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    /// Functions of this file.
    Functions,
    /// Types and namespaces of this file.
    Types,
    /// Something else, or different things: which one is meant depends on the place.
    Other,
}

/// What is known of names so far.
#[derive(Debug, Default)]
pub(super) struct Seen<'t> {
    /// From where to where each variable of a name is seen; the last one ends first.
    locals: HashMap<&'t str, Vec<(u32, u32)>>,
    /// What each name in a scope is bound to.
    bound: HashMap<(ScopeId, &'t str), To>,
    scopes: Vec<Sight>,
    /// What the functions around call their instance.
    own: Vec<Option<&'t str>>,
}

/// What of the names around a scope is seen in it.
#[derive(Debug, Clone, Copy, Default)]
struct Sight {
    is_sealed: bool,
    /// It may have names that are not said.
    is_open: bool,
}

impl<'t> Seen<'t> {
    pub(super) fn add_scope(&mut self, is_sealed: bool) {
        self.scopes.push(Sight {
            is_sealed,
            is_open: false,
        });
    }

    pub(super) fn bind(&mut self, scope: ScopeId, name: &'t str, to: To) {
        let bound = self.bound.entry((scope, name)).or_insert(to);
        if *bound != to {
            *bound = To::Other;
        }
    }

    /// All that is around a scope is seen in it as well.
    pub(super) fn unseal(&mut self, scope: ScopeId) {
        if let Some(sight) = self.scopes.get_mut(scope.0 as usize) {
            sight.is_sealed = false;
        }
    }

    /// A scope may have any name.
    pub(super) fn open(&mut self, scope: ScopeId) {
        if let Some(sight) = self.scopes.get_mut(scope.0 as usize) {
            sight.is_open = true;
        }
    }

    pub(super) fn enter_definition(&mut self, own: Option<&'t str>) {
        self.own.push(own);
    }

    pub(super) fn leave_definition(&mut self) {
        self.own.pop();
    }

    /// Whether a function around calls its instance so.
    pub(super) fn is_own(&self, name: &str) -> bool {
        self.own.last().copied().flatten() == Some(name)
    }

    pub(super) fn add_local(&mut self, name: &'t str, from: u32, to: u32) {
        self.locals.entry(name).or_default().push((from, to));
    }

    /// Whether a name is a variable at an offset; the offsets asked for ascend.
    fn is_local(&mut self, name: &str, offset: u32) -> bool {
        self.locals_at(name, offset) > 0
    }

    /// How many variables of a name there are at an offset, one hiding the other.
    fn locals_at(&mut self, name: &str, offset: u32) -> usize {
        let Some(seen) = self.locals.get_mut(name) else {
            return 0;
        };
        while seen.pop_if(|(_, to)| *to <= offset).is_some() {}
        let last = seen.iter().rev().take(MAX_LOCALS);
        let here = last.filter(|(from, to)| *from <= offset && offset < *to);
        here.count()
    }

    /// Whether a name means a definition of this file and nothing else.
    fn is_definition(&self, facts: &Facts, scope: ScopeId, name: &str) -> bool {
        let mut next = Some(scope);
        for _ in 0..MAX_SCOPES {
            let Some(scope) = next else {
                return false;
            };
            if let Some(to) = self.bound.get(&(scope, name)) {
                return *to != To::Other;
            }
            let sight = self.scopes.get(scope.0 as usize).copied();
            if sight.is_none_or(|sight| sight.is_sealed || sight.is_open) {
                return false;
            }
            next = facts
                .scopes
                .get(scope.0 as usize)
                .and_then(|scope| scope.parent);
        }
        false
    }
}

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

    fn scope_around(&self, definition: DefinitionId) -> ScopeId {
        let scope = self.scope_of(Some(definition));
        let scope = self.facts.scopes.get(scope.0 as usize);
        scope.and_then(|scope| scope.parent).unwrap_or(MODULE)
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
