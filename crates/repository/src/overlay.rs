//! Unsaved editor buffers, which replace the files that they belong to, and edits that are only
//! planned.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::envelope::Proof;
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{
    DirEntry, EntryKind, Host, HostError, OverlayRequest, ReadDirsRequest, ReadManyRequest,
    Request, Response, StatRequest,
};
use ragnav_base::path::RepoPath;

/// A host whose files are the editor's buffers if there are any, and the inner host's otherwise.
///
/// The listing of a folder contains its buffers that were never saved. So ignore rules, globs and
/// limits apply to them as they will once they are saved.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Buffer, Host, Request, Response, read_one};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
/// use ragnav_repository::overlay::Overlaid;
///
/// /// An editor with an unsaved buffer.
/// struct Editor(MemoryHost);
///
/// impl Host for Editor {
///     async fn respond(&self, request: Request) -> Response {
///         if let Request::Overlay(_) = request {
///             let (path, text) = ("a.py".to_owned(), "x = 2\n".to_owned());
///             return Response::Overlay(vec![Buffer { path, text }]);
///         }
///         self.0.respond(request).await
///     }
/// }
///
/// let editor = Editor(MemoryHost::new(&[("a.py", "x = 1\n"), ("b.py", "y = 1\n")]));
/// let host = block_on(Overlaid::new(&editor)).unwrap();
/// let path = RepoPath::parse("a.py").unwrap();
/// assert_eq!(block_on(read_one(&host, &path, 100)).unwrap(), Ok(b"x = 2\n".to_vec()));
/// ```
#[derive(Debug)]
pub struct Overlaid<'h, H> {
    host: &'h H,
    /// The texts of files; `None` for a file that counts as removed.
    buffers: BTreeMap<RepoPath, Option<Vec<u8>>>,
}

impl<'h, H: Host> Overlaid<'h, H> {
    /// Requests the current buffers of the host.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws or returns a path outside the repository.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_repository::overlay::Overlaid;
    ///
    /// assert!(block_on(Overlaid::new(&MemoryHost::default())).is_ok());
    /// ```
    pub async fn new(host: &'h H) -> Result<Self, RagnavError> {
        let mut buffers = BTreeMap::new();
        for buffer in host.send(OverlayRequest {}).await? {
            let path = RepoPath::parse(&buffer.path).map_err(|error| {
                let message = format!("the host's overlay failed: {error}");
                RagnavError::new(ErrorCode::HostFailed, message)
            })?;
            buffers.insert(path, Some(buffer.text.into_bytes()));
        }
        Ok(Self { host, buffers })
    }

    /// Returns the same host without its buffers: the saved files.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::host::{Buffer, Host, Request, Response, read_one};
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::overlay::Overlaid;
    ///
    /// /// An editor with an unsaved buffer.
    /// struct Editor(MemoryHost);
    ///
    /// impl Host for Editor {
    ///     async fn respond(&self, request: Request) -> Response {
    ///         if let Request::Overlay(_) = request {
    ///             let (path, text) = ("a.py".to_owned(), "x = 2\n".to_owned());
    ///             return Response::Overlay(vec![Buffer { path, text }]);
    ///         }
    ///         self.0.respond(request).await
    ///     }
    /// }
    ///
    /// let editor = Editor(MemoryHost::new(&[("a.py", "x = 1\n"), ("b.py", "y = 1\n")]));
    /// let host = block_on(Overlaid::new(&editor)).unwrap();
    /// let path = RepoPath::parse("a.py").unwrap();
    /// assert_eq!(block_on(read_one(&host.saved(), &path, 100)).unwrap(), Ok(b"x = 1\n".to_vec()));
    /// ```
    #[must_use]
    pub fn saved(&self) -> Self {
        Self {
            host: self.host,
            buffers: BTreeMap::new(),
        }
    }

    /// Returns the same host with other contents of some files; `None` removes one.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use ragnav_base::host::read_one;
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::overlay::Overlaid;
    ///
    /// let repository = MemoryHost::new(&[("a.py", "x = 1\n"), ("b.py", "y = 1\n")]);
    /// let host = block_on(Overlaid::new(&repository)).unwrap();
    /// let path = |path: &str| RepoPath::parse(path).unwrap();
    /// let edits = [(path("a.py"), Some(b"x = 2\n".to_vec())), (path("b.py"), None)];
    /// let edited = host.edited(BTreeMap::from(edits));
    /// let read = |name: &str| block_on(read_one(&edited, &path(name), 100)).unwrap();
    /// assert_eq!(read("a.py"), Ok(b"x = 2\n".to_vec()));
    /// assert!(read("b.py").is_err());
    /// ```
    #[must_use]
    pub fn edited(&self, edits: BTreeMap<RepoPath, Option<Vec<u8>>>) -> Self {
        let mut buffers = self.buffers.clone();
        buffers.extend(edits);
        Self {
            host: self.host,
            buffers,
        }
    }

    /// Returns the files that are not as they are saved.
    pub(crate) fn buffered(&self) -> impl Iterator<Item = &RepoPath> {
        self.buffers.keys()
    }

    fn is_removed(&self, path: &RepoPath) -> bool {
        matches!(self.buffers.get(path), Some(None))
    }

