//! Values that declarations, assignments and loops give to names, elements and members.

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::kinds::{Field, Kind};
use crate::facts::{ADDED, BindingTarget, LITERAL, ScopeId, UNKNOWN};
use crate::tree::NodeIndex;

/// The maximum depth of nested targets.
const MAX_DEPTH: usize = 6;

impl FactsBuilder<'_, '_> {
    /// Visits `const target = value` and `target = value`.
    pub(super) fn flow_into_target(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let (left, right) = match tree.kind(node) {
            Kind::Assignment | Kind::AugmentedAssignment => (Field::Left, Field::Right),
            _ => (Field::Name, Field::Value),
        };
        let (Some(target), Some(mut value)) = (tree.child(node, left), tree.child(node, right))
        else {
            return;
        };
        while tree.kind(value) == Kind::Assignment {
            let Some(inner) = tree.child(value, Field::Right) else {
                return;
            };
            value = inner;
        }
        let annotation = tree.child(node, Field::Type);
        let is_typed =
            annotation.is_some_and(|annotation| tree.annotation_text(annotation).is_some());
        let is_import = self.imported.contains_key(&tree.strip_wrappers(value));
        if self.is_ambiguous_member(target, value) {
            return self.forget_member(target);
        }
        if !is_typed && !is_import {
            self.flow_to(target, value, 0);
        }
    }

    /// Visits a field of a class, which may hold a container.
    pub(super) fn flow_into_field(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let (Some(key), Some(value)) = (tree.field_name(node), tree.child(node, Field::Value))
        else {
            return;
        };
        let is_typed = tree.child(node, Field::Type).is_some();
        let Some(text) = tree.key(key).filter(|_| !is_typed) else {
            return;
        };
        // The first pass gives the name of a field the scope of its class.
        let class = self.scope_of(key);
        let known = self.first_pass_value(value);
        let name = self.intern(text.into_owned());
        let scope = self.scope_of(value);
        let defined = self.definition_at(tree.strip_components(value));
        for path in self.values_of(value) {
            if known.as_ref() != Some(&path) && defined.is_none() {
                let target = BindingTarget::Attribute(Some(self.path_value(&path)));
                self.flow_bind_target((class, name), key, target, scope);
            }
        }
    }

    /// Gives the value of an expression to a target.
    pub(super) fn flow_to(&mut self, target: NodeIndex, value: NodeIndex, depth: usize) {
        let tree = self.tree;
        if depth > MAX_DEPTH {
            return;
        }
        let value = tree.strip_wrappers(value);
        let target = tree.strip_wrappers(target);
        match tree.kind(target) {
            Kind::ArrayPattern if tree.kind(value) == Kind::Array => {
                return self.flow_to_elements(target, value, depth);
            }
            Kind::AssignmentPattern => {
                // The value exists, so its default counts only if the value may be undefined.
                if let Some(left) = tree.child(target, Field::Left) {
                    self.flow_to(left, value, depth + 1);
                }
                return;
            }
            _ => {}
        }
        let known = self.first_pass_value(value).filter(|_| depth == 0);
        let defined = self.definition_at(tree.strip_components(value));
        let is_definition = defined.is_some() && depth == 0;
        let is_name = matches!(tree.kind(target), Kind::Identifier | Kind::Member);
        let is_element = !matches!(tree.kind(target), Kind::Identifier | Kind::ObjectPattern);
        let values = self.values_of(value);
        if values.is_empty() && tree.kind(target) == Kind::ObjectPattern {
            // The default values count, although nothing is known of the object.
            let scope = self.scope_of(value);
            return self.flow_path_to(target, UNKNOWN, scope, depth);
        }
        for path in values {
            // The first pass has bound names and the parts of objects to such values.
            let is_known = known.as_ref() == Some(&path) && !is_element;
            let scope = self.scope_of(value);
            if is_known && tree.kind(target) == Kind::ObjectPattern {
                self.flow_other_members_to(target, &path, scope, depth);
            }
            if is_known || (is_definition && is_name) {
                continue;
            }
            self.flow_path_to(target, &path, scope, depth);
        }
    }

