//! The JSON schema of a plan over a catalogue, for servers that make a model keep to one.
//!
//! One variant for each field, with the operators of its type alone, so that a constrained model cannot invent a field. The rules are those of
//! the strict mode of `response_format`: every object closed, every property required.

use serde_json::{Value, json};

use super::catalogue::{Catalogue, Field, FieldType};
use super::plan::Operator;

/// Longest query that a schema admits, in characters.
const MAX_QUERY: usize = 400;
/// Longest text in a filter that a schema admits, in characters.
const MAX_VALUE: usize = 120;

/// The schema of plans over a catalogue. With `has_lengths` strings are bounded, which keeps small models from running on, and which some servers refuse.
#[must_use]
pub fn schema(catalogue: &Catalogue, has_lengths: bool) -> Value {
    let text = |most: usize| bounded(most, has_lengths);
    let variants: Vec<Value> = catalogue
        .fields()
        .iter()
        .map(|field| variant(field, has_lengths))
        .collect();
    let filters = match variants.as_slice() {
        // A list of nothing: an empty choice is an error to most servers.
        [] => json!({"type": "array", "items": {"type": "string"}}),
        _ => json!({"type": "array", "items": {"anyOf": variants}}),
    };
    object(&json!({
        "semantic_search_needed": {"type": "boolean"},
        "semantic_query": text(MAX_QUERY),
        "filters": filters,
        "response_format": {"type": "string", "enum": ["metadata_only", "selective_context"]},
    }))
}

fn variant(field: &Field, has_lengths: bool) -> Value {
    let operators: Vec<&str> = field
        .kind
        .operators()
        .iter()
        .map(|one| one.name())
        .collect();
    let one = match field.kind {
        FieldType::Number => json!({"type": "number"}),
        FieldType::Bool => json!({"type": "boolean"}),
        FieldType::String | FieldType::Date | FieldType::StringList => {
            bounded(MAX_VALUE, has_lengths)
        }
    };
    let takes_list = field
        .kind
        .operators()
        .iter()
        .copied()
        .any(Operator::takes_list);
    let value = if takes_list {
        json!({"anyOf": [one, {"type": "array", "items": one}]})
    } else {
        one
    };
    object(&json!({
        "field": {"type": "string", "enum": [field.name]},
        "operator": {"type": "string", "enum": operators},
        "value": value,
    }))
}

fn bounded(most: usize, has_lengths: bool) -> Value {
    if has_lengths {
        return json!({"type": "string", "maxLength": most});
    }
    json!({"type": "string"})
}

/// A closed object that has all of its properties.
fn object(properties: &Value) -> Value {
    let names: Vec<&String> = properties
        .as_object()
        .into_iter()
        .flat_map(serde_json::Map::keys)
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": false,
    })
}
