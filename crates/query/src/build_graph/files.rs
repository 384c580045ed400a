//! The files of an index: their facts, and how they differ from the previous index.

use std::rc::Rc;

use crate::Settings;
use crate::build_graph::lock::Lock;
use crate::build_graph::report::{BuildCounts, Change, FileChange};
use crate::build_graph::scan::{FileScanner, STAT_BATCH, ScannedFile};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::Skipped;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::sort::SmallSort;
use ragnav_index::index::{Content, FileRecord, Index};
use ragnav_index::index_builder::{BuiltIndex, IndexBuilder};
use ragnav_index::segments::SegmentCache;
use ragnav_index::term_index::TermCache;
use ragnav_repository::walk::{self, Walk};

/// The largest number of times that a file is read again because it was saved meanwhile.
const MAX_SCANS: usize = 3;

/// The previous index.
#[derive(Clone, Copy)]
pub(super) struct PreviousIndex<'b> {
    pub(super) index: Option<&'b Rc<Index>>,
    /// Whether all of its segments exist; otherwise none of it is kept.
    pub(super) is_whole: bool,
}

/// A new index, and how it differs from the previous one.
pub(super) struct Indexed {
    pub(super) index: Rc<Index>,
    /// The definitions of its files as the graph names them; `None` for an unchanged file.
    pub(super) entities: Vec<Option<String>>,
    /// Whether the segments of unchanged files stayed the same.
    pub(super) keeps_parts: bool,
    /// The changes of searched files.
    pub(super) changes: Vec<FileChange>,
    /// Whether no file has changed, searched or not.
    pub(super) is_unchanged: bool,
    pub(super) counts: BuildCounts,
    pub(super) skipped: Vec<Skipped>,
    pub(super) complete: bool,
}

/// Builds the index of all files that the walk admits. Full segments are written on the way, and
/// `segments` holds the others. Without a lock it holds all of them, since nothing is written.
///
/// # Errors
/// The errors of [`walk::walk`]; `INDEX_LOCKED` if another build took the lock.
pub(super) async fn index_files<H: Host>(
    host: &H,
    settings: &Settings,
    before: PreviousIndex<'_>,
    in_git: bool,
    segments: &SegmentCache,
    lock: Option<&mut Lock>,
) -> Result<Indexed, RagnavError> {
    let found = walk::walk(host, settings.limits, in_git).await?;
    let kept = before.index.filter(|_| before.is_whole).map(Rc::as_ref);
    let mut making = IndexInProgress {
        found: &found,
        builder: IndexBuilder::new(kept, found.files.len()),
        segments,
        terms: &settings.caches.terms,
        scanner: FileScanner {
            host,
            before: kept,
            limits: settings.limits,
            total: found.files.len(),
            has_no_workers: false,
        },
        lock,
    };
    making.scan_all().await?;
    let (index, entities) = match before.index {
        Some(index) if making.builder.is_unchanged() => (Rc::clone(index), Vec::new()),
        _ => {
            let built = making.finish().await?;
            segments.stage(built.unwritten);
            (Rc::new(built.index), built.entities)
        }
    };
    let mut changes = changes(before.index.map(Rc::as_ref), &index);
    let is_unchanged = changes.is_empty();
    changes.retain(|change| is_shown(change, &index));
    let counts = count(&index, &changes);
    let mut skipped = found.skipped;
    skipped.extend(index.files().iter().filter_map(skip));
    Ok(Indexed {
        counts: BuildCounts {
            skipped: wire(skipped.len()),
            ..counts
        },
        index,
        entities,
        keeps_parts: before.is_whole,
        changes,
        is_unchanged,
        skipped,
        complete: found.complete,
    })
}

fn is_searched(record: &FileRecord) -> bool {
    matches!(record.content, Content::Text(..))
}

fn skip(record: &FileRecord) -> Option<Skipped> {
    match record.content {
        Content::Text(..) => None,
        Content::Skipped(reason, _) => Some(Skipped {
            file: record.path.to_string(),
            reason,
        }),
    }
}

/// An index in construction.
struct IndexInProgress<'m, H> {
    found: &'m Walk,
    scanner: FileScanner<'m, H>,
    builder: IndexBuilder<'m>,
    segments: &'m SegmentCache,
    terms: &'m TermCache,
    lock: Option<&'m mut Lock>,
}

