//! Visits parameters and patterns.

use super::builder::FactsBuilder;
use super::import_calls::is_module;
use super::kinds::{Field, Kind};
use super::roles::{Context, Declaration, DeclaredTarget, Role};
use crate::facts::{BindingTarget, Receiver, ReferenceKind, ScopeId, Value};
use crate::tree::NodeIndex;

/// The maximum length of the path of a pattern, in bytes. Nested patterns could otherwise make the
/// facts quadratic in the text.
const MAX_PATH: usize = 200;

impl FactsBuilder<'_, '_> {
    pub(super) fn visit_parameters(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let declaration = Declaration {
            scope: context.scope,
            target: DeclaredTarget::Parameter(None),
            is_exported: false,
        };
        let role = match context.role {
            Role::Signature => Role::Signature,
            _ => Role::Declared(declaration),
        };
        for parameter in tree.operands(node) {
            let role = match self.documented_pattern(parameter) {
                Some(value) => Role::Declared(Declaration {
                    target: DeclaredTarget::Parameter(Some(value)),
                    ..declaration
                }),
                None => role,
            };
            self.roles.set(parameter, role, context.scope);
        }
    }

    /// Visits a parameter of TypeScript, which contains a pattern.
    pub(super) fn visit_parameter(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let Some(pattern) = tree.child(node, Field::Pattern) else {
            return;
        };
        let Role::Declared(declaration) = context.role else {
            return self.roles.set(pattern, Role::Handled, context.scope);
        };
        let enclosing = self.facts.enclosing_scope(declaration.scope);
        let annotation = tree.child(node, Field::Type);
        if let Some(annotation) = annotation {
            self.roles.set(annotation, Role::Read, enclosing);
        }
        let value_text = annotation.and_then(|annotation| tree.annotation_text(annotation));
        let value = match annotation {
            Some(_) => self.intern_value(value_text),
            None => self.contextual_value(node),
        };
        let default = match annotation {
            None if value.is_none() => self.default_value(node),
            _ => None,
        };
        // A default value may refer to parameters before it.
        let around = default.map_or(enclosing, |_| declaration.scope);
        let value = value.or(default);
        let role = Role::Declared(Declaration {
            target: DeclaredTarget::Parameter(value),
            ..declaration
        });
        match tree.kind(pattern) {
            Kind::This => {
                let name = self.intern("this");
                self.bind_name(
                    name,
                    pattern,
                    declaration.scope,
                    BindingTarget::Parameter(value),
                    enclosing,
                );
                self.roles.set(pattern, Role::Handled, context.scope);
            }
            Kind::Identifier => {
                if value.is_some() || annotation.is_some() {
                    self.declare_type(declaration.scope, pattern);
                }
                self.parameter_property(node, pattern, (value, around), declaration.scope);
                self.roles.set(pattern, role, around);
            }
            _ => self.roles.set(pattern, role, context.scope),
        }
    }

    /// Returns the default value of a parameter of TypeScript, which has its type if it declares
    /// none.
    fn default_value(&mut self, parameter: NodeIndex) -> Option<Value> {
        let default = self.tree.child(parameter, Field::Value);
        let value_text = self.tree.typed_text(default.filter(|_| self.is_typed)?);
        self.intern_value(value_text)
    }

    /// Binds the attribute that `constructor(private name: Type)` declares.
    fn parameter_property(
        &mut self,
        node: NodeIndex,
        name: NodeIndex,
        (value, around): (Option<Value>, ScopeId),
        scope: ScopeId,
    ) {
        let tree = self.tree;
        let mut words = tree.children(node).take_while(|&child| child < name);
        let is_property = words
            .any(|word| tree.kind(word) == Kind::Accessibility || tree.text(word) == "readonly");
        let class = self.scope_info(scope).instance;
        if let Some(class) = class.filter(|_| is_property) {
            self.declare_type(class, name);
            let text = self.intern(tree.text(name));
            self.bind_name(text, name, class, BindingTarget::Attribute(value), around);
        }
    }

    /// Assigns `a.b` to the entry `b` of an object pattern whose value is `a`.
    pub(super) fn visit_object_pattern(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        for part in tree.operands(node) {
            let key = match tree.kind(part) {
                Kind::ShorthandPattern => Some(part),
                Kind::AssignmentPattern => tree.child(part, Field::Left),
                Kind::PairPattern => tree.child(part, Field::Key),
                _ => None,
            };
            if let (
                Some(key),
                Role::Declared(Declaration { target, .. }) | Role::AssignmentTarget(target),
            ) = (key, context.role)
            {
                self.add_pattern_reference(target, key, context.scope);
            }
            let role = match context.role {
                // It has the members that no other part takes. In JavaScript, the flow of values
                // says so.
                role if self.is_typed && tree.kind(part) == Kind::RestPattern => role,
                Role::Declared(declaration) => Role::Declared(Declaration {
                    target: self.pattern_part(declaration.target, key),
                    ..declaration
                }),
                Role::AssignmentTarget(target) => {
                    Role::AssignmentTarget(self.pattern_part(target, key))
                }
                Role::Handled => Role::Handled,
                _ => Role::Read,
            };
            self.roles.set(part, role, context.scope);
        }
    }

