//! ragnav's own files in memory, for hosts that cannot write.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use ragnav_base::host::{Answer, Ask, DirEntry, EntryKind, FileStamp, Host, HostError};
use ragnav_base::path::RepoPath;

/// The files that a build wrote, shared by the questions of one navigator.
#[derive(Debug, Clone, Default)]
pub struct OwnFiles(Rc<RefCell<BTreeMap<RepoPath, Vec<u8>>>>);

/// A host whose files under `.llmc/` may be written, in memory. What was written hides what the inner host has.
#[derive(Debug)]
pub struct WithOwnFiles<H> {
    host: H,
    own: OwnFiles,
}

impl<H> WithOwnFiles<H> {
    /// A host over another one.
    pub fn new(host: H, own: OwnFiles) -> Self {
        Self { host, own }
    }
}

impl<H: Host> WithOwnFiles<H> {
    fn write(&self, path: RepoPath, parts: &[Vec<u8>], exclusive: bool) -> Answer {
        let mut files = self.own.0.borrow_mut();
        if exclusive && files.contains_key(&path) {
            return Answer::Failed(format!("{path} exists already"));
        }
        files.insert(path, parts.concat());
        Answer::Done
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

    async fn read(&self, paths: Vec<RepoPath>, max_bytes: u32) -> Answer {
        // The core reads its own files one at a time.
        if let [path] = &paths[..]
            && let Some(file) = self.own(path, max_bytes)
        {
            return Answer::Files(vec![file]);
        }
        self.host.ask(Ask::ReadMany { paths, max_bytes }).await
    }
}

impl<H: Host> WithOwnFiles<H> {
    /// The stamps of files of which at least one is ragnav's own.
    fn own_stats(&self, paths: &[RepoPath]) -> Option<Answer> {
        let files = self.own.0.borrow();
        let stats = paths.iter().map(|path| {
            let bytes = files.get(path).ok_or(HostError::Missing)?;
            // Whoever wrote it holds it: nobody else can have changed it.
            Ok(FileStamp {
                size: bytes.len() as u64,
                stamp: "own".to_owned(),
                racy: false,
            })
        });
        let stats: Vec<_> = stats.collect();
        let is_own = stats.iter().any(Result::is_ok);
        is_own.then_some(Answer::Stats(stats))
    }

    async fn stat(&self, paths: Vec<RepoPath>) -> Answer {
        // The core asks about its own files and about others apart.
        match self.own_stats(&paths) {
            Some(stats) => stats,
            None => self.host.ask(Ask::Stat { paths }).await,
        }
    }

    async fn list(&self, folders: Vec<RepoPath>) -> Answer {
        if let [folder] = &folders[..]
            && let Some(entries) = self.own_entries(folder)
        {
            return Answer::Dirs(vec![Ok(entries)]);
        }
        self.host.ask(Ask::ReadDirs { paths: folders }).await
    }

    /// The files directly in a folder; `None` where it has none of ragnav's own.
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
    async fn ask(&self, ask: Ask) -> Answer {
        match ask {
            Ask::Write {
                path,
                parts,
                exclusive,
            } => self.write(path, &parts, exclusive),
            Ask::Remove { path } => {
                self.own.0.borrow_mut().remove(&path);
                Answer::Done
            }
            Ask::ReadMany { paths, max_bytes } => self.read(paths, max_bytes).await,
            Ask::Stat { paths } => self.stat(paths).await,
            Ask::ReadDirs { paths: folders } => self.list(folders).await,
            other => self.host.ask(other).await,
        }
    }
}

/// A host with ragnav's own files where they are kept.
#[derive(Debug)]
pub enum Keeping<H> {
    /// At the host.
    There(H),
    /// In memory beside it.
    Here(WithOwnFiles<H>),
}

impl<H> Keeping<H> {
    /// A host that keeps ragnav's files, unless they are given.
    pub fn new(host: H, own: Option<OwnFiles>) -> Self {
        match own {
            Some(own) => Self::Here(WithOwnFiles::new(host, own)),
            None => Self::There(host),
        }
    }
}

impl<H: Host> Host for Keeping<H> {
    async fn ask(&self, ask: Ask) -> Answer {
        match self {
            Self::There(host) => host.ask(ask).await,
            Self::Here(host) => host.ask(ask).await,
        }
    }
}
