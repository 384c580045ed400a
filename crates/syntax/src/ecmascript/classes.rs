//! Visits classes, interfaces, enums and their members.
//!
//! The names of a class are visible only as members. Code in its body is evaluated in the enclosing
//! scope or, where `this` is the instance, in a function scope inside the class.

use super::annotations::type_number;
use super::builder::FactsBuilder;
use super::kinds::{Field, Kind};
use super::roles::{Context, Declaration, DeclaredTarget, Role, is_exported};
use crate::facts::{
    BindingTarget, CALL_SIGNATURE, CONSTRUCT_SIGNATURE, DefinitionId, INDEX_SIGNATURE,
    NAMELESS_BASE, ScopeId, ScopeKind,
};
use crate::tree::NodeIndex;

impl FactsBuilder<'_, '_> {
    pub(super) fn visit_class(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let id = self.definition_at(node);
        let mut enclosing = context.scope;
        // The name of a class expression is visible only inside it.
        if !tree.is_declaration(node) && tree.child(node, Field::Name).is_some() {
            enclosing = self.open_scope(ScopeKind::Block, enclosing, None);
        }
        self.bind_type(node, id, enclosing, is_exported(context));
        let enclosing = self.type_parameters(node, enclosing, id);
        let scope = self.open_scope(ScopeKind::Class, enclosing, id);
        self.set_definition_scope(id, scope);
        self.set_instance(scope, Some(scope));
        self.set_strict(scope);
        if id.is_none() {
            self.bind_nameless_bases(node, (enclosing, scope));
        }
        for child in tree.children(node) {
            if tree.kind(child) == Kind::ClassHeritage {
                self.roles.set(child, Role::Read, enclosing);
            }
        }
        self.roles.set_field(node, Field::Body, Role::Read, scope);
    }

    /// Binds the bases of a class without a name in its scope, because no definition keeps them.
    fn bind_nameless_bases(&mut self, node: NodeIndex, (around, scope): (ScopeId, ScopeId)) {
        let name = self.intern(NAMELESS_BASE);
        for base in self.tree.bases(node, self.is_typed) {
            let target = BindingTarget::Attribute(self.intern_value(Some(base)));
            self.bind_name(name, node, scope, target, around);
        }
    }

    pub(super) fn visit_interface(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let id = self.definition_at(node);
        self.bind_type(node, id, context.scope, is_exported(context));
        let enclosing = self.type_parameters(node, context.scope, id);
        let scope = self.open_scope(ScopeKind::Class, enclosing, id);
        self.set_definition_scope(id, scope);
        self.set_instance(scope, None);
        for child in tree.children(node) {
            if tree.kind(child) == Kind::ExtendsClause {
                self.roles.set(child, Role::Read, enclosing);
            }
        }
        self.roles.set_field(node, Field::Body, Role::Read, scope);
    }

    pub(super) fn visit_type_alias(&mut self, node: NodeIndex, context: Context) {
        let id = self.definition_at(node);
        self.bind_type(node, id, context.scope, is_exported(context));
        let scope = self.open_scope(ScopeKind::TypeParameters, context.scope, id);
        self.set_definition_scope(id, scope);
        self.roles
            .set_field(node, Field::TypeParameters, Role::Read, scope);
        self.roles.set_field(node, Field::Value, Role::Read, scope);
    }

    pub(super) fn visit_enum(&mut self, node: NodeIndex, context: Context) {
        let id = self.definition_at(node);
        self.bind_type(node, id, context.scope, is_exported(context));
        let scope = self.open_scope(ScopeKind::Class, context.scope, id);
        self.set_definition_scope(id, scope);
        self.roles.set_field(node, Field::Body, Role::Read, scope);
    }

    pub(super) fn visit_enum_body(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        for child in tree.children(node) {
            if tree.node(child).field == Field::Name {
                self.bind_member(
                    child,
                    BindingTarget::Variable(None),
                    context.scope,
                    context.scope,
                );
            }
        }
    }

    pub(super) fn visit_enum_assignment(&mut self, node: NodeIndex, context: Context) {
        let value_text = self.tree.child(node, Field::Value);
        let value_text = value_text.and_then(|value| self.value_text(value));
        let value = self.intern_value(value_text);
        if let Some(name) = self.tree.child(node, Field::Name) {
            self.bind_member(
                name,
                BindingTarget::Variable(value),
                context.scope,
                context.scope,
            );
        }
    }

    /// Binds the name of a class or type.
    fn bind_type(
        &mut self,
        node: NodeIndex,
        id: Option<DefinitionId>,
        scope: ScopeId,
        is_exported: bool,
    ) {
        let target = id.map_or(DeclaredTarget::Variable(None), DeclaredTarget::Definition);
        let declaration = Declaration {
            scope,
            target,
            is_exported,
        };
        self.roles
            .set_field(node, Field::Name, Role::Declared(declaration), scope);
    }

