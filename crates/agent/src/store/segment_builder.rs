//! Building a segment of the embedded store.

use std::rc::Rc;

use xxhash_rust::xxh3::xxh3_64;

use super::Document;
use super::inverted_index::{InvertedIndexBuilder, SearchableText};
use super::segment::DocumentSegment;
use super::segment_table::{DocumentRecord, FieldValues, FileEntry, StoredValue, Table};
use super::vectors::Vectors;
use crate::chunked_text::{ChunkedText, embedded_text};
use crate::metadata::{MetaValue, Metadata, text};
use crate::plan::Scalar;
use ragnav_base::error::RagnavError;
use ragnav_base::hash::HashMap;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_index::content::ContentHash;

/// A builder of segments, one after the other.
#[derive(Debug, Default)]
pub(crate) struct SegmentBuilder {
    table: Table,
    vectors: Vectors,
    inverted: InvertedIndexBuilder,
    fields: HashMap<String, u16>,
}

impl SegmentBuilder {
    /// Adds the chunks of a file with their texts, and with vectors if there are any.
    ///
    /// # Errors
    /// `STORE_FAILED` for a vector of another dimension.
    pub(crate) fn add_file(&mut self, file: &ChunkedText) -> Result<(), RagnavError> {
        let ChunkedText {
            path,
            hash,
            chunked,
            texts,
        } = file;
        let title = text(&chunked.metadata, "title").unwrap_or_default();
        let tags: Vec<&str> = match chunked.metadata.get("tags") {
            Some(MetaValue::List(tags)) => tags.iter().filter_map(scalar_text).collect(),
            _ => Vec::new(),
        };
        let tags = tags.join(" ");
        let is_titled = !title.is_empty();
        for (chunk, (body, vector)) in chunked.chunks.iter().zip(texts) {
            let heading = chunk.heading.as_str();
            let (around, own) = match heading.rsplit_once('.') {
                Some((around, own)) if !is_titled => (around, own),
                _ => (title, heading),
            };
            let searchable = SearchableText {
                name: own,
                qualifier: around,
                summary: if is_titled { &tags } else { &chunk.summary },
                body,
                path: path.as_str(),
            };
            let embedded = embedded_text(path, chunked, chunk, body);
            let record = DocumentRecord {
                name: chunk.name(),
                file: wire(self.table.files.len()),
                head: chunk.head,
                lines: chunk.lines.clone(),
                metadata: self.store_fields(&chunk.metadata),
                text: None,
                hash: xxh3_64(embedded.as_bytes()),
            };
            self.add(record, searchable, vector.as_deref())?;
        }
        let source = Some((path.clone(), *hash));
        self.end_file(source, &chunked.metadata);
        Ok(())
    }

    /// Adds documents of the caller, each as a file of its own.
    ///
    /// # Errors
    /// `STORE_FAILED` for a vector of another dimension.
    pub(super) fn add_documents(&mut self, documents: &[Document]) -> Result<(), RagnavError> {
        for document in documents {
            let field = |name: &str| text(&document.metadata, name).unwrap_or_default();
            let searchable = SearchableText {
                name: field("heading"),
                qualifier: field("title"),
                summary: "",
                body: &document.text,
                path: field("file_path"),
            };
            let record = DocumentRecord {
                name: document.id.clone(),
                file: wire(self.table.files.len()),
                head: None,
                lines: Vec::new(),
                metadata: self.store_fields(&document.metadata),
                text: Some(document.text.clone()),
                hash: xxh3_64(document.text.as_bytes()),
            };
            self.add(record, searchable, document.embedding.as_deref())?;
            self.end_file(None, &Metadata::new());
        }
        Ok(())
    }

    /// Returns the number of documents.
    pub(crate) fn len(&self) -> usize {
        self.table.documents.len()
    }

    /// Returns a segment of the documents that were added since the last call.
    pub(super) fn finish(&mut self) -> DocumentSegment {
        self.fields.clear();
        let table = Table {
            inverted: self.inverted.finish(),
            ..std::mem::take(&mut self.table)
        };
        DocumentSegment {
            live: vec![true; table.documents.len()],
            table: Rc::new(table),
            vectors: Rc::new(std::mem::take(&mut self.vectors)),
            file: None,
        }
    }

    fn add(
        &mut self,
        record: DocumentRecord,
        searchable: SearchableText<'_>,
        vector: Option<&[f32]>,
    ) -> Result<(), RagnavError> {
        let document = wire(self.table.documents.len());
        if let Some(vector) = vector {
            self.vectors.add(document, vector)?;
        }
        self.inverted.add(document, searchable);
        self.table.documents.push(record);
        Ok(())
    }

    fn end_file(&mut self, source: Option<(RepoPath, ContentHash)>, metadata: &Metadata) {
        self.inverted.end_file(wire(self.table.files.len()));
        let entry = FileEntry {
            source,
            metadata: self.store_fields(metadata),
            end: wire(self.table.documents.len()),
        };
        self.table.files.push(entry);
    }

    // Fields beyond 16 bits are dropped, since no catalogue has that many.
    fn store_fields(&mut self, metadata: &Metadata) -> FieldValues {
        let mut kept = Vec::with_capacity(metadata.len());
        for (field, value) in metadata {
            let known = self.fields.get(field).copied();
            let Some(at) = known.or_else(|| u16::try_from(self.fields.len()).ok()) else {
                continue;
            };
            if known.is_none() {
                self.fields.insert(field.clone(), at);
                self.table.fields.push(field.clone());
            }
            kept.push((at, StoredValue(value.clone())));
        }
        kept
    }
}

fn scalar_text(value: &Scalar) -> Option<&str> {
    match value {
        Scalar::String(text) => Some(text),
        _ => None,
    }
}
