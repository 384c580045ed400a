//! Carrying what is known of symbols over from one build to the next.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::rag_graph::{self, OWN_KEYS, ReadNode, is_nothing};
use crate::rejoin_files::{FileJoins, Shapes, rejoin_files};
use ragnav_base::item::Match;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::symbol_id;

/// How what was known of symbols was found again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
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
    /// Whether nothing was known.
    #[must_use]
    pub fn are_none(&self) -> bool {
        *self == Self::default()
    }

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
    /// Everything that was written down of it, `metadata` among it.
    pub known: Map<String, Value>,
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
        let known = known_of(read);
        if !known.is_empty() {
            let carried = Carried {
                known,
                is_ambiguous,
            };
            knowledge.carried.insert((file.clone(), at), carried);
        }
    }
    for (file, at, read) in known.nodes() {
        if !known.is_worth_keeping(read) {
            continue;
        }
        match found.get(&(file, at)) {
            Some(how) => knowledge.counts.count(*how),
            None => knowledge.lose(read),
        }
    }
    for read in &known.homeless {
        if known.is_worth_keeping(read) {
            knowledge.lose(read);
        }
    }
    knowledge
}

impl Knowledge {
    /// Whether nothing is known of any symbol.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.carried.is_empty() && self.lost.is_empty()
    }

    /// How it will be found again in the graph that it is written to, as long as nothing changes.
    #[must_use]
    pub fn counts_once_written(&self) -> EnrichmentCounts {
        let mut counts = EnrichmentCounts {
            lost: wire(self.lost.len()),
            ..EnrichmentCounts::default()
        };
        for carried in self.carried.values() {
            counts.count(if carried.is_ambiguous {
                Match::Ambiguous
            } else {
                Match::Exact
            });
        }
        counts
    }

    /// Keeps a node as it is.
    fn lose(&mut self, read: &ReadNode<'_>) {
        let mut object = read.object.clone();
        if let Some(key) = read.key {
            object.entry("id").or_insert_with(|| key.into());
        }
        self.counts.lost += 1;
        self.lost.push(Value::Object(object));
    }
}

fn each(
    joins: &FileJoins,
) -> impl Iterator<Item = (&RepoPath, usize, &crate::rejoin_files::FileJoin)> {
    joins.iter().flat_map(|(file, joins)| {
        let places = joins.iter().enumerate();
        places.filter_map(move |(at, join)| Some((file, at, join.as_ref()?)))
    })
}

/// The nodes of a graph by file.
struct Known<'v> {
    files: BTreeMap<RepoPath, Vec<ReadNode<'v>>>,
    /// Nodes that name no file, and whose id fits no definition of now; and those that make no sense.
    homeless: Vec<ReadNode<'v>>,
    /// Whether a build of ours wrote the graph, so that all that is not its own is somebody's knowledge.
    is_ours: bool,
}

impl<'v> Known<'v> {
    fn read(graph: &'v Value, now: &Shapes) -> Self {
        let mut files: BTreeMap<RepoPath, Vec<ReadNode<'v>>> = BTreeMap::new();
        let mut without_file: HashMap<&'v str, Vec<ReadNode<'v>>> = HashMap::new();
        let mut homeless = Vec::new();
        for read in rag_graph::read_nodes(graph) {
            if !read.is_usable {
                homeless.push(read);
                continue;
            }
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
        homeless.extend(without_file.into_values().flatten());
        homeless.sort_by_key(|read| read.id);
        Self {
            files,
            homeless,
            is_ours: rag_graph::generation_of(graph).is_some(),
        }
    }

    /// Whether a node says more than which symbol it is about.
    fn is_worth_keeping(&self, read: &ReadNode<'_>) -> bool {
        let known = known_of(read);
        known.contains_key("metadata") || (self.is_ours && !known.is_empty())
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

/// Gives nodes that name no file the file of the definition that their id fits. One that fits several files is about the first of
/// them at best.
fn house<'v>(
    files: &mut BTreeMap<RepoPath, Vec<ReadNode<'v>>>,
    without_file: &mut HashMap<&'v str, Vec<ReadNode<'v>>>,
    now: &Shapes,
) {
    let mut homes: HashMap<String, BTreeSet<(&RepoPath, &str)>> = HashMap::new();
    for (file, shapes) in now {
        let package_file =
            ragnav_syntax::detect_language(file).and_then(|language| language.package_file);
        let module = symbol_id::module_of(file, package_file);
        let known = files.get(file).into_iter().flatten();
        let named: HashSet<&str> = known
            .map(|read| read.node.shape.name_path.as_str())
            .collect();
        for shape in shapes
            .iter()
            .filter(|shape| !named.contains(shape.name_path.as_str()))
        {
            let mut ids = rag_graph::ids(&module, &shape.name_path);
            if let Some(id) = ids.find(|id| without_file.contains_key(id.as_str())) {
                homes
                    .entry(id)
                    .or_default()
                    .insert((file, &shape.name_path));
            }
        }
    }
    for (id, homes) in homes {
        let is_doubtful = homes.len() > 1;
        let Some((file, name_path)) = homes.into_iter().next() else {
            continue;
        };
        for mut read in without_file.remove(id.as_str()).into_iter().flatten() {
            name_path.clone_into(&mut read.node.shape.name_path);
            read.node.is_ambiguous |= is_doubtful;
            files.entry(file.clone()).or_default().push(read);
        }
    }
}

/// Keys that tell which symbol a node is about, in graphs of whichever builder.
const PLACE_KEYS: [&str; 5] = ["symbol_id", "name", "path", "file", "span"];

/// Everything that a node says of its symbol, with what is known in words under `metadata`.
fn known_of(read: &ReadNode<'_>) -> Map<String, Value> {
    let metadata = metadata_of(read);
    let own = |key: &str| OWN_KEYS.contains(&key) || PLACE_KEYS.contains(&key);
    let others = read.object.iter().filter(|(key, value)| {
        !own(key) && *key != "metadata" && !metadata.contains_key(*key) && !is_nothing(value)
    });
    let mut known: Map<String, Value> = others
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if !metadata.is_empty() {
        known.insert("metadata".to_owned(), Value::Object(metadata));
    }
    known
}

/// What is known in words, wherever its builder put it.
fn metadata_of(read: &ReadNode<'_>) -> Map<String, Value> {
    let mut metadata = match read.object.get("metadata") {
        Some(Value::Object(metadata)) => metadata.clone(),
        None | Some(Value::Null) => Map::new(),
        Some(other) => Map::from_iter([("value".to_owned(), other.clone())]),
    };
    let known = &read.node.knowledge;
    for (key, text) in [
        ("summary", &known.summary),
        ("usage_guide", &known.usage_guide),
        ("content_type", &known.content_type),
        ("content_language", &known.content_language),
    ] {
        let is_wanting = metadata.get(key).is_none_or(Value::is_null);
        if let Some(text) = text.as_ref().filter(|_| is_wanting) {
            metadata.insert(key.to_owned(), text.clone().into());
        }
    }
    metadata
}
