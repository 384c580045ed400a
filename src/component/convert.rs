//! Conversions between the types of `wit/` and those of the core.

use super::bindings::exports::ragnav::core::navigation;
use super::bindings::exports::ragnav::core::{envelope as wit_envelope, locator as wit_locator};
use super::bindings::ragnav::core::{host as imported, types};
use ragnav_agent::ask::AskOptions;
use ragnav_agent::build::BuildAllOptions;
use ragnav_agent::calendar::Weekday;
use ragnav_agent::catalogue::Catalogue;
use ragnav_agent::model::PlanSettings;
use ragnav_agent::passage_kind::PassageKind;
use ragnav_agent::plan::Filter;
use ragnav_agent::validate::Mandatory;
use ragnav_base::argument::Count;
use ragnav_base::envelope::{
    ErrorOptions, FallbackOptions, FreshnessState, IndexStatus, LastError, OkOptions, RagToolMeta,
    RagToolSource, RagToolStatus, RouteDecision, RouteReason,
};
use ragnav_base::error::{AnyErrorCode, ErrorCode, RagnavError};
use ragnav_base::host::{DirEntry, EntryKind, FileStamp, HostError};
use ragnav_base::item::{LineMatch, Snippet, SymbolLocation};
use ragnav_matching::pattern::SearchMode;
use ragnav_matching::scan::MatchOptions;
use ragnav_query::StalePolicy;
use ragnav_syntax::locator::LocatorOptions;
use serde_json::{Value, json};

/// Converts an enum to another one with the same cases.
macro_rules! same_cases {
    ($from:ty => $to:ty: $($case:ident)+) => {
        impl From<$from> for $to {
            fn from(given: $from) -> Self {
                match given {
                    $(<$from>::$case => Self::$case,)+
                }
            }
        }
    };
}

same_cases!(navigation::StalePolicy => StalePolicy: Merge Live Error Allow);
same_cases!(navigation::PassageKind => PassageKind: Code Docs Tests);
same_cases!(navigation::Weekday => Weekday:
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday);
same_cases!(types::SearchMode => SearchMode: Literal Regex Ranked);
same_cases!(types::FreshnessState => FreshnessState: Fresh Stale Unknown);
same_cases!(FreshnessState => types::FreshnessState: Fresh Stale Unknown);
same_cases!(wit_envelope::ToolSource => RagToolSource: RagGraph LocalFallback None);
same_cases!(RagToolSource => wit_envelope::ToolSource: RagGraph LocalFallback None);
same_cases!(RagToolStatus => wit_envelope::ToolStatus: Ok Fallback Error);
same_cases!(imported::EntryKind => EntryKind: File Dir Link);
same_cases!(imported::FileError => HostError: Missing Denied TooLarge Io);
same_cases!(RouteReason => types::RouteReason:
    NoStatus StatusUnreadable IndexNotFresh HeadUnknown CommitUnknown HeadMatches HeadMoved
    SchemaUnsupported FilesChanged FilesUnknown DocumentsMissing GraphMissing GraphUnreadable
    HostFailed);

pub(super) fn stamp(given: imported::FileStamp) -> FileStamp {
    FileStamp {
        size: given.size,
        stamp: given.stamp,
        racy: given.racy,
    }
}

pub(super) fn entry(given: imported::DirEntry) -> DirEntry {
    DirEntry {
        name: given.name,
        kind: given.kind.into(),
        stamp: given.stamp.map(stamp),
    }
}

/// Builds an error; `answer` is the envelope that contains it.
pub(super) fn failure(code: ErrorCode, message: String, answer: Option<String>) -> types::Error {
    use types::Error as E;
    let case = match code {
        ErrorCode::InvalidArgument => E::InvalidArgument,
        ErrorCode::RepoNotFound => E::RepoNotFound,
        ErrorCode::StaleIndex => E::StaleIndex,
        ErrorCode::StaleCursor => E::StaleCursor,
        ErrorCode::LanguageUnavailable => E::LanguageUnavailable,
        ErrorCode::HostFailed => E::HostFailed,
        ErrorCode::FileUnreadable => E::FileUnreadable,
        ErrorCode::LimitExceeded => E::LimitExceeded,
        ErrorCode::Timeout => E::Timeout,
        ErrorCode::Cancelled => E::Cancelled,
        ErrorCode::Closed => E::Closed,
        ErrorCode::NotInitialised => E::NotInitialised,
        ErrorCode::IndexLocked => E::IndexLocked,
        ErrorCode::IndexWriteFailed => E::IndexWriteFailed,
        ErrorCode::PlanFailed => E::PlanFailed,
        ErrorCode::StoreFailed => E::StoreFailed,
        ErrorCode::InternalPanic => E::InternalPanic,
    };
    case(types::Failure { message, answer })
}

