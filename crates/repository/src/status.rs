//! The status file of the index: reading, parsing and saving `index_status.json`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use ragnav_base::envelope::{IndexStatus, LastError};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, Host, HostError};
use ragnav_base::path::RepoPath;
use ragnav_index::carry_enrichment::EnrichmentCounts;
use ragnav_index::graph_file::{GraphHash, GraphStamp, WrittenGraph};

/// The path of the status.
pub const STATUS_FILE: &str = ".llmc/rag/index_status.json";
/// The file that excludes ragnav's folder from version control.
const OWN_IGNORE_FILE: &str = ".llmc/.gitignore";
/// The path where older builders wrote the status. It is read if the current one is missing.
const OLDER_STATUS_FILE: &str = ".llmc/rag_index_status.json";

/// The largest status file that is read, in bytes.
const MAX_STATUS_BYTES: u32 = 1 << 20;

/// Parses a status file. Returns `None` for anything but a status: empty text, invalid JSON, a
/// value that is not an object, or a field of the wrong type.
///
/// Missing keys get defaults: the state `error`, the schema version `1`, the given repository.
/// Unknown keys and a byte order mark are ignored, and a number as schema version counts as its
/// text.
///
/// # Examples
///
/// ```
/// use ragnav_repository::status::parse_index_status;
///
/// let status = parse_index_status(r#"{"index_state": "fresh"}"#, "/home/me/shop").unwrap();
/// assert_eq!((status.repo.as_str(), status.schema_version.as_str()), ("/home/me/shop", "1"));
/// assert_eq!(parse_index_status(r#"{"index_state": 7}"#, ""), None);
/// ```
#[must_use]
pub fn parse_index_status(text: &str, repo: &str) -> Option<IndexStatus> {
    status_of(&object_of(text)?, repo)
}

/// Returns the text of a status file: JSON with an indent of two spaces and sorted keys.
///
/// # Examples
///
/// ```
/// use ragnav_repository::status::{format_index_status, parse_index_status};
///
/// let status = parse_index_status(r#"{"index_state": "fresh"}"#, "/home/me/shop").unwrap();
/// let text = format_index_status(&status);
/// assert!(text.starts_with("{\n  \"index_state\": \"fresh\",\n"));
/// assert_eq!(parse_index_status(&text, ""), Some(status));
/// ```
#[must_use]
pub fn format_index_status(status: &IndexStatus) -> String {
    format(status, None)
}

/// The graph that a build wrote, as its status describes it.
#[derive(Debug, Serialize, Deserialize)]
struct GraphEntry {
    hash: GraphHash,
    enrichment: EnrichmentCounts,
    #[serde(default)]
    stamp: Option<GraphStamp>,
}

fn format(status: &IndexStatus, graph: Option<&WrittenGraph>) -> String {
    // serde_json's map sorts its keys; a struct would keep the order of its fields.
    let mut sorted = serde_json::to_value(status).unwrap_or_default();
    if let (Some(object), Some(graph)) = (sorted.as_object_mut(), graph) {
        let entry = GraphEntry {
            hash: graph.hash.clone(),
            enrichment: graph.enrichment,
            stamp: graph.stamp.clone(),
        };
        let entry = serde_json::to_value(entry).unwrap_or_default();
        object.insert("generation".to_owned(), graph.generation.as_str().into());
        object.insert("graph".to_owned(), entry);
    }
    let mut text = serde_json::to_string_pretty(&sorted).unwrap_or_default();
    text.push('\n');
    text
}

/// The reason why there is no readable status.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_repository::status::{STATUS_FILE, StatusFault, load_status};
///
/// let host = MemoryHost::new(&[(STATUS_FILE, "no status")]);
/// assert_eq!(block_on(load_status(&host, "")), Err(StatusFault::Unreadable));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatusFault {
    /// The file does not exist.
    Missing,
    /// The file cannot be parsed.
    Unreadable,
    /// The host failed.
    Host(RagnavError),
}

/// A stored status, with the hashes of the other files of its build.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_repository::status::{STATUS_FILE, load_status};
///
/// let host = MemoryHost::new(&[(STATUS_FILE, r#"{"index_state": "fresh"}"#)]);
/// let stored = block_on(load_status(&host, "/home/me/shop")).unwrap();
/// // Another program wrote the status.
/// assert_eq!((stored.generation, stored.graph), (None, None));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredStatus {
    /// The status.
    pub status: IndexStatus,
    /// The generation of the index; `None` if another program wrote the status.
    pub generation: Option<String>,
    /// The graph as the build left it; `None` if the status does not describe it.
    pub graph: Option<WrittenGraph>,
}

/// Reads the status of a repository.
///
/// # Errors
/// A [`StatusFault`] if there is no readable status.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_repository::status::{StatusFault, load_status};
///
/// let loaded = block_on(load_status(&MemoryHost::default(), "/home/me/shop"));
/// assert_eq!(loaded, Err(StatusFault::Missing));
/// ```
pub async fn load_status(host: &impl Host, repo: &str) -> Result<StoredStatus, StatusFault> {
    for file in [STATUS_FILE, OLDER_STATUS_FILE] {
        let path = RepoPath::parse(file).map_err(StatusFault::Host)?;
        let read = host::read_one(host, &path, MAX_STATUS_BYTES).await;
        match read.map_err(StatusFault::Host)? {
            Ok(bytes) => return parse_bytes(&bytes, repo).ok_or(StatusFault::Unreadable),
            Err(HostError::Missing) => {}
            Err(HostError::TooLarge) => return Err(StatusFault::Unreadable),
            Err(error @ (HostError::Denied | HostError::Io)) => {
                let message = format!(
                    "{file} cannot be read: {error}; if it stays so, remove it and build again"
                );
                return Err(StatusFault::Host(RagnavError::new(
                    ErrorCode::HostFailed,
                    message,
                )));
            }
        }
    }
    Err(StatusFault::Missing)
}

