//! What can go wrong, as values with a code that programs test and a message that people act on.

use serde::{Deserialize, Serialize};

/// The codes of `ERROR` envelopes and of thrown `RagnavError`s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorCode {
    /// An argument is missing, malformed or out of range.
    InvalidArgument,
    /// The root is not there, is not a folder or cannot be listed.
    RepoNotFound,
    /// The index is not proven, and the policy `error` refuses other answers.
    StaleIndex,
    /// A cursor from an earlier page, after the rows have changed.
    StaleCursor,
    /// No grammar for the file is part of this build.
    LanguageUnavailable,
    /// A callback of the host threw or answered something else than it was asked.
    HostFailed,
    /// A file that was asked for by name cannot be read as text.
    FileUnreadable,
    /// The question met a bound on what it may take: bytes read, or memory.
    LimitExceeded,
    /// The question took longer than its `timeout_ms`.
    Timeout,
    /// The question's signal was aborted.
    Cancelled,
    /// The navigator was closed.
    Closed,
    /// A pure function was called before the WebAssembly was loaded.
    NotInitialised,
    /// Another build is writing the index.
    IndexLocked,
    /// The index could not be written.
    IndexWriteFailed,
    /// A model's text holds no plan.
    PlanFailed,
    /// The store of documents is missing, cannot do what is asked, or failed.
    StoreFailed,
    /// The core stopped on a defect of its own; the next call runs in a fresh instance.
    InternalPanic,
}

/// A code in an envelope: one of ragnav's, or one of the program around it.
///
/// Programs that wrap ragnav have failures of their own, and the envelope's bare constructors
/// accept them (seed `envelope`, section 3: `error_code: str`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum AnyErrorCode {
    /// From the table.
    Known(ErrorCode),
    /// From elsewhere.
    #[cfg_attr(feature = "tsify", tsify(type = "string & {}"))]
    Own(String),
}

impl From<ErrorCode> for AnyErrorCode {
    fn from(code: ErrorCode) -> Self {
        Self::Known(code)
    }
}

/// A failure: a code from the table and a message that says what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct RagnavError {
    /// What kind of failure it is.
    pub code: ErrorCode,
    /// What happened and what to do about it, in one or two sentences; what would be very long, as an argument can be, lacks its middle.
    pub message: String,
}

/// The longest message, in bytes, but for the words that stand for what is left out.
const MAX_MESSAGE: usize = 2_000;

impl RagnavError {
    /// A failure with its code and message.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: shortened(message.into()),
        }
    }

    /// An `INVALID_ARGUMENT` failure.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidArgument, message)
    }
}

fn shortened(message: String) -> String {
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
