//! How an answer's shape is asked for. Servers differ in what they know: each rung asks for less than the one before.

use std::collections::BTreeMap;

use crate::catalogue::Catalogue;
use crate::schema::{Schema, schema};
use serde::{Deserialize, Serialize};

/// How much of a schema a server takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Rung {
    /// The schema with bounded strings.
    #[default]
    StrictWithLengths,
    /// The schema.
    Strict,
    /// A schema that says "an object".
    AnyObject,
    /// Nothing but the prompt.
    PromptOnly,
}

impl Rung {
    /// The rung that asks for less; `None` below the last.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        match self {
            Self::StrictWithLengths => Some(Self::Strict),
            Self::Strict => Some(Self::AnyObject),
            Self::AnyObject => Some(Self::PromptOnly),
            Self::PromptOnly => None,
        }
    }

    /// What a request says of its answer's shape.
    pub(super) fn response_format(self, catalogue: &Catalogue) -> Option<ResponseFormat> {
        let (strict, schema) = match self {
            Self::StrictWithLengths => (true, schema(catalogue, true)),
            Self::Strict => (true, schema(catalogue, false)),
            Self::AnyObject => (false, Schema::AnyObject),
            Self::PromptOnly => return None,
        };
        Some(ResponseFormat {
            r#type: "json_schema",
            json_schema: NamedSchema {
                name: "query_plan",
                strict,
                schema,
            },
        })
    }
}

/// What a request says of its answer's shape.
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

/// What was learned of servers and their models. Callers keep it from one question to the next.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[serde(transparent)]
pub struct Rungs(BTreeMap<String, Rung>);

impl Rungs {
    /// Where to begin with a model at an endpoint.
    #[must_use]
    pub fn of(&self, endpoint: &str, model: &str) -> Rung {
        self.0
            .get(&key(endpoint, model))
            .copied()
            .unwrap_or_default()
    }

    /// Notes what a model at an endpoint takes.
    pub fn remember(&mut self, endpoint: &str, model: &str, rung: Rung) {
        self.0.insert(key(endpoint, model), rung);
    }
}

fn key(endpoint: &str, model: &str) -> String {
    format!("{}\n{model}", endpoint.trim_end_matches('/'))
}

/// Whether a refusal is about the shape that was asked for.
pub(super) fn names_format(body: &str) -> bool {
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
