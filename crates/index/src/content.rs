//! What tells one content of a file from another.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use ragnav_base::host::FileStamp;

/// The hash of a file's bytes: xxh3 of 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ContentHash([u8; 16]);

impl ContentHash {
    /// The hash of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes).to_le_bytes())
    }

    /// The hash as bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// What [`to_bytes`](Self::to_bytes) gave.
    #[must_use]
    pub fn of_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

/// A host's stamp of a file as the index keeps it: its hash, since stamps are as long as hosts like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StampHash(u64);

impl StampHash {
    /// What a stamp proves later; `None` for a racy one, which proves nothing.
    #[must_use]
    pub fn of(stamp: &FileStamp) -> Option<Self> {
        (!stamp.racy).then(|| Self(xxh3_64(stamp.stamp.as_bytes())))
    }
}
