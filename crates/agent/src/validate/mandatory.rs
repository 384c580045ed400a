//! Mandatory filters, such as a tenant or a folder. No model sees them, and none can remove them.

use crate::plan::{Filter, FilterValue, Operator, Scalar};
use ragnav_base::error::RagnavError;

/// Validated filters that are added to every plan.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::clock;
/// use ragnav_agent::catalogue::Catalogue;
/// use ragnav_agent::deterministic;
/// use ragnav_agent::plan::{Filter, Operator};
/// use ragnav_agent::validate::Mandatory;
///
/// let tenant = Filter::new("tenant", Operator::Eq, "acme");
/// let mandatory = Mandatory::new(vec![tenant.clone()]).unwrap();
/// let meta = deterministic::plan("deployment", &Catalogue::notes(), clock(), &mandatory);
/// assert_eq!(meta.plan.filters, [tenant]);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mandatory {
    filters: Vec<Filter>,
}

impl Mandatory {
    /// Checks mandatory filters. Their fields need not be in the catalogue.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an empty field name or a value that does not fit the operator, since
    /// a mandatory filter is never dropped.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::plan::{Filter, Operator};
    /// use ragnav_agent::validate::Mandatory;
    ///
    /// let level = |value| Filter::new("level", Operator::Gt, value);
    /// assert!(Mandatory::new(vec![level(1.0)]).is_ok());
    /// assert!(Mandatory::new(vec![level(f64::NAN)]).is_err());
    /// ```
    pub fn new(filters: Vec<Filter>) -> Result<Self, RagnavError> {
        if let Some(unfit) = filters.iter().find(|filter| !is_valid(filter)) {
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

    /// Returns the number of filters.
    #[must_use]
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.filters.len()).unwrap_or(u32::MAX)
    }

    /// Returns the filters.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::plan::{Filter, Operator};
    /// use ragnav_agent::validate::Mandatory;
    ///
    /// let filters = vec![Filter::new("tenant", Operator::Eq, "acme")];
    /// let mandatory = Mandatory::new(filters.clone()).unwrap();
    /// assert_eq!(mandatory.filters(), filters);
    /// ```
    #[must_use]
    pub fn filters(&self) -> &[Filter] {
        &self.filters
    }
}

fn is_valid(filter: &Filter) -> bool {
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
