//! Lineage: who calls, inherits from or imports a symbol, or what it calls and inherits from, over several steps.
//! Source: seed `tools`, section 1.2.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::argument::whole_number;
use crate::error::{ErrorCode, RagnavError};
use crate::host::Host;
use crate::item::{
    Definition, Direction, Edge, ItemKind, LineageItem, LineageResult, NavItem, Resolution,
};
use crate::lang::facts::{DefinitionId, Receiver, Reference, ReferenceKind};
use crate::link::linker::Linker;
use crate::link::world::FileFacts;
use crate::overlay::Overlaid;
use crate::path::RepoPath;
use crate::position::wire;
use crate::symbol_id::SymbolId;
use crate::tools::answer::{Failure, add_message, page_rows};
use crate::tools::basis::Basis;
use crate::tools::callables::callables;
use crate::tools::code::Code;
use crate::tools::cursor::Cursor;
use crate::tools::file_symbols::FileSymbols;
use crate::tools::find::{Question, find};
use crate::tools::knowledge::Knowledge;
use crate::tools::scope::Scope;
use crate::tools::search::first_by_name;
use crate::tools::sites::{Page, Rows, Site, Unmade};
use crate::tools::where_used::{sites_of, targets};
use crate::tools::{Settings, StalePolicy};

/// Rows of a page where the caller does not say (reference row T3).
const DEFAULT_RESULTS: usize = 50;
/// Steps at most.
const MAX_DEPTH: usize = 32;
/// Symbols that are followed at most.
const MAX_SYMBOLS: usize = 2_000;
/// How often an answer is begun again because files changed while it was made.
const ATTEMPTS: usize = 3;

/// What a lineage question may be told beside its symbol and direction.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct LineageOptions {
    /// Rows of a page, at least 1. Default 50, at most 10,000.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "number | null | undefined"))]
    pub max_results: Option<f64>,
    /// How many steps are taken, at least 1. Default 1, at most 32.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "number | null | undefined"))]
    pub depth: Option<f64>,
    /// Default: as the repository was opened.
    #[cfg_attr(
        feature = "wasm",
        tsify(optional, type = "StalePolicy | null | undefined")
    )]
    pub stale_policy: Option<StalePolicy>,
    /// The `cursor` of the page before.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "string | null | undefined"))]
    pub cursor: Option<String>,
}

/// The direction of a word: `upstream` or `callers`, `downstream` or `callees`, in any case (reference row T7).
///
/// # Errors
/// `INVALID_ARGUMENT` for any other word.
pub fn direction(word: &str) -> Result<Direction, RagnavError> {
    match word.trim().to_lowercase().as_str() {
        "upstream" | "callers" => Ok(Direction::Upstream),
        "downstream" | "callees" => Ok(Direction::Downstream),
        _ => Err(RagnavError::invalid(format!(
            "{word:?} is no direction; give upstream (callers) or downstream (callees)"
        ))),
    }
}

/// Answers with the steps that lead from a symbol in a direction; see [`LineageResult`].
pub async fn lineage<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    word: &str,
    options: &LineageOptions,
) -> LineageResult {
    match try_lineage(host, settings, symbol, word, options).await {
        Ok(result) => result,
        Err(failure) => failed(symbol, word, failure),
    }
}

/// The answer to a question that failed.
#[must_use]
pub fn lineage_error(symbol: &str, word: &str, error: RagnavError) -> LineageResult {
    failed(symbol, word, error.into())
}

fn failed(symbol: &str, word: &str, failure: Failure) -> LineageResult {
    let meta = failure.meta();
    LineageResult {
        source: meta.source,
        freshness_state: meta.freshness_state,
        meta,
        items: Vec::new(),
        truncated: false,
        total: None,
        cursor: None,
        skipped: Vec::new(),
        symbol: symbol.to_owned(),
        direction: direction(word).unwrap_or(Direction::Upstream),
        definitions: Vec::new(),
    }
}

