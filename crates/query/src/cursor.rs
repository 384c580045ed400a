//! Cursors: where the next page begins, and of what.

use xxhash_rust::xxh3::xxh3_64;

use ragnav_base::error::{ErrorCode, RagnavError};

/// A place in the rows of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cursor {
    /// How many rows come before the page.
    pub(super) offset: usize,
    /// The fingerprint of the question.
    pub(super) question: u64,
    /// The fingerprint of all its rows.
    pub(super) rows: u64,
}

impl Cursor {
    /// The cursor as callers pass it back.
    pub(super) fn format(self) -> String {
        format!("{:x}-{:x}-{:x}", self.offset, self.question, self.rows)
    }

    /// The fingerprint of a question, and the cursor that came with it, if one did.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for what is no cursor, and for one of another question.
    pub(super) fn of_question(
        asked: &str,
        cursor: Option<&str>,
    ) -> Result<(u64, Option<Self>), RagnavError> {
        let question = xxh3_64(asked.as_bytes());
        let cursor = cursor.map(|cursor| Self::parse(cursor, question));
        Ok((question, cursor.transpose()?))
    }

    fn parse(text: &str, question: u64) -> Result<Self, RagnavError> {
        let Some(cursor) = parse(text) else {
            let message =
                format!("{text:?} is no cursor; pass the one of the page before as it is");
            return Err(RagnavError::invalid(message));
        };
        if cursor.question != question {
            let message = "the cursor belongs to another question; ask with the query and options of the page before";
            return Err(RagnavError::invalid(message));
        }
        Ok(cursor)
    }

    /// Holds the cursor against the rows as they are now.
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
        question: next()?,
        rows: next()?,
    };
    parts.next().is_none().then_some(cursor)
}