/// Saves the status of a repository atomically.
///
/// # Errors
/// `INDEX_WRITE_FAILED` if the host cannot write.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_repository::status::{load_status, parse_index_status, save_status};
///
/// let host = MemoryHost::default();
/// let status = parse_index_status(r#"{"index_state": "stale"}"#, "/home/me/shop").unwrap();
/// block_on(save_status(&host, &status)).unwrap();
/// assert_eq!(block_on(load_status(&host, "")).unwrap().status, status);
/// ```
pub async fn save_status(host: &impl Host, status: &IndexStatus) -> Result<(), RagnavError> {
    write_own_ignore_file(host).await?;
    write_status(host, status, None).await
}

/// Writes the status of a build, with the generation of the index and the graph that it wrote.
///
/// # Errors
/// `INDEX_WRITE_FAILED` if the host cannot write.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_index::carry_enrichment::EnrichmentCounts;
/// use ragnav_index::graph_file::{GraphHash, WrittenGraph};
/// use ragnav_repository::status::{load_status, parse_index_status, write_status};
///
/// let host = MemoryHost::default();
/// let status = parse_index_status(r#"{"index_state": "fresh"}"#, "/home/me/shop").unwrap();
/// let graph = WrittenGraph {
///     hash: GraphHash::of(b"{}"),
///     generation: "4b825dc".to_owned(),
///     enrichment: EnrichmentCounts::default(),
///     stamp: None,
/// };
/// block_on(write_status(&host, &status, Some(&graph))).unwrap();
/// assert_eq!(block_on(load_status(&host, "")).unwrap().graph, Some(graph));
/// ```
pub async fn write_status(
    host: &impl Host,
    status: &IndexStatus,
    graph: Option<&WrittenGraph>,
) -> Result<(), RagnavError> {
    let text = format(status, graph);
    host::write(host, RepoPath::parse(STATUS_FILE)?, text.into_bytes()).await
}

/// Excludes ragnav's folder from version control. A build does so before it writes anything else.
///
/// # Errors
/// `INDEX_WRITE_FAILED` if the host cannot write.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::read_one;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
/// use ragnav_repository::status::write_own_ignore_file;
///
/// let host = MemoryHost::default();
/// block_on(write_own_ignore_file(&host)).unwrap();
/// let path = RepoPath::parse(".llmc/.gitignore").unwrap();
/// assert!(block_on(read_one(&host, &path, 100)).unwrap().is_ok());
/// ```
pub async fn write_own_ignore_file(host: &impl Host) -> Result<(), RagnavError> {
    let path = RepoPath::parse(OWN_IGNORE_FILE)?;
    let standing = host::read_one(host, &path, MAX_STATUS_BYTES).await?;
    if standing != Err(HostError::Missing) {
        // Other rules in the file may be intended, so they stay.
        return Ok(());
    }
    host::write(host, path, b"*\n".to_vec()).await
}

fn parse_bytes(bytes: &[u8], repo: &str) -> Option<StoredStatus> {
    let object = object_of(std::str::from_utf8(bytes).ok()?)?;
    let generation = text(&object, "generation").flatten();
    let graph = object.get("graph").cloned();
    let graph = graph.and_then(|entry| serde_json::from_value::<GraphEntry>(entry).ok());
    let graph = graph.zip(generation.clone());
    Some(StoredStatus {
        status: status_of(&object, repo)?,
        generation,
        graph: graph.map(|(entry, generation)| WrittenGraph {
            hash: entry.hash,
            generation,
            enrichment: entry.enrichment,
            stamp: entry.stamp,
        }),
    })
}

fn object_of(text: &str) -> Option<Map<String, Value>> {
    match serde_json::from_str(ragnav_base::text::without_bom(text)).ok()? {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

fn status_of(object: &Map<String, Value>, repo: &str) -> Option<IndexStatus> {
    Some(IndexStatus {
        repo: text(object, "repo")?.unwrap_or_else(|| repo.to_owned()),
        index_state: text(object, "index_state")?.unwrap_or_else(|| "error".to_owned()),
        last_indexed_at: text(object, "last_indexed_at")?,
        last_indexed_commit: text(object, "last_indexed_commit")?,
        schema_version: schema_version(object)?,
        last_error: LastError(text(object, "last_error")?),
    })
}

/// Returns the text of a key. The outer `None` means that the value has another type.
#[expect(
    clippy::option_option,
    reason = "absent and of the wrong type are two answers"
)]
fn text(object: &Map<String, Value>, key: &str) -> Option<Option<String>> {
    match object.get(key) {
        None | Some(Value::Null) => Some(None),
        Some(Value::String(text)) => Some(Some(text.clone())),
        Some(_) => None,
    }
}

fn schema_version(object: &Map<String, Value>) -> Option<String> {
    match object.get("schema_version") {
        None | Some(Value::Null) => Some("1".to_owned()),
        Some(Value::String(version)) => Some(version.clone()),
        Some(Value::Number(version)) => Some(version.to_string()),
        Some(_) => None,
    }
}
