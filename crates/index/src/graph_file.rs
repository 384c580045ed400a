//! The graph of a repository: read for each question, parsed when it has changed.

use std::cell::RefCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::carry::EnrichmentCounts;
use crate::rag_graph::{self, RagGraph};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, FileStamp, Host, HostError};
use ragnav_base::path::RepoPath;

/// Where builders write the graph.
pub const GRAPH_FILE: &str = ".llmc/rag_graph.json";

/// The largest graph that is read, in bytes.
pub const MAX_GRAPH_BYTES: u32 = 128 << 20;

/// What there is where the graph should be.
#[derive(Debug, Clone)]
pub enum GraphFile {
    /// Nothing.
    Missing,
    /// Something that is no graph, too large, or cannot be read.
    Unreadable,
    /// A graph.
    Graph(Rc<RagGraph>),
}

impl GraphFile {
    /// The graph, where there is one.
    #[must_use]
    pub fn graph(&self) -> Option<Rc<RagGraph>> {
        match self {
            Self::Graph(graph) => Some(Rc::clone(graph)),
            Self::Missing | Self::Unreadable => None,
        }
    }
}

/// The graph as it stands, for a build: all that builders wrote, also what ragnav makes nothing of.
#[derive(Debug)]
pub enum StandingGraph {
    /// There is none.
    Missing,
    /// A graph.
    Graph(Value, Vec<u8>),
    /// Something that is no graph.
    Unreadable(Vec<u8>),
}

impl StandingGraph {
    /// What it is made of.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Missing => &[],
            Self::Graph(_, bytes) | Self::Unreadable(bytes) => bytes,
        }
    }

    /// Whether a build would lose something of it: another program wrote it, or it makes no sense.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        match self {
            Self::Missing => false,
            Self::Graph(graph, _) => rag_graph::generation_of(graph).is_none(),
            Self::Unreadable(_) => true,
        }
    }
}

/// Reads the graph for a build; `None` where there is none.
///
/// # Errors
/// `HOST_FAILED` where the host throws or cannot read what is there.
pub async fn read_bytes(host: &impl Host) -> Result<Option<Vec<u8>>, RagnavError> {
    let path = RepoPath::parse(GRAPH_FILE)?;
    match host::read_one(host, &path, MAX_GRAPH_BYTES).await? {
        Ok(bytes) => Ok(Some(bytes)),
        Err(HostError::Missing) => Ok(None),
        Err(error) => {
            let message =
                format!("{GRAPH_FILE} holds what is known of symbols, and {error}; move it away");
            Err(RagnavError::new(ErrorCode::HostFailed, message))
        }
    }
}

/// The graph's stamp; `None` where there is none.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub async fn stamp(host: &impl Host) -> Result<Option<FileStamp>, RagnavError> {
    let path = RepoPath::parse(GRAPH_FILE)?;
    let stats = host::stat(host, std::slice::from_ref(&path)).await?;
    Ok(stats.into_iter().next().and_then(Result::ok))
}

/// What the bytes of a graph are.
#[must_use]
pub fn parse_standing(bytes: Option<Vec<u8>>) -> StandingGraph {
    let Some(bytes) = bytes else {
        return StandingGraph::Missing;
    };
    let text = std::str::from_utf8(&bytes).ok();
    match text.and_then(|text| rag_graph::parse_json(text).ok()) {
        Some(graph) => StandingGraph::Graph(graph, bytes),
        None => StandingGraph::Unreadable(bytes),
    }
}

/// A graph as a build left it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenGraph {
    /// The hash of its bytes.
    pub hash: GraphHash,
    /// What ties it to the index and the status.
    pub generation: String,
    /// How what it knows is found again as long as nothing changes.
    pub enrichment: EnrichmentCounts,
    /// What its file was told by right after it was written; `None` of a host without stamps.
    pub stamp: Option<GraphStamp>,
}

impl WrittenGraph {
    /// Whether a file with this stamp is taken for the graph without being read: it was written knowing nothing, and stamp and size
    /// are what they were then.
    ///
    /// The stamp may have been young when it was noted. What could hide behind that is a text of the same length that was written into
    /// the file itself within a step of the clock; it would be missed until the next build, and no line of code with it.
    fn is_told_by(&self, stamp: &FileStamp) -> bool {
        let is_noted = self.stamp.as_ref() == Some(&GraphStamp::of(stamp));
        self.enrichment.are_none() && is_noted
    }

    fn without_nodes(&self) -> GraphFile {
        let graph = RagGraph::without_nodes(self.generation.clone());
        GraphFile::Graph(Rc::new(graph))
    }
}

