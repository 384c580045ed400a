//! Where used: the references to a symbol, through imports, aliases and inheritance. Source: seed `tools`, section 1.2.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::answer::{Failure, add_message, add_partial, page_rows};
use crate::basis::Basis;
use crate::code::Code;
use crate::constructed::constructions;
use crate::cursor::Cursor;
use crate::find::{Finding, FoundDefinition, Question, find};
use crate::knowledge::Knowledge;
use crate::mentions::Mentions;
use crate::scope::Scope;
use crate::search::first_by_name;
use crate::sites::{Page, Rows, Site, Unmade};
use crate::{Settings, StalePolicy};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::Host;
use ragnav_base::item::{Definition, NavItem, Resolution, WhereUsedResult};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_repository::overlay::Overlaid;
use ragnav_resolve::FileFacts;
use ragnav_resolve::ResolvedEntities;
use ragnav_resolve::Resolver;
use ragnav_syntax::facts::{DefinitionId, Receiver, Reference};

/// Rows of a page where the caller does not say (reference row T3).
const DEFAULT_LIMIT: usize = 50;
/// How many references are followed before the host may breathe.
const PAUSE_REFERENCES: usize = 500;
/// How often an answer is begun again because files changed while it was made.
pub(super) const ATTEMPTS: usize = 3;

/// Which references are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Those that scopes and imports lead to.
    Resolved,
    /// Those of the same name as well, of which the receiver is not known.
    #[default]
    All,
}

/// What a where-used question may be told beside its symbol.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct WhereUsedOptions {
    /// Rows of a page, at least 1. Default 50, at most 10,000.
    #[cfg_attr(feature = "tsify", tsify(optional, type = "number | null | undefined"))]
    pub limit: Option<f64>,
    /// Which references are wanted. Default `all`.
    #[cfg_attr(
        feature = "tsify",
        tsify(optional, type = "Confidence | null | undefined")
    )]
    pub confidence: Option<Confidence>,
    /// Default: as the repository was opened.
    #[cfg_attr(
        feature = "tsify",
        tsify(optional, type = "StalePolicy | null | undefined")
    )]
    pub stale_policy: Option<StalePolicy>,
    /// The `cursor` of the page before.
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string | null | undefined"))]
    pub cursor: Option<String>,
}

/// Answers with the references to all definitions that a symbol names; see [`WhereUsedResult`].
pub async fn where_used<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    options: &WhereUsedOptions,
) -> WhereUsedResult {
    match try_where_used(host, settings, symbol, options).await {
        Ok(result) => result,
        Err(failure) => failed(symbol, failure),
    }
}

/// The answer to a question that failed.
#[must_use]
pub fn where_used_error(symbol: &str, error: RagnavError) -> WhereUsedResult {
    failed(symbol, error.into())
}

fn failed(symbol: &str, failure: Failure) -> WhereUsedResult {
    let meta = failure.meta();
    WhereUsedResult {
        source: meta.source,
        freshness_state: meta.freshness_state,
        meta,
        items: Vec::new(),
        truncated: false,
        total: None,
        cursor: None,
        skipped: Vec::new(),
        symbol: symbol.to_owned(),
        definitions: Vec::new(),
    }
}

/// A question that was understood.
struct Asked<'q> {
    symbol: &'q str,
    question: Question<'q>,
    limit: usize,
    confidence: Confidence,
    policy: Option<StalePolicy>,
    cursor: Option<Cursor>,
    fingerprint: u64,
}

async fn try_where_used<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    options: &WhereUsedOptions,
) -> Result<WhereUsedResult, Failure> {
    let asked = understand(symbol, options)?;
    let host = &Overlaid::new(host).await?;
    for _ in 0..ATTEMPTS {
        if let Some(result) = answer(host, settings, &asked).await? {
            return Ok(result);
        }
        settings.kept.doubt();
    }
    Err(restless().into())
}

/// Why there is no answer after so many attempts.
pub(super) fn restless() -> RagnavError {
    let message =
        "files changed while they were read, again and again; ask again when they are at rest";
    RagnavError::new(ErrorCode::HostFailed, message)
}

