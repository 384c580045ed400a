//! The embedded store: exact, without a server, and identical in Node and in browsers.

use ragnav_base::hash::{HashMap, HashSet};

use super::document_position::DocumentPosition;
use super::rank_documents::rank_documents;
use super::segment::DocumentSegment;
use super::segment_builder::SegmentBuilder;
use super::similarities::Similarities;
use super::top_k::TopK;
use super::vectors::{check_dimension, normalise_vector};
use super::{Document, DocumentLocation, Query, Row, Store};
use crate::passage_kind::PassageKind;
use crate::plan::Filter;
use ragnav_base::error::RagnavError;
use ragnav_base::path::RepoPath;
use ragnav_index::content::ContentHash;

/// The number of documents below which a segment is small.
const SMALL_SEGMENT: usize = 512;
/// The largest number of small segments.
const MAX_SMALL_SEGMENTS: usize = 8;

/// A document store in segments, which clones share.
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
/// let rows = block_on(store.query(query("red fox"))).unwrap();
/// assert_eq!((rows.len(), rows[0].id.as_str()), (2, "1"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct EmbeddedStore {
    pub(super) segments: Vec<DocumentSegment>,
    /// The embedding model of the vectors.
    pub(super) embedder: Option<String>,
    /// The generation of the index that the documents belong to.
    pub(super) generation: Option<String>,
}

impl EmbeddedStore {
    /// Returns the number of documents.
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
    /// assert_eq!(store.count(), 1);
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        self.segments.iter().map(DocumentSegment::count).sum()
    }

    /// Returns the embedding model of the vectors, if it is known.
    #[must_use]
    pub(crate) fn embedder(&self) -> Option<&str> {
        self.embedder.as_deref()
    }

    /// Returns the files with documents, and the hash of the content that these were built from.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
    /// # use setup::built;
    /// use ragnav_agent::store::files::{StoreCache, open};
    /// use ragnav_base::memory_host::block_on;
    /// use ragnav_index::content::ContentHash;
    ///
    /// let host = built(&[("notes.md", "# Deployment\nRun the script.\n")]);
    /// let opened = block_on(open(&host, &StoreCache::default())).unwrap();
    /// let (path, hash) = opened.store.files().next().unwrap();
    /// assert_eq!(path.as_str(), "notes.md");
    /// assert_eq!(hash, ContentHash::of(b"# Deployment\nRun the script.\n"));
    /// ```
    pub fn files(&self) -> impl Iterator<Item = (&RepoPath, ContentHash)> {
        let files = self.segments.iter().flat_map(DocumentSegment::files);
        files.map(|(path, hash, _)| (path, hash))
    }

    fn dimension(&self) -> Option<usize> {
        self.segments
            .iter()
            .find_map(|segment| segment.vectors.dimension())
    }

    pub(super) fn find_best(&self, query: Query<'_>) -> Result<Vec<Row>, RagnavError> {
        let admitted: Vec<Vec<bool>> = self
            .segments
            .iter()
            .map(|segment| segment.matching_documents(query.filters, query.only))
            .collect();
        let is_admitted = |(segment, document): DocumentPosition| {
            let segment = admitted.get(segment);
            segment.and_then(|segment| segment.get(document as usize)) == Some(&true)
        };
        let mut top = TopK::new(query.k);
        let similarities = self.compare(query.embedding, is_admitted)?;
        for (score, at) in rank_documents(&self.segments, query, &similarities, is_admitted)? {
            top.push(score, self.ordered(at));
        }
        let best = top.into_best();
        let rows = best.filter_map(|(score, of)| {
            let (segment, document) = of.at;
            self.segments.get(segment)?.row(document, Some(score))
        });
        Ok(rows.collect())
    }

    /// Compares the vectors of admitted documents with that of a query, if both exist.
    fn compare(
        &self,
        embedding: Option<&[f32]>,
        is_admitted: impl Fn(DocumentPosition) -> bool,
    ) -> Result<Similarities, RagnavError> {
        let (Some(embedding), Some(dimension)) = (embedding, self.dimension()) else {
            return Ok(Similarities::default());
        };
        check_dimension(dimension, embedding.len())?;
        let unit = normalise_vector(embedding)?;
        Ok(Similarities::new(&self.segments, &unit, is_admitted))
    }

    fn ordered(&self, at: DocumentPosition) -> Ordered<'_> {
        Ordered { store: self, at }
    }

    /// Returns the documents that meet filters and are of a kind, by file and line.
    pub(super) fn list(
        &self,
        filters: &[Filter],
        only: Option<PassageKind>,
        limit: usize,
    ) -> Vec<Row> {
        let mut top = TopK::new(limit);
        for (at, segment) in self.segments.iter().enumerate() {
            let admitted = (0..).zip(segment.matching_documents(filters, only));
            for (document, _) in admitted.filter(|(_, admitted)| *admitted) {
                top.push(0.0, self.ordered((at, document)));
            }
        }
        let rows = top.into_best().filter_map(|(_, of)| {
            let (segment, document) = of.at;
            self.segments.get(segment)?.row(document, None)
        });
        rows.collect()
    }

    /// Adds a segment, whose documents must not exist yet.
    pub(crate) fn push(&mut self, builder: &mut SegmentBuilder) {
        let segment = builder.finish();
        if segment.len() > 0 {
            self.segments.push(segment);
        }
    }

    /// Returns the generation of the index whose documents these are; `None` if some are missing.
    #[must_use]
    pub(crate) fn generation(&self) -> Option<&str> {
        self.generation.as_deref()
    }

    pub(crate) fn set_generation(&mut self, generation: Option<&str>) {
        self.generation = generation.map(str::to_owned);
    }

    /// Sets the embedding model of the vectors.
    pub(crate) fn set_embedder(&mut self, embedder: Option<String>) {
        self.embedder = embedder;
    }

    /// Returns the number of documents without a vector, if others have one.
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
    /// block_on(store.upsert(vec![fox, document("2", "red hen")])).unwrap();
    /// assert_eq!(store.count_without_vector(), 1);
    /// ```
    #[must_use]
    pub fn count_without_vector(&self) -> usize {
        match self.dimension() {
            Some(_) => self
                .segments
                .iter()
                .map(DocumentSegment::count_without_vector)
                .sum(),
            None => 0,
        }
    }

    /// Returns the vectors by the hash of their text.
    pub(crate) fn known_vectors(&self) -> HashMap<u64, &[f32]> {
        self.segments
            .iter()
            .flat_map(DocumentSegment::known_vectors)
            .collect()
    }

    /// Removes the documents of all files for which `keeps` returns false. It is called with the
    /// path, the content hash and whether all documents have vectors. Returns the number of removed
    /// files.
    pub(crate) fn retain_files(
        &mut self,
        keeps: impl Fn(&RepoPath, ContentHash, bool) -> bool,
    ) -> usize {
        let mut removed = 0;
        for segment in &mut self.segments {
            let files = segment.files();
            let goes =
                files.filter(|(path, hash, run)| !keeps(path, *hash, segment.have_vectors(*run)));
            let deleted: Vec<(u32, u32)> = goes.map(|(_, _, run)| run).collect();
            removed += deleted.len();
            segment.mark_deleted(&deleted);
        }
        removed
    }

    /// Reports whether documents have vectors.
    #[must_use]
    pub(crate) fn has_vectors(&self) -> bool {
        self.dimension().is_some()
    }

    /// Drops segments whose documents are all deleted.
    pub(crate) fn drop_empty(&mut self) {
        self.segments.retain(|segment| segment.count() > 0);
    }

    /// Returns the location of a document by its name in a file.
    pub(crate) fn find_location(&self, path: &RepoPath, name: &str) -> Option<DocumentLocation> {
        let mut segments = self.segments.iter();
        segments.find_map(|segment| {
            let mut files = segment.files();
            let (_, _, (start, end)) = files.find(|(own, _, _)| *own == path)?;
            let places = (start..end).filter_map(|document| segment.row(document, None)?.place);
            let mut places = places.filter(|place| place.name == name);
            places.next()
        })
    }

    /// Drops segments with mostly deleted documents, and small segments if there are many. Their
    /// documents can be rebuilt from files. Segments with documents of the caller are kept.
    pub(crate) fn drop_wasteful_segments(&mut self) -> usize {
        let is_small = |segment: &DocumentSegment| segment.count() < SMALL_SEGMENT;
        let small = self
            .segments
            .iter()
            .filter(|segment| is_small(segment))
            .count();
        let before = self.segments.len();
        self.segments.retain(|segment| {
            let is_wasteful = segment.count() * 2 < segment.len();
            let goes = is_wasteful || (is_small(segment) && small > MAX_SMALL_SEGMENTS);
            !goes || segment.has_caller_documents()
        });
        before - self.segments.len()
    }
}