/// A stamp and size as the status keeps them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphStamp {
    size: u64,
    stamp: String,
}

impl GraphStamp {
    /// Of what a host says of a file.
    #[must_use]
    pub fn of(stamp: &FileStamp) -> Self {
        Self {
            size: stamp.size,
            stamp: stamp.stamp.clone(),
        }
    }
}

/// The hash of a graph's bytes: xxh3 of 128 bits, as hexadecimal text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphHash(String);

impl GraphHash {
    /// The hash of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(format!("{:032x}", xxh3_128(bytes)))
    }

    /// The hash of bytes that are kept in parts.
    #[must_use]
    pub fn of_parts(parts: &[Vec<u8>]) -> Self {
        let mut hash = Xxh3::new();
        for part in parts {
            hash.update(part);
        }
        Self(format!("{:032x}", hash.digest128()))
    }
}

/// The graph as it was read last.
#[derive(Debug, Default)]
pub struct GraphCache(RefCell<Option<ReadGraph>>);

#[derive(Debug)]
struct ReadGraph {
    /// The stamp that its file had; `None` where that proves nothing.
    stamp: Option<FileStamp>,
    hash: GraphHash,
    graph: GraphFile,
}

impl GraphCache {
    /// Reads the graph. Its file is not read again while it has the stamp that it had, and not parsed again while its bytes are the
    /// same, so it is never older than the question. One that is as a build left it and knows nothing is not parsed at all.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws.
    pub async fn read(
        &self,
        host: &impl Host,
        written: Option<&WrittenGraph>,
    ) -> Result<GraphFile, RagnavError> {
        let path = RepoPath::parse(GRAPH_FILE)?;
        let stats = host::stat(host, std::slice::from_ref(&path)).await?;
        let stamp = match stats.into_iter().next() {
            Some(Ok(stamp)) => Some(stamp),
            Some(Err(HostError::Missing)) => return Ok(GraphFile::Missing),
            _ => None,
        };
        if let (Some(written), Some(stamp)) = (written, &stamp)
            && written.is_told_by(stamp)
        {
            return Ok(written.without_nodes());
        }
        let stamp = stamp.filter(|stamp| !stamp.racy);
        if let Some(graph) = self.unchanged(stamp.as_ref()) {
            return Ok(graph);
        }
        let bytes = match host::read_one(host, &path, MAX_GRAPH_BYTES).await? {
            Ok(bytes) => bytes,
            Err(HostError::Missing) => return Ok(GraphFile::Missing),
            Err(_) => return Ok(GraphFile::Unreadable),
        };
        let hash = GraphHash::of(&bytes);
        let graph = self.graph(&bytes, &hash, written);
        self.0.replace(Some(ReadGraph {
            stamp,
            hash,
            graph: graph.clone(),
        }));
        Ok(graph)
    }

    /// Whether the graph is as a build left it; read as [`read`](Self::read) does.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws.
    pub async fn stands(
        &self,
        host: &impl Host,
        written: &WrittenGraph,
    ) -> Result<bool, RagnavError> {
        if let Some(stamp) = stamp(host).await?
            && written.is_told_by(&stamp)
        {
            return Ok(true);
        }
        let graph = self.read(host, Some(written)).await?;
        let known = self.0.borrow();
        let is_same = known
            .as_ref()
            .is_some_and(|known| known.hash == written.hash);
        Ok(is_same && matches!(graph, GraphFile::Graph(_)))
    }

    /// What was read of a file that still has this stamp.
    fn unchanged(&self, stamp: Option<&FileStamp>) -> Option<GraphFile> {
        let known = self.0.borrow();
        let known = known.as_ref()?;
        let is_unchanged = stamp.is_some() && known.stamp.as_ref() == stamp;
        is_unchanged.then(|| known.graph.clone())
    }

    fn graph(&self, bytes: &[u8], hash: &GraphHash, written: Option<&WrittenGraph>) -> GraphFile {
        if let Some(known) = self.0.borrow().as_ref().filter(|known| known.hash == *hash) {
            return known.graph.clone();
        }
        let untouched = written.filter(|written| written.hash == *hash);
        if let Some(untouched) = untouched.filter(|written| written.enrichment.are_none()) {
            return untouched.without_nodes();
        }
        match std::str::from_utf8(bytes).ok().map(RagGraph::parse) {
            Some(Ok(graph)) => GraphFile::Graph(Rc::new(graph)),
            Some(Err(_)) | None => GraphFile::Unreadable,
        }
    }
}
