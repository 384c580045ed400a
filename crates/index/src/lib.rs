//! The index of a repository: files, postings, filters and facts in segments, and the graph, which
//! other programs enrich.
//!
//! This crate reads and writes the index through the host. It does not decide whether the index is
//! fresh, and runs no query.
//!
//! # Examples
//!
//! ```
//! use ragnav_base::path::RepoPath;
//! use ragnav_index::extract::extract;
//! use ragnav_index::index::Index;
//! use ragnav_index::index_builder::{FileContent, FileInput, IndexBuilder};
//! use ragnav_index::term_index::TermIndex;
//!
//! let path = RepoPath::parse("a.txt").unwrap();
//! let content = FileContent::Extracted(extract(&path, b"text", None));
//! let mut builder = IndexBuilder::new(None, 1);
//! builder.add(0, &path, FileInput { size: 4, stamp: None, content });
//! let bytes = builder.finish(&TermIndex::default()).unwrap().index.bytes().to_vec();
//! assert!(Index::open(bytes).unwrap().file(&path).is_some());
//! ```

pub mod carry_enrichment;
pub mod content;
pub mod entities;
pub mod extract;
pub mod file_terms;
pub mod filter;
pub mod graph_file;
pub mod graph_text;
pub mod index;
pub mod index_builder;
pub mod index_file;
pub mod indexed_counts;
pub mod packed;
mod postings;
pub mod rag_graph;
pub mod reidentify;
pub mod reidentify_files;
mod renamed_files;
pub mod segments;
pub mod shapes;
pub mod term_index;

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;

/// The parts of a repository's index that were read, cached between queries.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_index::Caches;
///
/// let caches = Caches::default();
/// let opened = block_on(caches.open_index(&MemoryHost::default(), None)).unwrap();
/// // The repository has no index yet.
/// assert!(opened.index().is_none());
/// ```
#[derive(Debug, Default)]
pub struct Caches {
    /// The graph, for enrichment.
    pub graph: graph_file::GraphCache,
    /// The index.
    pub index: index_file::IndexCache,
    /// The segments with the facts of files.
    pub segments: segments::SegmentCache,
    /// The terms of the files.
    pub terms: term_index::TermCache,
}

impl Caches {
    /// Opens the index like [`IndexCache::open`](index_file::IndexCache::open). It drops cached
    /// segments of earlier indexes, which would otherwise accumulate from build to build.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::{build, path};
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_index::Caches;
    /// use ragnav_index::index::INDEX_FILE;
    ///
    /// let index = build(&[("a.py", "def f(): pass\n")]).index;
    /// let host = MemoryHost::default();
    /// let written = ragnav_base::host::write(&host, path(INDEX_FILE), index.bytes().to_vec());
    /// block_on(written).unwrap();
    /// let caches = Caches::default();
    /// let opened = block_on(caches.open_index(&host, Some(index.generation()))).unwrap();
    /// assert_eq!(opened.index().unwrap().files().len(), 1);
    /// ```
    pub async fn open_index(
        &self,
        host: &impl Host,
        generation: Option<&str>,
    ) -> Result<index_file::IndexFile, RagnavError> {
        let opened = self.index.open(host, generation).await?;
        if let Some(index) = opened.index() {
            self.segments.retain(index.segments());
        }
        Ok(opened)
    }
}
