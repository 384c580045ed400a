//! A file with its facts.

use crate::entity::{Entity, Object};
use crate::file_facts::FileFacts;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, Bound, DefinitionFact, DefinitionId, Scope, ScopeId, ScopeKind, Space,
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
    pub(super) fn is_in(&self, space: Space, scope: &Scope, binding: &Binding) -> bool {
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

    /// The object that a name is whose members are defined under it.
    pub(super) fn object(&self, inside: Option<DefinitionId>, name: &str) -> Option<Entity> {
        let is_one = self.file.qualifies(inside, name);
        is_one.then(|| {
            Entity::Object(Object {
                file: self.path.clone(),
                inside,
                name: name.to_owned(),
            })
        })
    }

    /// The bindings of a name in the module's scope.
    pub(super) fn of_module(&self, name: &str) -> Vec<&Binding> {
        let id = self.file.name_id(name);
        id.map(|id| self.file.bindings(MODULE, id).collect())
            .unwrap_or_default()
    }
}
