//! The graph of a repository: read for each question, parsed when it has changed.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::Value;
use xxhash_rust::xxh3::xxh3_128;

use crate::error::{ErrorCode, RagnavError};
use crate::graph::rag_graph::{self, RagGraph};
use crate::host::{self, Host, HostError};
use crate::path::RepoPath;

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

/// Reads the graph for a build.
///
/// # Errors
/// `HOST_FAILED` where the host throws or cannot read what is there.
pub async fn read_standing(host: &impl Host) -> Result<StandingGraph, RagnavError> {
    let path = RepoPath::parse(GRAPH_FILE)?;
    let bytes = match host::read_one(host, &path, MAX_GRAPH_BYTES).await? {
        Ok(bytes) => bytes,
        Err(HostError::Missing) => return Ok(StandingGraph::Missing),
        Err(error) => {
            let message =
                format!("{GRAPH_FILE} holds what is known of symbols, and {error}; move it away");
            return Err(RagnavError::new(ErrorCode::HostFailed, message));
        }
    };
    let text = std::str::from_utf8(&bytes).ok();
    let graph = text.and_then(|text| rag_graph::parse_json(text).ok());
    Ok(match graph {
        Some(graph) => StandingGraph::Graph(graph, bytes),
        None => StandingGraph::Unreadable(bytes),
    })
}

/// The graph as it was parsed last, by the hash of its bytes.
#[derive(Debug, Default)]
pub struct GraphCache(RefCell<Option<(u128, GraphFile)>>);

impl GraphCache {
    /// Reads the graph. The bytes decide whether it is parsed again, so it is never older than the question.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws.
    pub async fn read(&self, host: &impl Host) -> Result<GraphFile, RagnavError> {
        let path = RepoPath::parse(GRAPH_FILE)?;
        let bytes = match host::read_one(host, &path, MAX_GRAPH_BYTES).await? {
            Ok(bytes) => bytes,
            Err(HostError::Missing) => return Ok(GraphFile::Missing),
            Err(_) => return Ok(GraphFile::Unreadable),
        };
        let hash = xxh3_128(&bytes);
        if let Some((_, graph)) = self.0.borrow().as_ref().filter(|(known, _)| *known == hash) {
            return Ok(graph.clone());
        }
        let text = std::str::from_utf8(&bytes).ok();
        let graph = match text.map(RagGraph::parse) {
            Some(Ok(graph)) => GraphFile::Graph(Rc::new(graph)),
            Some(Err(_)) | None => GraphFile::Unreadable,
        };
        self.0.replace(Some((hash, graph.clone())));
        Ok(graph)
    }
}