impl<H: Host> IndexInProgress<'_, H> {
    /// Scans all files. The stamps of files that were saved recently prove nothing yet, so these
    /// files are scanned again at the end.
    async fn scan_all(&mut self) -> Result<(), RagnavError> {
        let mut places: Vec<usize> = (0..self.found.files.len()).collect();
        for scan in 1..=MAX_SCANS {
            let mut unsure = Vec::new();
            for (at, batch) in places.chunks(STAT_BATCH).enumerate() {
                let done = match scan {
                    1 => at * STAT_BATCH,
                    _ => self.found.files.len(),
                };
                let scanned = self.scan_batch(batch, done).await?;
                for (place, scanned) in batch.iter().zip(scanned) {
                    let Some(scanned) = scanned else { continue };
                    if scanned.needs_rescan && scan < MAX_SCANS {
                        unsure.push(*place);
                    } else if let Some(path) = self.found.files.get(*place) {
                        self.builder.add(*place, path, scanned.file);
                    }
                }
                self.write_full_segments().await?;
            }
            places = unsure;
        }
        Ok(())
    }

    async fn scan_batch(
        &mut self,
        places: &[usize],
        done: usize,
    ) -> Result<Vec<Option<ScannedFile>>, RagnavError> {
        let paths = places.iter().filter_map(|at| self.found.files.get(*at));
        let paths: Vec<RepoPath> = paths.cloned().collect();
        self.scanner
            .scan(&paths, done, self.lock.as_deref_mut())
            .await
    }

    /// Writes full segments, which then leave memory. Without an index that names them, they have
    /// no effect.
    async fn write_full_segments(&mut self) -> Result<(), RagnavError> {
        self.segments.stage(self.builder.take_full_segments());
        if self.lock.is_some() {
            self.segments.write(self.scanner.host).await?;
        }
        Ok(())
    }

    /// Rewrites the used part of segments that are mostly unused. A segment that cannot be read
    /// stays.
    async fn finish(mut self) -> Result<BuiltIndex, RagnavError> {
        for (at, segment) in self.builder.wasteful_segments() {
            if let Some(bytes) = self.segments.read(self.scanner.host, segment).await {
                self.builder.rewrite(at, &bytes);
            }
        }
        let terms = match self.scanner.before {
            Some(before) => {
                before
                    .terms(self.scanner.host, self.segments, self.terms)
                    .await
            }
            None => None,
        };
        self.builder.finish(&terms.unwrap_or_default())
    }
}

/// Returns the files whose content differs between two indexes, sorted by path.
fn changes(before: Option<&Index>, now: &Index) -> Vec<FileChange> {
    let change = |record: &FileRecord, change| FileChange {
        file: record.path.to_string(),
        change,
    };
    let mut changes = Vec::new();
    for record in now.files() {
        match before.and_then(|index| index.file(&record.path)) {
            None => changes.push(change(record, Change::Added)),
            Some(old) if is_same(old, record) => {}
            Some(_) => changes.push(change(record, Change::Changed)),
        }
    }
    let old = before.map_or(&[][..], Index::files);
    let removed = old.iter().filter(|record| now.file(&record.path).is_none());
    changes.extend(removed.map(|record| change(record, Change::Removed)));
    changes.small_sort_by(|a, b| a.file.cmp(&b.file));
    changes
}

fn is_same(old: &FileRecord, now: &FileRecord) -> bool {
    match (old.hash(), now.hash()) {
        (None, None) => old.size == now.size && old.content == now.content,
        (old, now) => old == now,
    }
}

/// Reports whether a change is of a file that is searched, or was.
fn is_shown(FileChange { file, change }: &FileChange, index: &Index) -> bool {
    let path = RepoPath::parse(file).ok();
    let record = path.and_then(|path| index.file(&path));
    *change == Change::Removed || record.is_some_and(is_searched)
}

/// Counts the searched files by their change. The caller adds the number of skipped files.
fn count(index: &Index, changes: &[FileChange]) -> BuildCounts {
    let mut counts = BuildCounts::default();
    for FileChange { change, .. } in changes {
        match change {
            Change::Added => counts.added += 1,
            Change::Changed => counts.changed += 1,
            Change::Removed => counts.removed += 1,
        }
    }
    let searched = index.files().iter().filter(|record| is_searched(record));
    counts.unchanged = wire(searched.count()) - counts.added - counts.changed;
    counts
}
