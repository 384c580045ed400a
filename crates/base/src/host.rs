//! The protocol between the core and its host. The core itself performs no I/O.
//!
//! A [`Host`] has one method: it takes an [`Ask`], the request, and returns an [`Answer`], the
//! response. A request carries many files or folders, since an asynchronous host pays a round trip
//! for each request.

use std::future::Future;
use std::rc::Rc;

use serde::{Deserialize, Serialize, Serializer};

use crate::error::{ErrorCode, RagnavError};
use crate::path::RepoPath;
use crate::position::wire;

/// The environment of the core: files, folders, the git HEAD, the clock and optional services.
pub trait Host {
    /// Returns the response to a request, or [`Answer::Failed`] if the host fails.
    fn ask(&self, ask: Ask) -> impl Future<Output = Answer>;
}

impl<H: Host> Host for Rc<H> {
    fn ask(&self, ask: Ask) -> impl Future<Output = Answer> {
        (**self).ask(ask)
    }
}

/// A request to the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum Ask {
    /// The commit that is checked out. The host responds with [`Answer::GitHead`].
    GitHead,
    /// The entries of these folders. The host responds with [`Answer::Dirs`], in the same order.
    ReadDirs {
        /// The folders to list.
        paths: Vec<RepoPath>,
    },
    /// The bytes of these files. The host responds with [`Answer::Files`], in the same order.
    ReadMany {
        /// The files to read.
        paths: Vec<RepoPath>,
        /// The size limit. The host responds with [`HostError::TooLarge`] for a larger file.
        max_bytes: u32,
    },
    /// The sizes and stamps of these files. The host responds with [`Answer::Stats`], in the same
    /// order. A host without stamps responds with [`HostError::Io`] for each file.
    Stat {
        /// The files.
        paths: Vec<RepoPath>,
    },
    /// Writes a file under `.llmc/` atomically. The host responds with [`Answer::Done`].
    Write {
        /// The file to write.
        path: RepoPath,
        /// The contents of the file, as consecutive parts.
        #[serde(serialize_with = "byte_arrays")]
        #[cfg_attr(feature = "tsify", tsify(type = "Uint8Array[]"))]
        parts: Vec<Vec<u8>>,
        /// Whether the write fails if the file exists.
        exclusive: bool,
    },
    /// Extracts what the index stores of these files, each in an instance of the core of its own.
    /// The host responds with [`Answer::Extracted`], in the same order. Each extract holds the
    /// bytes of a `ragnav_index::extract::Extract`.
    Extract {
        /// The files to extract.
        files: Vec<ToExtract>,
        /// The size limit. The host responds with [`HostError::TooLarge`] for a larger file.
        max_bytes: u32,
        /// The progress of the query.
        progress: Progress,
    },
    /// Removes a file under `.llmc/`; a missing file is not an error. The host responds with
    /// [`Answer::Done`].
    Remove {
        /// The file to remove.
        path: RepoPath,
    },
    /// The current time. The host responds with [`Answer::Now`].
    Now,
    /// The unsaved editor buffers. The host responds with [`Answer::Overlay`].
    Overlay,
    /// The ignore rules from outside the root. The host responds with [`Answer::IgnoreRules`].
    IgnoreRules,
    /// The proof that listed folders have not changed. The host responds with [`Answer::Watch`].
    Watch,
    /// Disables cancellation until the query ends, since its next writes belong together. The host
    /// responds with [`Answer::Done`].
    Commit,
    /// A pause after about a mebibyte of work, in which the host can show progress or cancel the
    /// query. The host responds with [`Answer::Done`].
    Yield(Progress),
    /// A chat completion of a language model. The host responds with [`Answer::Model`], also if the
    /// server refuses, and with [`Answer::Failed`] if the server cannot be reached.
    Model {
        /// The JSON to post to the endpoint's `chat/completions`. The host knows the URL and the
        /// key.
        body: String,
        /// The time limit for the whole response, in milliseconds.
        timeout_ms: u32,
    },
    /// A delay. The host responds with [`Answer::Done`] when it has passed.
    Wait {
        /// The length of the delay, in milliseconds.
        ms: u32,
    },
    /// The offsets of local time from UTC at these instants, in milliseconds since 1970. The host
    /// responds with [`Answer::Offsets`], in the same order.
    Offsets {
        /// The instants.
        instants: Vec<i64>,
    },
    /// The embeddings of these texts. The host responds with [`Answer::Embeddings`], in the same
    /// order.
    Embed {
        /// The texts to embed.
        texts: Vec<String>,
    },
    /// A request to a document store of the caller. The host responds with [`Answer::Store`].
    Store {
        /// The JSON of a `ragnav_agent::store::foreign::Request`.
        #[cfg_attr(feature = "tsify", tsify(type = "unknown"))]
        request: serde_json::Value,
    },
}

