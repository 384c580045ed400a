//! Names in scopes.

use std::collections::HashMap;

use crate::facts::{Facts, ScopeId};

/// More variables of a name than these are not looked through.
const MAX_LOCALS: usize = 16;

/// Names are looked up through no more scopes than these.
const MAX_SCOPES: usize = 64;

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
    pub(super) fn is_local(&mut self, name: &str, offset: u32) -> bool {
        self.locals_at(name, offset) > 0
    }

    /// How many variables of a name there are at an offset, one hiding the other.
    pub(super) fn locals_at(&mut self, name: &str, offset: u32) -> usize {
        let Some(seen) = self.locals.get_mut(name) else {
            return 0;
        };
        while seen.pop_if(|(_, to)| *to <= offset).is_some() {}
        let last = seen.iter().rev().take(MAX_LOCALS);
        let here = last.filter(|(from, to)| *from <= offset && offset < *to);
        here.count()
    }

    /// Whether a name means a definition of this file and nothing else.
    pub(super) fn is_definition(&self, facts: &Facts, scope: ScopeId, name: &str) -> bool {
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
