//! From a draft to a plan that can be run: types, operators, dates, grounding, contradictions.
//!
//! Every plan goes through here, whoever made it. What does not hold is left out and said, never bent into something else.

mod clauses;
mod contradictions;
pub mod grounding;
mod mandatory;

use std::collections::BTreeSet;

pub use self::mandatory::Mandatory;

use super::catalogue::Catalogue;
use super::clock::Clock;
use super::draft::{Draft, DraftFilter};
use super::plan::{
    DropReason, DroppedFilter, Filter, Plan, PlanWarning, PlanWarningCode, Repair, ResponseFormat,
};

/// Most filters of a draft; those behind them are dropped.
pub const MAX_FILTERS: usize = 32;

/// Longest query by meaning, in characters.
const MAX_QUERY: usize = 2000;

/// What a draft is held against.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// The fields there are.
    pub catalogue: &'a Catalogue,
    /// What dates are understood by.
    pub clock: Clock<'a>,
    /// Filters that hold in any case.
    pub mandatory: &'a Mandatory,
    /// The question that strings must occur in; `None` for drafts that were made of its words.
    pub grounded_in: Option<&'a str>,
}

/// A plan with what was done to its draft.
#[derive(Debug, Clone, PartialEq)]
pub struct Validated {
    /// The plan.
    pub plan: Plan,
    /// What was mended.
    pub repairs: BTreeSet<Repair>,
    /// What the caller should know.
    pub warnings: Vec<PlanWarning>,
    /// Filters that are not in the plan.
    pub dropped: Vec<DroppedFilter>,
}

/// A plan of a draft. Parts that it lacks are taken from `otherwise`.
#[must_use]
pub fn validate(draft: &Draft, otherwise: &Draft, rules: &Rules<'_>) -> Validated {
    let mut repairs = BTreeSet::new();
    if !draft.is_complete() {
        repairs.insert(Repair::Defaults);
    }
    let none = Vec::new();
    let written = draft.filters.as_ref().or(otherwise.filters.as_ref());
    let (filters, dropped) = filters(written.unwrap_or(&none), rules, &mut repairs);

    let semantic_query = query(draft)
        .or_else(|| query(otherwise))
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
    let warnings = dropped.iter().map(warning).collect();
    let response_format = draft.response_format.or(otherwise.response_format);
    let plan = Plan {
        semantic_search_needed,
        semantic_query: if semantic_search_needed {
            semantic_query
        } else {
            String::new()
        },
        filters: with_mandatory(filters, rules.mandatory),
        response_format: response_format.unwrap_or(ResponseFormat::SelectiveContext),
    };
    Validated {
        plan,
        repairs,
        warnings,
        dropped,
    }
}

/// The filters that hold, as clauses that all must be met, and those that do not.
fn filters(
    written: &[DraftFilter],
    rules: &Rules<'_>,
    repairs: &mut BTreeSet<Repair>,
) -> (Vec<Filter>, Vec<DroppedFilter>) {
    let mut dropped = Vec::new();
    // With each filter the clauses it came to, so that contradictions can be told in the words of the draft.
    let mut kept: Vec<(&DraftFilter, Vec<Filter>)> = Vec::new();
    for (index, filter) in written.iter().enumerate() {
        let clauses = match index {
            0..MAX_FILTERS => clauses::clauses(filter, rules, repairs),
            _ => Err(DropReason::TooMany),
        };
        match clauses {
            Ok(clauses) => kept.push((filter, clauses)),
            Err(reason) => dropped.push(drop(filter, reason)),
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
            .any(|clause| contradictions::contradict(&clause.field, &all));
        if contradicted {
            dropped.push(drop(filter, DropReason::Contradiction));
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

fn query(draft: &Draft) -> Option<String> {
    let query = draft.semantic_query.as_deref()?.trim();
    (!query.is_empty()).then(|| query.chars().take(MAX_QUERY).collect())
}

/// The mandatory filters stand last, so whoever relaxes a plan knows how many of the last must stay.
fn with_mandatory(mut filters: Vec<Filter>, mandatory: &Mandatory) -> Vec<Filter> {
    filters.extend(mandatory.filters().iter().cloned());
    filters
}

fn drop(filter: &DraftFilter, reason: DropReason) -> DroppedFilter {
    DroppedFilter {
        field: filter.field.clone(),
        operator: filter.operator.clone(),
        value: filter.value.clone(),
        reason,
    }
}

fn warning(dropped: &DroppedFilter) -> PlanWarning {
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
