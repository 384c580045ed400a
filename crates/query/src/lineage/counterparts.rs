//! The steps between a definition and what declares it in another file: a stub of Python, a
//! declaration file of TypeScript, a header of C for a function of Rust, and the reverse.

use std::collections::BTreeSet;

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Edge, ItemKind, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{utf16_len, wire};
use ragnav_matching::vendored::is_vendored;
use ragnav_resolve::{FileFacts, Linkage, Resolver, linkage_of, prototypes_of};
use ragnav_syntax::facts::{DefinitionId, Position};

use super::steps::{Taken, Walk};
use crate::reference_site::ReferenceSite;
use crate::targets::Target;

/// The languages whose functions a linker joins.
const C: &str = "c";
const RUST: &str = "rust";

impl<H: Host> Walk<'_, H> {
    /// Returns the declarations of a definition in other files.
    pub(super) async fn declarations(&mut self, place: &Target) -> Result<Vec<Taken>, RagnavError> {
        let files = Resolver::new(&self.code.world).declaring_files(&place.0);
        let declared = self.same_paths(place, files).await?;
        let mut taken: Vec<Taken> = declared
            .iter()
            .filter_map(|declaration| self.step(declaration, declaration.clone(), place))
            .collect();
        let Some(Linkage::Exports(symbol)) = self.linkage(place) else {
            return Ok(taken);
        };
        for file in self.linked_files(&place.0, &symbol).await? {
            let Some(facts) = self.code.world.facts(&file) else {
                continue;
            };
            let imports = Linkage::Imports(symbol.clone());
            for id in with_linkage(&file, &facts, &imports) {
                let declaration = (file.clone(), id);
                taken.extend(self.step(&declaration, declaration.clone(), place));
            }
            for at in prototypes_of(&file, &facts.facts, &symbol) {
                let site = self.site((&file, at, &symbol), ItemKind::Reference, &place.0);
                taken.push(Taken::new(site, Edge::Declares, None));
            }
        }
        Ok(taken)
    }

    /// Returns the definitions in other files that a definition declares.
    pub(super) async fn declared(&mut self, place: &Target) -> Result<Vec<Taken>, RagnavError> {
        let files = Resolver::new(&self.code.world).defining_files(&place.0);
        let mut defined = self.same_paths(place, files).await?;
        if let Some(Linkage::Imports(symbol)) = self.linkage(place) {
            for file in self.linked_files(&place.0, &symbol).await? {
                let Some(facts) = self.code.world.facts(&file) else {
                    continue;
                };
                let exports = Linkage::Exports(symbol.clone());
                let found = with_linkage(&file, &facts, &exports).into_iter();
                defined.extend(found.map(|id| (file.clone(), id)));
            }
        }
        let steps = defined.into_iter();
        Ok(steps
            .filter_map(|defined| self.step(place, defined.clone(), &defined))
            .collect())
    }

    /// Returns the definitions in some files that have the name path of a definition.
    async fn same_paths(
        &mut self,
        (path, id): &Target,
        files: Vec<RepoPath>,
    ) -> Result<Vec<Target>, RagnavError> {
        let files: BTreeSet<RepoPath> = files.into_iter().collect();
        self.code.load(&files).await?;
        let Some(own) = self.code.world.facts(path) else {
            return Ok(Vec::new());
        };
        let name_path = own.facts.name_path(*id);
        let mut found = Vec::new();
        for file in files {
            let Some(other) = self.code.world.facts(&file) else {
                continue;
            };
            let ids = (0u32..).map(DefinitionId).zip(&other.facts.definitions);
            let same = ids.filter(|(id, _)| other.facts.name_path(*id) == name_path);
            found.extend(same.map(|(id, _)| (file.clone(), id)));
        }
        Ok(found)
    }

    fn linkage(&self, (path, id): &Target) -> Option<Linkage> {
        linkage_of(path, &self.code.world.facts(path)?.facts, *id)
    }

    /// Loads and returns the other files that contain a symbol and may define or declare it: those
    /// of Rust and, for a file of Rust, of C. Without files in both languages, there are none.
    async fn linked_files(
        &mut self,
        path: &RepoPath,
        symbol: &str,
    ) -> Result<BTreeSet<RepoPath>, RagnavError> {
        let code = &self.code;
        let is_linked = self
            .is_linked
            .get_or_insert_with(|| code.has_languages(&[C, RUST]));
        if !*is_linked {
            return Ok(BTreeSet::new());
        }
        let mut files = self.code.files_with_name(symbol).await?;
        files.retain(|file| {
            let is_other = is_in(file, RUST) || (is_in(file, C) && is_in(path, RUST));
            file != path && is_other
        });
        self.code.load(&files).await?;
        Ok(files)
    }

    /// Returns the step from a declaration to a definition, or back, which leads to `far`.
    fn step(&self, (path, id): &Target, far: Target, other: &Target) -> Option<Taken> {
        let file = self.code.world.facts(path)?;
        let definition = file.facts.definition(*id)?;
        let name = file.facts.name(definition.name);
        let at = (path, definition.name_position, name);
        let site = self.site(at, ItemKind::Definition, &other.0);
        Some(Taken::new(site, Edge::Declares, Some(far.into())))
    }

    /// Returns the site of a declaration. It is proven if its file and that of the definition are.
    fn site(
        &self,
        (path, at, name): (&RepoPath, Position, &str),
        kind: ItemKind,
        other: &RepoPath,
    ) -> ReferenceSite {
        ReferenceSite {
            resolution: Resolution::Resolved,
            is_vendored: is_vendored(path),
            path: path.clone(),
            line: at.line,
            start_utf16: at.start_utf16,
            end_utf16: at.start_utf16 + wire(utf16_len(name)),
            kind,
            is_proven: self.code.are_proven([path, other]),
            evidence: None,
        }
    }
}

/// Returns the definitions of a file that a linker joins in a way.
fn with_linkage(path: &RepoPath, file: &FileFacts, linkage: &Linkage) -> Vec<DefinitionId> {
    let ids = (0u32..)
        .map(DefinitionId)
        .take(file.facts.definitions.len());
    ids.filter(|id| linkage_of(path, &file.facts, *id).as_ref() == Some(linkage))
        .collect()
}

fn is_in(path: &RepoPath, language: &str) -> bool {
    ragnav_syntax::detect_language(path).is_some_and(|own| own.name == language)
}
