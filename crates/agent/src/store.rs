//! Stores of documents: one port, and who stands behind it.
//!
//! [`EmbeddedStore`](embedded::EmbeddedStore) is ragnav's own; [`ForeignStore`](foreign::ForeignStore) is any that the host knows.

pub mod embedded;
pub mod files;
pub mod foreign;
mod inverted;
mod part;
pub(crate) mod part_builder;
mod table;
mod top;
mod vectors;

use super::chunk::Lines;
use super::metadata::Metadata;
use super::plan::Filter;
use ragnav_base::error::RagnavError;
use ragnav_base::path::RepoPath;
use ragnav_index::content::ContentHash;

/// What is searched for.
#[derive(Debug, Clone, Copy)]
pub struct Query<'q> {
    /// In words.
    pub text: &'q str,
    /// As a vector, where somebody made one; then that is what documents are ranked by.
    pub embedding: Option<&'q [f32]>,
    /// What every document must meet.
    pub filters: &'q [Filter],
    /// How many are wanted.
    pub k: usize,
}

/// A document as a store gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its name in the store.
    pub id: String,
    /// Its text, where the store keeps it.
    pub document: Option<String>,
    /// What else is known of it.
    pub metadata: Metadata,
    /// How well it fits, from 0 to 1; `None` where nothing was searched for.
    pub similarity: Option<f64>,
    /// Where its text stands, where that is known for sure.
    pub place: Option<Place>,
}

/// Where the text of a document stands in the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: RepoPath,
    /// What the file held when the document was made of it.
    pub hash: ContentHash,
    /// What the chunk is called in its file, see [`Chunk::name`](super::chunk::Chunk::name).
    pub name: String,
    /// What the chunk is of.
    pub heading: String,
    /// Lines that are repeated before its own.
    pub head: Option<Lines>,
    /// Its own lines.
    pub lines: Vec<Lines>,
}

/// A document that is put into a store.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// Its name: a document of the same name is replaced.
    pub id: String,
    /// Its text.
    pub text: String,
    /// What else is known of it.
    pub metadata: Metadata,
    /// What it means, if somebody made a vector of that.
    pub embedding: Option<Vec<f32>>,
}

/// What a store can do. One that cannot do something says so with `STORE_FAILED`.
pub trait Store {
    /// The documents that fit best, best first; those alike by file and line, or by their names.
    fn query(&self, query: Query<'_>) -> impl Future<Output = Result<Vec<Row>, RagnavError>>;
    /// The documents that meet filters, in the order of the store.
    fn get(
        &self,
        filters: &[Filter],
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Row>, RagnavError>>;
    /// Puts documents in, in place of those of the same names.
    fn upsert(&mut self, documents: Vec<Document>)
    -> impl Future<Output = Result<(), RagnavError>>;
    /// Takes documents out; names that are not there are no failure.
    fn delete(&mut self, ids: &[String]) -> impl Future<Output = Result<(), RagnavError>>;
    /// Whether documents have vectors, so that a query should have one.
    fn wants_embedding(&self) -> bool;
}
