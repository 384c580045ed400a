//! Reading files for an index. Their stamps are read before and after, so that a file that is saved
//! meanwhile is noticed.

use std::collections::BTreeSet;

use crate::build_graph::lock::Lock;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{
    self, ExtractRequest, FileStamp, FileToExtract, HashBytes, Host, HostError, Phase, Progress,
    StatRequest,
};
use ragnav_base::item::SkipReason;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_index::content::{ContentHash, StampHash};
use ragnav_index::extract::{Extract, ExtractedContent, extract};
use ragnav_index::index::{Content, FileRecord, Index};
use ragnav_index::index_builder::{FileContent, FileInput};
use ragnav_repository::walk::{self, Limits};
use ragnav_syntax::grammars;

/// The number of files of one stat request.
pub(super) const STAT_BATCH: usize = 1024;
/// The number of files that this instance reads at a time.
const READ_BATCH: usize = walk::BATCH / 2;
/// The number of files from which workers are worth their start.
const MIN_FILES_FOR_WORKERS: usize = 64;
/// The number of bytes that workers extract at a time. The results are in memory at once, and the
/// lock must be renewed in between.
const WORKER_BATCH_BYTES: u64 = 8 << 20;

/// A file as it was read.
pub(super) struct ScannedFile {
    pub(super) file: FileInput,
    /// Whether a later stamp of the file may prove its content.
    pub(super) needs_rescan: bool,
}

type Stat = Result<FileStamp, HostError>;

/// Reads files for an index.
pub(super) struct FileScanner<'l, H> {
    pub(super) host: &'l H,
    pub(super) before: Option<&'l Index>,
    pub(super) limits: Limits,
    /// The number of all files.
    pub(super) total: usize,
    /// Whether the host has no workers.
    pub(super) has_no_workers: bool,
}

/// A file that must be read, with its earlier stamp.
#[derive(Clone)]
struct FileToRead {
    /// Its index among the files of this call.
    at: usize,
    path: RepoPath,
    stat: Stat,
}

impl<H: Host> FileScanner<'_, H> {
    /// Reads some files; `done` files were read before, which progress shows. A file that the
    /// previous index describes, by its stamp or its content, is kept. A file that no longer exists
    /// is `None`.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws; `INDEX_LOCKED` if another build took the lock.
    pub(super) async fn scan(
        &mut self,
        paths: &[RepoPath],
        done: usize,
        mut lock: Option<&mut Lock>,
    ) -> Result<Vec<Option<ScannedFile>>, RagnavError> {
        let stats = self
            .host
            .send(StatRequest {
                paths: paths.to_vec(),
            })
            .await?;
        let mut scanned: Vec<Option<ScannedFile>> = Vec::with_capacity(paths.len());
        let mut unread = Vec::new();
        for (at, (path, stat)) in paths.iter().zip(stats).enumerate() {
            let record = self.before.and_then(|index| index.file(path));
            let kept = record.and_then(|record| kept_by_stamp(record, &stat, self.limits));
            if kept.is_none() {
                let path = path.clone();
                unread.push(FileToRead { at, path, stat });
            }
            scanned.push(kept);
        }
        let kept = paths.len() - unread.len();
        let mut rest = unread.as_slice();
        while !rest.is_empty() {
            let read = done + kept + unread.len() - rest.len();
            let (batch, behind) = rest.split_at(self.batch(rest));
            for (file, found) in batch.iter().zip(self.read(batch, read).await?) {
                if let Some(place) = scanned.get_mut(file.at) {
                    *place = found;
                }
            }
            if let Some(lock) = lock.as_deref_mut() {
                lock.renew(self.host).await?;
            }
            rest = behind;
        }
        Ok(scanned)
    }

    /// Returns the number of files that are read at once.
    fn batch(&self, files: &[FileToRead]) -> usize {
        if self.has_no_workers || files.len() < MIN_FILES_FOR_WORKERS {
            return files.len().min(READ_BATCH);
        }
        let mut bytes = 0;
        let fits = files.iter().take_while(|file| {
            bytes += file.stat.as_ref().map_or(0, |stat| stat.size);
            bytes <= WORKER_BATCH_BYTES
        });
        fits.count().max(READ_BATCH).min(files.len())
    }

    async fn read(
        &mut self,
        files: &[FileToRead],
        done: usize,
    ) -> Result<Vec<Option<ScannedFile>>, RagnavError> {
        for file in files {
            grammars::load_grammar_of_path(self.host, &file.path).await;
        }
        let mut extracts = self.extract(files, done).await?;
        self.extract_with_missing_grammars(files, &mut extracts, done)
            .await?;
        let paths: Vec<RepoPath> = files.iter().map(|file| file.path.clone()).collect();
        let later = self.host.send(StatRequest { paths }).await?;
        let scanned = files.iter().zip(extracts).zip(later);
        let scanned = scanned.map(|((file, extract), after)| {
            let stat = file.stat.clone();
            scanned_file(extract, &Stamps { stat, after })
        });
        Ok(scanned.collect())
    }

    async fn extract(
        &mut self,
        files: &[FileToRead],
        done: usize,
    ) -> Result<Vec<Result<Extract, HostError>>, RagnavError> {
        match self.extract_with_workers(files, done).await? {
            Some(extracts) => Ok(extracts),
            None => self.extract_here(files, done).await,
        }
    }

    /// Extracts those files once more whose text has shown that another grammar reads it.
    async fn extract_with_missing_grammars(
        &mut self,
        files: &[FileToRead],
        extracts: &mut [Result<Extract, HostError>],
        done: usize,
    ) -> Result<(), RagnavError> {
        let missing: BTreeSet<&String> = extracts.iter().flat_map(missing_grammars).collect();
        let loaded = grammars::load_grammars(self.host, missing).await;
        let is_loaded = |language: &String| loaded.contains(&language.as_str());
        let lack_one = |extract: &_| missing_grammars(extract).iter().any(is_loaded);
        let (again, places): (Vec<FileToRead>, Vec<&mut _>) = files
            .iter()
            .zip(extracts)
            .filter(|(_, extract)| lack_one(*extract))
            .map(|(file, extract)| (file.clone(), extract))
            .unzip();
        if again.is_empty() {
            return Ok(());
        }
        for (place, extract) in places.into_iter().zip(self.extract(&again, done).await?) {
            *place = extract;
        }
        Ok(())
    }

    /// Requests the extracts from workers; returns `None` if the host has none.
    async fn extract_with_workers(
        &mut self,
        files: &[FileToRead],
        done: usize,
    ) -> Result<Option<Vec<Result<Extract, HostError>>>, RagnavError> {
        if self.has_no_workers || files.len() < MIN_FILES_FOR_WORKERS {
            return Ok(None);
        }
        let requested = files.iter().map(|file| FileToExtract {
            path: file.path.clone(),
            recorded_hash: self
                .known(&file.path)
                .map(|hash| HashBytes(hash.to_bytes())),
        });
        let request = ExtractRequest {
            files: requested.collect(),
            languages: loaded_languages(files),
            max_bytes: self.limits.max_file_bytes,
            progress: self.progress(done),
        };
        let extracts = self.host.send(request).await?;
        self.has_no_workers = extracts.is_none();
        let decode = |bytes: Vec<u8>| Extract::from_bytes(&bytes).ok_or(HostError::Io);
        Ok(extracts.map(|extracts| {
            let extracts = extracts.into_iter();
            extracts.map(|bytes| bytes.and_then(decode)).collect()
        }))
    }

    async fn extract_here(
        &self,
        files: &[FileToRead],
        done: usize,
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
            let Progress { done, total, .. } = self.progress(done + extracts.len());
            host::pause(self.host, done, total).await;
        }
        Ok(extracts)
    }

    /// Returns the progress after `done` files. A file that is scanned again counts once.
    fn progress(&self, done: usize) -> Progress {
        Progress {
            phase: Phase::Files,
            done: wire(done.min(self.total)),
            total: Some(wire(self.total)),
        }
    }

    fn known(&self, path: &RepoPath) -> Option<ContentHash> {
        self.before?.file(path)?.hash()
    }
}

