//! The embedded store on disk: parts, each named for the hash of its bytes, and a list of them that is written last.

use std::cell::RefCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::embedded::EmbeddedStore;
use super::part::Part;
use crate::chunk::CHUNK_VERSION;
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, Host, HostError};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_index::index::INDEX_VERSION;
use ragnav_index::segments::{Segment, SegmentId, remove_unneeded_with_prefix};

/// Where the list of parts is.
pub const DOCUMENTS_FILE: &str = ".llmc/rag/documents.bin";
const PREFIX: &str = "documents-";

/// Raised with every change of the layout.
const LAYOUT_VERSION: u32 = 2;
const MAGIC: [u8; 8] = *b"ragnavdo";

/// The largest file of a store that is read, in bytes.
const MAX_BYTES: u32 = 1 << 30;

/// The list of parts.
#[derive(Debug, Serialize, Deserialize)]
struct List {
    made_by: MadeBy,
    embedder: Option<String>,
    generation: Option<String>,
    parts: Vec<Listed>,
}

/// What documents are a function of, beside the files.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct MadeBy {
    layout: u32,
    chunks: u32,
    facts: u32,
    languages: Vec<String>,
}

impl MadeBy {
    fn this_build() -> Self {
        Self {
            layout: LAYOUT_VERSION,
            chunks: CHUNK_VERSION,
            facts: INDEX_VERSION,
            languages: ragnav_syntax::language_names(),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Listed {
    segment: Segment,
    /// Runs of documents that count no more.
    dead: Vec<(u32, u32)>,
}

/// What there is where the store should be.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The documents; none where there is no store.
    pub store: Rc<EmbeddedStore>,
    /// Why it is not whole; `None` where it is.
    pub fault: Option<StoreFault>,
}

/// Why a store is not whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StoreFault {
    /// There is none.
    #[error("there is no store of documents yet; build it")]
    Missing,
    /// It, or a part of it, is not as it was written.
    #[error("the store of documents is damaged; build it again")]
    Damaged,
    /// Another version of ragnav wrote it.
    #[error("another version of ragnav wrote the store of documents; build it again")]
    Unsupported,
}

/// The store that was opened last, and what was made of it for a question, kept between questions.
#[derive(Debug, Default)]
pub struct StoreCache {
    opened: RefCell<Option<(u128, Rc<EmbeddedStore>)>>,
    made: RefCell<Option<(Rc<EmbeddedStore>, Rc<EmbeddedStore>)>>,
}

impl StoreCache {
    /// What was made of a store, or the store itself.
    pub(crate) fn made_of(&self, stored: &Rc<EmbeddedStore>) -> Rc<EmbeddedStore> {
        match &*self.made.borrow() {
            Some((of, made)) if is_same(of, stored) => Rc::clone(made),
            _ => Rc::clone(stored),
        }
    }

    /// Keeps what was made of a store.
    pub(crate) fn keep_made(&self, of: &Rc<EmbeddedStore>, made: &Rc<EmbeddedStore>) {
        self.made.replace(Some((Rc::clone(of), Rc::clone(made))));
    }
}

/// Whether two stores are one that was opened once, or are both empty: where there is none, each time another empty one is opened.
fn is_same(one: &Rc<EmbeddedStore>, other: &Rc<EmbeddedStore>) -> bool {
    let are_empty = one.parts.is_empty() && other.parts.is_empty();
    Rc::ptr_eq(one, other) || are_empty
}

/// Opens the store. Its parts are not read again while its list is the same.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub async fn open(host: &impl Host, cache: &StoreCache) -> Result<Opened, RagnavError> {
    let path = RepoPath::parse(DOCUMENTS_FILE)?;
    let none = |fault| Opened {
        store: Rc::default(),
        fault: Some(fault),
    };
    let bytes = match host::read_one(host, &path, MAX_BYTES).await? {
        Ok(bytes) => bytes,
        Err(HostError::Missing) => return Ok(none(StoreFault::Missing)),
        Err(_) => return Ok(none(StoreFault::Damaged)),
    };
    let hash = xxh3_128(&bytes);
    if let Some((known, store)) = cache.opened.borrow().as_ref()
        && *known == hash
    {
        return Ok(Opened {
            store: Rc::clone(store),
            fault: None,
        });
    }
    let list = match read_list(&bytes) {
        Ok(list) => list,
        Err(fault) => return Ok(none(fault)),
    };
    let mut store = EmbeddedStore {
        parts: Vec::with_capacity(list.parts.len()),
        embedder: list.embedder,
        generation: list.generation,
    };
    let mut fault = None;
    for Listed { segment, dead } in list.parts {
        let path = segment.id.path_with_prefix(PREFIX)?;
        let read = host::read_one(host, &path, MAX_BYTES).await?;
        let bytes = read.ok().filter(|bytes| SegmentId::of(bytes) == segment.id);
        match bytes.and_then(|bytes| Part::of_bytes(&bytes)) {
            Some(mut part) => {
                part.bury(&dead);
                part.segment = Some(segment);
                store.parts.push(part);
            }
            None => fault = Some(StoreFault::Damaged),
        }
    }
    let store = Rc::new(store);
    if fault.is_none() {
        cache.opened.replace(Some((hash, Rc::clone(&store))));
    }
    Ok(Opened { store, fault })
}

