//! Visits the statements that open scopes: blocks, loops, `catch` and namespaces.

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::roles::{Context, Declaration, DeclaredTarget, Role, is_exported, variable_role};
use crate::facts::{DefinitionId, ScopeId, ScopeKind, Value};
use crate::tree::NodeIndex;

impl FactsBuilder<'_, '_> {
    /// Opens a scope for type parameters, if there are any.
    pub(super) fn type_parameters(
        &mut self,
        node: NodeIndex,
        enclosing: ScopeId,
        definition: Option<DefinitionId>,
    ) -> ScopeId {
        let Some(parameters) = self.tree.child(node, Field::TypeParameters) else {
            return enclosing;
        };
        let scope = self.open_scope(ScopeKind::TypeParameters, enclosing, definition);
        self.roles.set(parameters, Role::Read, scope);
        scope
    }

    pub(super) fn visit_block(&mut self, node: NodeIndex, context: Context) {
        let is_strict = self.scope_info(context.scope).is_strict;
        let narrowed = self.narrowed_before(node);
        let binds = !narrowed.is_empty() || self.tree.binds_in_block(node, is_strict);
        // The names of `declare global` are those of the module, too.
        if context.role == Role::Body || !binds || self.tree.is_ambient(node) {
            return;
        }
        let scope = self.open_scope(ScopeKind::Block, context.scope, None);
        self.bind_narrowed(narrowed, scope);
        self.roles.set_children(node, Role::Read, scope);
    }

    pub(super) fn visit_for_loop(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let initializer = tree.child(node, Field::Initializer);
        if initializer.is_some_and(|first| tree.kind(first) == Kind::LexicalDeclaration) {
            let scope = self.open_scope(ScopeKind::Block, context.scope, None);
            self.roles.set_children(node, Role::Read, scope);
        }
    }

    pub(super) fn visit_for_in(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let word = tree
            .child(node, Field::KindWord)
            .map(|word| tree.text(word));
        let nothing = DeclaredTarget::Variable(self.element_of(node));
        let (role, inside) = match word {
            None => (Role::AssignmentTarget(nothing), context.scope),
            Some("var") => {
                let variable_scope = self.scope_info(context.scope).variable_scope;
                (declared_role(variable_scope, nothing), context.scope)
            }
            Some(_) => {
                let scope = self.open_scope(ScopeKind::Block, context.scope, None);
                (declared_role(scope, nothing), scope)
            }
        };
        self.roles.set_field(node, Field::Left, role, inside);
        self.roles.set_field(node, Field::Body, Role::Read, inside);
    }

    /// Returns the value of the variable of a loop over the elements of a container.
    fn element_of(&mut self, node: NodeIndex) -> Option<Value> {
        let tree = self.tree;
        let is_of = |child| tree.kind(child) == Kind::Token && tree.text(child) == "of";
        if !self.is_typed || !tree.children(node).any(is_of) {
            return None;
        }
        let container = self.value_text(tree.child(node, Field::Right)?)?;
        let path = format!("{}*", container.into_path());
        Some(Value {
            path: self.intern(path),
            is_called: false,
        })
    }

    pub(super) fn visit_catch(&mut self, node: NodeIndex, context: Context) {
        let Some(parameter) = self.tree.child(node, Field::Parameter) else {
            return;
        };
        let scope = self.open_scope(ScopeKind::Block, context.scope, None);
        self.roles.set(parameter, variable_role(scope), scope);
        self.roles.set_field(node, Field::Body, Role::Read, scope);
    }

    /// Visits `namespace A.B {}`, which binds `A`.
    pub(super) fn visit_namespace(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let id = self.definition_at(node);
        let scope = self.open_scope(ScopeKind::Namespace, context.scope, id);
        self.set_instance(scope, None);
        self.set_definition_scope(id, scope);
        self.roles.set_field(node, Field::Body, Role::Body, scope);
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, context.scope);
        let target = match id {
            Some(id) if tree.is_leaf(name) => DeclaredTarget::Definition(id),
            _ => DeclaredTarget::Variable(None),
        };
        let first = tree.segments(name).and_then(|names| names.first().copied());
        if let Some(first) = first {
            let declaration = Declaration {
                scope: context.scope,
                target,
                is_exported: is_exported(context),
            };
            self.bind(first, declaration, context.scope);
        }
    }
}

/// Returns the role of a name that is declared as a variable of a scope with this value.
fn declared_role(scope: ScopeId, target: DeclaredTarget) -> Role {
    Role::Declared(Declaration {
        scope,
        target,
        is_exported: false,
    })
}

impl FlatTree<'_> {
    /// Reports whether a module or function body is in strict mode.
    ///
    /// Modules with imports or exports are, and bodies that begin with `"use strict"`.
    pub(super) fn is_strict(&self, body: NodeIndex) -> bool {
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

    /// Reports whether a block is that of `declare global { … }`.
    pub(super) fn is_ambient(&self, block: NodeIndex) -> bool {
        self.kind(block) == Kind::Block && self.kind(self.parent(block)) == Kind::AmbientDeclaration
    }

    /// Reports whether a block binds names that are invisible outside of it.
    fn binds_in_block(&self, block: NodeIndex, is_strict: bool) -> bool {
        self.children(block).any(|child| match self.kind(child) {
            Kind::LexicalDeclaration
            | Kind::Class
            | Kind::Enum
            | Kind::Interface
            | Kind::TypeAlias
            | Kind::Namespace => true,
            Kind::FunctionDeclaration => is_strict,
            Kind::SwitchCase => self.binds_in_block(child, is_strict),
            _ => false,
        })
    }
}
