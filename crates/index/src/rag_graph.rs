//! Reading `rag_graph.json`, in the layouts of several builders.
//!
//! Nodes are in `entities`, `nodes` or `vertices`, at the top or in `schema_graph`, as a list or by
//! id. Their file is `file_path`, `path` (also `a.py:10-20`) or `file`. Their lines are
//! `start_line` and `end_line`, also in `span`. Their enrichment is in `metadata` or in the node
//! itself. A node without an id, or with a path outside the repository, is ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

use serde_json::{Map, Value};
use xxhash_rust::xxh3::Xxh3;

use crate::shapes::Shape;
use ragnav_base::error::RagnavError;
use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::path::RepoPath;
use ragnav_base::sort::SmallSort;
use ragnav_base::symbol_id;
use ragnav_syntax::facts::BodyHash;

/// The key of the nodes whose symbols do not exist now.
const LOST_KEY: &str = "lost";
/// The key of a definition's body hash.
pub(crate) const BODY_KEY: &str = "body";
/// The key of a node whose enrichment several definitions matched.
pub(crate) const AMBIGUOUS_KEY: &str = "ambiguous";

/// The largest depth of a module that ids are matched with. No walk goes deeper.
const MAX_FOLDERS: usize = 256;

/// The descriptive texts of a symbol.
///
/// # Examples
///
/// ```
/// use ragnav_index::rag_graph::NodeEnrichment;
///
/// let enrichment = NodeEnrichment {
///     summary: Some("Adds up.".to_owned()),
///     ..NodeEnrichment::default()
/// };
/// assert!(!enrichment.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct NodeEnrichment {
    /// A summary of what the symbol does.
    pub summary: Option<String>,
    /// How to use the symbol.
    pub usage_guide: Option<String>,
    /// The type of its content.
    pub content_type: Option<String>,
    /// The language of its content.
    pub content_language: Option<String>,
}

impl NodeEnrichment {
    /// Reports whether all texts are missing.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::rag_graph::NodeEnrichment;
    ///
    /// assert!(NodeEnrichment::default().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A symbol in a graph. Its lines are those at the time of the build.
///
/// # Examples
///
/// ```
/// use ragnav_index::rag_graph::RagGraph;
///
/// let text = r#"{"entities": [{
///     "id": "sym:a.f",
///     "file_path": "a.py",
///     "start_line": 3,
///     "metadata": {"summary": "Adds up."}
/// }]}"#;
/// let graph = RagGraph::parse(text).unwrap();
/// let (_, nodes) = graph.files().next().unwrap();
/// assert_eq!((nodes[0].shape.name_path.as_str(), nodes[0].shape.start_line), ("f", Some(3)));
/// assert_eq!(nodes[0].enrichment.summary.as_deref(), Some("Adds up."));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The shape that re-identifies the definition.
    pub shape: Shape,
    /// The descriptive texts.
    pub enrichment: NodeEnrichment,
    /// Whether several definitions matched when the enrichment was carried over.
    pub is_ambiguous: bool,
}

/// The nodes of a graph. Nodes without enrichment are included, since they help to tell definitions
/// of equal name apart.
///
/// # Examples
///
/// ```
/// use ragnav_index::rag_graph::RagGraph;
///
/// let graph = RagGraph::parse(r#"{"generation": "4b825dc", "entities": []}"#).unwrap();
/// assert_eq!(graph.generation.as_deref(), Some("4b825dc"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RagGraph {
    /// The generation of the build; `None` if another program wrote the graph.
    pub generation: Option<String>,
    by_file: BTreeMap<RepoPath, Vec<Node>>,
    /// The nodes without a file, by id without its prefix.
    without_file: HashMap<String, Vec<Node>>,
}

/// A node as it was read.
///
/// # Examples
///
/// ```
/// use ragnav_index::rag_graph::read_nodes;
///
/// let graph = serde_json::json!({"nodes": {"sym:a.f": {"file_path": "../outside.py"}}});
/// let node = read_nodes(&graph).next().unwrap();
/// assert_eq!((node.key, node.id, node.is_usable), (Some("sym:a.f"), "a.f", false));
/// ```
#[derive(Debug)]
pub struct ReadNode<'v> {
    /// The file, if the node names one.
    pub file: Option<RepoPath>,
    /// The key of the node, in graphs that store nodes by id.
    pub key: Option<&'v str>,
    /// The id without its prefix.
    pub id: &'v str,
    /// Whether the node can belong to this repository: it has an id, and no path outside.
    pub is_usable: bool,
    /// The parsed node.
    pub node: Node,
    /// The JSON object of the node.
    pub object: &'v Map<String, Value>,
}

