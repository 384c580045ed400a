//! `rag_graph.json`, in the shapes that builders have written it in.
//!
//! Nodes stand under `entities`, `nodes` or `vertices`, at the top or inside `schema_graph`, as a list
//! or by their ids. Their file is `file_path`, `path` (also `a.py:10-20`) or `file`; their lines are
//! `start_line` and `end_line`, also inside `span`; what is known of them is in `metadata` or in the
//! node itself. A node that makes no sense is passed over, one whose path leaves the repository too.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use serde_json::{Map, Value};
use xxhash_rust::xxh3::Xxh3;

use crate::rejoin::Shape;
use ragnav_base::error::RagnavError;
use ragnav_base::path::RepoPath;
use ragnav_base::symbol_id;
use ragnav_syntax::facts::BodyHash;

/// The key of nodes that are kept for when their symbols come back.
pub const LOST_KEY: &str = "lost";
/// The key of a definition's body hash in its node.
pub const BODY_KEY: &str = "body";
/// The key that says that several definitions fitted what is known of a node.
pub const AMBIGUOUS_KEY: &str = "ambiguous";

/// Folders of a module by which ids are told: no walk goes deeper, while a graph may say anything.
const MAX_FOLDERS: usize = 256;

/// What a graph knows about one symbol in words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Knowledge {
    /// What it does.
    pub summary: Option<String>,
    /// How to use it.
    pub usage_guide: Option<String>,
    /// What kind of content it is.
    pub content_type: Option<String>,
    /// The language it is written in.
    pub content_language: Option<String>,
}

impl Knowledge {
    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A symbol as a graph remembers it. Its lines are of the time the graph was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What of it tells which definition of now it is.
    pub shape: Shape,
    /// What is known of it.
    pub knowledge: Knowledge,
    /// Whether several definitions fitted when what is known of it was carried over.
    pub is_ambiguous: bool,
}

/// The nodes of a graph, also those that nothing is known of: they take part in telling namesakes apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RagGraph {
    /// What ties the graph to the index and the status of its build; `None` where another program wrote it.
    pub generation: Option<String>,
    by_file: BTreeMap<RepoPath, Vec<Node>>,
    /// Nodes that name no file, by their id without its prefix.
    without_file: HashMap<String, Vec<Node>>,
}

/// A node as it stands in a graph's text.
#[derive(Debug)]
pub struct ReadNode<'v> {
    /// The file it names; `None` for one that names none.
    pub file: Option<RepoPath>,
    /// The key it stands under, in graphs that list nodes by their ids.
    pub key: Option<&'v str>,
    /// Its id without what stands before its colon.
    pub id: &'v str,
    /// Whether it can be about a symbol of this repository: it has an id, and names no file outside.
    pub is_usable: bool,
    /// What ragnav makes of it.
    pub node: Node,
    /// All that it says.
    pub object: &'v Map<String, Value>,
}

/// Parses the text of a graph as JSON.
///
/// # Errors
/// `INVALID_ARGUMENT` for what is no JSON object with nodes.
pub fn parse_json(text: &str) -> Result<Value, RagnavError> {
    let value: Value = serde_json::from_str(ragnav_base::text::without_bom(text))
        .map_err(|error| refuse(&error.to_string()))?;
    if lists_of(&value).next().is_none() {
        return Err(refuse("it holds no entities, nodes or vertices"));
    }
    Ok(value)
}

fn refuse(why: &str) -> RagnavError {
    RagnavError::invalid(format!("this is no graph: {why}"))
}

/// The nodes of a graph and, behind them, those that are kept though their symbols are gone.
pub fn read_nodes(graph: &Value) -> impl Iterator<Item = ReadNode<'_>> {
    let lost = graph.get(LOST_KEY).and_then(listed);
    let nodes = lists_of(graph).chain(lost).flatten();
    nodes.map(|(key, object)| read_node(key, object))
}

/// What ties a graph to the index and the status of its build.
#[must_use]
pub fn generation_of(graph: &Value) -> Option<&str> {
    graph.get("generation")?.as_str()
}

impl RagGraph {
    /// A graph of a build that knows nothing of any symbol.
    #[must_use]
    pub fn without_nodes(generation: String) -> Self {
        Self {
            generation: Some(generation),
            by_file: BTreeMap::new(),
            without_file: HashMap::new(),
        }
    }