    /// Returns the proof that the text of a file read through this host is current.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::host::{Buffer, Host, Request, Response};
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::overlay::Overlaid;
    ///
    /// /// An editor with an unsaved buffer.
    /// struct Editor(MemoryHost);
    ///
    /// impl Host for Editor {
    ///     async fn respond(&self, request: Request) -> Response {
    ///         if let Request::Overlay(_) = request {
    ///             let (path, text) = ("a.py".to_owned(), "x = 2\n".to_owned());
    ///             return Response::Overlay(vec![Buffer { path, text }]);
    ///         }
    ///         self.0.respond(request).await
    ///     }
    /// }
    ///
    /// let editor = Editor(MemoryHost::new(&[("a.py", "x = 1\n"), ("b.py", "y = 1\n")]));
    /// let host = block_on(Overlaid::new(&editor)).unwrap();
    /// let proof = |path: &str| host.proof(&RepoPath::parse(path).unwrap());
    /// assert_eq!((proof("a.py"), proof("b.py")), (Proof::Overlay, Proof::Live));
    /// ```
    #[must_use]
    pub fn proof(&self, path: &RepoPath) -> Proof {
        if self.buffers.contains_key(path) {
            return Proof::Overlay;
        }
        Proof::Live
    }

    async fn list(&self, ReadDirsRequest { paths }: ReadDirsRequest) -> Response {
        let request = ReadDirsRequest {
            paths: paths.clone(),
        };
        let listings = match self.host.respond(request.into()).await {
            Response::ReadDirs(listings) if listings.len() == paths.len() => listings,
            other => return other,
        };
        let merged = paths.iter().zip(listings);
        let merged = merged.map(|(folder, listing)| self.merge(folder, listing));
        Response::ReadDirs(merged.collect())
    }

    fn merge(
        &self,
        folder: &RepoPath,
        listing: Result<Vec<DirEntry>, HostError>,
    ) -> Result<Vec<DirEntry>, HostError> {
        let buffered = self.entries(folder);
        let mut entries = match listing {
            Err(HostError::Missing) if !buffered.is_empty() && *folder != RepoPath::root() => {
                Vec::new()
            }
            listing => listing?,
        };
        // The walk does not follow links, but a buffer is a file even if a link has its name.
        let is_buffer = |name: &str| {
            let mut open = buffered.iter();
            open.any(|entry| entry.kind == EntryKind::File && entry.name == name)
        };
        entries.retain(|entry| entry.kind != EntryKind::Link || !is_buffer(&entry.name));
        entries.retain(|entry| {
            let path = folder.join(&entry.name);
            !path.is_some_and(|path| self.is_removed(&path))
        });
        // A stamp describes the saved file.
        for entry in entries.iter_mut().filter(|entry| is_buffer(&entry.name)) {
            entry.stamp = None;
        }
        let saved: BTreeSet<String> = entries.iter().map(|entry| entry.name.clone()).collect();
        entries.extend(
            buffered
                .into_iter()
                .filter(|entry| !saved.contains(&entry.name)),
        );
        Ok(entries)
    }

    /// Returns the entries that the buffers add to a folder.
    fn entries(&self, folder: &RepoPath) -> Vec<DirEntry> {
        let mut entries = BTreeMap::new();
        let texts = self.buffers.iter().filter(|(_, text)| text.is_some());
        for (path, _) in texts {
            let Some(below) = path.below(folder) else {
                continue;
            };
            let (name, kind) = match below.split_once('/') {
                Some((name, _)) => (name, EntryKind::Dir),
                None => (below, EntryKind::File),
            };
            entries.insert(name, kind);
        }
        let entries = entries.into_iter();
        entries
            .map(|(name, kind)| DirEntry {
                name: name.to_owned(),
                kind,
                stamp: None,
            })
            .collect()
    }

    /// Requests stamps. A buffer has none, since its text decides.
    async fn stat(&self, StatRequest { paths }: StatRequest) -> Response {
        let saved = paths.iter().filter(|path| !self.buffers.contains_key(path));
        let saved: Vec<RepoPath> = saved.cloned().collect();
        let requested = saved.len();
        let request = StatRequest { paths: saved };
        let mut inner = match self.host.respond(request.into()).await {
            Response::Stat(stats) if stats.len() == requested => stats.into_iter(),
            other => return other,
        };
        let stats = paths.iter().map(|path| {
            match self.buffers.get(path) {
                Some(Some(_)) => return Err(HostError::Io),
                Some(None) => return Err(HostError::Missing),
                None => {}
            }
            inner.next().unwrap_or(Err(HostError::Missing))
        });
        Response::Stat(stats.collect())
    }

    async fn read(&self, request: ReadManyRequest) -> Response {
        let ReadManyRequest { paths, max_bytes } = request;
        let saved = paths.iter().filter(|path| !self.buffers.contains_key(path));
        let saved: Vec<RepoPath> = saved.cloned().collect();
        let mut inner = Vec::new().into_iter();
        if !saved.is_empty() {
            let requested = saved.len();
            let request = ReadManyRequest {
                paths: saved,
                max_bytes,
            };
            match self.host.respond(request.into()).await {
                Response::ReadMany(files) if files.len() == requested => inner = files.into_iter(),
                other => return other,
            }
        }
        let files = paths.iter().map(|path| match self.buffers.get(path) {
            Some(Some(buffer)) if buffer.len() > max_bytes as usize => Err(HostError::TooLarge),
            Some(Some(buffer)) => Ok(buffer.clone()),
            Some(None) => Err(HostError::Missing),
            None => inner.next().unwrap_or(Err(HostError::Missing)),
        });
        Response::ReadMany(files.collect())
    }
}

impl<H: Host> Host for Overlaid<'_, H> {
    async fn respond(&self, request: Request) -> Response {
        match request {
            _ if self.buffers.is_empty() => self.host.respond(request).await,
            Request::ReadDirs(request) => self.list(request).await,
            Request::ReadMany(request) => self.read(request).await,
            Request::Stat(request) => self.stat(request).await,
            other => self.host.respond(other).await,
        }
    }
}
