//! Building an index from the previous one and the extracts of changed files.

use crate::content::{ContentHash, StampHash};
use crate::extract::{Extract, ExtractedContent, ExtractedText};
use crate::index::{
    Content, DEFINES, FactsLocation, FileRecord, FilterRange, Index, MAX_INDEX_BYTES, NamePostings,
    Table,
};
use crate::postings::{Posting, PostingsBuilder};
use crate::segments::{Segment, SegmentId, SegmentRange, SegmentWriter};
use crate::term_index::{TermIndex, TermIndexBuilder};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::item::SkipReason;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;

/// The size of a small segment. Small segments are merged once there are [`MANY_SMALL`].
const SMALL_BYTES: u32 = 1 << 17;
const MANY_SMALL: usize = 8;

/// The content of a file, as a build found it.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
/// # use setup::path;
/// use ragnav_base::item::SkipReason;
/// use ragnav_index::index::Content;
/// use ragnav_index::index_builder::{FileContent, FileInput, IndexBuilder};
/// use ragnav_index::term_index::TermIndex;
///
/// let mut builder = IndexBuilder::new(None, 1);
/// let content = FileContent::Unread(SkipReason::TooLarge);
/// builder.add(0, &path("data.sql"), FileInput { size: 1 << 30, stamp: None, content });
/// let index = builder.finish(&TermIndex::default()).unwrap().index;
/// assert_eq!(index.files()[0].content, Content::Skipped(SkipReason::TooLarge, None));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileContent {
    /// The content is the same as in the previous index.
    Unchanged,
    /// The file could not be read.
    Unread(SkipReason),
    /// The file was read.
    Extracted(Extract),
}

/// A file to add to an index.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::FileStamp;
/// use ragnav_base::path::RepoPath;
/// use ragnav_index::content::StampHash;
/// use ragnav_index::extract::extract;
/// use ragnav_index::index_builder::{FileContent, FileInput};
///
/// let stamp = FileStamp { size: 6, stamp: "17:4711".to_owned(), racy: false };
/// let extracted = extract(&RepoPath::parse("a.py").unwrap(), b"x = 1\n", None);
/// let file = FileInput {
///     size: stamp.size,
///     stamp: StampHash::of(&stamp),
///     content: FileContent::Extracted(extracted),
/// };
/// assert!(file.stamp.is_some());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileInput {
    /// The size in bytes.
    pub size: u64,
    /// The stamp that proves the content later; `None` if only the content does.
    pub stamp: Option<StampHash>,
    /// The content.
    pub content: FileContent,
}

/// A built index.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
/// # use setup::build;
/// let built = build(&[("a.py", "def f(): pass\n")]);
/// assert_eq!(built.index.files().len(), 1);
/// assert!(built.entities[0].as_ref().unwrap().contains("sym:a.f"));
/// ```
#[derive(Debug)]
pub struct BuiltIndex {
    /// The index.
    pub index: Index,
    /// The segments that are not written yet.
    pub unwritten: Vec<(SegmentId, Vec<u8>)>,
    /// The definitions of each file in the JSON of the graph, in the order of the files; `None` for
    /// an unchanged file.
    pub entities: Vec<Option<String>>,
}

/// A file that was added to the builder.
#[derive(Debug)]
struct FileSlot {
    record: FileRecord,
    /// The definitions in the JSON of the graph; `None` for an unchanged file.
    entities: Option<String>,
}

/// A builder of an index. Files may be added in any order.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_index::extract::extract;
/// use ragnav_index::index_builder::{FileContent, FileInput, IndexBuilder};
/// use ragnav_index::term_index::TermIndex;
///
/// let path = RepoPath::parse("a.txt").unwrap();
/// let content = FileContent::Extracted(extract(&path, b"text", None));
/// let mut builder = IndexBuilder::new(None, 1);
/// builder.add(0, &path, FileInput { size: 4, stamp: None, content });
/// let built = builder.finish(&TermIndex::default()).unwrap();
/// assert_eq!(built.index.files().len(), 1);
/// ```
#[derive(Debug)]
pub struct IndexBuilder<'i> {
    before: Option<&'i Index>,
    /// The slot of each file of the previous index that is unchanged.
    kept: Vec<Option<u32>>,
    slots: Vec<Option<FileSlot>>,
    filters: Vec<u8>,
    /// The segments; those of the previous index come first.
    segments: Vec<Segment>,
    writer: SegmentWriter,
    postings: PostingsBuilder<1>,
    terms: TermIndexBuilder,
}