    /// Adds a reference from a key to the member that it selects.
    fn add_pattern_reference(&mut self, target: DeclaredTarget, key: NodeIndex, scope: ScopeId) {
        let is_name = matches!(
            self.tree.kind(key),
            Kind::PropertyName | Kind::ShorthandPattern
        );
        let (DeclaredTarget::Variable(whole) | DeclaredTarget::Parameter(whole)) = target else {
            return;
        };
        let is_import = whole.is_some_and(|whole| is_module(self.names.text(whole.path)));
        if is_name && !is_import && !self.binds_import(key) {
            let receiver = whole.map_or(Receiver::Unknown, Receiver::Value);
            self.add_reference(key, scope, ReferenceKind::Reference, receiver);
        }
    }

    /// Reports whether an import binds the name of a key already.
    fn binds_import(&self, key: NodeIndex) -> bool {
        let tree = self.tree;
        let entry = tree.parent(key);
        let bound = match tree.kind(entry) {
            Kind::PairPattern => tree.child(entry, Field::Value),
            _ => Some(key),
        };
        let bound = bound.and_then(|bound| match tree.kind(bound) {
            Kind::AssignmentPattern => tree.child(bound, Field::Left),
            _ => Some(bound),
        });
        bound.is_some_and(|bound| self.bound_imports.contains_key(&bound))
    }

    fn pattern_part(&mut self, target: DeclaredTarget, key: Option<NodeIndex>) -> DeclaredTarget {
        match key.and_then(|key| self.tree.key(key)) {
            Some(key) => self.part_of(target, &format!(".{key}")),
            None => target.for_parts(),
        }
    }

    /// Assigns `a[0]` to the first entry of an array pattern whose value is `a`. In JavaScript, the
    /// flow of values does.
    pub(super) fn visit_array_pattern(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        if !self.is_typed {
            return;
        }
        for (index, part) in self.indexed_elements(node) {
            // The rest is a slice of the value.
            let suffix = match tree.kind(part) {
                Kind::RestPattern => format!("[{index}:]"),
                _ => format!("[{index}]"),
            };
            let role = match context.role {
                Role::Declared(declaration) => Role::Declared(Declaration {
                    target: self.part_of(declaration.target, &suffix),
                    ..declaration
                }),
                Role::AssignmentTarget(target) => {
                    Role::AssignmentTarget(self.part_of(target, &suffix))
                }
                _ => continue,
            };
            self.roles.set(part, role, context.scope);
        }
    }

    /// Gives `b` of `[a, ...b]` and `{ a, ...b }` the target that the pattern has for it, and `a` of `...a: A[]` its
    /// declared type.
    pub(super) fn visit_rest_pattern(&mut self, node: NodeIndex, context: Context) {
        let tree = self.tree;
        let around = tree.parent(node);
        let is_declared =
            tree.kind(around) == Kind::Parameter && tree.child(around, Field::Type).is_some();
        let is_in_pattern = matches!(tree.kind(around), Kind::ArrayPattern | Kind::ObjectPattern);
        if self.is_typed && (is_in_pattern || is_declared) {
            self.roles.set_children(node, context.role, context.scope);
        }
    }

    /// Returns the target for the part of a pattern that a suffix of its value selects.
    fn part_of(&mut self, target: DeclaredTarget, suffix: &str) -> DeclaredTarget {
        let (DeclaredTarget::Variable(Some(whole)) | DeclaredTarget::Parameter(Some(whole))) =
            target
        else {
            return target.for_parts();
        };
        let call = if whole.is_called { "()" } else { "" };
        let path = self.names.text(whole.path);
        if path.len() + suffix.len() > MAX_PATH {
            return target.for_parts();
        }
        let path = format!("{path}{call}{suffix}");
        let part = Some(Value {
            path: self.intern(path),
            is_called: false,
        });
        match target {
            DeclaredTarget::Parameter(_) => DeclaredTarget::Parameter(part),
            _ => DeclaredTarget::Variable(part),
        }
    }

    pub(super) fn visit_pair_pattern(&mut self, node: NodeIndex, context: Context) {
        self.roles
            .set_field(node, Field::Value, context.role, context.scope);
    }
}
