//! Retrieving the documents of a plan: by meaning, or by the filters alone.

use serde::Serialize;
use serde_json::Value;

use super::catalogue::Catalogue;
use super::normalise::{Hit, deduplicate_by_file, normalise};
use super::passage_kind::PassageKind;
use super::plan::{Filter, Plan};
use super::store::{Query, Row, Store};
use super::survey_texts::OtherFiles;
use super::where_filter::{WhereParts, build_where};
use ragnav_base::error::RagnavError;
use ragnav_base::host::{EmbedRequest, Host};
use ragnav_base::position::wire;
use ragnav_matching::history::History;

/// The default number of documents for a plan with a query.
pub(crate) const SEMANTIC_K: usize = 20;
/// The default number of documents for a plan without a query.
pub(crate) const METADATA_LIMIT: usize = 100;
/// The factor by which more documents are requested if only one of each file is kept.
const OVER_FETCH: usize = 4;

/// How documents were retrieved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub(crate) enum RetrievalMode {
    /// By meaning: the terms of the store, and its vectors if it has some.
    Semantic,
    /// By metadata.
    Metadata,
}

/// The metadata of a retrieval.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub(crate) struct RetrievalMeta {
    /// How documents were retrieved.
    pub mode: RetrievalMode,
    /// The filters as a `where` of Chroma; `null` for none.
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown> | null"))]
    pub r#where: Option<Value>,
    /// The filters that Chroma cannot express. ragnav evaluates them itself.
    pub rest: Vec<Filter>,
    /// The number of documents that were requested from the store.
    pub k: u32,
    /// The number of documents that the store returned.
    pub returned: u32,
    /// The number of documents that were replaced by a better one of the same file.
    pub collapsed: u32,
    /// Whether no document met the plan's filters, so that it was retried without them.
    pub relaxed: bool,
    /// The number of documents that were re-identified by name in changed files.
    pub rebound: u32,
    /// The number of documents that are left out, since their files changed during the query.
    pub lost: u32,
    /// The number of documents that a language model ordered; 0 if none did.
    pub reranked: u32,
}

/// The plan and the options of a retrieval.
#[derive(Debug, Clone)]
pub(crate) struct RetrieveRequest<'r> {
    /// The plan.
    pub plan: &'r Plan,
    /// The question, for a retry without the plan's filters.
    pub question: &'r str,
    /// The metadata fields.
    pub catalogue: &'r Catalogue,
    /// Filters that apply whatever the plan says.
    pub mandatory: &'r [Filter],
    /// Whether a model made the filters, so that they may be wrong.
    pub is_model_made: bool,
    /// The kind that every document must be of, also in a retry.
    pub only: Option<PassageKind>,
    /// The largest number of documents.
    pub limit: Option<usize>,
    /// Whether to keep only the best document of each file.
    pub deduplicates: bool,
    /// Whether the host can embed texts.
    pub embeds: bool,
    /// The files that are not in the store.
    pub others: Option<&'r OtherFiles>,
    /// The history of the repository, if it counts.
    pub history: Option<&'r History>,
}

impl RetrieveRequest<'_> {
    /// Returns the words of the plan, or the question if the plan has none.
    #[must_use]
    pub(crate) fn words(&self) -> &str {
        match self.plan.semantic_query.trim() {
            "" => self.question.trim(),
            words => words,
        }
    }

    /// Returns the words of the plan if they alone decide, without filters.
    #[must_use]
    pub(crate) fn words_alone(&self) -> Option<&str> {
        let Plan {
            semantic_search_needed,
            semantic_query,
            filters,
            ..
        } = self.plan;
        let words = semantic_query.trim();
        let is_alone = *semantic_search_needed && filters.is_empty() && self.mandatory.is_empty();
        (is_alone && !words.is_empty()).then_some(words)
    }
}

/// Retrieves the documents of a plan, best first.
///
/// # Errors
/// `INVALID_ARGUMENT` for invalid filters; `STORE_FAILED` if the store fails; `HOST_FAILED` if the
/// host cannot embed.
pub(crate) async fn retrieve<H: Host, S: Store>(
    host: &H,
    store: &S,
    request: &RetrieveRequest<'_>,
) -> Result<(Vec<Hit>, RetrievalMeta), RagnavError> {
    let plan = request.plan;
    let filters: Vec<Filter> = plan
        .filters
        .iter()
        .chain(request.mandatory)
        .cloned()
        .collect();
    let WhereParts { clause, rest } = build_where(&filters, Some(request.catalogue))?;
    let query = plan.semantic_query.trim();
    let words = Some(query).filter(|query| plan.semantic_search_needed && !query.is_empty());
    let mut meta = RetrievalMeta {
        mode: match words {
            Some(_) => RetrievalMode::Semantic,
            None => RetrievalMode::Metadata,
        },
        r#where: clause,
        rest,
        k: 0,
        returned: 0,
        collapsed: 0,
        relaxed: false,
        rebound: 0,
        lost: 0,
        reranked: 0,
    };
    let mut rows = fetch_rows(host, store, request, words, &filters, &mut meta).await?;
    let again = request.words();
    if rows.is_empty() && request.is_model_made && !plan.filters.is_empty() && !again.is_empty() {
        let WhereParts { clause, rest } = build_where(request.mandatory, Some(request.catalogue))?;
        meta.relaxed = true;
        meta.mode = RetrievalMode::Semantic;
        (meta.r#where, meta.rest) = (clause, rest);
        let filters = request.mandatory;
        rows = fetch_rows(host, store, request, Some(again), filters, &mut meta).await?;
    }
    meta.returned = wire(rows.len());
    let mut hits = normalise(rows);
    if request.deduplicates {
        let before = hits.len();
        hits = deduplicate_by_file(hits);
        meta.collapsed = wire(before - hits.len());
    }
    if let Some(limit) = request.limit {
        hits.truncate(limit);
    }
    Ok((hits, meta))
}

/// Requests rows from the store, with a query if there is one.
async fn fetch_rows<H: Host, S: Store>(
    host: &H,
    store: &S,
    request: &RetrieveRequest<'_>,
    words: Option<&str>,
    filters: &[Filter],
    meta: &mut RetrievalMeta,
) -> Result<Vec<Row>, RagnavError> {
    let times = if request.deduplicates { OVER_FETCH } else { 1 };
    let wanted = request.limit.map(|limit| limit.saturating_mul(times));
    let Some(text) = words else {
        let limit = wanted.unwrap_or(METADATA_LIMIT);
        meta.k = wire(limit);
        return store.get(filters, request.only, limit).await;
    };
    let embedding = if request.embeds && store.wants_embedding() {
        host.send(EmbedRequest {
            texts: vec![text.to_owned()],
        })
        .await?
        .pop()
    } else {
        None
    };
    let query = Query {
        text,
        embedding: embedding.as_deref(),
        filters,
        only: request.only,
        k: wanted.unwrap_or(SEMANTIC_K),
        others: request.others,
        history: request.history,
    };
    meta.k = wire(query.k);
    store.query(query).await
}
