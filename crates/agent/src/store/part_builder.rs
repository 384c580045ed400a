//! A part of the embedded store while it is being made.

use std::collections::HashMap;
use std::rc::Rc;

use xxhash_rust::xxh3::xxh3_64;

use super::Document;
use super::inverted::{InvertedBuilder, Searched};
use super::part::Part;
use super::table::{Fields, FileEntry, Kept, Record, Table};
use super::vectors::Vectors;
use crate::chunk::Chunked;
use crate::metadata::{MetaValue, Metadata, text};
use crate::plan::Scalar;
use ragnav_base::error::RagnavError;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_index::content::ContentHash;

/// A part that is being made.
#[derive(Debug, Default)]
pub(crate) struct PartBuilder {
    table: Table,
    vectors: Vectors,
    inverted: InvertedBuilder,
    fields: HashMap<String, u16>,
}

impl PartBuilder {
    /// Adds the chunks of a file with their texts, and their vectors where there are any.
    ///
    /// # Errors
    /// `STORE_FAILED` for a vector that does not fit the others.
    pub(crate) fn add_file(
        &mut self,
        path: &RepoPath,
        hash: ContentHash,
        chunked: &Chunked,
        texts: &[(String, Option<Vec<f32>>)],
    ) -> Result<(), RagnavError> {
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
            let searched = Searched {
                name: own,
                qualifier: around,
                summary: if is_titled { &tags } else { &chunk.summary },
                body,
                path: path.as_str(),
            };
            let record = Record {
                name: chunk.name(),
                file: wire(self.table.files.len()),
                head: chunk.head,
                lines: chunk.lines.clone(),
                metadata: self.fields(&chunk.metadata),
                text: None,
                hash: xxh3_64(body.as_bytes()),
            };
            self.add(record, searched, vector.as_deref())?;
        }
        let source = Some((path.clone(), hash));
        self.end_file(source, &chunked.metadata);
        Ok(())
    }

    /// Adds documents that somebody put in.
    ///
    /// # Errors
    /// `STORE_FAILED` for a vector that does not fit the others.
    pub(super) fn add_documents(&mut self, documents: &[Document]) -> Result<(), RagnavError> {
        for document in documents {
            let field = |name: &str| text(&document.metadata, name).unwrap_or_default();
            let searched = Searched {
                name: field("heading"),
                qualifier: field("title"),
                summary: "",
                body: &document.text,
                path: field("file_path"),
            };
            let record = Record {
                name: document.id.clone(),
                file: wire(self.table.files.len()),
                head: None,
                lines: Vec::new(),
                metadata: self.fields(&document.metadata),
                text: Some(document.text.clone()),
                hash: xxh3_64(document.text.as_bytes()),
            };
            self.add(record, searched, document.embedding.as_deref())?;
        }
        self.end_file(None, &Metadata::new());
        Ok(())
    }

    /// How many documents it has so far.
    pub(crate) fn len(&self) -> usize {
        self.table.documents.len()
    }

    pub(super) fn finish(self) -> Part {
        let inverted = self.inverted.finish();
        let table = Table {
            inverted,
            ..self.table
        };
        Part {
            live: vec![true; table.documents.len()],
            table: Rc::new(table),
            vectors: Rc::new(self.vectors),
            segment: None,
        }
    }

    fn add(
        &mut self,
        record: Record,
        searched: Searched<'_>,
        vector: Option<&[f32]>,
    ) -> Result<(), RagnavError> {
        let document = wire(self.table.documents.len());
        if let Some(vector) = vector {
            self.vectors.add(document, vector)?;
        }
        self.inverted.add(document, searched);
        self.table.documents.push(record);
        Ok(())
    }

    fn end_file(&mut self, source: Option<(RepoPath, ContentHash)>, metadata: &Metadata) {
        let entry = FileEntry {
            source,
            metadata: self.fields(metadata),
            end: wire(self.table.documents.len()),
        };
        self.table.files.push(entry);
    }

    /// Fields beyond what 16 bits count are left out: no catalogue has so many.
    fn fields(&mut self, metadata: &Metadata) -> Fields {
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
            kept.push((at, Kept(value.clone())));
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
