//! Cursors: where the next page begins, and of what.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use ragnav_base::error::{ErrorCode, RagnavError};

/// The rows of one page.
#[derive(Debug)]
pub(super) struct PageRange {
    /// The places of the rows among all.
    pub(super) rows: Range<usize>,
    /// Where the next page begins.
    pub(super) next: Option<Cursor>,
}

/// A place in the rows of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cursor {
    /// How many rows come before the page.
    pub(super) offset: usize,
    /// The fingerprint of the query.
    pub(super) query: u64,
    /// The fingerprint of all its rows.
    pub(super) rows: u64,
}

impl Cursor {
    /// Returns the cursor as callers pass it back.
    pub(super) fn format(self) -> String {
        format!("{:x}-{:x}-{:x}", self.offset, self.query, self.rows)
    }

    /// Returns the fingerprint of a query, and the cursor that came with it.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for what is no cursor, and for one of another question.
    pub(super) fn of_query(
        identity: &str,
        cursor: Option<&str>,
    ) -> Result<(u64, Option<Self>), RagnavError> {
        let query = xxh3_64(identity.as_bytes());
        let cursor = cursor.map(|cursor| Self::parse(cursor, query));
        Ok((query, cursor.transpose()?))
    }

    fn parse(text: &str, query: u64) -> Result<Self, RagnavError> {
        let Some(cursor) = parse(text) else {
            let message =
                format!("{text:?} is no cursor; pass the one of the page before as it is");
            return Err(RagnavError::invalid(message));
        };
        if cursor.query != query {
            let message = "the cursor belongs to another question; ask with the query and options of the page before";
            return Err(RagnavError::invalid(message));
        }
        Ok(cursor)
    }

    /// Returns the page that a cursor leads to, or the first one. The fingerprints are those of the query and of all rows.
    ///
    /// # Errors
    /// `STALE_CURSOR` where the rows have changed.
    pub(super) fn page(
        cursor: Option<Self>,
        limit: usize,
        (query, rows): (u64, u64),
        total: usize,
    ) -> Result<PageRange, RagnavError> {
        if let Some(cursor) = cursor {
            cursor.check(rows)?;
        }
        let offset = cursor.map_or(0, |cursor| cursor.offset);
        let end = offset.saturating_add(limit).min(total);
        let next = (end < total).then_some(Self {
            offset: end,
            query,
            rows,
        });
        Ok(PageRange {
            rows: offset.min(end)..end,
            next,
        })
    }

    /// Checks the cursor against the rows as they are now.
    ///
    /// # Errors
    /// `STALE_CURSOR` where they have changed.
    pub(super) fn check(self, rows: u64) -> Result<(), RagnavError> {
        if self.rows == rows {
            return Ok(());
        }
        let message = "the rows have changed since the page before; ask again without the cursor";
        Err(RagnavError::new(ErrorCode::StaleCursor, message))
    }
}

fn parse(text: &str) -> Option<Cursor> {
    let mut parts = text.split('-').map(|part| u64::from_str_radix(part, 16));
    let mut next = || parts.next()?.ok();
    let cursor = Cursor {
        offset: usize::try_from(next()?).ok()?,
        query: next()?,
        rows: next()?,
    };
    parts.next().is_none().then_some(cursor)
}
