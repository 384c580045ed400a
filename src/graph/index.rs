//! The index proper: every file with what proves it, the facts of those in a known language, and which names stand where.
//!
//! Its file is a magic word, a version, the xxh3 of all that follows, a table, and the facts of each file as a
//! region of its own, so that opening it decodes the table alone. What does not have its checksum is not opened, and
//! nothing in it is followed out of the repository.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::error::{ErrorCode, RagnavError};
use crate::graph::content::{ContentHash, StampHash};
use crate::graph::filter::Needle;
use crate::graph::postings::{NameKey, Posting, Postings, PostingsBuilder};
use crate::item::SkipReason;
use crate::lang;
use crate::lang::facts::{Facts, Imported};
use crate::link::import_key::{ANY, import_key};
use crate::path::RepoPath;
use crate::position::wire;

/// Where the index is written.
pub const INDEX_FILE: &str = ".llmc/rag/facts.bin";

/// The largest index that is read, in bytes.
pub const MAX_INDEX_BYTES: u32 = 1 << 30;

/// Raised with every change of the layout or of what the languages extract.
pub const INDEX_VERSION: u32 = 7;

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
    /// Which literals it cannot hold, see [`filter_of`](crate::graph::filter::filter_of), where it is text.
    pub filter: Option<Extent>,
}

/// What an indexed file held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Content {
    /// Text, with facts where its language is known.
    Text(ContentHash, Option<Extent>),
    /// Something that is not searched; without a hash where it could not be read.
    Skipped(SkipReason, Option<ContentHash>),
}

/// A part of the region behind the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    start: u32,
    len: u32,
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

#[derive(Debug, Default, Serialize, Deserialize)]
struct Table {
    /// The languages of the build that wrote it: another one extracts other facts.
    languages: Vec<String>,
    files: Vec<FileRecord>,
    postings: Postings,
}

/// An index that was opened.
#[derive(Debug)]
pub struct Index {
    generation: String,
    table: Table,
    bytes: Vec<u8>,
    facts_at: usize,
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
    /// An [`IndexFault`] for anything but what an [`IndexBuilder`] made.
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
        let facts_at = TABLE_AT + table_len as usize;
        let table: Table =
            postcard::from_bytes(field(TABLE_AT, facts_at)?).map_err(|_| IndexFault::Damaged)?;
        if table.languages != lang::names() {
            return Err(IndexFault::Unsupported);
        }
        if !table.files.is_sorted_by(|a, b| a.path < b.path) {
            return Err(IndexFault::Damaged);
        }
        Ok(Self {
            generation: format!("{checksum:032x}"),
            table,
            bytes,
            facts_at,
        })
    }

    /// The checksum: the same in the graph and the status of one build.
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

    /// The facts of a file; `None` where it has none.
    #[must_use]
    pub fn facts(&self, file: &FileRecord) -> Option<Facts> {
        postcard::from_bytes(self.encoded_facts(file)?).ok()
    }

    /// The files that hold a name, in any case of its letters, sorted by path. Some may hold another one.
    pub fn mentioning(&self, name: &str) -> impl Iterator<Item = &FileRecord> {
        let postings = self.table.postings.of(name);
        postings.filter_map(|posting| self.files().get(posting.file as usize))
    }

    /// The files that import a module, or its default export, by a specifier of this
    /// [key](crate::link::import_key::import_key), or by [any](crate::link::import_key::ANY), in any case of its letters, sorted by path.
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

    /// Whether a file may hold a literal, as far as the index can say without its text.
    #[must_use]
    pub fn may_hold(&self, file: &FileRecord, literal: &Needle) -> bool {
        let filter = file.filter.and_then(|extent| self.part(extent));
        filter.is_none_or(|filter| literal.may_be_in(filter))
    }

    fn place(&self, path: &RepoPath) -> Option<usize> {
        let found = self.files().binary_search_by(|file| file.path.cmp(path));
        found.ok()
    }

    fn encoded_facts(&self, file: &FileRecord) -> Option<&[u8]> {
        let Content::Text(_, Some(extent)) = file.content else {
            return None;
        };
        self.part(extent)
    }

    fn part(&self, extent: Extent) -> Option<&[u8]> {
        let start = self.facts_at.checked_add(extent.start as usize)?;
        self.bytes
            .get(start..start.checked_add(extent.len as usize)?)
    }
}

/// What a file's content came to when it was looked at for an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Looked {
    /// It is text.
    Text(ContentHash, LookedText),
    /// It is not searched.
    Skipped(SkipReason, Option<ContentHash>),
    /// It is what the index before has it as.
    Kept,
}

/// What a text came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookedText {
    /// What it says by itself, where the language is known.
    pub facts: Option<Box<Facts>>,
    /// Its [`filter_of`](crate::graph::filter::filter_of).
    pub filter: Vec<u8>,
}

/// An index that is being made. Files are added in the order of their paths.
#[derive(Debug)]
pub struct IndexBuilder<'i> {
    before: Option<&'i Index>,
    /// Where the files of the index before are now.
    places: Vec<Option<u32>>,
    files: Vec<FileRecord>,
    facts: Vec<u8>,
    /// Whether there were more facts than their region can hold.
    is_full: bool,
    postings: PostingsBuilder,
}

