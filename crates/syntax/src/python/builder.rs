//! The state of the walk.

use super::kinds::{Field, FlatTree};
use crate::body_hash::Named;
use crate::facts::{
    DefinitionId, Facts, Name, Outer, ReferenceKind, Scope, ScopeId, ScopeKind, Value,
};
use crate::name_table::Names;
use crate::positions::Positions;
use crate::raw_definition::RawDefinition;
use crate::symbol::Symbol;
use crate::tree::At;
use ragnav_base::position::wire;

/// The module's scope.
pub(super) const MODULE: ScopeId = ScopeId(0);

/// What a node is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It is read.
    Read,
    /// It is an annotation, of which parts may stand in quotes.
    Annotation,
    /// It is called.
    Callee,
    /// A class inherits from it.
    Base,
    /// Something is assigned to it.
    Target(Option<Value>),
    /// It is read and assigned to: `target += 1`.
    Updated,
    /// It is a parameter.
    Parameter(Option<Value>),
    /// It declares type parameters.
    Declared,
    /// It is the last segment of a dotted name.
    Member(ReferenceKind),
    /// It is the last segment of a dotted name that is assigned to.
    TargetMember(Option<Value>),
    /// It is declared to be of an outer scope.
    Outer(Outer),
    /// It is a class's superclasses and keywords.
    Superclasses,
    /// It is the class that a pattern names.
    PatternClass,
    /// It is a comprehension's first `for`.
    FirstFor,
    /// Whoever gave this role took care of all that is inside.
    Done,
}

impl Role {
    /// The role of the elements of what has this role.
    pub(super) fn of_elements(self) -> Self {
        match self {
            Self::Target(_) => Self::Target(None),
            Self::Parameter(_) => Self::Parameter(None),
            Self::Annotation => Self::Annotation,
            _ => Self::Read,
        }
    }
}

/// What a node is for and where its names are looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    pub(super) role: Role,
    pub(super) scope: ScopeId,
}

/// What the walk knows of a scope besides the facts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surroundings {
    /// The nearest scope that is no comprehension's.
    pub(super) host: ScopeId,
    /// What a method calls its instance, and the scope of its class.
    pub(super) instance: Option<(Name, ScopeId)>,
    /// The scope of the function whose `return`s tell what it returns, since it does not say.
    pub(super) returns: Option<ScopeId>,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self {
            host: MODULE,
            instance: None,
            returns: None,
        }
    }
}

/// The walk with what it found so far.
pub(super) struct Walk<'t> {
    pub(super) tree: &'t FlatTree<'t>,
    pub(super) facts: Facts,
    pub(super) names: Names<'t>,
    pub(super) positions: Positions<'t>,
    /// What else is known of [`Facts::scopes`].
    pub(super) surroundings: Vec<Surroundings>,
    /// The definitions that are still to come, in reverse.
    pub(super) expected: Vec<(RawDefinition, Symbol)>,
    /// The nodes of the definitions that came.
    pub(super) found: Vec<Named>,
    /// One for each node of the tree, set before the node's turn comes.
    pub(super) contexts: Vec<Context>,
}

impl Walk<'_> {
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

    pub(super) fn give_operand(&mut self, at: At, index: usize, role: Role, scope: ScopeId) {
        let operand = self.tree.operands(at).nth(index);
        if let Some(operand) = operand {
            self.give(operand, role, scope);
        }
    }

    pub(super) fn surroundings(&self, scope: ScopeId) -> Surroundings {
        let surroundings = self.surroundings.get(scope.0 as usize);
        surroundings.copied().unwrap_or_default()
    }

    pub(super) fn open(
        &mut self,
        kind: ScopeKind,
        parent: ScopeId,
        definition: Option<DefinitionId>,
    ) -> ScopeId {
        let scope = ScopeId(wire(self.facts.scopes.len()));
        let around = self.surroundings(parent);
        let is_comprehension = kind == ScopeKind::Comprehension;
        self.surroundings.push(Surroundings {
            host: if is_comprehension { around.host } else { scope },
            returns: None,
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
        self.scope(scope)
            .and_then(|scope| scope.parent)
            .unwrap_or(MODULE)
    }
}
