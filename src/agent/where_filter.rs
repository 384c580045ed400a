//! The filters of a plan as a `where` of Chroma, and what of them it cannot say.
//!
//! Source: Chroma's *Metadata Filtering*, and what a server of it answers: `$and` with one clause, an empty object, an empty list and a list
//! of several types are errors; `$gt`, `$gte`, `$lt`, `$lte` take numbers alone; `$contains` finds nothing in a field that is a string.

use serde_json::{Value, json};

use super::catalogue::{Catalogue, FieldType};
use super::plan::{Filter, FilterValue, Operator, Scalar};
use crate::error::RagnavError;

/// Filters, divided by who can hold documents against them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WhereParts {
    /// What Chroma can; `None` where there is nothing, since `{}` is an error there.
    pub clause: Option<Value>,
    /// What it cannot: to be held against the metadata of what it gives.
    pub rest: Vec<Filter>,
}

/// Builds the `where` of some filters, in their order.
///
/// Each clause is of one field and one operator; a range is two clauses. With a catalogue, `in` and `nin` of a list are clauses of its
/// elements, and `contains` of a string is left to the rest, as `like` and `starts_with` always are.
///
/// # Errors
/// `INVALID_ARGUMENT` for a field without a name or with a reserved one (`$…`, `#…`), an empty list, a list of several types, a list where one value belongs or
/// one value where a list does, an order of anything but numbers, and a number that is not finite.
pub fn build_where(
    filters: &[Filter],
    catalogue: Option<&Catalogue>,
) -> Result<WhereParts, RagnavError> {
    let mut clauses = Vec::new();
    let mut rest = Vec::new();
    for filter in filters {
        check(filter)?;
        let kind = catalogue.and_then(|catalogue| catalogue.field(&filter.field));
        match clauses_of(filter, kind.map(|field| field.kind)) {
            Some(own) => clauses.extend(own),
            None => rest.push(filter.clone()),
        }
    }
    let clause = match clauses.len() {
        0 | 1 => clauses.pop(),
        _ => Some(json!({ "$and": clauses })),
    };
    Ok(WhereParts { clause, rest })
}

/// Refuses a filter that no document could be held against.
///
/// # Errors
/// As [`build_where`].
pub fn check(filter: &Filter) -> Result<(), RagnavError> {
    let Filter {
        field,
        operator,
        value,
    } = filter;
    let refuse = |why: &str| {
        let name = operator.name();
        let message = format!("the filter `{name}` on {field:?} makes no sense: {why}");
        Err(RagnavError::invalid(message))
    };
    if field.trim().is_empty() || field.starts_with(['$', '#']) {
        return refuse("no field has such a name");
    }
    let values = match value {
        FilterValue::One(_) if operator.takes_list() => return refuse("it takes a list"),
        FilterValue::List(_) if !operator.takes_list() => return refuse("it takes one value"),
        FilterValue::One(one) => std::slice::from_ref(one),
        FilterValue::List(list) => &list[..],
    };
    let Some(first) = values.first() else {
        return refuse("its list is empty");
    };
    let kind = std::mem::discriminant(first);
    if values.iter().any(|one| std::mem::discriminant(one) != kind) {
        return refuse("its list holds values of several types");
    }
    if values.iter().any(is_infinite) {
        return refuse("its number is not finite");
    }
    let is_number = matches!(first, Scalar::Number(_));
    let is_text = matches!(first, Scalar::String(_));
    match operator {
        Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte if !is_number => {
            refuse("only numbers have an order")
        }
        Operator::Like | Operator::StartsWith if !is_text => refuse("it takes text"),
        _ => Ok(()),
    }
}

fn is_infinite(value: &Scalar) -> bool {
    matches!(value, Scalar::Number(number) if !number.is_finite())
}

/// The clauses of a filter, of which all must hold; `None` where Chroma has none.
fn clauses_of(filter: &Filter, kind: Option<FieldType>) -> Option<Vec<Value>> {
    let Filter {
        field,
        operator,
        value,
    } = filter;
    let clause = |operator: &str, value: Value| {
        let condition: serde_json::Map<_, _> = [(operator.to_owned(), value)].into_iter().collect();
        let clause = [(field.clone(), Value::Object(condition))];
        Value::Object(clause.into_iter().collect())
    };
    let is_text = kind == Some(FieldType::String);
    let is_list = kind == Some(FieldType::StringList);
    match (operator, value) {
        (Operator::Like | Operator::StartsWith, _) => None,
        (Operator::Contains | Operator::NotContains, _) if is_text => None,
        (Operator::In | Operator::Nin, FilterValue::List(values)) if is_list => {
            let holds = *operator == Operator::In;
            let name = if holds { "$contains" } else { "$not_contains" };
            let mut clauses: Vec<Value> = values
                .iter()
                .map(|value| clause(name, scalar(value)))
                .collect();
            if holds && clauses.len() > 1 {
                clauses = vec![json!({ "$or": clauses })];
            }
            Some(clauses)
        }
        (_, FilterValue::One(value)) => Some(vec![clause(&dollar(*operator), scalar(value))]),
        (_, FilterValue::List(values)) => {
            let values = values.iter().map(scalar).collect();
            Some(vec![clause(&dollar(*operator), Value::Array(values))])
        }
    }
}

fn dollar(operator: Operator) -> String {
    format!("${}", operator.name())
}

/// Serialising a scalar cannot fail: it is finite.
fn scalar(value: &Scalar) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
