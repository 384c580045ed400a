//! A plan before it is validated: what a model wrote, or what the words of a question said.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::plan::{Repair, ResponseFormat};

/// A plan of which any part may be missing, and whose filters may mean nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Draft {
    /// As in [`Plan`](super::plan::Plan).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic_search_needed: Option<bool>,
    /// As in [`Plan`](super::plan::Plan).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic_query: Option<String>,
    /// Filters as they were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filters: Option<Vec<DraftFilter>>,
    /// As in [`Plan`](super::plan::Plan).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_format: Option<ResponseFormat>,
}

impl Draft {
    /// Whether every part is there.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.semantic_search_needed.is_some()
            && self.semantic_query.is_some()
            && self.filters.is_some()
            && self.response_format.is_some()
    }
}

/// A filter as it was written; one that is no object has neither field nor operator, and is all value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct DraftFilter {
    /// The field.
    pub field: String,
    /// The operator.
    pub operator: String,
    /// The value.
    #[cfg_attr(feature = "tsify", tsify(type = "unknown"))]
    pub value: Value,
}

impl DraftFilter {
    /// A filter of its three parts.
    pub fn new(field: &str, operator: &str, value: impl Into<Value>) -> Self {
        Self {
            field: field.to_owned(),
            operator: operator.to_owned(),
            value: value.into(),
        }
    }
}

/// A draft that was found in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Repaired {
    /// What was found.
    pub draft: Draft,
    /// What had to be mended; nothing where the text was a plan in clean JSON.
    pub repairs: BTreeSet<Repair>,
}
