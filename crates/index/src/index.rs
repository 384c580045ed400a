//! The index: every file with its proof, the postings of names, and the locations of facts.
//!
//! The file holds a magic number, a version, the xxh3 of everything behind it, a table and the
//! filters of the files. An index with a wrong checksum is not opened, and none of its paths leads
//! out of the repository. Facts are in [segments](crate::segments), which queries read on demand.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::content::{ContentHash, StampHash};
use crate::filter::{MAX_FILTER_BYTES, Needle};
use crate::packed;
use crate::postings::{PostingKey, Postings, computing_posting_name, import_posting_name};
use crate::segments::{Segment, SegmentCache, SegmentRange};
use crate::term_index::{TermCache, TermIndex};
use ragnav_base::host::Host;
use ragnav_base::item::SkipReason;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_syntax::facts::Facts;

/// The path of the index.
pub const INDEX_FILE: &str = ".llmc/rag/facts.bin";

/// The size limit of the index, in bytes.
pub(crate) const MAX_INDEX_BYTES: u32 = 1 << 30;

/// The version of the layout. It increases with every change of the layout, and of what is stored
/// besides the facts of an [extractor](ragnav_syntax::extractors).
pub const INDEX_VERSION: u32 = 28;

const MAGIC: [u8; 8] = *b"ragnavix";
const VERSION_AT: usize = MAGIC.len();
const CHECKSUM_AT: usize = VERSION_AT + size_of::<u32>();
const CHECKED_AT: usize = CHECKSUM_AT + size_of::<u128>();
const TABLE_AT: usize = CHECKED_AT + size_of::<u32>();

/// A file as it was indexed.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
/// # use setup::{build, path};
/// use ragnav_index::content::ContentHash;
///
/// let index = build(&[("a.txt", "text\n")]).index;
/// let record = index.file(&path("a.txt")).unwrap();
/// assert_eq!((record.size, record.hash()), (5, Some(ContentHash::of(b"text\n"))));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The path.
    pub path: RepoPath,
    /// The size in bytes.
    pub size: u64,
    /// The stamp that proves the content; `None` if only the content's hash does.
    pub stamp: Option<StampHash>,
    /// The content.
    pub content: Content,
    /// The trigram filter of a text, see [`build_filter`](crate::filter::build_filter).
    pub filter: Option<FilterRange>,
}

/// The content of an indexed file.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
/// # use setup::build;
/// use ragnav_base::item::SkipReason;
/// use ragnav_index::index::Content;
///
/// let index = build(&[("a.py", "x = 1\n"), ("logo.png", "\0")]).index;
/// let [source, image] = index.files() else {
///     panic!("the index has two files");
/// };
/// assert!(matches!(source.content, Content::Text(_, Some(_))));
/// assert!(matches!(image.content, Content::Skipped(SkipReason::Binary, Some(_))));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Content {
    /// Text, with facts if its language is known.
    Text(ContentHash, Option<FactsLocation>),
    /// Content that is not searched, with a hash if it could be read.
    Skipped(SkipReason, Option<ContentHash>),
}

/// The location of a file's facts.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
/// # use setup::build;
/// use ragnav_index::index::Content;
///
/// let index = build(&[("a.py", "def f(): pass\n")]).index;
/// let Content::Text(_, Some(facts)) = &index.files()[0].content else {
///     panic!("the file has facts");
/// };
/// assert_eq!((facts.range.segment, facts.range.start), (0, 0));
/// assert!(facts.entities_len > 0 && !facts.is_partial);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactsLocation {
    /// The byte range in a segment.
    pub range: SegmentRange,
    /// The length of the file's definitions in the graph without enrichment, in bytes.
    pub entities_len: u32,
    /// Whether the text has [syntax errors](Facts::errors).
    pub has_errors: bool,
    /// Whether they are [partial](Facts::is_partial).
    pub is_partial: bool,
}

/// A byte range of the filters behind the table.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
/// # use setup::build;
/// let index = build(&[("a.txt", "text\n"), ("logo.png", "\0")]).index;
/// let has_filter: Vec<_> = index.files().iter().map(|file| file.filter.is_some()).collect();
/// assert_eq!(has_filter, [true, false]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilterRange {
    start: u32,
    len: u32,
}

impl FilterRange {
    /// Builds a byte range from its start and length.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::index::FilterRange;
    ///
    /// assert_eq!(FilterRange::new(16, 8), FilterRange::new(16, 8));
    /// ```
    #[must_use]
    pub fn new(start: usize, len: usize) -> Self {
        Self {
            start: wire(start),
            len: wire(len),
        }
    }
}

