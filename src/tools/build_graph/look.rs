//! Looking at files for an index: each is read between two looks at its stamp, so that one saved meanwhile is seen.

use crate::error::RagnavError;
use crate::graph::content::{ContentHash, StampHash};
use crate::graph::filter::filter_of;
use crate::graph::index::{Content, FileRecord, Index, Looked, LookedText};
use crate::host::{self, FileStamp, Host, HostError};
use crate::item::SkipReason;
use crate::lang;
use crate::path::RepoPath;
use crate::repo::text;
use crate::repo::walk::{self, Limits};

/// What a file came to, for the index.
pub(super) struct Seen {
    pub(super) size: u64,
    /// What its stamp will prove; `None` where only its content does.
    pub(super) stamp: Option<StampHash>,
    pub(super) looked: Looked,
    /// Whether looking again may give it a stamp that proves something.
    pub(super) look_again: bool,
}

type Stat = Result<FileStamp, HostError>;

/// Looks at some files. One that is as the index before has it, by its stamp or its content, is kept. One that vanished is `None`.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub(super) async fn look<H: Host>(
    host: &H,
    paths: &[RepoPath],
    before: Option<&Index>,
    limits: Limits,
) -> Result<Vec<Option<Seen>>, RagnavError> {
    let stats = host::stat(host, paths).await?;
    let mut seen: Vec<Option<Seen>> = Vec::with_capacity(paths.len());
    let mut unread = Vec::new();
    for (at, (path, stat)) in paths.iter().zip(&stats).enumerate() {
        let record = before.and_then(|index| index.file(path));
        let kept = record.and_then(|record| kept_by_stamp(record, stat, limits));
        if kept.is_none() {
            unread.push(at);
        }
        seen.push(kept);
    }
    let wanted = |at: &usize| paths.get(*at).cloned();
    let wanted: Vec<RepoPath> = unread.iter().filter_map(wanted).collect();
    if wanted.is_empty() {
        return Ok(seen);
    }
    let files = host::read_many(host, &wanted, limits.max_file_bytes).await?;
    let later = host::stat(host, &wanted).await?;
    for (((at, path), file), after) in unread.into_iter().zip(&wanted).zip(files).zip(later) {
        let stat = stats.get(at).cloned().unwrap_or(Err(HostError::Io));
        let stamps = Stamps { stat, after };
        let record = before.and_then(|index| index.file(path));
        if let Some(place) = seen.get_mut(at) {
            *place = read(path, file, &stamps, record);
        }
    }
    Ok(seen)
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
        size: record.size,
        stamp: record.stamp,
        looked: Looked::Kept,
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

fn read(
    path: &RepoPath,
    file: Result<Vec<u8>, HostError>,
    stamps: &Stamps,
    record: Option<&FileRecord>,
) -> Option<Seen> {
    let bytes = match file {
        Ok(bytes) => bytes,
        Err(HostError::Missing) => return None,
        Err(error) => return Some(unread(error, stamps)),
    };
    let size = bytes.len() as u64;
    let stamp = stamps.of(size);
    let hash = ContentHash::of(&bytes);
    let looked = match record {
        Some(record) if record.hash() == Some(hash) => Looked::Kept,
        _ => take_in(path, &bytes, hash),
    };
    Some(Seen {
        size,
        stamp,
        looked,
        look_again: stamp.is_none() && stamps.are_known(),
    })
}

/// A file that could not be read proves nothing by its stamp: it may be readable later. One that is too large stays so.
fn unread(error: HostError, stamps: &Stamps) -> Seen {
    let stamp = match error {
        HostError::TooLarge => stamps.of(stamps.size()),
        HostError::Missing | HostError::Denied | HostError::Io => None,
    };
    Seen {
        size: stamps.size(),
        stamp,
        looked: Looked::Skipped(walk::skip_reason(error), None),
        look_again: false,
    }
}

fn take_in(path: &RepoPath, bytes: &[u8], hash: ContentHash) -> Looked {
    match text::decode(bytes) {
        Ok(text) => {
            let language = lang::of_path(path);
            let facts = language.map(|language| Box::new(lang::facts(language, text)));
            let filter = filter_of(bytes);
            Looked::Text(hash, LookedText { facts, filter })
        }
        Err(reason) => Looked::Skipped(reason, Some(hash)),
    }
}
