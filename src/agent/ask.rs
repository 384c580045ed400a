//! A question with its plan: documents are found, held against their files, and packaged.

use serde::Deserialize;

use super::answer::AgentResult;
use super::catalogue::Catalogue;
use super::fresh::{Proven, Proving, prove};
use super::hit::Hit;
use super::package::{DEFAULT_BUDGET, Packaging};
use super::plan::{Filter, PlanMeta, PlanSource, ResponseFormat};
use super::retrieve::{RetrievalMeta, Retrieving, retrieve};
use super::store::files::{self, StoreCache, StoreFault};
use super::store::foreign::ForeignStore;
use crate::argument::whole_number;
use crate::envelope::{
    ErrorOptions, FallbackOptions, FileCounts, OkOptions, RagToolMeta, RouteReason, error_result,
    fallback_result, ok_result,
};
use crate::error::RagnavError;
use crate::freshness::route;
use crate::graph::index::Index;
use crate::host::Host;
use crate::overlay::Overlaid;
use crate::position::wire;
use crate::tools::answer::{Failure, explain};
use crate::tools::{Settings, StalePolicy};

/// Skipped files that an answer names.
const MAX_SKIPPED: usize = 20;

const OTHER_INDEX: &str =
    "The store of documents is not of this index: files may be missing in it; build it again.";

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

/// Answers a question by its plan; never fails.
pub async fn ask<H: Host>(host: &H, settings: &Settings, asking: &Asking<'_>) -> AgentResult {
    let plan = serde_json::to_value(&asking.plan).ok();
    let mut answer = match try_ask(host, settings, asking).await {
        Ok(answer) => answer,
        Err(failure) => AgentResult::new(asking.question, failure.meta()),
    };
    answer.meta.plan = plan;
    answer
}

/// The answer to a question that failed before it had a plan.
#[must_use]
pub fn ask_error(question: &str, error: RagnavError) -> AgentResult {
    let meta = error_result::<()>(ErrorOptions::from_error(error)).meta;
    AgentResult::new(question, meta)
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
        is_model_made: matches!(
            asking.plan.source,
            PlanSource::Llm | PlanSource::LlmRepaired
        ),
        limit,
        deduplicates: options.deduplicate.unwrap_or(true),
        embeds: asking.embeds,
    };
    let Found {
        hits,
        mut retrieval,
        mut note,
        generation,
    } = find(host, asking, &retrieving).await?;
    let is_empty = hits.is_empty();
    let must_meet = must_meet(&retrieving, &retrieval);
    let proving = Proving {
        policy,
        with_text: plan.response_format == ResponseFormat::SelectiveContext,
        filters: &must_meet,
        is_foreign: asking.is_foreign,
    };
    let mut proven = prove(host, settings, hits, &proving).await?;
    let index = proven.index.as_deref().map(Index::generation);
    if !asking.is_foreign && generation.as_deref() != index {
        if is_empty && proven.route.use_rag {
            proven.route = route::unusable(proven.route, RouteReason::FilesUnknown);
        }
        note.get_or_insert_with(|| OTHER_INDEX.to_owned());
    }
    if policy == StalePolicy::Error && !proven.route.use_rag {
        return Err(Failure::stale(proven.route));
    }
    retrieval.rebound = wire(proven.rebound);
    retrieval.lost = wire(proven.lost);
    let mut meta = meta(&proven);
    meta.retrieval = serde_json::to_value(&retrieval).ok();
    let mut answer = AgentResult {
        skipped: proven.skipped.iter().take(MAX_SKIPPED).cloned().collect(),
        ..AgentResult::new(asking.question, meta)
    };
    let packaging = Packaging {
        format: plan.response_format,
        budget: budget.unwrap_or(DEFAULT_BUDGET),
    };
    answer.put(proven.known, packaging);
    answer.say(&retrieval, note);
    Ok(answer)
}

/// What a store gave.
struct Found {
    hits: Vec<Hit>,
    retrieval: RetrievalMeta,
    /// What is to be said about the store.
    note: Option<String>,
    /// Of which index its documents are.
    generation: Option<String>,
}

/// Asks the store that is to be asked.
async fn find<H: Host>(
    host: &Overlaid<'_, H>,
    asking: &Asking<'_>,
    retrieving: &Retrieving<'_>,
) -> Result<Found, RagnavError> {
    if asking.is_foreign {
        let store = ForeignStore::new(host, asking.catalogue);
        let (hits, retrieval) = retrieve(host, &store, retrieving).await?;
        return Ok(Found {
            hits,
            retrieval,
            note: None,
            generation: None,
        });
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
    let (hits, retrieval) = retrieve(host, &*opened.store, retrieving).await?;
    let without = opened.store.without_vector();
    let note = note.or_else(|| {
        let is_missed = asking.embeds && without > 0;
        is_missed.then(|| format!("{without} documents have no vector and cannot be found by one; build the store with embeddings."))
    });
    Ok(Found {
        hits,
        retrieval,
        note,
        generation: opened.store.generation().map(str::to_owned),
    })
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
