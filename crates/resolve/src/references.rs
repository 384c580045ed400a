//! Resolves references and imports.

use std::collections::BTreeSet;

use crate::entity::{Entity, ResolvedEntities};
use crate::file_facts::FileFacts;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{DefinitionId, Import, Receiver, Reference, ReferenceKind, Space};

impl Resolver<'_> {
    /// Resolves a reference of a file.
    ///
    /// Missing facts count as unknown; see
    /// [`FactDatabase::take_missing`](crate::FactDatabase::take_missing).
    #[must_use]
    pub fn resolve_reference(
        self,
        path: &RepoPath,
        file: &FileFacts,
        reference: &Reference,
    ) -> ResolvedEntities {
        let source = SourceFile { path, file };
        let name = file.facts.name(reference.name);
        if reference.kind == ReferenceKind::Import {
            return self.resolve_import_at(&source, reference);
        }
        let place = (reference.scope, reference.space);
        let mut resolution = match reference.receiver {
            Receiver::None => self.resolve_name_in(&source, place, name),
            Receiver::Value(value) => {
                let receiver = self.resolve_value_in(&source, place, value);
                if receiver.is_none() {
                    return ResolvedEntities::none();
                }
                self.resolve_members(&receiver, name)
            }
            Receiver::Unknown => ResolvedEntities::unknown(),
        };
        if reference.space != Space::Any {
            let entities = std::mem::take(&mut resolution.entities).into_iter();
            let entities = entities.filter(|entity| self.is_in(entity, reference.space));
            resolution.entities = entities.collect();
        }
        resolution
    }

    /// Reports whether an entity belongs to a namespace.
    fn is_in(self, entity: &Entity, space: Space) -> bool {
        let Entity::Definition(path, id) = entity else {
            return true;
        };
        let file = self.database.facts(path);
        let kind = file.and_then(|file| Some(file.facts.definitions.get(id.0 as usize)?.kind));
        match kind {
            Some(DefinitionKind::Interface | DefinitionKind::Type) => space != Space::Values,
            Some(DefinitionKind::Function | DefinitionKind::Method) => space != Space::Types,
            _ => true,
        }
    }

    /// Returns the definitions among the entities. An instance is not its class.
    pub fn definitions(
        self,
        resolution: &ResolvedEntities,
    ) -> impl Iterator<Item = (&RepoPath, DefinitionId)> {
        resolution
            .entities
            .iter()
            .filter_map(|entity| match entity {
                Entity::Definition(path, id) => Some((path, *id)),
                _ => None,
            })
    }

    fn resolve_import_at(self, source: &SourceFile<'_>, reference: &Reference) -> ResolvedEntities {
        let mut imports = source.file.facts.imports.iter();
        let import = imports.find(|import| import.position == reference.position);
        match (import, self.database.language(source.path)) {
            (Some(import), Some(language)) => language.resolve_import_name(self, source, import),
            _ => ResolvedEntities::unknown(),
        }
    }

    /// Returns the keys of all specifiers that may import a file.
    ///
    /// Only languages whose importers choose names for exports have any. See
    /// [`import_key`](super::import_key::import_key).
    #[must_use]
    pub fn import_keys(self, file: &RepoPath) -> BTreeSet<String> {
        let language = self.database.language(file);
        language
            .map(|language| language.import_keys(file))
            .unwrap_or_default()
    }

    /// Reports whether importers choose the name for this export, as they do for `default`.
    #[must_use]
    pub fn is_named_by_importers(self, module: &RepoPath, name: &str) -> bool {
        let language = self.database.language(module);
        language.is_some_and(|language| language.is_named_by_importers(name))
    }

    /// Resolves an import to the file that it imports, or from which it imports a name.
    #[must_use]
    pub fn resolve_import_file(
        self,
        path: &RepoPath,
        file: &FileFacts,
        import: &Import,
    ) -> Option<RepoPath> {
        let language = self.database.language(path)?;
        language.resolve_import_file(self, &SourceFile { path, file }, import)
    }
}
