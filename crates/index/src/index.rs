//! The index proper: every file with what proves it, which names stand where, and where the facts of each file are.
//!
//! Its file is a magic word, a version, the xxh3 of all that follows, a table, and the filters of the files. What does not have its
//! checksum is not opened, and nothing in it is followed out of the repository. Facts are in [segments](crate::segments) and are
//! read when a question needs them.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::content::{ContentHash, StampHash};
use crate::extract::import_name;
use crate::filter::{MAX_FILTER_BYTES, Needle};
use crate::packed;
use crate::postings::Postings;
use crate::segments::{Place, Segment, SegmentCache};
use ragnav_base::host::Host;
use ragnav_base::item::SkipReason;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_syntax::facts::Facts;

/// Where the index is written.
pub const INDEX_FILE: &str = ".llmc/rag/facts.bin";

/// The largest index that is read, in bytes.
pub const MAX_INDEX_BYTES: u32 = 1 << 30;

/// Raised with every change of the layout or of what the languages extract.
pub const INDEX_VERSION: u32 = 12;

const MAGIC: [u8; 8] = *b"ragnavix";
const VERSION_AT: usize = MAGIC.len();
const CHECKSUM_AT: usize = VERSION_AT + size_of::<u32>();
const CHECKED_AT: usize = CHECKSUM_AT + size_of::<u128>();
const TABLE_AT: usize = CHECKED_AT + size_of::<u32>();

/// A file as it was when it was indexed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Where it is.
    pub path: RepoPath,
    /// How many bytes it had.
    pub size: u64,
    /// What its stamp proves; `None` where only its content does.
    pub stamp: Option<StampHash>,
    /// What it held.
    pub content: Content,
    /// Which literals it cannot hold, see [`filter_of`](crate::filter::filter_of), where it is text.
    pub filter: Option<Extent>,
}

/// What an indexed file held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Content {
    /// Text, with facts where its language is known.
    Text(ContentHash, Option<FactsPlace>),
    /// Something that is not searched; without a hash where it could not be read.
    Skipped(SkipReason, Option<ContentHash>),
}

/// Where the facts of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactsPlace {
    /// The facts themselves.
    pub place: Place,
    /// How many bytes its definitions take in the graph, where nothing more is known of them.
    pub entities_len: u32,
    /// Whether they are [partial](Facts::is_partial).
    pub is_partial: bool,
}

/// A part of the region behind the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    start: u32,
    len: u32,
}

impl Extent {
    /// So many bytes from a place on.
    #[must_use]
    pub fn new(start: usize, len: usize) -> Self {
        Self {
            start: wire(start),
            len: wire(len),
        }
    }
}

impl FileRecord {
    /// The hash of its bytes, where they could be read.
    #[must_use]
    pub fn hash(&self) -> Option<ContentHash> {
        match self.content {
            Content::Text(hash, _) => Some(hash),
            Content::Skipped(_, hash) => hash,
        }
    }
}

/// What an index is made of, but for its filters and facts.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Table {
    /// The languages of the build that wrote it: another one extracts other facts.
    pub(super) languages: Vec<String>,
    pub(super) generation: [u8; 16],
    pub(super) files: Vec<FileRecord>,
    pub(super) segments: Vec<Segment>,
    pub(super) postings: Postings,
}

impl Table {
    /// What tells an index from one of other files: the same wherever its facts are kept.
    pub(super) fn generation<'f>(files: impl Iterator<Item = &'f FileRecord>) -> [u8; 16] {
        let mut hash = Xxh3::new();
        hash.update(&INDEX_VERSION.to_le_bytes());
        for name in ragnav_syntax::language_names() {
            hash.update(name.as_bytes());
        }
        let mut buffer = Vec::new();
        for file in files {
            let told = (&file.path, file.size, file.stamp, file.hash());
            let reason = match file.content {
                Content::Text(..) => None,
                Content::Skipped(reason, _) => Some(reason),
            };
            buffer.clear();
            // Writing to memory cannot fail, and no type among these refuses to be written.
            buffer = postcard::to_extend(&(told, reason), buffer).unwrap_or_default();
            hash.update(&buffer);
        }
        hash.digest128().to_le_bytes()
    }

    fn partial(&self) -> Vec<usize> {
        let is_partial = |file: &FileRecord| match file.content {
            Content::Text(_, facts) => facts.is_some_and(|facts| facts.is_partial),
            Content::Skipped(..) => false,
        };
        let files = self.files.iter().enumerate();
        let partial = files.filter(|(_, file)| is_partial(file));
        partial.map(|(at, _)| at).collect()
    }
}

/// An index that was opened.
#[derive(Debug)]
pub struct Index {
    generation: String,
    table: Table,
    /// The places of the files whose facts are partial.
    partial: Vec<usize>,
    bytes: Vec<u8>,
    filters_at: usize,
}

/// Why bytes are no index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IndexFault {
    /// They are no index, or not as they were written.
    #[error("the index is damaged")]
    Damaged,
    /// Another version of ragnav wrote them.
    #[error("another version of ragnav wrote the index")]
    Unsupported,
}

