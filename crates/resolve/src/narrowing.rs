//! Resolves a variable where a test of its class holds: `a instanceof B`.

use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use crate::static_type::{Fit, Place};
use ragnav_base::item::DefinitionKind;
use ragnav_syntax::facts::{Binding, Name, ScopeId};
use std::collections::BTreeSet;

impl Resolver<'_> {
    /// Resolves the bindings of a variable that hold at a place. Where some of them are tests of
    /// its class, its other values count as far as they may pass a test.
    pub(super) fn resolve_tested_bindings(
        self,
        source: &SourceFile<'_>,
        key: (ScopeId, Name),
        bindings: &[&Binding],
    ) -> ResolvedEntities {
        let is_test = |binding: &Binding| source.file.flow.is_test(key, binding);
        let (tests, others): (Vec<&Binding>, Vec<&Binding>) =
            bindings.iter().partition(|binding| is_test(binding));
        if tests.is_empty() || others.is_empty() {
            return self.resolve_bindings(source, bindings);
        }
        let mut found = self.resolve_bindings(source, &tests);
        let tested = self.types_of(&found);
        let first = tests.iter().map(|test| test.position).min();
        // A value from behind the test was not tested.
        let (before, behind): (Vec<&Binding>, Vec<&Binding>) = others
            .iter()
            .partition(|one| first.is_some_and(|first| one.position < first));
        let mut values = self.resolve_bindings(source, &before);
        values
            .entities
            .retain(|value| self.may_pass_test(value, &tested));
        found.merge(values);
        found.merge(self.resolve_bindings(source, &behind));
        found
    }

    /// Reports whether a value of a variable may be of a class that a test names. An instance of a
    /// class cannot be one of another class if neither inherits from the other.
    fn may_pass_test(self, value: &Entity, tested: &BTreeSet<Place>) -> bool {
        let own = self.types_of(&ResolvedEntities::single(value.clone()));
        let is_class = |(path, id): &Place| self.kind_of(path, *id) == Some(DefinitionKind::Class);
        let are_classes = own.iter().chain(tested).all(is_class);
        let may_inherit = |one, other| self.inherits(one, other) != Fit::No;
        !are_classes
            || own.is_empty()
            || tested.is_empty()
            || may_inherit(&own, tested)
            || may_inherit(tested, &own)
    }
}
