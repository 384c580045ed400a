//! Looking at files for an index: each is read between two looks at its stamp, so that one saved meanwhile is seen.

use crate::build_graph::lock::Lock;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, FileStamp, Host, HostError, Phase, Progress, ToExtract};
use ragnav_base::item::SkipReason;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_index::content::{ContentHash, StampHash};
use ragnav_index::extract::{Extract, extract};
use ragnav_index::index::{Content, FileRecord, Index};
use ragnav_index::index_builder::{FileContent, FileInput};
use ragnav_repository::walk::{self, Limits};

/// How many files are stat at a time.
pub(super) const LOOK_BATCH: usize = 1024;
/// How many files this core reads at a time.
const READ_BATCH: usize = walk::BATCH / 2;
/// From so many files on others are asked for help.
const WORTH_HELP: usize = 64;
/// How many bytes others are asked to extract at a time: what they come to is held at once, and a lock has to be renewed between.
const HELP_BYTES: u64 = 8 << 20;

/// A file as it was looked at.
pub(super) struct Seen {
    pub(super) file: FileInput,
    /// Whether looking again may give it a stamp that proves something.
    pub(super) look_again: bool,
}

type Stat = Result<FileStamp, HostError>;

/// Who looks at files, and what it knows of them.
pub(super) struct Looking<'l, H> {
    pub(super) host: &'l H,
    pub(super) before: Option<&'l Index>,
    pub(super) limits: Limits,
    /// How many files there are in all.
    pub(super) total: usize,
    /// Whether nobody helps.
    pub(super) is_alone: bool,
}

/// A file that has to be read, as it was before.
struct Unread {
    /// Its place among those that are looked at.
    at: usize,
    path: RepoPath,
    stat: Stat,
}

impl<H: Host> Looking<'_, H> {
    /// Looks at some files, of which so many were looked at before. One that is as the index before has it, by its stamp or its
    /// content, is kept. One that vanished is `None`.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws; `INDEX_LOCKED` where another build took the lock over.
    pub(super) async fn look(
        &mut self,
        paths: &[RepoPath],
        done: usize,
        mut lock: Option<&mut Lock>,
    ) -> Result<Vec<Option<Seen>>, RagnavError> {
        let stats = host::stat(self.host, paths).await?;
        let mut seen: Vec<Option<Seen>> = Vec::with_capacity(paths.len());
        let mut unread = Vec::new();
        for (at, (path, stat)) in paths.iter().zip(stats).enumerate() {
            let record = self.before.and_then(|index| index.file(path));
            let kept = record.and_then(|record| kept_by_stamp(record, &stat, self.limits));
            if kept.is_none() {
                let path = path.clone();
                unread.push(Unread { at, path, stat });
            }
            seen.push(kept);
        }
        let kept = paths.len() - unread.len();
        let mut rest = unread.as_slice();
        while !rest.is_empty() {
            let read = done + kept + unread.len() - rest.len();
            let (batch, behind) = rest.split_at(self.batch(rest));
            for (file, found) in batch.iter().zip(self.read(batch, read).await?) {
                if let Some(place) = seen.get_mut(file.at) {
                    *place = found;
                }
            }
            if let Some(lock) = lock.as_deref_mut() {
                lock.renew(self.host).await?;
            }
            rest = behind;
        }
        Ok(seen)
    }

    /// How many of some files are read at once.
    fn batch(&self, files: &[Unread]) -> usize {
        if self.is_alone || files.len() < WORTH_HELP {
            return files.len().min(READ_BATCH);
        }
        let mut bytes = 0;
        let fits = files.iter().take_while(|file| {
            bytes += file.stat.as_ref().map_or(0, |stat| stat.size);
            bytes <= HELP_BYTES
        });
        fits.count().max(READ_BATCH).min(files.len())
    }

    async fn read(
        &mut self,
        files: &[Unread],
        done: usize,
    ) -> Result<Vec<Option<Seen>>, RagnavError> {
        let progress = Progress {
            phase: Phase::Files,
            done: wire(done),
            total: Some(wire(self.total)),
        };
        let extracts = match self.with_help(files, progress).await? {
            Some(extracts) => extracts,
            None => self.alone(files, progress).await?,
        };
        let paths: Vec<RepoPath> = files.iter().map(|file| file.path.clone()).collect();
        let later = host::stat(self.host, &paths).await?;
        let seen = files.iter().zip(extracts).zip(later);
        let seen = seen.map(|((file, extract), after)| {
            let stat = file.stat.clone();
            as_seen(extract, &Stamps { stat, after })
        });
        Ok(seen.collect())
    }

    /// What the files come to, worked out by others; `None` where this core has to.
    async fn with_help(
        &mut self,
        files: &[Unread],
        progress: Progress,
    ) -> Result<Option<Vec<Result<Extract, HostError>>>, RagnavError> {
        if self.is_alone || files.len() < WORTH_HELP {
            return Ok(None);
        }
        let asked = files.iter().map(|file| ToExtract {
            path: file.path.clone(),
            known: self.known(&file.path).map(ContentHash::to_bytes),
        });
        let max_bytes = self.limits.max_file_bytes;
        let extracts = host::extract(self.host, asked.collect(), max_bytes, progress).await?;
        self.is_alone = extracts.is_none();
        let understood = |bytes: Vec<u8>| Extract::from_bytes(&bytes).ok_or(HostError::Io);
        Ok(extracts.map(|extracts| {
            let extracts = extracts.into_iter();
            extracts.map(|bytes| bytes.and_then(understood)).collect()
        }))
    }

    async fn alone(
        &self,
        files: &[Unread],
        progress: Progress,
    ) -> Result<Vec<Result<Extract, HostError>>, RagnavError> {
        let mut extracts = Vec::with_capacity(files.len());
        for batch in files.chunks(READ_BATCH) {
            let paths: Vec<RepoPath> = batch.iter().map(|file| file.path.clone()).collect();
            let read = host::read_many(self.host, &paths, self.limits.max_file_bytes).await?;
            let found = paths.iter().zip(read);
            extracts.extend(
                found.map(|(path, bytes)| {
                    bytes.map(|bytes| extract(path, &bytes, self.known(path)))
                }),
            );
            let done = progress.done + wire(extracts.len());
            host::pause(self.host, done, progress.total).await;
        }
        Ok(extracts)
    }

    fn known(&self, path: &RepoPath) -> Option<ContentHash> {
        self.before?.file(path)?.hash()
    }
}