impl<'i> IndexBuilder<'i> {
    /// Starts an index of at most `files` files. Unchanged files are copied from `before`.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::{build, path};
    /// use ragnav_index::index_builder::{FileContent, FileInput, IndexBuilder};
    ///
    /// let before = build(&[("a.py", "x = 1\n")]).index;
    /// let mut builder = IndexBuilder::new(Some(&before), 1);
    /// let content = FileContent::Unchanged;
    /// builder.add(0, &path("a.py"), FileInput { size: 6, stamp: None, content });
    /// assert!(builder.is_unchanged());
    /// ```
    #[must_use]
    pub fn new(before: Option<&'i Index>, files: usize) -> Self {
        let mut slots = Vec::new();
        slots.resize_with(files, || None);
        Self {
            before,
            kept: vec![None; before.map_or(0, |index| index.files().len())],
            slots,
            filters: Vec::new(),
            segments: before.map_or(Vec::new(), |index| index.segments().to_vec()),
            writer: SegmentWriter::default(),
            postings: PostingsBuilder::default(),
            terms: TermIndexBuilder::default(),
        }
    }

    /// Adds a file at its position among all files, which are sorted by path. Each position is
    /// added once. An unchanged file that the previous index does not have is ignored.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::path;
    /// use ragnav_index::extract::extract;
    /// use ragnav_index::index_builder::{FileContent, FileInput, IndexBuilder};
    /// use ragnav_index::term_index::TermIndex;
    ///
    /// let mut builder = IndexBuilder::new(None, 2);
    /// for (at, name) in [(1, "b.txt"), (0, "a.txt")] {
    ///     let content = FileContent::Extracted(extract(&path(name), b"", None));
    ///     builder.add(at, &path(name), FileInput { size: 0, stamp: None, content });
    /// }
    /// let index = builder.finish(&TermIndex::default()).unwrap().index;
    /// assert_eq!(index.files()[0].path, path("a.txt"));
    /// ```
    pub fn add(&mut self, at: usize, path: &RepoPath, file: FileInput) {
        let known = self.before.and_then(|before| before.position(path));
        let extracted = match file.content {
            FileContent::Unchanged => None,
            FileContent::Unread(reason) => Some(Content::Skipped(reason, None)),
            FileContent::Extracted(extract) => match extract.content {
                ExtractedContent::Unchanged => None,
                ExtractedContent::Skipped(reason) => {
                    Some(Content::Skipped(reason, Some(extract.hash)))
                }
                ExtractedContent::Text(text) => {
                    let slot = self.add_text(at, path, extract.hash, *text);
                    return self.set_slot(at, slot, file.size, file.stamp);
                }
            },
        };
        let slot = match extracted {
            Some(content) => Some(FileSlot::new(path, content)),
            None => known.and_then(|known| self.copy_unchanged(at, known)),
        };
        if let Some(slot) = slot {
            self.set_slot(at, slot, file.size, file.stamp);
        }
    }

    /// Takes the segments that are full, to be written.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::index_builder::IndexBuilder;
    ///
    /// // The segments of small repositories are only full at the end.
    /// assert!(IndexBuilder::new(None, 1).take_full_segments().is_empty());
    /// ```
    pub fn take_full_segments(&mut self) -> Vec<(SegmentId, Vec<u8>)> {
        self.writer.take_full_segments()
    }