impl From<RagnavError> for types::Error {
    fn from(error: RagnavError) -> Self {
        failure(error.code, error.message, None)
    }
}

impl From<types::IndexStatus> for IndexStatus {
    fn from(given: types::IndexStatus) -> Self {
        Self {
            repo: given.repo,
            index_state: given.index_state,
            last_indexed_at: given.last_indexed_at,
            last_indexed_commit: given.last_indexed_commit,
            schema_version: given.schema_version,
            last_error: LastError(given.last_error),
        }
    }
}

impl From<IndexStatus> for types::IndexStatus {
    fn from(status: IndexStatus) -> Self {
        Self {
            repo: status.repo,
            index_state: status.index_state,
            last_indexed_at: status.last_indexed_at,
            last_indexed_commit: status.last_indexed_commit,
            schema_version: status.schema_version,
            last_error: status.last_error.0,
        }
    }
}

impl From<RouteDecision> for types::RouteDecision {
    fn from(route: RouteDecision) -> Self {
        Self {
            use_rag: route.use_rag,
            freshness_state: route.freshness_state.into(),
            status: route.status.map(Into::into),
            reason: route.reason.into(),
            head: route.head,
            git_root: route.git_root,
        }
    }
}

impl From<RagToolMeta> for wit_envelope::ToolMeta {
    fn from(meta: RagToolMeta) -> Self {
        Self {
            status: meta.status.into(),
            error_code: meta.error_code.as_ref().map(text_of),
            message: meta.message,
            source: meta.source.into(),
            freshness_state: meta.freshness_state.into(),
            index_status: meta.index_status.map(Into::into),
        }
    }
}

/// Returns a code as it is spelled in JSON.
fn text_of(code: &AnyErrorCode) -> String {
    let text = serde_json::to_value(code).unwrap_or_default();
    text.as_str().unwrap_or_default().to_owned()
}

impl From<wit_envelope::OkOptions> for OkOptions {
    fn from(given: wit_envelope::OkOptions) -> Self {
        Self {
            source: given.source.map(Into::into),
            freshness_state: given.freshness_state.map(Into::into),
            index_status: given.index_status.map(Into::into),
            message: given.message,
        }
    }
}

impl From<wit_envelope::FallbackOptions> for FallbackOptions {
    fn from(given: wit_envelope::FallbackOptions) -> Self {
        Self {
            freshness_state: given.freshness_state.map(Into::into),
            index_status: given.index_status.map(Into::into),
            message: given.message,
        }
    }
}

impl From<wit_envelope::ErrorOptions> for ErrorOptions {
    fn from(given: wit_envelope::ErrorOptions) -> Self {
        Self {
            // A code of ragnav and one of another program are returned alike.
            error_code: AnyErrorCode::Own(given.error_code),
            message: given.message,
            freshness_state: given.freshness_state.map(Into::into),
            index_status: given.index_status.map(Into::into),
        }
    }
}

impl From<wit_locator::LocatorOptions> for LocatorOptions {
    fn from(given: wit_locator::LocatorOptions) -> Self {
        Self {
            lang: given.lang,
            module: given.module,
            path: given.path,
            decorators: given.decorators,
        }
    }
}

impl From<wit_locator::MatchOptions> for MatchOptions {
    fn from(given: wit_locator::MatchOptions) -> Self {
        Self {
            mode: given.mode.map(Into::into),
            case_sensitive: given.case_sensitive,
        }
    }
}

impl From<SymbolLocation> for wit_locator::SymbolLocation {
    fn from(location: SymbolLocation) -> Self {
        Self {
            start_line: location.start_line,
            end_line: location.end_line,
        }
    }
}

impl From<LineMatch> for wit_locator::LineMatch {
    fn from(found: LineMatch) -> Self {
        Self {
            line: found.line,
            start_utf16: found.start_utf16,
            end_utf16: found.end_utf16,
            text: found.text,
        }
    }
}

impl From<Snippet> for wit_locator::Snippet {
    fn from(snippet: Snippet) -> Self {
        Self {
            text: snippet.text,
            location: wit_locator::SnippetLocation {
                path: snippet.location.path,
                start_line: snippet.location.start_line,
                end_line: snippet.location.end_line,
            },
        }
    }
}

