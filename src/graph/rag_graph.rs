//! `rag_graph.json`, in the shapes that builders have written it in.
//!
//! Nodes stand under `entities`, `nodes` or `vertices`, at the top or inside `schema_graph`, as a list
//! or by their ids. Their file is `file_path`, `path` (also `a.py:10-20`) or `file`; their lines are
//! `start_line` and `end_line`, also inside `span`; what is known of them is in `metadata` or in the
//! node itself. A node that makes no sense is passed over, one whose path leaves the repository too.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::error::RagnavError;
use crate::lang;
use crate::path::RepoPath;
use crate::symbol_id;

/// What a graph knows about one symbol in words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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

/// A symbol as a graph remembers it. Its lines are of the time the graph was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The names of the definitions around it and its own, joined with dots.
    pub name_path: String,
    /// Its first line then.
    pub start_line: Option<u32>,
    /// Its last line then.
    pub end_line: Option<u32>,
    /// What is known of it.
    pub knowledge: Knowledge,
}

/// The nodes of a graph, also those that nothing is known of: they take part in telling namesakes apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RagGraph {
    by_file: HashMap<RepoPath, Vec<Node>>,
    /// Nodes that name no file, by their id without its prefix.
    without_file: HashMap<String, Vec<Node>>,
}

impl RagGraph {
    /// Parses the text of a graph.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for what is no JSON object with nodes.
    pub fn parse(text: &str) -> Result<Self, RagnavError> {
        let refuse = |why: &str| RagnavError::invalid(format!("this is no graph: {why}"));
        let value: Value = serde_json::from_str(crate::repo::text::without_bom(text))
            .map_err(|error| refuse(&error.to_string()))?;
        let nodes =
            nodes_of(&value).ok_or_else(|| refuse("it holds no entities, nodes or vertices"))?;
        let mut graph = Self::default();
        for (id, node) in nodes {
            graph.add(id, node);
        }
        for nodes in graph
            .by_file
            .values_mut()
            .chain(graph.without_file.values_mut())
        {
            nodes.sort_by_key(|node| node.start_line);
        }
        Ok(graph)
    }

    /// The nodes that fit a symbol of a file, by their first line: those of that file with that name
    /// path, else those without a file whose id is the symbol's or ends it with its module's last part.
    #[must_use]
    pub fn nodes(&self, file: &RepoPath, module: &str, name_path: &str) -> Vec<&Node> {
        let in_file = self.by_file.get(file).into_iter().flatten();
        let fitting: Vec<&Node> = in_file.filter(|node| node.name_path == name_path).collect();
        if !fitting.is_empty() {
            return fitting;
        }
        module_suffixes(module)
            .find_map(|module| self.without_file.get(&format!("{module}.{name_path}")))
            .into_iter()
            .flatten()
            .collect()
    }

    fn add(&mut self, key: Option<&str>, node: &Map<String, Value>) {
        let id = [
            text_of(node, &["id", "symbol_id"]),
            key,
            text_of(node, &["name"]),
        ];
        let Some(id) = id
            .into_iter()
            .flatten()
            .map(without_prefix)
            .find(|id| !id.is_empty())
        else {
            return;
        };
        let place = text_of(node, &["file_path", "path", "file"]).map(split_place);
        let lines = place.and_then(|(_, lines)| lines);
        let file = match place.map(|(file, _)| RepoPath::parse(file)) {
            Some(Err(_)) => return,
            Some(Ok(file)) => Some(file),
            None => None,
        };
        let node = Node {
            name_path: file
                .as_ref()
                .map_or(id, |file| name_path_in(file, id))
                .to_owned(),
            start_line: line_of(node, "start_line").or(lines.map(|(start, _)| start)),
            end_line: line_of(node, "end_line").or(lines.map(|(_, end)| end)),
            knowledge: knowledge_of(node),
        };
        match file {
            Some(file) => self.by_file.entry(file).or_default().push(node),
            None => self
                .without_file
                .entry(id.to_owned())
                .or_default()
                .push(node),
        }
    }
}

type KeyedNode<'v> = (Option<&'v str>, &'v Map<String, Value>);

fn nodes_of(value: &Value) -> Option<Vec<KeyedNode<'_>>> {
    let top = value.as_object()?;
    let inner = top.get("schema_graph").and_then(Value::as_object);
    [inner, Some(top)].into_iter().flatten().find_map(|graph| {
        ["entities", "nodes", "vertices"]
            .iter()
            .find_map(|key| listed(graph.get(*key)?))
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
    let package_file = lang::of_path(file).and_then(|language| language.package_file);
    let module = symbol_id::module_of(file, package_file);
    module_suffixes(&module)
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
