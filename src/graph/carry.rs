//! Carrying what is known of symbols over from one build to the next.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::graph::rag_graph::{self, ReadNode};
use crate::graph::rejoin_files::{FileJoins, Shapes, rejoin_files};
use crate::item::Match;
use crate::lang;
use crate::path::RepoPath;
use crate::symbol_id;

/// How what was known of symbols was found again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct EnrichmentCounts {
    /// On the lines where it was.
    pub exact: u32,
    /// On other lines.
    pub moved: u32,
    /// Under another name or in another file.
    pub renamed: u32,
    /// Several symbols fit, and nothing tells which is meant.
    pub ambiguous: u32,
    /// The symbol is not there now: kept in case it comes back.
    pub lost: u32,
}

impl EnrichmentCounts {
    fn count(&mut self, found: Match) {
        let counter = match found {
            Match::Exact => &mut self.exact,
            Match::Moved => &mut self.moved,
            Match::Renamed => &mut self.renamed,
            Match::Ambiguous => &mut self.ambiguous,
        };
        *counter += 1;
    }
}

/// What is known of one definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Carried {
    /// Everything that was written down of it.
    pub metadata: Map<String, Value>,
    /// Whether it may be about another definition.
    pub is_ambiguous: bool,
}

/// What is known of a repository's definitions, by file and place in it.
#[derive(Debug, Default)]
pub struct Knowledge {
    /// What is known of definitions of now.
    pub carried: HashMap<(RepoPath, usize), Carried>,
    /// Nodes whose symbols are not there now, as they were.
    pub lost: Vec<Value>,
    /// How it was found again.
    pub counts: EnrichmentCounts,
}

/// Finds the definitions that a graph knows something of among those of now.
#[must_use]
pub fn carry(graph: &Value, now: &Shapes) -> Knowledge {
    let known = Known::read(graph, now);
    let joins = rejoin_files(&known.shapes(), now);
    let mut knowledge = Knowledge::default();
    let mut found: HashMap<(&RepoPath, usize), Match> = HashMap::new();
    for (file, at, join) in each(&joins) {
        let Some((then, read)) = known.node(&join.file, join.known) else {
            continue;
        };
        let is_ambiguous = read.node.is_ambiguous || join.found == Match::Ambiguous;
        let how = if is_ambiguous {
            Match::Ambiguous
        } else {
            join.found
        };
        found.entry((then, join.known)).or_insert(how);
        let metadata = metadata_of(read);
        if !metadata.is_empty() {
            let carried = Carried {
                metadata,
                is_ambiguous,
            };
            knowledge.carried.insert((file.clone(), at), carried);
        }
    }
    for (file, at, read) in known.nodes() {
        if metadata_of(read).is_empty() {
            continue;
        }
        if let Some(how) = found.get(&(file, at)) {
            knowledge.counts.count(*how);
        } else {
            knowledge.counts.lost += 1;
            knowledge.lost.push(Value::Object(read.object.clone()));
        }
    }
    for read in &known.homeless {
        if !metadata_of(read).is_empty() {
            knowledge.counts.lost += 1;
            knowledge.lost.push(Value::Object(read.object.clone()));
        }
    }
    knowledge
}

fn each(
    joins: &FileJoins,
) -> impl Iterator<Item = (&RepoPath, usize, &crate::graph::rejoin_files::FileJoin)> {
    joins.iter().flat_map(|(file, joins)| {
        let places = joins.iter().enumerate();
        places.filter_map(move |(at, join)| Some((file, at, join.as_ref()?)))
    })
}

/// The nodes of a graph by file.
struct Known<'v> {
    files: BTreeMap<RepoPath, Vec<ReadNode<'v>>>,
    /// Nodes that name no file, and whose id fits no definition of now.
    homeless: Vec<ReadNode<'v>>,
}

impl<'v> Known<'v> {
    fn read(graph: &'v Value, now: &Shapes) -> Self {
        let mut files: BTreeMap<RepoPath, Vec<ReadNode<'v>>> = BTreeMap::new();
        let mut without_file: HashMap<&'v str, Vec<ReadNode<'v>>> = HashMap::new();
        for read in rag_graph::read_nodes(graph) {
            match &read.file {
                Some(file) => files.entry(file.clone()).or_default().push(read),
                None => without_file.entry(read.id).or_default().push(read),
            }
        }
        if !without_file.is_empty() {
            house(&mut files, &mut without_file, now);
        }
        for nodes in files.values_mut() {
            nodes.sort_by_key(|read| read.node.shape.start_line);
        }
        let mut homeless: Vec<ReadNode<'v>> = without_file.into_values().flatten().collect();
        homeless.sort_by_key(|read| read.id);
        Self { files, homeless }
    }

    fn shapes(&self) -> Shapes {
        let files = self.files.iter().map(|(file, nodes)| {
            let shapes = nodes.iter().map(|read| read.node.shape.clone());
            (file.clone(), shapes.collect())
        });
        files.collect()
    }

    fn node(&self, file: &RepoPath, at: usize) -> Option<(&RepoPath, &ReadNode<'v>)> {
        let (file, nodes) = self.files.get_key_value(file)?;
        Some((file, nodes.get(at)?))
    }

    fn nodes(&self) -> impl Iterator<Item = (&RepoPath, usize, &ReadNode<'v>)> {
        self.files.iter().flat_map(|(file, nodes)| {
            let nodes = nodes.iter().enumerate();
            nodes.map(move |(at, read)| (file, at, read))
        })
    }
}

/// Gives nodes that name no file the file of the definition that their id fits.
fn house<'v>(
    files: &mut BTreeMap<RepoPath, Vec<ReadNode<'v>>>,
    without_file: &mut HashMap<&'v str, Vec<ReadNode<'v>>>,
    now: &Shapes,
) {
    for (file, shapes) in now {
        let package_file = lang::of_path(file).and_then(|language| language.package_file);
        let module = symbol_id::module_of(file, package_file);
        for shape in shapes {
            let known = files.get(file).into_iter().flatten();
            let is_known = known
                .filter(|read| read.file.is_some())
                .any(|read| read.node.shape.name_path == shape.name_path);
            if is_known {
                continue;
            }
            let fitting = rag_graph::ids(&module, &shape.name_path)
                .find_map(|id| without_file.remove(id.as_str()));
            for mut read in fitting.into_iter().flatten() {
                read.node.shape.name_path.clone_from(&shape.name_path);
                files.entry(file.clone()).or_default().push(read);
            }
        }
    }
}

/// Everything that a node says of its symbol in words, wherever its builder put it.
fn metadata_of(read: &ReadNode<'_>) -> Map<String, Value> {
    let metadata = read.object.get("metadata").and_then(Value::as_object);
    let mut metadata = metadata.cloned().unwrap_or_default();
    let known = &read.node.knowledge;
    for (key, text) in [
        ("summary", &known.summary),
        ("usage_guide", &known.usage_guide),
        ("content_type", &known.content_type),
        ("content_language", &known.content_language),
    ] {
        if let Some(text) = text {
            metadata.entry(key).or_insert_with(|| text.clone().into());
        }
    }
    metadata
}
