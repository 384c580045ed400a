//! The files of the embedded store: immutable segments, named by their hash, and a manifest that is
//! written last.

use std::cell::RefCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::embedded::EmbeddedStore;
use super::segment::DocumentSegment;
use crate::chunk::CHUNK_VERSION;
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, Host, HostError};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_index::index::INDEX_VERSION;
use ragnav_index::segments::{Segment, SegmentId, remove_unneeded_with_prefix};

/// The path of the manifest.
pub const DOCUMENTS_FILE: &str = ".llmc/rag/documents.bin";
const PREFIX: &str = "documents-";

/// The version of the layout.
const LAYOUT_VERSION: u32 = 5;
const MAGIC: [u8; 8] = *b"ragnavdo";

/// The size limit of a file, in bytes.
const MAX_BYTES: u32 = 1 << 30;

/// The manifest.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    versions: BuildVersions,
    embedder: Option<String>,
    generation: Option<String>,
    segments: Vec<SegmentEntry>,
    counts: StoreCounts,
}

/// The sizes of a store.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct StoreCounts {
    pub(crate) documents: u32,
    pub(crate) files: u32,
}

/// The versions that documents depend on, besides their files.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct BuildVersions {
    layout: u32,
    chunks: u32,
    facts: u32,
    extractors: Vec<(String, u64)>,
}

