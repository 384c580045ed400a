//! What `impl` blocks say about the types of the same file.

use ragnav_base::hash::HashMap;

use super::builder::{Bound, FactsBuilder, Implementation};
use crate::facts::{Binding, BindingTarget, ScopeId, Value};
use ragnav_base::item::DefinitionKind;

impl FactsBuilder<'_> {
    /// Adds what `impl` blocks say to the types of the file: the traits that they implement, whose
    /// methods values of the types have, and the bounds of their type parameters.
    pub(super) fn add_implementations(&mut self) {
        let types = self.types();
        let mut bounds: HashMap<ScopeId, Vec<Bound<'_>>> = HashMap::default();
        for bound in std::mem::take(&mut self.bounds) {
            bounds.entry(bound.scope).or_default().push(bound);
        }
        for found in std::mem::take(&mut self.implementations) {
            let Some((of, enclosing)) = types.get(&(found.scope, found.of.clone())) else {
                continue;
            };
            if let Some(base) = &found.base {
                let path = self.writer.names.intern(base.clone());
                let base = Value {
                    path,
                    is_called: false,
                };
                if let Some(of) = self.writer.facts.definitions.get_mut(*of) {
                    of.bases.push(base);
                }
            }
            let bounds = bounds.get(&found.inside);
            self.add_bounds(&found, *enclosing, bounds.map_or(&[], Vec::as_slice));
        }
    }

    /// Returns the types of the file by the scope that declares them and their names: the index of
    /// each, and the scope of its type parameters.
    fn types(&self) -> HashMap<(ScopeId, String), (usize, ScopeId)> {
        let facts = &self.writer.facts;
        let types = facts.definitions.iter().enumerate();
        let types = types.filter_map(|(place, definition)| {
            let is_type = matches!(
                definition.kind,
                DefinitionKind::Class | DefinitionKind::Enum
            );
            let enclosing = facts.scope(definition.scope)?.parent?;
            let scope = facts.enclosing_scope(enclosing);
            let name = self.writer.names.text(definition.name).to_owned();
            is_type.then_some(((scope, name), (place, enclosing)))
        });
        types.collect()
    }

    /// Adds the bounds of the arguments of a block to the parameters of its type: a field of type
    /// `T` has the methods of `A` where `impl<T: A> B<T>` reads it.
    fn add_bounds(&mut self, block: &Implementation<'_>, enclosing: ScopeId, bounds: &[Bound<'_>]) {
        let Some(parameters) = self.type_parameters.get(&enclosing) else {
            return;
        };
        for (parameter, argument) in parameters.iter().zip(&block.arguments) {
            for bound in bounds.iter().filter(|bound| bound.name.text == *argument) {
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
