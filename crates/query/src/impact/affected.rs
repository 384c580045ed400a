//! What refers to changed symbols, over several steps.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Direction, Edge, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::sort::SmallSort;
use ragnav_base::symbol_id::SymbolId;
use ragnav_resolve::Resolver;
use ragnav_syntax::facts::{DefinitionId, ReferenceKind};

use super::changed_symbols::ChangedSymbol;
use crate::code_facts::CodeFacts;
use crate::lineage::steps::{Place, Step, Walk};
use crate::reference_site::ReferenceSite;

/// The largest number of symbols whose references are searched.
pub(super) const MAX_SYMBOLS: usize = 300;

/// What refers to changed symbols.
pub(super) struct Affected {
    /// The steps; the first symbol on the way of each is the changed one.
    pub(super) steps: Vec<Step>,
    /// Whether more symbols are affected than were followed.
    pub(super) is_bounded: bool,
}

/// Returns what refers to changed symbols. Nothing before the change referred to new ones.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn affected<'q, H: Host>(
    mut code: CodeFacts<'q, H>,
    changed: &[ChangedSymbol],
    depth: usize,
) -> Result<(Affected, CodeFacts<'q, H>), RagnavError> {
    let mut targets: BTreeMap<Place, Vec<SymbolId>> = BTreeMap::new();
    let mut broken = Vec::new();
    for one in changed {
        if one.was.is_none() {
            continue;
        }
        if one.is_removed() {
            broken.extend(broken_references(&mut code, one).await?);
        } else if let Some(place) = place_now(&mut code, one).await? {
            targets.insert(place, vec![one.id.clone()]);
        }
    }
    let mut walk = Walk::new(code, MAX_SYMBOLS);
    walk.follow(targets, Direction::Upstream, depth).await?;
    let mut steps: Vec<Step> = walk.steps.into_values().chain(broken).collect();
    steps.small_sort_by(|a, b| (a.depth, &a.site, &a.via).cmp(&(b.depth, &b.site, &b.via)));
    let is_bounded = walk.is_bounded;
    Ok((Affected { steps, is_bounded }, walk.code))
}

/// Returns where a symbol is in the files as they are now.
async fn place_now<H: Host>(
    code: &mut CodeFacts<'_, H>,
    one: &ChangedSymbol,
) -> Result<Option<Place>, RagnavError> {
    code.load(&BTreeSet::from([one.path.clone()])).await?;
    let Some(definitions) = code.definitions(&one.path) else {
        return Ok(None);
    };
    let mut places = definitions.symbols.iter().enumerate();
    let found = places.find(|(_, symbol)| {
        symbol.name_path == one.symbol.name_path && symbol.ordinal == one.symbol.ordinal
    });
    Ok(found.map(|(place, _)| Place::Definition(one.path.clone(), DefinitionId(wire(place)))))
}

/// Returns the references with the name of a removed symbol that mean nothing any more.
async fn broken_references<H: Host>(
    code: &mut CodeFacts<'_, H>,
    removed: &ChangedSymbol,
) -> Result<Vec<Step>, RagnavError> {
    let name = removed.symbol.name_path.rsplit('.').next();
    let name = name.unwrap_or_default().to_owned();
    let files = code.files_with_name(&name).await?;
    code.load(&files).await?;
    loop {
        let steps = unresolved(code, &files, &name, removed);
        if !code.load_missing().await? {
            return Ok(steps);
        }
    }
}

fn unresolved<H: Host>(
    code: &CodeFacts<'_, H>,
    files: &BTreeSet<RepoPath>,
    name: &str,
    removed: &ChangedSymbol,
) -> Vec<Step> {
    let resolver = Resolver::new(&code.world);
    let mut steps = Vec::new();
    for path in files {
        if !ragnav_resolve::share_family(path, &removed.path) {
            continue;
        }
        let Some((file, definitions)) = code.world.facts(path).zip(code.definitions(path)) else {
            continue;
        };
        for reference in &file.facts.references {
            if file.facts.name(reference.name) != name {
                continue;
            }
            let meaning = resolver.resolve_reference(path, &file, reference);
            if resolver.definitions(&meaning).next().is_some() {
                continue;
            }
            let edge = match reference.kind {
                ReferenceKind::Call | ReferenceKind::Reference => Edge::Calls,
                ReferenceKind::Import => Edge::Imports,
                ReferenceKind::Inherit => Edge::Extends,
            };
            let resolution = Resolution::Candidate;
            let site = ReferenceSite::new(path, &file, reference, resolution, false);
            let around = definitions.around(site.line, site.end_utf16);
            let around = around.and_then(|place| definitions.id_of(place));
            steps.push(Step {
                site,
                edge,
                depth: 1,
                via: std::iter::once(removed.id.clone()).chain(around).collect(),
            });
        }
    }
    steps
}