/// A document ordered by location, which is looked up only to compare equal scores.
#[derive(Debug, Clone, Copy)]
struct Ordered<'s> {
    store: &'s EmbeddedStore,
    at: DocumentPosition,
}

impl Ordered<'_> {
    fn order(&self) -> Option<(Option<&RepoPath>, u32, String)> {
        let (segment, document) = self.at;
        let segment = self.store.segments.get(segment)?;
        Some(segment.order(document))
    }
}

impl Ord for Ordered<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        if self.at == other.at {
            return std::cmp::Ordering::Equal;
        }
        self.order()
            .cmp(&other.order())
            .then(self.at.cmp(&other.at))
    }
}

impl PartialOrd for Ordered<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ordered<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ordered<'_> {}

impl Store for EmbeddedStore {
    async fn query(&self, query: Query<'_>) -> Result<Vec<Row>, RagnavError> {
        self.find_best(query)
    }

    async fn get(
        &self,
        filters: &[Filter],
        only: Option<PassageKind>,
        limit: usize,
    ) -> Result<Vec<Row>, RagnavError> {
        Ok(self.list(filters, only, limit))
    }

    async fn upsert(&mut self, mut documents: Vec<Document>) -> Result<(), RagnavError> {
        // Of several documents with one id the last is kept.
        let mut seen = HashSet::default();
        documents.reverse();
        documents.retain(|document| seen.insert(document.id.clone()));
        documents.reverse();
        if let Some(stored) = self.dimension() {
            for document in &documents {
                let given = document.embedding.as_ref().map_or(stored, Vec::len);
                check_dimension(stored, given)?;
            }
        }
        let mut builder = SegmentBuilder::default();
        builder.add_documents(&documents)?;
        for segment in &mut self.segments {
            segment.delete_where(|id| seen.contains(id));
        }
        self.push(&mut builder);
        Ok(())
    }

    async fn delete(&mut self, ids: &[String]) -> Result<(), RagnavError> {
        let ids: HashSet<&str> = ids.iter().map(String::as_str).collect();
        for segment in &mut self.segments {
            segment.delete_where(|id| ids.contains(id));
        }
        Ok(())
    }

    fn wants_embedding(&self) -> bool {
        self.dimension().is_some()
    }
}
