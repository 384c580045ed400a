//! Verifying files against the index.
//!
//! Equal size and stamp prove a file, by the rules of git. Without a usable stamp, the bytes are
//! read and hashed. A file that cannot be checked is unknown, never unchanged.

use std::cmp::Ordering;

use crate::file_statuses::{FileStatus, FileStatuses};
use crate::overlay::Overlaid;
use crate::walk::{self, Limits, Walk};
use ragnav_base::envelope::Proof;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, FileStamp, Host, HostError, StatRequest};
use ragnav_base::item::{SkipReason, Verdict};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_index::content::{ContentHash, StampHash};
use ragnav_index::index::{Content, FileRecord, Index};

/// The largest number of files of one stat request.
const STAT_BATCH: usize = 512;

fn max(limits: Limits) -> u64 {
    u64::from(limits.max_file_bytes)
}

/// Verifies the files of a walk against the index. `admits` is the scope, which the walk respects
/// already.
///
/// It requests the stamp of each file, and the bytes of those whose stamp differs but whose size
/// does not.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(crate) async fn verify<H: Host>(
    host: &Overlaid<'_, H>,
    index: &Index,
    found: &Walk,
    limits: Limits,
    admits: impl Fn(&RepoPath) -> bool,
) -> Result<FileStatuses, RagnavError> {
    let failed = |reason| matches!(reason, SkipReason::Denied | SkipReason::Io);
    let unlisted = unlisted_folders(found, failed);
    let too_deep = unlisted_folders(found, |reason| reason == SkipReason::TooDeep);
    let mut checks = Vec::with_capacity(found.files.len());
    let mut recorded = Vec::with_capacity(found.files.len());
    for (path, record) in beside_records(&found.files, index.files()) {
        match (path, record) {
            (Some(_), Some(record)) => recorded.push(record),
            (Some(path), None) => {
                checks.push((path.clone(), FileStatus::new(Verdict::Added, Proof::Live)));
            }
            (None, Some(record)) if admits(&record.path) => {
                let check = gone_check(&record.path, found, unlisted.iter().chain(&too_deep));
                checks.push((record.path.clone(), check));
            }
            (None, _) => {}
        }
    }
    let stamps = stamps(host, &recorded, found).await?;
    let mut unsure = Vec::new();
    for (record, stamp) in recorded.into_iter().zip(stamps) {
        match status_of(record, stamp, limits) {
            Some(check) => checks.push((record.path.clone(), check)),
            None => unsure.push(record),
        }
    }
    checks.extend(hash(host, &unsure, limits).await?);
    let files = checks.into_iter().collect();
    Ok(FileStatuses::new(files, !found.complete, unlisted))
}

/// Verifies files with unsaved buffers again.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(crate) async fn reverify<H: Host>(
    host: &Overlaid<'_, H>,
    index: &Index,
    files: impl Iterator<Item = &RepoPath>,
    limits: Limits,
    statuses: &mut FileStatuses,
) -> Result<(), RagnavError> {
    let mut recorded = Vec::new();
    for path in files {
        match index.file(path) {
            Some(record) => recorded.push(record),
            None => statuses.correct(path, FileStatus::new(Verdict::Added, Proof::Live)),
        }
    }
    for (path, check) in hash(host, &recorded, limits).await? {
        statuses.correct(&path, check);
    }
    Ok(())
}

/// The files of a walk and those of the index, merged by path.
fn beside_records<'f>(
    files: &'f [RepoPath],
    records: &'f [FileRecord],
) -> impl Iterator<Item = (Option<&'f RepoPath>, Option<&'f FileRecord>)> {
    let mut files = files.iter().peekable();
    let mut records = records.iter().peekable();
    std::iter::from_fn(move || {
        let order = match (files.peek(), records.peek()) {
            (Some(path), Some(record)) => (*path).cmp(&record.path),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return None,
        };
        let path = if order.is_le() { files.next() } else { None };
        let record = if order.is_ge() { records.next() } else { None };
        Some((path, record))
    })
}

/// Returns the folders that were not listed for one of some reasons.
fn unlisted_folders(
    found: &Walk,
    is_meant: impl Fn(SkipReason) -> bool,
) -> Vec<(String, SkipReason)> {
    let folders = found.skipped.iter().filter(|skip| skip.file.ends_with('/'));
    folders
        .filter(|skip| is_meant(skip.reason))
        .map(|skip| (skip.file.clone(), skip.reason))
        .collect()
}

/// Returns the status of an indexed file that the walk did not list.
fn gone_check<'f>(
    path: &RepoPath,
    found: &Walk,
    mut unlisted: impl Iterator<Item = &'f (String, SkipReason)>,
) -> FileStatus {
    if let Some((_, reason)) = unlisted.find(|(folder, _)| path.as_str().starts_with(folder)) {
        return FileStatus::unknown(*reason);
    }
    if !found.complete {
        return FileStatus::unknown(SkipReason::TooManyFiles);
    }
    FileStatus::new(Verdict::Removed, Proof::Live)
}

