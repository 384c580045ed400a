//! What `impl` blocks say about the types of the same file.

use super::builder::{FactsBuilder, Implementation};
use crate::facts::{Binding, BindingTarget, ScopeId, Value};
use ragnav_base::item::DefinitionKind;

impl FactsBuilder<'_> {
    /// Adds what `impl` blocks say to the types of the file: the traits that they implement, whose
    /// methods values of the types have, and the bounds of their type parameters.
    pub(super) fn add_implementations(&mut self) {
        for found in std::mem::take(&mut self.implementations) {
            let Some((of, enclosing)) = self.type_of(&found) else {
                continue;
            };
            if let Some(base) = &found.base {
                let path = self.writer.names.intern(base.clone());
                let base = Value {
                    path,
                    is_called: false,
                };
                if let Some(of) = self.writer.facts.definitions.get_mut(of) {
                    of.bases.push(base);
                }
            }
            self.add_bounds(&found, enclosing);
        }
    }

    /// Returns the index of the type of a block, and the scope of the type parameters of the type.
    fn type_of(&self, block: &Implementation<'_>) -> Option<(usize, ScopeId)> {
        let facts = &self.writer.facts;
        let mut types = facts.definitions.iter().enumerate();
        types.find_map(|(place, definition)| {
            let is_type = matches!(
                definition.kind,
                DefinitionKind::Class | DefinitionKind::Enum
            );
            let enclosing = facts.scope(definition.scope)?.parent?;
            let is_here = facts.enclosing_scope(enclosing) == block.scope;
            let is_named = self.writer.names.text(definition.name) == block.of;
            (is_type && is_here && is_named).then_some((place, enclosing))
        })
    }

    /// Adds the bounds of the arguments of a block to the parameters of its type: a field of type
    /// `T` has the methods of `A` where `impl<T: A> B<T>` reads it.
    fn add_bounds(&mut self, block: &Implementation<'_>, enclosing: ScopeId) {
        let Some(parameters) = self.type_parameters.get(&enclosing) else {
            return;
        };
        for (parameter, argument) in parameters.iter().zip(&block.arguments) {
            for bound in &self.bounds {
                if bound.scope != block.inside || bound.name.text != *argument {
                    continue;
                }
                let value = Value {
                    path: self.writer.names.intern(bound.path.clone()),
                    is_called: false,
                };
                let binding = Binding {
                    scope: enclosing,
                    name: self.writer.names.intern(*parameter),
                    position: self.writer.position_at(bound.name.offset),
                    target: BindingTarget::Variable(Some(value)),
                    value_scope: block.inside,
                };
                self.writer.facts.bindings.push(binding);
            }
        }
    }
}
