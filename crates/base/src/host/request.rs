//! The requests of the core, each with its parameters.

use serde::{Serialize, Serializer};

use crate::json::JsonValue;
use crate::path::RepoPath;

/// Requests the commit that is checked out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct GitHeadRequest {}

/// Requests the entries of some folders. The response has them in the same order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ReadDirsRequest {
    /// The folders to list.
    pub paths: Vec<RepoPath>,
}

/// Requests the bytes of some files. The response has them in the same order.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct StatRequest {
    /// The files.
    pub paths: Vec<RepoPath>,
}

/// Writes a file under `.llmc/` atomically.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct RemoveRequest {
    /// The file to remove.
    pub path: RepoPath,
}

/// Extracts what the index stores of some files, each in an instance of the core of its own. The
/// response has the bytes of a `ragnav_index::extract::Extract` for each file, in the same order. A
/// host without workers responds with `None`.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct FileToExtract {
    /// The path of the file.
    pub path: RepoPath,
    /// The content hash that the index has recorded, so that an unchanged file is not extracted.
    pub recorded_hash: Option<HashBytes>,
}

/// Loads the grammar of a language into this instance of the core. The core sends it before it parses
/// the first file of the language, if the grammar is not linked into the build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct LoadGrammarRequest {
    /// The name of the language: `python`.
    pub language: String,
}

/// Requests the current time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct NowRequest {}

/// Requests the unsaved editor buffers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct OverlayRequest {}

/// Requests the ignore rules from outside the root, weakest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct IgnoreRulesRequest {}

/// Requests the proof that listed folders have not changed. A host without one responds with
/// `None`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct WatchRequest {}

/// Disables cancellation until the query ends, since its next writes belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct CommitRequest {}

/// Pauses after about a mebibyte of work, so that the host can show progress or cancel the query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct YieldRequest {
    /// The progress of the query.
    pub progress: Progress,
}

/// Requests a chat completion of a language model. The host fails if the server cannot be reached,
/// and responds if the server refuses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ModelRequest {
    /// The JSON to post to the endpoint's `chat/completions`. The host knows the URL and the key.
    pub body: String,
    /// The time limit for the whole response, in milliseconds.
    pub timeout_ms: u32,
}

/// Requests a delay. The host responds when it has passed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct WaitRequest {
    /// The length of the delay, in milliseconds.
    pub ms: u32,
}

/// Requests the offsets of local time from UTC at some instants. The response has them in seconds,
/// in the same order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct OffsetsRequest {
    /// The instants, in milliseconds since 1970.
    pub instants: Vec<i64>,
}

/// Requests the embeddings of some texts: vectors of one length, in the same order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct EmbedRequest {
    /// The texts to embed.
    pub texts: Vec<String>,
}

/// Sends a request to a document store of the caller. The response has the JSON of a
/// `ragnav_agent::store::foreign::ForeignResponse`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct StoreRequest {
    /// The JSON of a `ragnav_agent::store::foreign::ForeignRequest`.
    pub request: JsonValue,
}

/// Bytes that JavaScript receives as a `Uint8Array`.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct HashBytes(#[cfg_attr(feature = "tsify", tsify(type = "Uint8Array"))] pub [u8; 16]);

impl Serialize for HashBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

/// The progress of a query.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The query verifies, searches or indexes files.
    Files,
    /// The query chunks files into documents and embeds these.
    Documents,
}
