//! How the rows of an answer differ from those of an earlier one.

use serde::Serialize;

/// Where a row is, or was.
///
/// # Examples
///
/// ```
/// use ragnav_base::difference::RowPlace;
///
/// let place = RowPlace { file: "shop/cart.py".to_owned(), line: Some(15) };
/// let json = r#"{"file":"shop/cart.py","line":15}"#;
/// assert_eq!(serde_json::to_string(&place).unwrap(), json);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct RowPlace {
    /// The file.
    pub file: String,
    /// The line, from 1; `null` for a row about a whole file.
    pub line: Option<u32>,
}

/// What became of a row.
///
/// # Examples
///
/// ```
/// use ragnav_base::difference::RowState;
///
/// assert_eq!(serde_json::to_value(RowState::Moved).unwrap(), "moved");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum RowState {
    /// It says the same, at the same place.
    Unchanged,
    /// It says the same at another place.
    Moved,
    /// It has another text, symbol or resolution.
    Changed,
    /// It is a row no more.
    Gone,
    /// The earlier answer does not have it.
    New,
}

/// How a row of an answer differs from the earlier answer.
///
/// # Examples
///
/// ```
/// use ragnav_base::difference::{RowDifference, RowState};
///
/// let difference = RowDifference { state: RowState::New, was: None };
/// let json = r#"{"state":"new","was":null}"#;
/// assert_eq!(serde_json::to_string(&difference).unwrap(), json);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct RowDifference {
    /// `moved`, `changed` or `new`.
    pub state: RowState,
    /// The place of the row in the earlier answer; `null` for a new one.
    pub was: Option<RowPlace>,
}

/// What an answer with the option `since` says beside the rows that differ.
///
/// # Examples
///
/// ```
/// use ragnav_base::difference::SinceMeta;
///
/// let since = SinceMeta { unchanged: 12, differences: Vec::new(), gone: Vec::new() };
/// assert_eq!(serde_json::to_value(&since).unwrap()["unchanged"], 12);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct SinceMeta {
    /// The number of rows that are as they were.
    pub unchanged: u32,
    /// How each item of this answer differs, in their order.
    pub differences: Vec<RowDifference>,
    /// The places of the rows that are gone.
    pub gone: Vec<RowPlace>,
}
