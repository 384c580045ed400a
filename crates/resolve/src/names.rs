//! What a name means in a scope.

use crate::entity::{Entity, Meaning};
use crate::linker::Linker;
use crate::world::{Asked, FileFacts};
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, Bound, DefinitionFact, DefinitionId, Outer, Scope, ScopeId, ScopeKind, Space,
};

/// The module's own scope.
pub(super) const MODULE: ScopeId = ScopeId(0);

/// A file whose facts are at hand.
#[derive(Clone, Copy)]
pub(super) struct Here<'f> {
    pub(super) path: &'f RepoPath,
    pub(super) file: &'f FileFacts,
}

impl<'f> Here<'f> {
    pub(super) fn definition(&self, id: DefinitionId) -> Option<&'f DefinitionFact> {
        self.file.facts.definitions.get(id.0 as usize)
    }

    pub(super) fn entity(&self, id: DefinitionId) -> Entity {
        Entity::Definition(self.path.clone(), id)
    }

    /// Whether a binding in a scope is of a space of names. What is imported may be of any.
    fn is_in(&self, space: Space, scope: &Scope, binding: &Binding) -> bool {
        let is_parameter = scope.kind == ScopeKind::TypeParameters;
        let own = match &binding.to {
            Bound::Variable(_) if is_parameter => Space::Types,
            Bound::Variable(_) | Bound::Parameter(_) => Space::Values,
            Bound::Definition(id) => match self.definition(*id).map(|found| found.kind) {
                Some(DefinitionKind::Interface | DefinitionKind::Type) => Space::Types,
                Some(DefinitionKind::Function | DefinitionKind::Method) => Space::Values,
                _ => Space::Any,
            },
            Bound::Import(_) | Bound::Attribute(_) | Bound::Outer(_) => Space::Any,
        };
        own == space || own == Space::Any || space == Space::Any
    }

    /// The scope in which a definition stands.
    pub(super) fn scope_around(&self, definition: &DefinitionFact) -> ScopeId {
        let scope = self.file.facts.scopes.get(definition.scope.0 as usize);
        scope.and_then(|scope| scope.parent).unwrap_or(MODULE)
    }
}

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
