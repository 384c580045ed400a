//! Carrying enrichment from one build to the next.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::rag_graph::{self, OWN_KEYS, ReadNode, is_empty_value};
use crate::reidentify_files::{FileReidentifications, reidentify_files};
use crate::shapes::ShapesByFile;
use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::item::Match;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::sort::SmallSort;
use ragnav_base::symbol_id;

/// The numbers of symbols by how their enrichment was re-identified.
///
/// # Examples
///
/// ```
/// use ragnav_index::carry_enrichment::EnrichmentCounts;
///
/// let counts = EnrichmentCounts { moved: 2, ..EnrichmentCounts::default() };
/// let json = serde_json::to_value(&counts).unwrap();
/// assert_eq!((&json["moved"], &json["lost"]), (&2.into(), &0.into()));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct EnrichmentCounts {
    /// The symbol is on the same lines.
    pub exact: u32,
    /// The symbol is on other lines.
    pub moved: u32,
    /// The symbol has another name or file.
    pub renamed: u32,
    /// Several symbols match equally well.
    pub ambiguous: u32,
    /// The symbol does not exist now. Its enrichment is kept in case it returns.
    pub lost: u32,
}

impl EnrichmentCounts {
    /// Reports whether the graph held no enrichment.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::carry_enrichment::EnrichmentCounts;
    ///
    /// assert!(EnrichmentCounts::default().is_empty());
    /// assert!(!EnrichmentCounts { lost: 1, ..EnrichmentCounts::default() }.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
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

/// The enrichment of one definition.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeMap;
///
/// use ragnav_index::carry_enrichment::carry_enrichment;
///
/// let graph = serde_json::json!({"entities": [
///     {"id": "sym:a.f", "file_path": "a.py", "start_line": 1, "summary": "Adds up."},
/// ]});
/// let enrichment = carry_enrichment(&graph, &BTreeMap::new());
/// // `f` does not exist now, so its node is kept for a later build.
/// assert_eq!(enrichment.lost.len(), 1);
/// assert!(enrichment.definitions.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct DefinitionEnrichment {
    /// All keys that other programs wrote for it, `metadata` among them.
    pub fields: Map<String, Value>,
    /// Whether the enrichment may belong to another definition.
    pub is_ambiguous: bool,
}

/// The enrichment of a repository's definitions, by file and by index in the file.
///
/// # Examples
///
/// ```
/// use ragnav_index::carry_enrichment::RepositoryEnrichment;
///
/// let enrichment = RepositoryEnrichment::default();
/// assert!(enrichment.definitions.is_empty() && enrichment.lost.is_empty());
/// ```
#[derive(Debug, Default)]
pub struct RepositoryEnrichment {
    /// The enrichment of the current definitions.
    pub definitions: HashMap<(RepoPath, usize), DefinitionEnrichment>,
    /// The nodes whose symbols do not exist now, unchanged.
    pub lost: Vec<Value>,
    /// How the enrichment was re-identified.
    pub counts: EnrichmentCounts,
}

