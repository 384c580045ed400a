//! Pages: the number of rows of an answer, and where the next page begins.

use ragnav_base::argument::Count;
use ragnav_base::completeness::{Completeness, Doubt};
use ragnav_base::envelope::RagToolMeta;
use ragnav_base::item::{Page, Skipped};
use ragnav_base::position::wire;
use ragnav_repository::failure::add_message;

use crate::cursor::Cursor;

/// The largest number of rows of a page; the cursor leads to the others.
pub(super) const MAX_ROWS: usize = 10_000;

/// The number of skipped files that an answer names; `meta.files.skipped` counts all.
const NAMED_SKIPS: usize = 20;

/// Returns the number of rows of a page.
pub(super) fn page_rows(given: Option<Count>, default: usize) -> usize {
    given.map_or(default, |limit| limit.get().min(MAX_ROWS))
}

/// Truncates the items of an answer without pages, and adds a message about it.
pub(super) fn limit_items<T>(items: &mut Vec<T>, limit: Option<Count>, meta: &mut RagToolMeta) {
    let found = items.len();
    if let Some(limit) = limit.map(Count::get).filter(|limit| *limit < found) {
        items.truncate(limit);
        add_message(
            meta,
            &format!("Only the first {limit} of {found} rows are listed; raise `limit`."),
        );
    }
}

/// Returns the first of the skipped files, sorted by path.
fn first_by_name(mut skipped: Vec<Skipped>) -> Vec<Skipped> {
    skipped.sort_unstable_by(|a, b| a.file.cmp(&b.file));
    skipped.truncate(NAMED_SKIPS);
    skipped
}

/// The parts of a page beside its rows and its head.
pub(super) struct PageEnd {
    /// The metadata of the answer.
    pub(super) meta: RagToolMeta,
    /// The files and folders that were left out.
    pub(super) skipped: Vec<Skipped>,
    /// Whether every file was searched.
    pub(super) is_whole: bool,
    /// The number of rows of all pages.
    pub(super) total: usize,
    /// The cursor of the next page.
    pub(super) next: Option<Cursor>,
    /// Why there may be other rows.
    pub(super) doubts: Vec<Doubt>,
}

impl PageEnd {
    /// Returns the page with its rows and its head.
    pub(super) fn page<T, H>(self, items: Vec<T>, head: H) -> Page<T, H> {
        Page {
            completeness: Completeness::of(&self.doubts),
            source: self.meta.source,
            freshness_state: self.meta.freshness_state,
            meta: self.meta,
            items,
            truncated: self.next.is_some() || !self.is_whole,
            total: self.is_whole.then(|| wire(self.total)),
            cursor: self.next.map(Cursor::format),
            skipped: first_by_name(self.skipped),
            doubts: self.doubts,
            head,
        }
    }
}
