//! Variables that merge with a type of their name: `const A` beside `interface A {}`.
//!
//! Importers of the name get both:
//! <https://www.typescriptlang.org/docs/handbook/declaration-merging.html>.

use ragnav_base::hash::HashSet;

use super::builder::FactsBuilder;
use crate::facts::{
    Binding, BindingTarget, Name, Receiver, Reference, ReferenceKind, ScopeId, Space,
};
use ragnav_base::item::DefinitionKind;

impl FactsBuilder<'_, '_> {
    /// Adds a reference where such a variable is declared, since a new name for the type needs one
    /// for the variable.
    pub(super) fn refer_to_merged_types(&mut self) {
        let facts = &self.facts;
        let is_type = |binding: &&Binding| match binding.target {
            BindingTarget::Definition(id) => facts.definition(id).is_some_and(|one| {
                matches!(one.kind, DefinitionKind::Interface | DefinitionKind::Type)
            }),
            _ => false,
        };
        let types = facts.bindings.iter().filter(is_type);
        let types: HashSet<(ScopeId, Name)> = types.map(|one| (one.scope, one.name)).collect();
        let variables = facts.bindings.iter().filter(|one| {
            let is_variable = matches!(one.target, BindingTarget::Variable(_));
            is_variable && types.contains(&(one.scope, one.name))
        });
        let mut seen = HashSet::default();
        let declared = variables.filter(|one| seen.insert(one.position));
        let references = declared.map(|one| Reference {
            name: one.name,
            receiver: Receiver::None,
            kind: ReferenceKind::Reference,
            position: one.position,
            scope: one.scope,
            space: Space::Values,
            arguments: None,
        });
        let references: Vec<Reference> = references.collect();
        self.facts.references.extend(references);
    }
}
