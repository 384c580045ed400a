//! The state of the walk.

use std::collections::{HashMap, HashSet};

use super::definitions::Found;
use super::kinds::{Field, FlatTree};
use super::roles::{Context, MODULE, Role, To};
use crate::facts::{DefinitionId, Facts, ImportId, Name, Position, Scope, ScopeId, ScopeKind};
use crate::name_table::Names;
use crate::positions::Positions;
use crate::tree::At;
use ragnav_base::position::wire;

/// An assignment to a name that is declared somewhere.
#[derive(Debug, Clone, Copy)]
pub(super) struct Assigned {
    pub(super) name: Name,
    pub(super) at: Position,
    pub(super) to: To,
    pub(super) scope: ScopeId,
}

/// A module of which everything is exported, by the name that it goes by in this one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Star {
    pub(super) name: Name,
    pub(super) at: Position,
}

/// What the walk knows of a scope besides the facts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surroundings {
    /// The scope that `var` and function declarations bind in.
    pub(super) host: ScopeId,
    /// The scope of the function, or else of the namespace or module, that is around.
    pub(super) function: ScopeId,
    /// The scope of the class or function whose instance `this` is.
    pub(super) instance: Option<ScopeId>,
    /// Whether functions that blocks declare are the blocks' own.
    pub(super) is_strict: bool,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self {
            host: MODULE,
            function: MODULE,
            instance: None,
            is_strict: false,
        }
    }
}

/// The walk with what it found so far.
pub(super) struct Walk<'f, 't> {
    pub(super) tree: &'f FlatTree<'t>,
    pub(super) facts: Facts,
    pub(super) names: Names<'t>,
    pub(super) positions: Positions<'t>,
    /// What else is known of [`Facts::scopes`].
    pub(super) surroundings: Vec<Surroundings>,
    pub(super) found: Vec<Found<'t>>,
    pub(super) assigned: Vec<Assigned>,
    /// The imports that calls are, and members of calls.
    pub(super) imported: HashMap<At, ImportId>,
    /// The imports that names are bound to.
    pub(super) bound_imports: HashMap<At, ImportId>,
    /// The scopes that bind a name by which the module's exports go, and the name.
    pub(super) shadows: HashSet<(ScopeId, &'static str)>,
    pub(super) stars: Vec<Star>,
    /// The names of import aliases.
    pub(super) aliases: HashSet<&'t str>,
    /// One for each node of the tree, set before the node's turn comes.
    pub(super) contexts: Vec<Context>,
}

impl Walk<'_, '_> {
    pub(super) fn role(&self, at: At) -> Role {
        let context = self.contexts.get(at);
        context.map_or(Role::Read, |context| context.role)
    }

    pub(super) fn give(&mut self, at: At, role: Role, scope: ScopeId) {
        if let Some(context) = self.contexts.get_mut(at) {
            *context = Context { role, scope };
        }
    }

    pub(super) fn give_all(&mut self, at: At, role: Role, scope: ScopeId) {
        let tree = self.tree;
        for child in tree.children(at) {
            self.give(child, role, scope);
        }
    }

    pub(super) fn give_field(&mut self, at: At, field: Field, role: Role, scope: ScopeId) {
        if let Some(child) = self.tree.child(at, field) {
            self.give(child, role, scope);
        }
    }

    pub(super) fn give_first(&mut self, at: At, role: Role, scope: ScopeId) {
        let first = self.tree.operands(at).next();
        if let Some(first) = first {
            self.give(first, role, scope);
        }
    }

    pub(super) fn surroundings(&self, scope: ScopeId) -> Surroundings {
        let surroundings = self.surroundings.get(scope.0 as usize);
        surroundings.copied().unwrap_or_default()
    }

    pub(super) fn set_instance(&mut self, scope: ScopeId, instance: Option<ScopeId>) {
        if let Some(inside) = self.surroundings.get_mut(scope.0 as usize) {
            inside.instance = instance;
        }
    }

    pub(super) fn set_host(&mut self, scope: ScopeId) {
        if let Some(inside) = self.surroundings.get_mut(scope.0 as usize) {
            inside.host = scope;
        }
    }

    pub(super) fn set_strict(&mut self, scope: ScopeId) {
        if let Some(inside) = self.surroundings.get_mut(scope.0 as usize) {
            inside.is_strict = true;
        }
    }

    pub(super) fn open(
        &mut self,
        kind: ScopeKind,
        parent: ScopeId,
        definition: Option<DefinitionId>,
    ) -> ScopeId {
        let scope = ScopeId(wire(self.facts.scopes.len()));
        let around = self.surroundings(parent);
        let is_host = matches!(
            kind,
            ScopeKind::Arrow | ScopeKind::Function | ScopeKind::Namespace
        );
        self.surroundings.push(Surroundings {
            host: if is_host { scope } else { around.host },
            function: if is_host { scope } else { around.function },
            ..around
        });
        let definition = definition.or_else(|| self.scope(parent)?.definition);
        self.facts.scopes.push(Scope {
            kind,
            parent: Some(parent),
            definition,
        });
        scope
    }

    pub(super) fn scope(&self, scope: ScopeId) -> Option<&Scope> {
        self.facts.scopes.get(scope.0 as usize)
    }

    pub(super) fn around(&self, scope: ScopeId) -> ScopeId {
        let around = self.scope(scope).and_then(|scope| scope.parent);
        around.unwrap_or(MODULE)
    }
}
