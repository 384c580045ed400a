//! The protocol between the core and its host. The core itself performs no I/O.
//!
//! A [`Host`] has one method of its own: it takes a [`Request`] and returns a [`Response`]. A
//! request carries many files or folders, since an asynchronous host pays a round trip for each
//! request. The core sends typed requests, such as [`StatRequest`], and receives responses of their
//! types.

mod protocol;
mod request;
mod response;

use std::future::Future;
use std::rc::Rc;

pub use protocol::{HostRequest, Request, Response};
pub use request::{
    Bytes, ChangesRequest, CommitRequest, CommitsBetweenRequest, EmbedRequest, ExtractRequest,
    FileTimesRequest, FileToExtract, GitHeadRequest, HashBytes, HistoryRequest, IgnoreRulesRequest,
    LoadGrammarRequest, ModelRequest, NowRequest, OffsetsRequest, OverlayRequest, Phase, Progress,
    ReadDirsRequest, ReadManyRequest, ReadObjectsRequest, RemoveRequest, StatRequest, StoreRequest,
    WaitRequest, WatchRequest, WriteRequest, YieldRequest,
};
pub use response::{
    Buffer, ChangedFile, Changes, Commit, CommitChanges, DirEntry, EntryKind, FileResults,
    FileStamp, FileTimes, GitHead, HostError, IgnoreRules, ModelResponse, Time, WatchToken,
};

use crate::error::RagnavError;
use crate::path::RepoPath;
use crate::position::wire;

/// The environment of the core: files, folders, the git HEAD, the clock and optional services.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{GitHead, GitHeadRequest, Host, Request, Response};
/// use ragnav_base::memory_host::block_on;
///
/// /// A host that knows the commit and nothing else.
/// struct CommitHost;
///
/// impl Host for CommitHost {
///     async fn respond(&self, request: Request) -> Response {
///         match request {
///             Request::GitHead(_) => Response::GitHead(GitHead {
///                 head: Some("4b825dc".to_owned()),
///                 git_root: None,
///             }),
///             other => Response::Failed(format!("{} is not supported", other.name())),
///         }
///     }
/// }
///
/// let head = block_on(CommitHost.send(GitHeadRequest {})).unwrap();
/// assert_eq!(head.head.as_deref(), Some("4b825dc"));
/// ```
pub trait Host {
    /// Returns the response to a request, or [`Response::Failed`] if the host fails.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::host::{Host, NowRequest, Response};
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    ///
    /// let response = block_on(MemoryHost::default().respond(NowRequest {}.into()));
    /// assert!(matches!(response, Response::Now(_)));
    /// ```
    fn respond(&self, request: Request) -> impl Future<Output = Response>;

    /// Sends a request and returns the value of its response.
    ///
    /// # Errors
    /// [`HostRequest::ERROR_CODE`] if the host fails or returns the response to another request;
    /// `HOST_FAILED` if it returns another number of items.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::host::{Host, ReadManyRequest};
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_base::path::RepoPath;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// let paths = vec![RepoPath::parse("a.py").unwrap()];
    /// let files = block_on(host.send(ReadManyRequest { paths, max_bytes: 100 })).unwrap();
    /// assert_eq!(files, [Ok(b"x = 1\n".to_vec())]);
    /// ```
    fn send<R: HostRequest>(
        &self,
        request: R,
    ) -> impl Future<Output = Result<R::Response, RagnavError>> {
        async move {
            let requested = request.item_count();
            let response = self.respond(request.into()).await;
            protocol::check_response::<R>(requested, response)
        }
    }
}

impl<H: Host> Host for Rc<H> {
    fn respond(&self, request: Request) -> impl Future<Output = Response> {
        (**self).respond(request)
    }
}