/// Serializes bytes as one value, which JavaScript receives as a `Uint8Array`.
#[expect(clippy::ref_option, reason = "serde hands over the field")]
fn byte_array<S: Serializer>(bytes: &Option<[u8; 16]>, serializer: S) -> Result<S::Ok, S::Error> {
    match bytes {
        Some(bytes) => serializer.serialize_bytes(bytes),
        None => serializer.serialize_none(),
    }
}

fn byte_arrays<S: Serializer>(parts: &[Vec<u8>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(parts.iter().map(|part| serde_bytes::Bytes::new(part)))
}

/// A file to extract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ToExtract {
    /// The path of the file.
    pub path: RepoPath,
    /// The content hash that the index has recorded, so that an unchanged file is not extracted.
    #[serde(serialize_with = "byte_array")]
    #[cfg_attr(feature = "tsify", tsify(type = "Uint8Array | null"))]
    pub known: Option<[u8; 16]>,
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

/// The host's response to an [`Ask`].
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The response to [`Ask::GitHead`].
    GitHead(GitHead),
    /// The response to [`Ask::ReadDirs`].
    Dirs(Vec<Result<Vec<DirEntry>, HostError>>),
    /// The response to [`Ask::ReadMany`].
    Files(Vec<Result<Vec<u8>, HostError>>),
    /// The response to [`Ask::Stat`].
    Stats(Vec<Result<FileStamp, HostError>>),
    /// The response to [`Ask::Extract`]; `None` if the host has no workers.
    Extracted(Option<Vec<Result<Vec<u8>, HostError>>>),
    /// The response to [`Ask::Now`].
    Now(Time),
    /// The response to [`Ask::Overlay`].
    Overlay(Vec<Buffer>),
    /// The response to [`Ask::IgnoreRules`], weakest first.
    IgnoreRules(Vec<IgnoreRules>),
    /// The response to [`Ask::Watch`]; `None` if the host has no proof.
    Watch(Option<Word>),
    /// The response to [`Ask::Model`].
    Model(ModelAnswer),
    /// The response to [`Ask::Offsets`], in seconds.
    Offsets(Vec<i32>),
    /// The response to [`Ask::Embed`]: vectors of one length.
    Embeddings(Vec<Vec<f32>>),
    /// The response to [`Ask::Store`]: the JSON of a `ragnav_agent::store::foreign::Reply`.
    Store(serde_json::Value),
    /// The response to [`Ask::Write`], [`Ask::Remove`], [`Ask::Commit`], [`Ask::Yield`] and
    /// [`Ask::Wait`].
    Done,
    /// The host failed with this message.
    Failed(String),
}

/// Proof that listed folders have not changed since they were listed. Two equal values are one
/// proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// The proof of a watcher: between two equal values no folder has changed since it was listed,
    /// and neither has the content of a file in it.
    Watcher(String),
    /// An instant: equal values stand for listings made after both queries began.
    Instant(String),
}

/// The git HEAD, as the host read it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct GitHead {
    /// The text that names the commit. The core trims and checks it.
    #[serde(default)]
    pub head: Option<String>,
    /// The path from the host's root to the repository's: `""`, `"../.."`.
    #[serde(default)]
    pub git_root: Option<String>,
}

