//! The values of expressions, as paths.

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::kinds::{Field, Kind};
use crate::facts::{LAMBDA, ScopeId, UNDECORATED};
use crate::tree::NodeIndex;

use super::paths::MAX_PATH;

/// The maximum number of values that one expression may have.
const MAX_VALUES: usize = 4;
/// The maximum depth of nested conditions and assignments.
const MAX_DEPTH: usize = 6;
/// The maximum number of expressions around an expression that is read.
const MAX_AROUND: usize = 12;

impl FactsBuilder<'_, '_> {
    /// Returns the values that an expression may have.
    pub(super) fn values_of(&mut self, node: NodeIndex) -> Vec<String> {
        let mut found = Vec::new();
        if self.flow.values_around < MAX_AROUND {
            self.flow.values_around += 1;
            self.add_values(node, 0, &mut found);
            self.flow.values_around -= 1;
        }
        found.retain(|path| path.len() <= MAX_PATH);
        found.truncate(MAX_VALUES);
        found
    }

    fn add_values(&mut self, node: NodeIndex, depth: usize, found: &mut Vec<String>) {
        let tree = self.tree;
        if depth > MAX_DEPTH {
            return;
        }
        let inner = match tree.kind(node) {
            Kind::Parenthesized | Kind::Await | Kind::NonNull | Kind::As => {
                tree.operands(node).next()
            }
            Kind::Assignment => tree.child(node, Field::Right),
            Kind::Sequence => tree.operands(node).last(),
            Kind::AugmentedAssignment if tree.may_keep_value(node) => {
                return self.add_last(node, (0, depth), found);
            }
            Kind::AugmentedAssignment if tree.is_logical_assignment(node) => {
                tree.child(node, Field::Right)
            }
            Kind::Ternary => return self.add_last(node, (1, depth), found),
            Kind::Binary => match self.operator(node) {
                Some("||" | "??") => return self.add_last(node, (0, depth), found),
                Some("&&") => tree.operands(node).last(),
                _ => None,
            },
            Kind::Subscript => {
                found.extend(self.element_paths(node));
                return;
            }
            _ => {
                found.extend(self.value_path(node));
                return;
            }
        };
        if let Some(inner) = inner {
            self.add_values(inner, depth + 1, found);
        }
    }

    /// Adds the values of the operands from an index on.
    fn add_last(
        &mut self,
        node: NodeIndex,
        (first, depth): (usize, usize),
        found: &mut Vec<String>,
    ) {
        let tree = self.tree;
        for part in tree.operands(node).skip(first).take(2) {
            self.add_values(part, depth + 1, found);
        }
    }

    /// Returns the operator of a binary expression.
    fn operator(&self, node: NodeIndex) -> Option<&str> {
        let tree = self.tree;
        let mut tokens = tree.children(node);
        let token = tokens.find(|&child| tree.kind(child) == Kind::Token)?;
        Some(tree.text(token))
    }

    fn value_path(&mut self, node: NodeIndex) -> Option<String> {
        match self.tree.kind(node) {
            Kind::ArrowFunction
            | Kind::FunctionExpression
            | Kind::FunctionDeclaration
            | Kind::Method
            | Kind::Class => self.function_path(node),
            Kind::Array | Kind::Object if self.made_by(node).is_some() => {
                self.filled_container(node)
            }
            Kind::Array => self.array(node),
            Kind::Object => self.object(node),
            Kind::Call | Kind::New => self.builtin(node).or_else(|| self.flow_path(node)),
            _ => self.flow_path(node),
        }
    }

    /// Returns the path of a function or class: that of its definition, or of its scope.
    pub(super) fn function_path(&self, node: NodeIndex) -> Option<String> {
        if let Some(id) = self.definition_at(node) {
            return Some(format!("{UNDECORATED}{}", id.0));
        }
        let scope = self.function_scope(node)?;
        Some(format!("{LAMBDA}{}", scope.0))
    }

    /// Returns the scope of a function, which its parameters are bound in.
    pub(in crate::ecmascript) fn function_scope(&self, function: NodeIndex) -> Option<ScopeId> {
        let tree = self.tree;
        let inside = tree
            .child(function, Field::Body)
            .filter(|_| tree.kind(function) != Kind::Class)?;
        Some(self.scope_info(self.scope_of(inside)).function)
    }

    /// Reports whether the file binds no variable, function or import of a name.
    pub(super) fn is_global(&self, name: &str) -> bool {
        let name = self.names.find(name);
        name.is_none_or(|name| {
            !self.flow.bound_names.contains(&name) && !self.flow.own_names.contains(&name)
        })
    }

    /// Reports whether the file declares or assigns a member of a name.
    pub(super) fn has_own_member(&self, name: &str) -> bool {
        let name = self.names.find(name);
        name.is_some_and(|name| self.flow.member_names.contains(&name))
    }

    /// Reports whether the file binds or defines a name, other than by an import.
    pub(super) fn has_own(&self, name: &str) -> bool {
        let name = self.names.find(name);
        name.is_some_and(|name| self.flow.own_names.contains(&name))
    }
}
