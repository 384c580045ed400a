//! Receivers in JavaScript whose class a test has told: `a` of `a.c()` behind `a instanceof B`.

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::flow_state::Tested;
use crate::ecmascript::kinds::{Field, Kind};
use crate::ecmascript::narrowing::Test;
use crate::facts::{Name, ScopeId, TYPE_NUMBER};
use crate::tree::NodeIndex;
use ragnav_base::hash::HashSet;

impl FactsBuilder<'_, '_> {
    /// Collects the tests of variables that are not assigned again, and where they hold.
    pub(super) fn collect_tested_variables(&mut self) {
        let tree = self.tree;
        let mut passed = Vec::new();
        for node in 0..tree.len() {
            if !matches!(tree.kind(node), Kind::Binary | Kind::If | Kind::Ternary) {
                continue;
            }
            passed.extend(tree.passed_at(node));
            let branch = tree.child(node, Field::Consequence);
            let branch = branch.filter(|branch| tree.kind(*branch) == Kind::Block);
            if let Some((branch, condition)) = branch.zip(tree.child(node, Field::Condition)) {
                passed.extend(tree.passed(tree.tested(condition), branch));
            }
        }
        if passed.is_empty() {
            return;
        }
        let assigned = tree.assigned_variables();
        let assigned = assigned.filter_map(|variable| self.bound_key(variable));
        let assigned: HashSet<(ScopeId, Name)> = assigned.collect();
        for found in passed {
            for Test { variable, narrowed } in found.tests {
                let class = narrowed.into_path();
                let key = self.bound_key(variable);
                let key =
                    key.filter(|key| !assigned.contains(key) && !class.starts_with(TYPE_NUMBER));
                if let Some(key) = key {
                    let tested = self.flow.tested.entry(key).or_default();
                    tested.push((found.range.clone(), class));
                }
            }
        }
    }

    /// Returns the classes that a variable has by the innermost test around an expression.
    pub(super) fn tested_classes(&self, variable: NodeIndex) -> Vec<String> {
        if self.flow.tested.is_empty() {
            return Vec::new();
        }
        let key = self.bound_key(self.tree.strip_wrappers(variable));
        let tested = key.and_then(|key| self.flow.tested.get(&key));
        let at = self.tree.node(variable).start;
        let around = tested.into_iter().flatten();
        let around: Vec<&Tested> = around.filter(|(range, _)| range.contains(&at)).collect();
        let innermost = around.iter().map(|(range, _)| range.start).max();
        let inside = around.into_iter();
        let inside = inside.filter(|(range, _)| Some(range.start) == innermost);
        inside.map(|(_, class)| class.clone()).collect()
    }
}
