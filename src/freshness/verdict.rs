//! Which files are as the index has them, and how that is known.
//!
//! A file of the size and stamp that were recorded is unchanged, as git judges it; where there is no stamp to
//! trust, its bytes are read and hashed. What cannot be checked is unknown, never unchanged.

use std::collections::BTreeMap;

use crate::envelope::Proof;
use crate::error::RagnavError;
use crate::graph::content::{ContentHash, StampHash};
use crate::graph::index::{Content, FileRecord, Index};
use crate::host::{self, FileStamp, Host, HostError};
use crate::item::{FileVerdict, SkipReason, Verdict};
use crate::overlay::Overlaid;
use crate::path::RepoPath;
use crate::position::wire;
use crate::repo::walk::{self, Limits, Walk};

/// How many files one ask names at most: a stat is small.
const STAT_BATCH: usize = 512;

/// How a file stands to the index, without its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    /// How it stands.
    pub verdict: Verdict,
    /// How that is known.
    pub proof: Proof,
    /// Why it is skipped or unknown.
    pub reason: Option<SkipReason>,
}

/// How the files of a question stand to the index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verification {
    files: BTreeMap<RepoPath, Check>,
    /// Whether the walk ended before the last file.
    is_cut: bool,
    /// Folders that could not be listed, as they are shown.
    unlisted: Vec<(String, SkipReason)>,
}

impl Verification {
    /// How a file stands to the index; `None` for one out of scope.
    #[must_use]
    pub fn check(&self, file: &RepoPath) -> Option<&Check> {
        self.files.get(file)
    }

    /// The files with their verdicts, sorted.
    pub fn files(&self) -> impl Iterator<Item = (&RepoPath, &Check)> {
        self.files.iter()
    }

    /// Whether every file is as it was indexed.
    #[must_use]
    pub fn all_unchanged(&self) -> bool {
        !self.is_cut && self.unlisted.is_empty() && !self.files.values().copied().any(differs)
    }

    /// How many files are known to differ from the index, and how many could not be checked.
    #[must_use]
    pub fn differing(&self) -> (usize, usize) {
        let differing = self
            .files
            .values()
            .copied()
            .filter(|check| differs(*check))
            .count();
        let unknown = self.files.values();
        let unknown = unknown
            .filter(|check| check.verdict == Verdict::Unknown)
            .count();
        (differing - unknown, unknown + self.unlisted.len())
    }

    /// Notes that the bytes of a file, when they were read, were not those that were indexed.
    pub fn found_changed(&mut self, file: &RepoPath) {
        if let Some(check) = self.files.get_mut(file) {
            *check = Check::new(Verdict::Changed, Proof::Hash);
        }
    }

    /// Notes that a file that the index does not have is one that no index has.
    pub fn found_ignored(&mut self, file: &RepoPath) {
        self.files
            .insert(file.clone(), Check::unknown(SkipReason::Ignored));
    }

    /// Notes that a file that was taken for unchanged could not be read.
    pub fn found_unreadable(&mut self, file: &RepoPath, reason: SkipReason) {
        let unchanged = |check: &&mut Check| check.verdict == Verdict::Unchanged;
        if let Some(check) = self.files.get_mut(file).filter(unchanged) {
            *check = Check::unknown(reason);
        }
    }

    /// The verdicts as rows, sorted by file.
    #[must_use]
    pub fn rows(&self) -> Vec<FileVerdict> {
        let files = self.files.iter().map(|(file, check)| FileVerdict {
            file: file.to_string(),
            verdict: check.verdict,
            proof: check.proof,
            reason: check.reason,
        });
        let unlisted = self.unlisted.iter().map(|(folder, reason)| FileVerdict {
            file: folder.clone(),
            verdict: Verdict::Unknown,
            proof: Proof::None,
            reason: Some(*reason),
        });
        let mut rows: Vec<FileVerdict> = files.chain(unlisted).collect();
        rows.sort_by(|a, b| a.file.cmp(&b.file));
        rows
    }
}

impl Check {
    fn new(verdict: Verdict, proof: Proof) -> Self {
        Self {
            verdict,
            proof,
            reason: None,
        }
    }

    fn unknown(reason: SkipReason) -> Self {
        Self {
            verdict: Verdict::Unknown,
            proof: Proof::None,
            reason: Some(reason),
        }
    }

    /// A file that is as it was indexed.
    fn same(record: &FileRecord, proof: Proof, limits: Limits) -> Self {
        let reason = match record.content {
            // The limit may have been raised since; what was not read then has no hash.
            Content::Skipped(SkipReason::TooLarge, None) if record.size <= max(limits) => {
                return Self::new(Verdict::Changed, proof);
            }
            Content::Skipped(reason, None) if reason != SkipReason::TooLarge => {
                return Self::unknown(reason);
            }
            Content::Skipped(reason, _) => Some(reason),
            Content::Text(..) if record.size > max(limits) => Some(SkipReason::TooLarge),
            Content::Text(..) => None,
        };
        Self {
            verdict: reason.map_or(Verdict::Unchanged, |_| Verdict::Skipped),
            proof,
            reason,
        }
    }
}

fn max(limits: Limits) -> u64 {
    u64::from(limits.max_file_bytes)
}

