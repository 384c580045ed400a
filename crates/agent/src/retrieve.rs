//! From a plan to documents: by what they mean, or by the filters alone.

use serde::Serialize;
use serde_json::Value;

use super::catalogue::Catalogue;
use super::hit::{Hit, deduplicate_by_file, normalise};
use super::plan::{Filter, Plan};
use super::store::{Query, Row, Store};
use super::where_filter::{WhereParts, build_where};
use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, Host};
use ragnav_base::position::wire;

/// Documents that are searched for by meaning, unless a limit is given.
pub const SEMANTIC_K: usize = 20;
/// Documents that are listed, unless a limit is given.
pub const METADATA_LIMIT: usize = 100;
/// How many times as many documents are asked for as are wanted, where those of one file become one.
const OVER_FETCH: usize = 4;

/// How documents were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum RetrievalMode {
    /// By what they mean: the store's vectors, or its terms.
    Semantic,
    /// By their metadata.
    Metadata,
}

/// What a retrieval came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct RetrievalMeta {
    /// How documents were found.
    pub mode: RetrievalMode,
    /// The filters as a `where` of Chroma; `null` for none.
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown> | null"))]
    pub r#where: Option<Value>,
    /// The filters that such a `where` cannot say; documents were held against them all the same.
    pub rest: Vec<Filter>,
    /// How many documents the store was asked for.
    pub k: u32,
    /// How many it gave.
    pub returned: u32,
    /// How many of those were left out for a better one of the same file.
    pub collapsed: u32,
    /// Whether nothing met the plan's filters, so that it was asked without them.
    pub relaxed: bool,
    /// How many stand in files that have changed, and stood there before by the same names.
    pub rebound: u32,
    /// How many are left out since their files changed while the question was answered.
    pub lost: u32,
}

/// What a retrieval is told beside the plan.
#[derive(Debug, Clone)]
pub struct Retrieving<'r> {
    /// The plan.
    pub plan: &'r Plan,
    /// The question, for when the plan's own words do not do.
    pub question: &'r str,
    /// What the fields are.
    pub catalogue: &'r Catalogue,
    /// Filters that hold whatever the plan says.
    pub mandatory: &'r [Filter],
    /// Whether a model made the plan's filters, so that they may be wrong.
    pub is_model_made: bool,
    /// Documents at most.
    pub limit: Option<usize>,
    /// Whether only the best document of each file counts.
    pub deduplicates: bool,
    /// Whether the host embeds.
    pub embeds: bool,
}

/// Finds the documents of a plan, best first.
///
/// # Errors
/// `INVALID_ARGUMENT` for filters that make no sense; `STORE_FAILED` where the store cannot answer; `HOST_FAILED` where the host cannot embed though
/// it is said to.
pub async fn retrieve<H: Host, S: Store>(
    host: &H,
    store: &S,
    retrieving: &Retrieving<'_>,
) -> Result<(Vec<Hit>, RetrievalMeta), RagnavError> {
    let plan = retrieving.plan;
    let filters: Vec<Filter> = plan
        .filters
        .iter()
        .chain(retrieving.mandatory)
        .cloned()
        .collect();
    let WhereParts { clause, rest } = build_where(&filters, Some(retrieving.catalogue))?;
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
    };
    let mut rows = fetch(host, store, retrieving, words, &filters, &mut meta).await?;
    let again = Some(query).filter(|query| !query.is_empty());
    let again = again.unwrap_or(retrieving.question.trim());
    if rows.is_empty() && retrieving.is_model_made && !plan.filters.is_empty() && !again.is_empty()
    {
        let WhereParts { clause, rest } =
            build_where(retrieving.mandatory, Some(retrieving.catalogue))?;
        meta.relaxed = true;
        meta.mode = RetrievalMode::Semantic;
        (meta.r#where, meta.rest) = (clause, rest);
        let filters = retrieving.mandatory;
        rows = fetch(host, store, retrieving, Some(again), filters, &mut meta).await?;
    }
    meta.returned = wire(rows.len());
    let mut hits = normalise(rows);
    if retrieving.deduplicates {
        let before = hits.len();
        hits = deduplicate_by_file(hits);
        meta.collapsed = wire(before - hits.len());
    }
    if let Some(limit) = retrieving.limit {
        hits.truncate(limit);
    }
    Ok((hits, meta))
}

/// Asks the store: for words where there are any.
async fn fetch<H: Host, S: Store>(
    host: &H,
    store: &S,
    retrieving: &Retrieving<'_>,
    words: Option<&str>,
    filters: &[Filter],
    meta: &mut RetrievalMeta,
) -> Result<Vec<Row>, RagnavError> {
    let times = if retrieving.deduplicates {
        OVER_FETCH
    } else {
        1
    };
    let wanted = retrieving.limit.map(|limit| limit.saturating_mul(times));
    let Some(text) = words else {
        let limit = wanted.unwrap_or(METADATA_LIMIT);
        meta.k = wire(limit);
        return store.get(filters, limit).await;
    };
    let embedding = if retrieving.embeds && store.wants_embedding() {
        host::embed(host, vec![text.to_owned()]).await?.pop()
    } else {
        None
    };
    let query = Query {
        text,
        embedding: embedding.as_deref(),
        filters,
        k: wanted.unwrap_or(SEMANTIC_K),
    };
    meta.k = wire(query.k);
    store.query(query).await
}
