//! Validating drafts: types, operators, dates, grounding and contradictions.
//!
//! Every draft is validated, whoever made it. An invalid filter is dropped with a warning, and
//! never changed into another one.

mod clauses;
mod contradictions;
pub(crate) mod grounding;
mod mandatory;
mod rules;

use std::collections::BTreeSet;

pub use self::mandatory::Mandatory;
pub(crate) use self::rules::Rules;

use super::draft::{Draft, DraftFilter};
use super::plan::{
    DropReason, DroppedFilter, Filter, Plan, PlanWarning, PlanWarningCode, Repair, ResponseFormat,
};

/// The largest number of filters in a draft; further filters are dropped.
pub(crate) const MAX_FILTERS: usize = 32;

/// The longest query, in characters: the text of an issue fits.
const MAX_QUERY: usize = 16_000;

/// A validated plan, with the changes to its draft.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Validated {
    /// The plan.
    pub plan: Plan,
    /// The repairs.
    pub repairs: BTreeSet<Repair>,
    /// The warnings for the caller.
    pub warnings: Vec<PlanWarning>,
    /// The filters that were dropped.
    pub dropped: Vec<DroppedFilter>,
}

/// Validates a draft. Missing parts are taken from `otherwise`.
#[must_use]
pub(crate) fn validate(draft: &Draft, otherwise: &Draft, rules: &Rules<'_>) -> Validated {
    let mut repairs = BTreeSet::new();
    if !draft.is_complete() {
        repairs.insert(Repair::Defaults);
    }
    let none = Vec::new();
    let written = draft.filters.as_ref().or(otherwise.filters.as_ref());
    let (filters, dropped) = validate_filters(written.unwrap_or(&none), rules, &mut repairs);

    let semantic_query = trim_query(draft)
        .or_else(|| trim_query(otherwise))
        .unwrap_or_default();
    let is_needed = draft
        .semantic_search_needed
        .or(draft
            .semantic_query
            .as_ref()
            .map(|query| !query.trim().is_empty()))
        .or(otherwise.semantic_search_needed)
        .unwrap_or(true);
    let semantic_search_needed = is_needed && !semantic_query.is_empty();
    let warnings = dropped.iter().map(warn_dropped).collect();
    let response_format = draft.response_format.or(otherwise.response_format);
    let plan = Plan {
        semantic_search_needed,
        semantic_query: if semantic_search_needed {
            semantic_query
        } else {
            String::new()
        },
        filters: append_mandatory(filters, rules.mandatory),
        response_format: response_format.unwrap_or(ResponseFormat::SelectiveContext),
    };
    Validated {
        plan,
        repairs,
        warnings,
        dropped,
    }
}

/// Splits filters into the clauses of valid ones and the dropped filters.
fn validate_filters(
    written: &[DraftFilter],
    rules: &Rules<'_>,
    repairs: &mut BTreeSet<Repair>,
) -> (Vec<Filter>, Vec<DroppedFilter>) {
    let mut dropped = Vec::new();
    // Each filter keeps its clauses, so that a contradiction drops the filter as it was written.
    let mut kept: Vec<(&DraftFilter, Vec<Filter>)> = Vec::new();
    for (index, filter) in written.iter().enumerate() {
        let clauses = match index {
            0..MAX_FILTERS => clauses::build_clauses(filter, rules, repairs),
            _ => Err(DropReason::TooMany),
        };
        match clauses {
            Ok(clauses) => kept.push((filter, clauses)),
            Err(reason) => dropped.push(drop_filter(filter, reason)),
        }
    }
    let all: Vec<Filter> = kept
        .iter()
        .flat_map(|(_, clauses)| clauses.clone())
        .collect();
    let mut filters: Vec<Filter> = Vec::new();
    for (filter, clauses) in kept {
        let contradicted = clauses
            .iter()
            .any(|clause| contradictions::has_contradiction(&clause.field, &all));
        if contradicted {
            dropped.push(drop_filter(filter, DropReason::Contradiction));
            continue;
        }
        for clause in clauses {
            if !filters.contains(&clause) {
                filters.push(clause);
            }
        }
    }
    (filters, dropped)
}

fn trim_query(draft: &Draft) -> Option<String> {
    let query = draft.semantic_query.as_deref()?.trim();
    (!query.is_empty()).then(|| query.chars().take(MAX_QUERY).collect())
}

/// Appends the mandatory filters. They are last, so that relaxing a plan can keep the last ones.
fn append_mandatory(mut filters: Vec<Filter>, mandatory: &Mandatory) -> Vec<Filter> {
    filters.extend(mandatory.filters().iter().cloned());
    filters
}

fn drop_filter(filter: &DraftFilter, reason: DropReason) -> DroppedFilter {
    DroppedFilter {
        field: filter.field.clone(),
        operator: filter.operator.clone(),
        value: filter.value.clone(),
        reason,
    }
}

fn warn_dropped(dropped: &DroppedFilter) -> PlanWarning {
    let DroppedFilter {
        field,
        operator,
        value,
        reason,
    } = dropped;
    let why = match reason {
        DropReason::UnknownField => "there is no such field",
        DropReason::UnknownOperator => "there is no such operator",
        DropReason::OperatorNotAllowed => "the field's type does not allow the operator",
        DropReason::WrongType => "the value is not of the field's type",
        DropReason::NotGrounded => "the question does not hold the value",
        DropReason::Contradiction => "no document could meet it together with the others",
        DropReason::Malformed => "it has no field, operator and value",
        DropReason::TooMany => "there are too many filters",
    };
    let message = format!("left out the filter {field} {operator} {value}: {why}");
    PlanWarning::new(PlanWarningCode::FilterDropped, message)
}
