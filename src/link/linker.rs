//! What references mean.

use crate::lang::facts::{DefinitionId, Receiver, Reference, ReferenceKind};
use crate::link::entity::{Entity, Meaning};
use crate::link::names::Here;
use crate::link::world::{FileFacts, World};
use crate::path::RepoPath;

/// Answers who is meant, over the facts of a world.
#[derive(Debug, Clone, Copy)]
pub struct Linker<'w> {
    pub(super) world: &'w World,
}

impl<'w> Linker<'w> {
    /// A linker over the facts that are at hand.
    #[must_use]
    pub fn new(world: &'w World) -> Self {
        Self { world }
    }

    /// What a reference in a file means. Facts that are missing count as unknown, and are wanted from the world.
    #[must_use]
    pub fn reference(self, path: &RepoPath, file: &FileFacts, reference: &Reference) -> Meaning {
        let here = Here { path, file };
        let name = file.facts.name(reference.name);
        if reference.kind == ReferenceKind::Import {
            return self.import_at(&here, reference);
        }
        match reference.receiver {
            Receiver::None => self.name(&here, reference.scope, name, 0),
            Receiver::Value(value) => {
                let receiver = self.value(&here, reference.scope, value, 0);
                if receiver.is_nothing() {
                    return Meaning::nothing();
                }
                self.members(&receiver, name, 0)
            }
            Receiver::Unknown => Meaning::unknown(),
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
        import.map_or_else(Meaning::unknown, |import| {
            let module = here.file.facts.name(import.module);
            match import.what {
                // The reference is to the last segment, whatever the import binds.
                crate::lang::facts::Imported::Module => self
                    .world
                    .modules
                    .find(here.path, import.level, module)
                    .map_or_else(Meaning::nothing, Meaning::one),
                _ => self.imported(here, import, 0),
            }
        })
    }
}