/// Writes a store: its parts, then their list; then removes what no list names. Gives the bytes that it takes on disk.
///
/// # Errors
/// `INDEX_WRITE_FAILED` where the host cannot write; what was there stands then.
pub async fn save(host: &impl Host, store: &EmbeddedStore) -> Result<u64, RagnavError> {
    let mut parts = Vec::with_capacity(store.parts.len());
    let mut size = 0;
    for part in store.parts.iter().filter(|part| part.count() > 0) {
        let segment = match part.segment {
            Some(segment) if is_there(host, segment).await? => segment,
            _ => write_part(host, &part.to_bytes()).await?,
        };
        size += u64::from(segment.len);
        let dead = part.dead();
        parts.push(Listed { segment, dead });
    }
    let needed: Vec<Segment> = parts.iter().map(|listed| listed.segment).collect();
    let list = List {
        made_by: MadeBy::this_build(),
        embedder: store.embedder.clone(),
        generation: store.generation.clone(),
        parts,
    };
    // Writing to memory cannot fail, and no type in the list refuses to be written.
    let list = postcard::to_allocvec(&list).unwrap_or_default();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(xxh3_128(&list).to_le_bytes());
    bytes.extend(list);
    size += bytes.len() as u64;
    host::write(host, RepoPath::parse(DOCUMENTS_FILE)?, bytes).await?;
    remove_unneeded_with_prefix(host, PREFIX, &needed).await;
    Ok(size)
}

async fn is_there(host: &impl Host, segment: Segment) -> Result<bool, RagnavError> {
    let path = segment.id.path_with_prefix(PREFIX)?;
    let stats = host::stat(host, std::slice::from_ref(&path)).await?;
    let stat = stats.first().and_then(|stat| stat.as_ref().ok());
    Ok(stat.is_some_and(|stat| stat.size == u64::from(segment.len)))
}

async fn write_part(host: &impl Host, bytes: &[u8]) -> Result<Segment, RagnavError> {
    let segment = Segment {
        id: SegmentId::of(bytes),
        len: wire(bytes.len()),
    };
    host::write(host, segment.id.path_with_prefix(PREFIX)?, bytes.to_vec()).await?;
    Ok(segment)
}

fn read_list(bytes: &[u8]) -> Result<List, StoreFault> {
    let rest = bytes.strip_prefix(&MAGIC).ok_or(StoreFault::Damaged)?;
    let (checksum, list) = rest
        .split_at_checked(size_of::<u128>())
        .ok_or(StoreFault::Damaged)?;
    if xxh3_128(list).to_le_bytes() != checksum {
        return Err(StoreFault::Damaged);
    }
    // What made it stands first, so that another layout is known as such.
    let made_by = postcard::take_from_bytes::<MadeBy>(list).map(|(made_by, _)| made_by);
    if made_by.as_ref().ok() != Some(&MadeBy::this_build()) {
        return Err(StoreFault::Unsupported);
    }
    postcard::from_bytes(list).map_err(|_| StoreFault::Damaged)
}

impl From<StoreFault> for RagnavError {
    fn from(fault: StoreFault) -> Self {
        Self::new(ErrorCode::StoreFailed, fault.to_string())
    }
}
