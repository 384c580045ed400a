//! What references mean.

use std::collections::BTreeSet;

use crate::entity::{Entity, Meaning};
use crate::file_facts::FileFacts;
use crate::resolver::Linker;
use crate::source_file::Here;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{DefinitionId, Import, Receiver, Reference, ReferenceKind, Space};

impl Linker<'_> {
    /// What a reference in a file means. Facts that are missing count as unknown, and are wanted from the world.
    #[must_use]
    pub fn reference(self, path: &RepoPath, file: &FileFacts, reference: &Reference) -> Meaning {
        let here = Here { path, file };
        let name = file.facts.name(reference.name);
        if reference.kind == ReferenceKind::Import {
            return self.import_at(&here, reference);
        }
        let place = (reference.scope, reference.space);
        let mut meaning = match reference.receiver {
            Receiver::None => self.name_of(&here, place, name),
            Receiver::Value(value) => {
                let receiver = self.value_of(&here, place, value);
                if receiver.is_nothing() {
                    return Meaning::nothing();
                }
                self.members(&receiver, name)
            }
            Receiver::Unknown => Meaning::unknown(),
        };
        if reference.space != Space::Any {
            let entities = std::mem::take(&mut meaning.entities).into_iter();
            let entities = entities.filter(|entity| self.is_in(entity, reference.space));
            meaning.entities = entities.collect();
        }
        meaning
    }

    /// Whether something can be meant in a space of names.
    fn is_in(self, entity: &Entity, space: Space) -> bool {
        let Entity::Definition(path, id) = entity else {
            return true;
        };
        let file = self.world.facts(path);
        let kind = file.and_then(|file| Some(file.facts.definitions.get(id.0 as usize)?.kind));
        match kind {
            Some(DefinitionKind::Interface | DefinitionKind::Type) => space != Space::Values,
            Some(DefinitionKind::Function | DefinitionKind::Method) => space != Space::Types,
            _ => true,
        }
    }

    /// The definitions that something may be; an instance is not its class.
    pub fn definitions(self, meaning: &Meaning) -> impl Iterator<Item = (&RepoPath, DefinitionId)> {
        meaning.entities.iter().filter_map(|entity| match entity {
            Entity::Definition(path, id) => Some((path, *id)),
            _ => None,
        })
    }

    fn import_at(self, here: &Here<'_>, reference: &Reference) -> Meaning {
        let mut imports = here.file.facts.imports.iter();
        let import = imports.find(|import| import.at == reference.at);
        match (import, self.world.linking(here.path)) {
            (Some(import), Some(linking)) => linking.import_mentions(self, here, import),
            _ => Meaning::unknown(),
        }
    }

    /// The keys, see [`import_key`](super::import_key::import_key), of the specifiers by which a file may be imported whose importers choose
    /// the name for what they import.
    #[must_use]
    pub fn import_keys(self, file: &RepoPath) -> BTreeSet<String> {
        let linking = self.world.linking(file);
        linking
            .map(|linking| linking.import_keys(file))
            .unwrap_or_default()
    }

    /// Whether who imports what a module exports under this name chooses a name for it, as for default exports.
    #[must_use]
    pub fn is_chosen_by_importers(self, module: &RepoPath, name: &str) -> bool {
        let linking = self.world.linking(module);
        linking.is_some_and(|linking| linking.is_chosen_by_importers(name))
    }

    /// The file that an import brings, or brings something of.
    #[must_use]
    pub fn imported_file(
        self,
        path: &RepoPath,
        file: &FileFacts,
        import: &Import,
    ) -> Option<RepoPath> {
        let linking = self.world.linking(path)?;
        linking.imported_file(self, &Here { path, file }, import)
    }
}