    /// Gives a value to a name, member, element or pattern.
    pub(super) fn flow_path_to(
        &mut self,
        target: NodeIndex,
        path: &str,
        value_scope: ScopeId,
        depth: usize,
    ) {
        let tree = self.tree;
        if depth > MAX_DEPTH || path.len() > super::paths::MAX_PATH {
            return;
        }
        match tree.kind(target) {
            Kind::Identifier | Kind::ShorthandPattern | Kind::Shorthand => {
                self.flow_path_to_name(target, path, value_scope);
            }
            Kind::Member | Kind::Subscript => {
                self.flow_path_to_member(target, path, value_scope);
            }
            Kind::AssignmentPattern => {
                if let Some(left) = tree.child(target, Field::Left) {
                    self.flow_path_to(left, path, value_scope, depth + 1);
                }
                self.flow_default_to(target, depth + 1);
            }
            Kind::ArrayPattern => {
                for (index, part) in self.indexed_elements(target) {
                    if tree.kind(part) == Kind::RestPattern {
                        self.flow_rest_to((part, index), path, value_scope, depth);
                    } else {
                        let element = format!("{path}[{index}]");
                        self.flow_path_to(part, &element, value_scope, depth + 1);
                    }
                }
            }
            Kind::ObjectPattern => self.flow_members_to(target, path, value_scope, depth),
            _ => {}
        }
    }

    fn flow_path_to_name(&mut self, target: NodeIndex, path: &str, value_scope: ScopeId) {
        let text = self.tree.text(target);
        if text.is_empty() {
            return;
        }
        let name = self.intern(text);
        let scope = self.scope_of(target);
        let scope = self.parameter_scope(target).unwrap_or(scope);
        let scope = self.binding_scope_of(scope, name).unwrap_or(super::MODULE);
        self.flow_bind((scope, name), target, (path, value_scope));
    }

    /// Returns the scope of the function of a parameter.
    fn parameter_scope(&self, target: NodeIndex) -> Option<ScopeId> {
        let tree = self.tree;
        let mut node = target;
        for _ in 0..crate::ecmascript::value_text::MAX_STEPS {
            node = tree.parent(node);
            match tree.kind(node) {
                Kind::FormalParameters => return self.function_scope(tree.parent(node)),
                Kind::ArrayPattern
                | Kind::ObjectPattern
                | Kind::PairPattern
                | Kind::AssignmentPattern
                | Kind::RestPattern
                | Kind::Parameter => {}
                _ => return None,
            }
        }
        None
    }

    fn flow_path_to_member(&mut self, target: NodeIndex, path: &str, value_scope: ScopeId) {
        self.flow.is_target = true;
        let places = self.values_of(target);
        self.flow.is_target = false;
        for text in places {
            self.flow_path_to_place((target, &text), path, value_scope);
        }
    }

    /// Gives a value to what a path means at a node.
    pub(super) fn flow_path_to_place(
        &mut self,
        (target, text): (NodeIndex, &str),
        path: &str,
        value_scope: ScopeId,
    ) {
        let tree = self.tree;
        let of = text.strip_suffix(&format!("[{ADDED}]")).unwrap_or(text);
        if of.contains(['(', '*']) || text.starts_with(LITERAL) {
            return;
        }
        let scope = self.scope_of(target);
        if matches!(text.split('.').next(), Some("exports" | "module" | "super")) {
            return;
        }
        let Some(member) = text.strip_prefix("this.") else {
            if text.starts_with("this") {
                return;
            }
            let name = self.intern(text.to_owned());
            return self.flow_bind((scope, name), target, (path, value_scope));
        };
        let Some(class) = self.scope_info(scope).instance else {
            return;
        };
        if member.contains('.') {
            return;
        }
        let name = self.intern(member.to_owned());
        let at = match tree.kind(target) {
            Kind::Member => tree.operands(target).last().unwrap_or(target),
            _ => target,
        };
        let target = BindingTarget::Attribute(Some(self.path_value(path)));
        self.flow_bind_target((class, name), at, target, value_scope);
    }

    /// Visits `for (const target of right)`.
    pub(super) fn flow_into_loop(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let (Some(target), Some(right)) = (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        ) else {
            return;
        };
        let is_of = tree
            .children(node)
            .any(|child| tree.kind(child) == Kind::Token && tree.text(child) == "of");
        if !is_of {
            return;
        }
        let scope = self.scope_of(right);
        for path in self.values_of(right) {
            self.flow_path_to(target, &format!("{path}*"), scope, 0);
        }
    }

    /// Returns the value to which the first pass has bound a target.
    pub(super) fn first_pass_value(&self, value: NodeIndex) -> Option<String> {
        let known = self.tree.value_text(value)?;
        let call = if known.is_called { "()" } else { "" };
        Some(format!("{}{call}", known.path))
    }
}
