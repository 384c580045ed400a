//! What plans of edits have in common: their edits, and why they must not be applied.

mod answer;
mod edited_snapshot;
mod file_changes;
mod refusal;
mod searched;
mod shared;

pub use self::answer::{EditedFile, PlannedEdit};
pub(crate) use self::edited_snapshot::settings_of_edited;
pub(crate) use self::file_changes::{Change, FileChanges, LineColumn};
pub(crate) use self::refusal::counted;
pub use self::refusal::{Refusal, RefusalReason};
pub(crate) use self::searched::unsearched;
pub(crate) use self::shared::{name_of, others_meant};
