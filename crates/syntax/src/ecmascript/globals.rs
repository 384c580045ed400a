//! Names that `declare global { … }` gives to all files.

use super::builder::FactsBuilder;
use crate::facts::{Binding, GLOBAL, MODULE, Position};

impl FactsBuilder<'_, '_> {
    /// Binds each name that the module declares in `declare global` a second time, with [`GLOBAL`]
    /// before it.
    pub(super) fn bind_globals(&mut self) {
        let blocks = self.ambient_blocks();
        if blocks.is_empty() {
            return;
        }
        let is_global = |binding: &&Binding| {
            let next = blocks.partition_point(|(_, end)| *end <= binding.position);
            let block = blocks.get(next);
            let is_inside = block.is_some_and(|(start, _)| *start <= binding.position);
            binding.scope == MODULE && is_inside
        };
        let globals: Vec<Binding> = self
            .facts
            .bindings
            .iter()
            .filter(is_global)
            .cloned()
            .collect();
        for binding in globals {
            let name = format!("{GLOBAL}{}", self.names.text(binding.name));
            let name = self.names.intern(name);
            self.facts.bindings.push(Binding { name, ..binding });
        }
    }

    /// Returns where the blocks of `declare global` begin and end, without those in another.
    fn ambient_blocks(&mut self) -> Vec<(Position, Position)> {
        let tree = self.tree;
        let mut blocks = Vec::new();
        let mut node = 0;
        while node < tree.len() {
            if !tree.is_ambient(node) {
                node += 1;
                continue;
            }
            let start = self.position_of(node);
            let end = self.positions.position_at(tree.node(node).end as usize);
            blocks.push((start, end));
            node = tree.subtree_end(node);
        }
        blocks
    }
}
