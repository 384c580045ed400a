//! Hashes that tell two contents of a file apart.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use ragnav_base::host::FileStamp;

/// The 128-bit xxh3 hash of a file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ContentHash([u8; 16]);

impl ContentHash {
    /// The hash of no content.
    pub const NONE: Self = Self([0; 16]);

    /// Hashes some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes).to_le_bytes())
    }

    /// Returns the hash as bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// Restores a hash from [`to_bytes`](Self::to_bytes).
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

/// The 64-bit xxh3 hash of a host's stamp, since a stamp may be a long text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StampHash(u64);

impl StampHash {
    /// Hashes a stamp; returns `None` for a racy one, which proves nothing.
    #[must_use]
    pub fn of(stamp: &FileStamp) -> Option<Self> {
        (!stamp.racy).then(|| Self(xxh3_64(stamp.stamp.as_bytes())))
    }
}