impl From<navigation::QuestionOptions> for Value {
    fn from(given: navigation::QuestionOptions) -> Self {
        json!({
            "stale_policy": given.stale_policy.map(policy_name),
            "limit": given.limit,
        })
    }
}

impl From<navigation::SearchOptions> for Value {
    fn from(given: navigation::SearchOptions) -> Self {
        let mode = given.mode.map(|mode| match mode {
            types::SearchMode::Literal => "literal",
            types::SearchMode::Regex => "regex",
            types::SearchMode::Ranked => "ranked",
        });
        json!({
            "limit": given.limit,
            "mode": mode,
            "case_sensitive": given.case_sensitive,
            "include": given.include,
            "exclude": given.exclude,
            "stale_policy": given.stale_policy.map(policy_name),
            "cursor": given.cursor,
        })
    }
}

impl From<navigation::WhereUsedOptions> for Value {
    fn from(given: navigation::WhereUsedOptions) -> Self {
        let confidence = given.confidence.map(|confidence| match confidence {
            navigation::Confidence::Resolved => "resolved",
            navigation::Confidence::All => "all",
        });
        json!({
            "limit": given.limit,
            "confidence": confidence,
            "stale_policy": given.stale_policy.map(policy_name),
            "cursor": given.cursor,
        })
    }
}

impl From<navigation::LineageOptions> for Value {
    fn from(given: navigation::LineageOptions) -> Self {
        json!({
            "max_results": given.max_results,
            "depth": given.depth,
            "stale_policy": given.stale_policy.map(policy_name),
            "cursor": given.cursor,
        })
    }
}

fn policy_name(policy: navigation::StalePolicy) -> &'static str {
    match policy {
        navigation::StalePolicy::Merge => "merge",
        navigation::StalePolicy::Live => "live",
        navigation::StalePolicy::Error => "error",
        navigation::StalePolicy::Allow => "allow",
    }
}

impl From<navigation::BuildOptions> for BuildAllOptions {
    fn from(given: navigation::BuildOptions) -> Self {
        Self {
            check: given.check,
            documents: given.documents,
            embedder: None,
        }
    }
}

/// Converts the options of a question to the agent.
///
/// # Errors
/// `INVALID_ARGUMENT` for invalid mandatory filters.
pub(super) fn asking(
    given: Option<navigation::AskOptions>,
) -> Result<(PlanSettings, AskOptions), RagnavError> {
    let Some(given) = given else {
        return Ok((planning(None, None, None)?, AskOptions::default()));
    };
    let planning = planning(
        given.catalogue,
        given.first_day_of_week,
        given.mandatory.as_deref(),
    )?;
    let options = AskOptions {
        limit: given.limit.map(|limit| count("limit", limit)).transpose()?,
        token_budget: given
            .token_budget
            .map(|budget| count("token_budget", budget))
            .transpose()?,
        deduplicate: given.deduplicate,
        only: given.only.map(Into::into),
        // The component has neither a history nor a language model.
        history: None,
        rerank: None,
        stale_policy: given.stale_policy.map(Into::into),
    };
    Ok((planning, options))
}

/// Checks a positive number.
///
/// # Errors
/// `INVALID_ARGUMENT` for 0, with the argument's name.
pub(super) fn count(name: &str, given: u32) -> Result<Count, RagnavError> {
    let message = || format!("{name} must be a whole number of at least 1, not {given}");
    Count::new(given).ok_or_else(|| RagnavError::invalid(message()))
}

fn planning(
    catalogue: Option<navigation::Catalogue>,
    first_day_of_week: Option<navigation::Weekday>,
    mandatory: Option<&str>,
) -> Result<PlanSettings, RagnavError> {
    let catalogue = match catalogue {
        Some(navigation::Catalogue::Notes) => Catalogue::notes(),
        Some(navigation::Catalogue::Code) => Catalogue::code(),
        Some(navigation::Catalogue::All) | None => Catalogue::all(),
    };
    let filters: Vec<Filter> = serde_json::from_str(mandatory.unwrap_or("[]"))
        .map_err(|error| RagnavError::invalid(format!("mandatory: {error}")))?;
    Ok(PlanSettings {
        catalogue,
        first_day_of_week: first_day_of_week.map(Into::into).unwrap_or_default(),
        mandatory: Mandatory::new(filters)?,
        model: None,
    })
}