/// A question that was understood.
struct Asked<'q> {
    symbol: &'q str,
    question: Question<'q>,
    direction: Direction,
    depth: usize,
    limit: usize,
    policy: Option<StalePolicy>,
    cursor: Option<Cursor>,
    fingerprint: u64,
}

async fn try_lineage<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    word: &str,
    options: &LineageOptions,
) -> Result<LineageResult, Failure> {
    let asked = understand(symbol, word, options)?;
    let host = &Overlaid::new(host).await?;
    for _ in 0..ATTEMPTS {
        if let Some(result) = answer(host, settings, &asked).await? {
            return Ok(result);
        }
    }
    let message =
        "files changed while they were read, again and again; ask again when they are at rest";
    Err(RagnavError::new(ErrorCode::HostFailed, message).into())
}

fn understand<'q>(
    symbol: &'q str,
    word: &str,
    options: &LineageOptions,
) -> Result<Asked<'q>, RagnavError> {
    let direction = direction(word)?;
    let depth = whole_number("depth", options.depth.unwrap_or(1.0))?.min(MAX_DEPTH);
    let limit = page_rows("max_results", options.max_results, DEFAULT_RESULTS)?;
    let asked = format!("lineage {symbol:?} {direction:?} {depth}");
    let fingerprint = xxhash_rust::xxh3::xxh3_64(asked.as_bytes());
    let cursor = options.cursor.as_deref();
    let cursor = cursor.map(|cursor| Cursor::parse(cursor, fingerprint));
    Ok(Asked {
        symbol,
        question: Question::new(symbol)?,
        direction,
        depth,
        limit,
        policy: options.stale_policy,
        cursor: cursor.transpose()?,
        fingerprint,
    })
}

/// A definition, by its file and place.
type Place = (RepoPath, DefinitionId);

/// A step that can be taken, and where it leads.
type Taken = (Site, Edge, Option<Place>);

/// A step: the place where it is taken, and what it leads to.
#[derive(Debug, Clone)]
struct Step {
    site: Site,
    edge: Edge,
    depth: usize,
    /// The symbols on the way, the far end last.
    via: Vec<SymbolId>,
}

/// `None` where a file changed meanwhile.
async fn answer<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    asked: &Asked<'_>,
) -> Result<Option<LineageResult>, Failure> {
    let basis = Basis::new(host, settings, asked.policy, Scope::Links).await?;
    let (found, unread) = find(host, settings, &basis, &asked.question).await?;
    let mut walk = Walk {
        code: Code::new(host, settings, &basis).await?,
        steps: BTreeMap::new(),
        seen: BTreeSet::new(),
        is_bounded: false,
    };
    walk.follow(targets(&found), asked).await?;
    let mut steps: Vec<Step> = walk.steps.into_values().collect();
    steps.sort_by(|a, b| a.site.cmp(&b.site));
    let sites: Vec<Site> = steps.iter().map(|step| step.site.clone()).collect();
    let page = Page::new(asked.cursor, asked.limit, asked.fingerprint, &sites)?;
    let knowledge = Knowledge::read(host, settings, &basis).await?;
    let rows = Rows {
        host,
        settings,
        basis: &basis,
        code: &walk.code,
        knowledge: &knowledge,
    };
    let items: Vec<NavItem> = match rows.make(page.of(&sites)).await {
        Ok(items) => items,
        Err(Unmade::Changed) => return Ok(None),
        Err(Unmade::Failed(error)) => return Err(error.into()),
    };
    let mut meta = basis.meta(settings, unread.max(walk.code.unread()))?;
    let is_cut = walk.code.is_cut_short() || walk.is_bounded;
    if is_cut {
        add_message(&mut meta, "The lineage was not followed to its end.");
    }
    let is_whole = basis.complete && !is_cut;
    let items = items
        .into_iter()
        .zip(page.of(&steps))
        .map(|(item, step)| LineageItem {
            item,
            depth: wire(step.depth),
            edge: step.edge,
            via: step.via.clone(),
        });
    let definitions: Vec<Definition> = found.into_iter().map(|found| found.definition).collect();
    Ok(Some(LineageResult {
        source: meta.source,
        freshness_state: meta.freshness_state,
        meta,
        items: items.collect(),
        truncated: page.next.is_some() || !is_whole,
        total: is_whole.then(|| wire(sites.len())),
        cursor: page.next.map(Cursor::format),
        skipped: first_by_name(basis.skipped),
        symbol: asked.symbol.to_owned(),
        direction: asked.direction,
        definitions,
    }))
}

