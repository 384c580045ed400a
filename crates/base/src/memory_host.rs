//! A repository in memory, for examples and tests of programs that embed ragnav.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crate::host::{
    DirEntry, EntryKind, FileStamp, GitHead, Host, HostError, Request, Response, Time,
};
use crate::path::RepoPath;

/// A host whose files are in memory and whose clock always shows the start of 1970.
///
/// It has neither a commit nor optional services: it fails on requests to models and stores.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{read_one, write};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
///
/// # fn main() -> Result<(), ragnav_base::error::RagnavError> {
/// let host = MemoryHost::new(&[("src/a.py", "def f(): pass\n")]);
/// let path = RepoPath::parse("src/a.py")?;
/// block_on(write(&host, path.clone(), b"x = 1\n".to_vec()))?;
/// assert_eq!(block_on(read_one(&host, &path, 1_000))?, Ok(b"x = 1\n".to_vec()));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct MemoryHost {
    files: RefCell<BTreeMap<String, Vec<u8>>>,
}

impl MemoryHost {
    /// Builds a host from the paths and texts of its files.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::host::{Host, ReadDirsRequest};
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_base::path::RepoPath;
    ///
    /// let host = MemoryHost::new(&[("src/a.py", ""), ("README.md", "# Shop\n")]);
    /// let paths = vec![RepoPath::root()];
    /// let listed = block_on(host.send(ReadDirsRequest { paths })).unwrap();
    /// let names: Vec<_> = listed[0].iter().flatten().map(|entry| &entry.name).collect();
    /// assert_eq!(names, ["README.md", "src"]);
    /// ```
    #[must_use]
    pub fn new(files: &[(&str, &str)]) -> Self {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        Self {
            files: RefCell::new(files.collect()),
        }
    }

    fn list(&self, folder: &RepoPath) -> Result<Vec<DirEntry>, HostError> {
        let prefix = match folder.as_str() {
            "" => String::new(),
            path => format!("{path}/"),
        };
        let mut entries = BTreeMap::new();
        for path in self.files.borrow().keys() {
            if let Some(rest) = path.strip_prefix(&prefix) {
                let (name, kind) = match rest.split_once('/') {
                    Some((name, _)) => (name, EntryKind::Dir),
                    None => (rest, EntryKind::File),
                };
                entries.insert(name.to_owned(), kind);
            }
        }
        if entries.is_empty() && !prefix.is_empty() {
            return Err(HostError::Missing);
        }
        let entries = entries.into_iter().map(|(name, kind)| DirEntry {
            name,
            kind,
            stamp: None,
        });
        Ok(entries.collect())
    }

    fn read(&self, path: &RepoPath, max_bytes: u32) -> Result<Vec<u8>, HostError> {
        match self.files.borrow().get(path.as_str()) {
            None => Err(HostError::Missing),
            Some(bytes) if bytes.len() > max_bytes as usize => Err(HostError::TooLarge),
            Some(bytes) => Ok(bytes.clone()),
        }
    }

    /// Returns a stamp that holds the whole content, so that it changes with it.
    fn stat(&self, path: &RepoPath) -> Result<FileStamp, HostError> {
        let bytes = self.read(path, u32::MAX)?;
        Ok(FileStamp {
            size: bytes.len() as u64,
            stamp: String::from_utf8_lossy(&bytes).into_owned(),
            racy: false,
        })
    }

    fn write(&self, path: &RepoPath, bytes: Vec<u8>, exclusive: bool) -> Response {
        let mut files = self.files.borrow_mut();
        if exclusive && files.contains_key(path.as_str()) {
            return Response::Failed(format!("{path} exists"));
        }
        files.insert(path.as_str().to_owned(), bytes);
        Response::Write(())
    }

    fn respond_now(&self, request: Request) -> Response {
        match request {
            Request::GitHead(_) => Response::GitHead(GitHead::default()),
            Request::ReadDirs(request) => {
                Response::ReadDirs(request.paths.iter().map(|path| self.list(path)).collect())
            }
            Request::ReadMany(request) => {
                let read = |path| self.read(path, request.max_bytes);
                Response::ReadMany(request.paths.iter().map(read).collect())
            }
            Request::Stat(request) => {
                Response::Stat(request.paths.iter().map(|path| self.stat(path)).collect())
            }
            Request::Write(request) => {
                self.write(&request.path, request.parts.concat(), request.exclusive)
            }
            Request::Remove(request) => {
                self.files.borrow_mut().remove(request.path.as_str());
                Response::Remove(())
            }
            Request::Extract(_) => Response::Extract(None),
            Request::Now(_) => Response::Now(Time {
                iso: "1970-01-01T00:00:00Z".to_owned(),
                ms: 0,
            }),
            Request::Overlay(_) => Response::Overlay(Vec::new()),
            Request::IgnoreRules(_) => Response::IgnoreRules(Vec::new()),
            Request::History(_) => Response::History(Vec::new()),
            Request::CommitsBetween(_) => Response::CommitsBetween(None),
            Request::Watch(_) => Response::Watch(None),
            Request::Commit(_) => Response::Commit(()),
            Request::Yield(_) => Response::Yield(()),
            Request::FileTimes(request) => Response::FileTimes(vec![None; request.paths.len()]),
            Request::Offsets(request) => Response::Offsets(vec![0; request.instants.len()]),
            other => Response::Failed(format!("no {} in memory", other.name())),
        }
    }
}

impl Host for MemoryHost {
    async fn respond(&self, request: Request) -> Response {
        self.respond_now(request)
    }
}

/// Polls a future until it is ready, and returns its value.
///
/// The futures over a [`MemoryHost`] are ready at the first poll.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Host, NowRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// let host = MemoryHost::default();
/// let now = block_on(host.send(NowRequest {})).unwrap();
/// assert_eq!(now.iso, "1970-01-01T00:00:00Z");
/// ```
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}
