//! A segment of the embedded store: immutable documents, and which of them are deleted.

use std::ops::Range;
use std::rc::Rc;

use super::segment_table::{DocumentRecord, FileEntry, StoredValue, Table};
use super::vectors::Vectors;
use super::{DocumentLocation, Row};
use crate::evaluate;
use crate::metadata::{MetaValue, Metadata, text};
use crate::passage_kind::PassageKind;
use crate::plan::{Filter, Scalar};
use crate::stated_path::stated_path;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_index::content::ContentHash;
use ragnav_index::packed;
use ragnav_index::segments::Segment;

/// The size limit of a decompressed table, in bytes; equal to that of a file.
const MAX_TABLE: usize = 1 << 30;

/// A segment of a document store.
#[derive(Debug, Clone)]
pub(super) struct DocumentSegment {
    pub(super) table: Rc<Table>,
    pub(super) vectors: Rc<Vectors>,
    /// Whether each document is live, and not deleted.
    pub(super) live: Vec<bool>,
    /// The file that the segment was read from.
    pub(super) file: Option<Segment>,
}

impl DocumentSegment {
    /// Parses the bytes of a segment, with all documents live. Returns `None` for other bytes.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (table, vectors): (serde_bytes::ByteBuf, Vectors) = postcard::from_bytes(bytes).ok()?;
        let table = packed::decompress(&table, MAX_TABLE)?;
        let table: Table = postcard::from_bytes(&table).ok()?;
        Some(Self {
            live: vec![true; table.documents.len()],
            table: Rc::new(table),
            vectors: Rc::new(vectors),
            file: None,
        })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        // Writing to memory cannot fail, and every type here serialises.
        let table = postcard::to_allocvec(&*self.table).unwrap_or_default();
        let table = lz4_flex::block::compress_prepend_size(&table);
        let table = serde_bytes::ByteBuf::from(table);
        postcard::to_allocvec(&(table, &*self.vectors)).unwrap_or_default()
    }

    /// Returns the number of documents, with deleted ones.
    pub(super) fn len(&self) -> usize {
        self.table.documents.len()
    }

    /// Returns the number of live documents.
    pub(super) fn count(&self) -> usize {
        self.live.iter().filter(|live| **live).count()
    }

    pub(super) fn is_live(&self, document: u32) -> bool {
        self.live.get(document as usize) == Some(&true)
    }

    /// Returns the ranges of deleted documents.
    pub(super) fn deleted_ranges(&self) -> Vec<(u32, u32)> {
        let mut start = 0;
        let mut deleted = Vec::new();
        for run in self.live.chunk_by(|one, next| one == next) {
            let end = start + wire(run.len());
            if run.first() == Some(&false) {
                deleted.push((start, end));
            }
            start = end;
        }
        deleted
    }

    pub(super) fn mark_deleted(&mut self, deleted: &[(u32, u32)]) {
        for (start, end) in deleted {
            if let Some(run) = self.live.get_mut(*start as usize..*end as usize) {
                run.fill(false);
            }
        }
    }

    /// Deletes the documents for which a test of their id is true.
    pub(super) fn delete_where(&mut self, is_dead: impl Fn(&str) -> bool) {
        let deleted: Vec<u32> = (0..wire(self.len()))
            .filter(|document| self.is_live(*document) && is_dead(&self.id(*document)))
            .collect();
        for document in deleted {
            self.mark_deleted(&[(document, document + 1)]);
        }
    }

    /// Returns the files with live documents, their content hashes and the ranges of their
    /// documents.
    pub(super) fn files(&self) -> impl Iterator<Item = (&RepoPath, ContentHash, (u32, u32))> {
        let mut start = 0;
        self.table.files.iter().filter_map(move |file| {
            let run = (std::mem::replace(&mut start, file.end), file.end);
            let is_live = (run.0..run.1).any(|document| self.is_live(document));
            let (path, hash) = file.source.as_ref().filter(|_| is_live)?;
            Some((path, *hash, run))
        })
    }

    /// Returns the id of a document: the path of its file and its name there.
    pub(super) fn id(&self, document: u32) -> String {
        let Some((record, file)) = self.record(document) else {
            return String::new();
        };
        match &file.source {
            Some((path, _)) => format!("{path}#{}", record.name),
            None => record.name.clone(),
        }
    }

    /// Returns the order of documents with equal scores: by file and line, without a file by id.
    pub(super) fn order(&self, document: u32) -> (Option<&RepoPath>, u32, String) {
        let record = self.record(document);
        let path = record.and_then(|(_, file)| file.source.as_ref());
        let lines = record.and_then(|(record, _)| record.lines.first());
        let start = lines.map(|lines| lines.start).unwrap_or_default();
        (path.map(|(path, _)| path), start, self.id(document))
    }

    fn record(&self, document: u32) -> Option<(&DocumentRecord, &FileEntry)> {
        let record = self.table.documents.get(document as usize)?;
        Some((record, self.table.files.get(record.file as usize)?))
    }

    fn value(&self, document: u32, field: &str) -> Option<&MetaValue> {
        let (record, file) = self.record(document)?;
        let at = self.table.fields.iter().position(|own| own == field)?;
        let mut all = record.metadata.iter().chain(&file.metadata);
        let (_, StoredValue(value)) = all.find(|(own, _)| usize::from(*own) == at)?;
        Some(value)
    }

    /// Returns which documents are live, meet filters, and are of a kind if one is given.
    pub(super) fn matching_documents(
        &self,
        filters: &[Filter],
        only: Option<PassageKind>,
    ) -> Vec<bool> {
        let mut admitted = self.live.clone();
        if let Some(kind) = only {
            self.keep_kind(kind, &mut admitted);
        }
        if filters.is_empty() {
            return admitted;
        }
        for (document, admitted) in (0..).zip(&mut admitted) {
            *admitted = *admitted && evaluate::meets(filters, |field| self.value(document, field));
        }
        admitted
    }

    /// Keeps the admitted documents of a kind. Documents of the caller state their path.
    fn keep_kind(&self, kind: PassageKind, admitted: &mut [bool]) {
        for (path, documents) in self.all_files() {
            let of_file = path.map(PassageKind::of);
            for document in documents {
                let stated = || stated_path(|field| self.value(document, field));
                let own = of_file.or_else(|| PassageKind::of_stated(stated()?));
                if let Some(admitted) = admitted.get_mut(document as usize) {
                    *admitted &= own == Some(kind);
                }
            }
        }
    }

    /// Returns the live documents that contain a term, with the term's frequency.
    pub(super) fn documents_with_term(&self, key: u32) -> impl Iterator<Item = (u32, f64)> {
        let holding = self.table.inverted.documents.postings(key);
        holding.filter(|(document, _)| self.is_live(*document))
    }

    /// Returns the files that contain a term, with the term's frequency. Some of them may have no
    /// live documents.
    pub(super) fn files_with_term(&self, key: u32) -> impl Iterator<Item = (u32, f64)> {
        self.table.inverted.files.postings(key)
    }

    /// Returns the paths of all files, with the ranges of their documents. Documents of the caller
    /// have no path.
    pub(super) fn all_files(&self) -> impl Iterator<Item = (Option<&RepoPath>, Range<u32>)> {
        let mut start = 0;
        self.table.files.iter().map(move |file| {
            let documents = std::mem::replace(&mut start, file.end)..file.end;
            (file.source.as_ref().map(|(path, _)| path), documents)
        })
    }

    /// Returns the heading of a document; empty if it has none.
    pub(super) fn heading(&self, document: u32) -> &str {
        match self.value(document, "heading") {
            Some(MetaValue::One(Scalar::String(heading))) => heading,
            _ => "",
        }
    }

    /// Returns the vectors of all documents, by the hash of their text.
    pub(super) fn known_vectors(&self) -> impl Iterator<Item = (u64, &[f32])> {
        let documents = (0..).zip(&self.table.documents);
        documents.filter_map(|(document, record)| Some((record.hash, self.vectors.get(document)?)))
    }

    /// Reports whether there are live documents without a file, which the caller added.
    pub(super) fn has_caller_documents(&self) -> bool {
        let live = (0..wire(self.len())).filter(|document| self.is_live(*document));
        let mut files = live.filter_map(|document| self.record(document));
        files.any(|(_, file)| file.source.is_none())
    }

    /// Returns the number of live documents without a vector.
    pub(super) fn count_without_vector(&self) -> usize {
        let live = (0..wire(self.len())).filter(|document| self.is_live(*document));
        live.filter(|document| self.vectors.get(*document).is_none())
            .count()
    }

    /// Reports whether all documents of a range have vectors.
    pub(super) fn have_vectors(&self, (start, end): (u32, u32)) -> bool {
        (start..end).all(|document| self.vectors.get(document).is_some())
    }

    pub(super) fn row(&self, document: u32, similarity: Option<f64>) -> Option<Row> {
        let (record, file) = self.record(document)?;
        let all = file.metadata.iter().chain(&record.metadata);
        let metadata: Metadata = all
            .filter_map(|(at, StoredValue(value))| {
                let field = self.table.fields.get(usize::from(*at))?;
                Some((field.clone(), value.clone()))
            })
            .collect();
        let place = file.source.as_ref().map(|(path, hash)| DocumentLocation {
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
