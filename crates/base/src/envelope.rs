//! The envelope around every answer: what it rests on and how far it may be trusted.
//!
//! Source: seed `envelope`, sections 3 and 4. The types are plain data; who decides their values is
//! `freshness` and `tools`. Absent values are `null` on the wire, except `last_error`.

use serde::{Deserialize, Serialize};

use crate::error::{AnyErrorCode, RagnavError};

/// Whether an answer is authoritative, came from the live repository, or failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RagToolStatus {
    /// Authoritative and fully backed by the index.
    Ok,
    /// From a deterministic path over the live files.
    Fallback,
    /// The request could not be satisfied; see `error_code` and `message`.
    Error,
}

/// Where the data of an answer came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RagToolSource {
    /// The index.
    RagGraph,
    /// The live repository.
    LocalFallback,
    /// Nowhere: an error.
    None,
}

/// Where the data of one row came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SourceTag {
    /// The index.
    RagGraph,
    /// The live repository.
    LocalFallback,
}

/// How current something is known to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FreshnessState {
    /// Proven current.
    Fresh,
    /// Known to be out of date.
    Stale,
    /// Nothing proves it either way.
    Unknown,
}

/// How a row's text, or a file, is known to be current.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// The file has the size and stamp that the index recorded.
    Stat,
    /// The file's bytes were read, and have the hash that the index recorded.
    Hash,
    /// One of these held for an earlier question, and a watcher that missed nothing saw no change since.
    Watch,
    /// The text was read from the live repository for this answer.
    Live,
    /// The text is an unsaved editor buffer, as the host gave it for this answer.
    Overlay,
    /// Nothing: it is what the index remembers.
    None,
}

/// Why the route is what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RouteReason {
    /// There is no status file.
    NoStatus,
    /// The status file is damaged, or a value in it is of the wrong type.
    StatusUnreadable,
    /// The index says of itself that it is not fresh.
    IndexNotFresh,
    /// Not inside a git repository, or no commit yet.
    HeadUnknown,
    /// The index does not say which commit it was built from.
    CommitUnknown,
    /// The index was built from the commit that is checked out.
    HeadMatches,
    /// Another commit is checked out than the one the index was built from.
    HeadMoved,
    /// Another version of ragnav wrote the index.
    SchemaUnsupported,
    /// Files differ from the index.
    FilesChanged,
    /// Files could not be checked, or were left out by a limit on their number.
    FilesUnknown,
    /// The status speaks of an index that is not there.
    GraphMissing,
    /// The store of documents lacks what the answer rests on: it was made for the answer.
    DocumentsMissing,
    /// The index is there, but damaged or not of the build that the status speaks of.
    GraphUnreadable,
    /// The host could not read the status or HEAD.
    HostFailed,
}

/// What the index says of itself: `.llmc/rag/index_status.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct IndexStatus {
    /// The repository's root as the host names it.
    pub repo: String,
    /// `fresh`, `stale`, `rebuilding` or `error`, compared without regard to case.
    pub index_state: String,
    /// When the index was last built, ISO 8601 in UTC.
    pub last_indexed_at: Option<String>,
    /// The commit it was built from.
    pub last_indexed_commit: Option<String>,
    /// The version of the index's layout.
    pub schema_version: String,
    /// Why the last build failed; left out where it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string"))]
    pub last_error: Option<String>,
}

/// Whether the index may be used, and why. Source: seed `gateway`, section 3.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct RouteDecision {
    /// Whether answers may come from the index.
    pub use_rag: bool,
    /// How current the index is.
    pub freshness_state: FreshnessState,
    /// The status the decision was made on.
    pub status: Option<IndexStatus>,
    /// Which rule decided.
    pub reason: RouteReason,
    /// The commit that is checked out: a full object id.
    pub head: Option<String>,
    /// Where the git repository's root is: `""` the root itself, `"../.."` above it.
    pub git_root: Option<String>,
}

/// How many files an answer rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct FileCounts {
    /// Files answered for by the index.
    pub graph: u32,
    /// Files read live.
    pub live: u32,
    /// Files that differ from the index.
    pub changed: u32,
    /// Files in scope that could not be searched; `skipped` names the first of them.
    pub skipped: u32,
}

