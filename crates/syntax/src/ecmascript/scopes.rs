//! Scopes, and the statements that open some: blocks, loops, `catch`, namespaces.

use super::builder::Walk;
use super::kinds::{Field, FlatTree, Kind};
use super::roles::{Binds, Context, Role, To, declared, is_exported};
use crate::facts::{DefinitionId, ScopeId, ScopeKind};
use crate::tree::At;

impl Walk<'_, '_> {
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
