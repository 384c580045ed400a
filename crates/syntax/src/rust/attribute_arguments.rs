//! Visits the arguments of attributes: `#[arg(long, default_value_t = Color::Auto)]`.
//!
//! Which words among them are names of the program is up to the attribute. What follows `=` is an
//! expression by convention, and so is what begins like a path or a call of a method.

use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, Kind};
use crate::facts::ScopeId;
use crate::tree::NodeIndex;

/// The attributes of the language whose arguments name nothing of the program:
/// <https://doc.rust-lang.org/reference/attributes.html>.
const WITHOUT_NAMES: [&str; 13] = [
    "allow", "cfg", "cfg_attr", "deny", "derive", "doc", "expect", "feature", "forbid", "inline",
    "path", "repr", "warn",
];

impl FactsBuilder<'_> {
    /// Visits an attribute, or a list of its arguments.
    pub(super) fn visit_attribute(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if tree.kind(node) != Kind::TokenTree {
            let name = tree
                .children(node)
                .next()
                .map_or("", |name| tree.text(name));
            if let Some(list) = tree.child(node, Field::Arguments)
                && !WITHOUT_NAMES.contains(&name)
            {
                self.roles.set(list, Role::Attribute, scope);
            }
            return;
        }
        let tokens: Vec<NodeIndex> = tree.children(node).collect();
        for argument in tokens.split(|token| matches!(tree.text(*token), "," | "(" | ")")) {
            self.visit_argument(argument, scope);
        }
    }

    fn visit_argument(&mut self, argument: &[NodeIndex], scope: ScopeId) {
        let tree = self.tree;
        let is = |token: &NodeIndex, signs: &[&str]| signs.contains(&tree.text(*token));
        let equals = argument.iter().position(|token| is(token, &["="]));
        let is_path = argument
            .get(1)
            .is_some_and(|second| is(second, &["::", "."]));
        let start = match equals {
            Some(place) => place + 1,
            None if is_path => 0,
            None => return self.visit_argument_lists(argument, scope),
        };
        let expression = argument.get(start..).unwrap_or_default();
        for token in expression {
            self.roles.set(*token, Role::Read, scope);
        }
        self.visit_token_list(expression, scope);
    }

    /// Visits the arguments of arguments: `b = c` of `a(b = c)`.
    fn visit_argument_lists(&mut self, argument: &[NodeIndex], scope: ScopeId) {
        let lists = argument.iter();
        for list in lists.filter(|token| self.tree.kind(**token) == Kind::TokenTree) {
            self.roles.set(*list, Role::Attribute, scope);
        }
    }
}