impl FileRecord {
    /// Returns the hash of the file's bytes, if they could be read.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_index::content::ContentHash;
    ///
    /// let index = build(&[("a.py", "x = 1\n")]).index;
    /// assert_eq!(index.files()[0].hash(), Some(ContentHash::of(b"x = 1\n")));
    /// ```
    #[must_use]
    pub fn hash(&self) -> Option<ContentHash> {
        match self.content {
            Content::Text(hash, _) => Some(hash),
            Content::Skipped(_, hash) => hash,
        }
    }

    /// Reports whether another version of ragnav, or of a plug-in, extracted the facts.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// let index = build(&[("a.py", "x = 1\n")]).index;
    /// assert!(!index.files()[0].is_of_other_version());
    /// ```
    #[must_use]
    pub fn is_of_other_version(&self) -> bool {
        self.hash() == Some(ContentHash::NONE)
    }
}

/// The payload of a file that defines a name. It is 0 for a file that only mentions it.
pub(super) const DEFINES: u32 = 1;

/// The files of each name.
pub(super) type NamePostings = Postings<1>;

/// The table of an index: everything except filters and facts.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Table {
    /// The [extractors](ragnav_syntax::extractors) that wrote the facts.
    pub(super) extractors: Vec<(String, u64)>,
    pub(super) generation: [u8; 16],
    pub(super) files: Vec<FileRecord>,
    pub(super) segments: Vec<Segment>,
    pub(super) postings: NamePostings,
    /// The index of the segment that holds the [terms](TermIndex) of the files.
    pub(super) terms: Option<u32>,
}

impl Table {
    /// Returns the hash that identifies an index of these files by these extractors, independent of
    /// its segments.
    pub(super) fn generation<'f>(
        files: impl Iterator<Item = &'f FileRecord>,
        extractors: &[(String, u64)],
    ) -> [u8; 16] {
        let mut hash = Xxh3::new();
        hash.update(&INDEX_VERSION.to_le_bytes());
        for (language, version) in extractors {
            hash.update(language.as_bytes());
            hash.update(&version.to_le_bytes());
        }
        let mut buffer = Vec::new();
        for file in files {
            let identity = (&file.path, file.size, file.stamp, file.hash());
            let reason = match file.content {
                Content::Text(..) => None,
                Content::Skipped(reason, _) => Some(reason),
            };
            buffer.clear();
            // Writing to memory cannot fail, and every type here serialises.
            buffer = postcard::to_extend(&(identity, reason), buffer).unwrap_or_default();
            hash.update(&buffer);
        }
        hash.digest128().to_le_bytes()
    }

    /// Marks the files whose facts another extractor wrote, or would now write, as changed: no file
    /// has the hash of such a record. Their old facts stay, for re-identification.
    fn outdate_foreign_facts(&mut self) {
        let current = ragnav_syntax::extractors();
        if self.extractors == current {
            return;
        }
        let is_current = |language: &str| {
            let is_own = |(name, _): &&(String, u64)| name == language;
            let written = self.extractors.iter().find(is_own);
            written.is_some() && written == current.iter().find(is_own)
        };
        for file in &mut self.files {
            let Content::Text(hash, facts) = &mut file.content else {
                continue;
            };
            let language = ragnav_syntax::detect_language(&file.path);
            let is_kept = language.map_or(facts.is_none(), |language| is_current(language.name));
            if !is_kept {
                *hash = ContentHash::NONE;
                file.stamp = None;
            }
        }
    }

    /// Returns the positions of the files with facts of a kind.
    fn positions(&self, is_wanted: impl Fn(&FactsLocation) -> bool) -> Vec<usize> {
        let files = self.files.iter().enumerate();
        let wanted = files.filter(|(_, file)| match &file.content {
            Content::Text(_, facts) => facts.as_ref().is_some_and(&is_wanted),
            Content::Skipped(..) => false,
        });
        wanted.map(|(at, _)| at).collect()
    }
}

/// An open index.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
/// # use setup::build;
/// let index = build(&[("a.py", "def f(): pass\n"), ("b.py", "from a import f\n")]).index;
/// let paths = index.files_mentioning("f").map(|file| file.path.as_str());
/// assert_eq!(paths.collect::<Vec<_>>(), ["a.py", "b.py"]);
/// let paths = index.files_defining("f").map(|file| file.path.as_str());
/// assert_eq!(paths.collect::<Vec<_>>(), ["a.py"]);
/// ```
#[derive(Debug)]
pub struct Index {
    generation: String,
    table: Table,
    /// The positions of the files whose facts are partial.
    partial: Vec<usize>,
    /// The positions of the files with syntax errors.
    broken: Vec<usize>,
    bytes: Vec<u8>,
    filters_at: usize,
}

