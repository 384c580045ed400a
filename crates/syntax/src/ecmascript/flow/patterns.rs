//! Values that arrays and objects give to the parts of a pattern.

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::kinds::{Field, Kind};
use crate::facts::ScopeId;
use crate::tree::NodeIndex;

impl FactsBuilder<'_, '_> {
    /// Gives the elements of an array to the parts of a pattern: `[a, ...b] = [c, d]`.
    pub(super) fn flow_to_elements(&mut self, target: NodeIndex, value: NodeIndex, depth: usize) {
        let tree = self.tree;
        let values = self.indexed_elements(value);
        let has_spread = values
            .iter()
            .any(|(_, part)| tree.kind(*part) == Kind::Spread);
        if has_spread {
            let scope = self.scope_of(value);
            if let Some(path) = self.first_value(value) {
                self.flow_path_to(target, &path, scope, depth);
            }
            return;
        }
        for (index, part) in self.indexed_elements(target) {
            if tree.kind(part) == Kind::RestPattern {
                let rest: Vec<(usize, NodeIndex)> = values
                    .iter()
                    .filter(|(place, _)| *place >= index)
                    .map(|(place, value)| (place - index, *value))
                    .collect();
                let inner = tree.operands(part).next();
                if let (Some(inner), Some(path)) = (inner, self.array_of(part, &rest)) {
                    let scope = self.scope_of(value);
                    self.flow_path_to(inner, &path, scope, depth + 1);
                }
                continue;
            }
            let found = values.iter().find(|(place, _)| *place == index);
            match found {
                Some((_, value)) => self.flow_to(part, *value, depth + 1),
                None => self.flow_default_to(part, depth + 1),
            }
        }
    }

    /// Gives the default value of a pattern to its target.
    pub(super) fn flow_default_to(&mut self, target: NodeIndex, depth: usize) {
        let tree = self.tree;
        if tree.kind(target) != Kind::AssignmentPattern {
            return;
        }
        let (left, right) = (
            tree.child(target, Field::Left),
            tree.child(target, Field::Right),
        );
        if let (Some(left), Some(right)) = (left, right) {
            self.flow_to(left, right, depth + 1);
        }
    }

    /// Gives the members of a value to the parts of an object pattern.
    pub(super) fn flow_members_to(
        &mut self,
        pattern: NodeIndex,
        path: &str,
        value_scope: ScopeId,
        depth: usize,
    ) {
        let tree = self.tree;
        let parts: Vec<NodeIndex> = tree.operands(pattern).collect();
        for part in parts {
            let (key, inner) = match tree.kind(part) {
                Kind::ShorthandPattern => (Some(part), Some(part)),
                Kind::AssignmentPattern => (tree.child(part, Field::Left), Some(part)),
                Kind::PairPattern => (tree.child(part, Field::Key), tree.child(part, Field::Value)),
                _ => (None, None),
            };
            let suffix = key.and_then(|key| self.property_suffix(key));
            if let (Some(suffix), Some(inner)) = (suffix, inner) {
                let member = format!("{path}{suffix}");
                self.flow_path_to(inner, &member, value_scope, depth + 1);
            }
        }
        self.flow_other_members_to(pattern, path, value_scope, depth);
    }

    /// Gives the members of a value that no other part takes to `a` of `{ ...a }`.
    pub(super) fn flow_other_members_to(
        &mut self,
        pattern: NodeIndex,
        path: &str,
        value_scope: ScopeId,
        depth: usize,
    ) {
        let tree = self.tree;
        let last = tree.operands(pattern).last();
        let rest = last.filter(|part| tree.kind(*part) == Kind::RestPattern);
        if let Some(rest) = rest.and_then(|rest| tree.operands(rest).next()) {
            self.flow_path_to(rest, path, value_scope, depth + 1);
        }
    }

    /// Gives the elements of a value from an index on to a target.
    pub(super) fn flow_rest_to(
        &mut self,
        (part, index): (NodeIndex, usize),
        path: &str,
        value_scope: ScopeId,
        depth: usize,
    ) {
        let Some(inner) = self.tree.operands(part).next() else {
            return;
        };
        if let Some(rest) = self.rest_of(part, (path, index), value_scope) {
            self.flow_path_to(inner, &rest, value_scope, depth + 1);
        }
    }
}