/// Parses the JSON of a graph.
///
/// # Errors
/// `INVALID_ARGUMENT` for anything but a JSON object with nodes.
pub(crate) fn parse_json(text: &str) -> Result<Value, RagnavError> {
    let value: Value = serde_json::from_str(ragnav_base::text::without_bom(text))
        .map_err(|error| invalid_graph(&error.to_string()))?;
    if node_lists(&value).next().is_none() {
        return Err(invalid_graph("it holds no entities, nodes or vertices"));
    }
    Ok(value)
}

fn invalid_graph(why: &str) -> RagnavError {
    RagnavError::invalid(format!("this is no graph: {why}"))
}

/// Reads the nodes of a graph, followed by those whose symbols do not exist now.
///
/// # Examples
///
/// ```
/// use ragnav_index::rag_graph::read_nodes;
///
/// let graph = serde_json::json!({
///     "entities": [{"id": "sym:a.f", "file_path": "a.py"}],
///     "lost": [{"id": "sym:a.gone", "file_path": "a.py"}],
/// });
/// assert_eq!(read_nodes(&graph).map(|node| node.id).collect::<Vec<_>>(), ["a.f", "a.gone"]);
/// ```
pub fn read_nodes(graph: &Value) -> impl Iterator<Item = ReadNode<'_>> {
    let lost = graph.get(LOST_KEY).and_then(list_nodes);
    let nodes = node_lists(graph).chain(lost).flatten();
    nodes.map(|(key, object)| read_node(key, object))
}

/// Returns the generation of a graph, which also its index and status file have.
///
/// # Examples
///
/// ```
/// use ragnav_index::rag_graph::generation_of;
///
/// assert_eq!(generation_of(&serde_json::json!({"generation": "4b825dc"})), Some("4b825dc"));
/// assert_eq!(generation_of(&serde_json::json!({"nodes": []})), None);
/// ```
#[must_use]
pub fn generation_of(graph: &Value) -> Option<&str> {
    graph.get("generation")?.as_str()
}

impl RagGraph {
    /// Builds a graph without enrichment.
    #[must_use]
    pub(crate) fn without_nodes(generation: String) -> Self {
        Self {
            generation: Some(generation),
            by_file: BTreeMap::new(),
            without_file: HashMap::default(),
        }
    }

    /// Parses the text of a graph.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::rag_graph::RagGraph;
    ///
    /// let text = r#"{"entities": [{"id": "sym:a.f", "file_path": "a.py", "start_line": 1}]}"#;
    /// let graph = RagGraph::parse(text).unwrap();
    /// assert_eq!(graph.files().count(), 1);
    /// ```
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for anything but a JSON object with nodes.
    pub fn parse(text: &str) -> Result<Self, RagnavError> {
        let value = parse_json(text)?;
        let mut graph = Self {
            generation: generation_of(&value).map(ToOwned::to_owned),
            ..Self::default()
        };
        for read in read_nodes(&value).filter(|read| read.is_usable) {
            let nodes = match read.file {
                Some(file) => graph.by_file.entry(file).or_default(),
                None => graph.without_file.entry(read.id.to_owned()).or_default(),
            };
            nodes.push(read.node);
        }
        let without_file = graph.without_file.values_mut();
        for nodes in graph.by_file.values_mut().chain(without_file) {
            nodes.small_sort_by_key(|node| node.shape.start_line);
        }
        Ok(graph)
    }

    /// Returns the files that nodes name, sorted, with their nodes in the order of lines.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::rag_graph::RagGraph;
    ///
    /// let text = r#"{"entities": [
    ///     {"id": "sym:b.g", "file_path": "b.py"},
    ///     {"id": "sym:a.f", "file_path": "a.py"}
    /// ]}"#;
    /// let graph = RagGraph::parse(text).unwrap();
    /// let paths = graph.files().map(|(path, _)| path.as_str());
    /// assert_eq!(paths.collect::<Vec<_>>(), ["a.py", "b.py"]);
    /// ```
    pub fn files(&self) -> impl Iterator<Item = (&RepoPath, &[Node])> {
        let files = self.by_file.iter();
        files.map(|(file, nodes)| (file, nodes.as_slice()))
    }

