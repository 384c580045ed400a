//! Drafts: plans before validation, from a model or from the words of a question.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::plan::{Repair, ResponseFormat};

/// A plan whose parts may be missing and whose filters may be invalid.
///
/// # Examples
///
/// ```
/// use ragnav_agent::draft::Draft;
///
/// let draft = Draft { semantic_query: Some("deployment".to_owned()), ..Draft::default() };
/// assert_eq!(serde_json::to_string(&draft).unwrap(), r#"{"semantic_query":"deployment"}"#);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Draft {
    /// See [`Plan`](super::plan::Plan).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic_search_needed: Option<bool>,
    /// See [`Plan`](super::plan::Plan).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic_query: Option<String>,
    /// The filters as they were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filters: Option<Vec<DraftFilter>>,
    /// See [`Plan`](super::plan::Plan).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_format: Option<ResponseFormat>,
}

impl Draft {
    /// Reports whether every part is present.
    #[must_use]
    pub(crate) fn is_complete(&self) -> bool {
        self.semantic_search_needed.is_some()
            && self.semantic_query.is_some()
            && self.filters.is_some()
            && self.response_format.is_some()
    }
}

/// A filter as it was written. A filter that is not an object has only a value.
///
/// # Examples
///
/// ```
/// use ragnav_agent::repair::plan_from_text;
///
/// let text = r#"{"filters": [{"field": "level", "operator": ">=", "value": "2"}]}"#;
/// let filters = plan_from_text(text).unwrap().draft.filters.unwrap();
/// // Validation parses the operator and converts the value.
/// assert_eq!(filters[0].operator, ">=");
/// assert_eq!(filters[0].value, "2");
/// ```
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
    /// Builds a filter.
    pub(crate) fn new(field: &str, operator: &str, value: impl Into<Value>) -> Self {
        Self {
            field: field.to_owned(),
            operator: operator.to_owned(),
            value: value.into(),
        }
    }
}

/// A draft that was found in a text.
///
/// # Examples
///
/// ```
/// use ragnav_agent::plan::Repair;
/// use ragnav_agent::repair::plan_from_text;
///
/// let repaired = plan_from_text("{'semantic_query': 'deployment'}").unwrap();
/// assert_eq!(repaired.draft.semantic_query.as_deref(), Some("deployment"));
/// assert!(repaired.repairs.contains(&Repair::Quotes));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RepairedPlan {
    /// The draft.
    pub draft: Draft,
    /// The repairs; none if the text was a plan in valid JSON.
    pub repairs: BTreeSet<Repair>,
}