/// The kind of a folder's entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Dir,
    /// A symbolic link, whatever its target.
    Link,
}

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DirEntry {
    /// The entry's name, without a path.
    pub name: String,
    /// The entry's kind.
    pub kind: EntryKind,
    /// The file's size and stamp, from hosts that list them.
    #[serde(default)]
    pub stamp: Option<FileStamp>,
}

/// A point in time.
#[derive(Debug, Clone, PartialEq)]
pub struct Time {
    /// The time in UTC, as ISO 8601.
    pub iso: String,
    /// The milliseconds since 1970.
    pub ms: f64,
}

/// The HTTP response of a language model's server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ModelAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The header `Retry-After` as the server sent it: seconds, or a date.
    #[serde(default)]
    pub retry_after: Option<String>,
    /// The response body.
    #[serde(default)]
    pub body: String,
}

/// The size of a file and a stamp that changes with its content.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FileStamp {
    /// The size in bytes.
    pub size: u64,
    /// An opaque text. An equal stamp and size mean equal content, unless the stamp is racy.
    pub stamp: String,
    /// Whether the file changed so recently that another change may keep the stamp. See git's
    /// `Documentation/technical/racy-git.txt`.
    #[serde(default)]
    pub racy: bool,
}

/// The unsaved text of a file in an editor.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Buffer {
    /// The path, relative to the root.
    pub path: String,
    /// The text in the editor.
    pub text: String,
}

/// The rules of one gitignore file outside the root.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct IgnoreRules {
    /// The path from the folder of the rules to the root; `""` if they are the same folder.
    pub prefix: String,
    /// The lines of the file.
    pub lines: Vec<String>,
    /// Whether these are the user's global rules, which apply to every repository. Other rules
    /// belong to the repository around the root, and prove that there is one.
    #[serde(default)]
    pub global: bool,
}

/// The reason why one file or folder could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum HostError {
    /// The file does not exist.
    #[error("it does not exist")]
    Missing,
    /// The host may not read the file, or it lies outside the root.
    #[error("reading it is not permitted")]
    Denied,
    /// The file is over the size limit.
    #[error("it is over the size limit")]
    TooLarge,
    /// Any other failure.
    #[error("it cannot be read")]
    Io,
}

/// Requests the commit that is checked out.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub async fn git_head(host: &impl Host) -> Result<GitHead, RagnavError> {
    match host.ask(Ask::GitHead).await {
        Answer::GitHead(head) => Ok(head),
        other => Err(unfit("gitHead", &other)),
    }
}

/// Requests the entries of some folders.
///
/// # Errors
/// `HOST_FAILED` if the host throws or responds for another number of folders.
pub async fn read_dirs(
    host: &impl Host,
    paths: &[RepoPath],
) -> Result<Vec<Result<Vec<DirEntry>, HostError>>, RagnavError> {
    match host
        .ask(Ask::ReadDirs {
            paths: paths.to_vec(),
        })
        .await
    {
        Answer::Dirs(dirs) if dirs.len() == paths.len() => Ok(dirs),
        Answer::Dirs(dirs) => Err(miscounted("readDirs", paths.len(), dirs.len())),
        other => Err(unfit("readDirs", &other)),
    }
}

/// Requests the bytes of some files.
///
/// # Errors
/// `HOST_FAILED` if the host throws or responds for another number of files.
pub async fn read_many(
    host: &impl Host,
    paths: &[RepoPath],
    max_bytes: u32,
) -> Result<Vec<Result<Vec<u8>, HostError>>, RagnavError> {
    let ask = Ask::ReadMany {
        paths: paths.to_vec(),
        max_bytes,
    };
    match host.ask(ask).await {
        Answer::Files(files) if files.len() == paths.len() => {
            // The limit guards memory, so the core checks it again.
            let fits = |bytes: &Vec<u8>| bytes.len() <= max_bytes as usize;
            let bounded = |file: Vec<u8>| Some(file).filter(fits).ok_or(HostError::TooLarge);
            Ok(files
                .into_iter()
                .map(|file| file.and_then(bounded))
                .collect())
        }
        Answer::Files(files) => Err(miscounted("readMany", paths.len(), files.len())),
        other => Err(unfit("readMany", &other)),
    }
}