    pub(super) fn visit_heritage(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        for base in tree.operands(node) {
            let is_base = tree.kind(base) != Kind::TypeArguments;
            self.roles.set(
                base,
                if is_base { Role::Base } else { Role::Read },
                context.scope,
            );
        }
    }

    /// Assigns the enclosing scope to everything in a class body that is not a member.
    pub(super) fn visit_members(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let enclosing = self.facts.enclosing_scope(context.scope);
        for child in tree.children(node) {
            if tree.kind(node) == Kind::InterfaceBody {
                self.bind_signature(child, context.scope, enclosing);
            }
            let is_member = matches!(
                tree.kind(child),
                Kind::ClassStaticBlock
                    | Kind::FieldDefinition
                    | Kind::Method
                    | Kind::MethodSignature
                    | Kind::PropertySignature
            );
            if !is_member {
                self.roles.set(child, Role::Read, enclosing);
            }
        }
    }

    pub(super) fn visit_field(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let enclosing = self.facts.enclosing_scope(context.scope);
        self.roles.set_children(node, Role::Read, enclosing);
        let Some(name) = tree.field_name(node) else {
            return;
        };
        let value = tree.child(node, Field::Value);
        let inside = self.visit_initializer(value, context.scope, enclosing);
        let annotation = tree.child(node, Field::Type);
        let annotated = annotation.and_then(|annotation| tree.annotation_text(annotation));
        let value_scope = if annotation.is_some() {
            enclosing
        } else {
            inside
        };
        if annotation.is_some() || value.is_some() {
            self.declare_type(context.scope, name);
        }
        let target = match self.declared_target(name, value, (annotation.is_some(), annotated)) {
            DeclaredTarget::Definition(id) => BindingTarget::Definition(id),
            DeclaredTarget::Variable(value) => BindingTarget::Attribute(value),
            DeclaredTarget::Import(_) | DeclaredTarget::Parameter(_) => {
                BindingTarget::Attribute(None)
            }
        };
        self.bind_member(name, target, context.scope, value_scope);
        let attribute = (context.scope, BindingTarget::Attribute as fn(_) -> _);
        self.bind_documented_variable((node, value, context.scope), name, attribute);
    }

    /// Returns the scope in which a field's value is evaluated: a function that runs for each
    /// instance.
    fn visit_initializer(
        &mut self,
        value: Option<NodeIndex>,
        class: ScopeId,
        enclosing: ScopeId,
    ) -> ScopeId {
        let tree = self.tree;
        let Some(value) = value else {
            return enclosing;
        };
        let scope = match tree.kind(value) {
            Kind::ArrowFunction | Kind::FunctionExpression => class,
            Kind::This => self.open_scope(ScopeKind::Function, class, None),
            _ if tree.is_leaf(value) => enclosing,
            _ => self.open_scope(ScopeKind::Function, class, None),
        };
        self.roles.set(value, Role::Read, scope);
        scope
    }

    pub(super) fn visit_static_block(&mut self, node: NodeIndex, context: Context) {
        let scope = self.open_scope(ScopeKind::Function, context.scope, None);
        self.roles.set_children(node, Role::Body, scope);
    }

    /// Binds a call signature or an index signature of an interface.
    fn bind_signature(&mut self, node: NodeIndex, class: ScopeId, enclosing: ScopeId) {
        let tree = self.tree;
        let (name, value_text) = match tree.kind(node) {
            Kind::FunctionType if tree.text(node).starts_with("new") => {
                (CONSTRUCT_SIGNATURE, Some(type_number(node)))
            }
            Kind::FunctionType => (CALL_SIGNATURE, Some(type_number(node))),
            Kind::IndexSignature => (INDEX_SIGNATURE, tree.declared_text(node)),
            _ => return,
        };
        let target = BindingTarget::Attribute(self.intern_value(value_text));
        let name = self.intern(name);
        self.bind_name(name, node, class, target, enclosing);
    }

    /// Binds a property of an interface. Properties of object types have no scope to be bound in.
    pub(super) fn visit_property_signature(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        if tree.kind(tree.parent(node)) != Kind::InterfaceBody {
            return;
        }
        let enclosing = self.facts.enclosing_scope(context.scope);
        self.roles.set_children(node, Role::Read, enclosing);
        let annotation = tree.child(node, Field::Type);
        let value_text = annotation.and_then(|annotation| tree.annotation_text(annotation));
        let value = self.intern_value(value_text);
        if let Some(name) = tree.child(node, Field::Name) {
            self.bind_member(
                name,
                BindingTarget::Attribute(value),
                context.scope,
                enclosing,
            );
        }
    }
}
