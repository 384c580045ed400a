//! What a plan of a rename consists of.

use serde::Serialize;

use ragnav_base::envelope::{FreshnessState, Proof, SourceTag};
use ragnav_base::item::{Definition, ItemKind, NavItem, Resolution};
use ragnav_base::text_edit::TextEdit;

use super::refusal::Refusal;

/// One edit of a plan.
///
/// # Examples
///
/// ```
/// use ragnav_query::rename_plan::PlannedEdit;
///
/// fn is_certain(edit: &PlannedEdit) -> bool {
///     edit.resolution != Some(ragnav_base::item::Resolution::Candidate)
/// }
/// # let _ = is_certain;
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct PlannedEdit {
    /// The file, relative to the repository's root.
    pub file: String,
    /// The edit.
    #[serde(flatten)]
    pub edit: TextEdit,
    /// What the name is there.
    pub kind: ItemKind,
    /// The certainty that the name means the symbol; `null` for a definition of it.
    pub resolution: Option<Resolution>,
    /// The origin of this row.
    pub source: SourceTag,
    /// How current this row is.
    pub freshness_state: FreshnessState,
    /// The proof that this row is current.
    pub proof: Proof,
}

/// A file that a plan edits.
///
/// # Examples
///
/// ```
/// use ragnav_query::rename_plan::EditedFile;
///
/// let file = EditedFile { file: "a.py".to_owned(), hash: String::new(), moves_to: None };
/// assert_eq!(serde_json::to_value(&file).unwrap()["file"], "a.py");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct EditedFile {
    /// The file, relative to the repository's root.
    pub file: String,
    /// The 128-bit xxh3 hash of the contents that the edits are made for, in hexadecimal.
    pub hash: String,
    /// The new path of a file that has to have the name of its class; else `null`.
    pub moves_to: Option<String>,
}

/// What a plan says beside its edits.
///
/// # Examples
///
/// ```
/// use ragnav_query::rename_plan::RenamePlanHead;
///
/// assert!(RenamePlanHead::default().refusals.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct RenamePlanHead {
    /// The symbol as it was given.
    pub symbol: String,
    /// The new name.
    pub new_name: String,
    /// The definitions that get the new name: those of the symbol, its constructors, and for a
    /// method those that override it or that it overrides.
    pub definitions: Vec<Definition>,
    /// The files that the plan edits. Apply it only while each has its hash.
    pub files: Vec<EditedFile>,
    /// The first references that only share the name and keep it.
    pub candidates: Vec<NavItem>,
    /// The number of such references.
    pub candidates_total: u32,
    /// Why the plan must not be applied; empty for one that may be.
    pub refusals: Vec<Refusal>,
}
