//! The enrichment of a file: what the graph says about its symbols, joined to the current
//! definitions.
//!
//! The line of a row is mapped to the enclosing definition in the current text. The node of the
//! graph is found by re-identification, never by its line.

use crate::file_definitions::FileDefinitions;
use ragnav_base::item::{Enrichment, Match};
use ragnav_base::path::RepoPath;
use ragnav_base::text::without_bom;
use ragnav_index::rag_graph::{Node, RagGraph};
use ragnav_index::reidentify::reidentify;
use ragnav_index::reidentify_files::FileReidentification;
use ragnav_index::shapes::Shape;

/// Returns the enrichment of the innermost definition around each line of a file; `None` without
/// one.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::Match;
/// use ragnav_base::path::RepoPath;
/// use ragnav_index::rag_graph::RagGraph;
/// use ragnav_query::file_enrichment::enrich;
///
/// let text = r#"{"entities": [{
///     "id": "sym:a.total",
///     "file_path": "a.py",
///     "start_line": 1,
///     "metadata": {"summary": "Adds up."}
/// }]}"#;
/// let graph = RagGraph::parse(text).unwrap();
/// let path = RepoPath::parse("a.py").unwrap();
/// let found = enrich(&graph, &path, "\n\ndef total():\n    return 0\n", &[1, 4]);
/// assert_eq!(found[0], None);
/// let enrichment = found[1].as_ref().unwrap();
/// assert_eq!(enrichment.summary.as_deref(), Some("Adds up."));
/// assert_eq!(enrichment.r#match, Match::Moved);
/// ```
#[must_use]
pub fn enrich(
    graph: &RagGraph,
    file: &RepoPath,
    text: &str,
    lines: &[usize],
) -> Vec<Option<Enrichment>> {
    let text = without_bom(text);
    let symbols = if graph.has_bodies(file) {
        FileDefinitions::with_bodies(file, text)
    } else {
        FileDefinitions::new(file, text)
    };
    let known = FileEnrichment::of_file(graph, file, &symbols);
    lines
        .iter()
        .map(|line| symbols.innermost(*line).and_then(|at| known.of(at)))
        .collect()
}

/// The enrichment of the definitions of one file, in their order.
pub(super) struct FileEnrichment(Vec<Option<Enrichment>>);

impl FileEnrichment {
    /// Returns the enrichment of a file without language or graph, which is empty.
    pub(super) fn nothing() -> Self {
        Self(Vec::new())
    }

    /// Returns the enrichment from nodes that name this file, or no file.
    pub(super) fn of_file(graph: &RagGraph, file: &RepoPath, symbols: &FileDefinitions) -> Self {
        let nodes = graph.nodes(file, &symbols.module, &symbols.shapes);
        let (known, nodes): (Vec<Shape>, Vec<&Node>) = nodes.into_iter().unzip();
        let joins = reidentify(&known, &symbols.shapes).into_iter();
        Self(
            joins
                .map(|join| {
                    let join = join?;
                    enrichment(nodes.get(join.before)?, join.how)
                })
                .collect(),
        )
    }

    /// Returns the enrichment of a file's definitions from nodes of any file.
    pub(super) fn of_joins<'n>(
        joins: &[Option<FileReidentification>],
        node: impl Fn(&FileReidentification) -> Option<&'n Node>,
    ) -> Self {
        let joins = joins.iter().map(|join| {
            let join = join.as_ref()?;
            enrichment(node(join)?, join.how)
        });
        Self(joins.collect())
    }

    /// Returns the enrichment of a definition, by its index.
    pub(super) fn of(&self, place: usize) -> Option<Enrichment> {
        self.0.get(place)?.clone()
    }
}

/// Returns `None` if a node has no enrichment.
fn enrichment(node: &Node, found: Match) -> Option<Enrichment> {
    let known = node.enrichment.clone();
    if known.is_empty() {
        return None;
    }
    Some(Enrichment {
        summary: known.summary,
        usage_guide: known.usage_guide,
        content_type: known.content_type,
        content_language: known.content_language,
        r#match: if node.is_ambiguous {
            Match::Ambiguous
        } else {
            found
        },
    })
}
