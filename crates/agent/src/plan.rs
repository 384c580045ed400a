//! The plan of a question: what is searched by meaning, what is filtered, and what the answer shall hold.
//!
//! Source: seed `micro-agent`, section 1, whose names the wire keeps.

mod meta;

use serde::{Deserialize, Serialize, Serializer};

pub use self::meta::{
    DropReason, DroppedFilter, PlanMeta, PlanSource, PlanWarning, PlanWarningCode, Repair,
};

/// How a question is answered.
///
/// Plans that [`validate`](super::validate) made hold dates as epoch numbers and operators that their fields' types allow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Plan {
    /// Whether documents are ranked by what they mean; if not, the filters alone choose.
    pub semantic_search_needed: bool,
    /// What is searched by meaning; empty where nothing is.
    pub semantic_query: String,
    /// What every document must meet, all of them.
    pub filters: Vec<Filter>,
    /// What the answer holds of each document.
    pub response_format: ResponseFormat,
}

/// What an answer holds of each document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum ResponseFormat {
    /// Which documents there are, without their text.
    MetadataOnly,
    /// Their text as well, within a budget.
    SelectiveContext,
}

/// A condition on one field of a document's metadata.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Filter {
    /// The field's name in the catalogue.
    pub field: String,
    /// How the field is compared.
    pub operator: Operator,
    /// With what.
    pub value: FilterValue,
}

impl Filter {
    /// A filter that compares with one value.
    pub fn new(field: impl Into<String>, operator: Operator, value: impl Into<Scalar>) -> Self {
        Self {
            field: field.into(),
            operator,
            value: FilterValue::One(value.into()),
        }
    }
}

/// How a field is compared with a value.
///
/// Chroma's spellings (`$eq`) are read as well. A document that lacks the field meets `ne`, `nin` and `not_contains` alone, as in Chroma.
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
    /// Greater; of numbers and dates.
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
    /// Equal to one of a list; of a field that is a list: holding at least one of them.
    #[serde(alias = "$in")]
    In,
    /// Equal to none of a list; of a field that is a list: holding none of them.
    #[serde(alias = "$nin")]
    Nin,
    /// Of a field that is a list: holding the value. Of a string: the value stands in it, in any case.
    #[serde(alias = "$contains")]
    Contains,
    /// The opposite of `contains`.
    #[serde(alias = "$not_contains")]
    NotContains,
    /// As SQL's `LIKE`, in any case: `%` is any text, `_` any character, `\` takes the next character as it is.
    #[serde(alias = "$like")]
    Like,
    /// The string begins with the value, in its case.
    #[serde(alias = "$starts_with")]
    StartsWith,
}

impl Operator {
    /// All of them.
    pub const ALL: [Self; 12] = [
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

    /// As it is written on the wire.
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

    /// The operator that a language model wrote; `None` for any that is not known, which never becomes equality.
    #[must_use]
    pub fn parse(written: &str) -> Option<Self> {
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

    /// Whether it compares with a list.
    #[must_use]
    pub fn takes_list(self) -> bool {
        matches!(self, Self::In | Self::Nin)
    }
}

/// What a field is compared with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum FilterValue {
    /// One value.
    One(Scalar),
    /// Several, for `in` and `nin`.
    List(Vec<Scalar>),
}

/// A value without parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum Scalar {
    /// `true` or `false`.
    Bool(bool),
    /// A number, finite; of a date: the field's unit since 1970.
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

/// Every whole number below it is a double that JavaScript calls safe: 2⁵³.
const SAFE: f64 = 9_007_199_254_740_992.0;

/// Whole numbers are written as such: `2`, not `2.0`.
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
