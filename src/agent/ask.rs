//! A question with its plan: documents are found, held against their files, and packaged.

use serde::{Deserialize, Serialize};

use super::catalogue::Catalogue;
use super::chunk::Lines;
use super::fresh::{Known, Proven, Proving, prove};
use super::hit::Hit;
use super::metadata::text;
use super::package::{DEFAULT_BUDGET, Package, Packaged, Packaging, package};
use super::plan::{Filter, PlanMeta, PlanSource, ResponseFormat};
use super::retrieve::{RetrievalMeta, Retrieving, retrieve};
use super::store::files::{self, StoreCache, StoreFault};
use super::store::foreign::ForeignStore;
use crate::argument::whole_number;
use crate::envelope::{
    ErrorOptions, FallbackOptions, FileCounts, FreshnessState, OkOptions, Proof, RagToolMeta,
    RagToolSource, SourceTag, error_result, fallback_result, ok_result,
};
use crate::error::RagnavError;
use crate::host::Host;
use crate::item::{Match, Skipped};
use crate::overlay::Overlaid;
use crate::position::wire;
use crate::tools::answer::{Failure, add_message, explain};
use crate::tools::{Settings, StalePolicy};

/// Skipped files that an answer names.
const MAX_SKIPPED: usize = 20;

/// What a question to the agent may be told.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct AskOptions {
    /// Documents at most, at least 1. Default: of 20 that are searched for by meaning, or of 100 that are listed.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "number | null | undefined"))]
    pub limit: Option<f64>,
    /// Tokens that the texts have together, one for four bytes. Default 5,000.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "number | null | undefined"))]
    pub token_budget: Option<f64>,
    /// Whether only the best document of each file counts. Default `true`.
    #[cfg_attr(feature = "wasm", tsify(optional, type = "boolean | null | undefined"))]
    pub deduplicate: Option<bool>,
    /// Default: as the repository was opened. What `allow` gives of a file that has changed has no text.
    #[cfg_attr(
        feature = "wasm",
        tsify(optional, type = "StalePolicy | null | undefined")
    )]
    pub stale_policy: Option<StalePolicy>,
}

/// A question with what answers it.
#[derive(Debug, Clone)]
pub struct Asking<'a> {
    /// The question as it was asked.
    pub question: &'a str,
    /// Its plan.
    pub plan: PlanMeta,
    /// What the documents' fields are.
    pub catalogue: &'a Catalogue,
    /// Filters that hold whatever the plan says.
    pub mandatory: &'a [Filter],
    /// What the caller wants.
    pub options: &'a AskOptions,
    /// The embedded store, kept between questions.
    pub cache: &'a StoreCache,
    /// Whether the host has a store of its own that is asked instead.
    pub is_foreign: bool,
    /// Whether the host embeds.
    pub embeds: bool,
}

/// Where a passage stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm", tsify(missing_as_null))]
pub struct Citation {
    /// The file.
    pub path: String,
    /// Its first line; `null` where the store does not know.
    pub start_line: Option<u32>,
    /// Its last line.
    pub end_line: Option<u32>,
    /// What of the file it is.
    pub heading: Option<String>,
}

/// A document of an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm", tsify(missing_as_null))]
pub struct Passage {
    /// What a language model reads.
    #[serde(flatten)]
    pub package: Package,
    /// Where it stands; `null` for a document of no file.
    pub citation: Option<Citation>,
    /// How well it fits, from 0 to 1; `null` where nothing was searched for.
    pub score: Option<f64>,
    /// Which it was among those that were found, from 1.
    pub rank: u32,
    /// How many others of its file were found, and are left out for it.
    pub siblings: u32,
    /// Where this row came from.
    pub source: SourceTag,
    /// How current this row is.
    pub freshness_state: FreshnessState,
    /// How that is known.
    pub proof: Proof,
    /// How it was found again in a file that has changed; `null` where it has not.
    pub r#match: Option<Match>,
}