/// Reads some files.
///
/// # Errors
/// `HOST_FAILED` if the host throws or responds for another number of files.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{HostError, read_many};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
///
/// let host = MemoryHost::new(&[("a.py", "x = 1\n"), ("b.py", "y = [1, 2, 3]\n")]);
/// let paths = ["a.py", "b.py"].map(|path| RepoPath::parse(path).unwrap());
/// let files = block_on(read_many(&host, &paths, 8)).unwrap();
/// assert_eq!(files, [Ok(b"x = 1\n".to_vec()), Err(HostError::TooLarge)]);
/// ```
pub async fn read_many(
    host: &impl Host,
    paths: &[RepoPath],
    max_bytes: u32,
) -> Result<FileResults<Vec<u8>>, RagnavError> {
    let paths = paths.to_vec();
    let files = host.send(ReadManyRequest { paths, max_bytes }).await?;
    // The limit guards memory, so the core checks it again.
    let fits = |bytes: &Vec<u8>| bytes.len() <= max_bytes as usize;
    let bounded = |file: Vec<u8>| Some(file).filter(fits).ok_or(HostError::TooLarge);
    Ok(files
        .into_iter()
        .map(|file| file.and_then(bounded))
        .collect())
}

/// Reads one file.
///
/// # Errors
/// `HOST_FAILED` if the host throws. The inner result says why this file cannot be read.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{HostError, read_one};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
///
/// let path = RepoPath::parse("a.py").unwrap();
/// let file = block_on(read_one(&MemoryHost::default(), &path, 100)).unwrap();
/// assert_eq!(file, Err(HostError::Missing));
/// ```
pub async fn read_one(
    host: &impl Host,
    path: &RepoPath,
    max_bytes: u32,
) -> Result<Result<Vec<u8>, HostError>, RagnavError> {
    let files = read_many(host, std::slice::from_ref(path), max_bytes).await?;
    Ok(files.into_iter().next().unwrap_or(Err(HostError::Missing)))
}

/// Requests the size and stamp of one file.
///
/// # Errors
/// `HOST_FAILED` if the host throws. The inner result says why this file has no stamp.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::stat_one;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
///
/// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
/// let path = RepoPath::parse("a.py").unwrap();
/// let stamp = block_on(stat_one(&host, &path)).unwrap().unwrap();
/// assert_eq!(stamp.size, 6);
/// ```
pub async fn stat_one(
    host: &impl Host,
    path: &RepoPath,
) -> Result<Result<FileStamp, HostError>, RagnavError> {
    let paths = vec![path.clone()];
    let stats = host.send(StatRequest { paths }).await?;
    Ok(stats.into_iter().next().unwrap_or(Err(HostError::Missing)))
}

/// Writes a file under `.llmc/` atomically.
///
/// # Errors
/// `INDEX_WRITE_FAILED` if the host throws or cannot write.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{read_one, write};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
///
/// let host = MemoryHost::default();
/// let path = RepoPath::parse(".llmc/rag/index_status.json").unwrap();
/// block_on(write(&host, path.clone(), b"{}".to_vec())).unwrap();
/// assert_eq!(block_on(read_one(&host, &path, 100)).unwrap(), Ok(b"{}".to_vec()));
/// ```
pub async fn write(host: &impl Host, path: RepoPath, bytes: Vec<u8>) -> Result<(), RagnavError> {
    let parts = vec![Bytes(bytes)];
    let exclusive = false;
    host.send(WriteRequest {
        path,
        parts,
        exclusive,
    })
    .await
}

/// Pauses, so that the host can show progress or cancel the query. Its response is ignored.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::pause;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// // 20 of 100 files are done.
/// block_on(pause(&MemoryHost::default(), 20, Some(100)));
/// ```
pub async fn pause(host: &impl Host, done: u32, total: Option<u32>) {
    let phase = Phase::Files;
    let progress = Progress { done, total, phase };
    let _ = host.send(YieldRequest { progress }).await;
}

/// Pauses like [`pause`], during the documents phase.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::pause_documents;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// block_on(pause_documents(&MemoryHost::default(), 20, 100));
/// ```
pub async fn pause_documents(host: &impl Host, done: usize, total: usize) {
    let progress = Progress {
        done: wire(done),
        total: Some(wire(total)),
        phase: Phase::Documents,
    };
    let _ = host.send(YieldRequest { progress }).await;
}
