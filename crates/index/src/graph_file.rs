//! Reading the graph of a repository, and parsing it only when it has changed.

use std::cell::RefCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::carry_enrichment::EnrichmentCounts;
use crate::rag_graph::{self, RagGraph};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, FileStamp, Host, HostError};
use ragnav_base::path::RepoPath;

/// The path of the graph.
pub const GRAPH_FILE: &str = ".llmc/rag_graph.json";

/// The size limit of the graph, in bytes.
pub const MAX_GRAPH_BYTES: u32 = 128 << 20;

/// The file at the path of the graph.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_index::graph_file::{GRAPH_FILE, GraphCache, GraphFile};
///
/// let host = MemoryHost::new(&[(GRAPH_FILE, "no graph")]);
/// let read = block_on(GraphCache::default().read(&host, None)).unwrap();
/// assert!(matches!(read, GraphFile::Unreadable));
/// ```
#[derive(Debug, Clone)]
pub enum GraphFile {
    /// There is no file.
    Missing,
    /// The file is no graph, is too large, or cannot be read.
    Unreadable,
    /// The file is a graph.
    Graph(Rc<RagGraph>),
}

impl GraphFile {
    /// Returns the graph, if there is one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_index::graph_file::{GRAPH_FILE, GraphCache};
    ///
    /// let host = MemoryHost::new(&[(GRAPH_FILE, r#"{"entities": []}"#)]);
    /// let read = block_on(GraphCache::default().read(&host, None)).unwrap();
    /// assert_eq!(read.graph().unwrap().generation, None);
    /// ```
    #[must_use]
    pub fn graph(&self) -> Option<Rc<RagGraph>> {
        match self {
            Self::Graph(graph) => Some(Rc::clone(graph)),
            Self::Missing | Self::Unreadable => None,
        }
    }
}

/// The graph that a build starts from, with everything that other programs wrote into it.
///
/// # Examples
///
/// ```
/// use ragnav_index::graph_file::{GraphOnDisk, parse_graph};
///
/// assert!(matches!(parse_graph(None), GraphOnDisk::Missing));
/// let graph = parse_graph(Some(br#"{"nodes": []}"#.to_vec()));
/// assert!(matches!(graph, GraphOnDisk::Graph(..)));
/// ```
#[derive(Debug)]
pub enum GraphOnDisk {
    /// There is no file.
    Missing,
    /// The file is a graph: its JSON and its bytes.
    Graph(Value, Vec<u8>),
    /// The file is no graph: its bytes.
    Unreadable(Vec<u8>),
}

impl GraphOnDisk {
    /// Returns the bytes of the file.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::graph_file::parse_graph;
    ///
    /// assert_eq!(parse_graph(Some(b"no graph".to_vec())).bytes(), b"no graph");
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Missing => &[],
            Self::Graph(_, bytes) | Self::Unreadable(bytes) => bytes,
        }
    }

    /// Reports whether overwriting the file could lose data: another program wrote it, or it is no
    /// graph.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::graph_file::parse_graph;
    ///
    /// let is_foreign = |text: &str| parse_graph(Some(text.as_bytes().to_vec())).is_foreign();
    /// assert!(is_foreign(r#"{"entities": []}"#));
    /// assert!(!is_foreign(r#"{"generation": "4b825dc", "entities": []}"#));
    /// ```
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        match self {
            Self::Missing => false,
            Self::Graph(graph, _) => rag_graph::generation_of(graph).is_none(),
            Self::Unreadable(_) => true,
        }
    }
}

/// Reads the bytes of the graph for a build; returns `None` if there is no file.
///
/// # Errors
/// `HOST_FAILED` if the host throws or cannot read the file.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_index::graph_file::{GRAPH_FILE, read_bytes};
///
/// let host = MemoryHost::new(&[(GRAPH_FILE, "{}")]);
/// assert_eq!(block_on(read_bytes(&host)).unwrap().as_deref(), Some(&b"{}"[..]));
/// assert_eq!(block_on(read_bytes(&MemoryHost::default())).unwrap(), None);
/// ```
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

