//! Detecting clauses on one field that contradict each other.

use crate::plan::{Filter, FilterValue, Operator, Scalar};

/// Reports whether the clauses on a field contradict each other. Some contradictions are not
/// detected, but every detected one is real.
pub(super) fn has_contradiction(field: &str, clauses: &[Filter]) -> bool {
    let own: Vec<&Filter> = clauses
        .iter()
        .filter(|clause| clause.field == field)
        .collect();
    is_empty_range(&own) || excludes_required_value(&own)
}

/// Reports whether the bounds admit no number.
fn is_empty_range(clauses: &[&Filter]) -> bool {
    let mut low = (f64::NEG_INFINITY, true);
    let mut high = (f64::INFINITY, true);
    for clause in clauses {
        let FilterValue::One(Scalar::Number(number)) = clause.value else {
            continue;
        };
        let (raises, lowers, holds) = match clause.operator {
            Operator::Gt => (true, false, false),
            Operator::Gte => (true, false, true),
            Operator::Lt => (false, true, false),
            Operator::Lte => (false, true, true),
            Operator::Eq => (true, true, true),
            _ => continue,
        };
        if raises {
            low = tighten(low, (number, holds), number > low.0);
        }
        if lowers {
            high = tighten(high, (number, holds), number < high.0);
        }
    }
    low.0 > high.0 || (same(low.0, high.0) && !(low.1 && high.1))
}

fn tighten(bound: (f64, bool), other: (f64, bool), is_tighter: bool) -> (f64, bool) {
    if is_tighter {
        return other;
    }
    (bound.0, bound.1 && (other.1 || !same(bound.0, other.0)))
}

fn same(one: f64, other: f64) -> bool {
    one.total_cmp(&other).is_eq()
}

/// Reports whether the clauses require a value that they also exclude.
fn excludes_required_value(clauses: &[&Filter]) -> bool {
    let with = |wanted: Operator| {
        let fitting = clauses
            .iter()
            .filter(move |clause| clause.operator == wanted);
        fitting.map(|clause| &clause.value)
    };
    let one_of = |value: &FilterValue, list: &FilterValue| match (value, list) {
        (FilterValue::One(one), FilterValue::List(list)) => list.contains(one),
        _ => true,
    };
    let equals = with(Operator::Eq).next();
    let contradicted = equals.is_some_and(|value| {
        with(Operator::Eq).any(|other| other != value)
            || with(Operator::Ne).any(|other| other == value)
            || with(Operator::In).any(|list| !one_of(value, list))
            || with(Operator::Nin).any(|list| one_of(value, list))
    });
    contradicted
        || with(Operator::Contains)
            .any(|value| with(Operator::NotContains).any(|other| other == value))
}
