//! The envelope of every answer: where its data came from and how current it is.
//!
//! The types are plain data; queries decide their values. Absent values are `null` on the wire,
//! except `last_error`, which is omitted.

use serde::{Deserialize, Serialize};

use crate::difference::SinceMeta;
use crate::error::{AnyErrorCode, RagnavError};

/// The outcome of a query: authoritative, read live, or failed.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::RagToolStatus;
///
/// assert_eq!(serde_json::to_value(RagToolStatus::Fallback).unwrap(), "FALLBACK");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RagToolStatus {
    /// The answer is authoritative: the index backs all of it.
    Ok,
    /// The answer was read from the live files.
    Fallback,
    /// The query failed; see `error_code` and `message`.
    Error,
}

/// The origin of an answer's data.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::RagToolSource;
///
/// assert_eq!(serde_json::to_value(RagToolSource::LocalFallback).unwrap(), "LOCAL_FALLBACK");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RagToolSource {
    /// The index.
    RagGraph,
    /// The live repository.
    LocalFallback,
    /// No data: the query failed.
    None,
}

/// The origin of one row's data.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::SourceTag;
///
/// assert_eq!(serde_json::to_value(SourceTag::RagGraph).unwrap(), "RAG_GRAPH");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SourceTag {
    /// The index.
    RagGraph,
    /// The live repository.
    LocalFallback,
}

/// How current the index, or a row, is.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::FreshnessState;
///
/// assert_eq!(serde_json::to_value(FreshnessState::Stale).unwrap(), "STALE");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FreshnessState {
    /// It is proven current.
    Fresh,
    /// It is out of date.
    Stale,
    /// There is no proof either way.
    Unknown,
}

/// The proof that a row, or a file, is current.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::Proof;
///
/// assert_eq!(serde_json::to_value(Proof::Overlay).unwrap(), "overlay");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// The file has the size and stamp that the index recorded.
    Stat,
    /// The file's bytes were read and have the hash that the index recorded.
    Hash,
    /// An earlier query had a proof, and a watcher has seen no change since.
    Watch,
    /// The text was read from the live repository for this answer.
    Live,
    /// The text is an unsaved editor buffer, as the host gave it for this answer.
    Overlay,
    /// There is no proof: the row is as the index recorded it.
    None,
}

/// The reason for a route.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::RouteReason;
///
/// assert_eq!(serde_json::to_value(RouteReason::HeadMoved).unwrap(), "HEAD_MOVED");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RouteReason {
    /// There is no status file.
    NoStatus,
    /// The status file is damaged, or one of its values has the wrong type.
    StatusUnreadable,
    /// The status file states that the index is not fresh.
    IndexNotFresh,
    /// The root is not in a git repository, or that has no commit yet.
    HeadUnknown,
    /// The status file does not name the commit that the index was built from.
    CommitUnknown,
    /// The index was built from the commit that is checked out.
    HeadMatches,
    /// Another commit is checked out than the index was built from.
    HeadMoved,
    /// Another version of ragnav, or of its plug-ins, wrote the index or a part of it.
    SchemaUnsupported,
    /// Files differ from the index.
    FilesChanged,
    /// Files could not be verified, or a limit on the number of files left them out.
    FilesUnknown,
    /// The status file names an index that does not exist.
    GraphMissing,
    /// The document store lacks documents of this answer; the query built them.
    DocumentsMissing,
    /// The index is damaged, or belongs to another build than the status file.
    GraphUnreadable,
    /// The host could not read the status or HEAD.
    HostFailed,
}

/// The contents of the status file, `.llmc/rag/index_status.json`.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::IndexStatus;
///
/// let json = r#"{
///     "repo": "/home/me/shop",
///     "index_state": "fresh",
///     "last_indexed_at": "2026-03-01T12:00:00Z",
///     "last_indexed_commit": null,
///     "schema_version": "2"
/// }"#;
/// let status: IndexStatus = serde_json::from_str(json).unwrap();
/// assert_eq!(status.index_state, "fresh");
/// assert_eq!(status.last_error.0, None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct IndexStatus {
    /// The root of the repository, as the host names it.
    pub repo: String,
    /// `fresh`, `stale`, `rebuilding` or `error`, in any case.
    pub index_state: String,
    /// The time of the last build in UTC, as ISO 8601.
    pub last_indexed_at: Option<String>,
    /// The commit that the index was built from.
    pub last_indexed_commit: Option<String>,
    /// The version of the index layout.
    pub schema_version: String,
    /// The reason why the last build failed; omitted if it succeeded.
    #[serde(default, skip_serializing_if = "LastError::is_none")]
    pub last_error: LastError,
}

