//! Response formats by decreasing requirements, since servers support different ones.

use std::collections::BTreeMap;

use super::task::Task;
use crate::schema::Schema;
use serde::{Deserialize, Serialize};

/// The strictest response format that a server supports.
///
/// # Examples
///
/// ```
/// use ragnav_agent::model::FormatLevel;
///
/// assert_eq!(serde_json::to_value(FormatLevel::default()).unwrap(), "strict_with_lengths");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum FormatLevel {
    /// The JSON schema with length limits.
    #[default]
    StrictWithLengths,
    /// The JSON schema.
    Strict,
    /// A schema for any object.
    AnyObject,
    /// No format: only the prompt describes the answer.
    PromptOnly,
}

impl FormatLevel {
    /// Returns the next less strict format, or `None` after the last.
    #[must_use]
    pub(crate) fn next(self) -> Option<Self> {
        match self {
            Self::StrictWithLengths => Some(Self::Strict),
            Self::Strict => Some(Self::AnyObject),
            Self::AnyObject => Some(Self::PromptOnly),
            Self::PromptOnly => None,
        }
    }

    /// Returns the `response_format` of the request.
    pub(super) fn response_format<T: Task>(self, task: &T) -> Option<ResponseFormat> {
        let (strict, schema) = match self {
            Self::StrictWithLengths => (true, task.schema(true)),
            Self::Strict => (true, task.schema(false)),
            Self::AnyObject => (false, Schema::AnyObject),
            Self::PromptOnly => return None,
        };
        Some(ResponseFormat {
            r#type: "json_schema",
            json_schema: NamedSchema {
                name: T::SCHEMA,
                strict,
                schema,
            },
        })
    }
}

/// The `response_format` of a chat completion request.
#[derive(Debug, Serialize)]
pub(super) struct ResponseFormat {
    r#type: &'static str,
    json_schema: NamedSchema,
}

#[derive(Debug, Serialize)]
struct NamedSchema {
    name: &'static str,
    strict: bool,
    schema: Schema,
}

/// The response formats that servers and models support. Callers keep it between queries.
///
/// # Examples
///
/// ```
/// use ragnav_agent::model::{FormatLevel, SupportedFormats};
///
/// let json = r#"{"http://localhost:11434/v1\nqwen3:8b":"any_object"}"#;
/// let formats: SupportedFormats = serde_json::from_str(json).unwrap();
/// assert_eq!(formats.get("http://localhost:11434/v1/", "qwen3:8b"), FormatLevel::AnyObject);
/// assert_eq!(serde_json::to_string(&formats).unwrap(), json);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[serde(transparent)]
pub struct SupportedFormats(BTreeMap<String, FormatLevel>);

impl SupportedFormats {
    /// Returns the format to begin with for a model at an endpoint.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::model::{FormatLevel, SupportedFormats};
    ///
    /// // Nothing is known of this model yet.
    /// let level = SupportedFormats::default().get("http://localhost:11434/v1", "qwen3:8b");
    /// assert_eq!(level, FormatLevel::StrictWithLengths);
    /// ```
    #[must_use]
    pub fn get(&self, endpoint: &str, model: &str) -> FormatLevel {
        self.0
            .get(&key(endpoint, model))
            .copied()
            .unwrap_or_default()
    }

    /// Records the format that a model at an endpoint supports.
    pub(crate) fn remember(&mut self, endpoint: &str, model: &str, level: FormatLevel) {
        self.0.insert(key(endpoint, model), level);
    }
}

fn key(endpoint: &str, model: &str) -> String {
    format!("{}\n{model}", endpoint.trim_end_matches('/'))
}

/// Reports whether an error is about the response format.
pub(super) fn mentions_format(body: &str) -> bool {
    let body = body.to_ascii_lowercase();
    [
        "response_format",
        "response format",
        "json_schema",
        "schema",
        "maxlength",
        "grammar",
        "structured output",
        "strict",
    ]
    .iter()
    .any(|word| body.contains(word))
}
