//! Segments: files of about a mebibyte that hold the facts, each named by the hash of its bytes.
//!
//! Segments are immutable. An update writes only new facts, and a reader fetches only the segments
//! that a query needs. A segment whose hash differs from its name is ignored.

use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, Host, HostError, ReadDirsRequest, RemoveRequest, StatRequest};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;

/// The folder of the segments.
const SEGMENT_FOLDER: &str = ".llmc/rag";
const PREFIX: &str = "facts-";
const SUFFIX: &str = ".bin";

/// The size from which a segment is written.
const SEGMENT_BYTES: usize = 1 << 20;
/// The size limit of a segment, in bytes. The facts of one file may exceed the usual size.
const MAX_SEGMENT_BYTES: u32 = 256 << 20;
/// The number of segment bytes that are cached between queries.
const MAX_CACHED_BYTES: usize = 64 << 20;

/// The name of a segment: the 128-bit xxh3 hash of its bytes.
///
/// # Examples
///
/// ```
/// use ragnav_index::segments::SegmentId;
///
/// let id = SegmentId::of(b"facts");
/// let path = id.path().unwrap();
/// assert_eq!(SegmentId::from_file_name(path.name()), Some(id));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SegmentId([u8; 16]);

impl SegmentId {
    /// Hashes the bytes of a segment.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::segments::SegmentId;
    ///
    /// assert_ne!(SegmentId::of(b"facts"), SegmentId::of(b"other facts"));
    /// ```
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes).to_le_bytes())
    }

    /// Returns the path of the segment.
    ///
    /// # Errors
    /// None in practice, since the path is valid.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::segments::SegmentId;
    ///
    /// let path = SegmentId::of(b"facts").path().unwrap();
    /// assert!(path.as_str().starts_with(".llmc/rag/"));
    /// ```
    pub fn path(self) -> Result<RepoPath, RagnavError> {
        self.path_with_prefix(PREFIX)
    }

    /// Returns the path of a file whose name begins with `prefix`.
    ///
    /// # Errors
    /// None in practice, since the path is valid.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::segments::SegmentId;
    ///
    /// let path = SegmentId::of(b"documents").path_with_prefix("documents-").unwrap();
    /// assert!(path.name().starts_with("documents-"));
    /// ```
    pub fn path_with_prefix(self, prefix: &str) -> Result<RepoPath, RagnavError> {
        let hash = u128::from_le_bytes(self.0);
        RepoPath::parse(&format!("{SEGMENT_FOLDER}/{prefix}{hash:032x}{SUFFIX}"))
    }

    /// Parses the name of a segment's file; returns `None` for other files.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::segments::SegmentId;
    ///
    /// assert_eq!(SegmentId::from_file_name("facts.bin"), None);
    /// ```
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        Self::from_file_name_with_prefix(PREFIX, name)
    }

    fn from_file_name_with_prefix(prefix: &str, name: &str) -> Option<Self> {
        let hash = name.strip_prefix(prefix)?.strip_suffix(SUFFIX)?;
        let hash = u128::from_str_radix(hash, 16).ok()?;
        Some(Self(hash.to_le_bytes()))
    }
}

/// A segment of an index.
///
/// # Examples
///
/// ```
/// use ragnav_index::segments::{Segment, SegmentId};
///
/// let segment = Segment::of(b"facts");
/// assert_eq!((segment.id, segment.len), (SegmentId::of(b"facts"), 5));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// The hash of the bytes.
    pub id: SegmentId,
    /// The size in bytes.
    pub len: u32,
}

impl Segment {
    /// Describes a segment with these bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::segments::Segment;
    ///
    /// assert_eq!(Segment::of(b"facts").len, 5);
    /// ```
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self {
            id: SegmentId::of(bytes),
            len: wire(bytes.len()),
        }
    }
}

/// A byte range of a segment.
///
/// # Examples
///
/// ```
/// use ragnav_index::segments::SegmentRange;
///
/// let range = SegmentRange { segment: 0, start: 2, len: 3 };
/// assert_eq!(range.slice(b"abcdef"), Some(&b"cde"[..]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentRange {
    /// The index of the segment among those of the index.
    pub segment: u32,
    /// The offset of the first byte.
    pub start: u32,
    /// The number of bytes.
    pub len: u32,
}

