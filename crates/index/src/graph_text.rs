//! Writing the graph, `rag_graph.json`, for other programs and for enrichment.

use serde_json::{Map, Value};

use crate::carry_enrichment::{DefinitionEnrichment, RepositoryEnrichment};
use crate::entities::module_of_file;
use crate::index::{Content, Index};
use crate::rag_graph::{AMBIGUOUS_KEY, BODY_KEY};
use ragnav_base::path::RepoPath;
use ragnav_base::symbol_id::SymbolId;
use ragnav_syntax::facts::{DefinitionFact, Facts};

/// The header of a graph.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
/// # use setup::build;
/// use ragnav_index::graph_text::{GraphHeader, GraphText};
///
/// let header = GraphHeader {
///     repo: "/home/me/shop",
///     indexed_at: "2026-03-01T12:00:00Z",
///     schema_version: "2",
/// };
/// let text = GraphText::new(&build(&[("a.py", "")]).index, header).finish(&[]).concat();
/// let graph: serde_json::Value = serde_json::from_slice(&text).unwrap();
/// assert_eq!((&graph["repo"], &graph["files"][0]), (&"/home/me/shop".into(), &"a.py".into()));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct GraphHeader<'h> {
    /// The root of the repository, as the host names it.
    pub repo: &'h str,
    /// The time of the build in UTC, as ISO 8601.
    pub indexed_at: &'h str,
    /// The version of the index layout.
    pub schema_version: &'h str,
}

/// The definitions that a graph lists.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_index::carry_enrichment::RepositoryEnrichment;
/// use ragnav_index::graph_text::{NodeSelection, write_enriched_entities};
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "def f(): pass\n");
/// let path = RepoPath::parse("a.py").unwrap();
/// let none = RepositoryEnrichment::default();
/// let write = |selection| write_enriched_entities(&path, &facts, &none, selection);
/// assert!(!write(NodeSelection::All).is_empty());
/// assert!(write(NodeSelection::Enriched).is_empty());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeSelection {
    /// All definitions.
    All,
    /// Definitions with enrichment, if the graph of all of them would exceed the size limit.
    Enriched,
}

/// The text of a graph that is being written, in parts, since it may be large.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
/// # use setup::build;
/// use ragnav_index::graph_text::{GraphHeader, GraphText};
///
/// # let header = GraphHeader { repo: "", indexed_at: "", schema_version: "" };
/// let built = build(&[("a.py", "def f(): pass\n")]);
/// let mut text = GraphText::new(&built.index, header);
/// for entities in built.entities.into_iter().flatten() {
///     text.add_owned(entities);
/// }
/// let graph: serde_json::Value = serde_json::from_slice(&text.finish(&[]).concat()).unwrap();
/// assert_eq!(graph["entities"][0]["id"], "sym:a.f");
/// ```
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct GraphText {
    parts: Vec<Vec<u8>>,
    has_entities: bool,
}

/// The size up to which short texts are joined into one part, in bytes.
const PART_BYTES: usize = 1 << 16;
/// The length from which a text becomes a part of its own, in bytes.
const LONG_BYTES: usize = 1 << 10;

const BEFORE_ENTITIES: &[u8] = b"\"entities\":[";
const BEHIND_ENTITIES: &[u8] = b"],\"relations\":[],\"lost\":";