    /// Returns the nodes for the definitions of a file, in the order of lines. These are the nodes
    /// that name the file, and for other name paths nodes without a file. The id of the latter
    /// equals that of the definition, or omits leading segments of its module: `b.f` for `a.b.f`.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_index::rag_graph::RagGraph;
    /// use ragnav_index::shapes::Shape;
    ///
    /// let text = r#"{"entities": [{"id": "sym:pkg.a.f", "metadata": {"summary": "Adds up."}}]}"#;
    /// let graph = RagGraph::parse(text).unwrap();
    /// let now = [Shape { name_path: "f".into(), ..Shape::default() }];
    /// let nodes = graph.nodes(&RepoPath::parse("src/pkg/a.py").unwrap(), "src.pkg.a", &now);
    /// assert_eq!(nodes[0].1.enrichment.summary.as_deref(), Some("Adds up."));
    /// ```
    #[must_use]
    pub fn nodes(&self, file: &RepoPath, module: &str, now: &[Shape]) -> Vec<(Shape, &Node)> {
        let in_file = self.by_file.get(file).into_iter().flatten();
        let mut nodes: Vec<(Shape, &Node)> =
            in_file.map(|node| (node.shape.clone(), node)).collect();
        if self.without_file.is_empty() {
            return nodes;
        }
        let named: HashSet<String> = nodes
            .iter()
            .map(|(shape, _)| shape.name_path.clone())
            .collect();
        let unnamed: BTreeSet<&str> = now
            .iter()
            .map(|shape| shape.name_path.as_str())
            .filter(|name_path| !named.contains(*name_path))
            .collect();
        for name_path in unnamed {
            let fitting =
                candidate_ids(module, name_path).find_map(|id| self.without_file.get(&id));
            nodes.extend(fitting.into_iter().flatten().map(|node| {
                let shape = Shape {
                    name_path: name_path.to_owned(),
                    ..node.shape.clone()
                };
                (shape, node)
            }));
        }
        nodes
    }

    /// Reports whether the nodes of a file have body hashes.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_index::rag_graph::RagGraph;
    ///
    /// let text = r#"{"entities": [{"id": "sym:a.f", "file_path": "a.py", "body": "c0ffee.12"}]}"#;
    /// let graph = RagGraph::parse(text).unwrap();
    /// assert!(graph.has_bodies(&RepoPath::parse("a.py").unwrap()));
    /// ```
    #[must_use]
    pub fn has_bodies(&self, file: &RepoPath) -> bool {
        let mut nodes = self.by_file.get(file).into_iter().flatten();
        nodes.any(|node| node.shape.body.is_some())
    }
}

/// Returns the ids that older graphs may use for a symbol, most specific first.
///
/// # Examples
///
/// ```
/// use ragnav_index::rag_graph::candidate_ids;
///
/// let ids: Vec<String> = candidate_ids("src.auth", "Auth.login").collect();
/// assert_eq!(ids[0], "src.auth.Auth.login");
/// assert!(ids.contains(&"auth.Auth.login".to_owned()));
/// ```
pub fn candidate_ids(module: &str, name_path: &str) -> impl Iterator<Item = String> {
    module_suffixes(module).map(move |module| format!("{module}.{name_path}"))
}

fn read_node<'v>(key: Option<&'v str>, object: &'v Map<String, Value>) -> ReadNode<'v> {
    let id = [
        text_of(object, &["id", "symbol_id"]),
        key,
        text_of(object, &["name"]),
    ];
    let mut ids = id.into_iter().flatten().map(without_prefix);
    let id = ids.find(|id| !id.is_empty()).unwrap_or_default();
    let place = text_of(object, &["file_path", "path", "file"]).map(split_place);
    let lines = place.and_then(|(_, lines)| lines);
    let file = place.map(|(file, _)| RepoPath::parse(file));
    let is_usable = !id.is_empty() && !matches!(file, Some(Err(_)));
    let file = file.and_then(Result::ok);
    let name_path = file.as_ref().map_or(id, |file| name_path_in(file, id));
    let start = line_of(object, "start_line").or(lines.map(|(start, _)| start));
    let end = line_of(object, "end_line").or(lines.map(|(_, end)| end));
    let shape = Shape {
        // A node without a file gets its name path when a symbol matches its id.
        name_path: name_path.to_owned(),
        is_class: text_of(object, &["kind"]).and_then(is_class),
        start_line: start,
        end_line: end,
        decorated_start_line: None,
        body: text_of(object, &[BODY_KEY]).and_then(BodyHash::parse),
        enrichment_hash: hash_enrichment(object),
    };
    ReadNode {
        file,
        key,
        id,
        is_usable,
        node: Node {
            shape,
            enrichment: enrichment_of(object),
            is_ambiguous: object.get(AMBIGUOUS_KEY) == Some(&Value::Bool(true)),
        },
        object,
    }
}

/// The keys that a build writes. Every other key is enrichment.
pub(crate) const OWN_KEYS: [&str; 8] = [
    "id",
    "kind",
    "file_path",
    "start_line",
    "end_line",
    BODY_KEY,
    "docstring",
    AMBIGUOUS_KEY,
];

fn is_class(kind: &str) -> Option<bool> {
    match kind {
        "class" => Some(true),
        "enum" | "function" | "interface" | "method" | "namespace" | "type" => Some(false),
        _ => None,
    }
}

