//! The language model and its limits.

/// A language model of a server, with the limits of its use.
///
/// # Examples
///
/// ```
/// use ragnav_agent::model::ModelOptions;
///
/// let options = ModelOptions {
///     max_retries: 1,
///     ..ModelOptions::new("http://localhost:11434/v1", "qwen3:8b")
/// };
/// assert_eq!((options.max_retries, options.deadline_ms), (1, 15_000));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelOptions {
    /// The base URL. It identifies the server in [`SupportedFormats`](super::SupportedFormats); the
    /// core does not connect to it.
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
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::model::ModelOptions;
    ///
    /// let options = ModelOptions::new("http://localhost:11434/v1", "qwen3:8b");
    /// assert_eq!((options.model.as_str(), options.max_retries), ("qwen3:8b", 3));
    /// ```
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
