//! A part of the embedded store: some documents with all that answers questions about them. Only which of them still count ever changes.

use std::collections::HashMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::inverted::{Inverted, InvertedBuilder, Searched};
use super::vectors::Vectors;
use super::{Document, Place, Row};
use crate::agent::chunk::{Chunked, Lines};
use crate::agent::evaluate;
use crate::agent::metadata::{MetaValue, Metadata, text};
use crate::agent::plan::{Filter, Scalar};
use crate::error::RagnavError;
use crate::graph::content::ContentHash;
use crate::path::RepoPath;
use crate::position::wire;

/// What a part holds of documents, beside their vectors.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Table {
    /// The names of the fields that metadata have.
    fields: Vec<String>,
    files: Vec<FileEntry>,
    documents: Vec<Record>,
    inverted: Inverted,
}

/// A file whose documents stand beside each other.
#[derive(Debug, Serialize, Deserialize)]
struct FileEntry {
    /// The file and what it held; `None` for documents that somebody put in.
    source: Option<(RepoPath, ContentHash)>,
    metadata: Fields,
    /// Behind which document its own end.
    end: u32,
}

#[derive(Debug, Serialize, Deserialize)]
struct Record {
    /// What it is called in its file, or altogether.
    name: String,
    file: u32,
    head: Option<Lines>,
    lines: Vec<Lines>,
    metadata: Fields,
    /// Its text, where no file has it.
    text: Option<String>,
    /// Of its text.
    hash: u64,
}

/// Values by the places of their fields.
type Fields = Vec<(u16, Kept)>;

/// A value as it is written: this format has no values that only their form tells apart.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Stored {
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Stored>),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
struct Kept(MetaValue);

impl From<Scalar> for Stored {
    fn from(value: Scalar) -> Self {
        match value {
            Scalar::Bool(value) => Self::Bool(value),
            Scalar::Number(value) => Self::Number(value),
            Scalar::String(value) => Self::Text(value),
        }
    }
}

impl From<Kept> for Stored {
    fn from(Kept(value): Kept) -> Self {
        match value {
            MetaValue::One(value) => value.into(),
            MetaValue::List(values) => Self::List(values.into_iter().map(Self::from).collect()),
        }
    }
}

impl Stored {
    fn scalar(self) -> Option<Scalar> {
        match self {
            Self::Bool(value) => Some(Scalar::Bool(value)),
            Self::Number(value) => Some(Scalar::Number(value)),
            Self::Text(value) => Some(Scalar::String(value)),
            Self::List(_) => None,
        }
    }
}

impl From<Stored> for Kept {
    fn from(stored: Stored) -> Self {
        Self(match stored {
            Stored::List(values) => {
                MetaValue::List(values.into_iter().filter_map(Stored::scalar).collect())
            }
            Stored::Bool(value) => MetaValue::from(value),
            Stored::Number(value) => MetaValue::from(value),
            Stored::Text(value) => MetaValue::from(value),
        })
    }
}

/// Some documents of a store.
#[derive(Debug, Clone)]
pub(super) struct Part {
    table: Rc<Table>,
    pub(super) vectors: Rc<Vectors>,
    /// Which documents still count.
    live: Vec<bool>,
}

impl Part {
    /// What [`to_bytes`](Self::to_bytes) made, all documents live; `None` for anything else.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let (table, vectors): (serde_bytes::ByteBuf, Vectors) = postcard::from_bytes(bytes).ok()?;
        let table = lz4_flex::block::decompress_size_prepended(&table).ok()?;
        let table: Table = postcard::from_bytes(&table).ok()?;
        Some(Self {
            live: vec![true; table.documents.len()],
            table: Rc::new(table),
            vectors: Rc::new(vectors),
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

/// A part that is being made.
#[derive(Debug, Default)]
pub(in crate::agent) struct PartBuilder {
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
    pub(in crate::agent) fn add_file(
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
    pub(in crate::agent) fn len(&self) -> usize {
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
