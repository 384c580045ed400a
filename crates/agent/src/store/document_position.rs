//! The position of a document in a store.

/// The position of a document: its segment and its index there.
pub(super) type DocumentPosition = (usize, u32);
