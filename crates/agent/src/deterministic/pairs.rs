//! `field:value`, with `-` before it for the opposite, `>=` before the value and `..` between two.

use serde_json::Value;

use super::places;
use super::tokens::Kind;
use super::view::{Claim, View};
use crate::catalogue::{Catalogue, Field, FieldType, Role};
use crate::draft::DraftFilter;

/// Short names that people write for fields, whatever the catalogue calls them.
const SHORT: [(&str, Role); 13] = [
    ("tag", Role::Tags),
    ("tags", Role::Tags),
    ("link", Role::Links),
    ("wikilink", Role::Links),
    ("path", Role::Path),
    ("file", Role::Path),
    ("folder", Role::Path),
    ("ext", Role::Path),
    ("lang", Role::Language),
    ("language", Role::Language),
    ("created", Role::Created),
    ("modified", Role::Modified),
    ("updated", Role::Modified),
];

/// Whether a name before a colon makes a filter.
pub(super) fn is_name(name: &str, catalogue: &Catalogue) -> bool {
    named(name, catalogue).is_some()
}

fn named<'a>(name: &str, catalogue: &'a Catalogue) -> Option<&'a Field> {
    catalogue.field_like(name).or_else(|| {
        let lower = name.to_ascii_lowercase();
        let (_, role) = SHORT.iter().find(|(short, _)| *short == lower)?;
        catalogue.with_role(*role)
    })
}

pub(super) fn pair(view: &View<'_>) -> Option<Claim> {
    let token = view.token(0).filter(|token| token.kind == Kind::Pair)?;
    let name = token.name.trim_start_matches('-');
    let field = named(name, view.catalogue)?;
    let is_path = view.field(Role::Path).is_some_and(|path| path == field);
    let filters = match field.kind {
        FieldType::Number | FieldType::Date => compared(field, token.text),
        FieldType::String if is_path => vec![path(field, name, token.text)],
        FieldType::String if token.text.contains('*') => {
            vec![text(field, "like", places::pattern(token.text))]
        }
        FieldType::String => {
            let is_prose = ["title", "heading"].contains(&field.name.as_str());
            let operator = if is_prose { "contains" } else { "eq" };
            vec![text(field, operator, token.text.to_owned())]
        }
        FieldType::StringList => {
            let values = token.text.split(',').filter(|value| !value.is_empty());
            values
                .map(|value| text(field, "contains", value.to_owned()))
                .collect()
        }
        FieldType::Bool => vec![text(field, "eq", token.text.to_owned())],
    };
    let filters = if token.name.starts_with('-') {
        filters.into_iter().map(opposite).collect()
    } else {
        filters
    };
    Some(Claim {
        used: 1,
        filters,
        is_explicit: true,
    })
}

fn text(field: &Field, operator: &str, value: String) -> DraftFilter {
    let value = match field.kind {
        FieldType::Number => number(&value),
        _ => Value::String(value),
    };
    DraftFilter::new(&field.name, operator, value)
}

/// What is no number stays what it is, and is refused with everything else of a wrong type.
fn number(written: &str) -> Value {
    let number = written.parse().ok().and_then(serde_json::Number::from_f64);
    number.map_or_else(|| Value::String(written.to_owned()), Value::Number)
}

fn compared(field: &Field, written: &str) -> Vec<DraftFilter> {
    if let Some((from, to)) = written.split_once("..") {
        let bounds = [("gte", from), ("lte", to)].into_iter();
        let given = bounds.filter(|(_, bound)| !bound.is_empty());
        return given
            .map(|(operator, bound)| text(field, operator, bound.to_owned()))
            .collect();
    }
    let signs = [
        (">=", "gte"),
        ("<=", "lte"),
        (">", "gt"),
        ("<", "lt"),
        ("=", "eq"),
    ];
    let signed = signs
        .into_iter()
        .find_map(|(sign, operator)| Some((operator, written.strip_prefix(sign)?)));
    let (operator, bound) = signed.unwrap_or(("eq", written));
    vec![text(field, operator, bound.to_owned())]
}

/// A path by its folder, its extension, a pattern or a part of it.
fn path(field: &Field, name: &str, written: &str) -> DraftFilter {
    match name.to_ascii_lowercase().as_str() {
        "folder" => text(field, "starts_with", places::folder_prefix(written)),
        "ext" => text(field, "like", places::extension_pattern(written)),
        _ if written.contains('*') => text(field, "like", places::pattern(written)),
        _ if written.ends_with('/') => text(field, "starts_with", places::folder_prefix(written)),
        _ => text(field, "contains", written.to_owned()),
    }
}

/// The opposite, where there is one; otherwise no such operator, which is refused and said.
fn opposite(filter: DraftFilter) -> DraftFilter {
    let operator = match filter.operator.as_str() {
        "eq" => "ne",
        "contains" => "not_contains",
        "gt" => "lte",
        "gte" => "lt",
        "lt" => "gte",
        "lte" => "gt",
        other => &format!("not_{other}"),
    };
    DraftFilter::new(&filter.field, operator, filter.value)
}
