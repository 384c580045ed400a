//! What the repository's graph knows, for the rows of one question.

use std::rc::Rc;

use crate::envelope::SourceTag;
use crate::error::RagnavError;
use crate::graph::rag_graph::RagGraph;
use crate::graph::rejoin_files::{FileJoins, Shapes, rejoin_files};
use crate::host::Host;
use crate::item::Verdict;
use crate::lang;
use crate::overlay::Overlaid;
use crate::path::RepoPath;
use crate::tools::Settings;
use crate::tools::basis::{Basis, Ground};
use crate::tools::enrich::FileKnowledge;
use crate::tools::file_symbols::FileSymbols;
use crate::tools::live_files::LiveFiles;

/// How many files that differ from the index are read to see what moved between them. With more of them a
/// definition is found again in its own file alone, until the next build.
const MAX_FILES: usize = 64;

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
        let mut joins = FileJoins::new();
        let Some(graph) = self.graph.as_deref().filter(|_| basis.index().is_some()) else {
            return Ok(joins);
        };
        let differing = basis.verification().files();
        let differing: Vec<RepoPath> = differing
            .filter(|(file, check)| {
                matches!(check.verdict, Verdict::Added | Verdict::Changed)
                    && lang::of_path(file).is_some()
            })
            .map(|(file, _)| file.clone())
            .collect();
        if differing.len() > MAX_FILES {
            return Ok(joins);
        }
        let mut now = Shapes::new();
        let mut files = LiveFiles::new(host, &differing, settings.limits.max_file_bytes);
        while let Some((path, bytes)) = files.next().await? {
            if let Some(text) = files.text(path, &bytes) {
                now.insert(path.clone(), FileSymbols::with_bodies(path, text).shapes);
            }
        }
        let is_gone = |file: &RepoPath| {
            let check = basis.verification().check(file);
            check.is_some_and(|check| check.verdict == Verdict::Removed)
        };
        let known = graph.files();
        let known: Shapes = known
            .filter(|(file, _)| now.contains_key(*file) || is_gone(file))
            .map(|(file, nodes)| {
                let shapes = nodes.iter().map(|node| node.shape.clone());
                (file.clone(), shapes.collect())
            })
            .collect();
        joins.extend(rejoin_files(&known, &now));
        Ok(joins)
    }
}
