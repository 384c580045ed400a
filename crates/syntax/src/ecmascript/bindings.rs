//! Binds declarations, assignments and attributes.

use ragnav_base::hash::HashMap;

use super::builder::{FactsBuilder, PendingAssignment};
use super::kinds::{Field, Kind};
use super::references::binding_target;
use super::roles::{Context, Declaration, DeclaredTarget, MODULE, Role};
use super::value_text::ValueText;
use crate::facts::{Binding, BindingTarget, Name, Receiver, ReferenceKind, ScopeId, Space};
use crate::tree::NodeIndex;

/// The number of enclosing scopes that are searched for the declaration of a name.
const MAX_SCOPES: usize = 256;

impl<'t> FactsBuilder<'_, 't> {
    pub(super) fn visit_declarator(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        let declaration = tree.parent(node);
        let scope = match tree.kind(declaration) {
            Kind::VariableDeclaration => self.scope_info(context.scope).variable_scope,
            _ => context.scope,
        };
        let is_exported = self.role(declaration) == Role::ExportedDeclaration && scope == MODULE;
        let value = tree.child(node, Field::Value);
        if let Some(value) = value {
            self.bind_require(name, value, scope);
        }
        let annotation = tree.child(node, Field::Type);
        let annotated = annotation.and_then(|annotation| tree.annotation_text(annotation));
        let target = self.declared_target(name, value, (annotation.is_some(), annotated));
        let variable = (scope, BindingTarget::Variable as fn(_) -> _);
        self.bind_documented_variable((node, value, context.scope), name, variable);
        // A variable without an annotation has the type of its first value.
        let has_type = matches!(target, DeclaredTarget::Variable(Some(_)));
        if annotation.is_some() || has_type {
            self.declare_type(scope, name);
        }
        let declaration = Declaration {
            scope,
            target,
            is_exported,
        };
        self.roles
            .set(name, Role::Declared(declaration), context.scope);
    }

    /// Returns what a name is bound to: the definition of that name, the type of its annotation, or
    /// else its value.
    pub(super) fn declared_target(
        &mut self,
        name: NodeIndex,
        value: Option<NodeIndex>,
        (is_annotated, annotated): (bool, Option<ValueText<'t>>),
    ) -> DeclaredTarget {
        let tree = self.tree;
        if let Some(id) = value.and_then(|value| self.definition_at(tree.strip_components(value)))
            && self.is_named(id, name)
        {
            return DeclaredTarget::Definition(id);
        }
        let value_text = match annotated {
            None if !is_annotated => value.and_then(|value| self.value_text(value)),
            annotated => annotated,
        };
        DeclaredTarget::Variable(self.intern_value(value_text))
    }

    pub(super) fn visit_assignment(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let (left, right) = (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        );
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        self.collect_assigned_exports(left, right, context.scope);
        self.bind_require(left, right, context.scope);
        let name = tree
            .segments(left)
            .and_then(|segments| segments.last().copied());
        let target = self.declared_target(name.unwrap_or(left), Some(right), (false, None));
        self.roles
            .set(left, Role::AssignmentTarget(target), context.scope);
    }

    /// Visits `a ??= b` and `this.a ??= b`, which read their left sides, too.
    pub(super) fn visit_logical_assignment(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let (Some(left), Some(right)) = (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        ) else {
            return;
        };
        let name = match tree.kind(left) {
            Kind::Member => tree.operands(left).last(),
            _ => Some(left),
        };
        let target = self.declared_target(name.unwrap_or(left), Some(right), (false, None));
        match (tree.kind(left), name) {
            (Kind::Identifier, _) => self.add_assignment(left, target, scope),
            (Kind::Member, Some(name)) => self.assign_attribute(name, target, scope),
            _ => {}
        }
    }

    /// Binds assignments in the scopes that declare their names, or else in the module's.
    pub(super) fn bind_assignments(&mut self) {
        let declared = self.facts.bindings.iter();
        let declared: HashMap<(ScopeId, Name), bool> = declared
            .filter(|row| !matches!(row.target, BindingTarget::Attribute(_)))
            .map(|row| {
                let is_variable = matches!(
                    row.target,
                    BindingTarget::Variable(_) | BindingTarget::Parameter(_)
                );
                ((row.scope, row.name), is_variable)
            })
            .collect();
        for assignment in std::mem::take(&mut self.pending_assignments) {
            let PendingAssignment {
                name,
                position,
                node,
                target,
                scope,
            } = assignment;
            let declaring_scope = self.find_declaring_scope(&declared, name, scope);
            if declared.get(&(declaring_scope, name)) == Some(&false)
                && !matches!(target, DeclaredTarget::Definition(_))
            {
                continue;
            }
            let is_declared = self.declared_types.contains(&(declaring_scope, name));
            if is_declared && !matches!(target, DeclaredTarget::Definition(_)) {
                continue;
            }
            self.flow.bound_nodes.push((declaring_scope, name, node));
            self.facts.bindings.push(Binding {
                scope: declaring_scope,
                name,
                position,
                target: binding_target(target),
                value_scope: scope,
            });
        }
    }

    fn find_declaring_scope<V>(
        &self,
        declared: &HashMap<(ScopeId, Name), V>,
        name: Name,
        scope: ScopeId,
    ) -> ScopeId {
        let mut declaring_scope = scope;
        for _ in 0..MAX_SCOPES {
            if declaring_scope == MODULE || declared.contains_key(&(declaring_scope, name)) {
                return declaring_scope;
            }
            declaring_scope = self.facts.enclosing_scope(declaring_scope);
        }
        MODULE
    }

    /// Visits the name of a member that is assigned to. In TypeScript it is a reference, since a
    /// type declares the member. In JavaScript it may be one to a setter, unless it is an export.
    pub(super) fn assign_member(
        &mut self,
        node: NodeIndex,
        target: DeclaredTarget,
        scope: ScopeId,
    ) {
        self.assign_attribute(node, target, scope);
        let is_definition = matches!(target, DeclaredTarget::Definition(_));
        if is_definition && !self.is_typed {
            return;
        }
        let value_text = self.receiver(node);
        let is_export = value_text
            .as_ref()
            .is_some_and(|object| matches!(&*object.path, "exports" | "module.exports"));
        if is_export && !self.is_typed {
            return;
        }
        let receiver = self
            .intern_value(value_text)
            .map_or(Receiver::Unknown, Receiver::Value);
        let kind = ReferenceKind::Reference;
        if self.is_typed {
            self.add_reference(node, scope, kind, receiver);
        } else {
            self.add_reference_in(node, (scope, Space::Setters), kind, receiver);
        }
    }

    /// Binds `this.name = …` in a method or in a constructor function.
    fn assign_attribute(&mut self, node: NodeIndex, target: DeclaredTarget, scope: ScopeId) {
        let tree = self.tree;
        let object = tree.operands(tree.parent(node)).next();
        let is_this = object.is_some_and(|object| tree.kind(object) == Kind::This);
        let Some(class) = self.scope_info(scope).instance.filter(|_| is_this) else {
            return;
        };
        let target = match target {
            DeclaredTarget::Definition(id) => BindingTarget::Definition(id),
            DeclaredTarget::Variable(value) => BindingTarget::Attribute(value),
            _ => BindingTarget::Attribute(None),
        };
        let name = self.intern(tree.text(node));
        if self.is_typed && matches!(target, BindingTarget::Attribute(_)) {
            let position = self.position_of(node);
            self.assigned_attributes.push(Binding {
                scope: class,
                name,
                position,
                target,
                value_scope: scope,
            });
            return;
        }
        self.bind_name(name, node, class, target, scope);
        let assignment = tree.parent(tree.parent(node));
        let value = tree.child(assignment, Field::Right);
        let attribute = (class, BindingTarget::Attribute as fn(_) -> _);
        self.bind_documented_variable((assignment, value, scope), node, attribute);
    }

    /// Records that a variable, parameter or field has a type, which later assignments do not
    /// change.
    pub(super) fn declare_type(&mut self, scope: ScopeId, name: NodeIndex) {
        if self.is_typed
            && let Some(text) = self.tree.key(name)
        {
            let name = self.intern(text);
            self.declared_types.insert((scope, name));
        }
    }

    /// Binds the attributes that methods assign and that neither the class nor a base class
    /// declares.
    pub(super) fn bind_assigned_attributes(&mut self) {
        let attributes = std::mem::take(&mut self.assigned_attributes);
        for attribute in attributes {
            let class = self.facts.scope(attribute.scope);
            let class = class.and_then(|scope| scope.definition);
            let class = class.and_then(|id| self.facts.definition(id));
            let has_bases = class.is_some_and(|class| !class.bases.is_empty());
            let key = (attribute.scope, attribute.name);
            if !has_bases && !self.declared_types.contains(&key) {
                self.facts.bindings.push(attribute);
            }
        }
    }
}
