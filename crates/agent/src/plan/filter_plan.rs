//! A plan and its filters.

use serde::{Deserialize, Serialize, Serializer};

/// The plan of a question.
///
/// In a validated plan dates are epoch numbers, and operators apply to the types of their fields.
///
/// # Examples
///
/// ```
/// use ragnav_agent::plan::{Plan, ResponseFormat};
///
/// let plan: Plan = serde_json::from_str(
///     r#"{
///         "semantic_search_needed": true,
///         "semantic_query": "deployment",
///         "filters": [],
///         "response_format": "selective_context"
///     }"#,
/// )
/// .unwrap();
/// assert_eq!(plan.response_format, ResponseFormat::SelectiveContext);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Plan {
    /// Whether documents are ranked by the query. If not, only the filters select them.
    pub semantic_search_needed: bool,
    /// The text to search by meaning; empty if nothing is searched.
    pub semantic_query: String,
    /// The filters, all of which every document must meet.
    pub filters: Vec<Filter>,
    /// The content of the answer.
    pub response_format: ResponseFormat,
}

/// The content of an answer.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::plan;
/// use ragnav_agent::plan::ResponseFormat;
///
/// assert_eq!(plan("list notes about tea").plan.response_format, ResponseFormat::MetadataOnly);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum ResponseFormat {
    /// The documents without their texts.
    MetadataOnly,
    /// The documents with their texts, within a budget.
    SelectiveContext,
}

/// A condition on one metadata field.
///
/// # Examples
///
/// ```
/// use ragnav_agent::plan::{Filter, Operator};
///
/// let json = r#"{"field": "tags", "operator": "contains", "value": "ops"}"#;
/// let filter: Filter = serde_json::from_str(json).unwrap();
/// assert_eq!(filter, Filter::new("tags", Operator::Contains, "ops"));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Filter {
    /// The name of the field.
    pub field: String,
    /// The comparison.
    pub operator: Operator,
    /// The value to compare with.
    pub value: FilterValue,
}

impl Filter {
    /// Builds a filter that compares with one value.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::plan::{Filter, FilterValue, Operator, Scalar};
    ///
    /// let filter = Filter::new("level", Operator::Lte, 2.0);
    /// assert_eq!(filter.value, FilterValue::One(Scalar::Number(2.0)));
    /// ```
    pub fn new(field: impl Into<String>, operator: Operator, value: impl Into<Scalar>) -> Self {
        Self {
            field: field.into(),
            operator,
            value: FilterValue::One(value.into()),
        }
    }
}

/// A comparison of a field with a value.
///
/// Chroma's spelling (`$eq`) is accepted too. As in Chroma, a document without the field meets only
/// `ne`, `nin` and `not_contains`.
///
/// # Examples
///
/// ```
/// use ragnav_agent::plan::Operator;
///
/// let operator: Operator = serde_json::from_str(r#""$starts_with""#).unwrap();
/// assert_eq!(operator, Operator::StartsWith);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// Equal.
    #[serde(alias = "$eq")]
    Eq,
    /// Not equal.
    #[serde(alias = "$ne")]
    Ne,
    /// Greater; for numbers and dates.
    #[serde(alias = "$gt")]
    Gt,
    /// Greater or equal.
    #[serde(alias = "$gte")]
    Gte,
    /// Less.
    #[serde(alias = "$lt")]
    Lt,
    /// Less or equal.
    #[serde(alias = "$lte")]
    Lte,
    /// Equal to one of a list. A list field must contain at least one of them.
    #[serde(alias = "$in")]
    In,
    /// Equal to none of a list. A list field must contain none of them.
    #[serde(alias = "$nin")]
    Nin,
    /// A list field contains the value. A string contains the value as a substring, in any case.
    #[serde(alias = "$contains")]
    Contains,
    /// The opposite of `contains`.
    #[serde(alias = "$not_contains")]
    NotContains,
    /// SQL's `LIKE` in any case: `%` is any text, `_` any character, `\` escapes the next
    /// character.
    #[serde(alias = "$like")]
    Like,
    /// The string begins with the value, in the same case.
    #[serde(alias = "$starts_with")]
    StartsWith,
}

