//! The metadata of a plan: its source, repairs, warnings and dropped filters.

use serde::{Deserialize, Serialize};

use super::filter_plan::Plan;

/// A plan with its metadata.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::plan;
/// let planned = plan("deployment tag:ops");
/// assert_eq!(planned.plan.filters.len(), 1);
/// assert_eq!((planned.mandatory, planned.dropped.len()), (0, 0));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct PlanMeta {
    /// The source of the plan.
    pub source: PlanSource,
    /// The validated plan.
    pub plan: Plan,
    /// The number of mandatory filters. They are the last filters, and relaxing a plan must keep
    /// them.
    pub mandatory: u32,
    /// The repairs of a model's text or values.
    pub repairs: Vec<Repair>,
    /// The warnings for the caller.
    pub warnings: Vec<PlanWarning>,
    /// The filters that were written but dropped.
    pub dropped: Vec<DroppedFilter>,
}

/// The source of a plan.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::plan;
/// use ragnav_agent::plan::PlanSource;
///
/// assert_eq!(plan("deployment").source, PlanSource::Deterministic);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum PlanSource {
    /// A language model whose text was valid JSON.
    Llm,
    /// A language model whose text needed repairs.
    LlmRepaired,
    /// The words of the question.
    Deterministic,
    /// The caller.
    Given,
}

/// A repair of a model's text.
///
/// # Examples
///
/// ```
/// use ragnav_agent::plan::Repair;
/// use ragnav_agent::repair::plan_from_text;
///
/// let repaired = plan_from_text("Sure: {\"semantic_query\": \"deployment\"}").unwrap();
/// assert!(repaired.repairs.contains(&Repair::Surroundings));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    /// Ignored text around the plan: prose, a code fence, the name of a function.
    Surroundings,
    /// Ignored a block of reasoning before the plan.
    Thoughts,
    /// Ignored other objects beside or around the plan.
    OtherObjects,
    /// Decoded JSON inside a string.
    Encoded,
    /// Repaired quotes: single, typographic, missing, or unescaped inside a string.
    Quotes,
    /// Accepted keys or words without quotes.
    Bare,
    /// Repaired missing or superfluous commas.
    Commas,
    /// Repaired missing or superfluous brackets.
    Brackets,
    /// Ignored comments, or dots for omitted items.
    Comments,
    /// Converted `True`, `False`, `None`.
    Literals,
    /// Accepted control characters or invalid escapes inside a string.
    Escapes,
    /// Used the last of several values for one key.
    DuplicateKey,
    /// Accepted a text without its end.
    Truncated,
    /// Converted another spelling of a key or word: `semanticQuery`.
    Names,
    /// Converted a value of another type: `"true"`, `"2"`.
    Types,
    /// Removed list values that the question does not contain.
    Values,
    /// Took a missing part from the words of the question.
    Defaults,
}

/// A warning about a plan.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::plan;
/// let warnings = plan("").warnings;
/// assert!(!warnings[0].message.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct PlanWarning {
    /// The kind of warning.
    pub code: PlanWarningCode,
    /// A message for a person.
    pub message: String,
}

impl PlanWarning {
    /// Builds a warning.
    pub(crate) fn new(code: PlanWarningCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

/// The kinds of warnings.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::plan;
/// use ragnav_agent::plan::PlanWarningCode;
///
/// assert_eq!(plan("").warnings[0].code, PlanWarningCode::EmptyQuestion);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PlanWarningCode {
    /// The question has no words: the plan has no query and no filters.
    EmptyQuestion,
    /// A filter was dropped; see `dropped`.
    FilterDropped,
    /// A limit truncated the model's text.
    ModelCut,
    /// The model refused to answer.
    ModelRefused,
    /// The model could not be reached, or returned no plan.
    ModelFailed,
    /// A filter of the question was missing from the model's plan and was added.
    FilterAdded,
    /// The model's plan would have matched everything; the words of the question are searched
    /// instead.
    QueryRestored,
    /// The host does not know the time or its time zone.
    NoClock,
    /// The question was truncated before it was planned.
    QuestionCut,
}

/// A filter that was dropped from the plan.
///
/// # Examples
///
/// ```
/// use ragnav_agent::plan::{DropReason, DroppedFilter};
///
/// let dropped = DroppedFilter {
///     field: "tag_list".to_owned(),
///     operator: "eq".to_owned(),
///     value: "ops".into(),
///     reason: DropReason::UnknownField,
/// };
/// assert_eq!(serde_json::to_value(&dropped).unwrap()["reason"], "unknown_field");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct DroppedFilter {
    /// The field as it was written.
    pub field: String,
    /// The operator as it was written.
    pub operator: String,
    /// The value as it was written.
    #[cfg_attr(feature = "tsify", tsify(type = "unknown"))]
    pub value: serde_json::Value,
    /// The reason.
    pub reason: DropReason,
}

/// The reason why a filter was dropped.
///
/// # Examples
///
/// ```
/// use ragnav_agent::plan::DropReason;
///
/// assert_eq!(serde_json::to_value(DropReason::NotGrounded).unwrap(), "not_grounded");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum DropReason {
    /// The catalogue has no such field.
    UnknownField,
    /// There is no such operator.
    UnknownOperator,
    /// The field's type does not allow the operator.
    OperatorNotAllowed,
    /// The value has another type than the field.
    WrongType,
    /// The value is neither in the question nor among the known values.
    NotGrounded,
    /// No document could meet it together with the other filters on the field.
    Contradiction,
    /// It is not an object with `field`, `operator` and `value`.
    Malformed,
    /// It exceeds the limit on the number of filters.
    TooMany,
}
