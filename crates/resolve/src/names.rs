//! What a name means in a scope.

use crate::entity::Meaning;
use crate::memo::Asked;
use crate::resolver::Linker;
use crate::source_file::{Here, MODULE};
use ragnav_syntax::facts::{Binding, Bound, Outer, Scope, ScopeId, ScopeKind, Space};

impl Linker<'_> {
    /// What a name means in a scope, whatever it can be of.
    pub(super) fn name(self, here: &Here<'_>, scope: ScopeId, name: &str) -> Meaning {
        self.name_of(here, (scope, Space::Any), name)
    }

    /// What a name means in a scope and a space of names.
    pub(super) fn name_of(self, here: &Here<'_>, place: (ScopeId, Space), name: &str) -> Meaning {
        let asked = Asked::InScope(here.path.clone(), place, name.to_owned());
        self.world.once(asked, || self.name_in(here, place, name))
    }

    fn name_in(self, here: &Here<'_>, (scope, space): (ScopeId, Space), name: &str) -> Meaning {
        let Some(id) = here.file.name_id(name) else {
            return self.unbound(here, name);
        };
        let mut next = Some(scope);
        let mut is_first = true;
        while let Some(current) = next {
            let Some(found) = here.file.facts.scopes.get(current.0 as usize) else {
                break;
            };
            let is_seen = match found.kind {
                ScopeKind::Class => is_first && self.sees_members(here, found),
                _ => true,
            };
            let bindings: Vec<&Binding> = here
                .file
                .bindings(current, id)
                .filter(|binding| is_seen && !matches!(binding.to, Bound::Attribute(_)))
                .filter(|binding| here.is_in(space, found, binding))
                .collect();
            match bindings.first().map(|binding| &binding.to) {
                Some(Bound::Outer(Outer::Global)) => {
                    next = Some(MODULE);
                    is_first = false;
                    continue;
                }
                Some(Bound::Outer(Outer::Nonlocal)) | None => {}
                Some(_) => return self.bindings(here, &bindings),
            }
            // Type parameters stand around a scope without closing the class around it off.
            is_first = found.kind == ScopeKind::TypeParameters && is_first;
            next = found.parent;
        }
        self.unbound(here, name)
    }

    fn sees_members(self, here: &Here<'_>, scope: &Scope) -> bool {
        let linking = self.world.linking(here.path);
        let class = scope.definition.and_then(|id| here.definition(id));
        let known = class.zip(linking);
        known.is_none_or(|(class, linking)| linking.sees_members(class))
    }

    fn unbound(self, here: &Here<'_>, name: &str) -> Meaning {
        let linking = self.world.linking(here.path);
        linking.map_or_else(Meaning::nothing, |linking| {
            linking.unbound(self, here, name)
        })
    }

    pub(super) fn bindings(self, here: &Here<'_>, bindings: &[&Binding]) -> Meaning {
        Meaning::all(bindings.iter().map(|binding| self.binding(here, binding)))
    }

    fn binding(self, here: &Here<'_>, binding: &Binding) -> Meaning {
        let Some(linking) = self.world.linking(here.path) else {
            return Meaning::unknown();
        };
        let mut meaning = match &binding.to {
            Bound::Definition(id) => Meaning::one(here.entity(*id)),
            Bound::Import(id) => match here.file.import(*id) {
                Some(import) => linking.imported(self, here, import),
                None => Meaning::unknown(),
            },
            Bound::Parameter(None) => linking.parameter(here, binding),
            Bound::Parameter(Some(value))
            | Bound::Variable(Some(value))
            | Bound::Attribute(Some(value)) => self.value(here, binding.value_scope, *value),
            Bound::Variable(None) | Bound::Attribute(None) | Bound::Outer(_) => Meaning::unknown(),
        };
        meaning.add(linking.bound(here, binding));
        meaning
    }
}