/// Re-identifies the nodes of a graph among the current definitions, and returns their enrichment.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_index::carry_enrichment::carry_enrichment;
/// use ragnav_index::shapes::Shape;
///
/// let graph = serde_json::json!({"entities": [{
///     "id": "sym:a.f",
///     "file_path": "a.py",
///     "start_line": 1,
///     "metadata": {"summary": "Adds up."},
/// }]});
/// let path = RepoPath::parse("a.py").unwrap();
/// let f = Shape { name_path: "f".into(), start_line: Some(7), ..Shape::default() };
/// let enrichment = carry_enrichment(&graph, &[(path.clone(), vec![f])].into());
/// assert_eq!(enrichment.counts.moved, 1);
/// assert_eq!(enrichment.definitions[&(path, 0)].fields["metadata"]["summary"], "Adds up.");
/// ```
#[must_use]
pub fn carry_enrichment(graph: &Value, now: &ShapesByFile) -> RepositoryEnrichment {
    let known = NodesByFile::read(graph, now);
    let results = reidentify_files(&known.shapes(), now);
    let mut enrichment = RepositoryEnrichment::default();
    let mut found: HashMap<(&RepoPath, usize), Match> = HashMap::default();
    for (file, at, result) in matched_definitions(&results) {
        let Some((then, read)) = known.node(&result.file, result.before) else {
            continue;
        };
        let is_ambiguous = read.node.is_ambiguous || result.how == Match::Ambiguous;
        let how = if is_ambiguous {
            Match::Ambiguous
        } else {
            result.how
        };
        found.entry((then, result.before)).or_insert(how);
        let fields = enrichment_of(read);
        if !fields.is_empty() {
            let carried = DefinitionEnrichment {
                fields,
                is_ambiguous,
            };
            enrichment.definitions.insert((file.clone(), at), carried);
        }
    }
    for (file, at, read) in known.nodes() {
        if !known.has_enrichment(read) {
            continue;
        }
        match found.get(&(file, at)) {
            Some(how) => enrichment.counts.count(*how),
            None => enrichment.keep_lost(read),
        }
    }
    for read in &known.unplaced {
        if known.has_enrichment(read) {
            enrichment.keep_lost(read);
        }
    }
    enrichment
}

impl RepositoryEnrichment {
    /// Reports whether no symbol has enrichment.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::carry_enrichment::RepositoryEnrichment;
    ///
    /// assert!(RepositoryEnrichment::default().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.definitions.is_empty() && self.lost.is_empty()
    }

    /// Returns the counts of the next build, if no file changes until then.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_index::carry_enrichment::carry_enrichment;
    /// use ragnav_index::shapes::Shape;
    ///
    /// let graph = serde_json::json!({"entities": [
    ///     {"id": "sym:a.f", "file_path": "a.py", "start_line": 1, "metadata": {"owner": "me"}},
    /// ]});
    /// let f = Shape { name_path: "f".into(), start_line: Some(7), ..Shape::default() };
    /// let now = [(RepoPath::parse("a.py").unwrap(), vec![f])].into();
    /// let enrichment = carry_enrichment(&graph, &now);
    /// assert_eq!(enrichment.counts.moved, 1);
    /// // The next build finds the symbol where this one writes it.
    /// assert_eq!(enrichment.counts_after_write().exact, 1);
    /// ```
    #[must_use]
    pub fn counts_after_write(&self) -> EnrichmentCounts {
        let mut counts = EnrichmentCounts {
            lost: wire(self.lost.len()),
            ..EnrichmentCounts::default()
        };
        for carried in self.definitions.values() {
            counts.count(if carried.is_ambiguous {
                Match::Ambiguous
            } else {
                Match::Exact
            });
        }
        counts
    }

    /// Keeps a node whose symbol does not exist now.
    fn keep_lost(&mut self, read: &ReadNode<'_>) {
        let mut object = read.object.clone();
        if let Some(key) = read.key {
            object.entry("id").or_insert_with(|| key.into());
        }
        self.counts.lost += 1;
        self.lost.push(Value::Object(object));
    }
}

fn matched_definitions(
    results: &FileReidentifications,
) -> impl Iterator<
    Item = (
        &RepoPath,
        usize,
        &crate::reidentify_files::FileReidentification,
    ),
> {
    results.iter().flat_map(|(file, results)| {
        let places = results.iter().enumerate();
        places.filter_map(move |(at, result)| Some((file, at, result.as_ref()?)))
    })
}

/// The nodes of a graph by file.
struct NodesByFile<'v> {
    files: BTreeMap<RepoPath, Vec<ReadNode<'v>>>,
    /// Nodes without a file whose id matches no current definition, and unusable nodes.
    unplaced: Vec<ReadNode<'v>>,
    /// Whether ragnav built the graph. If so, every key that a build does not write is enrichment.
    is_ours: bool,
}

