//! What the core asks of the outside. The core does no I/O of its own.
//!
//! A [`Host`] has one method: it takes an [`Ask`] and gives an [`Answer`]. Three hosts exist: the
//! [`Session`](crate::session::Session)'s mailbox, which hands each ask to whoever polls it (JavaScript), and the
//! tests' memory and `std::fs` hosts. Asks are batched, since an asynchronous host pays a round trip for each.

use std::future::Future;
use std::rc::Rc;

use serde::{Deserialize, Serialize, Serializer};

use crate::error::{ErrorCode, RagnavError};
use crate::path::RepoPath;
use crate::position::wire;

/// Where files, folders and the git HEAD come from.
pub trait Host {
    /// Gives the answer that belongs to an ask; [`Answer::Failed`] where there is none.
    fn ask(&self, ask: Ask) -> impl Future<Output = Answer>;
}

impl<H: Host> Host for Rc<H> {
    fn ask(&self, ask: Ask) -> impl Future<Output = Answer> {
        (**self).ask(ask)
    }
}

/// A question to the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum Ask {
    /// Which commit is checked out? Answered by [`Answer::GitHead`].
    GitHead,
    /// What is in these folders? Answered by [`Answer::Dirs`], in the order asked.
    ReadDirs {
        /// The folders.
        paths: Vec<RepoPath>,
    },
    /// What are the bytes of these files? Answered by [`Answer::Files`], in the order asked.
    ReadMany {
        /// The files.
        paths: Vec<RepoPath>,
        /// Files with more bytes are [`HostError::TooLarge`].
        max_bytes: u32,
    },
    /// What are the sizes and stamps of these files? Answered by [`Answer::Stats`], in the order asked;
    /// by [`HostError::Io`] for each where the host knows none.
    Stat {
        /// The files.
        paths: Vec<RepoPath>,
    },
    /// Write a file under `.llmc/` atomically. Answered by [`Answer::Done`].
    Write {
        /// The file.
        path: RepoPath,
        /// What it shall hold, in parts: one behind the other.
        #[serde(serialize_with = "byte_arrays")]
        #[cfg_attr(feature = "tsify", tsify(type = "Uint8Array[]"))]
        parts: Vec<Vec<u8>>,
        /// Whether to fail where the file exists.
        exclusive: bool,
    },
    /// Work out what these files come to, each in a core of its own: the [`Extract`](ragnav_index::extract::Extract) of each, as bytes.
    /// Answered by [`Answer::Extracted`], in the order asked.
    Extract {
        /// The files.
        files: Vec<ToExtract>,
        /// Files with more bytes are [`HostError::TooLarge`].
        max_bytes: u32,
        /// How far the question is.
        progress: Progress,
    },
    /// Remove a file under `.llmc/`; one that is not there is no failure. Answered by [`Answer::Done`].
    Remove {
        /// The file.
        path: RepoPath,
    },
    /// What time is it? Answered by [`Answer::Now`].
    Now,
    /// Which files have unsaved text? Answered by [`Answer::Overlay`].
    Overlay,
    /// Which ignore rules come from outside the root? Answered by [`Answer::IgnoreRules`].
    IgnoreRules,
    /// Who vouches that folders are as they were listed? Answered by [`Answer::Watch`].
    Watch,
    /// From here to the end the question must not be interrupted: what it does next belongs together. Answered by
    /// [`Answer::Done`].
    Commit,
    /// A pause after about a mebibyte of work, so that progress can be shown and the question be
    /// cancelled. Answered by [`Answer::Done`].
    Yield(Progress),
    /// What does the language model say to this request? Answered by [`Answer::Model`], also where its server refuses;
    /// by [`Answer::Failed`] where the server cannot be reached.
    Model {
        /// The JSON to post to the endpoint's `chat/completions`; where that is, and with which key, is the host's matter.
        body: String,
        /// How long the host waits for all of the answer, in milliseconds; after that it fails.
        timeout_ms: u32,
    },
    /// Let this much time pass, in milliseconds. Answered by [`Answer::Done`].
    Wait {
        /// How much.
        ms: u32,
    },
    /// How far is local time ahead of UTC at these instants, in milliseconds since 1970? Answered by [`Answer::Offsets`], in
    /// the order asked.
    Offsets {
        /// The instants.
        instants: Vec<i64>,
    },
    /// What do these texts mean, as vectors? Answered by [`Answer::Embeddings`], in the order asked.
    Embed {
        /// The texts.
        texts: Vec<String>,
    },
    /// A request to a store of documents that the host knows: a [`Request`](ragnav_agent::store::foreign::Request) as JSON. Answered by [`Answer::Store`].
    Store {
        /// The request.
        #[cfg_attr(feature = "tsify", tsify(type = "unknown"))]
        request: serde_json::Value,
    },
}

/// Serializes bytes as one value, which JavaScript receives as a `Uint8Array`, and not as a list of numbers.
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

/// A file to be extracted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ToExtract {
    /// The file.
    pub path: RepoPath,
    /// The hash of what the index has already.
    #[serde(serialize_with = "byte_array")]
    #[cfg_attr(feature = "tsify", tsify(type = "Uint8Array | null"))]
    pub known: Option<[u8; 16]>,
}

