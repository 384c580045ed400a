//! The graph as it is written for other readers and for enrichment.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::graph::carry::Knowledge;
use crate::graph::index::Index;
use crate::item::DefinitionKind;
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
    entities: Vec<Entity<'g>>,
    relations: [(); 0],
    lost: &'g [Value],
}

#[derive(Serialize)]
struct Entity<'g> {
    id: SymbolId,
    kind: DefinitionKind,
    file_path: &'g RepoPath,
    start_line: u32,
    end_line: u32,
    body: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    docstring: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ambiguous: bool,
    metadata: Map<String, Value>,
}

/// The text of a graph: every definition of the index with what is known of it.
#[must_use]
pub fn format_graph(index: &Index, heading: Heading<'_>, mut knowledge: Knowledge) -> Vec<u8> {
    let mut entities = Vec::new();
    for record in index.files() {
        if let Some(facts) = index.facts(record) {
            entities.extend(entities_of(&record.path, &facts, &mut knowledge));
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

fn entities_of<'g>(
    path: &'g RepoPath,
    facts: &Facts,
    knowledge: &mut Knowledge,
) -> Vec<Entity<'g>> {
    let package_file = lang::of_path(path).and_then(|language| language.package_file);
    let module = symbol_id::module_of(path, package_file);
    let named = facts.symbols().into_iter().zip(&facts.definitions);
    let entities = named.enumerate().map(|(at, (symbol, definition))| {
        let carried = knowledge.carried.remove(&(path.clone(), at));
        let (metadata, ambiguous) = carried.map_or_else(Default::default, |carried| {
            (carried.metadata, carried.is_ambiguous)
        });
        let DefinitionFact {
            kind,
            start_line,
            end_line,
            body,
            docstring,
            ..
        } = definition;
        Entity {
            id: SymbolId::new(&module, &symbol.name_path),
            kind: *kind,
            file_path: path,
            start_line: *start_line,
            end_line: *end_line,
            body: body.format(),
            docstring: docstring.clone(),
            ambiguous,
            metadata,
        }
    });
    entities.collect()
}