impl SegmentRange {
    /// Returns the bytes of this range.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::segments::SegmentRange;
    ///
    /// let range = SegmentRange { segment: 0, start: 2, len: 3 };
    /// assert_eq!(range.slice(b"abc"), None);
    /// ```
    #[must_use]
    pub fn slice(self, segment: &[u8]) -> Option<&[u8]> {
        let start = self.start as usize;
        segment.get(start..start.checked_add(self.len as usize)?)
    }
}

type NamedBytes = (SegmentId, Rc<[u8]>);

/// A cache of segments by name. Segments are immutable, so entries never become stale.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_index::segments::{Segment, SegmentCache, SegmentId};
///
/// let cache = SegmentCache::default();
/// cache.stage(vec![(SegmentId::of(b"facts"), b"facts".to_vec())]);
/// let read = block_on(cache.read(&MemoryHost::default(), Segment::of(b"facts")));
/// assert_eq!(read.as_deref(), Some(&b"facts"[..]));
/// ```
#[derive(Debug, Default)]
pub struct SegmentCache {
    cached: RefCell<VecDeque<NamedBytes>>,
    /// The segments that are not written yet.
    unwritten: RefCell<Vec<NamedBytes>>,
    /// The segments whose hash was right when they were last read or written.
    verified: RefCell<BTreeSet<SegmentId>>,
}

impl SegmentCache {
    /// Returns the bytes of a segment, or `None` if it cannot be read or its hash is wrong.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_index::segments::{Segment, SegmentCache};
    ///
    /// let segment = Segment::of(b"facts");
    /// let path = segment.id.path().unwrap();
    /// let damaged = MemoryHost::new(&[(path.as_str(), "fakes")]);
    /// assert_eq!(block_on(SegmentCache::default().read(&damaged, segment)), None);
    /// ```
    pub async fn read(&self, host: &impl Host, segment: Segment) -> Option<Rc<[u8]>> {
        if let Some(known) = self.cached(segment.id) {
            return Some(known);
        }
        let bytes: Rc<[u8]> = self.fetch(host, segment).await.ok()??.into();
        self.insert(segment.id, Rc::clone(&bytes));
        Some(bytes)
    }

    /// Reads a segment like [`read`](Self::read) without caching it, for a caller that caches what
    /// it decodes.
    pub(super) async fn read_once(&self, host: &impl Host, segment: Segment) -> Option<Rc<[u8]>> {
        if let Some(known) = self.cached(segment.id) {
            return Some(known);
        }
        let bytes = self.fetch(host, segment).await.ok()??;
        Some(bytes.into())
    }

    /// Reads a segment from the host; returns `None` if it cannot be read or its hash is wrong.
    async fn fetch(
        &self,
        host: &impl Host,
        segment: Segment,
    ) -> Result<Option<Vec<u8>>, RagnavError> {
        let read = host::read_one(host, &segment.id.path()?, MAX_SEGMENT_BYTES).await?;
        let verified = read.ok().filter(|bytes| SegmentId::of(bytes) == segment.id);
        match verified {
            Some(_) => self.verified.borrow_mut().insert(segment.id),
            None => self.verified.borrow_mut().remove(&segment.id),
        };
        Ok(verified)
    }

