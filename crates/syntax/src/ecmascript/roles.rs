//! What nodes are for.

use crate::facts::{DefinitionId, ImportId, ReferenceKind, ScopeId, Value};

/// The module's scope.
pub(super) const MODULE: ScopeId = ScopeId(0);

/// What a name is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    Variable(Option<Value>),
    Parameter(Option<Value>),
    Definition(DefinitionId),
    Import(ImportId),
}

impl To {
    /// What the parts of a pattern are bound to that is bound to this.
    pub(super) fn of_parts(self) -> Self {
        match self {
            Self::Parameter(_) => Self::Parameter(None),
            _ => Self::Variable(None),
        }
    }
}

/// A name's binding in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Binds {
    pub(super) scope: ScopeId,
    pub(super) to: To,
    /// Whether the module exports the name.
    pub(super) exported: bool,
}

/// What a node is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It is read.
    Read,
    /// It is called.
    Callee,
    /// A class inherits from it.
    Base,
    /// It is declared.
    Bound(Binds),
    /// Something is assigned to it.
    Assigned(To),
    /// It is the last segment of a dotted name.
    Member(ReferenceKind),
    /// It is the last segment of a dotted name that is assigned to.
    AssignedMember(To),
    /// It is a declaration that is exported by its names.
    Exported,
    /// It is the body of what opened a scope.
    Body,
    /// It is the signature of a function's type, whose parameters are none of a scope.
    Signature,
    /// Whoever gave this role took care of all that is inside.
    Done,
}

/// What a node is for and where its names are looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    pub(super) role: Role,
    pub(super) scope: ScopeId,
}

/// A variable of a scope.
pub(super) fn declared(scope: ScopeId) -> Role {
    Role::Bound(Binds {
        scope,
        to: To::Variable(None),
        exported: false,
    })
}

/// Whether the module exports what a statement declares.
pub(super) fn is_exported(context: Context) -> bool {
    context.role == Role::Exported && context.scope == MODULE
}

/// Whether names in this scope are the module's.
pub(super) fn is_module(context: Context) -> bool {
    context.scope == MODULE
}