impl BuildVersions {
    fn current() -> Self {
        Self {
            layout: LAYOUT_VERSION,
            chunks: CHUNK_VERSION,
            facts: INDEX_VERSION,
            extractors: ragnav_syntax::extractors(),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct SegmentEntry {
    segment: Segment,
    /// The ranges of deleted documents.
    deleted: Vec<(u32, u32)>,
}

/// An opened store.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::built;
/// use ragnav_agent::store::files::{StoreCache, open};
/// use ragnav_base::memory_host::block_on;
///
/// let host = built(&[("notes.md", "# Deployment\nRun the script.\n")]);
/// let opened = block_on(open(&host, &StoreCache::default())).unwrap();
/// assert_eq!((opened.store.count(), opened.fault), (1, None));
/// ```
#[derive(Debug, Clone)]
pub struct OpenedStore {
    /// The documents; none if there is no store.
    pub store: Rc<EmbeddedStore>,
    /// The reason why the store is incomplete.
    pub fault: Option<StoreFault>,
}

/// The reason why a store is incomplete.
///
/// # Examples
///
/// ```
/// use ragnav_agent::store::files::{StoreCache, StoreFault, open};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// let opened = block_on(open(&MemoryHost::default(), &StoreCache::default())).unwrap();
/// assert_eq!(opened.fault, Some(StoreFault::Missing));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StoreFault {
    /// There is no store.
    #[error("there is no store of documents yet; build it")]
    Missing,
    /// A file is damaged.
    #[error("the store of documents is damaged; build it again")]
    Damaged,
    /// Another version of ragnav wrote the store.
    #[error("another version of ragnav wrote the store of documents; build it again")]
    Unsupported,
}

/// The store that was opened last, and the store that a query derived from it.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::built;
/// use std::rc::Rc;
///
/// use ragnav_agent::store::files::{StoreCache, open};
/// use ragnav_base::memory_host::block_on;
///
/// let host = built(&[("notes.md", "# Deployment\nRun the script.\n")]);
/// let cache = StoreCache::default();
/// let first = block_on(open(&host, &cache)).unwrap();
/// let second = block_on(open(&host, &cache)).unwrap();
/// assert!(Rc::ptr_eq(&first.store, &second.store));
/// ```
#[derive(Debug, Default)]
pub struct StoreCache {
    opened: RefCell<Option<(u128, Rc<EmbeddedStore>)>>,
    derived: RefCell<Option<(Rc<EmbeddedStore>, Rc<EmbeddedStore>)>>,
}

impl StoreCache {
    /// Returns the opened store if its manifest has this hash.
    fn known(&self, manifest: u128) -> Option<Rc<EmbeddedStore>> {
        let opened = self.opened.borrow();
        let known = opened.as_ref().filter(|(hash, _)| *hash == manifest);
        known.map(|(_, store)| Rc::clone(store))
    }

    /// Returns the store that was derived from a stored one, or the stored one.
    pub(crate) fn derived_from(&self, stored: &Rc<EmbeddedStore>) -> Rc<EmbeddedStore> {
        match &*self.derived.borrow() {
            Some((of, derived)) if is_same(of, stored) => Rc::clone(derived),
            _ => Rc::clone(stored),
        }
    }

    /// Caches the store that was derived from a stored one.
    pub(crate) fn keep_derived(&self, of: &Rc<EmbeddedStore>, derived: &Rc<EmbeddedStore>) {
        self.derived
            .replace(Some((Rc::clone(of), Rc::clone(derived))));
    }
}

/// Reports whether two stores are the same. Two empty ones are, since a missing store is opened
/// anew each time.
fn is_same(one: &Rc<EmbeddedStore>, other: &Rc<EmbeddedStore>) -> bool {
    let are_empty = one.segments.is_empty() && other.segments.is_empty();
    Rc::ptr_eq(one, other) || are_empty
}

/// Opens the store. Its segments are read again only if the manifest has changed.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::built;
/// use ragnav_agent::store::files::{StoreCache, open};
/// use ragnav_base::memory_host::block_on;
///
/// let host = built(&[("a.md", "# Deployment\nRun it.\n"), ("b.md", "# Lunch\nAt noon.\n")]);
/// let opened = block_on(open(&host, &StoreCache::default())).unwrap();
/// assert_eq!(opened.store.count(), 2);
/// ```
pub async fn open(host: &impl Host, cache: &StoreCache) -> Result<OpenedStore, RagnavError> {
    let path = RepoPath::parse(DOCUMENTS_FILE)?;
    let none = |fault| OpenedStore {
        store: Rc::default(),
        fault: Some(fault),
    };
    let bytes = match host::read_one(host, &path, MAX_BYTES).await? {
        Ok(bytes) => bytes,
        Err(HostError::Missing) => return Ok(none(StoreFault::Missing)),
        Err(_) => return Ok(none(StoreFault::Damaged)),
    };
    let hash = xxh3_128(&bytes);
    if let Some(store) = cache.known(hash) {
        return Ok(OpenedStore { store, fault: None });
    }
    let manifest = match read_manifest(&bytes) {
        Ok(manifest) => manifest,
        Err(fault) => return Ok(none(fault)),
    };
    let mut store = EmbeddedStore {
        segments: Vec::with_capacity(manifest.segments.len()),
        embedder: manifest.embedder,
        generation: manifest.generation,
    };
    let mut fault = None;
    for SegmentEntry {
        segment: file,
        deleted,
    } in manifest.segments
    {
        let bytes = read_segment(host, file).await?;
        match bytes.and_then(|bytes| DocumentSegment::from_bytes(&bytes)) {
            Some(mut segment) => {
                segment.mark_deleted(&deleted);
                segment.file = Some(file);
                store.segments.push(segment);
            }
            None => fault = Some(StoreFault::Damaged),
        }
    }
    let store = Rc::new(store);
    if fault.is_none() {
        cache.opened.replace(Some((hash, Rc::clone(&store))));
    }
    Ok(OpenedStore { store, fault })
}

/// Returns the sizes of the store if it is whole and has the documents of an index, without
/// decoding it.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(crate) async fn counts_of_current(
    host: &impl Host,
    cache: &StoreCache,
    generation: &str,
) -> Result<Option<StoreCounts>, RagnavError> {
    let path = RepoPath::parse(DOCUMENTS_FILE)?;
    let read = host::read_one(host, &path, MAX_BYTES).await?;
    let Ok(bytes) = read else {
        return Ok(None);
    };
    let manifest = read_manifest(&bytes).ok();
    let is_of_index = |manifest: &Manifest| manifest.generation.as_deref() == Some(generation);
    let Some(manifest) = manifest.filter(is_of_index) else {
        return Ok(None);
    };
    if cache.known(xxh3_128(&bytes)).is_none() {
        for SegmentEntry { segment, .. } in manifest.segments {
            if read_segment(host, segment).await?.is_none() {
                return Ok(None);
            }
        }
    }
    Ok(Some(manifest.counts))
}

/// Returns the bytes of a segment; `None` if they are missing or damaged.
async fn read_segment(host: &impl Host, segment: Segment) -> Result<Option<Vec<u8>>, RagnavError> {
    let path = segment.id.path_with_prefix(PREFIX)?;
    let read = host::read_one(host, &path, MAX_BYTES).await?;
    Ok(read.ok().filter(|bytes| SegmentId::of(bytes) == segment.id))
}

/// Writes a store: its segments, then the manifest. Then it removes unused segments. Returns the
/// size on disk in bytes.
///
/// # Errors
/// `INDEX_WRITE_FAILED` if the host cannot write. The previous store is unchanged then.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::document;
/// use ragnav_agent::store::Store;
/// use ragnav_agent::store::embedded::EmbeddedStore;
/// use ragnav_agent::store::files::{StoreCache, open, save};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// let host = MemoryHost::default();
/// let mut store = EmbeddedStore::default();
/// block_on(store.upsert(vec![document("1", "red fox")])).unwrap();
/// assert!(block_on(save(&host, &store)).unwrap() > 0);
/// let opened = block_on(open(&host, &StoreCache::default())).unwrap();
/// assert_eq!(opened.store.count(), 1);
/// ```
pub async fn save(host: &impl Host, store: &EmbeddedStore) -> Result<u64, RagnavError> {
    let mut segments = Vec::with_capacity(store.segments.len());
    let mut size = 0;
    for segment in store.segments.iter().filter(|segment| segment.count() > 0) {
        let file = match segment.file {
            Some(file) if segment_exists(host, file).await? => file,
            _ => write_segment(host, &segment.to_bytes()).await?,
        };
        size += u64::from(file.len);
        let deleted = segment.deleted_ranges();
        segments.push(SegmentEntry {
            segment: file,
            deleted,
        });
    }
    let needed: Vec<Segment> = segments.iter().map(|entry| entry.segment).collect();
    let list = Manifest {
        versions: BuildVersions::current(),
        embedder: store.embedder.clone(),
        generation: store.generation.clone(),
        segments,
        counts: StoreCounts {
            documents: wire(store.count()),
            files: wire(store.files().count()),
        },
    };
    // Writing to memory cannot fail, and every type in the manifest serialises.
    let list = postcard::to_allocvec(&list).unwrap_or_default();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(xxh3_128(&list).to_le_bytes());
    bytes.extend(list);
    size += bytes.len() as u64;
    host::write(host, RepoPath::parse(DOCUMENTS_FILE)?, bytes).await?;
    remove_unneeded_with_prefix(host, PREFIX, &needed).await;
    Ok(size)
}

async fn segment_exists(host: &impl Host, segment: Segment) -> Result<bool, RagnavError> {
    let path = segment.id.path_with_prefix(PREFIX)?;
    let stat = host::stat_one(host, &path).await?;
    Ok(stat.is_ok_and(|stat| stat.size == u64::from(segment.len)))
}

async fn write_segment(host: &impl Host, bytes: &[u8]) -> Result<Segment, RagnavError> {
    let segment = Segment {
        id: SegmentId::of(bytes),
        len: wire(bytes.len()),
    };
    host::write(host, segment.id.path_with_prefix(PREFIX)?, bytes.to_vec()).await?;
    Ok(segment)
}

fn read_manifest(bytes: &[u8]) -> Result<Manifest, StoreFault> {
    let rest = bytes.strip_prefix(&MAGIC).ok_or(StoreFault::Damaged)?;
    let (checksum, list) = rest
        .split_at_checked(size_of::<u128>())
        .ok_or(StoreFault::Damaged)?;
    if xxh3_128(list).to_le_bytes() != checksum {
        return Err(StoreFault::Damaged);
    }
    // The versions come first, so that a manifest of another layout is recognised.
    let versions = postcard::take_from_bytes::<BuildVersions>(list).map(|(versions, _)| versions);
    if versions.as_ref().ok() != Some(&BuildVersions::current()) {
        return Err(StoreFault::Unsupported);
    }
    postcard::from_bytes(list).map_err(|_| StoreFault::Damaged)
}

impl From<StoreFault> for RagnavError {
    fn from(fault: StoreFault) -> Self {
        Self::new(ErrorCode::StoreFailed, fault.to_string())
    }
}