/// What an answer rests on. The seed's six keys come first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct RagToolMeta {
    /// Authoritative, fallback or failed.
    pub status: RagToolStatus,
    /// The failure's code; `null` unless the status is `ERROR`.
    pub error_code: Option<AnyErrorCode>,
    /// A sentence for a person.
    pub message: Option<String>,
    /// Where the data came from.
    pub source: RagToolSource,
    /// How current the index is.
    pub freshness_state: FreshnessState,
    /// The index status the route was decided on.
    pub index_status: Option<IndexStatus>,
    /// Why the route is what it is.
    pub reason: Option<RouteReason>,
    /// The commit that is checked out.
    pub head: Option<String>,
    /// How many files the answer rests on.
    pub files: Option<FileCounts>,
    /// The micro-agent's plan, a [`PlanMeta`](ragnav_agent::plan::PlanMeta); `null` for every other answer.
    #[cfg_attr(feature = "tsify", tsify(type = "PlanMeta | null"))]
    pub plan: Option<serde_json::Value>,
    /// The micro-agent's retrieval, a [`RetrievalMeta`](ragnav_agent::retrieve::RetrievalMeta); `null` for every other answer.
    #[cfg_attr(feature = "tsify", tsify(type = "RetrievalMeta | null"))]
    pub retrieval: Option<serde_json::Value>,
}

impl Default for RagToolMeta {
    fn default() -> Self {
        Self {
            status: RagToolStatus::Ok,
            error_code: None,
            message: None,
            source: RagToolSource::RagGraph,
            freshness_state: FreshnessState::Unknown,
            index_status: None,
            reason: None,
            head: None,
            files: None,
            plan: None,
            retrieval: None,
        }
    }
}

/// Items with what they rest on.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct RagResult<T> {
    /// What the answer rests on.
    pub meta: RagToolMeta,
    /// The items, in order, as they were given.
    pub items: Vec<T>,
}

impl<T> RagResult<T> {
    /// Returns the answer of a failed query: no items.
    #[must_use]
    pub fn failed(meta: RagToolMeta) -> Self {
        let items = Vec::new();
        Self { meta, items }
    }
}

/// What [`ok_result`] may be told beside its items.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct OkOptions {
    /// Default: `RAG_GRAPH`.
    pub source: Option<RagToolSource>,
    /// Default: `FRESH`.
    pub freshness_state: Option<FreshnessState>,
    /// Default: none.
    pub index_status: Option<IndexStatus>,
    /// Default: none.
    pub message: Option<String>,
}

/// What [`fallback_result`] may be told beside its items.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct FallbackOptions {
    /// Default: `STALE`.
    pub freshness_state: Option<FreshnessState>,
    /// Default: none.
    pub index_status: Option<IndexStatus>,
    /// Default: none.
    pub message: Option<String>,
}

/// What [`error_result`] is told.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ErrorOptions {
    /// What kind of failure it is.
    pub error_code: AnyErrorCode,
    /// What happened and what to do about it.
    pub message: String,
    /// Default: `UNKNOWN`.
    #[serde(default)]
    pub freshness_state: Option<FreshnessState>,
    /// Default: none.
    #[serde(default)]
    pub index_status: Option<IndexStatus>,
}

impl ErrorOptions {
    /// The options that say no more than the error itself.
    #[must_use]
    pub fn from_error(error: RagnavError) -> Self {
        Self {
            error_code: error.code.into(),
            message: error.message,
            freshness_state: None,
            index_status: None,
        }
    }
}

/// An authoritative answer: `OK`, by default `RAG_GRAPH` and `FRESH`.
#[must_use]
pub fn ok_result<T>(items: Vec<T>, options: OkOptions) -> RagResult<T> {
    let meta = RagToolMeta {
        source: options.source.unwrap_or(RagToolSource::RagGraph),
        freshness_state: options.freshness_state.unwrap_or(FreshnessState::Fresh),
        index_status: options.index_status,
        message: options.message,
        ..RagToolMeta::default()
    };
    RagResult { meta, items }
}

/// An answer from the live repository: `FALLBACK`, `LOCAL_FALLBACK`, by default `STALE`.
#[must_use]
pub fn fallback_result<T>(items: Vec<T>, options: FallbackOptions) -> RagResult<T> {
    let meta = RagToolMeta {
        status: RagToolStatus::Fallback,
        source: RagToolSource::LocalFallback,
        freshness_state: options.freshness_state.unwrap_or(FreshnessState::Stale),
        index_status: options.index_status,
        message: options.message,
        ..RagToolMeta::default()
    };
    RagResult { meta, items }
}

/// A failure: `ERROR`, `NONE`, no items, by default `UNKNOWN`.
#[must_use]
pub fn error_result<T>(options: ErrorOptions) -> RagResult<T> {
    let meta = RagToolMeta {
        status: RagToolStatus::Error,
        source: RagToolSource::None,
        error_code: Some(options.error_code),
        message: Some(options.message),
        freshness_state: options.freshness_state.unwrap_or(FreshnessState::Unknown),
        index_status: options.index_status,
        ..RagToolMeta::default()
    };
    RagResult {
        meta,
        items: Vec::new(),
    }
}
