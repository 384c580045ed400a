//! The enrichment in the graph file, joined to the current definitions.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::changed_definitions::ChangedDefinitions;
use crate::file_definitions::FileDefinitions;
use crate::file_enrichment::FileEnrichment;
use ragnav_base::envelope::SourceTag;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::path::RepoPath;
use ragnav_index::rag_graph::{Node, RagGraph};
use ragnav_index::reidentify_files::{FileReidentifications, reidentify_files};
use ragnav_index::shapes::{Shape, ShapesByFile};
use ragnav_repository::provenance::Provenance;
use ragnav_repository::snapshot::Snapshot;

/// The enrichment of one query.
pub(super) struct Enrichments {
    graph: Option<Rc<RagGraph>>,
    /// The definitions that moved between changed files, once they were needed.
    moved_definitions: Option<MovedDefinitions>,
}

/// The definitions that moved between files that differ from the index.
#[derive(Default)]
struct MovedDefinitions {
    joins: FileReidentifications,
    /// The nodes of re-identified definitions, by file and index.
    nodes: BTreeMap<RepoPath, Vec<Node>>,
    /// Whether too many files have changed for a search.
    is_bounded: bool,
}

impl Enrichments {
    pub(super) fn new(graph: Option<Rc<RagGraph>>) -> Self {
        Self {
            graph,
            moved_definitions: None,
        }
    }

    /// Reads the enrichment of the graph, including definitions that moved since the index was
    /// built.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn read<H: Host>(snapshot: &Snapshot<'_, H>) -> Result<Self, RagnavError> {
        // Enrichment is optional: if the host cannot read the graph, the answer has none.
        let graph = snapshot.graph().await.ok().and_then(|file| file.graph());
        let mut enrichments = Self::new(graph);
        if enrichments.graph.is_some() && !snapshot.statuses().all_unchanged() {
            enrichments.load_moved_definitions(snapshot).await?;
        }
        Ok(enrichments)
    }

    /// Reports whether re-identifying the definitions of a file needs their bodies.
    pub(super) fn needs_bodies(&self, file: &RepoPath) -> bool {
        let graph = self.graph.as_deref();
        graph.is_some_and(|graph| graph.has_bodies(file))
    }

    /// Returns the enrichment of the definitions of a file.
    pub(super) fn of_file(&self, file: &RepoPath, symbols: &FileDefinitions) -> FileEnrichment {
        let Some(graph) = self.graph.as_deref() else {
            return FileEnrichment::nothing();
        };
        let moved_definitions = self.moved_definitions.as_ref();
        let joins = moved_definitions.and_then(|moved_definitions| {
            Some((moved_definitions, moved_definitions.joins.get(file)?))
        });
        match joins {
            Some((moved_definitions, joins)) => FileEnrichment::of_joins(joins, |join| {
                moved_definitions.nodes.get(&join.file)?.get(join.before)
            }),
            None => FileEnrichment::of_file(graph, file, symbols),
        }
    }

    /// Reports whether too many files differ from the index to look for moved definitions.
    pub(super) fn is_bounded(&self) -> bool {
        let moved_definitions = self.moved_definitions.as_ref();
        moved_definitions.is_some_and(|moved_definitions| moved_definitions.is_bounded)
    }

    /// Reports whether the enrichment of a file may belong to definitions that moved to it.
    pub(super) fn may_have_moved_definitions(&self, provenance: Provenance) -> bool {
        let is_live = provenance.source == SourceTag::LocalFallback;
        is_live && self.moved_definitions.is_none() && self.graph.is_some()
    }

    /// Re-identifies the definitions of all files that differ from the index, as a build would.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn load_moved_definitions<H: Host>(
        &mut self,
        snapshot: &Snapshot<'_, H>,
    ) -> Result<(), RagnavError> {
        let moved_definitions = self.moved(snapshot).await?;
        self.moved_definitions = Some(moved_definitions);
        Ok(())
    }

    async fn moved<H: Host>(
        &self,
        snapshot: &Snapshot<'_, H>,
    ) -> Result<MovedDefinitions, RagnavError> {
        let changed = ChangedDefinitions::read(snapshot).await?;
        let (Some(graph), Some(changed)) = (self.graph.as_deref(), changed) else {
            return Ok(MovedDefinitions {
                is_bounded: snapshot.index().is_some(),
                ..MovedDefinitions::default()
            });
        };
        let now = changed.shapes();
        let mut known = ShapesByFile::new();
        let mut nodes: BTreeMap<RepoPath, Vec<Node>> = BTreeMap::new();
        let named = graph.files().map(|(file, _)| file);
        for file in named
            .chain(now.keys())
            .filter(|file| changed.may_be_from(file))
        {
            let symbols = changed.file(file);
            let module = symbols.map_or("", |symbols| &symbols.module);
            let shapes = now.get(file).map_or(&[][..], Vec::as_slice);
            let fitting = graph.nodes(file, module, shapes);
            let (shapes, fitting): (Vec<Shape>, Vec<Node>) = fitting
                .into_iter()
                .map(|(shape, node)| (shape, node.clone()))
                .unzip();
            if !shapes.is_empty() {
                known.insert(file.clone(), shapes);
                nodes.insert(file.clone(), fitting);
            }
        }
        Ok(MovedDefinitions {
            joins: reidentify_files(&known, &now),
            nodes,
            is_bounded: false,
        })
    }
}
