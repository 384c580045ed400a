//! What the repository's graph knows, for the rows of one question.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::Settings;
use crate::basis::Basis;
use crate::differing::Differing;
use crate::enrich::FileKnowledge;
use crate::file_symbols::FileSymbols;
use crate::ground::Ground;
use ragnav_base::envelope::SourceTag;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::path::RepoPath;
use ragnav_index::rag_graph::{Node, RagGraph};
use ragnav_index::rejoin::Shape;
use ragnav_index::rejoin_files::{FileJoins, Shapes, rejoin_files};
use ragnav_repository::overlay::Overlaid;

/// What the graph knows.
pub(super) struct Knowledge {
    graph: Option<Rc<RagGraph>>,
    /// What moved among the files that differ from the index, once that was asked for.
    elsewhere: Option<Elsewhere>,
}

/// What moved among the files that differ from the index.
#[derive(Default)]
struct Elsewhere {
    joins: FileJoins,
    /// The nodes that the joins lead to, by file and place.
    nodes: BTreeMap<RepoPath, Vec<Node>>,
    /// Whether there were too many files to look at.
    is_bounded: bool,
}

impl Knowledge {
    pub(super) fn new(graph: Option<Rc<RagGraph>>) -> Self {
        Self {
            graph,
            elsewhere: None,
        }
    }

    /// What the repository's graph knows, also of what moved since the index was built.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws.
    pub(super) async fn read<H: Host>(
        host: &Overlaid<'_, H>,
        settings: &Settings,
        basis: &Basis,
    ) -> Result<Self, RagnavError> {
        // Knowledge is a gift: a host that fails on it costs no answer.
        let graph_file = settings
            .caches
            .graph
            .read(host, basis.written_graph())
            .await;
        let graph = graph_file.ok().and_then(|file| file.graph());
        let mut knowledge = Self::new(graph);
        if knowledge.graph.is_some() && !basis.verification().all_unchanged() {
            knowledge.look_elsewhere(host, settings, basis).await?;
        }
        Ok(knowledge)
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
        let elsewhere = self.elsewhere.as_ref();
        let joins = elsewhere.and_then(|elsewhere| Some((elsewhere, elsewhere.joins.get(file)?)));
        match joins {
            Some((elsewhere, joins)) => FileKnowledge::of_joins(joins, |join| {
                elsewhere.nodes.get(&join.file)?.get(join.known)
            }),
            None => FileKnowledge::of_file(graph, file, symbols),
        }
    }

    /// Whether more files differ from the index than are looked at for what moved between them.
    pub(super) fn is_bounded(&self) -> bool {
        let elsewhere = self.elsewhere.as_ref();
        elsewhere.is_some_and(|elsewhere| elsewhere.is_bounded)
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
        let elsewhere = self.moved(host, settings, basis).await?;
        self.elsewhere = Some(elsewhere);
        Ok(())
    }

    async fn moved<H: Host>(
        &self,
        host: &Overlaid<'_, H>,
        settings: &Settings,
        basis: &Basis,
    ) -> Result<Elsewhere, RagnavError> {
        let differing = Differing::read(host, settings, basis).await?;
        let (Some(graph), Some(differing)) = (self.graph.as_deref(), differing) else {
            return Ok(Elsewhere {
                is_bounded: basis.index().is_some(),
                ..Elsewhere::default()
            });
        };
        let now = differing.shapes();
        let mut known = Shapes::new();
        let mut nodes: BTreeMap<RepoPath, Vec<Node>> = BTreeMap::new();
        let named = graph.files().map(|(file, _)| file);
        for file in named
            .chain(now.keys())
            .filter(|file| differing.may_be_from(file))
        {
            let symbols = differing.file(file);
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
            joins: rejoin_files(&known, &now),
            nodes,
            is_bounded: false,
        })
    }
}
