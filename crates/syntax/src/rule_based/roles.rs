//! Assigns roles to the children of a node.

use super::builder::{FactsBuilder, Role};
use super::rules::{Field, Rule};
use crate::tree::NodeIndex;

impl FactsBuilder<'_> {
    /// Skips the tag of `struct a { … }` if a `typedef` names the struct.
    pub(super) fn skip_tag(&mut self, node: NodeIndex) {
        if self.tree.child(node, Field::Body).is_some() {
            self.set_field_role(node, Field::Name, Role::Skip);
        }
    }

    /// Assigns the roles that the rule and the role of a node imply for its children.
    pub(super) fn assign_roles(&mut self, node: NodeIndex, kind: Rule, role: Role) {
        let inherited_role = match role {
            Role::Callee | Role::Reference => Role::Read,
            _ => role,
        };
        match kind {
            Rule::Skip => self.set_child_roles(node, Role::Skip),
            // A segment of a skipped path may still be a reference.
            _ if role == Role::Skip && kind != Rule::Path => {
                self.set_child_roles(node, Role::Skip);
            }
            Rule::Import => {
                self.set_child_roles(node, Role::Import);
                self.set_field_role(node, Field::Name, Role::Skip);
            }
            Rule::ImportAll => {
                self.set_child_roles(node, Role::Import);
                let scope = self.scope_of(self.enclosing_definition());
                self.name_scopes.mark_open(scope);
            }
            Rule::Inherit => self.set_child_roles(node, Role::Base),
            // Children are read by default.
            Rule::ReadChildren => {}
            Rule::ReferenceChildren => self.set_child_roles(node, Role::Reference),
            Rule::Transparent => self.set_child_roles(node, role),
            Rule::ImportStar => {
                self.import_star(node);
                self.set_child_roles(node, Role::Skip);
            }
            Rule::WeakImportStar => {
                self.import_weak_star(node);
                self.set_child_roles(node, Role::Skip);
            }
            Rule::ImportPath => {
                self.import_module(node);
                for child in self.tree.children(node) {
                    let lists_names = self.tree.kind(child) == Rule::ImportedNames;
                    self.set_role(
                        child,
                        if lists_names {
                            Role::Import
                        } else {
                            Role::Skip
                        },
                    );
                }
            }
            Rule::ImportAs => {
                self.set_child_roles(node, role);
                self.set_field_role(node, Field::Alias, Role::Skip);
            }
            Rule::Call(callee) => {
                self.set_field_role(node, callee, Role::Callee);
            }
            Rule::New => {
                if let Some(callee) = self.tree.operands(node).next() {
                    self.set_role(callee, Role::Callee);
                }
            }
            Rule::MethodCall { receiver: of, name } => {
                self.set_field_role(node, name, Role::Callee);
                self.set_field_role(node, of, Role::Reference);
            }
            Rule::Member {
                receiver: of,
                name,
                is_value,
            } => self.assign_member_roles(node, role, (of, name, is_value)),
            _ => self.assign_name_roles(node, kind, role, inherited_role),
        }
    }

    fn assign_name_roles(&mut self, node: NodeIndex, kind: Rule, role: Role, inherited_role: Role) {
        match kind {
            Rule::Path => {
                let last = self.tree.operands(node).last();
                let segments = self.tree.children(node);
                for segment in segments.filter(|one| self.tree.kind(*one) != Rule::ReferenceName) {
                    let is_last = Some(segment) == last;
                    self.set_role(segment, if is_last { role } else { Role::Skip });
                }
            }
            Rule::Segments => self.assign_segment_roles(node, role),
            Rule::First => {
                if let Some(first) = self.tree.operands(node).next() {
                    self.set_role(first, role);
                }
            }
            Rule::DottedName => self.assign_dotted_roles(node, role),
            Rule::Except(field) => {
                self.set_child_roles(node, role);
                self.set_field_role(node, field, Role::Read);
            }
            Rule::SkipField(field) => {
                self.set_child_roles(node, inherited_role);
                self.set_field_role(node, field, Role::Skip);
            }
            Rule::Declaration(names, value) | Rule::MemberDeclaration(names, value) => {
                let value = self.tree.child(node, value);
                let from = value.map_or(0, |value| self.tree.node(value).end);
                self.set_field_role(node, names, Role::Variable(from));
            }
            Rule::Match(pattern, value) => {
                if let Role::Variable(_) = role {
                    self.set_child_roles(node, role);
                } else {
                    let value = self.tree.child(node, value);
                    let from = value.map_or(0, |value| self.tree.node(value).end);
                    self.set_field_role(node, pattern, Role::Variable(from));
                }
            }
            Rule::DeclaredFirst => {
                let mut operands = self.tree.operands(node);
                let first = operands.next();
                let from = operands.last().map_or(0, |value| self.tree.node(value).end);
                if let Some(first) = first {
                    self.set_role(first, Role::Variable(from));
                }
            }
            Rule::Generator => {
                let mut operands = self.tree.operands(node);
                let (first, value) = (operands.next(), operands.next());
                let from = value.map_or(0, |value| self.tree.node(value).end);
                if let Some(first) = first {
                    self.set_role(first, Role::Variable(from));
                }
            }
            Rule::FieldDeclaration(names) => self.set_field_role(node, names, Role::Field),
            Rule::ForwardDeclaration => self.set_child_roles(node, Role::ForwardVariable),
            Rule::DeclaredNames => {
                for child in self.tree.children(node) {
                    if self.tree.kind(child).is_name() {
                        self.set_role(child, Role::Variable(0));
                    }
                }
            }
            Rule::Scope(field) | Rule::ReceiverScope(field) if field != Field::Other => {
                self.set_field_role(node, field, Role::Variable(0));
            }
            Rule::SpecialName => {
                for child in self.tree.children(node) {
                    if self.tree.node(child).field != Field::Type {
                        self.set_role(child, Role::Skip);
                    }
                }
            }
            Rule::Declarator => self.assign_declarator_roles(node, role),
            Rule::Decorator => self.set_field_role(node, Field::Name, Role::Reference),
            Rule::Members => {
                self.set_field_role(node, Field::Type, Role::Reference);
                self.set_field_role(node, Field::Trait, Role::Base);
            }
            Rule::Block
            | Rule::Template
            | Rule::Scope(_)
            | Rule::ReceiverScope(_)
            | Rule::Accessor
            | Rule::Definition(_)
            | Rule::DefinitionWithAccessors(_)
            | Rule::Function => {}
            _ => self.set_child_roles(node, inherited_role),
        }
    }

    fn assign_segment_roles(&mut self, path: NodeIndex, role: Role) {
        let tree = self.tree;
        let names = tree
            .children(path)
            .filter(|&child| tree.kind(child).is_name());
        let names: Vec<NodeIndex> = names.collect();
        if let Some((last, others)) = names.split_last() {
            self.set_role(*last, role);
            for other in others {
                self.set_role(*other, Role::Reference);
            }
        }
    }

    fn assign_dotted_roles(&mut self, node: NodeIndex, role: Role) {
        let mut last = None;
        for child in self.tree.operands(node) {
            if self.tree.kind(child).is_name() {
                self.set_role(child, Role::Reference);
                last = Some(child);
            }
        }
        let is_variable = matches!(role, Role::Variable(_) | Role::Field);
        if let Some(last) = last.filter(|_| !is_variable) {
            self.set_role(last, role);
        }
    }

    fn assign_member_roles(
        &mut self,
        node: NodeIndex,
        role: Role,
        (of, name, is_value): (Field, Field, bool),
    ) {
        let (of_role, name_role) = match role {
            Role::Import => (Role::Skip, Role::Import),
            Role::Callee | Role::Base => (Role::Reference, role),
            _ if is_value => (Role::Reference, Role::Reference),
            _ => (Role::Reference, Role::Skip),
        };
        self.set_field_role(node, of, of_role);
        self.set_field_role(node, name, name_role);
    }

    /// Assigns the roles in a declarator of C.
    ///
    /// A function that is declared but not defined is a reference. A pointer to a function is a
    /// variable.
    fn assign_declarator_roles(&mut self, node: NodeIndex, role: Role) {
        let declares = matches!(role, Role::Variable(_));
        let Some(name) = self.tree.child(node, Field::Declarator) else {
            return;
        };
        let is_function = self.tree.kind(name).is_name();
        let name_role = if declares && is_function {
            Role::Reference
        } else {
            role
        };
        self.set_role(name, name_role);
        if declares {
            self.set_field_role(node, Field::Parameters, Role::Skip);
        }
    }
}
