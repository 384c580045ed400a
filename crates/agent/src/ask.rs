//! A question with its plan: documents are found, held against their files, and packaged.

use serde::Deserialize;

use super::answer::AgentResult;
use super::catalogue::Catalogue;
use super::current::{Current, current};
use super::fresh::{Proven, Proving, prove, unproven};
use super::package::{DEFAULT_BUDGET, Packaging};
use super::plan::{Filter, PlanMeta, PlanSource, ResponseFormat};
use super::retrieve::{RetrievalMeta, Retrieving, retrieve};
use super::store::files::{StoreCache, StoreFault};
use super::store::foreign::ForeignStore;
use ragnav_base::argument::Count;
use ragnav_base::envelope::{
    ErrorOptions, FallbackOptions, FileCounts, OkOptions, RagToolMeta, error_result,
    fallback_result, ok_result,
};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::position::wire;
use ragnav_repository::failure::{Failure, explain};
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::route;
use ragnav_repository::settings::{Settings, StalePolicy};

/// Skipped files that an answer names.
const MAX_SKIPPED: usize = 20;

const NO_STORE: &str = "There is no store of documents, so the files were divided for this question; a build with documents spares that.";

/// What a question to the agent may be told.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct AskOptions {
    /// Documents at most, at least 1. Default: of 20 that are searched for by meaning, or of 100 that are listed.
    pub limit: Option<Count>,
    /// Tokens that the texts have together, one for four bytes. Default 5,000.
    pub token_budget: Option<Count>,
    /// Whether only the best document of each file counts. Default `true`.
    pub deduplicate: Option<bool>,
    /// Default: as the repository was opened. What `allow` gives of a file that has changed has no text.
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
    let limit = options.limit.map(Count::get);
    let budget = options.token_budget.map(Count::get);
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
    let proving = Proving {
        policy,
        with_text: plan.response_format == ResponseFormat::SelectiveContext,
    };
    let Found {
        proven,
        mut retrieval,
        note,
    } = if asking.is_foreign {
        find_foreign(host, settings, asking, &retrieving).await?
    } else {
        find(host, settings, asking, &retrieving, &proving).await?
    };
    if policy == StalePolicy::Error && !proven.route.use_rag {
        return Err(Failure::Stale(Box::new(proven.route)));
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

/// What was found.
struct Found {
    proven: Proven,
    retrieval: RetrievalMeta,
    /// What is to be said about the store.
    note: Option<String>,
}

/// Asks the store of the host.
async fn find_foreign<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    asking: &Asking<'_>,
    retrieving: &Retrieving<'_>,
) -> Result<Found, Failure> {
    let store = ForeignStore::new(host, asking.catalogue);
    let (hits, retrieval) = retrieve(host, &store, retrieving).await?;
    let examined = route::examine(host, &settings.repo, &settings.caches).await;
    Ok(Found {
        proven: unproven(hits, examined.route),
        retrieval,
        note: None,
    })
}

/// Asks the embedded store, brought to how the files are now.
async fn find<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    asking: &Asking<'_>,
    retrieving: &Retrieving<'_>,
    proving: &Proving,
) -> Result<Found, Failure> {
    let current = current(host, settings, asking.cache, proving.policy, asking.embeds).await?;
    let (hits, retrieval) = retrieve(host, &*current.store, retrieving).await?;
    let note = note(&current, asking.embeds);
    let proven = prove(host, settings, current, hits, proving).await?;
    Ok(Found {
        proven,
        retrieval,
        note,
    })
}

/// What is to be said of the store.
fn note(current: &Current, embeds: bool) -> Option<String> {
    let without = current.store.without_vector();
    match current.fault {
        Some(StoreFault::Missing) => Some(NO_STORE.to_owned()),
        Some(fault) => Some(format!(
            "What was stored is not used where it cannot be: {fault}."
        )),
        None if embeds && without > 0 => Some(format!(
            "{without} documents have no vector and cannot be found by one; build the store with embeddings."
        )),
        None => None,
    }
}

fn meta(proven: &Proven) -> RagToolMeta {
    let route = &proven.route;
    let (changed, unknown) = proven.statuses.differing();
    let files = FileCounts {
        graph: wire(proven.statuses.unchanged()),
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
