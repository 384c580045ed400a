//! The enrichment of symbols, carried from the stored graph to the next one.

use std::cell::RefCell;

use xxhash_rust::xxh3::xxh3_64;

use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, Bytes, FileStamp, Host, WriteRequest};
use ragnav_base::path::RepoPath;
use ragnav_index::carry_enrichment::{self, EnrichmentCounts, RepositoryEnrichment};
use ragnav_index::entities::write_plain_entities;
use ragnav_index::graph_file::{
    self, GRAPH_FILE, GraphHash, GraphOnDisk, GraphStamp, MAX_GRAPH_BYTES, WrittenGraph,
};
use ragnav_index::graph_text::{
    EntitySpans, GraphHeader, GraphText, NodeSelection, write_enriched_entities,
};
use ragnav_index::index::{FileRecord, Index};
use ragnav_index::rag_graph;
use ragnav_index::segments::SegmentCache;
use ragnav_index::shapes;
use ragnav_index::shapes::ShapesByFile;
use ragnav_syntax::facts::Facts;

/// The number of times that a graph is read again because another program wrote into it.
const MAX_READS: usize = 3;

/// An index, and the sources of its graph.
pub(super) struct Sources<'s> {
    pub(super) index: &'s Index,
    pub(super) segments: &'s SegmentCache,
    /// The definitions of its files as the graph names them without enrichment, if they are at
    /// hand. The first text takes them.
    pub(super) entities: RefCell<Vec<Option<String>>>,
    /// The index that the stored graph was written with.
    pub(super) before: Option<&'s Index>,
    /// The stored graph as its build left it.
    pub(super) written: Option<&'s WrittenGraph>,
}

/// The enrichment of the definitions of an index.
pub(super) struct GraphEnrichment {
    stored: StoredGraph,
    /// The stamp of the stored graph; `None` if it proves nothing.
    stamp: Option<FileStamp>,
    knowledge: RepositoryEnrichment,
}

/// The stored graph.
enum StoredGraph {
    /// The graph is as a build left it and has no enrichment.
    Plain(Vec<u8>),
    /// Any other graph.
    Other(GraphOnDisk),
}

impl StoredGraph {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Plain(bytes) => bytes,
            Self::Other(stored) => stored.bytes(),
        }
    }

    fn is_foreign(&self) -> bool {
        match self {
            Self::Plain(_) => false,
            Self::Other(stored) => stored.is_foreign(),
        }
    }
}

impl GraphEnrichment {
    /// Re-identifies the definitions of the stored graph.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws or cannot read the graph.
    pub(super) async fn read<H: Host>(host: &H, from: &Sources<'_>) -> Result<Self, RagnavError> {
        let stamp = graph_file::read_stamp(host)
            .await?
            .filter(|stamp| !stamp.racy);
        let bytes = graph_file::read_bytes(host).await?;
        let is_plain = |bytes: &Vec<u8>| {
            let written = from.written;
            written.is_some_and(|written| {
                written.enrichment.is_empty() && written.hash == GraphHash::of(bytes)
            })
        };
        let stored = match bytes {
            Some(bytes) if is_plain(&bytes) => StoredGraph::Plain(bytes),
            bytes => StoredGraph::Other(graph_file::parse_graph(bytes)),
        };
        let knowledge = match &stored {
            StoredGraph::Other(GraphOnDisk::Graph(graph, _)) => {
                carry_enrichment::carry_enrichment(graph, &shapes_of(host, from).await)
            }
            StoredGraph::Plain(_) | StoredGraph::Other(_) => RepositoryEnrichment::default(),
        };
        Ok(Self {
            stored,
            stamp,
            knowledge,
        })
    }

    /// Reports whether the stored graph is still the one that was read.
    async fn is_unchanged<H: Host>(&self, host: &H) -> Result<bool, RagnavError> {
        if self.stamp.is_some() && graph_file::read_stamp(host).await? == self.stamp {
            return Ok(true);
        }
        let again = graph_file::read_bytes(host).await?;
        Ok(again.as_deref().unwrap_or_default() == self.stored.bytes())
    }

    pub(super) fn counts(&self) -> EnrichmentCounts {
        self.knowledge.counts
    }

    /// Returns the path where the stored graph is kept, unless the new one simply replaces it.
    pub(super) fn backup(&self) -> Option<Result<RepoPath, RagnavError>> {
        let is_foreign = self.stored.is_foreign();
        is_foreign.then(|| backup_path(self.stored.bytes()))
    }

    /// Reports whether the stored graph belongs to an index.
    pub(super) fn is_of(&self, index: &Index, written: Option<&WrittenGraph>) -> bool {
        let generation = match &self.stored {
            StoredGraph::Plain(_) => written.map(|written| written.generation.as_str()),
            StoredGraph::Other(GraphOnDisk::Graph(graph, _)) => rag_graph::generation_of(graph),
            StoredGraph::Other(_) => None,
        };
        generation == Some(index.generation())
    }

