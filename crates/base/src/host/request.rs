//! The requests of the core, each with its parameters.

use serde::{Serialize, Serializer};

use crate::json::JsonValue;
use crate::path::RepoPath;

/// Requests the commit that is checked out.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{GitHeadRequest, HostRequest};
///
/// assert_eq!(GitHeadRequest::NAME, "gitHead");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct GitHeadRequest {}

/// Requests the entries of some folders. The response has them in the same order.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Host, ReadDirsRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
///
/// let host = MemoryHost::new(&[("src/a.py", "")]);
/// let listed = block_on(host.send(ReadDirsRequest { paths: vec![RepoPath::root()] })).unwrap();
/// assert_eq!(listed[0].as_ref().unwrap()[0].name, "src");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ReadDirsRequest {
    /// The folders to list.
    pub paths: Vec<RepoPath>,
}

/// Requests the bytes of some files. The response has them in the same order.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Host, HostError, ReadManyRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
///
/// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
/// let paths = vec![RepoPath::parse("a.py").unwrap()];
/// let files = block_on(host.send(ReadManyRequest { paths, max_bytes: 2 })).unwrap();
/// assert_eq!(files, [Err(HostError::TooLarge)]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ReadManyRequest {
    /// The files to read.
    pub paths: Vec<RepoPath>,
    /// The size limit; a larger file is [`HostError::TooLarge`](super::HostError::TooLarge).
    pub max_bytes: u32,
}

/// Requests the sizes and stamps of some files. The response has them in the same order. A host
/// without stamps responds with [`HostError::Io`](super::HostError::Io) for each file.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Host, StatRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
///
/// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
/// let paths = vec![RepoPath::parse("a.py").unwrap()];
/// let stamps = block_on(host.send(StatRequest { paths })).unwrap();
/// assert_eq!(stamps[0].as_ref().unwrap().size, 6);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct StatRequest {
    /// The files.
    pub paths: Vec<RepoPath>,
}

/// Writes a file under `.llmc/` atomically.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Bytes, Host, WriteRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
///
/// let path = RepoPath::parse(".llmc/rag/build.lock").unwrap();
/// let parts = vec![Bytes(b"mine".to_vec())];
/// let request = WriteRequest { path, parts, exclusive: true };
/// let host = MemoryHost::default();
/// assert!(block_on(host.send(request.clone())).is_ok());
/// assert!(block_on(host.send(request)).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct WriteRequest {
    /// The file to write.
    pub path: RepoPath,
    /// The contents of the file, as consecutive parts.
    pub parts: Vec<Bytes>,
    /// Whether the write fails if the file exists.
    pub exclusive: bool,
}

/// Removes a file under `.llmc/`; a missing file is not an error.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Host, RemoveRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
///
/// let path = RepoPath::parse(".llmc/rag/missing").unwrap();
/// assert!(block_on(MemoryHost::default().send(RemoveRequest { path })).is_ok());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct RemoveRequest {
    /// The file to remove.
    pub path: RepoPath,
}

/// Extracts what the index stores of some files, each in an instance of the core of its own. The
/// response has the bytes of a `ragnav_index::extract::Extract` for each file, in the same order. A
/// host without workers responds with `None`.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{ExtractRequest, Host, Phase, Progress};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// let progress = Progress { done: 0, total: None, phase: Phase::Files };
/// let (files, languages) = (Vec::new(), Vec::new());
/// let request = ExtractRequest { files, languages, max_bytes: 100, progress };
/// // This host has no workers, so the core extracts the files itself.
/// assert_eq!(block_on(MemoryHost::default().send(request)).unwrap(), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ExtractRequest {
    /// The files to extract.
    pub files: Vec<FileToExtract>,
    /// The languages of the files whose grammars are available.
    pub languages: Vec<String>,
    /// The size limit; a larger file is [`HostError::TooLarge`](super::HostError::TooLarge).
    pub max_bytes: u32,
    /// The progress of the query.
    pub progress: Progress,
}

/// A file to extract.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::FileToExtract;
/// use ragnav_base::path::RepoPath;
///
/// let path = RepoPath::parse("a.py").unwrap();
/// let file = FileToExtract { path, recorded_hash: None };
/// let json = r#"{"path":"a.py","recorded_hash":null}"#;
/// assert_eq!(serde_json::to_string(&file).unwrap(), json);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct FileToExtract {
    /// The path of the file.
    pub path: RepoPath,
    /// The content hash that the index has recorded, so that an unchanged file is not extracted.
    pub recorded_hash: Option<HashBytes>,
}

