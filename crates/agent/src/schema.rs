//! The JSON schemas of plans and orders, for servers with constrained decoding.
//!
//! In a plan, each field has a variant with only the operators of its type, so that a model cannot
//! invent fields. The schema follows the strict mode of `response_format`: every object is closed
//! and every property required. Decoders keep the order of properties, so the query comes before
//! the filters.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::catalogue::{Catalogue, Field, FieldType};
use super::plan::Operator;

/// The longest query in the schema, in characters.
const MAX_QUERY: usize = 400;
/// The longest filter text in the schema, in characters.
const MAX_VALUE: usize = 120;
/// The largest number of filters in the schema.
const MAX_FILTERS: usize = 8;

/// A JSON schema. Serialisation keeps the order of properties.
///
/// # Examples
///
/// ```
/// use ragnav_agent::schema::Schema;
///
/// let schema = Schema::List(Box::new(Schema::Number), None);
/// let json = r#"{"type":"array","items":{"type":"number"}}"#;
/// assert_eq!(serde_json::to_string(&schema).unwrap(), json);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Schema {
    /// A text with a length limit, in characters.
    Text(Option<usize>),
    /// One of several texts.
    OneOf(Vec<String>),
    /// A number.
    Number,
    /// One of the whole numbers from 1.
    UpTo(usize),
    /// `true` or `false`.
    Bool,
    /// A list with a limit on its items.
    List(Box<Schema>, Option<usize>),
    /// A list with exactly this number of items.
    ListOf(Box<Schema>, usize),
    /// One of several schemas.
    AnyOf(Vec<Schema>),
    /// A closed object whose properties are all required.
    Object(Vec<(&'static str, Schema)>),
    /// Any object.
    AnyObject,
}

/// The properties of an object, in order.
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
            Self::UpTo(most) => {
                let numbers: Vec<usize> = (1..=*most).collect();
                map.serialize_entry("type", "integer")?;
                map.serialize_entry("enum", &numbers)?;
            }
            Self::Bool => map.serialize_entry("type", "boolean")?,
            Self::List(items, most) => {
                map.serialize_entry("type", "array")?;
                map.serialize_entry("items", items)?;
                if let Some(most) = most {
                    map.serialize_entry("maxItems", most)?;
                }
            }
            Self::ListOf(items, count) => {
                map.serialize_entry("type", "array")?;
                map.serialize_entry("items", items)?;
                map.serialize_entry("minItems", count)?;
                map.serialize_entry("maxItems", count)?;
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

/// Builds the schema of plans over a catalogue. With `has_lengths` texts and lists have limits.
/// These keep small models from endless output, but some servers reject them.
///
/// # Examples
///
/// ```
/// use ragnav_agent::catalogue::Catalogue;
/// use ragnav_agent::schema::plan_schema;
///
/// let schema = serde_json::to_value(plan_schema(&Catalogue::notes(), true)).unwrap();
/// assert_eq!(schema["properties"]["semantic_query"]["maxLength"], 400);
/// ```
#[must_use]
pub fn plan_schema(catalogue: &Catalogue, has_lengths: bool) -> Schema {
    let bound = |most: usize| has_lengths.then_some(most);
    let fields = catalogue.fields().iter();
    let variants: Vec<Schema> = fields.map(|field| field_schema(field, &bound)).collect();
    // An empty `anyOf` is an error for most servers, so the items are texts.
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

/// Builds the schema of orders of some passages, which are numbered from 1. With `has_lengths` the
/// list has as many numbers, since small models leave it empty otherwise.
#[must_use]
pub(crate) fn order_schema(passages: usize, has_lengths: bool) -> Schema {
    let number = Box::new(Schema::UpTo(passages));
    let numbers = if has_lengths {
        Schema::ListOf(number, passages)
    } else {
        Schema::List(number, None)
    };
    Schema::Object(vec![("order", numbers)])
}

fn field_schema(field: &Field, bound: &impl Fn(usize) -> Option<usize>) -> Schema {
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
