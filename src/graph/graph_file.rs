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

/// The graph as JSON, for a build: all that builders wrote, also what ragnav makes nothing of.
#[derive(Debug, Default)]
pub struct GraphJson {
    /// The graph; `None` where there is none.
    pub graph: Option<Value>,
    /// What stands where the graph should be, and is none.
    pub unreadable: Option<Vec<u8>>,
}

/// Reads the graph as JSON.
///
/// # Errors
/// `HOST_FAILED` where the host throws or cannot read what is there.
pub async fn read_json(host: &impl Host) -> Result<GraphJson, RagnavError> {
    let path = RepoPath::parse(GRAPH_FILE)?;
    let bytes = match host::read_one(host, &path, MAX_GRAPH_BYTES).await? {
        Ok(bytes) => bytes,
        Err(HostError::Missing) => return Ok(GraphJson::default()),
        Err(error) => {
            let message =
                format!("{GRAPH_FILE} holds what is known of symbols, and {error}; move it away");
            return Err(RagnavError::new(ErrorCode::HostFailed, message));
        }
    };
    let text = std::str::from_utf8(&bytes).ok();
    Ok(
        match text.and_then(|text| rag_graph::parse_json(text).ok()) {
            Some(graph) => GraphJson {
                graph: Some(graph),
                unreadable: None,
            },
            None => GraphJson {
                graph: None,
                unreadable: Some(bytes),
            },
        },
    )
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
