//! The references that the indexes of compilers have, joined with ragnav's own by their places.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Evidence, ItemKind, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_matching::vendored::is_vendored;
use ragnav_repository::compiler::verify::{
    CompilerReference, CompilerSymbol, NamePlace, VerifiedIndex,
};
use ragnav_resolve::{FileFacts, Resolver};

use crate::code_facts::CodeFacts;
use crate::compiler_definitions::name_place;
use crate::name_at_place::resolve_at;
use crate::reference_site::{ReferenceSite, item_kind};
use crate::targets::Targets;

/// Adds the references to some definitions that compilers found, and resolves candidates with them:
/// a candidate that a compiler says means another definition is left out.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn add_compiler_references<H: Host>(
    code: &mut CodeFacts<'_, H>,
    targets: &Targets,
    sites: &mut Vec<ReferenceSite>,
) -> Result<(), RagnavError> {
    for index in code.compiler_indexes().await?.iter() {
        let homes: BTreeSet<RepoPath> = targets.iter().map(|(home, _)| home.clone()).collect();
        code.load(&homes).await?;
        let join = Join::of(code, index, targets);
        if join.symbols.is_empty() {
            continue;
        }
        let found = join.references(code).await?;
        sites.retain_mut(|site| {
            let is_kept = join.settle(code, site, &found);
            is_kept == Kept::Yes
        });
        let known: BTreeSet<NamePlace> = sites.iter().map(place_of).collect();
        for (place, reference) in found.iter().filter(|(place, _)| !known.contains(place)) {
            sites.extend(join.site(code, place, reference).await?);
        }
    }
    Ok(())
}

/// Whether a site stays in the answer.
#[derive(PartialEq, Eq)]
enum Kept {
    Yes,
    No,
}

/// What an index says about the targets of a query.
struct Join<'j> {
    index: &'j VerifiedIndex,
    targets: &'j Targets,
    /// The symbols that are defined where the targets are.
    symbols: BTreeSet<CompilerSymbol>,
    /// Whether the index defines each target, so that it has a symbol for none but these.
    has_all: bool,
    /// Where the methods are that the targets override. A call of one may run a target.
    overridden: BTreeSet<NamePlace>,
}

impl<'j> Join<'j> {
    fn of<H: Host>(
        code: &CodeFacts<'_, H>,
        index: &'j VerifiedIndex,
        targets: &'j Targets,
    ) -> Self {
        let resolver = Resolver::new(&code.world);
        let mut join = Self {
            index,
            targets,
            symbols: BTreeSet::new(),
            has_all: true,
            overridden: BTreeSet::new(),
        };
        let mut unknown = Vec::new();
        for target in targets {
            let place = name_place(code, target);
            let described = place.filter(|place| code.is_described_by(index, &place.path));
            let symbols = described.as_ref().map(|place| index.defined_at(place));
            match symbols.filter(|symbols| !symbols.is_empty()) {
                Some(symbols) => join.symbols.extend(symbols),
                None => unknown.push(described),
            }
            let overridden = resolver.overridden_methods(&target.0, target.1);
            let places = overridden.iter().filter_map(|one| name_place(code, one));
            join.overridden.extend(places);
        }
        // Indexers take later overloads for references to the first.
        join.has_all = unknown.iter().all(|place| {
            let symbols = place.as_ref().map(|place| index.symbols_at(place));
            symbols.is_some_and(|symbols| !symbols.is_disjoint(&join.symbols))
        });
        join
    }

    /// Returns the references in the files that the index is about, by their places.
    async fn references<H: Host>(
        &self,
        code: &mut CodeFacts<'_, H>,
    ) -> Result<BTreeMap<NamePlace, CompilerReference>, RagnavError> {
        let references = self.index.references(&self.symbols);
        let files = references.iter().map(|one| one.place.path.clone());
        code.load(&files.collect()).await?;
        let places = references.into_iter().map(|one| (one.place.clone(), one));
        let described = places.filter(|(place, _)| code.is_described_by(self.index, &place.path));
        Ok(described.collect())
    }

    /// Resolves a site of ragnav with the index, or reports that it means another definition.
    fn settle<H: Host>(
        &self,
        code: &CodeFacts<'_, H>,
        site: &mut ReferenceSite,
        found: &BTreeMap<NamePlace, CompilerReference>,
    ) -> Kept {
        let place = place_of(site);
        if found.contains_key(&place) {
            if site.resolution == Resolution::Candidate {
                site.is_proven = self.is_proven(code, &site.path);
            }
            site.resolution = Resolution::Resolved;
            site.evidence = Some(Evidence::Compiler);
            return Kept::Yes;
        }
        let is_decided = self.has_all
            && site.resolution == Resolution::Candidate
            && code.is_described_by(self.index, &place.path);
        if is_decided && self.is_another(&self.index.symbols_at(&place)) {
            return Kept::No;
        }
        Kept::Yes
    }

    /// Reports whether the symbols at a place exclude the targets. A method that a target overrides
    /// does not: its call may run the target.
    fn is_another(&self, symbols: &BTreeSet<CompilerSymbol>) -> bool {
        let may_be = |symbol: &CompilerSymbol| {
            let targets = &mut self.symbols.iter();
            let places = self.index.definitions_of(*symbol);
            self.symbols.contains(symbol)
                || targets.any(|target| self.index.implements(*target, *symbol))
                || places.iter().any(|place| self.overridden.contains(place))
        };
        !symbols.is_empty() && !symbols.iter().any(may_be)
    }

    /// Returns the site of a reference that ragnav does not have; `None` if it is a definition, or
    /// means something else by now.
    async fn site<H: Host>(
        &self,
        code: &mut CodeFacts<'_, H>,
        place: &NamePlace,
        reference: &CompilerReference,
    ) -> Result<Option<ReferenceSite>, RagnavError> {
        let path = &place.path;
        let Some(file) = code.world.facts(path) else {
            return Ok(None);
        };
        let references = file.facts.references_at(place.line, place.start_utf16);
        let own = references.first().cloned();
        // Once a file of the index has changed, what is resolved now is newer than what it says.
        if let Some(own) = own.as_ref().filter(|_| !self.index.is_whole()) {
            let (meant, _) = resolve_at(code, path, &file, own).await?;
            if !meant.is_empty() && meant.is_disjoint(self.targets) {
                return Ok(None);
            }
        }
        let kind = match own {
            Some(own) => item_kind(own.kind),
            None if is_definition(&file, place) => return Ok(None),
            None if reference.is_import => ItemKind::Import,
            None => ItemKind::Reference,
        };
        Ok(Some(ReferenceSite {
            resolution: Resolution::Resolved,
            is_vendored: is_vendored(path),
            path: path.clone(),
            line: place.line,
            start_utf16: place.start_utf16,
            end_utf16: reference.end_utf16,
            kind,
            is_proven: self.is_proven(code, path),
            evidence: Some(Evidence::Compiler),
        }))
    }

    fn is_proven<H: Host>(&self, code: &CodeFacts<'_, H>, path: &RepoPath) -> bool {
        let homes = self.targets.iter().map(|(home, _)| home);
        code.are_proven(homes.chain([path]))
    }
}

fn place_of(site: &ReferenceSite) -> NamePlace {
    NamePlace {
        path: site.path.clone(),
        line: site.line,
        start_utf16: site.start_utf16,
    }
}

fn is_definition(file: &FileFacts, place: &NamePlace) -> bool {
    let mut definitions = file.facts.definitions.iter();
    definitions.any(|one| {
        let at = one.name_position;
        (at.line, at.start_utf16) == (place.line, place.start_utf16)
    })
}
