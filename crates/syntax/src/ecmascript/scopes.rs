//! Scopes, and the statements that open some: blocks, loops, `catch`, namespaces.

use super::facts::{Binds, Context, MODULE, Role, To, Walk};
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{DefinitionId, Scope, ScopeId, ScopeKind};
use crate::tree::At;
use ragnav_base::position::wire;

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

impl Walk<'_, '_> {
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

    /// Opens the scope of type parameters where there are some.
    pub(super) fn type_parameters(
        &mut self,
        at: At,
        around: ScopeId,
        definition: Option<DefinitionId>,
    ) -> ScopeId {
        let Some(parameters) = self.tree.child(at, Field::TypeParameters) else {
            return around;
        };
        let scope = self.open(ScopeKind::TypeParameters, around, definition);
        self.give(parameters, Role::Read, scope);
        scope
    }

    pub(super) fn block(&mut self, at: At, context: Context) {
        let is_strict = self.surroundings(context.scope).is_strict;
        if context.role == Role::Body || !self.tree.binds_in_block(at, is_strict) {
            return;
        }
        let scope = self.open(ScopeKind::Block, context.scope, None);
        self.give_all(at, Role::Read, scope);
    }

    pub(super) fn for_loop(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let initializer = tree.child(at, Field::Initializer);
        if initializer.is_some_and(|first| tree.kind(first) == Kind::LexicalDeclaration) {
            let scope = self.open(ScopeKind::Block, context.scope, None);
            self.give_all(at, Role::Read, scope);
        }
    }

    pub(super) fn for_in(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let word = tree.child(at, Field::KindWord).map(|word| tree.text(word));
        let nothing = To::Variable(None);
        let (role, inside) = match word {
            None => (Role::Assigned(nothing), context.scope),
            Some("var") => {
                let host = self.surroundings(context.scope).host;
                (declared(host), context.scope)
            }
            Some(_) => {
                let scope = self.open(ScopeKind::Block, context.scope, None);
                (declared(scope), scope)
            }
        };
        self.give_field(at, Field::Left, role, inside);
        self.give_field(at, Field::Body, Role::Read, inside);
    }

    pub(super) fn catch(&mut self, at: At, context: Context) {
        let Some(parameter) = self.tree.child(at, Field::Parameter) else {
            return;
        };
        let scope = self.open(ScopeKind::Block, context.scope, None);
        self.give(parameter, declared(scope), scope);
        self.give_field(at, Field::Body, Role::Read, scope);
    }

    /// `namespace A.B {}` binds `A`.
    pub(super) fn namespace(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let id = self.definition_at(at);
        let scope = self.open(ScopeKind::Namespace, context.scope, id);
        self.set_instance(scope, None);
        self.own_scope(id, scope);
        self.give_field(at, Field::Body, Role::Body, scope);
        let Some(name) = tree.child(at, Field::Name) else {
            return;
        };
        self.give(name, Role::Done, context.scope);
        let to = match id {
            Some(id) if tree.is_leaf(name) => To::Definition(id),
            _ => To::Variable(None),
        };
        let first = tree.segments(name).and_then(|names| names.first().copied());
        if let Some(first) = first {
            let binds = Binds {
                scope: context.scope,
                to,
                exported: is_exported(context),
            };
            self.bind(first, binds, context.scope);
        }
    }
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

impl FlatTree<'_> {
    /// Whether a module or a function's body is strict: by what it imports and exports, or since it says so.
    pub(super) fn is_strict(&self, body: At) -> bool {
        self.operands(body).any(|child| match self.kind(child) {
            Kind::ImportStatement | Kind::Export => true,
            Kind::ExpressionStatement => {
                let mut operands = self.operands(child);
                let directive = operands.next().and_then(|text| self.string_content(text));
                directive == Some("use strict")
            }
            _ => false,
        })
    }

    /// Whether a declaration is one of what is there without it: `declare global { … }`.
    pub(super) fn is_ambient(&self, declaration: At) -> bool {
        let block = self.parent(declaration);
        self.kind(self.parent(block)) == Kind::AmbientDeclaration
    }

    /// Whether a block's statements bind names that are not seen outside it.
    fn binds_in_block(&self, block: At, is_strict: bool) -> bool {
        self.children(block).any(|child| match self.kind(child) {
            Kind::LexicalDeclaration
            | Kind::Class
            | Kind::Enum
            | Kind::Interface
            | Kind::TypeAlias
            | Kind::Namespace => true,
            Kind::FunctionDeclaration => is_strict && !self.is_ambient(child),
            Kind::SwitchCase => self.binds_in_block(child, is_strict),
            _ => false,
        })
    }
}