/// The answer of the agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "wasm", tsify(missing_as_null))]
pub struct AgentResult {
    /// What the answer rests on.
    pub meta: RagToolMeta,
    /// The documents, best first.
    pub items: Vec<Passage>,
    /// The same under the seed's name.
    pub results: Vec<Passage>,
    /// Equal to `meta.source`.
    pub source: RagToolSource,
    /// Equal to `meta.freshness_state`.
    pub freshness_state: FreshnessState,
    /// Whether documents were left out, or a text was cut, for the budget.
    pub truncated: bool,
    /// How many documents there were before.
    pub total: Option<u32>,
    /// How many of them are not among the items.
    pub omitted: u32,
    /// There are no further pages.
    pub cursor: Option<String>,
    /// The first of the files of which documents were left out.
    pub skipped: Vec<Skipped>,
    /// The question.
    pub query: String,
}

/// Answers a question by its plan; never fails.
pub async fn ask<H: Host>(host: &H, settings: &Settings, asking: &Asking<'_>) -> AgentResult {
    let plan = serde_json::to_value(&asking.plan).ok();
    let mut answer = match try_ask(host, settings, asking).await {
        Ok(answer) => answer,
        Err(failure) => result(asking.question, failure.meta()),
    };
    answer.meta.plan = plan;
    answer
}

/// The answer to a question that failed before it had a plan.
#[must_use]
pub fn ask_error(question: &str, error: RagnavError) -> AgentResult {
    let meta = error_result::<()>(ErrorOptions::from_error(error)).meta;
    result(question, meta)
}

fn result(question: &str, meta: RagToolMeta) -> AgentResult {
    AgentResult {
        items: Vec::new(),
        results: Vec::new(),
        source: meta.source,
        freshness_state: meta.freshness_state,
        truncated: false,
        total: None,
        omitted: 0,
        cursor: None,
        skipped: Vec::new(),
        query: question.to_owned(),
        meta,
    }
}

async fn try_ask<H: Host>(
    host: &H,
    settings: &Settings,
    asking: &Asking<'_>,
) -> Result<AgentResult, Failure> {
    let options = asking.options;
    let limit = options
        .limit
        .map(|limit| whole_number("limit", limit))
        .transpose()?;
    let budget = options.token_budget;
    let budget = budget
        .map(|budget| whole_number("token_budget", budget))
        .transpose()?;
    let plan = &asking.plan.plan;
    let policy = options.stale_policy.unwrap_or(settings.stale_policy);
    let host = &Overlaid::new(host).await?;
    let retrieving = Retrieving {
        plan,
        question: asking.question,
        catalogue: asking.catalogue,
        mandatory: asking.mandatory,
        is_model_made: asking.plan.source != PlanSource::Deterministic,
        limit,
        deduplicates: options.deduplicate.unwrap_or(true),
        embeds: asking.embeds,
    };
    let (hits, mut retrieval, note) = find(host, asking, &retrieving).await?;
    let must_meet = must_meet(&retrieving, &retrieval);
    let proving = Proving {
        policy,
        with_text: plan.response_format == ResponseFormat::SelectiveContext,
        filters: &must_meet,
        is_foreign: asking.is_foreign,
    };
    let proven = prove(host, settings, hits, &proving).await?;
    if policy == StalePolicy::Error && !proven.route.use_rag {
        return Err(Failure::stale(proven.route));
    }
    retrieval.rebound = wire(proven.rebound);
    retrieval.lost = wire(proven.lost);
    let mut meta = meta(&proven);
    meta.retrieval = serde_json::to_value(&retrieval).ok();
    let mut answer = AgentResult {
        skipped: proven.skipped.iter().take(MAX_SKIPPED).cloned().collect(),
        ..result(asking.question, meta)
    };
    let packaging = Packaging {
        format: plan.response_format,
        budget: budget.unwrap_or(DEFAULT_BUDGET),
    };
    answer.put(proven.known, packaging);
    answer.say(&retrieval, note);
    Ok(answer)
}