fn understand<'q>(symbol: &'q str, options: &WhereUsedOptions) -> Result<Asked<'q>, RagnavError> {
    let limit = page_rows("limit", options.limit, DEFAULT_LIMIT)?;
    let confidence = options.confidence.unwrap_or_default();
    let asked = format!("where used {symbol:?} {confidence:?}");
    let question = Question::new(symbol)?;
    let (fingerprint, cursor) = Cursor::of_question(&asked, options.cursor.as_deref())?;
    Ok(Asked {
        symbol,
        question,
        limit,
        confidence,
        policy: options.stale_policy,
        cursor,
        fingerprint,
    })
}

/// `None` where a file changed meanwhile.
async fn answer<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    asked: &Asked<'_>,
) -> Result<Option<WhereUsedResult>, Failure> {
    let basis = Basis::new(host, settings, asked.policy, Scope::Links).await?;
    let Finding {
        definitions: found,
        unread,
        mut partial,
    } = find(host, settings, &basis, &asked.question).await?;
    let mut code = Code::new(host, settings, &basis).await?;
    let targets = targets(&found);
    let mut sites = Vec::new();
    for name in names(&found) {
        sites.extend(sites_of(&mut code, &name, &targets).await?);
    }
    if asked.confidence == Confidence::Resolved {
        sites.retain(|site| site.resolution == Resolution::Resolved);
    }
    sites.sort_unstable();
    sites.dedup_by(|a, b| (&a.path, a.line, a.start_utf16) == (&b.path, b.line, b.start_utf16));
    let page = Page::new(asked.cursor, asked.limit, asked.fingerprint, &sites)?;
    let knowledge = Knowledge::read(host, settings, &basis).await?;
    let rows = Rows {
        host,
        settings,
        basis: &basis,
        code: &code,
        knowledge: &knowledge,
    };
    let items: Vec<NavItem> = match rows.make(page.of(&sites)).await {
        Ok(items) => items,
        Err(Unmade::Changed) => return Ok(None),
        Err(Unmade::Failed(error)) => return Err(error.into()),
    };
    let unread = unread.max(code.unread());
    let mut meta = basis.meta(settings, unread)?;
    partial.append(&mut code.partial);
    let is_partial = add_partial(&mut meta, &partial);
    let is_whole = basis.complete && !code.is_cut_short() && !is_partial;
    if code.is_cut_short() {
        add_message(
            &mut meta,
            "The chain of imports was not followed to its end.",
        );
    }
    let skipped = code.into_skipped();
    let definitions: Vec<Definition> = found.into_iter().map(|found| found.definition).collect();
    Ok(Some(WhereUsedResult {
        source: meta.source,
        freshness_state: meta.freshness_state,
        meta,
        items,
        truncated: page.next.is_some() || !is_whole,
        total: is_whole.then(|| wire(sites.len())),
        cursor: page.next.map(Cursor::format),
        skipped: first_by_name(basis.skipped.into_iter().chain(skipped).collect()),
        symbol: asked.symbol.to_owned(),
        definitions,
    }))
}

/// What is asked about, by file and place.
pub(super) type Targets = BTreeSet<(RepoPath, DefinitionId)>;

pub(super) fn targets(found: &[FoundDefinition]) -> Targets {
    let place = |found: &FoundDefinition| DefinitionId(wire(found.place));
    found
        .iter()
        .map(|found| (found.path.clone(), place(found)))
        .collect()
}

fn names(found: &[FoundDefinition]) -> BTreeSet<String> {
    let ids = found.iter().map(|found| found.definition.symbol.dotted());
    ids.map(|id| id.rsplit('.').next().unwrap_or(id).to_owned())
        .collect()
}

/// The references to some definitions of one name, and the calls of classes that run them.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub(super) async fn sites_of<H: Host>(
    code: &mut Code<'_, H>,
    name: &str,
    targets: &Targets,
) -> Result<Vec<Site>, RagnavError> {
    let mut sites = references_to(code, name, targets).await?;
    sites.extend(constructions(code, targets).await?);
    Ok(sites)
}