/// Loads the grammar of a language into this instance of the core. The core sends it before it
/// parses the first file of the language, if the grammar is not linked into the build.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::LoadGrammarRequest;
///
/// let request = LoadGrammarRequest { language: "python".to_owned() };
/// assert_eq!(serde_json::to_string(&request).unwrap(), r#"{"language":"python"}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct LoadGrammarRequest {
    /// The name of the language: `python`.
    pub language: String,
}

/// Requests the current time.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Host, NowRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// assert_eq!(block_on(MemoryHost::default().send(NowRequest {})).unwrap().ms, 0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct NowRequest {}

/// Requests the unsaved editor buffers.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Host, OverlayRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// let buffers = block_on(MemoryHost::default().send(OverlayRequest {})).unwrap();
/// assert!(buffers.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct OverlayRequest {}

/// Requests the ignore rules from outside the root, weakest first.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Host, IgnoreRulesRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// let rules = block_on(MemoryHost::default().send(IgnoreRulesRequest {})).unwrap();
/// assert!(rules.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct IgnoreRulesRequest {}

/// Requests the latest commits, newest first, without merges. A host that knows none responds with
/// an empty list.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{HistoryRequest, Host};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// let request = HistoryRequest { max_commits: 100 };
/// let commits = block_on(MemoryHost::default().send(request)).unwrap();
/// assert!(commits.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct HistoryRequest {
    /// The largest number of commits.
    pub max_commits: u32,
}

/// Requests the files that differ between two states of the repository. The response is `None` if
/// there is no such commit.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{ChangesRequest, Host};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// let (paths, unsaved) = (Vec::new(), Vec::new());
/// let request = ChangesRequest { from: "HEAD".to_owned(), to: None, paths, unsaved };
/// let failure = block_on(MemoryHost::default().send(request)).unwrap_err();
/// assert_eq!(failure.message, "the host's changes failed: no changes in memory");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ChangesRequest {
    /// The state before: the name of a commit.
    pub from: String,
    /// The state after: the name of a commit, or `staged`; `None` for the files as they are now.
    pub to: Option<String>,
    /// The files to compare if `to` is `None`. Files of the commit that are not among them are
    /// removed.
    pub paths: Vec<RepoPath>,
    /// The files among `paths` with unsaved text. The response includes them even if the files on
    /// disk are as in the commit.
    pub unsaved: Vec<RepoPath>,
}

/// Requests the commits after one up to another, oldest first, each with the files that it changes.
/// Where branches join, one way through them is enough. A host that does not know the way, or that
/// finds more commits than the limit, responds with `None`.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{CommitsBetweenRequest, Host};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// let (from, to) = ("v1".to_owned(), "HEAD".to_owned());
/// let request = CommitsBetweenRequest { from, to, max_commits: 100 };
/// assert_eq!(block_on(MemoryHost::default().send(request)).unwrap(), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct CommitsBetweenRequest {
    /// The commit before the first.
    pub from: String,
    /// The last commit.
    pub to: String,
    /// The largest number of commits.
    pub max_commits: u32,
}

/// Requests the contents of files of commits, by their object ids. The response has them in the
/// same order.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Host, ReadObjectsRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// let request = ReadObjectsRequest { ids: vec!["e69de29b".to_owned()], max_bytes: 100 };
/// assert!(block_on(MemoryHost::default().send(request)).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ReadObjectsRequest {
    /// The ids.
    pub ids: Vec<String>,
    /// The size limit; a larger one is [`HostError::TooLarge`](super::HostError::TooLarge).
    pub max_bytes: u32,
}

/// Requests the proof that listed folders have not changed. A host without one responds with
/// `None`.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Host, WatchRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// assert_eq!(block_on(MemoryHost::default().send(WatchRequest {})).unwrap(), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct WatchRequest {}

/// Disables cancellation until the query ends, since its next writes belong together.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{CommitRequest, HostRequest};
///
/// assert_eq!(CommitRequest::NAME, "commit");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct CommitRequest {}

/// Pauses after about a mebibyte of work, so that the host can show progress or cancel the query.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Phase, Progress, YieldRequest};
///
/// let progress = Progress { done: 20, total: Some(100), phase: Phase::Files };
/// let json = r#"{"progress":{"done":20,"total":100,"phase":"files"}}"#;
/// assert_eq!(serde_json::to_string(&YieldRequest { progress }).unwrap(), json);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct YieldRequest {
    /// The progress of the query.
    pub progress: Progress,
}