    /// Returns the text of the graph of an index.
    ///
    /// # Errors
    /// `INDEX_WRITE_FAILED` if the graph would be larger than ragnav reads.
    pub(super) async fn text<H: Host>(
        &self,
        host: &H,
        from: &Sources<'_>,
        heading: GraphHeader<'_>,
    ) -> Result<Vec<Vec<u8>>, RagnavError> {
        for naming in [NodeSelection::All, NodeSelection::Enriched] {
            let mut text = GraphText::new(from.index, heading);
            if self.knowledge.is_empty() {
                if naming == NodeSelection::All {
                    self.add_plain(host, from, &mut text).await;
                }
            } else {
                self.add_known(host, from, &mut text, naming).await;
            }
            let text = text.finish(&self.knowledge.lost);
            if text.iter().map(Vec::len).sum::<usize>() <= MAX_GRAPH_BYTES as usize {
                return Ok(text);
            }
        }
        let message =
            "the graph would be larger than ragnav reads; leave files out by an ignore rule";
        Err(RagnavError::new(ErrorCode::IndexWriteFailed, message))
    }

    /// Takes the definitions of unchanged files from the stored graph, if it is as it was written.
    async fn add_plain<H: Host>(&self, host: &H, from: &Sources<'_>, text: &mut GraphText) {
        let stored = match (&self.stored, from.before) {
            (StoredGraph::Plain(bytes), Some(before)) => EntitySpans::of(bytes, before),
            _ => None,
        };
        let mut at_hand = from.entities.take().into_iter();
        for record in from.index.files() {
            let place = from.before.and_then(|before| before.position(&record.path));
            let kept = place.and_then(|place| stored.as_ref()?.of_file(place));
            if let Some(entities) = at_hand.next().flatten() {
                text.add_owned(entities);
            } else if let Some(kept) = kept {
                text.add(kept);
            } else if let Some(facts) = from.facts(host, record).await {
                text.add(write_plain_entities(&record.path, &facts).as_bytes());
            }
        }
    }

    async fn add_known<H: Host>(
        &self,
        host: &H,
        from: &Sources<'_>,
        text: &mut GraphText,
        naming: NodeSelection,
    ) {
        for record in from.index.files() {
            if let Some(facts) = from.facts(host, record).await {
                text.add(&write_enriched_entities(
                    &record.path,
                    &facts,
                    &self.knowledge,
                    naming,
                ));
            }
        }
    }

    /// Writes the graph. It also carries over what other programs wrote into the stored graph since
    /// it was read.
    ///
    /// # Errors
    /// `INDEX_WRITE_FAILED` if the host cannot write, `HOST_FAILED` if it cannot read.
    pub(super) async fn write<H: Host>(
        mut self,
        host: &H,
        from: &Sources<'_>,
        heading: GraphHeader<'_>,
        mut text: Vec<Vec<u8>>,
    ) -> Result<WrittenGraph, RagnavError> {
        for _ in 0..MAX_READS {
            if self.is_unchanged(host).await? {
                break;
            }
            self = Self::read(host, from).await?;
            text = self.text(host, from, heading).await?;
        }
        backup(host, &self.stored).await?;
        let hash = GraphHash::of_parts(&text);
        host.send(WriteRequest {
            path: RepoPath::parse(GRAPH_FILE)?,
            parts: text.into_iter().map(Bytes).collect(),
            exclusive: false,
        })
        .await?;
        let stamp = graph_file::read_stamp(host).await?;
        Ok(WrittenGraph {
            hash,
            generation: from.index.generation().to_owned(),
            enrichment: self.knowledge.counts_after_write(),
            stamp: stamp.as_ref().map(GraphStamp::of),
        })
    }
}

/// Keeps a copy of a graph that another program wrote, or that cannot be parsed. It may have data
/// that exists nowhere else.
async fn backup<H: Host>(host: &H, stored: &StoredGraph) -> Result<(), RagnavError> {
    if !stored.is_foreign() {
        return Ok(());
    }
    let path = backup_path(stored.bytes())?;
    if host::read_one(host, &path, MAX_GRAPH_BYTES).await?.is_ok() {
        // Its name contains its hash, so the copy exists already.
        return Ok(());
    }
    host::write(host, path, stored.bytes().to_vec()).await
}

/// Returns the path of the copy.
fn backup_path(graph: &[u8]) -> Result<RepoPath, RagnavError> {
    let hash = xxh3_64(graph);
    RepoPath::parse(&format!(".llmc/rag_graph.{hash:016x}.json"))
}

impl Sources<'_> {
    async fn facts<H: Host>(&self, host: &H, record: &FileRecord) -> Option<Facts> {
        self.index.facts(host, self.segments, record).await
    }
}

async fn shapes_of<H: Host>(host: &H, from: &Sources<'_>) -> ShapesByFile {
    let mut all = ShapesByFile::default();
    for record in from.index.files() {
        if let Some(facts) = from.facts(host, record).await {
            all.insert(record.path.clone(), shapes::from_facts(&facts));
        }
    }
    all
}
