//! What a model is requested to write.

use crate::schema::Schema;
use ragnav_base::error::RagnavError;

/// What a model is requested to write.
pub(crate) trait Task {
    /// What the model's text means.
    type Answer;
    /// The name of the answer in messages to people.
    const ANSWER: &'static str;
    /// The name of the schema.
    const SCHEMA: &'static str;

    /// Returns the schema of the answer. With `has_lengths` its texts and lists have limits.
    fn schema(&self, has_lengths: bool) -> Schema;

    /// Reads the answer in the model's text, which a token limit may have truncated.
    ///
    /// # Errors
    /// The reason why the text holds no answer.
    fn read(&self, text: &str, is_truncated: bool) -> Result<Self::Answer, RagnavError>;
}