async fn stamps<H: Host>(
    host: &Overlaid<'_, H>,
    records: &[&FileRecord],
    found: &Walk,
) -> Result<Vec<Result<FileStamp, HostError>>, RagnavError> {
    let listed = |record: &&FileRecord| found.stamps.get(&record.path).cloned();
    let mut stamps = Vec::with_capacity(records.len());
    for batch in records.chunks(STAT_BATCH) {
        let known: Option<Vec<FileStamp>> = batch.iter().map(listed).collect();
        if let Some(known) = known {
            stamps.extend(known.into_iter().map(Ok));
            continue;
        }
        let paths: Vec<RepoPath> = batch.iter().map(|record| record.path.clone()).collect();
        stamps.extend(host.send(StatRequest { paths }).await?);
        host::pause(host, wire(stamps.len()), Some(wire(records.len()))).await;
    }
    Ok(stamps)
}

/// Returns the status that size and stamp prove; `None` if the content decides.
fn status_of(
    record: &FileRecord,
    stamp: Result<FileStamp, HostError>,
    limits: Limits,
) -> Option<FileStatus> {
    let Ok(stamp) = stamp else {
        // Hosts without stamps fail here too. Reading the file shows the actual error.
        return None;
    };
    let is_too_large = stamp.size > max(limits);
    if is_too_large && record.size > max(limits) {
        // A file over the size limit is not searched, whatever its content.
        return Some(same(record, Proof::Stat, limits));
    }
    if stamp.size != record.size {
        return Some(FileStatus::new(Verdict::Changed, Proof::Stat));
    }
    if record.is_of_other_version() {
        return Some(FileStatus::of_other_version(Proof::Stat));
    }
    let proven = record.stamp.is_some() && record.stamp == StampHash::of(&stamp);
    proven.then(|| same(record, Proof::Stat, limits))
}

async fn hash<H: Host>(
    host: &Overlaid<'_, H>,
    unsure: &[&FileRecord],
    limits: Limits,
) -> Result<Vec<(RepoPath, FileStatus)>, RagnavError> {
    let mut checks = Vec::with_capacity(unsure.len());
    for (at, batch) in unsure.chunks(walk::BATCH / 4).enumerate() {
        let paths: Vec<RepoPath> = batch.iter().map(|record| record.path.clone()).collect();
        let files = host::read_many(host, &paths, limits.max_file_bytes).await?;
        for (record, file) in batch.iter().zip(files) {
            let check = hash_check(record, file, host.proof(&record.path), limits);
            checks.push((record.path.clone(), check));
        }
        let done = at * (walk::BATCH / 4) + batch.len();
        host::pause(host, wire(done), Some(wire(unsure.len()))).await;
    }
    Ok(checks)
}

/// Returns the status of a file whose content is the indexed one.
fn same(record: &FileRecord, proof: Proof, limits: Limits) -> FileStatus {
    let reason = match record.content {
        // The limit may have been raised since the build, which then recorded no hash.
        Content::Skipped(SkipReason::TooLarge, None) if record.size <= max(limits) => {
            return FileStatus::new(Verdict::Changed, proof);
        }
        Content::Skipped(reason, None) if reason != SkipReason::TooLarge => {
            return FileStatus::unknown(reason);
        }
        Content::Skipped(reason, _) => Some(reason),
        Content::Text(..) if record.size > max(limits) => Some(SkipReason::TooLarge),
        Content::Text(..) => None,
    };
    FileStatus {
        verdict: reason.map_or(Verdict::Unchanged, |_| Verdict::Skipped),
        proof,
        reason,
    }
}

fn hash_check(
    record: &FileRecord,
    file: Result<Vec<u8>, HostError>,
    read_as: Proof,
    limits: Limits,
) -> FileStatus {
    let proof = match read_as {
        Proof::Overlay => Proof::Overlay,
        _ => Proof::Hash,
    };
    match file {
        Ok(bytes) if record.hash() == Some(ContentHash::of(&bytes)) => same(record, proof, limits),
        Ok(_) if record.is_of_other_version() => FileStatus::of_other_version(proof),
        Err(HostError::TooLarge) if record.size > max(limits) => same(record, Proof::None, limits),
        Ok(_) | Err(HostError::TooLarge) => FileStatus::new(Verdict::Changed, proof),
        Err(HostError::Missing) => FileStatus::new(Verdict::Removed, Proof::Live),
        Err(error) => FileStatus::unknown(walk::skip_reason(error)),
    }
}