/// The reason why the last build failed, if it failed.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::LastError;
///
/// let error: LastError = serde_json::from_str(r#""The disk is full.""#).unwrap();
/// assert_eq!(error.0.as_deref(), Some("The disk is full."));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct LastError(#[cfg_attr(feature = "tsify", tsify(type = "string"))] pub Option<String>);

impl LastError {
    fn is_none(&self) -> bool {
        self.0.is_none()
    }
}

/// The decision whether a query may use the index, with its reason.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{FreshnessState, RouteDecision, RouteReason};
///
/// let route = RouteDecision {
///     use_rag: false,
///     freshness_state: FreshnessState::Unknown,
///     status: None,
///     reason: RouteReason::NoStatus,
///     head: None,
///     git_root: None,
/// };
/// let json = serde_json::to_value(&route).unwrap();
/// assert_eq!(json["use_rag"], false);
/// assert_eq!(json["reason"], "NO_STATUS");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct RouteDecision {
    /// Whether answers may come from the index.
    pub use_rag: bool,
    /// How current the index is.
    pub freshness_state: FreshnessState,
    /// The status file that the decision is based on.
    pub status: Option<IndexStatus>,
    /// The rule that decided.
    pub reason: RouteReason,
    /// The commit that is checked out, as a full object id.
    pub head: Option<String>,
    /// The path from the root to the git repository's: `""` if they are equal, `"../.."` above it.
    pub git_root: Option<String>,
}

/// The numbers of files behind an answer.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::FileCounts;
///
/// let counts = FileCounts { graph: 40, live: 2, changed: 2, skipped: 0 };
/// let json = r#"{"graph":40,"live":2,"changed":2,"skipped":0}"#;
/// assert_eq!(serde_json::to_string(&counts).unwrap(), json);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct FileCounts {
    /// Files that the index answers for.
    pub graph: u32,
    /// Files that were read live.
    pub live: u32,
    /// Files that differ from the index.
    pub changed: u32,
    /// Files and folders in scope that are not searched: binary, too large, links and others;
    /// `skipped` names the first of them. Ignored files do not count. Without an index, `files`
    /// and `status` read no file, so they do not count binary ones.
    pub skipped: u32,
}

/// The metadata of an answer.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{OkOptions, RagToolSource, RagToolStatus, ok_result};
///
/// let meta = ok_result(vec!["a.py"], OkOptions::default()).meta;
/// assert_eq!((meta.status, meta.source), (RagToolStatus::Ok, RagToolSource::RagGraph));
/// assert_eq!(meta.error_code, None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct RagToolMeta {
    /// The outcome of the query.
    pub status: RagToolStatus,
    /// The code of the failure; `null` unless the status is `ERROR`.
    pub error_code: Option<AnyErrorCode>,
    /// A message for a person.
    pub message: Option<String>,
    /// The origin of the data.
    pub source: RagToolSource,
    /// How current the index is.
    pub freshness_state: FreshnessState,
    /// The status file that the route is based on.
    pub index_status: Option<IndexStatus>,
    /// The reason for the route.
    pub reason: Option<RouteReason>,
    /// The commit that is checked out.
    pub head: Option<String>,
    /// The numbers of files behind the answer.
    pub files: Option<FileCounts>,
    /// The micro-agent's plan, a `PlanMeta`; `null` for every other query.
    #[cfg_attr(feature = "tsify", tsify(type = "PlanMeta | null"))]
    pub plan: Option<serde_json::Value>,
    /// The micro-agent's retrieval, a `RetrievalMeta`; `null` for every other query.
    #[cfg_attr(feature = "tsify", tsify(type = "RetrievalMeta | null"))]
    pub retrieval: Option<serde_json::Value>,
    /// What `recheck` and the option `since` compare with: the query and its rows, as a text. `null`
    /// if the query failed, and for answers that are no rows.
    pub receipt: Option<String>,
    /// What differs from an earlier answer; `null` without the option `since`.
    pub since: Option<SinceMeta>,
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
            receipt: None,
            since: None,
        }
    }
}

