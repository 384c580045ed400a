//! The enrichment that the graph file holds, joined to the definitions as they are now.

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
use ragnav_index::reidentify_files::{FileReidentifications, ShapesByFile, reidentify_files};
use ragnav_index::shapes::Shape;
use ragnav_repository::provenance::Provenance;
use ragnav_repository::snapshot::Snapshot;

/// The enrichment of one query.
pub(super) struct Enrichments {
    graph: Option<Rc<RagGraph>>,
    /// The definitions that moved among the files that differ from the index, once they were looked for.
    elsewhere: Option<Elsewhere>,
}

/// The definitions that moved among the files that differ from the index.
#[derive(Default)]
struct Elsewhere {
    joins: FileReidentifications,
    /// The nodes that the joins lead to, by file and place.
    nodes: BTreeMap<RepoPath, Vec<Node>>,
    /// Whether there were too many files to look at.
    is_bounded: bool,
}

impl Enrichments {
    pub(super) fn new(graph: Option<Rc<RagGraph>>) -> Self {
        Self {
            graph,
            elsewhere: None,
        }
    }

    /// Reads the enrichment of the graph, also of what moved since the index was built.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws.
    pub(super) async fn read<H: Host>(snapshot: &Snapshot<'_, H>) -> Result<Self, RagnavError> {
        // Enrichment is optional: if the host cannot read the graph, the answer has none.
        let graph = snapshot.graph().await.ok().and_then(|file| file.graph());
        let mut enrichments = Self::new(graph);
        if enrichments.graph.is_some() && !snapshot.statuses().all_unchanged() {
            enrichments.look_elsewhere(snapshot).await?;
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
        let elsewhere = self.elsewhere.as_ref();
        let joins = elsewhere.and_then(|elsewhere| Some((elsewhere, elsewhere.joins.get(file)?)));
        match joins {
            Some((elsewhere, joins)) => FileEnrichment::of_joins(joins, |join| {
                elsewhere.nodes.get(&join.file)?.get(join.before)
            }),
            None => FileEnrichment::of_file(graph, file, symbols),
        }
    }

    /// Reports whether too many files differ from the index to look for moved definitions.
    pub(super) fn is_bounded(&self) -> bool {
        let elsewhere = self.elsewhere.as_ref();
        elsewhere.is_some_and(|elsewhere| elsewhere.is_bounded)
    }

    /// Reports whether the enrichment of a file may belong to definitions that moved to it.
    pub(super) fn looks_elsewhere(&self, provenance: Provenance) -> bool {
        let is_live = provenance.source == SourceTag::LocalFallback;
        is_live && self.elsewhere.is_none() && self.graph.is_some()
    }

    /// Re-identifies the definitions of all files that differ from the index, as a build would.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws.
    pub(super) async fn look_elsewhere<H: Host>(
        &mut self,
        snapshot: &Snapshot<'_, H>,
    ) -> Result<(), RagnavError> {
        let elsewhere = self.moved(snapshot).await?;
        self.elsewhere = Some(elsewhere);
        Ok(())
    }

    async fn moved<H: Host>(&self, snapshot: &Snapshot<'_, H>) -> Result<Elsewhere, RagnavError> {
        let changed = ChangedDefinitions::read(snapshot).await?;
        let (Some(graph), Some(changed)) = (self.graph.as_deref(), changed) else {
            return Ok(Elsewhere {
                is_bounded: snapshot.index().is_some(),
                ..Elsewhere::default()
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
        Ok(Elsewhere {
            joins: reidentify_files(&known, &now),
            nodes,
            is_bounded: false,
        })
    }
}
