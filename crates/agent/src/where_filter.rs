//! Converting the filters of a plan to a `where` of Chroma.
//!
//! Source: Chroma's *Metadata Filtering* and the behaviour of its server. `$and` with one clause,
//! an empty object, an empty list and a list of mixed types are errors. `$gt`, `$gte`, `$lt` and
//! `$lte` take only numbers, and `$contains` matches no string field. Integers and floats are
//! distinct types: a stored integer is compared with the integer part of a float, so 0 meets `$gte
//! 0.5`.

use serde_json::{Value, json};

use super::catalogue::{Catalogue, FieldType};
use super::plan::{Filter, FilterValue, Operator, Scalar};
use ragnav_base::error::RagnavError;

/// Filters, split by who evaluates them.
///
/// # Examples
///
/// ```
/// use ragnav_agent::plan::{Filter, Operator};
/// use ragnav_agent::where_filter::build_where;
///
/// let like = Filter::new("title", Operator::Like, "%plan%");
/// let parts = build_where(&[like.clone()], None).unwrap();
/// assert_eq!((parts.clause, parts.rest), (None, vec![like]));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WhereParts {
    /// The clause that Chroma evaluates; `None` if there is none, since `{}` is an error.
    pub clause: Option<Value>,
    /// The filters that Chroma cannot express, to be evaluated on the metadata of its rows.
    pub rest: Vec<Filter>,
}

/// Builds the `where` of some filters, in their order.
///
/// Each clause has one field and one operator. A range has two clauses, and a comparison with a
/// float may need two. With a catalogue, `in` and `nin` on a list field become clauses on its
/// elements. `contains` on a string field is left to the rest, as `like` and `starts_with` are.
///
/// # Errors
/// `INVALID_ARGUMENT` for an empty or reserved field name (`$…`, `#…`), and for an empty list or
/// one of mixed types. The same holds for a list in place of one value or the reverse, an order of
/// anything but numbers, and a number that is not finite.
///
/// # Examples
///
/// ```
/// use ragnav_agent::plan::{Filter, Operator};
/// use ragnav_agent::where_filter::build_where;
///
/// let filters = [
///     Filter::new("tags", Operator::Contains, "ops"),
///     Filter::new("level", Operator::Lte, 2.0),
/// ];
/// let clauses = serde_json::json!([{"tags": {"$contains": "ops"}}, {"level": {"$lte": 2}}]);
/// let parts = build_where(&filters, None).unwrap();
/// assert_eq!(parts.clause, Some(serde_json::json!({"$and": clauses})));
/// ```
pub fn build_where(
    filters: &[Filter],
    catalogue: Option<&Catalogue>,
) -> Result<WhereParts, RagnavError> {
    let mut clauses = Vec::new();
    let mut rest = Vec::new();
    for filter in filters {
        check_filter(filter)?;
        let kind = catalogue.and_then(|catalogue| catalogue.field(&filter.field));
        match chroma_clauses(filter, kind.map(|field| field.kind)) {
            Some(own) => clauses.extend(own),
            None => rest.push(filter.clone()),
        }
    }
    let clause = join_clauses("$and", clauses);
    Ok(WhereParts { clause, rest })
}

/// Rejects a filter that cannot be evaluated.
///
/// # Errors
/// The errors of [`build_where`].
pub(crate) fn check_filter(filter: &Filter) -> Result<(), RagnavError> {
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
    if values.iter().any(is_not_finite) {
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

fn is_not_finite(value: &Scalar) -> bool {
    matches!(value, Scalar::Number(number) if !number.is_finite())
}

/// Returns the clauses of a filter, all of which must hold, or `None` if Chroma cannot express it.
fn chroma_clauses(filter: &Filter, kind: Option<FieldType>) -> Option<Vec<Value>> {
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
    if values.iter().any(is_rejected) {
        return None;
    }
    match operator {
        Operator::Like | Operator::StartsWith => None,
        Operator::Contains | Operator::NotContains if is_text => None,
        Operator::In if is_list => any_of(field, Operator::Contains, values),
        Operator::Nin if is_list => Some(each_of(field, Operator::NotContains, values)),
        Operator::In if values.iter().any(is_float) => any_of(field, Operator::Eq, values),
        Operator::Nin if values.iter().any(is_float) => Some(each_of(field, Operator::Ne, values)),
        Operator::In | Operator::Nin => {
            let values = values.iter().map(to_json).collect();
            Some(vec![build_clause(field, *operator, Value::Array(values))])
        }
        _ => Some(each_of(field, *operator, values)),
    }
}

/// Returns a clause that holds if a comparison with any of the values does.
fn any_of(field: &str, operator: Operator, values: &[Scalar]) -> Option<Vec<Value>> {
    let each = values
        .iter()
        .filter_map(|value| join_clauses("$and", compare_clauses(field, operator, value)));
    Some(vec![join_clauses("$or", each.collect())?])
}

/// Returns clauses that hold if a comparison with each of the values does.
fn each_of(field: &str, operator: Operator, values: &[Scalar]) -> Vec<Value> {
    let each = values.iter();
    each.flat_map(|value| compare_clauses(field, operator, value))
        .collect()
}

/// Returns the clauses of a comparison with one value.
///
/// A second clause corrects Chroma's comparison of integers with floats.
fn compare_clauses(field: &str, operator: Operator, value: &Scalar) -> Vec<Value> {
    let own = build_clause(field, operator, to_json(value));
    let Scalar::Number(number) = value else {
        return vec![own];
    };
    let whole = number.trunc();
    let is_met = compare(operator, whole, *number);
    if is_met == compare(operator, whole, whole) {
        return vec![own];
    }
    let of_whole = |operator| build_clause(field, operator, to_json(&Scalar::Number(whole)));
    if is_met {
        vec![json!({ "$or": [own, of_whole(Operator::Eq)] })]
    } else {
        vec![own, of_whole(Operator::Ne)]
    }
}

#[expect(clippy::float_cmp, reason = "equality of numbers is what is asked for")]
fn compare(operator: Operator, own: f64, wanted: f64) -> bool {
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

/// The limit of Chroma's integers, which are signed with 64 bits: 2⁶³.
const TOO_LARGE: f64 = 9_223_372_036_854_775_808.0;

/// Reports whether Chroma reads a number as a float.
fn is_float(value: &Scalar) -> bool {
    matches!(value, Scalar::Number(number) if number.fract() != 0.0 || number.abs() >= TOO_LARGE)
}

/// Reports whether Chroma rejects a number: one that fits only into unsigned 64 bits.
fn is_rejected(value: &Scalar) -> bool {
    matches!(value, Scalar::Number(number) if (TOO_LARGE..2.0 * TOO_LARGE).contains(number))
}

/// Joins several clauses. A single clause is returned unchanged, since Chroma rejects a list of
/// one.
fn join_clauses(how: &str, mut clauses: Vec<Value>) -> Option<Value> {
    match clauses.len() {
        0 | 1 => clauses.pop(),
        _ => Some(object(how, Value::Array(clauses))),
    }
}

fn build_clause(field: &str, operator: Operator, value: Value) -> Value {
    object(field, object(&chroma_name(operator), value))
}

fn object(key: &str, value: Value) -> Value {
    Value::Object([(key.to_owned(), value)].into_iter().collect())
}

fn chroma_name(operator: Operator) -> String {
    format!("${}", operator.name())
}

// A scalar is finite, so serialisation cannot fail.
fn to_json(value: &Scalar) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
