//! The graph as it is written for other readers and for enrichment.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::graph::carry::{Carried, Knowledge};
use crate::graph::index::Index;
use crate::graph::rag_graph::{AMBIGUOUS_KEY, BODY_KEY};
use crate::lang;
use crate::lang::facts::{DefinitionFact, Facts};
use crate::path::RepoPath;
use crate::symbol_id::{self, SymbolId};

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

#[derive(Serialize)]
struct Graph<'g> {
    version: u32,
    indexed_at: &'g str,
    repo: &'g str,
    schema_version: &'g str,
    generation: &'g str,
    files: Vec<&'g RepoPath>,
    entities: Vec<Map<String, Value>>,
    relations: [(); 0],
    lost: &'g [Value],
}

/// Which definitions a graph names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All.
    All,
    /// Those of which something is known, where all of them would be more than is ever read again.
    Known,
}

/// The text of a graph: the definitions of the index with what is known of them.
#[must_use]
pub fn format_graph(
    index: &Index,
    heading: Heading<'_>,
    knowledge: &Knowledge,
    extent: Extent,
) -> Vec<u8> {
    let mut entities = Vec::new();
    for record in index.files() {
        if let Some(facts) = index.facts(record) {
            entities.extend(entities_of(&record.path, &facts, knowledge, extent));
        }
    }
    let graph = Graph {
        version: 1,
        indexed_at: heading.indexed_at,
        repo: heading.repo,
        schema_version: heading.schema_version,
        generation: index.generation(),
        files: index.files().iter().map(|record| &record.path).collect(),
        entities,
        relations: [],
        lost: &knowledge.lost,
    };
    // Every key is a text and every number finite, so nothing refuses to be written.
    serde_json::to_vec(&graph).unwrap_or_default()
}

fn entities_of(
    path: &RepoPath,
    facts: &Facts,
    knowledge: &Knowledge,
    extent: Extent,
) -> Vec<Map<String, Value>> {
    let package_file = lang::of_path(path).and_then(|language| language.package_file);
    let module = symbol_id::module_of(path, package_file);
    let named = facts.symbols().into_iter().zip(&facts.definitions);
    let entities = named.enumerate().filter_map(|(at, (symbol, definition))| {
        let carried = knowledge.carried.get(&(path.clone(), at));
        if carried.is_none() && extent == Extent::Known {
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
