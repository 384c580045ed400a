//! What a part of the embedded store is made of, as it is written.

use serde::{Deserialize, Serialize};

use super::inverted::Inverted;
use crate::chunk::Lines;
use crate::metadata::MetaValue;
use crate::plan::Scalar;
use ragnav_base::path::RepoPath;
use ragnav_index::content::ContentHash;

/// What a part holds of documents, beside their vectors.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Table {
    /// The names of the fields that metadata have.
    pub(super) fields: Vec<String>,
    pub(super) files: Vec<FileEntry>,
    pub(super) documents: Vec<Record>,
    pub(super) inverted: Inverted,
}

/// A file whose documents stand beside each other.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FileEntry {
    /// The file and what it held; `None` for documents that somebody put in.
    pub(super) source: Option<(RepoPath, ContentHash)>,
    pub(super) metadata: Fields,
    /// Behind which document its own end.
    pub(super) end: u32,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Record {
    /// What it is called in its file, or altogether.
    pub(super) name: String,
    pub(super) file: u32,
    pub(super) head: Option<Lines>,
    pub(super) lines: Vec<Lines>,
    pub(super) metadata: Fields,
    /// Its text, where no file has it.
    pub(super) text: Option<String>,
    /// Of its text.
    pub(super) hash: u64,
}

/// Values by the places of their fields.
pub(super) type Fields = Vec<(u16, Kept)>;

/// A value as it is written: this format has no values that only their form tells apart.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Stored {
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<StoredScalar>),
}

/// A value without parts, written as [`Stored`] writes it. No list is in another one, so that reading never goes deep.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum StoredScalar {
    Bool(bool),
    Number(f64),
    Text(String),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub(super) struct Kept(pub(super) MetaValue);

impl From<Scalar> for Stored {
    fn from(value: Scalar) -> Self {
        match value {
            Scalar::Bool(value) => Self::Bool(value),
            Scalar::Number(value) => Self::Number(value),
            Scalar::String(value) => Self::Text(value),
        }
    }
}

impl From<Scalar> for StoredScalar {
    fn from(value: Scalar) -> Self {
        match value {
            Scalar::Bool(value) => Self::Bool(value),
            Scalar::Number(value) => Self::Number(value),
            Scalar::String(value) => Self::Text(value),
        }
    }
}

impl From<StoredScalar> for Scalar {
    fn from(stored: StoredScalar) -> Self {
        match stored {
            StoredScalar::Bool(value) => Self::Bool(value),
            StoredScalar::Number(value) => Self::Number(value),
            StoredScalar::Text(value) => Self::String(value),
        }
    }
}

impl From<Kept> for Stored {
    fn from(Kept(value): Kept) -> Self {
        match value {
            MetaValue::One(value) => value.into(),
            MetaValue::List(values) => {
                Self::List(values.into_iter().map(StoredScalar::from).collect())
            }
        }
    }
}

impl From<Stored> for Kept {
    fn from(stored: Stored) -> Self {
        Self(match stored {
            Stored::List(values) => MetaValue::List(values.into_iter().map(Scalar::from).collect()),
            Stored::Bool(value) => MetaValue::from(value),
            Stored::Number(value) => MetaValue::from(value),
            Stored::Text(value) => MetaValue::from(value),
        })
    }
}
