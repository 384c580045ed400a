//! The JSON schema of a plan over a catalogue, for servers that make a model keep to one.
//!
//! One variant for each field, with the operators of its type alone, so that a constrained model cannot invent a field. The rules are those of
//! the strict mode of `response_format`: every object closed, every property required. Properties stand in the order in which a plan is best
//! written: what is searched for before what is filtered. Decoders keep to it.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::catalogue::{Catalogue, Field, FieldType};
use super::plan::Operator;

/// Longest query that a schema admits, in characters.
const MAX_QUERY: usize = 400;
/// Longest text in a filter that a schema admits, in characters.
const MAX_VALUE: usize = 120;
/// Most filters that a schema admits.
const MAX_FILTERS: usize = 8;

/// A JSON schema. Written as JSON, the properties of its objects keep their order.
#[derive(Debug, Clone, PartialEq)]
pub enum Schema {
    /// A text, of so many characters at most.
    Text(Option<usize>),
    /// One of some texts.
    OneOf(Vec<String>),
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// A list, of so many items at most.
    List(Box<Schema>, Option<usize>),
    /// One of several.
    AnyOf(Vec<Schema>),
    /// A closed object that has all of its properties.
    Object(Vec<(&'static str, Schema)>),
    /// Any object.
    AnyObject,
}

/// The properties of an object, by their names.
struct Properties<'s>(&'s [(&'static str, Schema)]);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, schema)| (*name, schema)))
    }
}

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Text(most) => {
                map.serialize_entry("type", "string")?;
                if let Some(most) = most {
                    map.serialize_entry("maxLength", most)?;
                }
            }
            Self::OneOf(texts) => {
                map.serialize_entry("type", "string")?;
                map.serialize_entry("enum", texts)?;
            }
            Self::Number => map.serialize_entry("type", "number")?,
            Self::Bool => map.serialize_entry("type", "boolean")?,
            Self::List(items, most) => {
                map.serialize_entry("type", "array")?;
                map.serialize_entry("items", items)?;
                if let Some(most) = most {
                    map.serialize_entry("maxItems", most)?;
                }
            }
            Self::AnyOf(several) => map.serialize_entry("anyOf", several)?,
            Self::Object(properties) => {
                let names: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
                map.serialize_entry("type", "object")?;
                map.serialize_entry("properties", &Properties(properties))?;
                map.serialize_entry("required", &names)?;
                map.serialize_entry("additionalProperties", &false)?;
            }
            Self::AnyObject => map.serialize_entry("type", "object")?,
        }
        map.end()
    }
}

/// The schema of plans over a catalogue. With `has_lengths` texts and lists are bounded, which keeps small models from running on, and which some servers refuse.
#[must_use]
pub fn schema(catalogue: &Catalogue, has_lengths: bool) -> Schema {
    let bound = |most: usize| has_lengths.then_some(most);
    let fields = catalogue.fields().iter();
    let variants: Vec<Schema> = fields.map(|field| variant(field, &bound)).collect();
    // A list of nothing: an empty choice is an error to most servers.
    let filter = if variants.is_empty() {
        Schema::Text(None)
    } else {
        Schema::AnyOf(variants)
    };
    let formats = ["metadata_only", "selective_context"];
    Schema::Object(vec![
        ("semantic_search_needed", Schema::Bool),
        ("semantic_query", Schema::Text(bound(MAX_QUERY))),
        (
            "filters",
            Schema::List(Box::new(filter), bound(MAX_FILTERS)),
        ),
        (
            "response_format",
            Schema::OneOf(formats.map(str::to_owned).to_vec()),
        ),
    ])
}

fn variant(field: &Field, bound: &impl Fn(usize) -> Option<usize>) -> Schema {
    let operators = field.kind.operators();
    let names = operators.iter().map(|one| one.name().to_owned());
    let one = match field.kind {
        FieldType::Number => Schema::Number,
        FieldType::Bool => Schema::Bool,
        FieldType::String | FieldType::Date | FieldType::StringList => {
            Schema::Text(bound(MAX_VALUE))
        }
    };
    let value = if operators.iter().copied().any(Operator::takes_list) {
        let several = Schema::List(Box::new(one.clone()), bound(MAX_FILTERS));
        Schema::AnyOf(vec![one, several])
    } else {
        one
    };
    Schema::Object(vec![
        ("field", Schema::OneOf(vec![field.name.clone()])),
        ("operator", Schema::OneOf(names.collect())),
        ("value", value),
    ])
}