    /// Returns the segments of the previous index to rewrite: little of them is still needed, or
    /// they are small and many.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_index::index_builder::IndexBuilder;
    ///
    /// let before = build(&[("a.py", "def f(): pass\n")]).index;
    /// // The only file was removed, so nothing is copied.
    /// assert!(IndexBuilder::new(Some(&before), 0).wasteful_segments().is_empty());
    /// ```
    #[must_use]
    pub fn wasteful_segments(&self) -> Vec<(u32, Segment)> {
        let mut needed = vec![0_u32; self.segments.len()];
        for range in self
            .slots
            .iter()
            .flatten()
            .filter_map(FileSlot::unchanged_location)
        {
            if let Some(needed) = needed.get_mut(range.segment as usize) {
                *needed = needed.saturating_add(range.len);
            }
        }
        let segments = || (0..).zip(self.segments.iter().copied()).zip(&needed);
        let is_small = |segment: Segment| segment.len < SMALL_BYTES;
        let small = segments().filter(|((_, segment), needed)| is_small(*segment) && **needed > 0);
        let many_small = small.count() >= MANY_SMALL;
        let wasteful = segments().filter(|((_, segment), needed)| {
            let is_waste = **needed < segment.len / 2;
            // A build never gives two files the same bytes of a segment. An index that does so is
            // damaged, and copying from it would have no bound.
            let is_sound = **needed <= segment.len;
            **needed > 0 && (is_waste || (many_small && is_small(*segment) && is_sound))
        });
        wasteful.map(|(segment, _)| segment).collect()
    }

    /// Copies the needed facts from a segment of the previous index.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::{build, path};
    /// use ragnav_index::index_builder::{FileContent, FileInput, IndexBuilder};
    /// use ragnav_index::term_index::TermIndex;
    ///
    /// let built = build(&[("a.py", "def f(): pass\n")]);
    /// let mut builder = IndexBuilder::new(Some(&built.index), 1);
    /// let content = FileContent::Unchanged;
    /// builder.add(0, &path("a.py"), FileInput { size: 14, stamp: None, content });
    /// builder.rewrite(0, &built.unwritten[0].1);
    /// let rewritten = builder.finish(&TermIndex::default()).unwrap();
    /// assert_eq!(rewritten.index.files().len(), 1);
    /// ```
    pub fn rewrite(&mut self, segment: u32, bytes: &[u8]) {
        let first = wire(self.segments.len());
        for slot in self.slots.iter_mut().flatten() {
            let Some(range) = slot
                .unchanged_location()
                .filter(|range| range.segment == segment)
            else {
                continue;
            };
            if let (Some(facts), Content::Text(_, Some(at))) =
                (range.slice(bytes), &mut slot.record.content)
            {
                at.range = offset_segment(first, self.writer.append(facts));
            }
        }
    }

