//! Document stores: the trait and its implementations.
//!
//! [`EmbeddedStore`](embedded::EmbeddedStore) is ragnav's own store;
//! [`ForeignStore`](foreign::ForeignStore) is any store that the host provides.

pub mod embedded;
pub mod files;
pub mod foreign;
mod inverted_index;
mod rank_documents;
mod segment;
pub(crate) mod segment_builder;
mod segment_table;
mod similarities;
mod top_k;
mod vectors;

use super::chunk::Lines;
use super::metadata::Metadata;
use super::passage_kind::PassageKind;
use super::plan::Filter;
use super::survey_texts::OtherFiles;
use ragnav_base::error::RagnavError;
use ragnav_base::path::RepoPath;
use ragnav_index::content::ContentHash;

/// A query to a document store.
#[derive(Debug, Clone, Copy)]
pub struct Query<'q> {
    /// The query text.
    pub text: &'q str,
    /// The embedding of the text. If present, documents are ranked by it too.
    pub embedding: Option<&'q [f32]>,
    /// The filters, all of which every document must meet.
    pub filters: &'q [Filter],
    /// The kind that every document must be of.
    pub only: Option<PassageKind>,
    /// The largest number of documents.
    pub k: usize,
    /// The files of the repository that are not in the store. They count for the rarity of terms.
    pub others: Option<&'q OtherFiles>,
}

/// A row that a store returns.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The id of the document.
    pub id: String,
    /// The text, if the store keeps it.
    pub document: Option<String>,
    /// The metadata.
    pub metadata: Metadata,
    /// The similarity, from 0 to 1; `None` for a row of [`Store::get`].
    pub similarity: Option<f64>,
    /// The location of the text, if the store knows it.
    pub place: Option<DocumentLocation>,
}

/// The location of a document's text in the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentLocation {
    /// The path of the file.
    pub path: RepoPath,
    /// The hash of the content that the document was built from.
    pub hash: ContentHash,
    /// The name of the chunk in its file, see [`Chunk::name`](super::chunk::Chunk::name).
    pub name: String,
    /// The heading of the chunk.
    pub heading: String,
    /// The lines that are repeated in front.
    pub head: Option<Lines>,
    /// The lines of the chunk.
    pub lines: Vec<Lines>,
}

/// A document to add to a store.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// The id; an existing document with this id is replaced.
    pub id: String,
    /// The text.
    pub text: String,
    /// The metadata.
    pub metadata: Metadata,
    /// The embedding, if there is one.
    pub embedding: Option<Vec<f32>>,
}

/// A document store. An unsupported operation fails with `STORE_FAILED`.
pub trait Store {
    /// Returns the most relevant documents, best first; equal ones by file and line, or by id.
    fn query(&self, query: Query<'_>) -> impl Future<Output = Result<Vec<Row>, RagnavError>>;
    /// Returns the documents that meet filters, and are of a kind if one is given, in the order of
    /// the store.
    fn get(
        &self,
        filters: &[Filter],
        only: Option<PassageKind>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Row>, RagnavError>>;
    /// Adds documents, and replaces those with the same ids.
    fn upsert(&mut self, documents: Vec<Document>)
    -> impl Future<Output = Result<(), RagnavError>>;
    /// Removes documents; a missing id is not an error.
    fn delete(&mut self, ids: &[String]) -> impl Future<Output = Result<(), RagnavError>>;
    /// Reports whether documents have vectors, so that a query should have an embedding.
    fn wants_embedding(&self) -> bool;
}
