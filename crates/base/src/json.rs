//! JSON values whose types only the caller knows, with their TypeScript types.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Any JSON value.
///
/// # Examples
///
/// ```
/// use ragnav_base::json::JsonValue;
///
/// let value: JsonValue = serde_json::from_str("[1, 2]").unwrap();
/// assert_eq!(value.0[1], 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct JsonValue(#[cfg_attr(feature = "tsify", tsify(type = "unknown"))] pub Value);

/// Any JSON object.
///
/// # Examples
///
/// ```
/// use ragnav_base::json::JsonObject;
///
/// let object: JsonObject = serde_json::from_str(r#"{"a": 1}"#).unwrap();
/// assert_eq!(object.0["a"], 1);
/// assert!(serde_json::from_str::<JsonObject>("[1]").is_err());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct JsonObject(
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown>"))] pub Map<String, Value>,
);
