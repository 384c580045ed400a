//! The filters of a plan as a `where` of Chroma, and what of them it cannot say.
//!
//! Source: Chroma's *Metadata Filtering*, and what a server of it answers: `$and` with one clause, an empty object, an empty list and a list
//! of several types are errors; `$gt`, `$gte`, `$lt`, `$lte` take numbers alone; `$contains` finds nothing in a field that is a string.
//! Whole numbers and others are two types there: a list of both is an error, and a document's whole number is compared with the whole part of
//! what has a fraction, so that 0 meets `$gte 0.5`.

use serde_json::{Value, json};

use super::catalogue::{Catalogue, FieldType};
use super::plan::{Filter, FilterValue, Operator, Scalar};
use ragnav_base::error::RagnavError;

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
/// Each clause is of one field and one operator; a range is two clauses, and a number with a fraction may need two. With a catalogue, `in` and `nin` of a list are clauses of its
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
    let clause = joined("$and", clauses);
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
    let is_text = kind == Some(FieldType::String);
    let is_list = kind == Some(FieldType::StringList);
    let values = match value {
        FilterValue::One(one) => std::slice::from_ref(one),
        FilterValue::List(list) => &list[..],
    };
    if values.iter().any(is_unreadable) {
        return None;
    }
    match operator {
        Operator::Like | Operator::StartsWith => None,
        Operator::Contains | Operator::NotContains if is_text => None,
        Operator::In if is_list => any_of(field, Operator::Contains, values),
        Operator::Nin if is_list => Some(each_of(field, Operator::NotContains, values)),
        Operator::In if values.iter().any(is_real) => any_of(field, Operator::Eq, values),
        Operator::Nin if values.iter().any(is_real) => Some(each_of(field, Operator::Ne, values)),
        Operator::In | Operator::Nin => {
            let values = values.iter().map(scalar).collect();
            Some(vec![clause(field, *operator, Value::Array(values))])
        }
        _ => Some(each_of(field, *operator, values)),
    }
}

/// Clauses that hold where a comparison with one of the values does.
fn any_of(field: &str, operator: Operator, values: &[Scalar]) -> Option<Vec<Value>> {
    let each = values
        .iter()
        .filter_map(|value| joined("$and", compared(field, operator, value)));
    Some(vec![joined("$or", each.collect())?])
}

/// Clauses that hold where a comparison with each of the values does.
fn each_of(field: &str, operator: Operator, values: &[Scalar]) -> Vec<Value> {
    let each = values.iter();
    each.flat_map(|value| compared(field, operator, value))
        .collect()
}

/// The clauses of a comparison with one value.
///
/// What Chroma would say wrongly of the whole part of a number is put right.
fn compared(field: &str, operator: Operator, value: &Scalar) -> Vec<Value> {
    let own = clause(field, operator, scalar(value));
    let Scalar::Number(number) = value else {
        return vec![own];
    };
    let whole = number.trunc();
    let is_met = orders(operator, whole, *number);
    if is_met == orders(operator, whole, whole) {
        return vec![own];
    }
    let of_whole = |operator| clause(field, operator, scalar(&Scalar::Number(whole)));
    if is_met {
        vec![json!({ "$or": [own, of_whole(Operator::Eq)] })]
    } else {
        vec![own, of_whole(Operator::Ne)]
    }
}

#[expect(clippy::float_cmp, reason = "equality of numbers is what is asked for")]
fn orders(operator: Operator, own: f64, wanted: f64) -> bool {
    match operator {
        Operator::Eq => own == wanted,
        Operator::Ne => own != wanted,
        Operator::Gt => own > wanted,
        Operator::Gte => own >= wanted,
        Operator::Lt => own < wanted,
        Operator::Lte => own <= wanted,
        _ => false,
    }
}

/// 2⁶³: Chroma's whole numbers have 64 bits with a sign.
const TOO_LARGE: f64 = 9_223_372_036_854_775_808.0;

/// Whether Chroma reads a number as one that is not whole, though it may be.
fn is_real(value: &Scalar) -> bool {
    matches!(value, Scalar::Number(number) if number.fract() != 0.0 || number.abs() >= TOO_LARGE)
}

/// Whether Chroma refuses a number: one that would fit into 64 bits without a sign.
fn is_unreadable(value: &Scalar) -> bool {
    matches!(value, Scalar::Number(number) if (TOO_LARGE..2.0 * TOO_LARGE).contains(number))
}

/// Several clauses as one; one stands for itself, since Chroma refuses it in a list.
fn joined(how: &str, mut clauses: Vec<Value>) -> Option<Value> {
    match clauses.len() {
        0 | 1 => clauses.pop(),
        _ => Some(object(how, Value::Array(clauses))),
    }
}

fn clause(field: &str, operator: Operator, value: Value) -> Value {
    object(field, object(&dollar(operator), value))
}

fn object(key: &str, value: Value) -> Value {
    Value::Object([(key.to_owned(), value)].into_iter().collect())
}

fn dollar(operator: Operator) -> String {
    format!("${}", operator.name())
}

/// Serialising a scalar cannot fail: it is finite.
fn scalar(value: &Scalar) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
