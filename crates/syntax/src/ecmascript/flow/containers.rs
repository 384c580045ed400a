//! Methods that add elements to an array or a set.

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::kinds::Kind;
use crate::facts::ADDED;
use crate::tree::NodeIndex;

impl FactsBuilder<'_, '_> {
    /// Visits `a.push(b)`, which adds an element to `a`.
    pub(super) fn flow_into_container(&mut self, call: NodeIndex) {
        let Some((object, name)) = self.called_member(call) else {
            return;
        };
        if !matches!(name, "add" | "push" | "unshift") || self.has_own_member(name) {
            return;
        }
        self.flow.is_target = true;
        let containers = self.values_of(object);
        self.flow.is_target = false;
        let containers: Vec<String> = containers
            .into_iter()
            .map(|path| format!("{path}[{ADDED}]"))
            .collect();
        for argument in self.arguments_of(call) {
            if self.tree.kind(argument) == Kind::Spread {
                continue;
            }
            let scope = self.scope_of(argument);
            for value in self.values_of(argument) {
                for container in &containers {
                    self.flow_path_to_place((object, container), &value, scope);
                }
            }
        }
    }
}
