//! What refers to changed symbols, over several steps, and the tests among it.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Direction, Edge, ItemKind, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::symbol_id::SymbolId;
use ragnav_matching::file_role::FileRole;
use ragnav_resolve::Resolver;
use ragnav_syntax::facts::{DefinitionId, ReferenceKind};

use super::ReachingTest;
use super::changed_symbols::ChangedSymbol;
use crate::code_facts::CodeFacts;
use crate::file_definitions::FileDefinitions;
use crate::lineage::steps::{Place, Step, Walk};
use crate::reference_rows::ReferenceSite;

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
    steps.sort_by(|a, b| (a.depth, &a.site, &a.via).cmp(&(b.depth, &b.site, &b.via)));
    let is_bounded = walk.is_bounded;
    Ok((Affected { steps, is_bounded }, walk.code))
}

/// Returns where a symbol is in the files as they are now.
async fn place_now<H: Host>(
    code: &mut CodeFacts<'_, H>,
    one: &ChangedSymbol,
) -> Result<Option<Place>, RagnavError> {
    code.load(&BTreeSet::from([one.path.clone()])).await?;
    let Some(file) = code.world.facts(&one.path) else {
        return Ok(None);
    };
    let symbols = file.facts.symbols();
    let mut places = symbols.iter().enumerate();
    let found = places.find(|(_, symbol)| {
        symbol.name_path == one.symbol.name_path && symbol.ordinal == one.symbol.ordinal
    });
    Ok(found.map(|(place, _)| (one.path.clone(), DefinitionId(wire(place)))))
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
        let Some(file) = code.world.facts(path) else {
            continue;
        };
        let definitions = FileDefinitions::of_facts(path, &file.facts);
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

/// How a test reaches changed symbols.
struct Reach {
    /// The steps to the nearest.
    depth: usize,
    /// The first line that reaches one.
    line: u32,
    symbols: BTreeSet<SymbolId>,
}

impl Reach {
    fn new(depth: usize, line: u32) -> Self {
        Self {
            depth,
            line,
            symbols: BTreeSet::new(),
        }
    }
}

/// Returns the tests that reach changed symbols: those by the fewest steps first, then those that
/// reach the most.
pub(super) fn tests(steps: &[Step], changed: &[ChangedSymbol]) -> Vec<ReachingTest> {
    let mut found: BTreeMap<(RepoPath, Option<SymbolId>), Reach> = BTreeMap::new();
    for one in changed.iter().filter(|one| !one.is_removed()) {
        if FileRole::Test.has(&one.path) {
            let key = (one.path.clone(), Some(one.id.clone()));
            let line = wire(one.symbol.start_line);
            let reach = found.entry(key).or_insert_with(|| Reach::new(0, line));
            reach.symbols.insert(one.id.clone());
        }
    }
    let in_tests = steps
        .iter()
        .filter(|step| FileRole::Test.has(&step.site.path) && step.site.kind != ItemKind::Import);
    for step in in_tests.filter(|step| step.site.resolution == Resolution::Resolved) {
        let symbol = step.via.get(step.depth).cloned();
        let reach = found
            .entry((step.site.path.clone(), symbol))
            .or_insert_with(|| Reach::new(step.depth, step.site.line));
        reach.depth = reach.depth.min(step.depth);
        reach.line = reach.line.min(step.site.line);
        reach.symbols.extend(step.via.first().cloned());
    }
    let tests = found
        .into_iter()
        .map(|((file, symbol), reach)| ReachingTest {
            file: file.to_string(),
            symbol,
            line: reach.line,
            depth: wire(reach.depth),
            reaches: wire(reach.symbols.len()),
        });
    let mut tests: Vec<ReachingTest> = tests.collect();
    tests.sort_by(|a, b| {
        let order = (a.depth, std::cmp::Reverse(a.reaches));
        order
            .cmp(&(b.depth, std::cmp::Reverse(b.reaches)))
            .then_with(|| (&a.file, a.line).cmp(&(&b.file, b.line)))
    });
    tests
}
