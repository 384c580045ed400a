//! The metadata of documents.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::plan::Scalar;

/// The metadata of a document, by field.
pub type Metadata = BTreeMap<String, MetaValue>;

/// A metadata value.
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
    pub fn texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        let texts = texts.into_iter().map(|text| Scalar::String(text.into()));
        Self::List(texts.collect())
    }

    /// Returns the text, if the value is one text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
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
#[must_use]
pub fn text<'m>(metadata: &'m Metadata, field: &str) -> Option<&'m str> {
    metadata.get(field)?.as_text()
}
