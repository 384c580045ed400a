//! Where the facts of files are kept: files of about a mebibyte, each named for the hash of its bytes.
//!
//! A segment is never changed, so an update writes what is new alone, a reader fetches what a question needs alone, and what does not
//! have the hash of its name is not read.

use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, Host, HostError};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;

/// The folder that segments are in.
pub const SEGMENT_FOLDER: &str = ".llmc/rag";
const PREFIX: &str = "facts-";
const SUFFIX: &str = ".bin";

/// A segment that has this many bytes is written.
pub const SEGMENT_BYTES: usize = 1 << 20;
/// The largest segment that is read, in bytes: the facts of one file may be larger than a segment is meant to be.
const MAX_SEGMENT_BYTES: u32 = 256 << 20;
/// How many bytes of segments are kept between questions.
const MAX_KEPT_BYTES: usize = 64 << 20;

/// A segment's name: the hash of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SegmentId([u8; 16]);

impl SegmentId {
    /// Of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes).to_le_bytes())
    }

    /// Where it is.
    ///
    /// # Errors
    /// None in practice: the path is a plain one.
    pub fn path(self) -> Result<RepoPath, RagnavError> {
        self.path_of(PREFIX)
    }

    /// Where it is, of files whose names begin otherwise.
    ///
    /// # Errors
    /// None in practice: the path is a plain one.
    pub fn path_of(self, prefix: &str) -> Result<RepoPath, RagnavError> {
        let hash = u128::from_le_bytes(self.0);
        RepoPath::parse(&format!("{SEGMENT_FOLDER}/{prefix}{hash:032x}{SUFFIX}"))
    }

    /// Of a file's name; `None` for a file that is no segment.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::of_name_with(PREFIX, name)
    }

    fn of_name_with(prefix: &str, name: &str) -> Option<Self> {
        let hash = name.strip_prefix(prefix)?.strip_suffix(SUFFIX)?;
        let hash = u128::from_str_radix(hash, 16).ok()?;
        Some(Self(hash.to_le_bytes()))
    }
}

/// A segment of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Its name.
    pub id: SegmentId,
    /// How many bytes it has.
    pub len: u32,
}

/// Some bytes of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Which of the index's segments.
    pub segment: u32,
    /// Where in it they begin.
    pub start: u32,
    /// How many they are.
    pub len: u32,
}

impl Place {
    /// The bytes, of the segment's.
    #[must_use]
    pub fn of(self, segment: &[u8]) -> Option<&[u8]> {
        let start = self.start as usize;
        segment.get(start..start.checked_add(self.len as usize)?)
    }
}

type Named = (SegmentId, Rc<[u8]>);

/// The segments that were read last, by name: what was read once is right for ever.
#[derive(Debug, Default)]
pub struct SegmentCache {
    kept: RefCell<VecDeque<Named>>,
    /// Those that nobody has written yet.
    unwritten: RefCell<Vec<Named>>,
    /// Those that were what their names say when they were read or written last.
    sound: RefCell<BTreeSet<SegmentId>>,
}

impl SegmentCache {
    /// The bytes of a segment; `None` where it cannot be read or is not what its name says.
    pub async fn read(&self, host: &impl Host, segment: Segment) -> Option<Rc<[u8]>> {
        if let Some(known) = self.known(segment.id) {
            return Some(known);
        }
        let bytes: Rc<[u8]> = self.read_anew(host, segment).await.ok()??.into();
        self.keep(segment.id, Rc::clone(&bytes));
        Some(bytes)
    }

    /// The bytes of a segment as they are there now; `None` where it cannot be read or is not what its name says.
    async fn read_anew(
        &self,
        host: &impl Host,
        segment: Segment,
    ) -> Result<Option<Vec<u8>>, RagnavError> {
        let read = host::read_one(host, &segment.id.path()?, MAX_SEGMENT_BYTES).await?;
        let sound = read.ok().filter(|bytes| SegmentId::of(bytes) == segment.id);
        match sound {
            Some(_) => self.sound.borrow_mut().insert(segment.id),
            None => self.sound.borrow_mut().remove(&segment.id),
        };
        Ok(sound)
    }

