//! Classes, interfaces, enums and their members.
//!
//! A class's names are seen as its members only: what is evaluated in its body is looked up around it or, in what
//! `this` is the instance, in a function's scope inside it.

use super::builder::Walk;
use super::kinds::{Field, Kind};
use super::roles::{Binds, Context, Role, To, is_exported};
use crate::facts::{Bound, DefinitionId, ScopeId, ScopeKind};
use crate::tree::At;

impl Walk<'_, '_> {
    pub(super) fn class(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let id = self.definition_at(at);
        let mut around = context.scope;
        // A class that is a value is seen by its own name inside itself alone.
        if !tree.is_declaration(at) && tree.child(at, Field::Name).is_some() {
            around = self.open(ScopeKind::Block, around, None);
        }
        self.bind_type(at, id, around, is_exported(context));
        let around = self.type_parameters(at, around, id);
        let scope = self.open(ScopeKind::Class, around, id);
        self.own_scope(id, scope);
        self.set_instance(scope, Some(scope));
        self.set_strict(scope);
        for child in tree.children(at) {
            if tree.kind(child) == Kind::ClassHeritage {
                self.give(child, Role::Read, around);
            }
        }
        self.give_field(at, Field::Body, Role::Read, scope);
    }

    pub(super) fn interface(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let id = self.definition_at(at);
        self.bind_type(at, id, context.scope, is_exported(context));
        let around = self.type_parameters(at, context.scope, id);
        let scope = self.open(ScopeKind::Class, around, id);
        self.own_scope(id, scope);
        self.set_instance(scope, None);
        for child in tree.children(at) {
            if tree.kind(child) == Kind::ExtendsClause {
                self.give(child, Role::Read, around);
            }
        }
        self.give_field(at, Field::Body, Role::Read, scope);
    }

    pub(super) fn type_alias(&mut self, at: At, context: Context) {
        let id = self.definition_at(at);
        self.bind_type(at, id, context.scope, is_exported(context));
        let scope = self.open(ScopeKind::TypeParameters, context.scope, id);
        self.own_scope(id, scope);
        self.give_field(at, Field::TypeParameters, Role::Read, scope);
        self.give_field(at, Field::Value, Role::Read, scope);
    }

    pub(super) fn enumeration(&mut self, at: At, context: Context) {
        let id = self.definition_at(at);
        self.bind_type(at, id, context.scope, is_exported(context));
        let scope = self.open(ScopeKind::Class, context.scope, id);
        self.own_scope(id, scope);
        self.give_field(at, Field::Body, Role::Read, scope);
    }

    pub(super) fn enum_body(&mut self, at: At, context: Context) {
        let tree = self.tree;
        for child in tree.children(at) {
            if tree.node(child).field == Field::Name {
                self.bind_member(child, Bound::Variable(None), context.scope, context.scope);
            }
        }
    }

    pub(super) fn enum_assignment(&mut self, at: At, context: Context) {
        let said = self.tree.child(at, Field::Value);
        let said = said.and_then(|value| self.tree.value(value));
        let value = self.value(said);
        if let Some(name) = self.tree.child(at, Field::Name) {
            self.bind_member(name, Bound::Variable(value), context.scope, context.scope);
        }
    }

    /// The name of a class or type.
    fn bind_type(&mut self, at: At, id: Option<DefinitionId>, scope: ScopeId, exported: bool) {
        let to = id.map_or(To::Variable(None), To::Definition);
        let binds = Binds {
            scope,
            to,
            exported,
        };
        self.give_field(at, Field::Name, Role::Bound(binds), scope);
    }

    pub(super) fn heritage(&mut self, at: At, context: Context) {
        let tree = self.tree;
        for base in tree.operands(at) {
            let is_base = tree.kind(base) != Kind::TypeArguments;
            self.give(
                base,
                if is_base { Role::Base } else { Role::Read },
                context.scope,
            );
        }
    }

    /// What is in a class's body and no member is evaluated around it.
    pub(super) fn members(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let around = self.around(context.scope);
        for child in tree.children(at) {
            let is_member = matches!(
                tree.kind(child),
                Kind::ClassStaticBlock
                    | Kind::FieldDefinition
                    | Kind::Method
                    | Kind::MethodSignature
                    | Kind::PropertySignature
            );
            if !is_member {
                self.give(child, Role::Read, around);
            }
        }
    }

    pub(super) fn field(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let around = self.around(context.scope);
        self.give_all(at, Role::Read, around);
        let Some(name) = tree.field_name(at) else {
            return;
        };
        let value = tree.child(at, Field::Value);
        let inside = self.initializer(value, context.scope, around);
        let annotation = tree.child(at, Field::Type);
        let annotated = annotation.and_then(|annotation| tree.annotation(annotation));
        let value_scope = if annotated.is_some() { around } else { inside };
        let to = match self.to(name, value, annotated) {
            To::Definition(id) => Bound::Definition(id),
            To::Variable(value) => Bound::Attribute(value),
            To::Import(_) | To::Parameter(_) => Bound::Attribute(None),
        };
        self.bind_member(name, to, context.scope, value_scope);
    }

    /// Where a field's value is evaluated: in a function that is called for each instance.
    fn initializer(&mut self, value: Option<At>, class: ScopeId, around: ScopeId) -> ScopeId {
        let tree = self.tree;
        let Some(value) = value else {
            return around;
        };
        let scope = match tree.kind(value) {
            Kind::ArrowFunction | Kind::FunctionExpression => class,
            Kind::This => self.open(ScopeKind::Function, class, None),
            _ if tree.is_leaf(value) => around,
            _ => self.open(ScopeKind::Function, class, None),
        };
        self.give(value, Role::Read, scope);
        scope
    }

    pub(super) fn static_block(&mut self, at: At, context: Context) {
        let scope = self.open(ScopeKind::Function, context.scope, None);
        self.give_all(at, Role::Body, scope);
    }

    /// A property of an interface; a type's own have no scope to be bound in.
    pub(super) fn property_signature(&mut self, at: At, context: Context) {
        let tree = self.tree;
        if tree.kind(tree.parent(at)) != Kind::InterfaceBody {
            return;
        }
        let around = self.around(context.scope);
        self.give_all(at, Role::Read, around);
        let annotation = tree.child(at, Field::Type);
        let said = annotation.and_then(|annotation| tree.annotation(annotation));
        let value = self.value(said);
        if let Some(name) = tree.child(at, Field::Name) {
            self.bind_member(name, Bound::Attribute(value), context.scope, around);
        }
    }
}
