//! Tracks which names are variables and which are definitions.

use ragnav_base::hash::HashMap;

use crate::facts::{Facts, ScopeId};

/// The number of variables of one name that are searched at an offset.
const MAX_LOCALS: usize = 16;

/// The number of scopes through which a name is looked up.
const MAX_SCOPES: usize = 64;

/// The kind of definition that a name is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameTarget {
    /// Functions of this file.
    Functions,
    /// Types and namespaces of this file.
    Types,
    /// Fields, to which no reference refers.
    Variable,
    /// Something else, or definitions of several kinds, so that the use decides.
    Other,
}

/// The visible names of the scopes of one file.
#[derive(Debug, Default)]
pub(super) struct NameScopes<'t> {
    /// The range in which each variable of a name is visible. The last range ends first.
    variables: HashMap<&'t str, Vec<(u32, u32)>>,
    /// The kind of definition that each name of a scope is bound to.
    bound: HashMap<(ScopeId, &'t str), NameTarget>,
    scopes: Vec<ScopeFlags>,
    /// The instance parameter of each enclosing definition.
    own: Vec<Option<&'t str>>,
}

/// Whether outer names are visible in a scope.
#[derive(Debug, Clone, Copy, Default)]
struct ScopeFlags {
    /// Whether the scope may contain names that the file does not spell out.
    is_open: bool,
}

impl<'t> NameScopes<'t> {
    pub(super) fn add_scope(&mut self) {
        self.scopes.push(ScopeFlags::default());
    }

    pub(super) fn bind(&mut self, scope: ScopeId, name: &'t str, to: NameTarget) {
        let bound = self.bound.entry((scope, name)).or_insert(to);
        if *bound != to {
            *bound = NameTarget::Other;
        }
    }

    /// Marks a scope as one that may contain any name.
    pub(super) fn mark_open(&mut self, scope: ScopeId) {
        if let Some(flags) = self.scopes.get_mut(scope.0 as usize) {
            flags.is_open = true;
        }
    }

    pub(super) fn enter_definition(&mut self, own: Option<&'t str>) {
        self.own.push(own);
    }

    pub(super) fn leave_definition(&mut self) {
        self.own.pop();
    }

    /// Reports whether the innermost definition has an instance parameter of this name.
    pub(super) fn is_own(&self, name: &str) -> bool {
        self.own.last().copied().flatten() == Some(name)
    }

    pub(super) fn add_variable(&mut self, name: &'t str, start: u32, end: u32) {
        self.variables.entry(name).or_default().push((start, end));
    }

    /// Reports whether a name is a variable at an offset. Offsets must not decrease between calls.
    pub(super) fn is_variable_at(&mut self, name: &str, offset: u32) -> bool {
        self.count_variables_at(name, offset) > 0
    }

    /// Counts the variables of a name that are visible at an offset; inner ones shadow outer ones.
    pub(super) fn count_variables_at(&mut self, name: &str, offset: u32) -> usize {
        let Some(ranges) = self.variables.get_mut(name) else {
            return 0;
        };
        while ranges.pop_if(|(_, end)| *end <= offset).is_some() {}
        let last = ranges.iter().rev().take(MAX_LOCALS);
        let here = last.filter(|(start, end)| *start <= offset && offset < *end);
        here.count()
    }

    /// Reports whether a name certainly refers to a definition of this file.
    pub(super) fn is_definition(&self, facts: &Facts, scope: ScopeId, name: &str) -> bool {
        self.target_of(facts, scope, name).is_some()
    }

    /// Returns the kind of the definitions of this file that a name certainly refers to.
    pub(super) fn target_of(
        &self,
        facts: &Facts,
        scope: ScopeId,
        name: &str,
    ) -> Option<NameTarget> {
        let target = self.target(facts, scope, name);
        matches!(target, NameTarget::Functions | NameTarget::Types).then_some(target)
    }

    /// Returns what a name in a scope refers to, which is `Other` if the file does not tell.
    pub(super) fn target(&self, facts: &Facts, scope: ScopeId, name: &str) -> NameTarget {
        let mut next = Some(scope);
        for _ in 0..MAX_SCOPES {
            let Some(scope) = next else {
                break;
            };
            if let Some(to) = self.bound.get(&(scope, name)) {
                return *to;
            }
            let flags = self.scopes.get(scope.0 as usize).copied();
            if flags.is_none_or(|flags| flags.is_open) {
                break;
            }
            next = facts.scope(scope).and_then(|scope| scope.parent);
        }
        NameTarget::Other
    }
}
