//! Errors: a code for programs and a message for people.

use serde::{Deserialize, Serialize};

/// The codes of `ERROR` envelopes and of thrown `RagnavError`s.
///
/// # Examples
///
/// ```
/// use ragnav_base::error::ErrorCode;
///
/// assert_eq!(serde_json::to_value(ErrorCode::StaleIndex).unwrap(), "STALE_INDEX");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorCode {
    /// An argument is missing, malformed or out of range.
    InvalidArgument,
    /// The root does not exist, is not a folder or cannot be listed.
    RepoNotFound,
    /// The index is not proven fresh, and the policy `error` forbids other answers.
    StaleIndex,
    /// The rows have changed since the page that this cursor came from.
    StaleCursor,
    /// This build has no grammar for the language of the file.
    LanguageUnavailable,
    /// A callback of the host threw or returned the wrong response.
    HostFailed,
    /// A file that the caller named cannot be read as text.
    FileUnreadable,
    /// The query exceeded a limit on the bytes it reads or on memory.
    LimitExceeded,
    /// The query took longer than its `timeout_ms`.
    Timeout,
    /// The signal of the query was aborted.
    Cancelled,
    /// The navigator was closed.
    Closed,
    /// A pure function was called before the WebAssembly module was loaded.
    NotInitialised,
    /// Another build is writing the index.
    IndexLocked,
    /// The index could not be written.
    IndexWriteFailed,
    /// The text of the language model holds no plan.
    PlanFailed,
    /// The document store is missing, failed, or does not support the request.
    StoreFailed,
    /// The core stopped because of a defect. The next call runs in a new instance.
    InternalPanic,
}

/// A code in an envelope: one of ragnav's, or one of a program that wraps ragnav.
///
/// Such programs have failures of their own, and build envelopes with the same constructors.
///
/// # Examples
///
/// ```
/// use ragnav_base::error::{AnyErrorCode, ErrorCode};
///
/// let read = |json| serde_json::from_str::<AnyErrorCode>(json).unwrap();
/// assert_eq!(read(r#""TIMEOUT""#), ErrorCode::Timeout.into());
/// assert_eq!(read(r#""QUOTA""#), AnyErrorCode::Own("QUOTA".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum AnyErrorCode {
    /// A code of ragnav.
    Known(ErrorCode),
    /// A code of another program.
    #[cfg_attr(feature = "tsify", tsify(type = "string & {}"))]
    Own(String),
}

impl From<ErrorCode> for AnyErrorCode {
    fn from(code: ErrorCode) -> Self {
        Self::Known(code)
    }
}

/// An error: its code and a message that states what to do.
///
/// # Examples
///
/// ```
/// use ragnav_base::error::{ErrorCode, RagnavError};
///
/// let error = RagnavError::new(ErrorCode::Timeout, "The query took too long.");
/// assert_eq!(error.to_string(), "The query took too long.");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct RagnavError {
    /// The kind of failure.
    pub code: ErrorCode,
    /// What happened, then what to do, in one or two sentences. A very long message, which may
    /// repeat an argument, lacks its middle.
    pub message: String,
}

/// The longest message in bytes, without the words that replace its middle.
const MAX_MESSAGE: usize = 2_000;

impl RagnavError {
    /// Builds an error; a message above the limit loses its middle.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::error::{ErrorCode, RagnavError};
    ///
    /// let error = RagnavError::new(ErrorCode::StoreFailed, "x".repeat(5_000));
    /// assert!(error.message.contains("x … (3000 bytes left out) … x"));
    /// ```
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: shorten(message.into()),
        }
    }

    /// Builds an `INVALID_ARGUMENT` error.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::error::{ErrorCode, RagnavError};
    ///
    /// assert_eq!(RagnavError::invalid("query is empty").code, ErrorCode::InvalidArgument);
    /// ```
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidArgument, message)
    }
}

fn shorten(message: String) -> String {
    if message.len() <= MAX_MESSAGE {
        return message;
    }
    let boundary = |from: usize| (from..message.len()).find(|at| message.is_char_boundary(*at));
    let start = boundary(MAX_MESSAGE / 2).unwrap_or_default();
    let end = boundary(message.len() - MAX_MESSAGE / 2).unwrap_or(message.len());
    let part = |range| message.get(range).unwrap_or_default();
    let left_out = end - start;
    format!(
        "{} … ({left_out} bytes left out) … {}",
        part(0..start),
        part(end..message.len())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_repeats_a_long_argument_keeps_its_ends() {
        let message = format!("no {} is known", "ä".repeat(1 << 20));
        let error = RagnavError::invalid(message);
        assert!(error.message.len() < MAX_MESSAGE + 100);
        assert!(error.message.starts_with("no ää"));
        assert!(error.message.ends_with("ä is known"));
        assert!(error.message.contains(" bytes left out) … ää"));
        let short = "ä".repeat(MAX_MESSAGE / 2);
        assert_eq!(RagnavError::invalid(&short).message, short);
    }
}