/// Hashes the enrichment of a node, so that equal enrichment can be recognised.
fn hash_enrichment(object: &Map<String, Value>) -> u64 {
    let known = object.iter();
    let known = known.filter(|(key, value)| {
        !OWN_KEYS.contains(&key.as_str()) && *key != "span" && !is_empty_value(value)
    });
    let mut hasher = Xxh3::new();
    for (key, value) in known {
        key.hash(&mut hasher);
        value.to_string().hash(&mut hasher);
    }
    hasher.digest()
}

/// Reports whether a value is null or an empty object.
#[must_use]
pub(crate) fn is_empty_value(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Object(object) => object.is_empty(),
        _ => false,
    }
}

type KeyedNode<'v> = (Option<&'v str>, &'v Map<String, Value>);

/// Returns the lists of nodes in a graph, in the layouts of all builders.
fn node_lists(value: &Value) -> impl Iterator<Item = Vec<KeyedNode<'_>>> {
    let top = value.as_object();
    let inner = top.and_then(|top| top.get("schema_graph")?.as_object());
    [inner, top].into_iter().flatten().flat_map(|graph| {
        let keys = ["entities", "nodes", "vertices"];
        keys.into_iter()
            .filter_map(|key| list_nodes(graph.get(key)?))
    })
}

fn list_nodes(nodes: &Value) -> Option<Vec<KeyedNode<'_>>> {
    match nodes {
        Value::Array(nodes) => Some(
            nodes
                .iter()
                .filter_map(|node| Some((None, node.as_object()?)))
                .collect(),
        ),
        Value::Object(nodes) => {
            let nodes = nodes.iter();
            Some(
                nodes
                    .filter_map(|(id, node)| Some((Some(id.as_str()), node.as_object()?)))
                    .collect(),
            )
        }
        _ => None,
    }
}

fn text_of<'v>(node: &'v Map<String, Value>, keys: &[&str]) -> Option<&'v str> {
    let texts = keys.iter().filter_map(|key| node.get(*key)?.as_str());
    texts.map(str::trim).find(|text| !text.is_empty())
}

fn line_of(node: &Map<String, Value>, key: &str) -> Option<u32> {
    let span = node.get("span").and_then(Value::as_object);
    let line = node.get(key).or_else(|| span?.get(key))?.as_u64()?;
    u32::try_from(line).ok().filter(|line| *line > 0)
}

fn enrichment_of(node: &Map<String, Value>) -> NodeEnrichment {
    let metadata = node.get("metadata").and_then(Value::as_object);
    let text = |key: &str| {
        let mut objects = [metadata, Some(node)].into_iter().flatten();
        let text = objects.find_map(|object| text_of(object, &[key]));
        text.map(ToOwned::to_owned)
    };
    NodeEnrichment {
        summary: text("summary"),
        usage_guide: text("usage_guide"),
        content_type: text("content_type"),
        content_language: text("content_language"),
    }
}

/// Splits `a.py:10-20` or `a.py:10` into the file and the lines.
fn split_place(place: &str) -> (&str, Option<(u32, u32)>) {
    let lines = place.rsplit_once(':').and_then(|(file, lines)| {
        let (start, end) = lines.split_once('-').unwrap_or((lines, lines));
        Some((file, (start.parse().ok()?, end.parse().ok()?)))
    });
    match lines {
        Some((file, lines)) => (file, Some(lines)),
        None => (place, None),
    }
}

/// Returns an id without its prefix: `sym:`, `type:`, `fn:`.
fn without_prefix(id: &str) -> &str {
    match id.split_once(':') {
        Some((prefix, rest)) if prefix.bytes().all(|byte| byte.is_ascii_alphanumeric()) => rest,
        _ => id,
    }
}

/// Returns the name path of an id in a file: the part after the module, or after its end.
fn name_path_in<'i>(file: &RepoPath, id: &'i str) -> &'i str {
    let package_file =
        ragnav_syntax::detect_language(file).and_then(|language| language.package_file);
    let module = symbol_id::module_of(file, package_file);
    let too_long = module.matches('.').count().saturating_sub(MAX_FOLDERS);
    module_suffixes(&module)
        .skip(too_long)
        .find_map(|module| id.strip_prefix(module)?.strip_prefix('.'))
        .unwrap_or(id)
}

/// Returns a module and its ends, longest first: `a.b.c`, `b.c`, `c`.
fn module_suffixes(module: &str) -> impl Iterator<Item = &str> {
    let parts = std::iter::successors(Some(module), |rest| {
        rest.split_once('.').map(|(_, rest)| rest)
    });
    parts.filter(|part| !part.is_empty())
}
