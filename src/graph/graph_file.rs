//! The graph of a repository: read for each question, parsed when it has changed.

use std::cell::RefCell;
use std::rc::Rc;

use xxhash_rust::xxh3::xxh3_128;

use crate::error::RagnavError;
use crate::graph::rag_graph::RagGraph;
use crate::host::{self, Host, HostError};
use crate::path::RepoPath;

/// Where builders write the graph.
const GRAPH_FILE: &str = ".llmc/rag_graph.json";

/// The largest graph that is read, in bytes.
const MAX_GRAPH_BYTES: u32 = 128 << 20;

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
