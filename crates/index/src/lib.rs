//! What was written down of a repository: the index proper, and the graph for other readers and for enrichment.

pub mod carry;
pub mod content;
pub mod extract;
pub mod filter;
pub mod graph_file;
pub mod graph_text;
pub mod index;
pub mod index_builder;
pub mod index_file;
pub mod packed;
pub mod postings;
pub mod rag_graph;
pub mod rejoin;
pub mod rejoin_files;
pub mod segments;
pub mod shapes;

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;

/// What was read of a repository's index, kept between questions.
#[derive(Debug, Default)]
pub struct Caches {
    /// The graph, for enrichment.
    pub graph: graph_file::GraphCache,
    /// The index proper.
    pub index: index_file::IndexCache,
    /// The facts of files.
    pub segments: segments::SegmentCache,
}

impl Caches {
    /// Opens the index as [`IndexCache::open`](index_file::IndexCache::open) does, and forgets the segments of those before it, which
    /// would otherwise pile up from build to build.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws.
    pub async fn open_index(
        &self,
        host: &impl Host,
        generation: Option<&str>,
    ) -> Result<index_file::IndexFile, RagnavError> {
        let opened = self.index.open(host, generation).await?;
        if let Some(index) = opened.index() {
            self.segments.keep_only(index.segments());
        }
        Ok(opened)
    }
}
