//! The language model and its limits.

/// A language model of a server, with the limits of its use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelOptions {
    /// The base URL. It identifies the server in [`Rungs`]; the core does not connect to it.
    pub endpoint: String,
    /// The name of the model.
    pub model: String,
    /// The largest number of calls, at least 1. A call for a simpler format is not counted. Default
    /// 3.
    pub max_retries: u32,
    /// The time limit for all calls and waits, in milliseconds. Default 15,000.
    pub deadline_ms: u32,
}

impl ModelOptions {
    /// Builds the options with their defaults.
    #[must_use]
    pub fn new(endpoint: &str, model: &str) -> Self {
        Self {
            endpoint: endpoint.to_owned(),
            model: model.to_owned(),
            max_retries: 3,
            deadline_ms: 15_000,
        }
    }
}
