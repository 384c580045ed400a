//! The graph as it is written for other readers and for enrichment.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::carry::{Carried, Knowledge};
use crate::index::{Content, Index};
use crate::rag_graph::{AMBIGUOUS_KEY, BODY_KEY};
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_base::symbol_id::{self, SymbolId};
use ragnav_syntax::facts::{DefinitionFact, Facts};

/// What a graph says beside its entities.
#[derive(Debug, Clone, Copy)]
pub struct Heading<'h> {
    /// The repository's root as the host names it.
    pub repo: &'h str,
    /// When it was built, ISO 8601 in UTC.
    pub indexed_at: &'h str,
    /// The version of the index's layout.
    pub schema_version: &'h str,
}

/// Which definitions a graph names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// All.
    All,
    /// Those of which something is known, where all of them would be more than is ever read again.
    Known,
}

/// The text of a graph that is being written, in parts: it may be large.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct GraphText {
    parts: Vec<Vec<u8>>,
    has_entities: bool,
}

/// The largest part of a text that is put together, in bytes.
const PART_BYTES: usize = 1 << 16;
/// From so many bytes on definitions are a part of their own.
const LONG_BYTES: usize = 1 << 10;

const BEFORE_ENTITIES: &[u8] = b"\"entities\":[";
const BEHIND_ENTITIES: &[u8] = b"],\"relations\":[],\"lost\":";

impl GraphText {
    /// The text up to its definitions.
    #[must_use]
    pub fn new(index: &Index, heading: Heading<'_>) -> Self {
        let files: Vec<&RepoPath> = index.files().iter().map(|record| &record.path).collect();
        let fields: [(&str, Value); 6] = [
            ("version", 1.into()),
            ("indexed_at", heading.indexed_at.into()),
            ("repo", heading.repo.into()),
            ("schema_version", heading.schema_version.into()),
            ("generation", index.generation().into()),
            ("files", serde_json::to_value(files).unwrap_or_default()),
        ];
        let mut head = b"{".to_vec();
        for (key, value) in fields {
            head.extend_from_slice(format!("\"{key}\":{value},").as_bytes());
        }
        head.extend_from_slice(BEFORE_ENTITIES);
        Self {
            parts: vec![head],
            has_entities: false,
        }
    }

    /// Adds definitions, as one or more objects with commas between them.
    pub fn add(&mut self, entities: &[u8]) {
        if !entities.is_empty() {
            self.begin();
            self.append(entities);
        }
    }

    /// As [`add`](Self::add), without a copy where they are long.
    pub fn add_owned(&mut self, entities: String) {
        if entities.len() < LONG_BYTES {
            return self.add(entities.as_bytes());
        }
        self.begin();
        self.parts.push(entities.into_bytes());
    }

    fn begin(&mut self) {
        if std::mem::replace(&mut self.has_entities, true) {
            self.append(b",");
        }
    }

    /// The whole text, with what is known of symbols that are not there now.
    #[must_use]
    pub fn finish(mut self, lost: &[Value]) -> Vec<Vec<u8>> {
        self.append(BEHIND_ENTITIES);
        // Every key is a text and every number finite, so nothing refuses to be written.
        self.append(&serde_json::to_vec(lost).unwrap_or_default());
        self.append(b"}");
        self.parts
    }

    fn append(&mut self, text: &[u8]) {
        match self.parts.last_mut() {
            Some(last) if last.len() + text.len() <= PART_BYTES => last.extend_from_slice(text),
            _ => self.parts.push(text.to_vec()),
        }
    }
}

/// The definitions in the text of a graph that knows nothing of them: where those of each file are, told from how long they are.
#[derive(Debug)]
pub struct StandingEntities<'g> {
    text: &'g [u8],
    /// By the places of the files: where their definitions begin and end.
    spans: Vec<(usize, usize)>,
}

impl<'g> StandingEntities<'g> {
    /// Of a graph that was written with an index; `None` where its definitions are not of that length.
    #[must_use]
    pub fn of(graph: &'g [u8], index: &Index) -> Option<Self> {
        // A quote within a text of JSON stands behind a backslash, so this is a key.
        let start = memchr::memmem::find(graph, BEFORE_ENTITIES)? + BEFORE_ENTITIES.len();
        let text = graph.get(start..)?;
        let mut at = 0;
        let mut spans = Vec::with_capacity(index.files().len());
        for record in index.files() {
            let len = match record.content {
                Content::Text(_, Some(facts)) => facts.entities_len as usize,
                Content::Text(..) | Content::Skipped(..) => 0,
            };
            if len > 0 && at > 0 {
                at += 1;
            }
            spans.push((at, at + len));
            at += len;
        }
        let is_whole = text.get(at..)?.starts_with(BEHIND_ENTITIES);
        is_whole.then_some(Self { text, spans })
    }