/// Asks the store that is to be asked. Gives what is to be said about it, too.
async fn find<H: Host>(
    host: &Overlaid<'_, H>,
    asking: &Asking<'_>,
    retrieving: &Retrieving<'_>,
) -> Result<(Vec<Hit>, RetrievalMeta, Option<String>), RagnavError> {
    if asking.is_foreign {
        let store = ForeignStore::new(host, asking.catalogue);
        let (hits, meta) = retrieve(host, &store, retrieving).await?;
        return Ok((hits, meta, None));
    }
    let opened = files::open(host, asking.cache).await?;
    let note = match opened.fault {
        // What is left of it still answers.
        Some(StoreFault::Damaged) if opened.store.count() > 0 => {
            Some("Parts of the store of documents are damaged; build it again.".to_owned())
        }
        Some(fault) => return Err(fault.into()),
        None => None,
    };
    let (hits, meta) = retrieve(host, &*opened.store, retrieving).await?;
    let without = opened.store.without_vector();
    let note = note.or_else(|| {
        let is_missed = asking.embeds && without > 0;
        is_missed.then(|| format!("{without} documents have no vector and cannot be found by one; build the store with embeddings."))
    });
    Ok((hits, meta, note))
}

/// What documents met that were found.
fn must_meet(retrieving: &Retrieving<'_>, retrieval: &RetrievalMeta) -> Vec<Filter> {
    let planned = retrieving.plan.filters.iter();
    let planned = planned.filter(|_| !retrieval.relaxed);
    planned.chain(retrieving.mandatory).cloned().collect()
}

fn meta(proven: &Proven) -> RagToolMeta {
    let route = &proven.route;
    let (changed, unknown) = proven.verification.differing();
    let files = FileCounts {
        graph: wire(proven.verification.unchanged()),
        live: wire(proven.live),
        changed: wire(changed + unknown),
        skipped: wire(proven.skipped.len()),
    };
    let index_status = route.status.clone();
    let bare = if route.use_rag || proven.is_allowed {
        let message = (!route.use_rag).then(|| {
            let why = explain(route.reason);
            format!("{why} Answered from what is stored (policy `allow`).")
        });
        let options = OkOptions {
            freshness_state: Some(route.freshness_state),
            index_status,
            message,
            ..OkOptions::default()
        };
        ok_result::<()>(Vec::new(), options).meta
    } else {
        let options = FallbackOptions {
            freshness_state: Some(route.freshness_state),
            index_status,
            message: Some(explain(route.reason).to_owned()),
        };
        fallback_result::<()>(Vec::new(), options).meta
    };
    RagToolMeta {
        reason: Some(route.reason),
        head: route.head.clone(),
        files: Some(files),
        ..bare
    }
}

impl AgentResult {
    /// Puts the documents in that the budget allows.
    fn put(&mut self, known: Vec<Known>, packaging: Packaging) {
        let (hits, grounds): (Vec<Hit>, Vec<_>) = known
            .into_iter()
            .map(|known| (known.hit, (known.ground, known.found)))
            .unzip();
        let Packaged {
            packages,
            is_cut,
            omitted,
        } = package(&hits, packaging);
        let passages = packages.into_iter().filter_map(|(at, package)| {
            let (hit, (ground, found)) = hits.get(at).zip(grounds.get(at))?;
            Some(Passage {
                package,
                citation: citation(hit),
                score: hit.score,
                rank: hit.rank,
                siblings: hit.siblings,
                source: ground.source,
                freshness_state: ground.freshness_state,
                proof: ground.proof,
                r#match: *found,
            })
        });
        self.items = passages.collect();
        self.results.clone_from(&self.items);
        self.total = Some(wire(hits.len()));
        self.omitted = wire(omitted);
        self.truncated = is_cut || omitted > 0;
    }

    /// Says what a person should know.
    fn say(&mut self, retrieval: &RetrievalMeta, note: Option<String>) {
        let mut notes: Vec<String> = note.into_iter().collect();
        if retrieval.relaxed {
            notes.push("Nothing met the plan's filters; these were found without them.".to_owned());
        }
        if retrieval.lost > 0 {
            let lost = retrieval.lost;
            notes.push(format!(
                "{lost} documents are left out: their files have changed, and hold no such thing any more."
            ));
        }
        for note in notes {
            add_message(&mut self.meta, &note);
        }
    }
}

fn citation(hit: &Hit) -> Option<Citation> {
    let own: Option<&[Lines]> = hit.place.as_ref().map(|place| &place.lines[..]);
    Some(Citation {
        path: hit.file_path.clone()?,
        start_line: own.and_then(|own| own.first()).map(|lines| lines.start),
        end_line: own.and_then(|own| own.last()).map(|lines| lines.end),
        heading: text(&hit.metadata, "heading").map(str::to_owned),
    })
}