/// Requests the bytes of one file.
///
/// # Errors
/// `HOST_FAILED` if the host throws. The inner result says why this file cannot be read.
pub async fn read_one(
    host: &impl Host,
    path: &RepoPath,
    max_bytes: u32,
) -> Result<Result<Vec<u8>, HostError>, RagnavError> {
    let files = read_many(host, std::slice::from_ref(path), max_bytes).await?;
    Ok(files.into_iter().next().unwrap_or(Err(HostError::Missing)))
}

/// Requests the sizes and stamps of some files.
///
/// # Errors
/// `HOST_FAILED` if the host throws or responds for another number of files.
pub async fn stat(
    host: &impl Host,
    paths: &[RepoPath],
) -> Result<Vec<Result<FileStamp, HostError>>, RagnavError> {
    match host
        .ask(Ask::Stat {
            paths: paths.to_vec(),
        })
        .await
    {
        Answer::Stats(stats) if stats.len() == paths.len() => Ok(stats),
        Answer::Stats(stats) => Err(miscounted("stat", paths.len(), stats.len())),
        other => Err(unfit("stat", &other)),
    }
}

/// Requests extracts of some files from workers; returns `None` if the host has no workers.
///
/// # Errors
/// `HOST_FAILED` if the host throws or responds for another number of files.
pub async fn extract(
    host: &impl Host,
    files: Vec<ToExtract>,
    max_bytes: u32,
    progress: Progress,
) -> Result<Option<Vec<Result<Vec<u8>, HostError>>>, RagnavError> {
    let asked = files.len();
    let ask = Ask::Extract {
        files,
        max_bytes,
        progress,
    };
    match host.ask(ask).await {
        Answer::Extracted(None) => Ok(None),
        Answer::Extracted(Some(extracts)) if extracts.len() == asked => Ok(Some(extracts)),
        Answer::Extracted(Some(extracts)) => Err(miscounted("extract", asked, extracts.len())),
        other => Err(unfit("extract", &other)),
    }
}

/// Requests the current time.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub async fn now(host: &impl Host) -> Result<Time, RagnavError> {
    match host.ask(Ask::Now).await {
        Answer::Now(now) => Ok(now),
        other => Err(unfit("now", &other)),
    }
}

/// Requests the offsets of local time from UTC at some instants, in seconds.
///
/// # Errors
/// `HOST_FAILED` if the host throws or responds for another number of instants.
pub async fn offsets(host: &impl Host, instants: Vec<i64>) -> Result<Vec<i32>, RagnavError> {
    let asked = instants.len();
    match host.ask(Ask::Offsets { instants }).await {
        Answer::Offsets(offsets) if offsets.len() == asked => Ok(offsets),
        Answer::Offsets(offsets) => Err(miscounted("offsets", asked, offsets.len())),
        other => Err(unfit("offsets", &other)),
    }
}

/// Requests the embeddings of some texts.
///
/// # Errors
/// `HOST_FAILED` if the host throws or responds for another number of texts.
pub async fn embed(host: &impl Host, texts: Vec<String>) -> Result<Vec<Vec<f32>>, RagnavError> {
    let asked = texts.len();
    match host.ask(Ask::Embed { texts }).await {
        Answer::Embeddings(vectors) if vectors.len() == asked => Ok(vectors),
        Answer::Embeddings(vectors) => Err(miscounted("embed", asked, vectors.len())),
        other => Err(unfit("embed", &other)),
    }
}

/// Sends a request to a document store.
///
/// # Errors
/// `STORE_FAILED` if the host throws.
pub async fn store(
    host: &impl Host,
    request: serde_json::Value,
) -> Result<serde_json::Value, RagnavError> {
    match host.ask(Ask::Store { request }).await {
        Answer::Store(reply) => Ok(reply),
        other => Err(RagnavError::new(
            ErrorCode::StoreFailed,
            unfit("store", &other).message,
        )),
    }
}

