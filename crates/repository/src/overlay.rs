//! Unsaved editor buffers: to every question they are the files.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::envelope::Proof;
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, Answer, Ask, DirEntry, EntryKind, Host, HostError};
use ragnav_base::path::RepoPath;

/// A host whose files are the editor's buffers where there are any, and the inner host's otherwise.
///
/// A buffer that was never saved stands in the listings of its folders, so ignore rules, globs and
/// limits hold for it as they will once it is saved.
#[derive(Debug)]
pub struct Overlaid<'h, H> {
    host: &'h H,
    buffers: BTreeMap<RepoPath, Vec<u8>>,
}

impl<'h, H: Host> Overlaid<'h, H> {
    /// Asks the host for its buffers as they are now.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws or names a path outside the repository.
    pub async fn new(host: &'h H) -> Result<Self, RagnavError> {
        let mut buffers = BTreeMap::new();
        for buffer in host::overlay(host).await? {
            let path = RepoPath::parse(&buffer.path).map_err(|error| {
                let message = format!("the host's overlay failed: {error}");
                RagnavError::new(ErrorCode::HostFailed, message)
            })?;
            buffers.insert(path, buffer.text.into_bytes());
        }
        Ok(Self { host, buffers })
    }

    /// The same host without its buffers: the files as they are saved.
    #[must_use]
    pub fn saved(&self) -> Self {
        Self {
            host: self.host,
            buffers: BTreeMap::new(),
        }
    }

    /// The files that have a buffer.
    pub fn buffered(&self) -> impl Iterator<Item = &RepoPath> {
        self.buffers.keys()
    }

    /// How the text of a file that was read through this host is known to be current.
    #[must_use]
    pub fn proof(&self, path: &RepoPath) -> Proof {
        if self.buffers.contains_key(path) {
            return Proof::Overlay;
        }
        Proof::Live
    }

    async fn list(&self, folders: Vec<RepoPath>) -> Answer {
        let inner = self
            .host
            .ask(Ask::ReadDirs {
                paths: folders.clone(),
            })
            .await;
        let Answer::Dirs(listings) = inner else {
            return inner;
        };
        if listings.len() != folders.len() {
            return Answer::Dirs(listings);
        }
        let merged = folders.iter().zip(listings);
        Answer::Dirs(
            merged
                .map(|(folder, listing)| self.merge(folder, listing))
                .collect(),
        )
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
        // Links are not followed, but an open buffer is a file whatever stands under its name.
        let is_buffer = |name: &str| {
            let mut open = buffered.iter();
            open.any(|entry| entry.kind == EntryKind::File && entry.name == name)
        };
        entries.retain(|entry| entry.kind != EntryKind::Link || !is_buffer(&entry.name));
        // A stamp speaks of what is saved.
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

    /// What the buffers put into a folder.
    fn entries(&self, folder: &RepoPath) -> Vec<DirEntry> {
        let mut entries = BTreeMap::new();
        for path in self.buffers.keys() {
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

    /// Buffers have no stamp: their text decides.
    async fn stat(&self, paths: Vec<RepoPath>) -> Answer {
        let saved = paths.iter().filter(|path| !self.buffers.contains_key(path));
        let saved: Vec<RepoPath> = saved.cloned().collect();
        let asked = saved.len();
        let mut inner = match self.host.ask(Ask::Stat { paths: saved }).await {
            Answer::Stats(stats) if stats.len() == asked => stats.into_iter(),
            other => return other,
        };
        let stats = paths.iter().map(|path| {
            if self.buffers.contains_key(path) {
                return Err(HostError::Io);
            }
            inner.next().unwrap_or(Err(HostError::Missing))
        });
        Answer::Stats(stats.collect())
    }

    async fn read(&self, paths: Vec<RepoPath>, max_bytes: u32) -> Answer {
        let saved = paths.iter().filter(|path| !self.buffers.contains_key(path));
        let saved: Vec<RepoPath> = saved.cloned().collect();
        let mut inner = Vec::new().into_iter();
        if !saved.is_empty() {
            let asked = saved.len();
            match self
                .host
                .ask(Ask::ReadMany {
                    paths: saved,
                    max_bytes,
                })
                .await
            {
                Answer::Files(files) if files.len() == asked => inner = files.into_iter(),
                other => return other,
            }
        }
        let files = paths.iter().map(|path| match self.buffers.get(path) {
            Some(buffer) if buffer.len() > max_bytes as usize => Err(HostError::TooLarge),
            Some(buffer) => Ok(buffer.clone()),
            None => inner.next().unwrap_or(Err(HostError::Missing)),
        });
        Answer::Files(files.collect())
    }
}

impl<H: Host> Host for Overlaid<'_, H> {
    async fn ask(&self, ask: Ask) -> Answer {
        match ask {
            _ if self.buffers.is_empty() => self.host.ask(ask).await,
            Ask::ReadDirs { paths: folders } => self.list(folders).await,
            Ask::ReadMany { paths, max_bytes } => self.read(paths, max_bytes).await,
            Ask::Stat { paths } => self.stat(paths).await,
            other => self.host.ask(other).await,
        }
    }
}
