//! Lineage: who calls, inherits from or imports a symbol, or what it calls and inherits from, over several steps.
//! Source: seed `tools`, section 1.2.

mod steps;

use serde::Deserialize;

use self::steps::{Step, Walk};
use crate::answer::{Failure, add_message, add_partial, page_rows};
use crate::basis::Basis;
use crate::code::Code;
use crate::cursor::Cursor;
use crate::find::{Finding, Question, find};
use crate::knowledge::Knowledge;
use crate::scope::Scope;
use crate::search::first_by_name;
use crate::sites::{Page, Rows, Site, Unmade};
use crate::where_used::{ATTEMPTS, restless, targets};
use crate::{Settings, StalePolicy};
use ragnav_base::argument::whole_number;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Definition, Direction, LineageItem, LineageResult, NavItem};
use ragnav_base::position::wire;
use ragnav_repository::overlay::Overlaid;

/// Rows of a page where the caller does not say (reference row T3).
const DEFAULT_RESULTS: usize = 50;
/// Steps at most.
const MAX_DEPTH: usize = 32;

/// What a lineage question may be told beside its symbol and direction.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct LineageOptions {
    /// Rows of a page, at least 1. Default 50, at most 10,000.
    #[cfg_attr(feature = "tsify", tsify(optional, type = "number | null | undefined"))]
    pub max_results: Option<f64>,
    /// How many steps are taken, at least 1. Default 1, at most 32.
    #[cfg_attr(feature = "tsify", tsify(optional, type = "number | null | undefined"))]
    pub depth: Option<f64>,
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
        settings.kept.doubt();
    }
    Err(restless().into())
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
    let question = Question::new(symbol)?;
    let (fingerprint, cursor) = Cursor::of_question(&asked, options.cursor.as_deref())?;
    Ok(Asked {
        symbol,
        question,
        direction,
        depth,
        limit,
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
) -> Result<Option<LineageResult>, Failure> {
    let basis = Basis::new(host, settings, asked.policy, Scope::Links).await?;
    let Finding {
        definitions: found,
        unread,
        mut partial,
    } = find(host, settings, &basis, &asked.question).await?;
    let mut walk = Walk::new(Code::new(host, settings, &basis).await?);
    walk.follow(targets(&found), asked.direction, asked.depth)
        .await?;
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
    partial.append(&mut walk.code.partial);
    let is_partial = add_partial(&mut meta, &partial);
    let is_cut = walk.code.is_cut_short() || walk.is_bounded;
    let skipped = walk.code.into_skipped();
    if is_cut {
        add_message(&mut meta, "The lineage was not followed to its end.");
    }
    let is_whole = basis.complete && !is_cut && !is_partial;
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
        skipped: first_by_name(basis.skipped.into_iter().chain(skipped).collect()),
        symbol: asked.symbol.to_owned(),
        direction: asked.direction,
        definitions,
    }))
}