/// Returns the stamp of the graph's file, or `None` if there is no file.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_index::graph_file::{GRAPH_FILE, read_stamp};
///
/// let host = MemoryHost::new(&[(GRAPH_FILE, "{}")]);
/// assert_eq!(block_on(read_stamp(&host)).unwrap().map(|stamp| stamp.size), Some(2));
/// ```
pub async fn read_stamp(host: &impl Host) -> Result<Option<FileStamp>, RagnavError> {
    let path = RepoPath::parse(GRAPH_FILE)?;
    Ok(host::stat_one(host, &path).await?.ok())
}

/// Parses the bytes of a graph for a build.
///
/// # Examples
///
/// ```
/// use ragnav_index::graph_file::{GraphOnDisk, parse_graph};
///
/// assert!(matches!(parse_graph(Some(b"[]".to_vec())), GraphOnDisk::Unreadable(_)));
/// ```
#[must_use]
pub fn parse_graph(bytes: Option<Vec<u8>>) -> GraphOnDisk {
    let Some(bytes) = bytes else {
        return GraphOnDisk::Missing;
    };
    let text = std::str::from_utf8(&bytes).ok();
    match text.and_then(|text| rag_graph::parse_json(text).ok()) {
        Some(graph) => GraphOnDisk::Graph(graph, bytes),
        None => GraphOnDisk::Unreadable(bytes),
    }
}

/// The record of the graph that a build wrote.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_index::carry_enrichment::EnrichmentCounts;
/// use ragnav_index::graph_file::{GRAPH_FILE, GraphCache, GraphHash, WrittenGraph};
///
/// let text = r#"{"generation": "4b825dc", "entities": []}"#;
/// let written = WrittenGraph {
///     hash: GraphHash::of(text.as_bytes()),
///     generation: "4b825dc".to_owned(),
///     enrichment: EnrichmentCounts::default(),
///     stamp: None,
/// };
/// let host = MemoryHost::new(&[(GRAPH_FILE, text)]);
/// assert!(block_on(GraphCache::default().is_as_built(&host, &written)).unwrap());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenGraph {
    /// The hash of the graph's bytes.
    pub hash: GraphHash,
    /// The generation of the index that the build wrote with it.
    pub generation: String,
    /// How its enrichment is re-identified as long as no file changes.
    pub enrichment: EnrichmentCounts,
    /// The stamp of the file right after it was written; `None` for a host without stamps.
    pub stamp: Option<GraphStamp>,
}

impl WrittenGraph {
    /// Reports whether a file with this stamp is the written graph and has no enrichment, so that
    /// it need not be read.
    ///
    /// The stamp may have been racy when it was recorded. An edit of equal length within the same
    /// clock tick would be missed until the next build. It could only hide enrichment, not code.
    fn is_proven_by(&self, stamp: &FileStamp) -> bool {
        let is_noted = self.stamp.as_ref() == Some(&GraphStamp::of(stamp));
        self.enrichment.is_empty() && is_noted
    }

    fn without_nodes(&self) -> GraphFile {
        let graph = RagGraph::without_nodes(self.generation.clone());
        GraphFile::Graph(Rc::new(graph))
    }
}

/// The stamp and size of a file, as the status file stores them.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::FileStamp;
/// use ragnav_index::graph_file::GraphStamp;
///
/// let stamp = FileStamp { size: 41, stamp: "17:4711".to_owned(), racy: false };
/// let json = serde_json::to_value(GraphStamp::of(&stamp)).unwrap();
/// assert_eq!(json, serde_json::json!({"size": 41, "stamp": "17:4711"}));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphStamp {
    size: u64,
    stamp: String,
}

impl GraphStamp {
    /// Takes the stamp from the host's.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::host::FileStamp;
    /// use ragnav_index::graph_file::GraphStamp;
    ///
    /// let fresh = FileStamp { size: 41, stamp: "17:4711".to_owned(), racy: true };
    /// let old = FileStamp { racy: false, ..fresh.clone() };
    /// assert_eq!(GraphStamp::of(&fresh), GraphStamp::of(&old));
    /// ```
    #[must_use]
    pub fn of(stamp: &FileStamp) -> Self {
        Self {
            size: stamp.size,
            stamp: stamp.stamp.clone(),
        }
    }
}

