//! The plan of a question: the query, the filters and the response format.

mod filter_plan;
mod meta;

pub use self::filter_plan::{Filter, FilterValue, Operator, Plan, ResponseFormat, Scalar};
pub use self::meta::{
    DropReason, DroppedFilter, PlanMeta, PlanSource, PlanWarning, PlanWarningCode, Repair,
};