impl GraphText {
    /// Starts a graph with its header.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_index::graph_text::{GraphHeader, GraphText};
    ///
    /// # let header = GraphHeader { repo: "", indexed_at: "", schema_version: "" };
    /// let index = build(&[("a.py", "")]).index;
    /// let text = GraphText::new(&index, header).finish(&[]).concat();
    /// let graph: serde_json::Value = serde_json::from_slice(&text).unwrap();
    /// assert_eq!(graph["generation"], index.generation());
    /// ```
    #[must_use]
    pub fn new(index: &Index, heading: GraphHeader<'_>) -> Self {
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

    /// Appends definitions: one or more JSON objects with commas between them.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_index::graph_text::{GraphHeader, GraphText};
    ///
    /// # let header = GraphHeader { repo: "", indexed_at: "", schema_version: "" };
    /// let mut text = GraphText::new(&build(&[]).index, header);
    /// text.add(br#"{"id":"sym:a.f"},{"id":"sym:a.g"}"#);
    /// text.add(br#"{"id":"sym:b.h"}"#);
    /// let graph: serde_json::Value = serde_json::from_slice(&text.finish(&[]).concat()).unwrap();
    /// assert_eq!(graph["entities"].as_array().unwrap().len(), 3);
    /// ```
    pub fn add(&mut self, entities: &[u8]) {
        if !entities.is_empty() {
            self.begin();
            self.append(entities);
        }
    }

    /// Appends definitions like [`add`](Self::add), without copying a long text.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_index::graph_text::{GraphHeader, GraphText};
    ///
    /// # let header = GraphHeader { repo: "", indexed_at: "", schema_version: "" };
    /// let mut text = GraphText::new(&build(&[]).index, header);
    /// text.add_owned(r#"{"id":"sym:a.f"}"#.to_owned());
    /// assert!(text.finish(&[]).concat().windows(7).any(|part| part == b"sym:a.f"));
    /// ```
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

    /// Returns the parts of the text, with the nodes whose symbols do not exist now.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_index::graph_text::{GraphHeader, GraphText};
    ///
    /// # let header = GraphHeader { repo: "", indexed_at: "", schema_version: "" };
    /// let text = GraphText::new(&build(&[]).index, header);
    /// let lost = [serde_json::json!({"id": "sym:a.gone", "summary": "Adds up."})];
    /// let text = text.finish(&lost).concat();
    /// let graph: serde_json::Value = serde_json::from_slice(&text).unwrap();
    /// assert_eq!(graph["lost"][0]["id"], "sym:a.gone");
    /// ```
    #[must_use]
    pub fn finish(mut self, lost: &[Value]) -> Vec<Vec<u8>> {
        self.append(BEHIND_ENTITIES);
        // Every key is a text and every number finite, so serialisation cannot fail.
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

/// The definitions of each file in the text of a graph without enrichment, located by their
/// lengths.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
/// # use setup::build;
/// use ragnav_index::graph_text::{EntitySpans, GraphHeader, GraphText};
///
/// # let header = GraphHeader { repo: "", indexed_at: "", schema_version: "" };
/// let built = build(&[("a.py", "def f(): pass\n"), ("b.py", "def g(): pass\n")]);
/// let mut text = GraphText::new(&built.index, header);
/// for entities in built.entities.into_iter().flatten() {
///     text.add_owned(entities);
/// }
/// let text = text.finish(&[]).concat();
/// let spans = EntitySpans::of(&text, &built.index).unwrap();
/// let g: serde_json::Value = serde_json::from_slice(spans.of_file(1).unwrap()).unwrap();
/// assert_eq!(g["id"], "sym:b.g");
/// ```
#[derive(Debug)]
pub struct EntitySpans<'g> {
    text: &'g [u8],
    /// The byte range of each file's definitions, by the position of the file in the index.
    spans: Vec<(usize, usize)>,
}

impl<'g> EntitySpans<'g> {
    /// Locates the definitions in a graph that was written with this index. Returns `None` if their
    /// lengths differ from those in the index.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_index::graph_text::EntitySpans;
    ///
    /// let index = build(&[("a.py", "def f(): pass\n")]).index;
    /// assert!(EntitySpans::of(br#"{"entities":[]}"#, &index).is_none());
    /// ```
    #[must_use]
    pub fn of(graph: &'g [u8], index: &Index) -> Option<Self> {
        // In a JSON string the quote would be escaped, so this is a key.
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

    /// Returns the definitions of a file, by its position in the index.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_index::graph_text::EntitySpans;
    ///
    /// let index = build(&[("a.txt", "text\n")]).index;
    /// let graph = br#"{"entities":[],"relations":[],"lost":[]}"#;
    /// let spans = EntitySpans::of(graph, &index).unwrap();
    /// assert_eq!((spans.of_file(0), spans.of_file(1)), (Some(&b""[..]), None));
    /// ```
    #[must_use]
    pub fn of_file(&self, place: usize) -> Option<&'g [u8]> {
        let (start, end) = self.spans.get(place)?;
        self.text.get(*start..*end)
    }
}

/// Writes the definitions of a file with their enrichment, with commas between them.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_index::carry_enrichment::{DefinitionEnrichment, RepositoryEnrichment};
/// use ragnav_index::graph_text::{NodeSelection, write_enriched_entities};
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let path = RepoPath::parse("a.py").unwrap();
/// let facts = extract_facts(find_language("python").unwrap(), "def f(): pass\n");
/// let fields = serde_json::json!({"summary": "Adds up."}).as_object().unwrap().clone();
/// let mut enrichment = RepositoryEnrichment::default();
/// let of_f = DefinitionEnrichment { fields, is_ambiguous: false };
/// enrichment.definitions.insert((path.clone(), 0), of_f);
/// let text = write_enriched_entities(&path, &facts, &enrichment, NodeSelection::Enriched);
/// let entity: serde_json::Value = serde_json::from_slice(&text).unwrap();
/// assert_eq!((&entity["id"], &entity["summary"]), (&"sym:a.f".into(), &"Adds up.".into()));
/// ```
#[must_use]
pub fn write_enriched_entities(
    path: &RepoPath,
    facts: &Facts,
    enrichment: &RepositoryEnrichment,
    selection: NodeSelection,
) -> Vec<u8> {
    let entities = build_entities(path, facts, enrichment, selection);
    let texts = entities.iter().map(serde_json::to_vec);
    let texts: Vec<Vec<u8>> = texts.filter_map(Result::ok).collect();
    texts.join(&b',')
}

fn build_entities(
    path: &RepoPath,
    facts: &Facts,
    enrichment: &RepositoryEnrichment,
    selection: NodeSelection,
) -> Vec<Map<String, Value>> {
    let module = module_of_file(path);
    let named = facts.symbols().into_iter().zip(&facts.definitions);
    let entities = named.enumerate().filter_map(|(at, (symbol, definition))| {
        let carried = enrichment.definitions.get(&(path.clone(), at));
        if carried.is_none() && selection == NodeSelection::Enriched {
            return None;
        }
        let id = SymbolId::new(&module, &symbol.name_path);
        Some(build_entity(&id, path, definition, carried))
    });
    entities.collect()
}

/// Builds the node of a definition with its enrichment.
fn build_entity(
    id: &SymbolId,
    path: &RepoPath,
    definition: &DefinitionFact,
    carried: Option<&DefinitionEnrichment>,
) -> Map<String, Value> {
    let mut entity = carried
        .map(|carried| carried.fields.clone())
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
