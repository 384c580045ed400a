//! The edits of a plan, as rows.

use serde::Serialize;

use ragnav_base::envelope::{FreshnessState, Proof, SourceTag};
use ragnav_base::item::{ItemKind, Resolution};
use ragnav_base::text_edit::TextEdit;

use crate::receipt::{AsRow, Row, place};

/// One edit of a plan.
///
/// # Examples
///
/// ```
/// use ragnav_query::edit_plan::PlannedEdit;
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
    /// What is edited: a name by how it is used there, or a whole definition or import.
    pub kind: ItemKind,
    /// The certainty that the name means the symbol; `null` for a definition of it, and for imports
    /// that a move adds or removes.
    pub resolution: Option<Resolution>,
    /// The origin of this row.
    pub source: SourceTag,
    /// How current this row is.
    pub freshness_state: FreshnessState,
    /// The proof that this row is current.
    pub proof: Proof,
}

impl AsRow for PlannedEdit {
    fn as_row(&self) -> Row {
        Row {
            place: place(&self.file, self.edit.line),
            column: self.edit.start_utf16,
            kind: format!("{:?}", self.kind),
            symbol: None,
            text: format!("{} → {}", self.edit.old_text, self.edit.new_text),
            says: format!("{:?}", self.resolution),
            provenance: Some((self.source, self.freshness_state, self.proof)),
        }
    }
}

/// A file that a plan edits.
///
/// # Examples
///
/// ```
/// use ragnav_query::edit_plan::EditedFile;
///
/// let file = EditedFile { file: "a.py".to_owned(), hash: None, moves_to: None };
/// assert_eq!(serde_json::to_value(&file).unwrap()["file"], "a.py");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct EditedFile {
    /// The file, relative to the repository's root.
    pub file: String,
    /// The 128-bit xxh3 hash of the contents that the edits are made for, in hexadecimal; `null` for
    /// a file that the plan creates, which must not exist.
    pub hash: Option<String>,
    /// The new path of a file that has to have the name of its class; else `null`.
    pub moves_to: Option<String>,
}
