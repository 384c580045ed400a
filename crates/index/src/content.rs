//! Hashes that tell two contents of a file apart.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use ragnav_base::host::FileStamp;

/// The 128-bit xxh3 hash of a file's bytes.
///
/// # Examples
///
/// ```
/// use ragnav_index::content::ContentHash;
///
/// assert_eq!(ContentHash::of(b"x = 1\n"), ContentHash::of(b"x = 1\n"));
/// assert_ne!(ContentHash::of(b"x = 1\n"), ContentHash::of(b"x = 2\n"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ContentHash([u8; 16]);

impl ContentHash {
    /// The hash of no content.
    pub const NONE: Self = Self([0; 16]);

    /// Hashes some bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::content::ContentHash;
    ///
    /// assert_ne!(ContentHash::of(b""), ContentHash::of(b"\0"));
    /// ```
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes).to_le_bytes())
    }

    /// Returns the hash as bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::content::ContentHash;
    ///
    /// let hash = ContentHash::of(b"x = 1\n");
    /// assert_eq!(ContentHash::from_bytes(hash.to_bytes()), hash);
    /// ```
    #[must_use]
    pub fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// Returns the hash in hexadecimal, as `xxhsum -H128` prints it.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::content::ContentHash;
    ///
    /// assert_eq!(ContentHash::of(b"").to_hex(), "99aa06d3014798d86001c324468d497f");
    /// ```
    #[must_use]
    pub fn to_hex(self) -> String {
        format!("{:032x}", u128::from_le_bytes(self.0))
    }

    /// Restores a hash from [`to_bytes`](Self::to_bytes).
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::content::ContentHash;
    ///
    /// assert_eq!(ContentHash::from_bytes([7; 16]).to_bytes(), [7; 16]);
    /// ```
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }
}

/// The 64-bit xxh3 hash of a host's stamp, since a stamp may be a long text.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::FileStamp;
/// use ragnav_index::content::StampHash;
///
/// let stamp = |text: &str| FileStamp { size: 6, stamp: text.to_owned(), racy: false };
/// assert_eq!(StampHash::of(&stamp("17:4711")), StampHash::of(&stamp("17:4711")));
/// assert_ne!(StampHash::of(&stamp("17:4711")), StampHash::of(&stamp("18:4711")));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StampHash(u64);

impl StampHash {
    /// Hashes a stamp; returns `None` for a racy one, which proves nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::host::FileStamp;
    /// use ragnav_index::content::StampHash;
    ///
    /// let racy = FileStamp { size: 6, stamp: "17:4711".to_owned(), racy: true };
    /// assert_eq!(StampHash::of(&racy), None);
    /// ```
    #[must_use]
    pub fn of(stamp: &FileStamp) -> Option<Self> {
        (!stamp.racy).then(|| Self(xxh3_64(stamp.stamp.as_bytes())))
    }
}
