//! The index's word about itself: reading, parsing and saving `index_status.json`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use ragnav_base::envelope::IndexStatus;
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, Host, HostError};
use ragnav_base::path::RepoPath;
use ragnav_index::carry_enrichment::EnrichmentCounts;
use ragnav_index::graph_file::{GraphHash, GraphStamp, WrittenGraph};

/// Where the status is written.
pub const STATUS_FILE: &str = ".llmc/rag/index_status.json";
/// Keeps ragnav's own folder out of version control.
const OWN_IGNORE_FILE: &str = ".llmc/.gitignore";
/// Where older builders wrote it; read where the first is missing.
const OLDER_STATUS_FILE: &str = ".llmc/rag_index_status.json";

/// The largest status file that is read, in bytes.
const MAX_STATUS_BYTES: u32 = 1 << 20;

/// Parses a status file; `None` for what is no status: empty text, bad JSON, another type than an
/// object, or a value of the wrong type. Never fails.
///
/// Missing keys get defaults (state `error`, schema version `1`, the given repo), unknown keys and
/// a byte order mark are passed over, and a number as schema version is taken as its text.
#[must_use]
pub fn parse_index_status(text: &str, repo: &str) -> Option<IndexStatus> {
    status_of(&object_of(text)?, repo)
}

/// The text of a status file: JSON with two spaces of indent and sorted keys.
#[must_use]
pub fn format_index_status(status: &IndexStatus) -> String {
    format(status, None)
}

/// What a status file says of the graph of its build.
#[derive(Debug, Serialize, Deserialize)]
struct GraphEntry {
    hash: GraphHash,
    enrichment: EnrichmentCounts,
    #[serde(default)]
    stamp: Option<GraphStamp>,
}

fn format(status: &IndexStatus, graph: Option<&WrittenGraph>) -> String {
    // serde_json's own map is sorted by key; a struct would keep the order of its fields.
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

/// Why a repository has no status that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatusFault {
    /// There is none.
    Missing,
    /// It makes no sense.
    Unreadable,
    /// The host failed.
    Host(RagnavError),
}

/// A status as it is stored, with what ties it to the other files of its build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredStatus {
    /// The status.
    pub status: IndexStatus,
    /// The generation of the index it speaks of; `None` where another program wrote it.
    pub generation: Option<String>,
    /// The graph as the build left it; `None` where it does not say.
    pub graph: Option<WrittenGraph>,
}

/// Reads the status of a repository.
///
/// # Errors
/// A [`StatusFault`] where there is none to be had.
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

/// Saves the status of a repository; a reader sees the old text or the new one.
///
/// # Errors
/// `INDEX_WRITE_FAILED` where the host cannot write.
pub async fn save_status(host: &impl Host, status: &IndexStatus) -> Result<(), RagnavError> {
    write_own_ignore_file(host).await?;
    write_status(host, status, None).await
}

/// Writes the status of a build, of one generation with the index and the graph that it wrote.
///
/// # Errors
/// `INDEX_WRITE_FAILED` where the host cannot write.
pub async fn write_status(
    host: &impl Host,
    status: &IndexStatus,
    graph: Option<&WrittenGraph>,
) -> Result<(), RagnavError> {
    let text = format(status, graph);
    host::write(host, RepoPath::parse(STATUS_FILE)?, text.into_bytes()).await
}

/// Keeps ragnav's folder out of version control; to be written before anything else in it.
///
/// # Errors
/// `INDEX_WRITE_FAILED` where the host cannot write.
pub async fn write_own_ignore_file(host: &impl Host) -> Result<(), RagnavError> {
    let path = RepoPath::parse(OWN_IGNORE_FILE)?;
    let standing = host::read_one(host, &path, MAX_STATUS_BYTES).await?;
    if standing != Err(HostError::Missing) {
        // Somebody may have had a reason to write other rules.
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
        last_error: text(object, "last_error")?,
    })
}

/// The text under a key: the outer `None` where it is of another type.
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