impl Operator {
    /// All operators.
    pub(crate) const ALL: [Self; 12] = [
        Self::Eq,
        Self::Ne,
        Self::Gt,
        Self::Gte,
        Self::Lt,
        Self::Lte,
        Self::In,
        Self::Nin,
        Self::Contains,
        Self::NotContains,
        Self::Like,
        Self::StartsWith,
    ];

    /// Returns the name on the wire.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::plan::Operator;
    ///
    /// assert_eq!(Operator::NotContains.name(), "not_contains");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Eq => "eq",
            Self::Ne => "ne",
            Self::Gt => "gt",
            Self::Gte => "gte",
            Self::Lt => "lt",
            Self::Lte => "lte",
            Self::In => "in",
            Self::Nin => "nin",
            Self::Contains => "contains",
            Self::NotContains => "not_contains",
            Self::Like => "like",
            Self::StartsWith => "starts_with",
        }
    }

    /// Parses an operator as language models write it. Returns `None` for an unknown operator,
    /// which must never become equality.
    #[must_use]
    pub(crate) fn parse(written: &str) -> Option<Self> {
        let mut word = written.trim().to_ascii_lowercase().replace([' ', '-'], "_");
        if let Some(bare) = word.strip_prefix('$') {
            word = bare.to_owned();
        }
        let named = Self::ALL.into_iter().find(|known| known.name() == word);
        named.or(match word.as_str() {
            "=" | "==" | "equals" | "equal" => Some(Self::Eq),
            "!=" | "<>" | "not_equals" | "neq" => Some(Self::Ne),
            ">" => Some(Self::Gt),
            ">=" | "ge" => Some(Self::Gte),
            "<" => Some(Self::Lt),
            "<=" | "le" => Some(Self::Lte),
            "not_in" => Some(Self::Nin),
            "startswith" => Some(Self::StartsWith),
            _ => None,
        })
    }

    /// Reports whether the operator takes a list.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::plan::Operator;
    ///
    /// assert!(Operator::In.takes_list());
    /// assert!(!Operator::Contains.takes_list());
    /// ```
    #[must_use]
    pub fn takes_list(self) -> bool {
        matches!(self, Self::In | Self::Nin)
    }
}

/// The value of a filter.
///
/// # Examples
///
/// ```
/// use ragnav_agent::plan::{FilterValue, Scalar};
///
/// let value: FilterValue = serde_json::from_str(r#"["ops", "release"]"#).unwrap();
/// assert_eq!(value, FilterValue::List(vec![Scalar::from("ops"), Scalar::from("release")]));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum FilterValue {
    /// One value.
    One(Scalar),
    /// Several values, for `in` and `nin`.
    List(Vec<Scalar>),
}

/// A boolean, a number or a text.
///
/// # Examples
///
/// ```
/// use ragnav_agent::plan::Scalar;
///
/// // A whole number has no fraction in JSON.
/// assert_eq!(serde_json::to_string(&Scalar::Number(2.0)).unwrap(), "2");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum Scalar {
    /// `true` or `false`.
    Bool(bool),
    /// A finite number. A date is in the field's unit since 1970.
    Number(#[serde(serialize_with = "number")] f64),
    /// Text.
    String(String),
}

impl From<bool> for Scalar {
    fn from(given: bool) -> Self {
        Self::Bool(given)
    }
}

impl From<f64> for Scalar {
    fn from(given: f64) -> Self {
        Self::Number(given)
    }
}

impl From<i64> for Scalar {
    #[expect(
        clippy::cast_precision_loss,
        reason = "JSON has one type of numbers; dates up to the year 9999 are below 2^53"
    )]
    fn from(given: i64) -> Self {
        Self::Number(given as f64)
    }
}

impl From<&str> for Scalar {
    fn from(given: &str) -> Self {
        Self::String(given.to_owned())
    }
}

impl From<String> for Scalar {
    fn from(given: String) -> Self {
        Self::String(given)
    }
}

/// The limit of JavaScript's safe integers: 2⁵³.
const SAFE: f64 = 9_007_199_254_740_992.0;

/// Serialises whole numbers without a fraction: `2`, not `2.0`.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde's signature for serialize_with"
)]
fn number<S: Serializer>(given: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if given.fract() == 0.0 && given.abs() < SAFE {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 2⁵³")]
        return serializer.serialize_i64(*given as i64);
    }
    serializer.serialize_f64(*given)
}
