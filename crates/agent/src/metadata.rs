//! What is known of a document beside its text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::plan::Scalar;

/// The metadata of a document, by field.
pub type Metadata = BTreeMap<String, MetaValue>;

/// A value of a document's metadata.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum MetaValue {
    /// One value.
    One(Scalar),
    /// Several, in order.
    List(Vec<Scalar>),
}

impl MetaValue {
    /// A list of texts.
    pub fn texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        let texts = texts.into_iter().map(|text| Scalar::String(text.into()));
        Self::List(texts.collect())
    }

    /// The text, of a value that is one.
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

/// The text of a field; `None` where there is none, or it is something else.
#[must_use]
pub fn text<'m>(metadata: &'m Metadata, field: &str) -> Option<&'m str> {
    metadata.get(field)?.as_text()
}