    /// Reports whether the files and their proofs equal those of the previous index.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_index::index_builder::IndexBuilder;
    ///
    /// let before = build(&[("a.py", "x = 1\n")]).index;
    /// // The file was removed.
    /// assert!(!IndexBuilder::new(Some(&before), 0).is_unchanged());
    /// ```
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        let records = self.slots.iter().flatten().map(|slot| &slot.record);
        let generation = Table::generation(records, &ragnav_syntax::available_extractors());
        self.before
            .is_some_and(|before| before.has_generation(generation))
    }

    /// Returns the index. `terms` are those of the previous index.
    ///
    /// # Errors
    /// `INDEX_WRITE_FAILED` if the index is over the size limit.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::index_builder::IndexBuilder;
    /// use ragnav_index::term_index::TermIndex;
    ///
    /// let built = IndexBuilder::new(None, 0).finish(&TermIndex::default()).unwrap();
    /// assert!(built.index.files().is_empty());
    /// ```
    pub fn finish(self, terms: &TermIndex) -> Result<BuiltIndex, RagnavError> {
        let mut places = vec![None; self.slots.len()];
        let mut files = Vec::with_capacity(self.slots.len());
        let mut entities = Vec::with_capacity(self.slots.len());
        for (at, slot) in self.slots.into_iter().enumerate() {
            let Some(slot) = slot else { continue };
            if let Some(place) = places.get_mut(at) {
                *place = Some(wire(files.len()));
            }
            files.push(slot.record);
            entities.push(slot.entities);
        }
        let place = |slot: &Option<u32>| places.get((*slot)? as usize).copied().flatten();
        let kept: Vec<Option<u32>> = self.kept.iter().map(place).collect();
        let empty = NamePostings::default();
        let before = self.before.map_or(&empty, Index::postings);
        let (written, mut unwritten) = self.writer.finish();
        let mut segments = self.segments;
        segments.extend(written);
        let mut segments = retain_needed_segments(&mut files, &segments);
        let terms = self.terms.finish(files.len(), &places, terms, &kept);
        let terms = terms.to_bytes();
        let of_terms = wire(segments.len());
        let segment = Segment::of(&terms);
        segments.push(segment);
        unwritten.push((segment.id, terms));
        let extractors = ragnav_syntax::available_extractors();
        let table = Table {
            generation: Table::generation(files.iter(), &extractors),
            extractors,
            segments,
            terms: Some(of_terms),
            files,
            postings: self.postings.finish(&places, before, &kept),
        };
        let index = Index::from_table(table, &self.filters);
        if index.bytes().len() > MAX_INDEX_BYTES as usize {
            let message =
                "the index is larger than its file can be; leave files out by an ignore rule";
            return Err(RagnavError::new(ErrorCode::IndexWriteFailed, message));
        }
        Ok(BuiltIndex {
            index,
            unwritten,
            entities,
        })
    }

    fn set_slot(&mut self, at: usize, mut slot: FileSlot, size: u64, stamp: Option<StampHash>) {
        slot.record.size = size;
        slot.record.stamp = stamp;
        if let Some(place) = self.slots.get_mut(at) {
            *place = Some(slot);
        }
    }

    fn copy_unchanged(&mut self, at: usize, known: usize) -> Option<FileSlot> {
        let before = self.before?;
        let file = before.files().get(known)?;
        *self.kept.get_mut(known)? = Some(wire(at));
        let filter = file.filter.and_then(|extent| before.filter_bytes(extent));
        let filter = filter.map(|filter| self.append_filter(filter));
        Some(FileSlot {
            record: FileRecord {
                filter,
                ..file.clone()
            },
            entities: None,
        })
    }

    fn add_text(
        &mut self,
        at: usize,
        path: &RepoPath,
        hash: ContentHash,
        text: ExtractedText,
    ) -> FileSlot {
        for (key, defines) in text.names {
            let file = wire(at);
            let payload = if defines { DEFINES } else { 0 };
            self.postings.add(key, Posting { file, payload });
        }
        if let Some(terms) = text.terms {
            self.terms.add(at, terms);
        }
        let first = wire(self.segments.len());
        let entities_len = wire(text.entities.len());
        let facts = text.facts.map(|facts| FactsLocation {
            range: offset_segment(first, self.writer.append(&facts)),
            entities_len,
            has_errors: text.has_errors,
            is_partial: text.is_partial,
        });
        let mut slot = FileSlot::new(path, Content::Text(hash, facts));
        slot.record.filter = Some(self.append_filter(&text.filter));
        slot.entities = Some(text.entities);
        slot
    }

    fn append_filter(&mut self, filter: &[u8]) -> FilterRange {
        let extent = FilterRange::new(self.filters.len(), filter.len());
        self.filters.extend_from_slice(filter);
        extent
    }
}

impl FileSlot {
    fn new(path: &RepoPath, content: Content) -> Self {
        Self {
            record: FileRecord {
                path: path.clone(),
                size: 0,
                stamp: None,
                content,
                filter: None,
            },
            entities: Some(String::new()),
        }
    }

    /// Returns the location of the facts, if the file is unchanged.
    fn unchanged_location(&self) -> Option<SegmentRange> {
        match self.record.content {
            Content::Text(_, Some(facts)) if self.entities.is_none() => Some(facts.range),
            Content::Text(..) | Content::Skipped(..) => None,
        }
    }
}

fn offset_segment(first: u32, range: SegmentRange) -> SegmentRange {
    SegmentRange {
        segment: first + range.segment,
        ..range
    }
}

/// Returns the segments that hold facts of the files, and renumbers the files' locations.
fn retain_needed_segments(files: &mut [FileRecord], segments: &[Segment]) -> Vec<Segment> {
    let mut places: Vec<Option<u32>> = vec![None; segments.len()];
    let mut needed = Vec::new();
    for file in files {
        let Content::Text(_, Some(FactsLocation { range, .. })) = &mut file.content else {
            continue;
        };
        let at = range.segment as usize;
        let (Some(number), Some(segment)) = (places.get_mut(at), segments.get(at)) else {
            continue;
        };
        range.segment = *number.get_or_insert_with(|| {
            needed.push(*segment);
            wire(needed.len()) - 1
        });
    }
    needed
}
