//! A part of the embedded store: some documents with all that answers questions about them. Only which of them still count ever changes.

use std::rc::Rc;

use super::table::{FileEntry, Kept, Record, Table};
use super::vectors::Vectors;
use super::{Place, Row};
use crate::evaluate;
use crate::metadata::{MetaValue, Metadata, text};
use crate::plan::Filter;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_index::content::ContentHash;
use ragnav_index::packed;
use ragnav_index::segments::Segment;

/// The largest table that is decompress, in bytes: as large as a part's file may be.
const MAX_TABLE: usize = 1 << 30;

/// Some documents of a store.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) table: Rc<Table>,
    pub(super) vectors: Rc<Vectors>,
    /// Which documents still count.
    pub(super) live: Vec<bool>,
    /// The file that it was read from.
    pub(super) segment: Option<Segment>,
}

impl Part {
    /// What [`to_bytes`](Self::to_bytes) made, all documents live; `None` for anything else.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let (table, vectors): (serde_bytes::ByteBuf, Vectors) = postcard::from_bytes(bytes).ok()?;
        let table = packed::decompress(&table, MAX_TABLE)?;
        let table: Table = postcard::from_bytes(&table).ok()?;
        Some(Self {
            live: vec![true; table.documents.len()],
            table: Rc::new(table),
            vectors: Rc::new(vectors),
            segment: None,
        })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        // Writing to memory cannot fail, and no type among these refuses to be written.
        let table = postcard::to_allocvec(&*self.table).unwrap_or_default();
        let table = lz4_flex::block::compress_prepend_size(&table);
        let table = serde_bytes::ByteBuf::from(table);
        postcard::to_allocvec(&(table, &*self.vectors)).unwrap_or_default()
    }

    /// How many documents it has, live or not.
    pub(super) fn len(&self) -> usize {
        self.table.documents.len()
    }

    /// How many still count.
    pub(super) fn count(&self) -> usize {
        self.live.iter().filter(|live| **live).count()
    }

    pub(super) fn is_live(&self, document: u32) -> bool {
        self.live.get(document as usize) == Some(&true)
    }

    /// The runs of documents that count no more.
    pub(super) fn dead(&self) -> Vec<(u32, u32)> {
        let mut start = 0;
        let mut dead = Vec::new();
        for run in self.live.chunk_by(|one, next| one == next) {
            let end = start + wire(run.len());
            if run.first() == Some(&false) {
                dead.push((start, end));
            }
            start = end;
        }
        dead
    }

    pub(super) fn bury(&mut self, dead: &[(u32, u32)]) {
        for (start, end) in dead {
            if let Some(run) = self.live.get_mut(*start as usize..*end as usize) {
                run.fill(false);
            }
        }
    }

    /// Takes out the documents that a test names.
    pub(super) fn bury_if(&mut self, is_dead: impl Fn(&str) -> bool) {
        let buried: Vec<u32> = (0..wire(self.len()))
            .filter(|document| self.is_live(*document) && is_dead(&self.id(*document)))
            .collect();
        for document in buried {
            self.bury(&[(document, document + 1)]);
        }
    }

    /// The files that it has live documents of, what they held, and where their documents are.
    pub(super) fn files(&self) -> impl Iterator<Item = (&RepoPath, ContentHash, (u32, u32))> {
        let mut start = 0;
        self.table.files.iter().filter_map(move |file| {
            let run = (std::mem::replace(&mut start, file.end), file.end);
            let is_live = (run.0..run.1).any(|document| self.is_live(document));
            let (path, hash) = file.source.as_ref().filter(|_| is_live)?;
            Some((path, *hash, run))
        })
    }

    /// The name of a document in the store: its file and what it is called there.
    pub(super) fn id(&self, document: u32) -> String {
        let Some((record, file)) = self.record(document) else {
            return String::new();
        };
        match &file.source {
            Some((path, _)) => format!("{path}#{}", record.name),
            None => record.name.clone(),
        }
    }

    /// Where a document stands among those that fit alike: by file and line, those of no file by their names.
    pub(super) fn order(&self, document: u32) -> (Option<&RepoPath>, u32, String) {
        let record = self.record(document);
        let path = record.and_then(|(_, file)| file.source.as_ref());
        let lines = record.and_then(|(record, _)| record.lines.first());
        let start = lines.map(|lines| lines.start).unwrap_or_default();
        (path.map(|(path, _)| path), start, self.id(document))
    }

    fn record(&self, document: u32) -> Option<(&Record, &FileEntry)> {
        let record = self.table.documents.get(document as usize)?;
        Some((record, self.table.files.get(record.file as usize)?))
    }

    fn value(&self, document: u32, field: &str) -> Option<&MetaValue> {
        let (record, file) = self.record(document)?;
        let at = self.table.fields.iter().position(|own| own == field)?;
        let mut all = record.metadata.iter().chain(&file.metadata);
        let (_, Kept(value)) = all.find(|(own, _)| usize::from(*own) == at)?;
        Some(value)
    }

    /// Which documents count and meet filters.
    pub(super) fn admitted(&self, filters: &[Filter]) -> Vec<bool> {
        let mut admitted = self.live.clone();
        if filters.is_empty() {
            return admitted;
        }
        for (document, admitted) in (0..).zip(&mut admitted) {
            *admitted = *admitted && evaluate::meets(filters, |field| self.value(document, field));
        }
        admitted
    }

    /// The live documents that hold a term, by its key, and what their mentions come to.
    pub(super) fn holding(&self, key: u32) -> impl Iterator<Item = (u32, f64)> {
        let holding = self.table.inverted.of(key);
        holding.filter(|(document, _)| self.is_live(*document))
    }

    /// The vectors of documents, live or not, by the hashes of their texts.
    pub(super) fn known_vectors(&self) -> impl Iterator<Item = (u64, &[f32])> {
        let documents = (0..).zip(&self.table.documents);
        documents.filter_map(|(document, record)| Some((record.hash, self.vectors.of(document)?)))
    }

    /// Whether it has live documents of no file.
    pub(super) fn holds_given(&self) -> bool {
        let live = (0..wire(self.len())).filter(|document| self.is_live(*document));
        let mut files = live.filter_map(|document| self.record(document));
        files.any(|(_, file)| file.source.is_none())
    }

    /// How many live documents have no vector.
    pub(super) fn without_vector(&self) -> usize {
        let live = (0..wire(self.len())).filter(|document| self.is_live(*document));
        live.filter(|document| self.vectors.of(*document).is_none())
            .count()
    }

    /// Whether all of some documents have vectors.
    pub(super) fn have_vectors(&self, (start, end): (u32, u32)) -> bool {
        (start..end).all(|document| self.vectors.of(document).is_some())
    }

    pub(super) fn row(&self, document: u32, similarity: Option<f64>) -> Option<Row> {
        let (record, file) = self.record(document)?;
        let all = file.metadata.iter().chain(&record.metadata);
        let metadata: Metadata = all
            .filter_map(|(at, Kept(value))| {
                let field = self.table.fields.get(usize::from(*at))?;
                Some((field.clone(), value.clone()))
            })
            .collect();
        let place = file.source.as_ref().map(|(path, hash)| Place {
            path: path.clone(),
            hash: *hash,
            name: record.name.clone(),
            heading: text(&metadata, "heading").unwrap_or_default().to_owned(),
            head: record.head,
            lines: record.lines.clone(),
        });
        Some(Row {
            id: self.id(document),
            document: record.text.clone(),
            metadata,
            similarity,
            place,
        })
    }
}
