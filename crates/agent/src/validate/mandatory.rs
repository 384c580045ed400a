//! Filters that hold whatever the question says: a tenant, a folder. No model sees them, and none can take them away.

use crate::plan::{Filter, FilterValue, Operator, Scalar};
use ragnav_base::error::RagnavError;

/// Filters that were checked and are AND-ed to every plan.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mandatory {
    filters: Vec<Filter>,
}

impl Mandatory {
    /// Filters of any fields, of the catalogue or not.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a field without a name and a value that the operator cannot compare with: a mandatory filter is never left out.
    pub fn new(filters: Vec<Filter>) -> Result<Self, RagnavError> {
        if let Some(unfit) = filters.iter().find(|filter| !is_sound(filter)) {
            let Filter {
                field, operator, ..
            } = unfit;
            let message = format!(
                "the mandatory filter on {field:?} has no value that {:?} compares with",
                operator.name()
            );
            return Err(RagnavError::invalid(message));
        }
        Ok(Self { filters })
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        u32::try_from(self.filters.len()).unwrap_or(u32::MAX)
    }

    /// The filters.
    #[must_use]
    pub fn filters(&self) -> &[Filter] {
        &self.filters
    }
}

fn is_sound(filter: &Filter) -> bool {
    if filter.field.trim().is_empty() {
        return false;
    }
    match (&filter.value, filter.operator) {
        (FilterValue::List(values), operator) => {
            let kinds = values.iter().map(std::mem::discriminant);
            let first = values.first().map(std::mem::discriminant);
            operator.takes_list() && !values.is_empty() && kinds.map(Some).all(|kind| kind == first)
        }
        (FilterValue::One(_), operator) if operator.takes_list() => false,
        (FilterValue::One(Scalar::Number(_)), Operator::Like | Operator::StartsWith) => false,
        (FilterValue::One(Scalar::Number(number)), _) => number.is_finite(),
        (FilterValue::One(Scalar::Bool(_)), operator) => {
            matches!(operator, Operator::Eq | Operator::Ne)
        }
        (FilterValue::One(Scalar::String(_)), operator) => !matches!(
            operator,
            Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte
        ),
    }
}