fn differs(check: Check) -> bool {
    !matches!(check.verdict, Verdict::Unchanged | Verdict::Skipped)
}

/// Holds the files of a walk against the index. `admits` is the scope of the question, which the walk has already.
///
/// Asks for a stat of each file, and for the bytes of those whose stamp is not as recorded but whose size is.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub async fn verify<H: Host>(
    host: &Overlaid<'_, H>,
    index: &Index,
    found: &Walk,
    limits: Limits,
    admits: impl Fn(&RepoPath) -> bool,
) -> Result<Verification, RagnavError> {
    let mut verification = Verification {
        files: BTreeMap::new(),
        is_cut: !found.complete,
        unlisted: unlisted(found),
    };
    let gone = |path: &RepoPath| found.files.binary_search(path).is_err();
    for record in index.files() {
        if admits(&record.path) && gone(&record.path) {
            let check = gone_check(&record.path, found, &verification.unlisted);
            verification.files.insert(record.path.clone(), check);
        }
    }
    let mut recorded = Vec::new();
    for path in &found.files {
        if let Some(record) = index.file(path) {
            recorded.push(record);
        } else {
            let check = Check::new(Verdict::Added, Proof::Live);
            verification.files.insert(path.clone(), check);
        }
    }
    let stamps = stamps(host, &recorded, found).await?;
    let mut unsure = Vec::new();
    for (record, stamp) in recorded.into_iter().zip(stamps) {
        match judge(record, stamp, limits) {
            Some(check) => {
                verification.files.insert(record.path.clone(), check);
            }
            None => unsure.push(record),
        }
    }
    hash(host, &unsure, limits, &mut verification).await?;
    Ok(verification)
}

fn unlisted(found: &Walk) -> Vec<(String, SkipReason)> {
    let folders = found.skipped.iter().filter(|skip| skip.file.ends_with('/'));
    folders
        .filter(|skip| matches!(skip.reason, SkipReason::Denied | SkipReason::Io))
        .map(|skip| (skip.file.clone(), skip.reason))
        .collect()
}

/// A file of the index that the walk did not come to.
fn gone_check(path: &RepoPath, found: &Walk, unlisted: &[(String, SkipReason)]) -> Check {
    let mut folders = unlisted.iter();
    if let Some((_, reason)) = folders.find(|(folder, _)| path.as_str().starts_with(folder)) {
        return Check::unknown(*reason);
    }
    if !found.complete {
        return Check::unknown(SkipReason::TooManyFiles);
    }
    Check::new(Verdict::Removed, Proof::Live)
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
        stamps.extend(host::stat(host, &paths).await?);
        host::pause(host, wire(stamps.len()), Some(wire(records.len()))).await;
    }
    Ok(stamps)
}

/// What size and stamp alone say; `None` where the content has to.
fn judge(
    record: &FileRecord,
    stamp: Result<FileStamp, HostError>,
    limits: Limits,
) -> Option<Check> {
    let Ok(stamp) = stamp else {
        // Also where the host has no stamps: reading tells what is wrong.
        return None;
    };
    let is_too_large = stamp.size > max(limits);
    if is_too_large && record.size > max(limits) {
        // Whatever it holds by now, it is not searched.
        return Some(Check::same(record, Proof::Stat, limits));
    }
    if stamp.size != record.size {
        return Some(Check::new(Verdict::Changed, Proof::Stat));
    }
    let proven = record.stamp.is_some() && record.stamp == StampHash::of(&stamp);
    proven.then(|| Check::same(record, Proof::Stat, limits))
}

async fn hash<H: Host>(
    host: &Overlaid<'_, H>,
    unsure: &[&FileRecord],
    limits: Limits,
    verification: &mut Verification,
) -> Result<(), RagnavError> {
    for (at, batch) in unsure.chunks(walk::BATCH / 4).enumerate() {
        let paths: Vec<RepoPath> = batch.iter().map(|record| record.path.clone()).collect();
        let files = host::read_many(host, &paths, limits.max_file_bytes).await?;
        for (record, file) in batch.iter().zip(files) {
            let check = hash_check(record, file, host.proof(&record.path), limits);
            verification.files.insert(record.path.clone(), check);
        }
        let done = at * (walk::BATCH / 4) + batch.len();
        host::pause(host, wire(done), Some(wire(unsure.len()))).await;
    }
    Ok(())
}

fn hash_check(
    record: &FileRecord,
    file: Result<Vec<u8>, HostError>,
    read_as: Proof,
    limits: Limits,
) -> Check {
    let proof = match read_as {
        Proof::Overlay => Proof::Overlay,
        _ => Proof::Hash,
    };
    match file {
        Ok(bytes) if record.hash() == Some(ContentHash::of(&bytes)) => {
            Check::same(record, proof, limits)
        }
        Err(HostError::TooLarge) if record.size > max(limits) => {
            Check::same(record, Proof::None, limits)
        }
        Ok(_) | Err(HostError::TooLarge) => Check::new(Verdict::Changed, proof),
        Err(HostError::Missing) => Check::new(Verdict::Removed, Proof::Live),
        Err(error) => Check::unknown(walk::skip_reason(error)),
    }
}