/// The way through the code, step by step.
struct Walk<'q, H> {
    code: Code<'q, H>,
    /// The steps by their places, each at its smallest depth.
    steps: BTreeMap<(RepoPath, u32, u32), Step>,
    seen: BTreeSet<Place>,
    /// Whether there were more symbols than are followed.
    is_bounded: bool,
}

impl<H: Host> Walk<'_, H> {
    async fn follow(
        &mut self,
        targets: BTreeSet<Place>,
        asked: &Asked<'_>,
    ) -> Result<(), RagnavError> {
        let mut edge: BTreeMap<Place, Vec<SymbolId>> = BTreeMap::new();
        edge.extend(targets.into_iter().map(|place| (place, Vec::new())));
        for depth in 1..=asked.depth {
            let mut next: BTreeMap<Place, Vec<SymbolId>> = BTreeMap::new();
            for (place, via) in edge {
                if self.seen.len() >= MAX_SYMBOLS {
                    self.is_bounded = true;
                    return Ok(());
                }
                if !self.seen.insert(place.clone()) {
                    continue;
                }
                let taken = match asked.direction {
                    Direction::Upstream => self.upstream(&place).await?,
                    Direction::Downstream => self.downstream(&place).await?,
                };
                for (site, edge, far) in taken {
                    let far_id = far.as_ref().and_then(|far| self.id(far));
                    let via: Vec<SymbolId> = via.iter().cloned().chain(far_id).collect();
                    if let Some(far) = far.filter(|_| site.resolution == Resolution::Resolved) {
                        next.entry(far)
                            .and_modify(|known| *known = known.clone().min(via.clone()))
                            .or_insert_with(|| via.clone());
                    }
                    let key = (site.path.clone(), site.line, site.start_utf16);
                    self.steps.entry(key).or_insert(Step {
                        site,
                        edge,
                        depth,
                        via,
                    });
                }
            }
            edge = next;
        }
        Ok(())
    }

    /// Who calls, inherits from or imports a definition.
    async fn upstream(&mut self, place: &Place) -> Result<Vec<Taken>, RagnavError> {
        let Some(name) = self.name(place).await? else {
            return Ok(Vec::new());
        };
        let targets = BTreeSet::from([place.clone()]);
        let sites = sites_of(&mut self.code, &name, &targets).await?;
        let taken = sites.into_iter().filter_map(|site| {
            let edge = match site.kind {
                ItemKind::Call => Edge::Calls,
                ItemKind::Inherit => Edge::Extends,
                ItemKind::Import => Edge::Imports,
                ItemKind::Reference | ItemKind::Text | ItemKind::Definition => return None,
            };
            let far = self.around(&site);
            Some((site, edge, far))
        });
        Ok(taken.collect())
    }

    /// What a definition calls and inherits from.
    async fn downstream(&mut self, place: &Place) -> Result<Vec<Taken>, RagnavError> {
        self.code.bring(&BTreeSet::from([place.0.clone()])).await?;
        let (mut taken, unknown) = loop {
            let (taken, unknown) = self.taken_by(place);
            if !self.code.bring_wanted().await? {
                break (taken, unknown);
            }
        };
        let names = unknown.iter().map(|(name, _)| name.clone()).collect();
        let callables = callables(&mut self.code, &place.0, &names).await?;
        for (name, site) in unknown {
            let may_be = callables.get(&name).into_iter().flatten();
            taken.extend(may_be.map(|far| {
                let home = BTreeSet::from([far.0.clone()]);
                let is_proven = site.is_proven && self.code.all_proven(&home);
                let site = Site {
                    is_proven,
                    ..site.clone()
                };
                (site, Edge::Calls, Some(far.clone()))
            }));
        }
        Ok(taken)
    }

    /// The steps that are known, and the calls of members of what is not known, by their names.
    fn taken_by(&self, (path, id): &Place) -> (Vec<Taken>, Vec<(String, Site)>) {
        let world = &self.code.world;
        let (mut taken, mut unknown) = (Vec::new(), Vec::new());
        let Some(file) = world.facts(path) else {
            return (taken, unknown);
        };
        let linker = Linker::new(world);
        for reference in file
            .facts
            .references
            .iter()
            .filter(|one| is_of(&file, *id, one))
        {
            let edge = match reference.kind {
                ReferenceKind::Call => Edge::Calls,
                ReferenceKind::Inherit => Edge::Extends,
                ReferenceKind::Import => Edge::Imports,
                ReferenceKind::Reference => continue,
            };
            world.begin();
            let meaning = linker.reference(path, &file, reference);
            let mut consulted = world.take_consulted();
            consulted.insert(path.clone());
            let is_proven = self.code.all_proven(&consulted);
            let is_member = reference.receiver != Receiver::None;
            if edge == Edge::Calls && is_member && meaning.is_unknown() {
                let name = file.facts.name(reference.name).to_owned();
                let site = Site::new(path, &file, reference, Resolution::Candidate, is_proven);
                unknown.push((name, site));
            }
            let site = Site::new(path, &file, reference, Resolution::Resolved, is_proven);
            for (far_path, far) in linker.definitions(&meaning) {
                taken.push((site.clone(), edge, Some((far_path.clone(), far))));
                if edge == Edge::Calls {
                    // What runs is followed on; the row is the class's.
                    let run = linker.constructors(far_path, far).into_iter();
                    taken.extend(run.map(|run| (site.clone(), edge, Some(run))));
                }
            }
        }
        (taken, unknown)
    }

    /// The innermost definition around a place; `None` for module-level code.
    fn around(&self, site: &Site) -> Option<Place> {
        let file = self.code.world.facts(&site.path)?;
        let symbols = FileSymbols::of_facts(&site.path, &file.facts);
        let place = symbols.around(site.line, site.end_utf16)?;
        Some((site.path.clone(), DefinitionId(wire(place))))
    }

    fn id(&self, (path, id): &Place) -> Option<SymbolId> {
        let file = self.code.world.facts(path)?;
        FileSymbols::of_facts(path, &file.facts).id_of(id.0 as usize)
    }

    async fn name(&mut self, (path, id): &Place) -> Result<Option<String>, RagnavError> {
        self.code.bring(&BTreeSet::from([path.clone()])).await?;
        let file = self.code.world.facts(path);
        Ok(file.and_then(|file| {
            let definition = file.facts.definitions.get(id.0 as usize)?;
            Some(file.facts.name(definition.name).to_owned())
        }))
    }
}

/// Whether a reference is of what a definition does: anywhere in a function, but for a class in its own statements and superclasses.
fn is_of(file: &FileFacts, id: DefinitionId, reference: &Reference) -> bool {
    let Some(definition) = file.facts.definitions.get(id.0 as usize) else {
        return false;
    };
    let line = reference.at.line;
    let is_within = (definition.start_line..=definition.end_line).contains(&line)
        && reference.at > definition.name_at;
    let scope = file.facts.scopes.get(reference.scope.0 as usize);
    let around = scope.and_then(|scope| scope.definition);
    let is_class = definition.kind == crate::item::DefinitionKind::Class;
    is_within
        && (!is_class
            || around == Some(id)
            || reference.kind == ReferenceKind::Inherit && around == definition.parent)
}
