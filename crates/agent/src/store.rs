//! Document stores: the trait and its implementations.
//!
//! [`EmbeddedStore`](embedded::EmbeddedStore) is ragnav's own store;
//! [`ForeignStore`](foreign::ForeignStore) is any store that the host provides.

mod document_position;
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
use ragnav_matching::history::History;

/// A query to a document store.
///
/// # Examples
///
/// ```
/// use ragnav_agent::plan::{Filter, Operator};
/// use ragnav_agent::store::embedded::EmbeddedStore;
/// use ragnav_agent::store::{Query, Store};
/// use ragnav_base::memory_host::block_on;
///
/// let query = Query {
///     text: "deployment",
///     embedding: None,
///     filters: &[Filter::new("tags", Operator::Contains, "ops")],
///     only: None,
///     k: 10,
///     others: None,
///     history: None,
/// };
/// assert!(block_on(EmbeddedStore::default().query(query)).unwrap().is_empty());
/// ```
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
    /// The history of the repository, if it counts.
    pub history: Option<&'q History>,
}

/// A row that a store returns.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::{document, query};
/// use ragnav_agent::store::Store;
/// use ragnav_agent::store::embedded::EmbeddedStore;
/// use ragnav_base::memory_host::block_on;
///
/// let mut store = EmbeddedStore::default();
/// block_on(store.upsert(vec![document("1", "red fox")])).unwrap();
/// let rows = block_on(store.query(query("fox"))).unwrap();
/// assert_eq!(rows[0].document.as_deref(), Some("red fox"));
/// assert!(rows[0].similarity.is_some());
/// ```
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
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::built;
/// use ragnav_agent::store::Store;
/// use ragnav_agent::store::files::{StoreCache, open};
/// use ragnav_base::memory_host::block_on;
///
/// let host = built(&[("notes.md", "# Deployment\nRun the script.\n")]);
/// let opened = block_on(open(&host, &StoreCache::default())).unwrap();
/// let rows = block_on(opened.store.get(&[], None, 10)).unwrap();
/// let place = rows[0].place.as_ref().unwrap();
/// assert_eq!((place.path.as_str(), place.name.as_str()), ("notes.md", "Deployment"));
/// ```
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
///
/// # Examples
///
/// ```
/// use ragnav_agent::store::embedded::EmbeddedStore;
/// use ragnav_agent::store::{Document, Store};
/// use ragnav_base::memory_host::block_on;
///
/// let fox = Document {
///     id: "1".to_owned(),
///     text: "red fox".to_owned(),
///     ..Document::default()
/// };
/// let mut store = EmbeddedStore::default();
/// block_on(store.upsert(vec![fox])).unwrap();
/// assert_eq!(store.count(), 1);
/// ```
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
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::{document, query};
/// use ragnav_agent::store::Store;
/// use ragnav_agent::store::embedded::EmbeddedStore;
/// use ragnav_base::memory_host::block_on;
///
/// async fn count(store: &impl Store, words: &str) -> usize {
///     store.query(query(words)).await.unwrap().len()
/// }
///
/// let mut store = EmbeddedStore::default();
/// block_on(store.upsert(vec![document("1", "red fox"), document("2", "red hen")])).unwrap();
/// assert_eq!(block_on(count(&store, "red")), 2);
/// ```
pub trait Store {
    /// Returns the most relevant documents, best first; equal ones by file and line, or by id.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
    /// # use setup::{document, query};
    /// use ragnav_agent::store::Store;
    /// use ragnav_agent::store::embedded::EmbeddedStore;
    /// use ragnav_base::memory_host::block_on;
    ///
    /// let mut store = EmbeddedStore::default();
    /// block_on(store.upsert(vec![document("1", "red fox"), document("2", "red hen")])).unwrap();
    /// let rows = block_on(store.query(query("hen"))).unwrap();
    /// assert_eq!(rows[0].id, "2");
    /// ```
    fn query(&self, query: Query<'_>) -> impl Future<Output = Result<Vec<Row>, RagnavError>>;
    /// Returns the documents that meet filters, and are of a kind if one is given, in the order of
    /// the store.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
    /// # use setup::document;
    /// use ragnav_agent::plan::{Filter, Operator};
    /// use ragnav_agent::store::Store;
    /// use ragnav_agent::store::embedded::EmbeddedStore;
    /// use ragnav_base::memory_host::block_on;
    ///
    /// let mut fox = document("1", "red fox");
    /// fox.metadata.insert("level".to_owned(), 2.0.into());
    /// let mut store = EmbeddedStore::default();
    /// block_on(store.upsert(vec![fox, document("2", "red hen")])).unwrap();
    /// let filter = Filter::new("level", Operator::Eq, 2.0);
    /// let rows = block_on(store.get(&[filter], None, 10)).unwrap();
    /// assert_eq!((rows.len(), rows[0].id.as_str()), (1, "1"));
    /// ```
    fn get(
        &self,
        filters: &[Filter],
        only: Option<PassageKind>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Row>, RagnavError>>;
    /// Adds documents, and replaces those with the same ids.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
    /// # use setup::document;
    /// use ragnav_agent::store::Store;
    /// use ragnav_agent::store::embedded::EmbeddedStore;
    /// use ragnav_base::memory_host::block_on;
    ///
    /// let mut store = EmbeddedStore::default();
    /// block_on(store.upsert(vec![document("1", "red fox")])).unwrap();
    /// block_on(store.upsert(vec![document("1", "red hen")])).unwrap();
    /// let rows = block_on(store.get(&[], None, 10)).unwrap();
    /// assert_eq!((rows.len(), rows[0].document.as_deref()), (1, Some("red hen")));
    /// ```
    fn upsert(&mut self, documents: Vec<Document>)
    -> impl Future<Output = Result<(), RagnavError>>;
    /// Removes documents; a missing id is not an error.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
    /// # use setup::document;
    /// use ragnav_agent::store::Store;
    /// use ragnav_agent::store::embedded::EmbeddedStore;
    /// use ragnav_base::memory_host::block_on;
    ///
    /// let mut store = EmbeddedStore::default();
    /// block_on(store.upsert(vec![document("1", "red fox")])).unwrap();
    /// block_on(store.delete(&["1".to_owned(), "2".to_owned()])).unwrap();
    /// assert_eq!(store.count(), 0);
    /// ```
    fn delete(&mut self, ids: &[String]) -> impl Future<Output = Result<(), RagnavError>>;
    /// Reports whether documents have vectors, so that a query should have an embedding.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
    /// # use setup::document;
    /// use ragnav_agent::store::embedded::EmbeddedStore;
    /// use ragnav_agent::store::{Document, Store};
    /// use ragnav_base::memory_host::block_on;
    ///
    /// let fox = Document { embedding: Some(vec![0.6, 0.8]), ..document("1", "red fox") };
    /// let mut store = EmbeddedStore::default();
    /// assert!(!store.wants_embedding());
    /// block_on(store.upsert(vec![fox])).unwrap();
    /// assert!(store.wants_embedding());
    /// ```
    fn wants_embedding(&self) -> bool;
}
