//! Names that `declare global { … }` gives to all files.

use super::builder::FactsBuilder;
use crate::facts::{Binding, GLOBAL, MODULE};

impl FactsBuilder<'_, '_> {
    /// Binds what the module declares in `declare global` with a mark as well.
    pub(super) fn bind_globals(&mut self) {
        let tree = self.tree;
        let blocks: Vec<_> = (0..tree.len())
            .filter(|node| tree.is_ambient(*node))
            .collect();
        for block in blocks {
            let start = self.position_of(block);
            let end = self.positions.position_at(tree.node(block).end as usize);
            let bindings = self.facts.bindings.iter();
            let inside =
                bindings.filter(|one| one.scope == MODULE && (start..end).contains(&one.position));
            let inside: Vec<Binding> = inside.cloned().collect();
            for binding in inside {
                let name = format!("{GLOBAL}{}", self.names.text(binding.name));
                let name = self.names.intern(name);
                self.facts.bindings.push(Binding { name, ..binding });
            }
        }
    }
}
