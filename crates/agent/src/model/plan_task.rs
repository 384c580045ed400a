//! The plan of a question, as a model is requested to write it.

use std::collections::BTreeSet;

use super::conversation::ModelFault;
use super::task::Task;
use crate::catalogue::Catalogue;
use crate::draft::Draft;
use crate::plan::{PlanWarning, PlanWarningCode, Repair};
use crate::repair::plan_from_text;
use crate::schema::{Schema, plan_schema};
use ragnav_base::error::RagnavError;

/// The draft that a model wrote.
#[derive(Debug)]
pub(super) struct ModelDraft {
    pub(super) draft: Draft,
    pub(super) repairs: BTreeSet<Repair>,
    pub(super) is_truncated: bool,
}

/// A plan over the fields of a catalogue.
pub(super) struct PlanTask<'c>(pub(super) &'c Catalogue);

impl Task for PlanTask<'_> {
    type Answer = ModelDraft;
    const ANSWER: &'static str = "plan";
    const SCHEMA: &'static str = "query_plan";

    fn schema(&self, has_lengths: bool) -> Schema {
        plan_schema(self.0, has_lengths)
    }

    fn read(&self, text: &str, is_truncated: bool) -> Result<ModelDraft, RagnavError> {
        let repaired = plan_from_text(text)?;
        Ok(ModelDraft {
            is_truncated: is_truncated || repaired.repairs.contains(&Repair::Truncated),
            draft: repaired.draft,
            repairs: repaired.repairs,
        })
    }
}

impl From<ModelFault> for PlanWarning {
    fn from(fault: ModelFault) -> Self {
        match fault {
            ModelFault::Failed(message) => Self::new(PlanWarningCode::ModelFailed, message),
            ModelFault::Refused(message) => Self::new(PlanWarningCode::ModelRefused, message),
        }
    }
}
