//! What is known of symbols, from the graph that stands to the one that is written.

use xxhash_rust::xxh3::xxh3_64;

use crate::error::{ErrorCode, RagnavError};
use crate::graph::carry::{self, EnrichmentCounts, Knowledge};
use crate::graph::graph_file::{
    self, GRAPH_FILE, GraphHash, MAX_GRAPH_BYTES, StandingGraph, WrittenGraph,
};
use crate::graph::graph_text::{Extent, Heading, format_graph};
use crate::graph::index::Index;
use crate::graph::rag_graph;
use crate::graph::rejoin_files::Shapes;
use crate::graph::shapes;
use crate::host::{self, Host};
use crate::path::RepoPath;

/// How often a graph that others write into meanwhile is read again.
const READS: usize = 3;

/// What a graph knows of the definitions of an index.
pub(super) struct Known {
    standing: StandingGraph,
    knowledge: Knowledge,
}

impl Known {
    /// Finds what the graph that stands knows again.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws or cannot read the graph.
    pub(super) async fn read<H: Host>(host: &H, index: &Index) -> Result<Self, RagnavError> {
        let standing = graph_file::read_standing(host).await?;
        let knowledge = match &standing {
            StandingGraph::Graph(graph, _) => carry::carry(graph, &shapes_of(index)),
            StandingGraph::Missing | StandingGraph::Unreadable(_) => Knowledge::default(),
        };
        Ok(Self {
            standing,
            knowledge,
        })
    }

    pub(super) fn counts(&self) -> EnrichmentCounts {
        self.knowledge.counts
    }

    /// Where the graph that stands is kept, if it is not simply written anew.
    pub(super) fn put_aside(&self) -> Option<Result<RepoPath, RagnavError>> {
        let standing = &self.standing;
        standing.is_foreign().then(|| aside(standing))
    }

    /// Whether the graph that stands is of an index.
    pub(super) fn is_of(&self, index: &Index) -> bool {
        match &self.standing {
            StandingGraph::Graph(graph, _) => {
                rag_graph::generation_of(graph) == Some(index.generation())
            }
            StandingGraph::Missing | StandingGraph::Unreadable(_) => false,
        }
    }

    /// The text of the graph of an index.
    ///
    /// # Errors
    /// `INDEX_WRITE_FAILED` where it would be larger than is ever read again.
    pub(super) fn text(&self, index: &Index, heading: Heading<'_>) -> Result<Vec<u8>, RagnavError> {
        let fits = |text: &Vec<u8>| text.len() <= MAX_GRAPH_BYTES as usize;
        let texts = [Extent::All, Extent::Known].into_iter();
        let mut texts = texts.map(|extent| format_graph(index, heading, &self.knowledge, extent));
        texts.find(fits).ok_or_else(|| {
            let message =
                "the graph would be larger than ragnav reads; leave files out by an ignore rule";
            RagnavError::new(ErrorCode::IndexWriteFailed, message)
        })
    }

    /// Writes the graph. What others wrote into the one that stands since it was read is carried over too.
    ///
    /// # Errors
    /// `INDEX_WRITE_FAILED` where the host cannot write, `HOST_FAILED` where it cannot read.
    pub(super) async fn write<H: Host>(
        mut self,
        host: &H,
        index: &Index,
        heading: Heading<'_>,
        mut text: Vec<u8>,
    ) -> Result<WrittenGraph, RagnavError> {
        for _ in 0..READS {
            let again = graph_file::read_standing(host).await?;
            if again.bytes() == self.standing.bytes() {
                break;
            }
            self = Self::read(host, index).await?;
            text = self.text(index, heading)?;
        }
        put_aside(host, &self.standing).await?;
        let written = WrittenGraph {
            hash: GraphHash::of(&text),
            generation: index.generation().to_owned(),
            enrichment: self.knowledge.counts_once_written(),
        };
        host::write(host, RepoPath::parse(GRAPH_FILE)?, text).await?;
        Ok(written)
    }
}

/// Keeps a graph of another program, or one that makes no sense, under a name of its own: it may hold what nobody else knows.
async fn put_aside<H: Host>(host: &H, standing: &StandingGraph) -> Result<(), RagnavError> {
    if !standing.is_foreign() {
        return Ok(());
    }
    let path = aside(standing)?;
    if host::read_one(host, &path, MAX_GRAPH_BYTES).await?.is_ok() {
        // By its name it is the same one.
        return Ok(());
    }
    host::write(host, path, standing.bytes().to_vec()).await
}

/// Where a graph is put aside.
fn aside(standing: &StandingGraph) -> Result<RepoPath, RagnavError> {
    let hash = xxh3_64(standing.bytes());
    RepoPath::parse(&format!(".llmc/rag_graph.{hash:016x}.json"))
}

fn shapes_of(index: &Index) -> Shapes {
    let files = index.files().iter().filter_map(|record| {
        let facts = index.facts(record)?;
        Some((record.path.clone(), shapes::of_facts(&facts)))
    });
    files.collect()
}
