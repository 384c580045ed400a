//! The rule for `field:value`, with `-` for negation, `>=` for comparison and `..` for ranges.

use serde_json::Value;

use super::cursor::{Cursor, RuleMatch};
use super::files_and_languages;
use super::tokens::Kind;
use crate::catalogue::{Catalogue, Field, FieldType, Role};
use crate::draft::DraftFilter;

/// Common names of fields, whatever the catalogue calls them.
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

/// Reports whether a name before a colon makes a filter.
pub(super) fn is_field_name(name: &str, catalogue: &Catalogue) -> bool {
    find_field(name, catalogue).is_some()
}

fn find_field<'a>(name: &str, catalogue: &'a Catalogue) -> Option<&'a Field> {
    catalogue.field_like(name).or_else(|| {
        let lower = name.to_ascii_lowercase();
        let (_, role) = SHORT.iter().find(|(short, _)| *short == lower)?;
        catalogue.with_role(*role)
    })
}

pub(super) fn match_field_filter(cursor: &Cursor<'_>) -> Option<RuleMatch> {
    let token = cursor.token(0).filter(|token| token.kind == Kind::Pair)?;
    let name = token.name.trim_start_matches('-');
    let field = find_field(name, cursor.catalogue)?;
    let is_path = cursor.field(Role::Path).is_some_and(|path| path == field);
    let filters = match field.kind {
        FieldType::Number | FieldType::Date => parse_comparison(field, token.text),
        FieldType::String if is_path => vec![path_filter(field, name, token.text)],
        FieldType::String if token.text.contains('*') => {
            vec![build_filter(
                field,
                "like",
                files_and_languages::like_pattern(token.text),
            )]
        }
        FieldType::String => {
            let is_prose = ["title", "heading"].contains(&field.name.as_str());
            let operator = if is_prose { "contains" } else { "eq" };
            vec![build_filter(field, operator, token.text.to_owned())]
        }
        FieldType::StringList => {
            let values = token.text.split(',').filter(|value| !value.is_empty());
            values
                .map(|value| build_filter(field, "contains", value.to_owned()))
                .collect()
        }
        FieldType::Bool => vec![build_filter(field, "eq", token.text.to_owned())],
    };
    let filters = if token.name.starts_with('-') {
        filters.into_iter().map(negate).collect()
    } else {
        filters
    };
    Some(RuleMatch {
        used: 1,
        filters,
        is_explicit: true,
    })
}

fn build_filter(field: &Field, operator: &str, value: String) -> DraftFilter {
    let value = match field.kind {
        FieldType::Number => parse_number(&value),
        _ => Value::String(value),
    };
    DraftFilter::new(&field.name, operator, value)
}

/// Parses a number. Other text stays text, and validation drops it as a value of the wrong type.
fn parse_number(written: &str) -> Value {
    let number = written.parse().ok().and_then(serde_json::Number::from_f64);
    number.map_or_else(|| Value::String(written.to_owned()), Value::Number)
}

fn parse_comparison(field: &Field, written: &str) -> Vec<DraftFilter> {
    if let Some((from, to)) = written.split_once("..") {
        let bounds = [("gte", from), ("lte", to)].into_iter();
        let given = bounds.filter(|(_, bound)| !bound.is_empty());
        return given
            .map(|(operator, bound)| build_filter(field, operator, bound.to_owned()))
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
    vec![build_filter(field, operator, bound.to_owned())]
}

/// Builds a filter on a path from a folder, an extension, a pattern or a part of the path.
fn path_filter(field: &Field, name: &str, written: &str) -> DraftFilter {
    match name.to_ascii_lowercase().as_str() {
        "folder" => build_filter(
            field,
            "starts_with",
            files_and_languages::folder_prefix(written),
        ),
        "ext" => build_filter(
            field,
            "like",
            files_and_languages::extension_pattern(written),
        ),
        _ if written.contains('*') => {
            build_filter(field, "like", files_and_languages::like_pattern(written))
        }
        _ if written.ends_with('/') => build_filter(
            field,
            "starts_with",
            files_and_languages::folder_prefix(written),
        ),
        _ => build_filter(field, "contains", written.to_owned()),
    }
}

/// Negates a filter. Without an opposite, the operator becomes invalid, and validation drops it.
fn negate(filter: DraftFilter) -> DraftFilter {
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