    /// Whether all segments are there and are what their names say. One that was so before is looked at by its size alone.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws.
    pub async fn are_sound(
        &self,
        host: &impl Host,
        segments: &[Segment],
    ) -> Result<bool, RagnavError> {
        let paths = segments.iter().map(|segment| segment.id.path());
        let paths: Vec<RepoPath> = paths.collect::<Result<_, _>>()?;
        if paths.is_empty() {
            return Ok(true);
        }
        let stats = host::stat(host, &paths).await?;
        for (segment, stat) in segments.iter().zip(stats) {
            let is_known = self.sound.borrow().contains(&segment.id);
            let is_sound = match stat {
                Ok(stat) if stat.size != u64::from(segment.len) => false,
                Ok(_) if is_known => true,
                Err(HostError::Missing) => false,
                // Not looked at yet, or of a host without stamps.
                _ => self.read_anew(host, *segment).await?.is_some(),
            };
            if !is_sound {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Holds segments until they are written.
    pub fn hold(&self, segments: Vec<(SegmentId, Vec<u8>)>) {
        let held = segments.into_iter().map(|(id, bytes)| (id, bytes.into()));
        self.unwritten.borrow_mut().extend(held);
    }

    /// Writes the segments that it holds.
    ///
    /// # Errors
    /// `INDEX_WRITE_FAILED` where the host cannot write.
    pub async fn write(&self, host: &impl Host) -> Result<(), RagnavError> {
        for (id, bytes) in self.unwritten.take() {
            host::write(host, id.path()?, bytes.to_vec()).await?;
            self.sound.borrow_mut().insert(id);
        }
        Ok(())
    }

    /// Forgets all that is not among these, but what nobody has written yet.
    pub fn keep_only(&self, needed: &[Segment]) {
        let is_needed = |id: SegmentId| needed.iter().any(|segment| segment.id == id);
        self.kept.borrow_mut().retain(|(id, _)| is_needed(*id));
        self.sound.borrow_mut().retain(|id| is_needed(*id));
    }

    fn known(&self, id: SegmentId) -> Option<Rc<[u8]>> {
        let (kept, unwritten) = (self.kept.borrow(), self.unwritten.borrow());
        let found = kept.iter().chain(unwritten.iter());
        let (_, bytes) = found.into_iter().find(|(known, _)| *known == id)?;
        Some(Rc::clone(bytes))
    }

    fn keep(&self, id: SegmentId, bytes: Rc<[u8]>) {
        let mut kept = self.kept.borrow_mut();
        kept.push_back((id, bytes));
        let mut len: usize = kept.iter().map(|(_, bytes)| bytes.len()).sum();
        while len > MAX_KEPT_BYTES
            && kept.len() > 1
            && let Some((_, oldest)) = kept.pop_front()
        {
            len -= oldest.len();
        }
    }
}

/// Segments that are being filled.
#[derive(Debug, Default)]
pub struct SegmentWriter {
    filled: Vec<Segment>,
    current: Vec<u8>,
    unwritten: Vec<(SegmentId, Vec<u8>)>,
}

impl SegmentWriter {
    /// Puts some bytes behind the others; the place's segment counts from the first of this writer.
    pub fn append(&mut self, bytes: &[u8]) -> Place {
        if self.current.len() + bytes.len() > SEGMENT_BYTES {
            self.fill();
        }
        let start = wire(self.current.len());
        self.current.extend_from_slice(bytes);
        Place {
            segment: wire(self.filled.len()),
            start,
            len: wire(bytes.len()),
        }
    }

    /// The segments that are full and were not taken yet.
    pub fn take_full(&mut self) -> Vec<(SegmentId, Vec<u8>)> {
        std::mem::take(&mut self.unwritten)
    }

    /// All segments, and those that were not taken yet.
    #[must_use]
    pub fn finish(mut self) -> (Vec<Segment>, Vec<(SegmentId, Vec<u8>)>) {
        self.fill();
        (self.filled, self.unwritten)
    }

    fn fill(&mut self) {
        if self.current.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.current);
        let id = SegmentId::of(&bytes);
        self.filled.push(Segment {
            id,
            len: wire(bytes.len()),
        });
        self.unwritten.push((id, bytes));
    }
}

/// Removes the segments that no index needs. What cannot be listed or removed stays until the next build.
pub async fn remove_others(host: &impl Host, needed: &[Segment]) {
    remove_others_of(host, PREFIX, needed).await;
}

/// As [`remove_others`], of files whose names begin otherwise.
pub async fn remove_others_of(host: &impl Host, prefix: &str, needed: &[Segment]) {
    let Ok(folder) = RepoPath::parse(SEGMENT_FOLDER) else {
        return;
    };
    let listed = host::read_dirs(host, std::slice::from_ref(&folder)).await;
    let listed = listed.ok().and_then(|listed| listed.into_iter().next());
    let Some(Ok(entries)) = listed else {
        return;
    };
    for entry in entries {
        let id = SegmentId::of_name_with(prefix, &entry.name);
        let is_needed = |id: SegmentId| needed.iter().any(|segment| segment.id == id);
        if id.is_some_and(|id| !is_needed(id))
            && let Some(path) = folder.join(&entry.name)
        {
            let _ = host::remove(host, path).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_found_by_its_name() {
        let id = SegmentId::of(b"facts");
        let path = id.path().map(|path| SegmentId::of_name(path.name()));
        assert_eq!(path, Ok(Some(id)));
        for other in [
            "facts.bin",
            "facts-.bin",
            "facts-zz.bin",
            "index_status.json",
        ] {
            assert_eq!(SegmentId::of_name(other), None, "{other}");
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
            cache.keep(segment.id, Rc::from(&b"facts"[..]));
        }
        cache.hold(vec![(SegmentId::of(b"unwritten"), Vec::new())]);
        cache.keep_only(&segments[1..]);
        let known = |bytes: &[u8]| cache.known(SegmentId::of(bytes)).is_some();
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
        assert_eq!(writer.take_full().len(), 2);
        let (segments, unwritten) = writer.finish();
        assert_eq!((segments.len(), unwritten.len()), (3, 1));
        let bytes = unwritten.first().and_then(|(_, bytes)| last.of(bytes));
        assert_eq!(bytes, Some(&b"d"[..]));
    }
}
