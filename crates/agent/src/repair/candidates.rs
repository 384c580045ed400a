//! Reading the objects of a text as candidates for the plan.

use std::collections::BTreeSet;

use serde_json::{Number, Value};

use super::lookahead::normalise_key;
use super::reader::Node;
use crate::draft::{Draft, DraftFilter};
use crate::plan::{Repair, ResponseFormat};

/// An object that was read as a plan.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) draft: Draft,
    pub(super) repairs: BTreeSet<Repair>,
    /// The similarity to a plan: two for each valid part, minus one for each invalid one.
    pub(super) score: i32,
}

/// Reads an object as a plan; returns `None` if it has no part of one.
pub(super) fn read_candidate(pairs: &[(String, Node)], is_complete: bool) -> Option<Candidate> {
    let mut draft = Draft::default();
    let mut repairs = BTreeSet::new();
    let mut score = i32::from(is_complete);
    for (key, node) in pairs {
        let normal = normalise_key(key);
        let is_read = match normal.as_str() {
            "semanticsearchneeded" => set_part(
                &mut draft.semantic_search_needed,
                read_boolean(node, &mut repairs),
            ),
            "semanticquery" => set_part(&mut draft.semantic_query, read_query(node, &mut repairs)),
            "filters" => set_part(&mut draft.filters, read_filters(node, &mut repairs)),
            "responseformat" => {
                set_part(&mut draft.response_format, read_format(node, &mut repairs))
            }
            _ => continue,
        };
        let exact = [
            "semantic_search_needed",
            "semantic_query",
            "filters",
            "response_format",
        ];
        if !exact.contains(&key.as_str()) {
            repairs.insert(Repair::Names);
        }
        score += if is_read { 2 } else { -1 };
    }
    let says = draft.semantic_search_needed.is_some()
        || draft.semantic_query.is_some()
        || draft.response_format.is_some()
        || draft
            .filters
            .as_ref()
            .is_some_and(|filters| !filters.is_empty());
    (says && score > 0).then_some(Candidate {
        draft,
        repairs,
        score,
    })
}

fn set_part<T>(part: &mut Option<T>, read: Option<T>) -> bool {
    let is_read = read.is_some();
    *part = read;
    is_read
}

fn read_boolean(node: &Node, repairs: &mut BTreeSet<Repair>) -> Option<bool> {
    let repaired = match node {
        Node::Bool(given) => return Some(*given),
        Node::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" => Some(true),
            "false" | "no" => Some(false),
            _ => None,
        },
        Node::Number(number) if number.total_cmp(&1.0).is_eq() => Some(true),
        Node::Number(number) if number.total_cmp(&0.0).is_eq() => Some(false),
        _ => None,
    };
    repairs.extend(repaired.map(|_| Repair::Types));
    repaired
}

fn read_query(node: &Node, repairs: &mut BTreeSet<Repair>) -> Option<String> {
    match node {
        Node::String(text) | Node::OpenString(text) => Some(text.clone()),
        Node::Null => {
            repairs.insert(Repair::Types);
            Some(String::new())
        }
        _ => None,
    }
}

fn read_format(node: &Node, repairs: &mut BTreeSet<Repair>) -> Option<ResponseFormat> {
    let (Node::String(text) | Node::OpenString(text)) = node else {
        return None;
    };
    let exact = match text.as_str() {
        "metadata_only" => Some(ResponseFormat::MetadataOnly),
        "selective_context" => Some(ResponseFormat::SelectiveContext),
        _ => None,
    };
    if exact.is_some() {
        return exact;
    }
    let meant = match normalise_key(text).as_str() {
        "metadataonly" => Some(ResponseFormat::MetadataOnly),
        "selectivecontext" => Some(ResponseFormat::SelectiveContext),
        _ => None,
    };
    repairs.extend(meant.map(|_| Repair::Names));
    meant
}

/// Reads the filters of a complete list. A truncated list is ignored, since its other filters are
/// unknown.
fn read_filters(node: &Node, repairs: &mut BTreeSet<Repair>) -> Option<Vec<DraftFilter>> {
    match node {
        Node::List(items) => {
            let read = items
                .iter()
                .map(|item| read_filter(item, repairs))
                .collect::<Option<Vec<_>>>()?;
            Some(read.into_iter().flatten().collect())
        }
        Node::Object(_) => {
            repairs.insert(Repair::Types);
            read_filter(node, repairs)
        }
        Node::Null => {
            repairs.insert(Repair::Types);
            Some(Vec::new())
        }
        _ => None,
    }
}

/// Reads an item of the list: one filter, or Chroma's `{field: {operator: value}}` with several.
/// Returns `None` if it was truncated.
fn read_filter(node: &Node, repairs: &mut BTreeSet<Repair>) -> Option<Vec<DraftFilter>> {
    let Node::Object(pairs) = node else {
        return Some(vec![DraftFilter::new("", "", value(node)?)]);
    };
    let mut part = |names: &[&str]| {
        let found = pairs
            .iter()
            .find(|(key, _)| names.contains(&normalise_key(key).as_str()));
        let (key, node) = found?;
        if key != names.first().copied().unwrap_or_default() {
            repairs.insert(Repair::Names);
        }
        Some(node)
    };
    let (field, operator, given) = (
        part(&["field"]),
        part(&["operator", "op"]),
        part(&["value"]),
    );
    if field.is_none() && operator.is_none() {
        repairs.insert(Repair::Types);
        return read_chroma_filters(pairs, repairs);
    }
    let text = |node: Option<&Node>| match node {
        Some(Node::String(text)) => text.clone(),
        _ => String::new(),
    };
    let given = given.map_or(Some(Value::Null), value)?;
    Some(vec![DraftFilter::new(&text(field), &text(operator), given)])
}

fn read_chroma_filters(
    pairs: &[(String, Node)],
    repairs: &mut BTreeSet<Repair>,
) -> Option<Vec<DraftFilter>> {
    let mut filters = Vec::new();
    for (key, node) in pairs {
        match (key.as_str(), node) {
            ("$and" | "and", Node::List(items)) => {
                for item in items {
                    filters.extend(read_filter(item, repairs)?);
                }
            }
            ("$or" | "or" | "$not" | "not", _) => {
                filters.push(DraftFilter::new("", "", value(node)?));
            }
            (_, Node::Object(operators)) => {
                for (operator, given) in operators {
                    filters.push(DraftFilter::new(key, operator, value(given)?));
                }
            }
            _ => filters.push(DraftFilter::new(key, "eq", value(node)?)),
        }
    }
    Some(filters)
}

/// Converts a value to JSON; returns `None` if it was truncated.
fn value(node: &Node) -> Option<Value> {
    match node {
        Node::Null => Some(Value::Null),
        Node::Bool(given) => Some(Value::Bool(*given)),
        Node::Number(number) => Some(json_number(*number)),
        Node::String(text) => Some(Value::String(text.clone())),
        Node::List(items) => items
            .iter()
            .map(value)
            .collect::<Option<Vec<_>>>()
            .map(Value::Array),
        Node::Object(pairs) => {
            let pairs = pairs
                .iter()
                .map(|(key, node)| Some((key.clone(), value(node)?)));
            pairs
                .collect::<Option<serde_json::Map<_, _>>>()
                .map(Value::Object)
        }
        Node::OpenString(_) | Node::OpenList(_) | Node::OpenObject(_) => None,
    }
}

// Whole numbers up to 2⁵³ are integers in JSON too.
fn json_number(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within 2⁵³")]
        return Value::from(number as i64);
    }
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}