/// The references to some definitions of one name.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub(super) async fn references_to<H: Host>(
    code: &mut Code<'_, H>,
    name: &str,
    targets: &Targets,
) -> Result<Vec<Site>, RagnavError> {
    let mentions = Mentions::find(code, name, targets).await?;
    loop {
        let sites = link(code, name, targets, &mentions).await;
        if !code.bring_wanted().await? {
            return Ok(sites);
        }
    }
}

/// The references that mean one of the targets, or may, with the facts that are at hand.
async fn link<H: Host>(
    code: &Code<'_, H>,
    name: &str,
    targets: &Targets,
    mentions: &Mentions,
) -> Vec<Site> {
    let linker = Resolver::new(&code.world);
    code.world.start_tracking();
    let asked = Meant {
        linker,
        name,
        targets,
        overridden: targets
            .iter()
            .flat_map(|(path, id)| linker.overridden_methods(path, *id))
            .collect(),
    };
    let above = code.world.take_dependencies();
    let mut sites = Vec::new();
    let mut unpaused = 0;
    for (done, path) in mentions.files.iter().enumerate() {
        if unpaused > PAUSE_REFERENCES {
            unpaused = 0;
            code.pause(done, mentions.files.len()).await;
        }
        let Some(file) = code.world.facts(path) else {
            continue;
        };
        let references = file.facts.references.iter();
        for reference in references.filter(|one| mentions.hold(path, file.facts.name(one.name))) {
            unpaused += 1;
            code.world.start_tracking();
            let meaning = linker.resolve_reference(path, &file, reference);
            let Some(resolution) = asked.judge(path, &file, reference, &meaning) else {
                continue;
            };
            let mut consulted = code.world.take_dependencies();
            consulted.insert(path.clone());
            if resolution == Resolution::Candidate {
                consulted.extend(above.iter().cloned());
            }
            let is_proven = code.all_proven(&consulted);
            sites.push(Site::new(path, &file, reference, resolution, is_proven));
        }
    }
    sites
}

/// What references are held against.
struct Meant<'m> {
    linker: Resolver<'m>,
    name: &'m str,
    targets: &'m Targets,
    /// The methods that the targets override: on some instance of their class one of the targets runs.
    overridden: Targets,
}

impl Meant<'_> {
    fn judge(
        &self,
        path: &RepoPath,
        file: &FileFacts,
        reference: &Reference,
        meaning: &ResolvedEntities,
    ) -> Option<Resolution> {
        let among = |targets: &Targets| {
            let mut meant = self.linker.definitions(meaning);
            meant.any(|(path, id)| targets.contains(&(path.clone(), id)))
        };
        let name = file.facts.name(reference.name);
        if among(self.targets) {
            // What is called by another name inside itself may be what stood in its place before: `o.f = () => old()`.
            let may_be_older = name != self.name && self.is_inside(path, file, reference);
            return Some(if may_be_older {
                Resolution::Candidate
            } else {
                Resolution::Resolved
            });
        }
        let is_member = reference.receiver != Receiver::None;
        let is_unknown = meaning.is_unknown() && is_member;
        let may_override =
            || among(&self.overridden) && self.linker.is_instance_member(path, file, reference);
        let could_import = || {
            let mut homes = self.targets.iter().map(|(home, _)| home);
            homes.any(|home| ragnav_resolve::share_family(home, path))
        };
        let may_be = (is_unknown || may_override()) && could_import();
        (may_be && name == self.name).then_some(Resolution::Candidate)
    }

    /// Whether a reference is inside one of the targets that is a member of something.
    fn is_inside(&self, path: &RepoPath, file: &FileFacts, reference: &Reference) -> bool {
        let mut definitions = self.targets.iter().filter(|(home, _)| home == path);
        definitions.any(|(_, id)| {
            let definition = file.facts.definitions.get(id.0 as usize);
            definition.is_some_and(|found| {
                let lines = found.start_line..=found.end_line;
                found.qualifier.is_some() && lines.contains(&reference.position.line)
            })
        })
    }
}
