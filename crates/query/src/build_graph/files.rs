//! The files of an index: which there are, what each came to, and what changed.

use std::rc::Rc;

use crate::Settings;
use crate::build_graph::lock::Lock;
use crate::build_graph::look::{LOOK_BATCH, Looking, Seen};
use crate::build_graph::report::{BuildCounts, Change, FileChange};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::Skipped;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_index::index::{Content, FileRecord, Index};
use ragnav_index::index_builder::{BuiltIndex, IndexBuilder};
use ragnav_index::segments::SegmentCache;
use ragnav_repository::walk::{self, Walk};

/// How often a file that is saved again and again is looked at.
const LOOKS: usize = 3;

/// The index before.
#[derive(Clone, Copy)]
pub(super) struct Before<'b> {
    pub(super) index: Option<&'b Rc<Index>>,
    /// Whether all of its parts are there; if not, nothing of it is kept.
    pub(super) is_whole: bool,
}

/// An index that was made, and how it differs from the one before.
pub(super) struct Indexed {
    pub(super) index: Rc<Index>,
    /// The definitions of its files as the graph names them; `None` for a file that was kept.
    pub(super) entities: Vec<Option<String>>,
    /// Whether what was known of files that did not change is where it was.
    pub(super) keeps_parts: bool,
    pub(super) changes: Vec<FileChange>,
    pub(super) counts: BuildCounts,
    pub(super) skipped: Vec<Skipped>,
    pub(super) complete: bool,
}

/// Makes the index of all files that the walk admits. Segments that are full are written on the way, the others are held by `segments`;
/// all of them are without a lock, since nothing is written then.
///
/// # Errors
/// As [`walk::walk`]; `INDEX_LOCKED` where another build took the lock over.
pub(super) async fn index_files<H: Host>(
    host: &H,
    settings: &Settings,
    before: Before<'_>,
    in_git: bool,
    segments: &SegmentCache,
    lock: Option<&mut Lock>,
) -> Result<Indexed, RagnavError> {
    let found = walk::walk(host, settings.limits, in_git).await?;
    let kept = before.index.filter(|_| before.is_whole).map(Rc::as_ref);
    let mut making = Making {
        found: &found,
        builder: IndexBuilder::new(kept, found.files.len()),
        segments,
        looking: Looking {
            host,
            before: kept,
            limits: settings.limits,
            total: found.files.len(),
            is_alone: false,
        },
        lock,
    };
    making.look_at_all().await?;
    let (index, entities) = match before.index {
        Some(index) if making.builder.is_unchanged() => (Rc::clone(index), Vec::new()),
        _ => {
            let built = making.finish().await?;
            segments.stage(built.unwritten);
            (Rc::new(built.index), built.entities)
        }
    };
    let changes = changes(before.index.map(Rc::as_ref), &index);
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
        skipped,
        complete: found.complete,
    })
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

/// An index that is being made.
struct Making<'m, H> {
    found: &'m Walk,
    looking: Looking<'m, H>,
    builder: IndexBuilder<'m>,
    segments: &'m SegmentCache,
    lock: Option<&'m mut Lock>,
}

impl<H: Host> Making<'_, H> {
    /// Files that were just saved have a stamp that proves nothing; by the end it may, so they are looked at again.
    async fn look_at_all(&mut self) -> Result<(), RagnavError> {
        let mut places: Vec<usize> = (0..self.found.files.len()).collect();
        for look in 1..=LOOKS {
            let mut unsure = Vec::new();
            for (at, batch) in places.chunks(LOOK_BATCH).enumerate() {
                let done = match look {
                    1 => at * LOOK_BATCH,
                    _ => self.found.files.len(),
                };
                let seen = self.look_at(batch, done).await?;
                for (place, seen) in batch.iter().zip(seen) {
                    let Some(seen) = seen else { continue };
                    if seen.look_again && look < LOOKS {
                        unsure.push(*place);
                    } else if let Some(path) = self.found.files.get(*place) {
                        self.builder.add(*place, path, seen.file);
                    }
                }
                self.put_away().await?;
            }
            places = unsure;
        }
        Ok(())
    }

    async fn look_at(
        &mut self,
        places: &[usize],
        done: usize,
    ) -> Result<Vec<Option<Seen>>, RagnavError> {
        let paths = places.iter().filter_map(|at| self.found.files.get(*at));
        let paths: Vec<RepoPath> = paths.cloned().collect();
        self.looking
            .look(&paths, done, self.lock.as_deref_mut())
            .await
    }

    /// Writes the segments that are full, so that they need not be held to the end: without an index that names them they are nothing.
    async fn put_away(&mut self) -> Result<(), RagnavError> {
        self.segments.stage(self.builder.take_full_segments());
        if self.lock.is_some() {
            self.segments.write(self.looking.host).await?;
        }
        Ok(())
    }

    /// Writes what little is needed of wasteful segments anew. One that cannot be read stays as it is.
    async fn finish(mut self) -> Result<BuiltIndex, RagnavError> {
        for (at, segment) in self.builder.wasteful_segments() {
            if let Some(bytes) = self.segments.read(self.looking.host, segment).await {
                self.builder.rewrite(at, &bytes);
            }
        }
        self.builder.finish()
    }
}

/// The files whose content differs between two indexes, by path.
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
    changes.sort_by(|a, b| a.file.cmp(&b.file));
    changes
}

fn is_same(old: &FileRecord, now: &FileRecord) -> bool {
    match (old.hash(), now.hash()) {
        (None, None) => old.size == now.size && old.content == now.content,
        (old, now) => old == now,
    }
}

fn count(index: &Index, changes: &[FileChange]) -> BuildCounts {
    let of = |change| wire(changes.iter().filter(|one| one.change == change).count());
    let (new, other) = (of(Change::Added), of(Change::Changed));
    BuildCounts {
        added: new,
        changed: other,
        removed: of(Change::Removed),
        unchanged: wire(index.files().len()) - new - other,
        skipped: 0,
    }
}