/// The reason why bytes are not an index.
///
/// # Examples
///
/// ```
/// use ragnav_index::index::{Index, IndexFault};
///
/// let fault = Index::open(b"no index".to_vec()).unwrap_err();
/// assert_eq!(fault, IndexFault::Damaged);
/// assert_eq!(fault.to_string(), "the index is damaged");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IndexFault {
    /// The bytes are no index, or have changed since they were written.
    #[error("the index is damaged")]
    Damaged,
    /// Another version of ragnav wrote the bytes.
    #[error("another version of ragnav wrote the index")]
    Unsupported,
}

impl Index {
    /// Opens the bytes of an index, in linear time.
    ///
    /// # Errors
    /// An [`IndexFault`] for bytes that no [`IndexBuilder`](crate::index_builder::IndexBuilder) of
    /// this version wrote.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_index::index::Index;
    ///
    /// let index = build(&[("a.py", "x = 1\n")]).index;
    /// let reopened = Index::open(index.bytes().to_vec()).unwrap();
    /// assert_eq!(reopened.files(), index.files());
    /// let mut damaged = index.bytes().to_vec();
    /// damaged[20] ^= 1;
    /// assert!(Index::open(damaged).is_err());
    /// ```
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
        let mut table: Table =
            postcard::from_bytes(field(TABLE_AT, filters_at)?).map_err(|_| IndexFault::Damaged)?;
        if !table.files.is_sorted_by(|a, b| a.path < b.path) {
            return Err(IndexFault::Damaged);
        }
        table.outdate_foreign_facts();
        Ok(Self {
            generation: format_generation(table.generation),
            partial: table.positions(|facts| facts.is_partial),
            broken: table.positions(|facts| facts.has_errors),
            table,
            bytes,
            filters_at,
        })
    }

    /// Builds an index from a table and the filters of its files.
    pub(super) fn from_table(table: Table, filters: &[u8]) -> Self {
        // Writing to memory cannot fail, and every type in the table serialises.
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
            generation: format_generation(table.generation),
            partial: table.positions(|facts| facts.is_partial),
            broken: table.positions(|facts| facts.has_errors),
            table,
            bytes,
            filters_at,
        }
    }

    /// Returns the generation, a hash that identifies this build. The graph and the status file
    /// have it too.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// let one = build(&[("a.py", "x = 1\n")]).index;
    /// let other = build(&[("a.py", "x = 2\n")]).index;
    /// assert_ne!(one.generation(), other.generation());
    /// ```
    #[must_use]
    pub fn generation(&self) -> &str {
        &self.generation
    }

    /// Returns the bytes of the index.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_index::index::Index;
    ///
    /// let index = build(&[("a.py", "x = 1\n")]).index;
    /// assert!(Index::open(index.bytes().to_vec()).is_ok());
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the files, sorted by path.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// let index = build(&[("a.py", ""), ("b.py", "")]).index;
    /// let paths = index.files().iter().map(|file| file.path.as_str());
    /// assert_eq!(paths.collect::<Vec<_>>(), ["a.py", "b.py"]);
    /// ```
    #[must_use]
    pub fn files(&self) -> &[FileRecord] {
        &self.table.files
    }

    /// Returns a file by its path.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::{build, path};
    /// let index = build(&[("a.py", "x = 1\n")]).index;
    /// assert_eq!(index.file(&path("a.py")).map(|file| file.size), Some(6));
    /// assert!(index.file(&path("b.py")).is_none());
    /// ```
    #[must_use]
    pub fn file(&self, path: &RepoPath) -> Option<&FileRecord> {
        self.files().get(self.position(path)?)
    }

    /// Returns the segments that hold the facts.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// let built = build(&[("a.py", "def f(): pass\n")]);
    /// let segments: Vec<_> = built.index.segments().iter().map(|segment| segment.id).collect();
    /// let unwritten: Vec<_> = built.unwritten.iter().map(|(id, _)| *id).collect();
    /// assert!(unwritten.contains(&segments[0]));
    /// ```
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.table.segments
    }

    /// Reads the facts of a file. Returns `None` if it has none, or its segment cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::{build, path};
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_index::segments::SegmentCache;
    ///
    /// let built = build(&[("a.py", "def f(): pass\n")]);
    /// let segments = SegmentCache::default();
    /// segments.stage(built.unwritten);
    /// let file = built.index.file(&path("a.py")).unwrap();
    /// let facts = block_on(built.index.facts(&MemoryHost::default(), &segments, file)).unwrap();
    /// assert_eq!(facts.name(facts.definitions[0].name), "f");
    /// ```
    pub async fn facts(
        &self,
        host: &impl Host,
        segments: &SegmentCache,
        file: &FileRecord,
    ) -> Option<Facts> {
        let Content::Text(_, Some(FactsLocation { range, .. })) = file.content else {
            return None;
        };
        let segment = *self.segments().get(range.segment as usize)?;
        let bytes = segments.read(host, segment).await?;
        packed::unpack(range.slice(&bytes)?)
    }

    /// Reads the terms of the files. Returns `None` if their segment cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_index::segments::SegmentCache;
    /// use ragnav_index::term_index::TermCache;
    ///
    /// let built = build(&[("a.txt", "a text\n")]);
    /// let segments = SegmentCache::default();
    /// segments.stage(built.unwritten);
    /// let (host, cache) = (MemoryHost::default(), TermCache::default());
    /// let terms = block_on(built.index.terms(&host, &segments, &cache)).unwrap();
    /// assert_eq!(terms.length(0), Some(7));
    /// ```
    pub async fn terms(
        &self,
        host: &impl Host,
        segments: &SegmentCache,
        terms: &TermCache,
    ) -> Option<Rc<TermIndex>> {
        let segment = *self.segments().get(self.table.terms? as usize)?;
        terms.read(host, segments, segment).await
    }

    /// Returns the files that contain a name in any case, sorted by path. Hashes may collide, so
    /// some may contain another name only.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// let index = build(&[("a.py", "def total(): pass\n"), ("b.py", "Total()\n")]).index;
    /// assert_eq!(index.files_mentioning("total").count(), 2);
    /// ```
    pub fn files_mentioning(&self, name: &str) -> impl Iterator<Item = &FileRecord> {
        let postings = self.table.postings.lookup(PostingKey::of_name(name));
        postings.filter_map(|posting| self.files().get(posting.file as usize))
    }

    /// Returns the files that import a module, or its default export, sorted by path. `key` is an
    /// [import key](ragnav_resolve::import_key::import_key), or
    /// [`WILDCARD_KEY`](ragnav_resolve::import_key::WILDCARD_KEY). Hashes may collide, so some may
    /// import other modules only.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// let index = build(&[("a.py", "import b\n"), ("c.py", "x = 1\n")]).index;
    /// let paths = index.files_importing("b").map(|file| file.path.as_str());
    /// assert_eq!(paths.collect::<Vec<_>>(), ["a.py"]);
    /// ```
    pub fn files_importing(&self, key: &str) -> impl Iterator<Item = &FileRecord> {
        let key = PostingKey::of_name(&import_posting_name(key));
        let postings = self.table.postings.lookup(key);
        postings.filter_map(|posting| self.files().get(posting.file as usize))
    }

    /// Returns the files that mention a function by which code of their language computes names,
    /// sorted by path: one of [`computing_functions`](ragnav_resolve::computing_functions). Hashes
    /// may collide, so some may not mention it.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// let index = build(&[("a.py", "getattr(x, 'y')\n"), ("b.py", "x.y\n")]).index;
    /// let paths = index.files_computing("getattr").map(|file| file.path.as_str());
    /// assert_eq!(paths.collect::<Vec<_>>(), ["a.py"]);
    /// ```
    pub fn files_computing(&self, function: &str) -> impl Iterator<Item = &FileRecord> {
        let key = PostingKey::of_name(&computing_posting_name(function));
        let postings = self.table.postings.lookup(key);
        postings.filter_map(|posting| self.files().get(posting.file as usize))
    }

    /// Returns the files that define a name in any case, sorted by path. Hashes may collide, so
    /// some may define another name only.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// let index = build(&[("a.py", "def total(): pass\n"), ("b.py", "total()\n")]).index;
    /// let paths = index.files_defining("total").map(|file| file.path.as_str());
    /// assert_eq!(paths.collect::<Vec<_>>(), ["a.py"]);
    /// ```
    pub fn files_defining(&self, name: &str) -> impl Iterator<Item = &FileRecord> {
        let postings = self.table.postings.lookup(PostingKey::of_name(name));
        postings
            .filter(|posting| posting.payload == DEFINES)
            .filter_map(|posting| self.files().get(posting.file as usize))
    }

    /// Returns the files whose facts are [partial](Facts::is_partial), sorted by path.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// let index = build(&[("a.py", "def total(): pass\n")]).index;
    /// assert_eq!(index.partial_files().count(), 0);
    /// ```
    pub fn partial_files(&self) -> impl Iterator<Item = &FileRecord> {
        self.partial.iter().filter_map(|at| self.files().get(*at))
    }

    /// Returns the files with [syntax errors](Facts::errors), sorted by path.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// let index = build(&[("a.py", "x = 1\n"), ("b.py", "x = = 1\n")]).index;
    /// let broken = index.broken_files().map(|file| file.path.as_str());
    /// assert_eq!(broken.collect::<Vec<_>>(), ["b.py"]);
    /// ```
    pub fn broken_files(&self) -> impl Iterator<Item = &FileRecord> {
        self.broken.iter().filter_map(|at| self.files().get(*at))
    }

    /// Reports whether a file may contain a literal, judging by its filter.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_index::filter::Needle;
    ///
    /// let index = build(&[("a.py", "def total(): pass\n")]).index;
    /// let file = &index.files()[0];
    /// assert!(index.may_contain(file, &Needle::new("total", true)));
    /// assert!(!index.may_contain(file, &Needle::new("price_of", true)));
    /// ```
    #[must_use]
    pub fn may_contain(&self, file: &FileRecord, literal: &Needle) -> bool {
        let filter = file.filter.and_then(|extent| self.filter_bytes(extent));
        filter.is_none_or(|filter| literal.may_match(filter))
    }

    pub(super) fn has_generation(&self, generation: [u8; 16]) -> bool {
        self.table.generation == generation
    }

    pub(super) fn postings(&self) -> &NamePostings {
        &self.table.postings
    }

    /// Returns the position of a file in the index.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::{build, path};
    /// let index = build(&[("a.py", ""), ("b.py", "")]).index;
    /// assert_eq!(index.position(&path("b.py")), Some(1));
    /// ```
    #[must_use]
    pub fn position(&self, path: &RepoPath) -> Option<usize> {
        let found = self.files().binary_search_by(|file| file.path.cmp(path));
        found.ok()
    }

    /// Returns the bytes of a filter. Returns `None` for a filter over the size limit, which a
    /// damaged index could state for each file.
    pub(super) fn filter_bytes(&self, extent: FilterRange) -> Option<&[u8]> {
        if extent.len as usize > MAX_FILTER_BYTES {
            return None;
        }
        let start = self.filters_at.checked_add(extent.start as usize)?;
        self.bytes
            .get(start..start.checked_add(extent.len as usize)?)
    }
}

