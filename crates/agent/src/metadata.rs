//! The metadata of documents.

use std::collections::{BTreeMap, btree_map};
use std::ops::{Deref, DerefMut};

use ragnav_base::json::JsonObject;
use serde::{Deserialize, Serialize};

use super::plan::Scalar;

/// The metadata of a document, by field.
///
/// # Examples
///
/// ```
/// use ragnav_agent::metadata::{MetaValue, Metadata};
///
/// let metadata = Metadata::from([("level".to_owned(), MetaValue::from(2.0))]);
/// assert_eq!(serde_json::to_string(&metadata).unwrap(), r#"{"level":2}"#);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Metadata(
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown>"))]
    BTreeMap<String, MetaValue>,
);

impl Metadata {
    /// Builds metadata without fields.
    #[must_use]
    pub(crate) fn new() -> Self {
        Self::default()
    }
}

impl Deref for Metadata {
    type Target = BTreeMap<String, MetaValue>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Metadata {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl FromIterator<(String, MetaValue)> for Metadata {
    fn from_iter<I: IntoIterator<Item = (String, MetaValue)>>(fields: I) -> Self {
        Self(fields.into_iter().collect())
    }
}

impl<const N: usize> From<[(String, MetaValue); N]> for Metadata {
    fn from(fields: [(String, MetaValue); N]) -> Self {
        Self(fields.into())
    }
}

impl From<JsonObject> for Metadata {
    /// Keeps the fields whose values are valid metadata; null, for example, is not.
    fn from(JsonObject(fields): JsonObject) -> Self {
        let fields = fields.into_iter();
        fields
            .filter_map(|(field, value)| Some((field, serde_json::from_value(value).ok()?)))
            .collect()
    }
}

impl IntoIterator for Metadata {
    type Item = (String, MetaValue);
    type IntoIter = btree_map::IntoIter<String, MetaValue>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'m> IntoIterator for &'m Metadata {
    type Item = (&'m String, &'m MetaValue);
    type IntoIter = btree_map::Iter<'m, String, MetaValue>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// A metadata value.
///
/// # Examples
///
/// ```
/// use ragnav_agent::metadata::MetaValue;
///
/// let tags: MetaValue = serde_json::from_str(r#"["ops", "release"]"#).unwrap();
/// assert_eq!(tags, MetaValue::texts(["ops", "release"]));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum MetaValue {
    /// One value.
    One(Scalar),
    /// Several values, in order.
    List(Vec<Scalar>),
}

impl MetaValue {
    /// Builds a list of texts.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::metadata::MetaValue;
    /// use ragnav_agent::plan::Scalar;
    ///
    /// assert_eq!(MetaValue::texts(["ops"]), MetaValue::List(vec![Scalar::from("ops")]));
    /// ```
    pub fn texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        let texts = texts.into_iter().map(|text| Scalar::String(text.into()));
        Self::List(texts.collect())
    }

    /// Returns the text, if the value is one text.
    #[must_use]
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Self::One(Scalar::String(text)) => Some(text),
            _ => None,
        }
    }
}

impl<T: Into<Scalar>> From<T> for MetaValue {
    fn from(given: T) -> Self {
        Self::One(given.into())
    }
}

/// Returns the text of a field, or `None` if it is missing or has another type.
///
/// # Examples
///
/// ```
/// use ragnav_agent::metadata::{MetaValue, Metadata, text};
///
/// let metadata = Metadata::from([
///     ("title".to_owned(), MetaValue::from("Deployment")),
///     ("level".to_owned(), MetaValue::from(2.0)),
/// ]);
/// assert_eq!(text(&metadata, "title"), Some("Deployment"));
/// assert_eq!(text(&metadata, "level"), None);
/// ```
#[must_use]
pub fn text<'m>(metadata: &'m Metadata, field: &str) -> Option<&'m str> {
    metadata.get(field)?.as_text()
}