impl<'i> IndexBuilder<'i> {
    /// An index without files; what is kept is taken from the one before.
    #[must_use]
    pub fn new(before: Option<&'i Index>) -> Self {
        Self {
            before,
            places: vec![None; before.map_or(0, |index| index.files().len())],
            files: Vec::new(),
            facts: Vec::new(),
            is_full: false,
            postings: PostingsBuilder::default(),
        }
    }

    /// Adds a file. One to be kept that the index before does not have is not added.
    pub fn add(&mut self, path: &RepoPath, size: u64, stamp: Option<StampHash>, looked: Looked) {
        let place = wire(self.files.len());
        let (content, filter) = match looked {
            Looked::Text(hash, text) => {
                let facts = text.facts.and_then(|facts| self.add_facts(place, &facts));
                (Content::Text(hash, facts), self.append(&text.filter))
            }
            Looked::Skipped(reason, hash) => (Content::Skipped(reason, hash), None),
            Looked::Kept => match self.keep(place, path) {
                Some(kept) => kept,
                None => return,
            },
        };
        self.files.push(FileRecord {
            path: path.clone(),
            size,
            stamp,
            content,
            filter,
        });
    }

    /// The index.
    ///
    /// # Errors
    /// `INDEX_WRITE_FAILED` where it is larger than its file can be.
    pub fn finish(self) -> Result<Index, RagnavError> {
        let is_full = self.is_full;
        let bytes = self.bytes();
        let fits = !is_full && bytes.len() <= MAX_INDEX_BYTES as usize;
        let index = Index::open(bytes).ok().filter(|_| fits);
        index.ok_or_else(|| {
            let message =
                "the index is larger than its file can be; leave files out by an ignore rule";
            RagnavError::new(ErrorCode::IndexWriteFailed, message)
        })
    }

    fn bytes(mut self) -> Vec<u8> {
        if let Some(before) = self.before {
            self.postings.add_kept(&before.table.postings, &self.places);
        }
        let table = Table {
            languages: lang::names(),
            files: self.files,
            postings: self.postings.finish(),
        };
        // Writing to memory cannot fail, and no type in the table refuses to be written.
        let table = postcard::to_allocvec(&table).unwrap_or_default();
        let mut bytes = Vec::with_capacity(TABLE_AT + table.len() + self.facts.len());
        bytes.extend(MAGIC);
        bytes.extend(INDEX_VERSION.to_le_bytes());
        bytes.extend([0; size_of::<u128>()]);
        bytes.extend(wire(table.len()).to_le_bytes());
        bytes.extend(table);
        bytes.extend(self.facts);
        let checksum = xxh3_128(bytes.get(CHECKED_AT..).unwrap_or_default()).to_le_bytes();
        if let Some(field) = bytes.get_mut(CHECKSUM_AT..CHECKED_AT) {
            field.copy_from_slice(&checksum);
        }
        bytes
    }

    fn keep(&mut self, place: u32, path: &RepoPath) -> Option<(Content, Option<Extent>)> {
        let before = self.before?;
        let at = before.place(path)?;
        let file = before.files().get(at)?;
        *self.places.get_mut(at)? = Some(place);
        let filter = file.filter.and_then(|extent| before.part(extent));
        let filter = filter.and_then(|filter| self.append(filter));
        let Content::Text(hash, Some(_)) = file.content else {
            return Some((file.content.clone(), filter));
        };
        let facts = before.encoded_facts(file)?;
        Some((Content::Text(hash, self.append(facts)), filter))
    }

    fn add_facts(&mut self, file: u32, facts: &Facts) -> Option<Extent> {
        let encoded = postcard::to_allocvec(facts).ok()?;
        for name in facts.names.iter().filter(|name| !name.contains('.')) {
            let mentioned = Posting {
                file,
                defines: false,
            };
            self.postings.add(NameKey::of(name), mentioned);
        }
        let imports = facts.imports.iter().filter(|import| match import.what {
            Imported::Module => true,
            Imported::Member(name) => facts.name(name) == "default",
            Imported::Star => false,
        });
        for import in imports {
            let key = import_key(facts.name(import.module));
            for key in [key, ANY] {
                let imported = Posting {
                    file,
                    defines: false,
                };
                self.postings.add(NameKey::of(&import_name(key)), imported);
            }
        }
        for definition in &facts.definitions {
            let defined = Posting {
                file,
                defines: true,
            };
            let name = facts.name(definition.name);
            self.postings.add(NameKey::of(name), defined);
        }
        self.append(&encoded)
    }

    fn append(&mut self, facts: &[u8]) -> Option<Extent> {
        let start = u32::try_from(self.facts.len()).ok();
        let extent = start.zip(u32::try_from(facts.len()).ok());
        let Some((start, len)) = extent else {
            self.is_full = true;
            return None;
        };
        self.facts.extend_from_slice(facts);
        Some(Extent { start, len })
    }
}

/// What postings know an import key by; no name has a blank in it.
fn import_name(key: &str) -> String {
    format!("from {key}")
}