/// Requests the unsaved editor buffers.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub async fn overlay(host: &impl Host) -> Result<Vec<Buffer>, RagnavError> {
    match host.ask(Ask::Overlay).await {
        Answer::Overlay(buffers) => Ok(buffers),
        other => Err(unfit("overlay", &other)),
    }
}

/// Requests the ignore rules from outside the root.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub async fn ignore_rules(host: &impl Host) -> Result<Vec<IgnoreRules>, RagnavError> {
    match host.ask(Ask::IgnoreRules).await {
        Answer::IgnoreRules(rules) => Ok(rules),
        other => Err(unfit("ignoreRules", &other)),
    }
}

/// Requests the proof that listed folders have not changed. A failure counts as no proof.
pub async fn watch(host: &impl Host) -> Option<Word> {
    match host.ask(Ask::Watch).await {
        Answer::Watch(word) => word,
        _ => None,
    }
}

/// Writes a file under `.llmc/` atomically.
///
/// # Errors
/// `INDEX_WRITE_FAILED` if the host throws or cannot write.
pub async fn write(host: &impl Host, path: RepoPath, bytes: Vec<u8>) -> Result<(), RagnavError> {
    write_parts(host, path, vec![bytes]).await
}

/// Writes a file under `.llmc/` atomically, from consecutive parts.
///
/// # Errors
/// `INDEX_WRITE_FAILED` if the host throws or cannot write.
pub async fn write_parts(
    host: &impl Host,
    path: RepoPath,
    parts: Vec<Vec<u8>>,
) -> Result<(), RagnavError> {
    let ask = Ask::Write {
        path,
        parts,
        exclusive: false,
    };
    written("write", &host.ask(ask).await)
}

/// Creates a file under `.llmc/` that must not exist.
///
/// # Errors
/// `INDEX_WRITE_FAILED` if the file exists, or the host throws or cannot write.
pub async fn create(host: &impl Host, path: RepoPath, bytes: Vec<u8>) -> Result<(), RagnavError> {
    let ask = Ask::Write {
        path,
        parts: vec![bytes],
        exclusive: true,
    };
    written("write", &host.ask(ask).await)
}

/// Removes a file under `.llmc/`.
///
/// # Errors
/// `INDEX_WRITE_FAILED` if the host throws or cannot remove the file.
pub async fn remove(host: &impl Host, path: RepoPath) -> Result<(), RagnavError> {
    written("remove", &host.ask(Ask::Remove { path }).await)
}

fn written(method: &str, answer: &Answer) -> Result<(), RagnavError> {
    match answer {
        Answer::Done => Ok(()),
        other => Err(RagnavError::new(
            ErrorCode::IndexWriteFailed,
            unfit(method, other).message,
        )),
    }
}

/// Disables cancellation until the query ends. A host that cannot do so is ignored.
pub async fn commit(host: &impl Host) {
    host.ask(Ask::Commit).await;
}

/// Pauses, so that the host can show progress or cancel the query. Its response is ignored.
pub async fn pause(host: &impl Host, done: u32, total: Option<u32>) {
    let phase = Phase::Files;
    let progress = Progress { done, total, phase };
    host.ask(Ask::Yield(progress)).await;
}

/// Pauses like [`pause`], during the documents phase.
pub async fn pause_documents(host: &impl Host, done: usize, total: usize) {
    let progress = Progress {
        done: wire(done),
        total: Some(wire(total)),
        phase: Phase::Documents,
    };
    host.ask(Ask::Yield(progress)).await;
}

fn unfit(method: &str, answer: &Answer) -> RagnavError {
    let message = match answer {
        Answer::Failed(message) => format!("the host's {method} failed: {message}"),
        _ => format!("the host's {method} answered another question"),
    };
    RagnavError::new(ErrorCode::HostFailed, message)
}

fn miscounted(method: &str, asked: usize, answered: usize) -> RagnavError {
    let message = format!(
        "the host's {method} was asked for {asked} and answered for {answered}; it must answer for each, in order"
    );
    RagnavError::new(ErrorCode::HostFailed, message)
}
