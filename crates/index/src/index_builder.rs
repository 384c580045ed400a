//! Making an index, from the one before and from what files came to since.

use crate::content::{ContentHash, StampHash};
use crate::extract::{Extract, Extracted, ExtractedText};
use crate::index::{Content, Extent, FactsPlace, FileRecord, Index, MAX_INDEX_BYTES, Table};
use crate::postings::{Posting, Postings, PostingsBuilder};
use crate::segments::{Place, Segment, SegmentId, SegmentWriter};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::item::SkipReason;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;

/// Segments with fewer bytes are put together once there are [`MANY_SMALL`].
const SMALL_BYTES: u32 = 1 << 17;
const MANY_SMALL: usize = 8;

/// What a file's content came to when it was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Looked {
    /// It is what the index before has it as.
    Kept,
    /// It could not be read.
    Unread(SkipReason),
    /// It was read.
    Extracted(Extract),
}

/// A file with what proves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookedFile {
    /// How many bytes it has.
    pub size: u64,
    /// What its stamp will prove; `None` where only its content does.
    pub stamp: Option<StampHash>,
    /// What it came to.
    pub looked: Looked,
}

/// An index that was made.
#[derive(Debug)]
pub struct BuiltIndex {
    /// The index.
    pub index: Index,
    /// Its segments that are not written yet.
    pub unwritten: Vec<(SegmentId, Vec<u8>)>,
    /// The definitions of its files as the graph names them, in the order of the files; `None` for a file that was kept.
    pub entities: Vec<Option<String>>,
}

/// A file that was added.
#[derive(Debug)]
struct Slot {
    record: FileRecord,
    /// What it says in the graph; `None` for one that was kept.
    entities: Option<String>,
}

/// An index that is being made. Files may be added in any order.
#[derive(Debug)]
pub struct IndexBuilder<'i> {
    before: Option<&'i Index>,
    /// Where the files of the index before are among the slots.
    kept: Vec<Option<u32>>,
    slots: Vec<Option<Slot>>,
    filters: Vec<u8>,
    /// The segments of the index before come first.
    segments: Vec<Segment>,
    writer: SegmentWriter,
    postings: PostingsBuilder,
}