    /// Parses the text of a graph.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for what is no JSON object with nodes.
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
            nodes.sort_by_key(|node| node.shape.start_line);
        }
        Ok(graph)
    }

    /// The files that nodes name, sorted, with their nodes in the order of their lines.
    pub fn files(&self) -> impl Iterator<Item = (&RepoPath, &[Node])> {
        let files = self.by_file.iter();
        files.map(|(file, nodes)| (file, nodes.as_slice()))
    }

    /// The nodes that may be about the definitions of a file, in the order of their lines: those that name the file, and for
    /// name paths that none of them has, those without a file whose id is the definition's or ends it with its module's last part.
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
            let fitting = ids(module, name_path).find_map(|id| self.without_file.get(&id));
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

    /// Whether bodies were written down for a file's definitions.
    #[must_use]
    pub fn has_bodies(&self, file: &RepoPath) -> bool {
        let mut nodes = self.by_file.get(file).into_iter().flatten();
        nodes.any(|node| node.shape.body.is_some())
    }
}

/// The ids by which older graphs may name a symbol, the most telling first.
pub fn ids(module: &str, name_path: &str) -> impl Iterator<Item = String> {
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
        // A node without a file is named by its id's last parts once a symbol is found that it fits.
        name_path: name_path.to_owned(),
        is_class: text_of(object, &["kind"]).and_then(is_class),
        start_line: start,
        end_line: end,
        decorated_start_line: None,
        body: text_of(object, &[BODY_KEY]).and_then(BodyHash::parse),
        knowledge: fingerprint(object),
    };
    ReadNode {
        file,
        key,
        id,
        is_usable,
        node: Node {
            shape,
            knowledge: knowledge_of(object),
            is_ambiguous: object.get(AMBIGUOUS_KEY) == Some(&Value::Bool(true)),
        },
        object,
    }
}

/// The keys that a build writes of its own: what stands under others is what is known.
pub const OWN_KEYS: [&str; 8] = [
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

/// What tells two nodes of which different things are known.
fn fingerprint(object: &Map<String, Value>) -> u64 {
    let known = object.iter();
    let known = known.filter(|(key, value)| {
        !OWN_KEYS.contains(&key.as_str()) && *key != "span" && !is_nothing(value)
    });
    let mut hasher = Xxh3::new();
    for (key, value) in known {
        key.hash(&mut hasher);
        value.to_string().hash(&mut hasher);
    }
    hasher.digest()
}

/// Whether a value says nothing.
#[must_use]
pub fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Object(object) => object.is_empty(),
        _ => false,
    }
}

type KeyedNode<'v> = (Option<&'v str>, &'v Map<String, Value>);

/// The lists of nodes in a graph, wherever builders have put them.
fn lists_of(value: &Value) -> impl Iterator<Item = Vec<KeyedNode<'_>>> {
    let top = value.as_object();
    let inner = top.and_then(|top| top.get("schema_graph")?.as_object());
    [inner, top].into_iter().flatten().flat_map(|graph| {
        let keys = ["entities", "nodes", "vertices"];
        keys.into_iter().filter_map(|key| listed(graph.get(key)?))
    })
}

fn listed(nodes: &Value) -> Option<Vec<KeyedNode<'_>>> {
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

fn knowledge_of(node: &Map<String, Value>) -> Knowledge {
    let metadata = node.get("metadata").and_then(Value::as_object);
    let text = |key: &str| {
        let mut objects = [metadata, Some(node)].into_iter().flatten();
        let text = objects.find_map(|object| text_of(object, &[key]));
        text.map(ToOwned::to_owned)
    };
    Knowledge {
        summary: text("summary"),
        usage_guide: text("usage_guide"),
        content_type: text("content_type"),
        content_language: text("content_language"),
    }
}

/// `a.py:10-20` and `a.py:10` are a file with lines.
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

/// An id without what stands before its colon: `sym:`, `type:`, `fn:`.
fn without_prefix(id: &str) -> &str {
    match id.split_once(':') {
        Some((prefix, rest)) if prefix.bytes().all(|byte| byte.is_ascii_alphanumeric()) => rest,
        _ => id,
    }
}

/// The name path of a node's id in its file: what follows the module, in full or its last parts.
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

/// A module and its last parts, longest first.
fn module_suffixes(module: &str) -> impl Iterator<Item = &str> {
    let parts = std::iter::successors(Some(module), |rest| {
        rest.split_once('.').map(|(_, rest)| rest)
    });
    parts.filter(|part| !part.is_empty())
}
