//! What is known of symbols, from the graph that stands to the one that is written.

use std::cell::RefCell;

use xxhash_rust::xxh3::xxh3_64;

use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, FileStamp, Host};
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
use ragnav_index::reidentify_files::ShapesByFile;
use ragnav_index::segments::SegmentCache;
use ragnav_index::shapes;
use ragnav_syntax::facts::Facts;

/// How often a graph that others write into meanwhile is read again.
const READS: usize = 3;

/// An index, and what its graph is made of.
pub(super) struct Sources<'s> {
    pub(super) index: &'s Index,
    pub(super) segments: &'s SegmentCache,
    /// The definitions of its files as the graph names them where nothing more is known, as far as they are at hand: the first text
    /// takes them.
    pub(super) entities: RefCell<Vec<Option<String>>>,
    /// The index that the graph that stands was written with.
    pub(super) before: Option<&'s Index>,
    /// That graph as its build left it.
    pub(super) written: Option<&'s WrittenGraph>,
}

/// What a graph knows of the definitions of an index.
pub(super) struct Known {
    standing: Standing,
    /// The stamp of the graph that stands; `None` where it proves nothing.
    stamp: Option<FileStamp>,
    knowledge: RepositoryEnrichment,
}

/// The graph that stands.
enum Standing {
    /// As a build left it, and it knows nothing of any definition.
    Plain(Vec<u8>),
    /// Any other.
    Other(GraphOnDisk),
}

impl Standing {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Plain(bytes) => bytes,
            Self::Other(standing) => standing.bytes(),
        }
    }

    fn is_foreign(&self) -> bool {
        match self {
            Self::Plain(_) => false,
            Self::Other(standing) => standing.is_foreign(),
        }
    }
}

impl Known {
    /// Finds what the graph that stands knows again.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws or cannot read the graph.
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
        let standing = match bytes {
            Some(bytes) if is_plain(&bytes) => Standing::Plain(bytes),
            bytes => Standing::Other(graph_file::parse_graph(bytes)),
        };
        let knowledge = match &standing {
            Standing::Other(GraphOnDisk::Graph(graph, _)) => {
                carry_enrichment::carry_enrichment(graph, &shapes_of(host, from).await)
            }
            Standing::Plain(_) | Standing::Other(_) => RepositoryEnrichment::default(),
        };
        Ok(Self {
            standing,
            stamp,
            knowledge,
        })
    }

    /// Whether the graph that stands is still the one that was read.
    async fn still_stands<H: Host>(&self, host: &H) -> Result<bool, RagnavError> {
        if self.stamp.is_some() && graph_file::read_stamp(host).await? == self.stamp {
            return Ok(true);
        }
        let again = graph_file::read_bytes(host).await?;
        Ok(again.as_deref().unwrap_or_default() == self.standing.bytes())
    }

    pub(super) fn counts(&self) -> EnrichmentCounts {
        self.knowledge.counts
    }

    /// Where the graph that stands is kept, if it is not simply written anew.
    pub(super) fn put_aside(&self) -> Option<Result<RepoPath, RagnavError>> {
        let is_foreign = self.standing.is_foreign();
        is_foreign.then(|| aside(self.standing.bytes()))
    }

    /// Whether the graph that stands is of an index.
    pub(super) fn is_of(&self, index: &Index, written: Option<&WrittenGraph>) -> bool {
        let generation = match &self.standing {
            Standing::Plain(_) => written.map(|written| written.generation.as_str()),
            Standing::Other(GraphOnDisk::Graph(graph, _)) => rag_graph::generation_of(graph),
            Standing::Other(_) => None,
        };
        generation == Some(index.generation())
    }

    /// The text of the graph of an index.
    ///
    /// # Errors
    /// `INDEX_WRITE_FAILED` where it would be larger than is ever read again.
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

    /// Takes the definitions of files that were kept from the graph that stands, where it is as it was written.
    async fn add_plain<H: Host>(&self, host: &H, from: &Sources<'_>, text: &mut GraphText) {
        let standing = match (&self.standing, from.before) {
            (Standing::Plain(bytes), Some(before)) => EntitySpans::of(bytes, before),
            _ => None,
        };
        let mut at_hand = from.entities.take().into_iter();
        for record in from.index.files() {
            let place = from.before.and_then(|before| before.position(&record.path));
            let kept = place.and_then(|place| standing.as_ref()?.of_file(place));
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

    /// Writes the graph. What others wrote into the one that stands since it was read is carried over too.
    ///
    /// # Errors
    /// `INDEX_WRITE_FAILED` where the host cannot write, `HOST_FAILED` where it cannot read.
    pub(super) async fn write<H: Host>(
        mut self,
        host: &H,
        from: &Sources<'_>,
        heading: GraphHeader<'_>,
        mut text: Vec<Vec<u8>>,
    ) -> Result<WrittenGraph, RagnavError> {
        for _ in 0..READS {
            if self.still_stands(host).await? {
                break;
            }
            self = Self::read(host, from).await?;
            text = self.text(host, from, heading).await?;
        }
        put_aside(host, &self.standing).await?;
        let hash = GraphHash::of_parts(&text);
        host::write_parts(host, RepoPath::parse(GRAPH_FILE)?, text).await?;
        let stamp = graph_file::read_stamp(host).await?;
        Ok(WrittenGraph {
            hash,
            generation: from.index.generation().to_owned(),
            enrichment: self.knowledge.counts_after_write(),
            stamp: stamp.as_ref().map(GraphStamp::of),
        })
    }
}

/// Keeps a graph of another program, or one that makes no sense, under a name of its own: it may hold what nobody else knows.
async fn put_aside<H: Host>(host: &H, standing: &Standing) -> Result<(), RagnavError> {
    if !standing.is_foreign() {
        return Ok(());
    }
    let path = aside(standing.bytes())?;
    if host::read_one(host, &path, MAX_GRAPH_BYTES).await?.is_ok() {
        // By its name it is the same one.
        return Ok(());
    }
    host::write(host, path, standing.bytes().to_vec()).await
}

/// Where a graph is put aside.
fn aside(graph: &[u8]) -> Result<RepoPath, RagnavError> {
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
