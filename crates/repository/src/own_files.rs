//! ragnav's own files in memory, for hosts that cannot write.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use ragnav_base::host::{
    DirEntry, EntryKind, FileStamp, Host, HostError, ReadDirsRequest, ReadManyRequest, Request,
    Response, StatRequest, WriteRequest,
};
use ragnav_base::path::RepoPath;

/// The files that builds wrote, shared by the queries of one navigator.
///
/// # Examples
///
/// ```
/// use ragnav_repository::own_files::OwnFiles;
///
/// // Clones share their files.
/// let own = OwnFiles::default();
/// let shared = own.clone();
/// # let _ = shared;
/// ```
#[derive(Debug, Clone, Default)]
pub struct OwnFiles(Rc<RefCell<BTreeMap<RepoPath, Vec<u8>>>>);

/// A host that keeps the files under `.llmc/` in memory. A written file hides the inner host's.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{read_one, write};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
/// use ragnav_repository::own_files::{OwnFiles, WithOwnFiles};
///
/// let inner = MemoryHost::new(&[("a.py", "x = 1\n")]);
/// let host = WithOwnFiles::new(inner, OwnFiles::default());
/// let status = RepoPath::parse(".llmc/rag/index_status.json").unwrap();
/// block_on(write(&host, status.clone(), b"{}".to_vec())).unwrap();
/// assert_eq!(block_on(read_one(&host, &status, 100)).unwrap(), Ok(b"{}".to_vec()));
/// ```
#[derive(Debug)]
pub struct WithOwnFiles<H> {
    host: H,
    own: OwnFiles,
}

impl<H> WithOwnFiles<H> {
    /// Builds a host over another one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::host::read_one;
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::own_files::{OwnFiles, WithOwnFiles};
    ///
    /// let inner = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// let host = WithOwnFiles::new(inner, OwnFiles::default());
    /// let path = RepoPath::parse("a.py").unwrap();
    /// // Other files are those of the inner host.
    /// assert!(block_on(read_one(&host, &path, 100)).unwrap().is_ok());
    /// ```
    pub fn new(host: H, own: OwnFiles) -> Self {
        Self { host, own }
    }
}

impl<H: Host> WithOwnFiles<H> {
    fn write(&self, request: WriteRequest) -> Response {
        let mut files = self.own.0.borrow_mut();
        let path = request.path;
        if request.exclusive && files.contains_key(&path) {
            return Response::Failed(format!("{path} exists already"));
        }
        files.insert(path, request.parts.concat());
        Response::Write(())
    }

    fn own(&self, path: &RepoPath, max_bytes: u32) -> Option<Result<Vec<u8>, HostError>> {
        let files = self.own.0.borrow();
        let bytes = files.get(path)?;
        let fits = bytes.len() <= max_bytes as usize;
        Some(if fits {
            Ok(bytes.clone())
        } else {
            Err(HostError::TooLarge)
        })
    }

    async fn read(&self, request: ReadManyRequest) -> Response {
        // The core reads its own files one at a time.
        if let [path] = &request.paths[..]
            && let Some(file) = self.own(path, request.max_bytes)
        {
            return Response::ReadMany(vec![file]);
        }
        self.host.respond(request.into()).await
    }

    /// Returns the stamps of files if at least one of them is ragnav's own.
    fn own_stats(&self, paths: &[RepoPath]) -> Option<Response> {
        let files = self.own.0.borrow();
        let stats = paths.iter().map(|path| {
            let bytes = files.get(path).ok_or(HostError::Missing)?;
            // No other program can change a file in this memory.
            Ok(FileStamp {
                size: bytes.len() as u64,
                stamp: "own".to_owned(),
                racy: false,
            })
        });
        let stats: Vec<_> = stats.collect();
        let is_own = stats.iter().any(Result::is_ok);
        is_own.then_some(Response::Stat(stats))
    }

    async fn stat(&self, request: StatRequest) -> Response {
        // A request of the core has only its own files or only others.
        match self.own_stats(&request.paths) {
            Some(stats) => stats,
            None => self.host.respond(request.into()).await,
        }
    }

    async fn list(&self, request: ReadDirsRequest) -> Response {
        if let [folder] = &request.paths[..]
            && let Some(entries) = self.own_entries(folder)
        {
            return Response::ReadDirs(vec![Ok(entries)]);
        }
        self.host.respond(request.into()).await
    }

    /// Returns the files directly in a folder; `None` if none of them is ragnav's own.
    fn own_entries(&self, folder: &RepoPath) -> Option<Vec<DirEntry>> {
        let files = self.own.0.borrow();
        let names = files.keys().filter_map(|path| path.below(folder));
        let entries = names
            .filter(|name| !name.contains('/'))
            .map(|name| DirEntry {
                name: name.to_owned(),
                kind: EntryKind::File,
                stamp: None,
            });
        let entries: Vec<DirEntry> = entries.collect();
        (!entries.is_empty()).then_some(entries)
    }
}

impl<H: Host> Host for WithOwnFiles<H> {
    async fn respond(&self, request: Request) -> Response {
        match request {
            Request::Write(request) => self.write(request),
            Request::Remove(request) => {
                self.own.0.borrow_mut().remove(&request.path);
                Response::Remove(())
            }
            Request::ReadMany(request) => self.read(request).await,
            Request::Stat(request) => self.stat(request).await,
            Request::ReadDirs(request) => self.list(request).await,
            other => self.host.respond(other).await,
        }
    }
}

/// A host with ragnav's own files, wherever they are kept.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::MemoryHost;
/// use ragnav_repository::own_files::{OwnFiles, OwnFilesHost};
///
/// let kept = OwnFilesHost::new(MemoryHost::default(), Some(OwnFiles::default()));
/// let written = OwnFilesHost::new(MemoryHost::default(), None);
/// # let _ = (kept, written);
/// ```
#[derive(Debug)]
pub enum OwnFilesHost<H> {
    /// The host itself keeps the files.
    OnHost(H),
    /// The files are in memory, beside the host.
    InMemory(WithOwnFiles<H>),
}

impl<H> OwnFilesHost<H> {
    /// Keeps ragnav's files in `own`, or on the host if there is none.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::host::{read_one, write};
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::own_files::{OwnFiles, OwnFilesHost};
    ///
    /// let host = OwnFilesHost::new(MemoryHost::default(), Some(OwnFiles::default()));
    /// let path = RepoPath::parse(".llmc/rag/index_status.json").unwrap();
    /// block_on(write(&host, path.clone(), b"{}".to_vec())).unwrap();
    /// assert!(block_on(read_one(&host, &path, 100)).unwrap().is_ok());
    /// ```
    pub fn new(host: H, own: Option<OwnFiles>) -> Self {
        match own {
            Some(own) => Self::InMemory(WithOwnFiles::new(host, own)),
            None => Self::OnHost(host),
        }
    }
}

impl<H: Host> Host for OwnFilesHost<H> {
    async fn respond(&self, request: Request) -> Response {
        match self {
            Self::OnHost(host) => host.respond(request).await,
            Self::InMemory(host) => host.respond(request).await,
        }
    }
}