/// The 128-bit xxh3 hash of a graph's bytes, in hexadecimal.
///
/// # Examples
///
/// ```
/// use ragnav_index::graph_file::GraphHash;
///
/// assert_ne!(GraphHash::of(b"{}"), GraphHash::of(b"{ }"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphHash(String);

impl GraphHash {
    /// Hashes some bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::graph_file::GraphHash;
    ///
    /// let json = serde_json::to_value(GraphHash::of(b"{}")).unwrap();
    /// assert_eq!(json.as_str().map(str::len), Some(32));
    /// ```
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(format!("{:032x}", xxh3_128(bytes)))
    }

    /// Hashes bytes in consecutive parts.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::graph_file::GraphHash;
    ///
    /// let parts = [b"{".to_vec(), b"}".to_vec()];
    /// assert_eq!(GraphHash::of_parts(&parts), GraphHash::of(b"{}"));
    /// ```
    #[must_use]
    pub fn of_parts(parts: &[Vec<u8>]) -> Self {
        let mut hash = Xxh3::new();
        for part in parts {
            hash.update(part);
        }
        Self(format!("{:032x}", hash.digest128()))
    }
}

/// The graph that was read last.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_index::graph_file::{GraphCache, GraphFile};
///
/// let read = block_on(GraphCache::default().read(&MemoryHost::default(), None)).unwrap();
/// assert!(matches!(read, GraphFile::Missing));
/// ```
#[derive(Debug, Default)]
pub struct GraphCache(RefCell<Option<ReadGraph>>);

#[derive(Debug)]
struct ReadGraph {
    /// The stamp of the file; `None` if it proves nothing.
    stamp: Option<FileStamp>,
    hash: GraphHash,
    graph: GraphFile,
}

impl GraphCache {
    /// Reads the graph. It reads the file again only if the stamp has changed, and parses it again
    /// only if the bytes have. A graph without enrichment that a build wrote is not parsed at all.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::rc::Rc;
    ///
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_index::graph_file::{GRAPH_FILE, GraphCache};
    ///
    /// let host = MemoryHost::new(&[(GRAPH_FILE, r#"{"entities": []}"#)]);
    /// let cache = GraphCache::default();
    /// let read = || block_on(cache.read(&host, None)).unwrap().graph().unwrap();
    /// // The file is parsed once.
    /// assert!(Rc::ptr_eq(&read(), &read()));
    /// ```
    pub async fn read(
        &self,
        host: &impl Host,
        written: Option<&WrittenGraph>,
    ) -> Result<GraphFile, RagnavError> {
        let path = RepoPath::parse(GRAPH_FILE)?;
        let stamp = match host::stat_one(host, &path).await? {
            Ok(stamp) => Some(stamp),
            Err(HostError::Missing) => return Ok(GraphFile::Missing),
            Err(_) => None,
        };
        if let (Some(written), Some(stamp)) = (written, &stamp)
            && written.is_proven_by(stamp)
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

    /// Reports whether the graph is still as a build wrote it.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_index::carry_enrichment::EnrichmentCounts;
    /// use ragnav_index::graph_file::{GRAPH_FILE, GraphCache, GraphHash, WrittenGraph};
    ///
    /// let written = WrittenGraph {
    ///     hash: GraphHash::of(b"another text"),
    ///     generation: "4b825dc".to_owned(),
    ///     enrichment: EnrichmentCounts::default(),
    ///     stamp: None,
    /// };
    /// let host = MemoryHost::new(&[(GRAPH_FILE, r#"{"entities": []}"#)]);
    /// assert!(!block_on(GraphCache::default().is_as_built(&host, &written)).unwrap());
    /// ```
    pub async fn is_as_built(
        &self,
        host: &impl Host,
        written: &WrittenGraph,
    ) -> Result<bool, RagnavError> {
        if let Some(stamp) = read_stamp(host).await?
            && written.is_proven_by(&stamp)
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

    /// Returns the cached graph if the file still has its stamp.
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
        if let Some(untouched) = untouched.filter(|written| written.enrichment.is_empty()) {
            return untouched.without_nodes();
        }
        match std::str::from_utf8(bytes).ok().map(RagGraph::parse) {
            Some(Ok(graph)) => GraphFile::Graph(Rc::new(graph)),
            Some(Err(_)) | None => GraphFile::Unreadable,
        }
    }
}