fn format_generation(generation: [u8; 16]) -> String {
    format!("{:032x}", u128::from_le_bytes(generation))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error;

    fn record(path: &str, has_facts: bool) -> Result<FileRecord, Box<dyn Error>> {
        let facts = FactsLocation {
            range: SegmentRange {
                segment: 0,
                start: 0,
                len: 0,
            },
            entities_len: 0,
            has_errors: false,
            is_partial: false,
        };
        Ok(FileRecord {
            path: RepoPath::parse(path)?,
            size: 1,
            stamp: None,
            content: Content::Text(ContentHash::of(b"x"), has_facts.then_some(facts)),
            filter: None,
        })
    }

    /// Returns the files that an index of these extractors describes no longer.
    fn outdated(extractors: Vec<(String, u64)>) -> Result<Vec<String>, Box<dyn Error>> {
        let table = Table {
            extractors,
            files: vec![
                record("a.go", true)?,
                record("b.py", true)?,
                record("c.plugin", true)?,
                record("d.txt", false)?,
            ],
            ..Table::default()
        };
        let written = Index::from_table(table, &[]).bytes().to_vec();
        let index = Index::open(written)?;
        let files = index.files().iter();
        let outdated = files.filter(|file| file.is_of_other_version());
        Ok(outdated.map(|file| file.path.to_string()).collect())
    }

    #[test]
    fn facts_of_another_extractor_are_outdated() -> Result<(), Box<dyn Error>> {
        let current = ragnav_syntax::extractors;
        assert_eq!(outdated(current())?, [""; 0]);

        let mut of_plugin = current();
        of_plugin.push(("plugin".to_owned(), 1));
        assert_eq!(outdated(of_plugin)?, ["c.plugin"]);

        let mut without_go = current();
        without_go.retain(|(language, _)| language != "go");
        assert_eq!(outdated(without_go)?, ["a.go", "c.plugin"]);

        let mut older_python = current();
        for (language, hash) in &mut older_python {
            *hash ^= u64::from(language == "python");
        }
        assert_eq!(outdated(older_python)?, ["b.py", "c.plugin"]);
        Ok(())
    }
}