    /// Reports whether all segments exist and have the right hash. For a segment that was verified
    /// before, only the size is compared.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_index::segments::{Segment, SegmentCache};
    ///
    /// let segment = Segment::of(b"facts");
    /// let path = segment.id.path().unwrap();
    /// let verify = |text: &str| {
    ///     let host = MemoryHost::new(&[(path.as_str(), text)]);
    ///     block_on(SegmentCache::default().verify(&host, &[segment])).unwrap()
    /// };
    /// assert!(verify("facts"));
    /// assert!(!verify("fakes"));
    /// ```
    pub async fn verify(
        &self,
        host: &impl Host,
        segments: &[Segment],
    ) -> Result<bool, RagnavError> {
        let paths = segments.iter().map(|segment| segment.id.path());
        let paths: Vec<RepoPath> = paths.collect::<Result<_, _>>()?;
        if paths.is_empty() {
            return Ok(true);
        }
        let stats = host.send(StatRequest { paths }).await?;
        for (segment, stat) in segments.iter().zip(stats) {
            let is_verified = self.verified.borrow().contains(&segment.id);
            let is_valid = match stat {
                Ok(stat) if stat.size != u64::from(segment.len) => false,
                Ok(_) if is_verified => true,
                Err(HostError::Missing) => false,
                // The segment was not verified yet, or the host has no stamps.
                _ => self.fetch(host, *segment).await?.is_some(),
            };
            if !is_valid {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Caches segments that are to be written.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_index::segments::{Segment, SegmentCache, SegmentId};
    ///
    /// let cache = SegmentCache::default();
    /// cache.stage(vec![(SegmentId::of(b"facts"), b"facts".to_vec())]);
    /// assert!(block_on(cache.read(&MemoryHost::default(), Segment::of(b"facts"))).is_some());
    /// ```
    pub fn stage(&self, segments: Vec<(SegmentId, Vec<u8>)>) {
        let staged = segments.into_iter().map(|(id, bytes)| (id, bytes.into()));
        self.unwritten.borrow_mut().extend(staged);
    }

    /// Writes the segments that are not written yet.
    ///
    /// # Errors
    /// `INDEX_WRITE_FAILED` if the host cannot write.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_index::segments::{Segment, SegmentCache, SegmentId};
    ///
    /// let host = MemoryHost::default();
    /// let cache = SegmentCache::default();
    /// cache.stage(vec![(SegmentId::of(b"facts"), b"facts".to_vec())]);
    /// block_on(cache.write(&host)).unwrap();
    /// assert!(block_on(SegmentCache::default().verify(&host, &[Segment::of(b"facts")])).unwrap());
    /// ```
    pub async fn write(&self, host: &impl Host) -> Result<(), RagnavError> {
        for (id, bytes) in self.unwritten.take() {
            host::write(host, id.path()?, bytes.to_vec()).await?;
            self.verified.borrow_mut().insert(id);
        }
        Ok(())
    }

    /// Drops all other segments from the cache, except those that are not written yet.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_index::segments::{Segment, SegmentCache, SegmentId};
    ///
    /// let cache = SegmentCache::default();
    /// cache.stage(vec![(SegmentId::of(b"facts"), b"facts".to_vec())]);
    /// cache.retain(&[]);
    /// // The segment is not written yet.
    /// assert!(block_on(cache.read(&MemoryHost::default(), Segment::of(b"facts"))).is_some());
    /// ```
    pub fn retain(&self, needed: &[Segment]) {
        let is_needed = |id: SegmentId| needed.iter().any(|segment| segment.id == id);
        self.cached.borrow_mut().retain(|(id, _)| is_needed(*id));
        self.verified.borrow_mut().retain(|id| is_needed(*id));
    }

    fn cached(&self, id: SegmentId) -> Option<Rc<[u8]>> {
        let (kept, unwritten) = (self.cached.borrow(), self.unwritten.borrow());
        let found = kept.iter().chain(unwritten.iter());
        let (_, bytes) = found.into_iter().find(|(known, _)| *known == id)?;
        Some(Rc::clone(bytes))
    }

    fn insert(&self, id: SegmentId, bytes: Rc<[u8]>) {
        let mut kept = self.cached.borrow_mut();
        kept.push_back((id, bytes));
        let mut len: usize = kept.iter().map(|(_, bytes)| bytes.len()).sum();
        while len > MAX_CACHED_BYTES
            && kept.len() > 1
            && let Some((_, oldest)) = kept.pop_front()
        {
            len -= oldest.len();
        }
    }
}

/// A writer that packs facts into segments.
#[derive(Debug, Default)]
pub(crate) struct SegmentWriter {
    filled: Vec<Segment>,
    current: Vec<u8>,
    unwritten: Vec<(SegmentId, Vec<u8>)>,
}

impl SegmentWriter {
    /// Appends some bytes. The segment of the returned range counts from the first of this writer.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> SegmentRange {
        if self.current.len() + bytes.len() > SEGMENT_BYTES {
            self.finish_segment();
        }
        let start = wire(self.current.len());
        self.current.extend_from_slice(bytes);
        SegmentRange {
            segment: wire(self.filled.len()),
            start,
            len: wire(bytes.len()),
        }
    }

    /// Takes the full segments that were not taken yet.
    pub(crate) fn take_full_segments(&mut self) -> Vec<(SegmentId, Vec<u8>)> {
        std::mem::take(&mut self.unwritten)
    }

    /// Returns all segments, and the bytes of those that were not taken yet.
    #[must_use]
    pub(crate) fn finish(mut self) -> (Vec<Segment>, Vec<(SegmentId, Vec<u8>)>) {
        self.finish_segment();
        (self.filled, self.unwritten)
    }

    fn finish_segment(&mut self) {
        if self.current.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.current);
        let segment = Segment::of(&bytes);
        self.filled.push(segment);
        self.unwritten.push((segment.id, bytes));
    }
}

/// Removes the segments that no index needs. If that fails, they stay until the next build.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_index::segments::{Segment, SegmentCache, remove_unneeded};
///
/// let segment = Segment::of(b"facts");
/// let path = segment.id.path().unwrap();
/// let host = MemoryHost::new(&[(path.as_str(), "facts")]);
/// block_on(remove_unneeded(&host, &[]));
/// assert!(!block_on(SegmentCache::default().verify(&host, &[segment])).unwrap());
/// ```
pub async fn remove_unneeded(host: &impl Host, needed: &[Segment]) {
    remove_unneeded_with_prefix(host, PREFIX, needed).await;
}

/// Removes files like [`remove_unneeded`], whose names begin with `prefix`.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::stat_one;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_index::segments::{Segment, remove_unneeded_with_prefix};
///
/// let path = Segment::of(b"documents").id.path_with_prefix("documents-").unwrap();
/// let host = MemoryHost::new(&[(path.as_str(), "documents")]);
/// block_on(remove_unneeded_with_prefix(&host, "documents-", &[]));
/// assert!(block_on(stat_one(&host, &path)).unwrap().is_err());
/// ```
pub async fn remove_unneeded_with_prefix(host: &impl Host, prefix: &str, needed: &[Segment]) {
    let Ok(folder) = RepoPath::parse(SEGMENT_FOLDER) else {
        return;
    };
    let listed = host
        .send(ReadDirsRequest {
            paths: vec![folder.clone()],
        })
        .await;
    let listed = listed.ok().and_then(|listed| listed.into_iter().next());
    let Some(Ok(entries)) = listed else {
        return;
    };
    for entry in entries {
        let id = SegmentId::from_file_name_with_prefix(prefix, &entry.name);
        let is_needed = |id: SegmentId| needed.iter().any(|segment| segment.id == id);
        if id.is_some_and(|id| !is_needed(id))
            && let Some(path) = folder.join(&entry.name)
        {
            let _ = host.send(RemoveRequest { path }).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_found_by_its_name() {
        let id = SegmentId::of(b"facts");
        let path = id.path().map(|path| SegmentId::from_file_name(path.name()));
        assert_eq!(path, Ok(Some(id)));
        for other in [
            "facts.bin",
            "facts-.bin",
            "facts-zz.bin",
            "index_status.json",
        ] {
            assert_eq!(SegmentId::from_file_name(other), None, "{other}");
        }
    }

    #[test]
    fn what_no_index_needs_is_forgotten() {
        let cache = SegmentCache::default();
        let segments = [b"old", b"new"].map(|bytes| Segment {
            id: SegmentId::of(bytes),
            len: wire(bytes.len()),
        });
        for segment in segments {
            cache.insert(segment.id, Rc::from(&b"facts"[..]));
        }
        cache.stage(vec![(SegmentId::of(b"unwritten"), Vec::new())]);
        cache.retain(&segments[1..]);
        let known = |bytes: &[u8]| cache.cached(SegmentId::of(bytes)).is_some();
        assert_eq!(
            [known(b"old"), known(b"new"), known(b"unwritten")],
            [false, true, true]
        );
    }

    #[test]
    fn a_full_segment_begins_another() {
        let mut writer = SegmentWriter::default();
        let small = writer.append(b"abc");
        let large = writer.append(&vec![7; SEGMENT_BYTES]);
        let last = writer.append(b"d");
        assert_eq!([small.segment, large.segment, last.segment], [0, 1, 2]);
        assert_eq!(writer.take_full_segments().len(), 2);
        let (segments, unwritten) = writer.finish();
        assert_eq!((segments.len(), unwritten.len()), (3, 1));
        let bytes = unwritten.first().and_then(|(_, bytes)| last.slice(bytes));
        assert_eq!(bytes, Some(&b"d"[..]));
    }
}
