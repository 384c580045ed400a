//! A plan that the caller made, or had made before.

use super::catalogue::{Catalogue, FieldType};
use super::model::Planning;
use super::plan::{Filter, FilterValue, Plan, PlanMeta, PlanSource, Scalar};
use super::where_filter::check;
use ragnav_base::error::RagnavError;

/// Takes a plan as it is, with the filters that hold in any case: nothing of it is left out, so nothing of it may be wrong.
///
/// # Errors
/// `INVALID_ARGUMENT` for a filter that makes no sense, and for a date that is no number.
pub fn plan(
    mut plan: Plan,
    source: PlanSource,
    planning: &Planning,
) -> Result<PlanMeta, RagnavError> {
    for filter in &plan.filters {
        check(filter)?;
        check_date(filter, &planning.catalogue)?;
    }
    let mandatory = planning.mandatory.filters();
    plan.filters.extend(mandatory.iter().cloned());
    Ok(PlanMeta {
        source,
        plan,
        mandatory: planning.mandatory.count(),
        repairs: Vec::new(),
        warnings: Vec::new(),
        dropped: Vec::new(),
    })
}

/// A name such as `last_week` means nothing without a clock: planning makes numbers of it.
fn check_date(filter: &Filter, catalogue: &Catalogue) -> Result<(), RagnavError> {
    let Filter { field, value, .. } = filter;
    let kind = catalogue.field(field).map(|field| field.kind);
    let is_number = matches!(value, FilterValue::One(Scalar::Number(_)));
    if kind != Some(FieldType::Date) || is_number {
        return Ok(());
    }
    let message = format!(
        "the filter on {field:?} compares a date: in a plan that is a number since 1970, which `planQuestion` makes of names"
    );
    Err(RagnavError::invalid(message))
}
