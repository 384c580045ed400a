//! Answering a question by its plan: retrieve documents, verify them against their files, and
//! package them.

use serde::Deserialize;

use super::answer::AgentResult;
use super::catalogue::Catalogue;
use super::current_documents::{CurrentDocuments, Wanted, build_current_documents};
use super::model::{ModelOptions, SupportedFormats};
use super::normalise::Hit;
use super::package::{DEFAULT_BUDGET, PackageSettings};
use super::passage_kind::PassageKind;
use super::plan::{Filter, PlanMeta, PlanSource, ResponseFormat};
use super::rerank::{MAX_RERANKED, reorder, request_order};
use super::retrieve::{RetrievalMeta, RetrievalMode, RetrieveRequest, retrieve};
use super::store::files::{StoreCache, StoreFault};
use super::store::foreign::ForeignStore;
use super::verify_documents::{
    VerifiedDocuments, VerifyOptions, verify_documents, wrap_unverified,
};
use ragnav_base::argument::Count;
use ragnav_base::envelope::{
    ErrorOptions, FallbackOptions, FileCounts, OkOptions, RagToolMeta, RouteReason, error_result,
    fallback_result, ok_result,
};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::position::wire;
use ragnav_matching::terms::Terms;
use ragnav_query::read_history::read_history;
use ragnav_repository::failure::{Failure, explain, freshness_words};
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::route;
use ragnav_repository::settings::{Settings, StalePolicy};

/// The number of skipped files that an answer lists.
const MAX_SKIPPED: usize = 20;

const FOREIGN_ORDER: &str =
    "The history does not count: the store of the caller orders its documents.";
const ALL_CHUNKED: &str = "Documents were built for this query.";
const BEST_CHUNKED: &str = "Documents of the files that fit best were built for this query.";
const STORE_THEM: &str = "Run `build-graph` to store them.";

const NO_MODEL: &str = "There is no language model to rerank the documents. Name one with `llm`, \
    or with RAGNAV_MODEL in the environment.";

/// The options of `ask`.
///
/// # Examples
///
/// ```
/// use ragnav_agent::ask::AskOptions;
/// use ragnav_agent::passage_kind::PassageKind;
///
/// let options: AskOptions = serde_json::from_str(r#"{"only": "docs"}"#).unwrap();
/// assert_eq!(options.only, Some(PassageKind::Docs));
/// assert!(options.limit.is_none());
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct AskOptions {
    /// The largest number of documents. Default: 20 with a query, 100 without one.
    pub limit: Option<Count>,
    /// The token budget of all texts, at four bytes a token. Default 5,000.
    pub token_budget: Option<Count>,
    /// Whether only the best document of each file is returned. Default `true`.
    pub deduplicate: Option<bool>,
    /// The kind of passages to return. Default: all kinds. A document that states no path has no
    /// kind.
    pub only: Option<PassageKind>,
    /// Whether files rank higher if commits change them often, and have changed them lately.
    /// Default `false`.
    pub history: Option<bool>,
    /// Whether the language model orders the first 20 documents. It sees the start of each. Default
    /// `false`.
    pub rerank: Option<bool>,
    /// Default: the policy of the navigator. Under `allow`, a document of a changed file has no
    /// text.
    pub stale_policy: Option<StalePolicy>,
}

/// A question with everything that answers it.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::plan;
/// use ragnav_agent::ask::{AgentQuery, AskOptions};
/// use ragnav_agent::catalogue::Catalogue;
/// use ragnav_agent::store::files::StoreCache;
///
/// let query = AgentQuery {
///     question: "how does the deployment work",
///     plan: plan("how does the deployment work"),
///     catalogue: &Catalogue::all(),
///     mandatory: &[],
///     options: &AskOptions::default(),
///     cache: &StoreCache::default(),
///     is_foreign: false,
///     embeds: false,
///     model: None,
/// };
/// assert!(query.plan.plan.semantic_search_needed);
/// ```
#[derive(Debug, Clone)]
pub struct AgentQuery<'a> {
    /// The question.
    pub question: &'a str,
    /// The plan of the question.
    pub plan: PlanMeta,
    /// The metadata fields of the documents.
    pub catalogue: &'a Catalogue,
    /// Filters that apply whatever the plan says.
    pub mandatory: &'a [Filter],
    /// The caller's options.
    pub options: &'a AskOptions,
    /// The cache of the embedded store, shared between queries.
    pub cache: &'a StoreCache,
    /// Whether to query a store of the host instead of the embedded one.
    pub is_foreign: bool,
    /// Whether the host can embed texts.
    pub embeds: bool,
    /// The language model, if there is one.
    pub model: Option<&'a ModelOptions>,
}

