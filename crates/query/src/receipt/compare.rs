//! What became of the rows of a receipt.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::difference::RowState;

use super::ReceiptRow;

/// The rows of a receipt beside those of now.
#[derive(Debug)]
pub(crate) struct Comparison<'r> {
    then: &'r [ReceiptRow],
    now: &'r [ReceiptRow],
    /// For each row of the receipt, the row that it is now, and how that differs; `None` if it is
    /// gone.
    pub(crate) became: Vec<Option<(usize, RowState)>>,
    /// For each row of now, the row of the receipt that it was, and how it differs; `None` if it is
    /// new.
    pub(crate) was: Vec<Option<(usize, RowState)>>,
}

/// Joins the rows of a receipt with those of now. Each row is joined once: first what is equal, then
/// what says the same elsewhere in its file, then what is about the same symbol. Equal rows of one
/// file are joined in their order.
pub(crate) fn compare<'r>(then: &'r [ReceiptRow], now: &'r [ReceiptRow]) -> Comparison<'r> {
    let mut comparison = Comparison {
        then,
        now,
        became: vec![None; then.len()],
        was: vec![None; now.len()],
    };
    comparison.join(RowState::Unchanged, |row| row);
    comparison.join(RowState::Moved, |row| {
        (&row.place.file, row.content, row.subject)
    });
    comparison.join(RowState::Moved, |row| (&row.place.file, row.content));
    comparison.join(RowState::Changed, |row| (&row.place.file, row.subject));
    comparison
}

impl<'r> Comparison<'r> {
    /// Returns the files of the rows that are gone.
    pub(crate) fn files_of_gone(&self) -> BTreeSet<&'r str> {
        let rows = self.then.iter().zip(&self.became);
        let gone = rows.filter(|(_, became)| became.is_none());
        gone.map(|(row, _)| row.place.file.as_str()).collect()
    }

    /// Joins rows of files that do not exist any more with equal ones in other files.
    pub(crate) fn follow(&mut self, missing: &BTreeSet<String>) {
        let is_missing = |row: &ReceiptRow| missing.contains(&row.place.file);
        self.join_where(RowState::Moved, is_missing, |row| row.content);
    }

    /// Joins the rows of both sides that are left and have the same key.
    fn join<K: Ord>(&mut self, state: RowState, key: impl Fn(&'r ReceiptRow) -> K) {
        self.join_where(state, |_| true, key);
    }

    fn join_where<K: Ord>(
        &mut self,
        state: RowState,
        is_eligible: impl Fn(&ReceiptRow) -> bool,
        key: impl Fn(&'r ReceiptRow) -> K,
    ) {
        let mut open: BTreeMap<K, Vec<usize>> = BTreeMap::new();
        for (at, (row, was)) in self.now.iter().zip(&self.was).enumerate().rev() {
            if was.is_none() {
                open.entry(key(row)).or_default().push(at);
            }
        }
        for (at, (row, became)) in self.then.iter().zip(&mut self.became).enumerate() {
            if became.is_some() || !is_eligible(row) {
                continue;
            }
            let Some(next) = open.get_mut(&key(row)).and_then(Vec::pop) else {
                continue;
            };
            *became = Some((next, state));
            if let Some(was) = self.was.get_mut(next) {
                *was = Some((at, state));
            }
        }
    }
}