fn kept_by_stamp(record: &FileRecord, stat: &Stat, limits: Limits) -> Option<Seen> {
    let stat = stat.as_ref().ok()?;
    let same =
        record.size == stat.size && record.stamp.is_some() && record.stamp == StampHash::of(stat);
    let max = u64::from(limits.max_file_bytes);
    let was_too_large = matches!(record.content, Content::Skipped(SkipReason::TooLarge, _));
    // Under another limit it may come to something else.
    let same_limit = was_too_large == (record.size > max);
    (same && same_limit).then_some(Seen {
        file: FileInput {
            size: record.size,
            stamp: record.stamp,
            content: FileContent::Unchanged,
        },
        look_again: false,
    })
}

/// The stamps of a file before and after it was read.
struct Stamps {
    stat: Stat,
    after: Stat,
}

impl Stamps {
    /// The stamp that belongs to some bytes that were read; `None` where it cannot be said.
    fn of(&self, size: u64) -> Option<StampHash> {
        let (Ok(before), Ok(after)) = (&self.stat, &self.after) else {
            return None;
        };
        let same = (before.size, &before.stamp) == (after.size, &after.stamp);
        (same && before.size == size)
            .then(|| StampHash::of(before))
            .flatten()
    }

    fn are_known(&self) -> bool {
        self.stat.is_ok() && self.after.is_ok()
    }

    fn size(&self) -> u64 {
        self.after.as_ref().map_or(0, |stat| stat.size)
    }
}

fn as_seen(extract: Result<Extract, HostError>, stamps: &Stamps) -> Option<Seen> {
    match extract {
        Ok(extract) => {
            let size = extract.size;
            let stamp = stamps.of(size);
            let looked = FileContent::Extracted(extract);
            Some(Seen {
                file: FileInput {
                    size,
                    stamp,
                    content: looked,
                },
                look_again: stamp.is_none() && stamps.are_known(),
            })
        }
        Err(HostError::Missing) => None,
        Err(error) => Some(unread(error, stamps)),
    }
}

/// A file that could not be read proves nothing by its stamp: it may be readable later. One that is too large stays so.
fn unread(error: HostError, stamps: &Stamps) -> Seen {
    let stamp = match error {
        HostError::TooLarge => stamps.of(stamps.size()),
        HostError::Missing | HostError::Denied | HostError::Io => None,
    };
    Seen {
        file: FileInput {
            size: stamps.size(),
            stamp,
            content: FileContent::Unread(walk::skip_reason(error)),
        },
        look_again: false,
    }
}
