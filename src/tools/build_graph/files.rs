//! The files of an index: which there are, what each came to, and what changed.

use crate::error::RagnavError;
use crate::freshness::route::Examined;
use crate::graph::index::{Content, FileRecord, Index, IndexBuilder};
use crate::host::{self, Host};
use crate::item::Skipped;
use crate::path::RepoPath;
use crate::position::wire;
use crate::repo::walk::{self, Walk};
use crate::tools::Settings;
use crate::tools::build_graph::lock::Lock;
use crate::tools::build_graph::look::{self, Seen};
use crate::tools::build_graph::report::{BuildCounts, Change, FileChange};

/// How often a file that is saved again and again is looked at.
const LOOKS: usize = 3;

/// An index that was made, and how it differs from the one before.
pub(super) struct Indexed {
    pub(super) index: Index,
    pub(super) changes: Vec<FileChange>,
    pub(super) counts: BuildCounts,
    pub(super) skipped: Vec<Skipped>,
    pub(super) complete: bool,
}

/// Makes the index of all files that the walk admits.
///
/// # Errors
/// As [`walk::walk`]; `INDEX_LOCKED` where another build took the lock over.
pub(super) async fn index_files<H: Host>(
    host: &H,
    settings: &Settings,
    examined: &Examined,
    lock: Option<&mut Lock>,
) -> Result<Indexed, RagnavError> {
    let route = &examined.route;
    let in_git = route.git_root.is_some() || route.head.is_some();
    let found = walk::walk(host, settings.limits, in_git).await?;
    let before = examined.index.as_deref();
    let seen = look_at_all(host, settings, before, &found, lock).await?;
    let mut builder = IndexBuilder::new(before);
    for (path, seen) in found.files.iter().zip(seen) {
        if let Some(seen) = seen {
            builder.add(path, seen.size, seen.stamp, seen.looked);
        }
    }
    let index = builder.finish()?;
    let changes = changes(before, &index);
    let counts = count(&index, &changes);
    let mut skipped = found.skipped;
    skipped.extend(index.files().iter().filter_map(skip));
    Ok(Indexed {
        counts: BuildCounts {
            skipped: wire(skipped.len()),
            ..counts
        },
        index,
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

async fn look_at_all<H: Host>(
    host: &H,
    settings: &Settings,
    before: Option<&Index>,
    found: &Walk,
    mut lock: Option<&mut Lock>,
) -> Result<Vec<Option<Seen>>, RagnavError> {
    let mut all = Vec::with_capacity(found.files.len());
    for batch in found.files.chunks(walk::BATCH / 2) {
        all.extend(look::look(host, batch, before, settings.limits).await?);
        host::pause(host, wire(all.len()), Some(wire(found.files.len()))).await;
        if let Some(lock) = lock.as_deref_mut() {
            lock.renew(host).await?;
        }
    }
    for _ in 1..LOOKS {
        look_again(host, settings, before, found, &mut all).await?;
    }
    Ok(all)
}

/// Files that were just saved have a stamp that proves nothing; by now it may.
async fn look_again<H: Host>(
    host: &H,
    settings: &Settings,
    before: Option<&Index>,
    found: &Walk,
    all: &mut [Option<Seen>],
) -> Result<(), RagnavError> {
    let unsure = |seen: &Option<Seen>| seen.as_ref().is_some_and(|seen| seen.look_again);
    let places = all.iter().enumerate();
    let places: Vec<usize> = places
        .filter(|(_, seen)| unsure(seen))
        .map(|(at, _)| at)
        .collect();
    for batch in places.chunks(walk::BATCH / 2) {
        let paths = batch.iter().filter_map(|at| found.files.get(*at).cloned());
        let paths: Vec<RepoPath> = paths.collect();
        let seen = look::look(host, &paths, before, settings.limits).await?;
        for (at, seen) in batch.iter().zip(seen) {
            if let Some(place) = all.get_mut(*at) {
                *place = seen;
            }
        }
        host::pause(host, wire(all.len()), Some(wire(all.len()))).await;
    }
    Ok(())
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
