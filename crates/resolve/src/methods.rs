//! How methods stand to classes: which of them run when a class is called, and which others they override.

use std::collections::BTreeSet;

use crate::entity::{Entity, Meaning};
use crate::file_facts::FileFacts;
use crate::resolver::Linker;
use crate::source_file::Here;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{DefinitionId, Receiver, Reference};

/// A method overrides no more than this.
const MAX_OVERRIDDEN: usize = 64;

/// A definition, by its file and place.
type Place = (RepoPath, DefinitionId);

impl Linker<'_> {
    /// The class whose calls run a method; `None` for any other definition.
    #[must_use]
    pub fn constructed_by(self, path: &RepoPath, method: DefinitionId) -> Option<DefinitionId> {
        let file = self.world.facts(path)?;
        let here = Here { path, file: &file };
        let definition = here.definition(method)?;
        let name = file.facts.name(definition.name);
        let constructors = self.world.linking(path)?.constructors();
        let class = definition.parent?;
        let is_class = here.definition(class)?.kind == DefinitionKind::Class;
        (is_class && constructors.contains(&name)).then_some(class)
    }

    /// The methods that run when a class is called, its own or inherited.
    #[must_use]
    pub fn constructors(self, path: &RepoPath, class: DefinitionId) -> BTreeSet<Place> {
        let Some(linking) = self.world.linking(path) else {
            return BTreeSet::new();
        };
        if !self.has_members(path, class) {
            return BTreeSet::new();
        }
        let of = Entity::Definition(path.clone(), class);
        let names = linking.constructors().iter();
        let found = names.map(|name| self.member(&of, name));
        found.flat_map(|meaning| self.places(&meaning)).collect()
    }

    /// The methods of superclasses that a method overrides, the nearest first of all.
    #[must_use]
    pub fn overridden(self, path: &RepoPath, method: DefinitionId) -> BTreeSet<Place> {
        let mut found = BTreeSet::new();
        let mut ahead = vec![(path.clone(), method)];
        while let Some((path, method)) = ahead.pop() {
            if found.len() > MAX_OVERRIDDEN {
                break;
            }
            let above = self.overridden_once(&path, method);
            ahead.extend(
                above
                    .into_iter()
                    .filter(|place| found.insert(place.clone())),
            );
        }
        found
    }

    fn overridden_once(self, path: &RepoPath, method: DefinitionId) -> Vec<Place> {
        let Some(file) = self.world.facts(path) else {
            return Vec::new();
        };
        let here = Here { path, file: &file };
        let definition = here.definition(method);
        let Some((definition, class)) = definition.and_then(|one| Some((one, one.parent?))) else {
            return Vec::new();
        };
        if !self.has_members(path, class) {
            return Vec::new();
        }
        let of = Entity::Super(path.clone(), class);
        let inherited = self.member(&of, file.facts.name(definition.name));
        self.places(&inherited)
    }

    /// Whether a reference is to a member of some instance, so that a subclass's may be meant.
    #[must_use]
    pub fn is_of_instance(self, path: &RepoPath, file: &FileFacts, reference: &Reference) -> bool {
        let Receiver::Value(value) = reference.receiver else {
            return false;
        };
        let here = Here { path, file };
        let receiver = self.value(&here, reference.scope, value);
        let mut entities = receiver.entities.iter();
        entities.any(|entity| matches!(entity, Entity::Instance(..)))
    }

    fn places(self, meaning: &Meaning) -> Vec<Place> {
        self.definitions(meaning)
            .map(|(path, id)| (path.clone(), id))
            .collect()
    }
}