/// How far a question is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct Progress {
    /// How many files are done.
    pub done: u32,
    /// How many there are, where that is known.
    pub total: Option<u32>,
    /// What is done with them.
    pub phase: Phase,
}

/// What is done with files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// They are looked at, searched or indexed.
    Files,
    /// They are divided into documents, which are embedded.
    Documents,
}

/// What the host says to an [`Ask`].
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// To [`Ask::GitHead`].
    GitHead(GitHead),
    /// To [`Ask::ReadDirs`].
    Dirs(Vec<Result<Vec<DirEntry>, HostError>>),
    /// To [`Ask::ReadMany`].
    Files(Vec<Result<Vec<u8>, HostError>>),
    /// To [`Ask::Stat`].
    Stats(Vec<Result<FileStamp, HostError>>),
    /// To [`Ask::Extract`]; `None` where there is nobody but the core that asks.
    Extracted(Option<Vec<Result<Vec<u8>, HostError>>>),
    /// To [`Ask::Now`].
    Now(Time),
    /// To [`Ask::Overlay`].
    Overlay(Vec<Buffer>),
    /// To [`Ask::IgnoreRules`], weakest first.
    IgnoreRules(Vec<IgnoreRules>),
    /// To [`Ask::Watch`]; `None` where nobody vouches.
    Watch(Option<Word>),
    /// To [`Ask::Model`].
    Model(ModelAnswer),
    /// To [`Ask::Offsets`], in seconds.
    Offsets(Vec<i32>),
    /// To [`Ask::Embed`]: vectors of one length.
    Embeddings(Vec<Vec<f32>>),
    /// To [`Ask::Store`]: a [`Reply`](ragnav_agent::store::foreign::Reply) as JSON.
    Store(serde_json::Value),
    /// To [`Ask::Write`], [`Ask::Remove`], [`Ask::Commit`], [`Ask::Yield`] and [`Ask::Wait`].
    Done,
    /// The host threw: the message.
    Failed(String),
}

/// Whose word it is that what was listed may be relied on. Two words count as one only where they are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// A watcher's: between two equal words nothing has changed in any folder from the moment it was listed on, no entry and no content
    /// of a file in it.
    Watcher(String),
    /// Of an instant: whoever has an equal word looked after this question was asked, so what was seen is an answer to it as well.
    Instant(String),
}

/// What the host knows of git.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct GitHead {
    /// The text that names the commit: trimmed and checked by the core.
    #[serde(default)]
    pub head: Option<String>,
    /// The way from the host's root to the repository's: `""`, `"../.."`.
    #[serde(default)]
    pub git_root: Option<String>,
}

/// What an entry of a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A plain file.
    File,
    /// A folder.
    Dir,
    /// A symbolic link, to whatever.
    Link,
}

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DirEntry {
    /// Its own name, no path.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
    /// Its size and stamp, from hosts that list them.
    #[serde(default)]
    pub stamp: Option<FileStamp>,
}

/// A point in time.
#[derive(Debug, Clone, PartialEq)]
pub struct Time {
    /// ISO 8601 in UTC.
    pub iso: String,
    /// Milliseconds since 1970.
    pub ms: f64,
}

/// What the server of a language model answered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ModelAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The header `Retry-After` as it came: seconds, or a date.
    #[serde(default)]
    pub retry_after: Option<String>,
    /// The body, as text.
    #[serde(default)]
    pub body: String,
}

/// What changes with a file's content.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FileStamp {
    /// How many bytes it has.
    pub size: u64,
    /// Opaque to the core: an equal stamp and size mean the same content, unless the stamp is racy.
    pub stamp: String,
    /// The file was changed so shortly before that another change may leave the stamp as it is. Source:
    /// git's "racy" rule.
    #[serde(default)]
    pub racy: bool,
}

/// The unsaved text of a file in an editor.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Buffer {
    /// The file, relative to the root.
    pub path: String,
    /// Its text as the editor has it.
    pub text: String,
}

/// Lines of one gitignore file that no listing shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct IgnoreRules {
    /// The way from the folder the rules belong to down to the root; `""` when they are one.
    pub prefix: String,
    /// The lines of the file.
    pub lines: Vec<String>,
    /// Whether they are the user's own, which hold in every repository. Others are of the
    /// repository that the root lies in, and say that there is one.
    #[serde(default)]
    pub global: bool,
}

/// Why one file or folder could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum HostError {
    /// There is no such file.
    #[error("it does not exist")]
    Missing,
    /// The host may not read it, or it lies outside the root.
    #[error("reading it is not permitted")]
    Denied,
    /// It is over the size limit.
    #[error("it is over the size limit")]
    TooLarge,
    /// Anything else.
    #[error("it cannot be read")]
    Io,
}

/// Asks which commit is checked out.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub async fn git_head(host: &impl Host) -> Result<GitHead, RagnavError> {
    match host.ask(Ask::GitHead).await {
        Answer::GitHead(head) => Ok(head),
        other => Err(unfit("gitHead", &other)),
    }
}

