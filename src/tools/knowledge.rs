//! What the repository's graph knows, for the rows of one question.

use std::rc::Rc;

use crate::envelope::SourceTag;
use crate::error::RagnavError;
use crate::graph::rag_graph::RagGraph;
use crate::graph::rejoin_files::{FileJoins, Shapes, rejoin_files};
use crate::host::Host;
use crate::overlay::Overlaid;
use crate::path::RepoPath;
use crate::tools::Settings;
use crate::tools::basis::Basis;
use crate::tools::differing::Differing;
use crate::tools::enrich::FileKnowledge;
use crate::tools::file_symbols::FileSymbols;
use crate::tools::ground::Ground;

/// What the graph knows.
pub(super) struct Knowledge {
    graph: Option<Rc<RagGraph>>,
    /// What moved among the files that differ from the index, once that was asked for.
    elsewhere: Option<FileJoins>,
}

impl Knowledge {
    pub(super) fn new(graph: Option<Rc<RagGraph>>) -> Self {
        Self {
            graph,
            elsewhere: None,
        }
    }

    /// Whether the definitions of a file are only found again with their bodies.
    pub(super) fn needs_bodies(&self, file: &RepoPath) -> bool {
        let graph = self.graph.as_deref();
        graph.is_some_and(|graph| graph.has_bodies(file))
    }

    /// What is known of the definitions of a file.
    pub(super) fn of_file(&self, file: &RepoPath, symbols: &FileSymbols) -> FileKnowledge {
        let Some(graph) = self.graph.as_deref() else {
            return FileKnowledge::nothing();
        };
        match self.elsewhere.as_ref().and_then(|joins| joins.get(file)) {
            Some(joins) => FileKnowledge::of_joins(graph, joins),
            None => FileKnowledge::of_file(graph, file, symbols),
        }
    }

    /// Whether what is known of a file may stand with other files.
    pub(super) fn looks_elsewhere(&self, ground: Ground) -> bool {
        let is_live = ground.source == SourceTag::LocalFallback;
        is_live && self.elsewhere.is_none() && self.graph.is_some()
    }

    /// Finds the definitions again of all files that differ from the index, as a build would.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws.
    pub(super) async fn look_elsewhere<H: Host>(
        &mut self,
        host: &Overlaid<'_, H>,
        settings: &Settings,
        basis: &Basis,
    ) -> Result<(), RagnavError> {
        let joins = self.joins(host, settings, basis).await?;
        self.elsewhere = Some(joins);
        Ok(())
    }

    async fn joins<H: Host>(
        &self,
        host: &Overlaid<'_, H>,
        settings: &Settings,
        basis: &Basis,
    ) -> Result<FileJoins, RagnavError> {
        let differing = Differing::read(host, settings, basis).await?;
        let (Some(graph), Some(differing)) = (self.graph.as_deref(), differing) else {
            return Ok(FileJoins::new());
        };
        let known = graph.files();
        let known: Shapes = known
            .filter(|(file, _)| differing.may_be_from(basis, file))
            .map(|(file, nodes)| {
                let shapes = nodes.iter().map(|node| node.shape.clone());
                (file.clone(), shapes.collect())
            })
            .collect();
        Ok(rejoin_files(&known, &differing.shapes()))
    }
}