impl Index {
    /// Opens the bytes of an index, in time linear in them.
    ///
    /// # Errors
    /// An [`IndexFault`] for anything but what an [`IndexBuilder`](crate::index_builder::IndexBuilder) made.
    pub fn open(bytes: Vec<u8>) -> Result<Self, IndexFault> {
        let field = |start: usize, end: usize| bytes.get(start..end).ok_or(IndexFault::Damaged);
        if field(0, VERSION_AT)? != MAGIC {
            return Err(IndexFault::Damaged);
        }
        if field(VERSION_AT, CHECKSUM_AT)? != INDEX_VERSION.to_le_bytes() {
            return Err(IndexFault::Unsupported);
        }
        let checksum = xxh3_128(field(CHECKED_AT, bytes.len())?);
        if field(CHECKSUM_AT, CHECKED_AT)? != checksum.to_le_bytes() {
            return Err(IndexFault::Damaged);
        }
        let table_len = field(CHECKED_AT, TABLE_AT)?.try_into();
        let table_len = u32::from_le_bytes(table_len.map_err(|_| IndexFault::Damaged)?);
        let filters_at = TABLE_AT + table_len as usize;
        let table: Table =
            postcard::from_bytes(field(TABLE_AT, filters_at)?).map_err(|_| IndexFault::Damaged)?;
        if table.languages != ragnav_syntax::language_names() {
            return Err(IndexFault::Unsupported);
        }
        if !table.files.is_sorted_by(|a, b| a.path < b.path) {
            return Err(IndexFault::Damaged);
        }
        Ok(Self {
            generation: shown(table.generation),
            partial: table.partial(),
            table,
            bytes,
            filters_at,
        })
    }

    /// An index of a table and the filters of its files.
    pub(super) fn of_table(table: Table, filters: &[u8]) -> Self {
        // Writing to memory cannot fail, and no type in the table refuses to be written.
        let encoded = postcard::to_allocvec(&table).unwrap_or_default();
        let filters_at = TABLE_AT + encoded.len();
        let mut bytes = Vec::with_capacity(filters_at + filters.len());
        bytes.extend(MAGIC);
        bytes.extend(INDEX_VERSION.to_le_bytes());
        bytes.extend([0; size_of::<u128>()]);
        bytes.extend(wire(encoded.len()).to_le_bytes());
        bytes.extend(encoded);
        bytes.extend_from_slice(filters);
        let checksum = xxh3_128(bytes.get(CHECKED_AT..).unwrap_or_default()).to_le_bytes();
        if let Some(field) = bytes.get_mut(CHECKSUM_AT..CHECKED_AT) {
            field.copy_from_slice(&checksum);
        }
        Self {
            generation: shown(table.generation),
            partial: table.partial(),
            table,
            bytes,
            filters_at,
        }
    }

    /// What its files are told from others by: the same in the graph and the status of one build.
    #[must_use]
    pub fn generation(&self) -> &str {
        &self.generation
    }

    /// The bytes of its file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The files, sorted by path.
    #[must_use]
    pub fn files(&self) -> &[FileRecord] {
        &self.table.files
    }

    /// A file by its path.
    #[must_use]
    pub fn file(&self, path: &RepoPath) -> Option<&FileRecord> {
        self.files().get(self.place(path)?)
    }

    /// The segments that its facts are in.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.table.segments
    }

    /// The facts of a file; `None` where it has none, or they cannot be read.
    pub async fn facts(
        &self,
        host: &impl Host,
        segments: &SegmentCache,
        file: &FileRecord,
    ) -> Option<Facts> {
        let Content::Text(_, Some(FactsPlace { place, .. })) = file.content else {
            return None;
        };
        let segment = *self.segments().get(place.segment as usize)?;
        let bytes = segments.read(host, segment).await?;
        packed::unpack(place.of(&bytes)?)
    }

    /// The files that hold a name, in any case of its letters, sorted by path. Some may hold another one.
    pub fn mentioning(&self, name: &str) -> impl Iterator<Item = &FileRecord> {
        let postings = self.table.postings.of(name);
        postings.filter_map(|posting| self.files().get(posting.file as usize))
    }

    /// The files that import a module, or its default export, by a specifier of this
    /// [key](ragnav_resolve::import_key::import_key), or by [any](ragnav_resolve::import_key::ANY), in any case of its letters, sorted by path.
    /// Some may import another one.
    pub fn importing(&self, key: &str) -> impl Iterator<Item = &FileRecord> {
        let postings = self.table.postings.of(&import_name(key));
        postings.filter_map(|posting| self.files().get(posting.file as usize))
    }

    /// The files that define a name, in any case of its letters, sorted by path. Some may define another one.
    pub fn defining(&self, name: &str) -> impl Iterator<Item = &FileRecord> {
        let postings = self.table.postings.of(name);
        postings
            .filter(|posting| posting.defines)
            .filter_map(|posting| self.files().get(posting.file as usize))
    }

    /// The files whose facts are [partial](Facts::is_partial), sorted by path.
    pub fn partial(&self) -> impl Iterator<Item = &FileRecord> {
        self.partial.iter().filter_map(|at| self.files().get(*at))
    }

    /// Whether a file may hold a literal, as far as the index can say without its text.
    #[must_use]
    pub fn may_hold(&self, file: &FileRecord, literal: &Needle) -> bool {
        let filter = file.filter.and_then(|extent| self.part(extent));
        filter.is_none_or(|filter| literal.may_be_in(filter))
    }

    pub(super) fn is_of_generation(&self, generation: [u8; 16]) -> bool {
        self.table.generation == generation
    }

    pub(super) fn postings(&self) -> &Postings {
        &self.table.postings
    }

    /// The place of a file among the others.
    #[must_use]
    pub fn place(&self, path: &RepoPath) -> Option<usize> {
        let found = self.files().binary_search_by(|file| file.path.cmp(path));
        found.ok()
    }

    /// A filter; `None` for what is longer than any, which each file of a damaged index might have.
    pub(super) fn part(&self, extent: Extent) -> Option<&[u8]> {
        if extent.len as usize > MAX_FILTER_BYTES {
            return None;
        }
        let start = self.filters_at.checked_add(extent.start as usize)?;
        self.bytes
            .get(start..start.checked_add(extent.len as usize)?)
    }
}

fn shown(generation: [u8; 16]) -> String {
    format!("{:032x}", u128::from_le_bytes(generation))
}
