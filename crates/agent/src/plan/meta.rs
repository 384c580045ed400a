//! How a plan came about: who made it, what was mended, what was left out.

use serde::{Deserialize, Serialize};

use super::Plan;

/// How a plan came about.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct PlanMeta {
    /// Who made it.
    pub source: PlanSource,
    /// The plan, validated.
    pub plan: Plan,
    /// How many of the plan's filters, the last ones, are mandatory: whoever relaxes a plan keeps them.
    pub mandatory: u32,
    /// What was mended in a model's text or values.
    pub repairs: Vec<Repair>,
    /// What the caller should know.
    pub warnings: Vec<PlanWarning>,
    /// Filters that are not in the plan although somebody wrote them.
    pub dropped: Vec<DroppedFilter>,
}

/// Who made a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum PlanSource {
    /// A language model, in text that was clean JSON.
    Llm,
    /// A language model, in text that had to be mended.
    LlmRepaired,
    /// The words of the question.
    Deterministic,
    /// The caller.
    Given,
}

/// What was mended in what a model wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    /// Text around the plan: prose, a code fence, a function's name.
    Surroundings,
    /// A block of thoughts before the plan.
    Thoughts,
    /// Other objects beside the plan, or one around it.
    OtherObjects,
    /// JSON inside a string.
    Encoded,
    /// Quotes: single, typographic, missing, or unescaped inside a string.
    Quotes,
    /// Keys or words without quotes.
    Bare,
    /// Commas: missing or one too many.
    Commas,
    /// Brackets: missing, or one too many.
    Brackets,
    /// Comments, or dots where more could stand.
    Comments,
    /// `True`, `False`, `None`.
    Literals,
    /// Control characters or wrong escapes inside a string.
    Escapes,
    /// A key that stood twice: the last counts.
    DuplicateKey,
    /// The end is missing.
    Truncated,
    /// A key or word that means one of the plan's: another case, another spelling.
    Names,
    /// A value of another type that means one of the right type: `"true"`, `"2"`.
    Types,
    /// Some values of a list that the question does not hold were left out.
    Values,
    /// A part was missing and was taken from the words of the question.
    Defaults,
}

/// Something about a plan that its caller should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct PlanWarning {
    /// What kind of thing.
    pub code: PlanWarningCode,
    /// In words.
    pub message: String,
}

impl PlanWarning {
    /// A warning with its code and message.
    pub fn new(code: PlanWarningCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

/// The kinds of warnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PlanWarningCode {
    /// The question has no words: the plan finds nothing by meaning and filters nothing.
    EmptyQuestion,
    /// A filter was left out; see `dropped`.
    FilterDropped,
    /// The model's words were cut by its limit.
    ModelCut,
    /// The model refused to answer.
    ModelRefused,
    /// The model could not be asked, or gave no plan.
    ModelFailed,
    /// A filter that the question spells out was missing from the model's plan and is in it now.
    FilterAdded,
    /// The model's plan would have found everything; the words of the question are searched instead.
    QueryRestored,
    /// The host does not tell the time or its zone.
    NoClock,
    /// The question was shortened before it was planned.
    QuestionCut,
}

/// A filter that is not in the plan.
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
    /// Why it was left out.
    pub reason: DropReason,
}

/// Why a filter was left out.
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
    /// The value is not of the field's type.
    WrongType,
    /// The value does not occur in the question or among the known values.
    NotGrounded,
    /// No document could meet it together with the others on its field.
    Contradiction,
    /// It is no object with `field`, `operator` and `value`.
    Malformed,
    /// It stands behind the most that are taken.
    TooMany,
}