/// Requests a chat completion of a language model. The host fails if the server cannot be reached,
/// and responds if the server refuses.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Host, ModelRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// let body = r#"{"messages": [{"role": "user", "content": "Hello"}]}"#.to_owned();
/// let request = ModelRequest { body, timeout_ms: 30_000 };
/// // This host has no model.
/// assert!(block_on(MemoryHost::default().send(request)).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ModelRequest {
    /// The JSON to post to the endpoint's `chat/completions`. The host knows the URL and the key.
    pub body: String,
    /// The time limit for the whole response, in milliseconds.
    pub timeout_ms: u32,
}

/// Requests a delay. The host responds when it has passed.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::WaitRequest;
///
/// assert_eq!(serde_json::to_string(&WaitRequest { ms: 250 }).unwrap(), r#"{"ms":250}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct WaitRequest {
    /// The length of the delay, in milliseconds.
    pub ms: u32,
}

/// Requests the offsets of local time from UTC at some instants. The response has them in seconds,
/// in the same order.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Host, OffsetsRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// let request = OffsetsRequest { instants: vec![0, 86_400_000] };
/// assert_eq!(block_on(MemoryHost::default().send(request)).unwrap(), [0, 0]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct OffsetsRequest {
    /// The instants, in milliseconds since 1970.
    pub instants: Vec<i64>,
}

/// Requests the times of some files. The response has them in the same order, and `None` for a file
/// whose times are not known.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{FileTimesRequest, Host};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
///
/// let paths = vec![RepoPath::parse("a.py").unwrap()];
/// let times = block_on(MemoryHost::default().send(FileTimesRequest { paths })).unwrap();
/// assert_eq!(times, [None]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct FileTimesRequest {
    /// The files.
    pub paths: Vec<RepoPath>,
}

/// Requests the embeddings of some texts: vectors of one length, in the same order.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{EmbedRequest, HostRequest};
///
/// let request = EmbedRequest { texts: vec!["login".to_owned(), "log out".to_owned()] };
/// assert_eq!(request.item_count(), Some(2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct EmbedRequest {
    /// The texts to embed.
    pub texts: Vec<String>,
}

/// Sends a request to a document store of the caller. The response has the JSON of a
/// `ragnav_agent::store::foreign::ForeignResponse`.
///
/// # Examples
///
/// ```
/// use ragnav_base::error::ErrorCode;
/// use ragnav_base::host::{HostRequest, StoreRequest};
/// use ragnav_base::json::JsonValue;
///
/// let request = StoreRequest { request: JsonValue(serde_json::json!({"op": "list"})) };
/// assert_eq!(serde_json::to_value(&request).unwrap()["request"]["op"], "list");
/// assert_eq!(StoreRequest::ERROR_CODE, ErrorCode::StoreFailed);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct StoreRequest {
    /// The JSON of a `ragnav_agent::store::foreign::ForeignRequest`.
    pub request: JsonValue,
}

/// Bytes that JavaScript receives as a `Uint8Array`.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::Bytes;
///
/// let parts = [Bytes(b"ab".to_vec()), Bytes(b"c".to_vec())];
/// assert_eq!(parts.concat(), b"abc");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Bytes(
    #[serde(with = "serde_bytes")]
    #[cfg_attr(feature = "tsify", tsify(type = "Uint8Array"))]
    pub Vec<u8>,
);

impl std::borrow::Borrow<[u8]> for Bytes {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

/// The bytes of a content hash, which JavaScript receives as a `Uint8Array`.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::HashBytes;
///
/// assert_eq!(HashBytes([7; 16]).0.len(), 16);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct HashBytes(#[cfg_attr(feature = "tsify", tsify(type = "Uint8Array"))] pub [u8; 16]);

impl Serialize for HashBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

/// The progress of a query.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Phase, Progress};
///
/// let progress = Progress { done: 20, total: None, phase: Phase::Documents };
/// assert_eq!(serde_json::to_value(progress).unwrap()["phase"], "documents");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct Progress {
    /// The number of files that are done.
    pub done: u32,
    /// The number of all files, if it is known.
    pub total: Option<u32>,
    /// The phase that the query is in.
    pub phase: Phase,
}

/// A phase of a query.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::Phase;
///
/// assert_eq!(serde_json::to_value(Phase::Files).unwrap(), "files");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The query verifies, searches or indexes files.
    Files,
    /// The query chunks files into documents and embeds these.
    Documents,
}