impl<'i> IndexBuilder<'i> {
    /// An index of at most so many files; what is kept is taken from the one before.
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
        }
    }

    /// Adds the file that is at a place among all, which are sorted by path; each once. One to be kept that the index before does
    /// not have is not added.
    pub fn add(&mut self, at: usize, path: &RepoPath, file: LookedFile) {
        let known = self.before.and_then(|before| before.place(path));
        let extracted = match file.looked {
            Looked::Kept => None,
            Looked::Unread(reason) => Some(Content::Skipped(reason, None)),
            Looked::Extracted(extract) => match extract.content {
                Extracted::Known => None,
                Extracted::Skipped(reason) => Some(Content::Skipped(reason, Some(extract.hash))),
                Extracted::Text(text) => {
                    let slot = self.take_in(at, path, extract.hash, *text);
                    return self.put(at, slot, file.size, file.stamp);
                }
            },
        };
        let slot = match extracted {
            Some(content) => Some(Slot::new(path, content)),
            None => known.and_then(|known| self.keep(at, known)),
        };
        if let Some(slot) = slot {
            self.put(at, slot, file.size, file.stamp);
        }
    }

    /// Takes the segments that are full, to be written.
    pub fn take_full(&mut self) -> Vec<(SegmentId, Vec<u8>)> {
        self.writer.take_full()
    }

    /// The segments of the index before that are better written anew: little of them is needed still, or they are many and small.
    #[must_use]
    pub fn wasteful(&self) -> Vec<(u32, Segment)> {
        let mut needed = vec![0_u32; self.segments.len()];
        for place in self.slots.iter().flatten().filter_map(Slot::kept_place) {
            if let Some(needed) = needed.get_mut(place.segment as usize) {
                *needed = needed.saturating_add(place.len);
            }
        }
        let segments = || (0..).zip(self.segments.iter().copied()).zip(&needed);
        let is_small = |segment: Segment| segment.len < SMALL_BYTES;
        let small = segments().filter(|((_, segment), needed)| is_small(*segment) && **needed > 0);
        let many_small = small.count() >= MANY_SMALL;
        let wasteful = segments().filter(|((_, segment), needed)| {
            let is_waste = **needed < segment.len / 2;
            // No build puts two files' facts in one place: what such an index wants copied has no bound.
            let is_sound = **needed <= segment.len;
            **needed > 0 && (is_waste || (many_small && is_small(*segment) && is_sound))
        });
        wasteful.map(|(segment, _)| segment).collect()
    }

    /// Copies what is needed of a segment of the index before.
    pub fn rewrite(&mut self, segment: u32, bytes: &[u8]) {
        let first = wire(self.segments.len());
        for slot in self.slots.iter_mut().flatten() {
            let Some(place) = slot.kept_place().filter(|place| place.segment == segment) else {
                continue;
            };
            if let (Some(facts), Content::Text(_, Some(at))) =
                (place.of(bytes), &mut slot.record.content)
            {
                at.place = behind(first, self.writer.append(facts));
            }
        }
    }

    /// Whether the files, and what proves them, are those of the index before.
    #[must_use]
    pub fn is_as_before(&self) -> bool {
        let records = self.slots.iter().flatten().map(|slot| &slot.record);
        let generation = Table::generation(records);
        self.before
            .is_some_and(|before| before.is_of_generation(generation))
    }

    /// The index.
    ///
    /// # Errors
    /// `INDEX_WRITE_FAILED` where it is larger than its file can be.
    pub fn finish(self) -> Result<BuiltIndex, RagnavError> {
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
        let empty = Postings::default();
        let before = self.before.map_or(&empty, Index::postings);
        let (written, unwritten) = self.writer.finish();
        let mut segments = self.segments;
        segments.extend(written);
        let table = Table {
            languages: ragnav_syntax::language_names(),
            generation: Table::generation(files.iter()),
            segments: without_unneeded(&mut files, &segments),
            files,
            postings: self.postings.finish(&places, before, &kept),
        };
        let index = Index::of_table(table, &self.filters);
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

    fn put(&mut self, at: usize, mut slot: Slot, size: u64, stamp: Option<StampHash>) {
        slot.record.size = size;
        slot.record.stamp = stamp;
        if let Some(place) = self.slots.get_mut(at) {
            *place = Some(slot);
        }
    }

    fn keep(&mut self, at: usize, known: usize) -> Option<Slot> {
        let before = self.before?;
        let file = before.files().get(known)?;
        *self.kept.get_mut(known)? = Some(wire(at));
        let filter = file.filter.and_then(|extent| before.part(extent));
        let filter = filter.map(|filter| self.append_filter(filter));
        Some(Slot {
            record: FileRecord {
                filter,
                ..file.clone()
            },
            entities: None,
        })
    }

    fn take_in(
        &mut self,
        at: usize,
        path: &RepoPath,
        hash: ContentHash,
        text: ExtractedText,
    ) -> Slot {
        for (key, defines) in text.names {
            let file = wire(at);
            self.postings.add(key, Posting { file, defines });
        }
        let first = wire(self.segments.len());
        let entities_len = wire(text.entities.len());
        let facts = text.facts.map(|facts| FactsPlace {
            place: behind(first, self.writer.append(&facts)),
            entities_len,
            is_partial: text.is_partial,
        });
        let mut slot = Slot::new(path, Content::Text(hash, facts));
        slot.record.filter = Some(self.append_filter(&text.filter));
        slot.entities = Some(text.entities);
        slot
    }

    fn append_filter(&mut self, filter: &[u8]) -> Extent {
        let extent = Extent::new(self.filters.len(), filter.len());
        self.filters.extend_from_slice(filter);
        extent
    }
}

impl Slot {
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

    /// Where its facts are, if it was kept.
    fn kept_place(&self) -> Option<Place> {
        match self.record.content {
            Content::Text(_, Some(facts)) if self.entities.is_none() => Some(facts.place),
            Content::Text(..) | Content::Skipped(..) => None,
        }
    }
}

fn behind(first: u32, place: Place) -> Place {
    Place {
        segment: first + place.segment,
        ..place
    }
}

/// The segments that files have facts in, and the files' places among these.
fn without_unneeded(files: &mut [FileRecord], segments: &[Segment]) -> Vec<Segment> {
    let mut places: Vec<Option<u32>> = vec![None; segments.len()];
    let mut needed = Vec::new();
    for file in files {
        let Content::Text(_, Some(FactsPlace { place, .. })) = &mut file.content else {
            continue;
        };
        let at = place.segment as usize;
        let (Some(number), Some(segment)) = (places.get_mut(at), segments.get(at)) else {
            continue;
        };
        place.segment = *number.get_or_insert_with(|| {
            needed.push(*segment);
            wire(needed.len()) - 1
        });
    }
    needed
}
