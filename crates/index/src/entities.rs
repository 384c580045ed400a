//! The definitions of a file in the JSON of the graph.

use serde::Serialize;
use serde_json::{Map, Value};

use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_base::symbol_id::{self, SymbolId};
use ragnav_syntax::facts::Facts;

/// A definition without enrichment. The keys are in alphabetical order, as in a JSON map.
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

/// Writes the definitions of a file without enrichment, with commas between them.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_index::entities::write_plain_entities;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "def f(): pass\n");
/// let entity = write_plain_entities(&RepoPath::parse("a.py").unwrap(), &facts);
/// let entity: serde_json::Value = serde_json::from_str(&entity).unwrap();
/// assert_eq!((&entity["id"], &entity["start_line"]), (&"sym:a.f".into(), &1.into()));
/// ```
#[must_use]
pub fn write_plain_entities(path: &RepoPath, facts: &Facts) -> String {
    let module = module_of_file(path);
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
        // Writing to memory cannot fail, and every field serialises.
        let _ = serde_json::to_writer(&mut text, &entity);
    }
    String::from_utf8(text).unwrap_or_default()
}

/// Returns the module part of the ids of a file's symbols.
pub(super) fn module_of_file(path: &RepoPath) -> String {
    let package_file =
        ragnav_syntax::detect_language(path).and_then(|language| language.package_file);
    symbol_id::module_of(path, package_file)
}