/// The rows of an answer with their metadata.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{FallbackOptions, fallback_result};
///
/// let answer = fallback_result(vec!["a.py", "b.py"], FallbackOptions::default());
/// let json = serde_json::to_value(&answer).unwrap();
/// assert_eq!(json["meta"]["status"], "FALLBACK");
/// assert_eq!(json["items"][1], "b.py");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct RagResult<T> {
    /// The metadata of the answer.
    pub meta: RagToolMeta,
    /// The rows, in the given order.
    pub items: Vec<T>,
}

impl<T> RagResult<T> {
    /// Builds the answer of a failed query, which has no rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::{RagResult, RagToolMeta, RagToolStatus};
    ///
    /// let meta = RagToolMeta { status: RagToolStatus::Error, ..RagToolMeta::default() };
    /// let answer: RagResult<String> = RagResult::failed(meta);
    /// assert!(answer.items.is_empty());
    /// ```
    #[must_use]
    pub fn failed(meta: RagToolMeta) -> Self {
        let items = Vec::new();
        Self { meta, items }
    }
}

/// The optional arguments of [`ok_result`].
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{OkOptions, ok_result};
///
/// let options: OkOptions = serde_json::from_str(r#"{"message": "2 files"}"#).unwrap();
/// assert_eq!(ok_result(vec!["a.py"], options).meta.message.as_deref(), Some("2 files"));
/// ```
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

/// The optional arguments of [`fallback_result`].
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{FallbackOptions, FreshnessState, fallback_result};
///
/// let options: FallbackOptions = serde_json::from_str(r#"{"freshness_state": "FRESH"}"#).unwrap();
/// let answer = fallback_result(vec!["a.py"], options);
/// assert_eq!(answer.meta.freshness_state, FreshnessState::Fresh);
/// ```
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

/// The arguments of [`error_result`].
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{ErrorOptions, error_result};
///
/// let json = r#"{"error_code": "TIMEOUT", "message": "The query took too long."}"#;
/// let options: ErrorOptions = serde_json::from_str(json).unwrap();
/// let answer = error_result::<String>(options);
/// assert_eq!(answer.meta.message.as_deref(), Some("The query took too long."));
/// ```
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ErrorOptions {
    /// The code of the failure.
    pub error_code: AnyErrorCode,
    /// What happened, then what to do.
    pub message: String,
    /// Default: `UNKNOWN`.
    #[serde(default)]
    pub freshness_state: Option<FreshnessState>,
    /// Default: none.
    #[serde(default)]
    pub index_status: Option<IndexStatus>,
}

impl ErrorOptions {
    /// Builds the options from an error alone.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::ErrorOptions;
    /// use ragnav_base::error::{ErrorCode, RagnavError};
    ///
    /// let options = ErrorOptions::from_error(RagnavError::invalid("limit must be at least 1"));
    /// assert_eq!(options.error_code, ErrorCode::InvalidArgument.into());
    /// ```
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

/// Builds an authoritative answer: `OK`, by default `RAG_GRAPH` and `FRESH`.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{OkOptions, RagToolStatus, ok_result};
///
/// let answer = ok_result(vec!["a.py"], OkOptions::default());
/// assert_eq!(answer.meta.status, RagToolStatus::Ok);
/// ```
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

/// Builds an answer from the live repository: `FALLBACK`, `LOCAL_FALLBACK`, by default `STALE`.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{FallbackOptions, RagToolSource, fallback_result};
///
/// let answer = fallback_result(vec!["a.py"], FallbackOptions::default());
/// assert_eq!(answer.meta.source, RagToolSource::LocalFallback);
/// ```
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

/// Builds the answer of a failure: `ERROR`, `NONE`, no rows, by default `UNKNOWN`.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{ErrorOptions, RagToolStatus, error_result};
/// use ragnav_base::error::{ErrorCode, RagnavError};
///
/// let error = RagnavError::new(ErrorCode::Timeout, "The query took too long.");
/// let answer = error_result::<String>(ErrorOptions::from_error(error));
/// assert_eq!(answer.meta.status, RagToolStatus::Error);
/// assert!(answer.items.is_empty());
/// ```
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