fn missing_grammars(extract: &Result<Extract, HostError>) -> &[String] {
    match extract.as_ref().map(|extract| &extract.content) {
        Ok(ExtractedContent::Text(text)) => &text.missing_grammars,
        _ => &[],
    }
}

/// Returns the languages of files that the workers can parse, sorted.
fn loaded_languages(files: &[FileToRead]) -> Vec<String> {
    let paths = files.iter().map(|file| &file.path);
    let languages: BTreeSet<&str> = paths.flat_map(grammars::languages_with_grammar).collect();
    languages.into_iter().map(str::to_owned).collect()
}

fn kept_by_stamp(record: &FileRecord, stat: &Stat, limits: Limits) -> Option<ScannedFile> {
    let stat = stat.as_ref().ok()?;
    let same =
        record.size == stat.size && record.stamp.is_some() && record.stamp == StampHash::of(stat);
    let max = u64::from(limits.max_file_bytes);
    let was_too_large = matches!(record.content, Content::Skipped(SkipReason::TooLarge, _));
    // Another limit may classify the file differently.
    let same_limit = was_too_large == (record.size > max);
    (same && same_limit).then_some(ScannedFile {
        file: FileInput {
            size: record.size,
            stamp: record.stamp,
            content: FileContent::Unchanged,
        },
        needs_rescan: false,
    })
}

/// The stamps of a file before and after it was read.
struct Stamps {
    stat: Stat,
    after: Stat,
}

impl Stamps {
    /// Returns the stamp that belongs to bytes that were read; `None` if it is uncertain.
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

fn scanned_file(extract: Result<Extract, HostError>, stamps: &Stamps) -> Option<ScannedFile> {
    match extract {
        Ok(extract) => {
            let size = extract.size;
            let stamp = stamps.of(size);
            let content = FileContent::Extracted(extract);
            Some(ScannedFile {
                file: FileInput {
                    size,
                    stamp,
                    content,
                },
                needs_rescan: stamp.is_none() && stamps.are_known(),
            })
        }
        Err(HostError::Missing) => None,
        Err(error) => Some(unread(error, stamps)),
    }
}

/// Describes a file that could not be read. Its stamp proves nothing, since it may be readable
/// later. Only a file that is too large keeps its stamp.
fn unread(error: HostError, stamps: &Stamps) -> ScannedFile {
    let stamp = match error {
        HostError::TooLarge => stamps.of(stamps.size()),
        HostError::Missing | HostError::Denied | HostError::Io => None,
    };
    ScannedFile {
        file: FileInput {
            size: stamps.size(),
            stamp,
            content: FileContent::Unread(walk::skip_reason(error)),
        },
        needs_rescan: false,
    }
}