/// Asks what is in some folders.
///
/// # Errors
/// `HOST_FAILED` where the host throws or answers for another number of folders.
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

/// Asks for the bytes of some files.
///
/// # Errors
/// `HOST_FAILED` where the host throws or answers for another number of files.
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
            // The limit guards memory: it holds whatever the host makes of it.
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

/// Asks for the bytes of one file.
///
/// # Errors
/// `HOST_FAILED` where the host throws; the inner result says why this file cannot be read.
pub async fn read_one(
    host: &impl Host,
    path: &RepoPath,
    max_bytes: u32,
) -> Result<Result<Vec<u8>, HostError>, RagnavError> {
    let files = read_many(host, std::slice::from_ref(path), max_bytes).await?;
    Ok(files.into_iter().next().unwrap_or(Err(HostError::Missing)))
}

/// Asks for the sizes and stamps of some files.
///
/// # Errors
/// `HOST_FAILED` where the host throws or answers for another number of files.
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

/// Asks others to work out what some files come to; `None` where there are none.
///
/// # Errors
/// `HOST_FAILED` where the host throws or answers for another number of files.
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

/// Asks for the time.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub async fn now(host: &impl Host) -> Result<Time, RagnavError> {
    match host.ask(Ask::Now).await {
        Answer::Now(now) => Ok(now),
        other => Err(unfit("now", &other)),
    }
}

/// Asks how far local time is ahead of UTC at some instants, in seconds.
///
/// # Errors
/// `HOST_FAILED` where the host throws or answers for another number of instants.
pub async fn offsets(host: &impl Host, instants: Vec<i64>) -> Result<Vec<i32>, RagnavError> {
    let asked = instants.len();
    match host.ask(Ask::Offsets { instants }).await {
        Answer::Offsets(offsets) if offsets.len() == asked => Ok(offsets),
        Answer::Offsets(offsets) => Err(miscounted("offsets", asked, offsets.len())),
        other => Err(unfit("offsets", &other)),
    }
}

/// Asks what some texts mean.
///
/// # Errors
/// `HOST_FAILED` where the host throws or answers for another number of texts.
pub async fn embed(host: &impl Host, texts: Vec<String>) -> Result<Vec<Vec<f32>>, RagnavError> {
    let asked = texts.len();
    match host.ask(Ask::Embed { texts }).await {
        Answer::Embeddings(vectors) if vectors.len() == asked => Ok(vectors),
        Answer::Embeddings(vectors) => Err(miscounted("embed", asked, vectors.len())),
        other => Err(unfit("embed", &other)),
    }
}

/// Sends a request to a store of documents.
///
/// # Errors
/// `STORE_FAILED` where the host throws.
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

/// Asks which files have unsaved text.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub async fn overlay(host: &impl Host) -> Result<Vec<Buffer>, RagnavError> {
    match host.ask(Ask::Overlay).await {
        Answer::Overlay(buffers) => Ok(buffers),
        other => Err(unfit("overlay", &other)),
    }
}

/// Asks for the ignore rules from outside the root.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub async fn ignore_rules(host: &impl Host) -> Result<Vec<IgnoreRules>, RagnavError> {
    match host.ask(Ask::IgnoreRules).await {
        Answer::IgnoreRules(rules) => Ok(rules),
        other => Err(unfit("ignoreRules", &other)),
    }
}

/// Asks who vouches for what was listed; a host that does not answer has nobody.
pub async fn watch(host: &impl Host) -> Option<Word> {
    match host.ask(Ask::Watch).await {
        Answer::Watch(word) => word,
        _ => None,
    }
}

/// Has a file under `.llmc/` written atomically.
///
/// # Errors
/// `INDEX_WRITE_FAILED` where the host throws or cannot write.
pub async fn write(host: &impl Host, path: RepoPath, bytes: Vec<u8>) -> Result<(), RagnavError> {
    write_parts(host, path, vec![bytes]).await
}

/// As [`write`], of a text that is kept in parts.
///
/// # Errors
/// `INDEX_WRITE_FAILED` where the host throws or cannot write.
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

/// Has a file under `.llmc/` written that must not be there yet.
///
/// # Errors
/// `INDEX_WRITE_FAILED` where the file exists, the host throws or cannot write.
pub async fn create(host: &impl Host, path: RepoPath, bytes: Vec<u8>) -> Result<(), RagnavError> {
    let ask = Ask::Write {
        path,
        parts: vec![bytes],
        exclusive: true,
    };
    written("write", &host.ask(ask).await)
}

/// Has a file under `.llmc/` removed.
///
/// # Errors
/// `INDEX_WRITE_FAILED` where the host throws or cannot remove.
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

/// Asks not to be interrupted any more; a host that does not answer `Done` has nothing to say here.
pub async fn commit(host: &impl Host) {
    host.ask(Ask::Commit).await;
}

/// Lets the host breathe; a host that does not answer `Done` has nothing to say here.
pub async fn pause(host: &impl Host, done: u32, total: Option<u32>) {
    let phase = Phase::Files;
    let progress = Progress { done, total, phase };
    host.ask(Ask::Yield(progress)).await;
}

/// As [`pause`], while documents are made of files.
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