/// Answers a question by its plan. A failure is an answer with the status `ERROR`.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::{built, plan};
/// use ragnav_agent::ask::{AgentQuery, AskOptions, ask};
/// use ragnav_agent::catalogue::Catalogue;
/// use ragnav_agent::model::SupportedFormats;
/// use ragnav_agent::store::files::StoreCache;
/// use ragnav_base::memory_host::block_on;
/// use ragnav_query::Settings;
///
/// let host = built(&[("notes.md", "# Deployment\nRun the script.\n")]);
/// let query = AgentQuery {
///     question: "deployment",
///     plan: plan("deployment"),
///     catalogue: &Catalogue::all(),
///     mandatory: &[],
///     options: &AskOptions::default(),
///     cache: &StoreCache::default(),
///     is_foreign: false,
///     embeds: false,
///     model: None,
/// };
/// let mut formats = SupportedFormats::default();
/// let answer = block_on(ask(&host, &Settings::default(), &query, &mut formats));
/// assert_eq!(answer.items[0].citation.as_ref().unwrap().path, "notes.md");
/// ```
pub async fn ask<H: Host>(
    host: &H,
    settings: &Settings,
    query: &AgentQuery<'_>,
    formats: &mut SupportedFormats,
) -> AgentResult {
    let plan = serde_json::to_value(&query.plan).ok();
    let mut answer = match try_ask(host, settings, query, formats).await {
        Ok(answer) => answer,
        Err(failure) => AgentResult::new(query.question, failure.meta()),
    };
    answer.meta.plan = plan;
    answer
}

/// Builds the answer to a question that failed before it had a plan.
///
/// # Examples
///
/// ```
/// use ragnav_agent::ask::ask_error;
/// use ragnav_base::envelope::RagToolStatus;
/// use ragnav_base::error::RagnavError;
///
/// let answer = ask_error("deployment", RagnavError::invalid("The catalogue has no fields."));
/// assert_eq!(answer.meta.status, RagToolStatus::Error);
/// assert_eq!(answer.query, "deployment");
/// ```
#[must_use]
pub fn ask_error(question: &str, error: RagnavError) -> AgentResult {
    let meta = error_result::<()>(ErrorOptions::from_error(error)).meta;
    AgentResult::new(question, meta)
}

async fn try_ask<H: Host>(
    host: &H,
    settings: &Settings,
    query: &AgentQuery<'_>,
    formats: &mut SupportedFormats,
) -> Result<AgentResult, Failure> {
    let options = query.options;
    let limit = options.limit.map(Count::get);
    let reranks = options.rerank.unwrap_or_default();
    let reranker = query.model.filter(|_| reranks);
    let budget = options.token_budget.map(Count::get);
    let plan = &query.plan.plan;
    let policy = options.stale_policy.unwrap_or(settings.stale_policy);
    let host = &Overlaid::new(host).await?;
    let counts_history = options.history.unwrap_or_default();
    let history = match query.is_foreign {
        true if counts_history => Err(FOREIGN_ORDER.to_owned()),
        true => Ok(None),
        false => read_history(host, counts_history).await,
    };
    let (history, no_history) = history.map_or_else(|why| (None, Some(why)), |read| (read, None));
    let request = RetrieveRequest {
        plan,
        question: query.question,
        catalogue: query.catalogue,
        mandatory: query.mandatory,
        is_model_made: matches!(query.plan.source, PlanSource::Llm | PlanSource::LlmRepaired),
        only: options.only,
        // The best document may not be among the first few yet.
        limit: limit.map(|limit| limit.max(reranker.map_or(0, |_| MAX_RERANKED))),
        deduplicates: options.deduplicate.unwrap_or(true),
        embeds: query.embeds,
        others: None,
        history: history.as_ref(),
    };
    let verify_options = VerifyOptions {
        policy,
        with_text: reranker.is_some() || plan.response_format == ResponseFormat::SelectiveContext,
    };
    let Retrieved {
        mut verified,
        mut retrieval,
        mut notes,
    } = if query.is_foreign {
        retrieve_foreign(host, settings, query, &request).await?
    } else {
        retrieve_embedded(host, settings, query, &request, &verify_options).await?
    };
    if policy == StalePolicy::Error && !verified.route.use_rag {
        return Err(Failure::Stale(Box::new(verified.route)));
    }
    retrieval.rebound = wire(verified.reidentified);
    retrieval.lost = wire(verified.lost);
    notes.extend(no_history);
    if let Some(model) = reranker {
        let failure = rerank(host, model, query, &mut verified, &mut retrieval, formats).await;
        notes.extend(failure);
    } else if reranks {
        notes.push(NO_MODEL.to_owned());
    }
    if let Some(limit) = limit {
        verified.documents.truncate(limit);
    }
    let mut meta = answer_meta(&verified);
    meta.retrieval = serde_json::to_value(&retrieval).ok();
    let mut answer = AgentResult {
        skipped: verified.skipped.iter().take(MAX_SKIPPED).cloned().collect(),
        ..AgentResult::new(query.question, meta)
    };
    let package_settings = PackageSettings {
        format: plan.response_format,
        budget: budget.unwrap_or(DEFAULT_BUDGET),
    };
    let terms = match retrieval.mode {
        RetrievalMode::Semantic => Terms::new(request.words()).ok(),
        RetrievalMode::Metadata => None,
    };
    answer.add_documents(verified.documents, package_settings, terms.as_ref());
    answer.add_notes(&retrieval, notes);
    Ok(answer)
}

