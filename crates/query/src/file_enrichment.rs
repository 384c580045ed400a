//! Enrichment: what a graph knows of a symbol, joined to the symbol as it stands now.
//!
//! Source: seed `locator`, sections 3.2 to 3.4. A hit's line is resolved to the definition that encloses it in the
//! text as it is now; the graph's node is found by what it is, never by its line (`graph::rejoin`).

use crate::file_definitions::FileDefinitions;
use ragnav_base::item::{Enrichment, Match};
use ragnav_base::path::RepoPath;
use ragnav_base::text::without_bom;
use ragnav_index::rag_graph::{Node, RagGraph};
use ragnav_index::reidentify::reidentify;
use ragnav_index::reidentify_files::FileReidentification;
use ragnav_index::shapes::Shape;

/// What a graph knows of the innermost definition around each line of a file, `None` where nothing.
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

/// What a graph knows of the definitions of one file, in their order.
pub(super) struct FileEnrichment(Vec<Option<Enrichment>>);

impl FileEnrichment {
    /// Of a file in no language, or without a graph.
    pub(super) fn nothing() -> Self {
        Self(Vec::new())
    }

    /// What the nodes that name a file, or none, know of its definitions.
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

    /// What nodes of whatever file know of a file's definitions.
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

    /// What is known of a definition, by its place.
    pub(super) fn of(&self, place: usize) -> Option<Enrichment> {
        self.0.get(place)?.clone()
    }
}

/// `None` where nothing is known of a node.
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