impl<'v> NodesByFile<'v> {
    fn read(graph: &'v Value, now: &ShapesByFile) -> Self {
        let mut files: BTreeMap<RepoPath, Vec<ReadNode<'v>>> = BTreeMap::new();
        let mut without_file: HashMap<&'v str, Vec<ReadNode<'v>>> = HashMap::default();
        let mut unplaced = Vec::new();
        for read in rag_graph::read_nodes(graph) {
            if !read.is_usable {
                unplaced.push(read);
                continue;
            }
            match &read.file {
                Some(file) => files.entry(file.clone()).or_default().push(read),
                None => without_file.entry(read.id).or_default().push(read),
            }
        }
        if !without_file.is_empty() {
            assign_files(&mut files, &mut without_file, now);
        }
        for nodes in files.values_mut() {
            nodes.small_sort_by_key(|read| read.node.shape.start_line);
        }
        unplaced.extend(without_file.into_values().flatten());
        unplaced.small_sort_by_key(|read| read.id);
        Self {
            files,
            unplaced,
            is_ours: rag_graph::generation_of(graph).is_some(),
        }
    }

    /// Reports whether a node says more than which symbol it is about.
    fn has_enrichment(&self, read: &ReadNode<'_>) -> bool {
        let known = enrichment_of(read);
        known.contains_key("metadata") || (self.is_ours && !known.is_empty())
    }

    fn shapes(&self) -> ShapesByFile {
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

/// Assigns a file to nodes without one, by the definition that their id matches. If the id matches
/// definitions in several files, the node goes to the first one and is ambiguous.
fn assign_files<'v>(
    files: &mut BTreeMap<RepoPath, Vec<ReadNode<'v>>>,
    without_file: &mut HashMap<&'v str, Vec<ReadNode<'v>>>,
    now: &ShapesByFile,
) {
    let mut candidates: HashMap<String, BTreeSet<(&RepoPath, &str)>> = HashMap::default();
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
            let mut ids = rag_graph::candidate_ids(&module, &shape.name_path);
            if let Some(id) = ids.find(|id| without_file.contains_key(id.as_str())) {
                candidates
                    .entry(id)
                    .or_default()
                    .insert((file, &shape.name_path));
            }
        }
    }
    for (id, candidates) in candidates {
        let is_ambiguous = candidates.len() > 1;
        let Some((file, name_path)) = candidates.into_iter().next() else {
            continue;
        };
        for mut read in without_file.remove(id.as_str()).into_iter().flatten() {
            name_path.clone_into(&mut read.node.shape.name_path);
            read.node.is_ambiguous |= is_ambiguous;
            files.entry(file.clone()).or_default().push(read);
        }
    }
}

/// Keys that identify the symbol of a node, in the graphs of any builder.
const PLACE_KEYS: [&str; 5] = ["symbol_id", "name", "path", "file", "span"];

/// Returns the enrichment of a node, with descriptive texts under `metadata`.
fn enrichment_of(read: &ReadNode<'_>) -> Map<String, Value> {
    let metadata = descriptive_texts_of(read);
    let own = |key: &str| OWN_KEYS.contains(&key) || PLACE_KEYS.contains(&key);
    let others = read.object.iter().filter(|(key, value)| {
        !own(key) && *key != "metadata" && !metadata.contains_key(*key) && !is_empty_value(value)
    });
    let mut known: Map<String, Value> = others
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if !metadata.is_empty() {
        known.insert("metadata".to_owned(), Value::Object(metadata));
    }
    known
}

/// Returns the descriptive texts of a node, wherever its builder put them.
fn descriptive_texts_of(read: &ReadNode<'_>) -> Map<String, Value> {
    let mut metadata = match read.object.get("metadata") {
        Some(Value::Object(metadata)) => metadata.clone(),
        None | Some(Value::Null) => Map::new(),
        Some(other) => Map::from_iter([("value".to_owned(), other.clone())]),
    };
    let known = &read.node.enrichment;
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
