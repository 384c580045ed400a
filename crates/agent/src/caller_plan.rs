//! Accepting a plan from the caller.

use super::catalogue::{Catalogue, FieldType};
use super::model::PlanSettings;
use super::plan::{Filter, FilterValue, Plan, PlanMeta, PlanSource, Scalar};
use super::where_filter::check_filter;
use ragnav_base::error::RagnavError;

/// Accepts a plan unchanged, except that it adds the mandatory filters. Nothing is dropped, so
/// every filter must be valid.
///
/// # Errors
/// `INVALID_ARGUMENT` for an invalid filter, and for a date that is not a number.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::plan;
/// use ragnav_agent::caller_plan::accept_plan;
/// use ragnav_agent::calendar::Weekday;
/// use ragnav_agent::catalogue::Catalogue;
/// use ragnav_agent::model::PlanSettings;
/// use ragnav_agent::plan::{Filter, Operator, PlanSource};
/// use ragnav_agent::validate::Mandatory;
///
/// let tenant = Filter::new("tenant", Operator::Eq, "acme");
/// let settings = PlanSettings {
///     catalogue: Catalogue::notes(),
///     first_day_of_week: Weekday::Monday,
///     mandatory: Mandatory::new(vec![tenant.clone()]).unwrap(),
///     model: None,
/// };
/// let given = plan("deployment").plan;
/// let accepted = accept_plan(given, PlanSource::Given, &settings).unwrap();
/// assert_eq!(accepted.plan.filters, [tenant]);
/// ```
pub fn accept_plan(
    mut plan: Plan,
    source: PlanSource,
    settings: &PlanSettings,
) -> Result<PlanMeta, RagnavError> {
    for filter in &plan.filters {
        check_filter(filter)?;
        check_date(filter, &settings.catalogue)?;
    }
    let mandatory = settings.mandatory.filters();
    plan.filters.extend(mandatory.iter().cloned());
    Ok(PlanMeta {
        source,
        plan,
        mandatory: settings.mandatory.count(),
        repairs: Vec::new(),
        warnings: Vec::new(),
        dropped: Vec::new(),
    })
}

/// Rejects a date name such as `last_week`, which only planning can convert to a number.
fn check_date(filter: &Filter, catalogue: &Catalogue) -> Result<(), RagnavError> {
    let Filter { field, value, .. } = filter;
    let kind = catalogue.field(field).map(|field| field.kind);
    let is_number = matches!(value, FilterValue::One(Scalar::Number(_)));
    if kind != Some(FieldType::Date) || is_number {
        return Ok(());
    }
    let message = format!(
        "the filter on {field:?} compares a date: in a plan that is a number since 1970, which \
         `planQuestion` makes of names"
    );
    Err(RagnavError::invalid(message))
}