    /// The definitions of a file, by its place in the index.
    #[must_use]
    pub fn of_file(&self, place: usize) -> Option<&'g [u8]> {
        let (start, end) = self.spans.get(place)?;
        self.text.get(*start..*end)
    }
}

/// A definition of which nothing more is known, its keys in the order of the alphabet as in all others.
#[derive(Serialize)]
struct PlainEntity<'e> {
    body: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    docstring: Option<&'e str>,
    end_line: u32,
    file_path: &'e str,
    id: &'e str,
    kind: DefinitionKind,
    metadata: Map<String, Value>,
    start_line: u32,
}

/// The definitions of a file of which nothing more is known, with commas between them.
#[must_use]
pub fn plain_entities(path: &RepoPath, facts: &Facts) -> String {
    let module = module_of(path);
    let named = facts.symbols().into_iter().zip(&facts.definitions);
    let mut text = Vec::new();
    for (symbol, definition) in named {
        if !text.is_empty() {
            text.push(b',');
        }
        let id = SymbolId::new(&module, &symbol.name_path);
        let entity = PlainEntity {
            body: definition.body.format(),
            docstring: definition.docstring.as_deref(),
            end_line: definition.end_line,
            file_path: path.as_str(),
            id: id.as_str(),
            kind: definition.kind,
            metadata: Map::new(),
            start_line: definition.start_line,
        };
        // Writing to memory cannot fail, and no field refuses to be written.
        let _ = serde_json::to_writer(&mut text, &entity);
    }
    String::from_utf8(text).unwrap_or_default()
}

/// The definitions of a file with what is known of them, with commas between them.
#[must_use]
pub fn known_entities(
    path: &RepoPath,
    facts: &Facts,
    knowledge: &Knowledge,
    naming: Naming,
) -> Vec<u8> {
    let entities = entities_of(path, facts, knowledge, naming);
    let texts = entities.iter().map(serde_json::to_vec);
    let texts: Vec<Vec<u8>> = texts.filter_map(Result::ok).collect();
    texts.join(&b',')
}

fn module_of(path: &RepoPath) -> String {
    let package_file =
        ragnav_syntax::detect_language(path).and_then(|language| language.package_file);
    symbol_id::module_of(path, package_file)
}

fn entities_of(
    path: &RepoPath,
    facts: &Facts,
    knowledge: &Knowledge,
    naming: Naming,
) -> Vec<Map<String, Value>> {
    let module = module_of(path);
    let named = facts.symbols().into_iter().zip(&facts.definitions);
    let entities = named.enumerate().filter_map(|(at, (symbol, definition))| {
        let carried = knowledge.carried.get(&(path.clone(), at));
        if carried.is_none() && naming == Naming::Known {
            return None;
        }
        let id = SymbolId::new(&module, &symbol.name_path);
        Some(entity(&id, path, definition, carried))
    });
    entities.collect()
}

/// A definition with what is known of it.
fn entity(
    id: &SymbolId,
    path: &RepoPath,
    definition: &DefinitionFact,
    carried: Option<&Carried>,
) -> Map<String, Value> {
    let mut entity = carried
        .map(|carried| carried.known.clone())
        .unwrap_or_default();
    let kind = serde_json::to_value(definition.kind).unwrap_or_default();
    let own = [
        ("id", id.as_str().into()),
        ("kind", kind),
        ("file_path", path.as_str().into()),
        ("start_line", definition.start_line.into()),
        ("end_line", definition.end_line.into()),
        (BODY_KEY, definition.body.format().into()),
    ];
    entity.extend(own.map(|(key, value)| (key.to_owned(), value)));
    if let Some(docstring) = &definition.docstring {
        entity.insert("docstring".to_owned(), docstring.as_str().into());
    }
    if carried.is_some_and(|carried| carried.is_ambiguous) {
        entity.insert(AMBIGUOUS_KEY.to_owned(), true.into());
    }
    entity
        .entry("metadata")
        .or_insert_with(|| Value::Object(Map::new()));
    entity
}