/// Orders the first documents by a model. Returns a note if they keep their order.
async fn rerank<H: Host>(
    host: &H,
    model: &ModelOptions,
    query: &AgentQuery<'_>,
    verified: &mut VerifiedDocuments,
    retrieval: &mut RetrievalMeta,
    formats: &mut SupportedFormats,
) -> Option<String> {
    let documents = verified.documents.iter().take(MAX_RERANKED);
    let first: Vec<&Hit> = documents.map(|document| &document.hit).collect();
    // A list by metadata has its own order.
    if retrieval.mode == RetrievalMode::Metadata || first.len() < 2 {
        return None;
    }
    let asked = [query.question, &query.plan.plan.semantic_query];
    let question = asked.into_iter().find(|text| !text.trim().is_empty())?;
    match request_order(host, model, question, &first, formats).await {
        Ok(order) => {
            retrieval.reranked = wire(order.len());
            verified.documents = reorder(std::mem::take(&mut verified.documents), &order);
            None
        }
        Err(fault) => Some(format!(
            "The documents are not reranked, because {}.",
            fault.message()
        )),
    }
}

/// The retrieved and verified documents.
struct Retrieved {
    verified: VerifiedDocuments,
    retrieval: RetrievalMeta,
    /// What the message says about the store.
    notes: Vec<String>,
}

/// Retrieves documents from the store of the host, which cannot be verified.
async fn retrieve_foreign<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    query: &AgentQuery<'_>,
    request: &RetrieveRequest<'_>,
) -> Result<Retrieved, Failure> {
    let store = ForeignStore::new(host, query.catalogue);
    let (hits, retrieval) = retrieve(host, &store, request).await?;
    let examined = route::examine(host, &settings.repo, &settings.caches).await;
    Ok(Retrieved {
        verified: wrap_unverified(hits, examined.route),
        retrieval,
        notes: Vec::new(),
    })
}

/// Retrieves documents from the embedded store, updated for changed files.
async fn retrieve_embedded<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    query: &AgentQuery<'_>,
    request: &RetrieveRequest<'_>,
    verify_options: &VerifyOptions,
) -> Result<Retrieved, Failure> {
    let current = build_current_documents(
        host,
        settings,
        query.cache,
        verify_options.policy,
        Wanted {
            words: request.words_alone(),
            only: request.only,
            history: request.history,
            embeds: query.embeds,
        },
    )
    .await?;
    let others = current.others.as_ref();
    let request = RetrieveRequest {
        others,
        ..request.clone()
    };
    let (hits, retrieval) = retrieve(host, &*current.store, &request).await?;
    let is_missing = current.fault == Some(StoreFault::Missing);
    let mut notes: Vec<String> = store_note(&current, query.embeds).into_iter().collect();
    let verified = verify_documents(host, settings, current, hits, verify_options).await?;
    if is_missing && verified.route.reason != RouteReason::DocumentsMissing {
        notes.push(STORE_THEM.to_owned());
    }
    Ok(Retrieved {
        verified,
        retrieval,
        notes,
    })
}

/// Returns the note about a store that is missing, damaged or lacks vectors.
fn store_note(current: &CurrentDocuments, embeds: bool) -> Option<String> {
    let without = current.store.count_without_vector();
    match current.fault {
        Some(StoreFault::Missing) if current.others.is_some() => Some(BEST_CHUNKED.to_owned()),
        Some(StoreFault::Missing) => Some(ALL_CHUNKED.to_owned()),
        Some(fault) => Some(format!("The stored documents are incomplete: {fault}.")),
        None if embeds && without > 0 => Some(format!(
            "{without} documents have no vector, so only their words count. Build the store with \
             embeddings."
        )),
        None => None,
    }
}

fn answer_meta(verified: &VerifiedDocuments) -> RagToolMeta {
    let route = &verified.route;
    let (changed, _) = verified.statuses.differing();
    let files = FileCounts {
        graph: wire(verified.stored),
        live: wire(verified.live),
        changed: wire(changed),
        skipped: wire(verified.skipped.len()),
    };
    let index_status = route.status.clone();
    let bare = if route.use_rag || verified.is_allowed {
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
        let said = if verified.statuses.has_other_version() {
            RouteReason::SchemaUnsupported
        } else {
            route.reason
        };
        let options = FallbackOptions {
            freshness_state: Some(route.freshness_state),
            index_status,
            message: Some(freshness_words(said, files)),
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
