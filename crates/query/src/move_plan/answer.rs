//! What a plan of a move says.

use serde::Serialize;

use ragnav_base::item::{Definition, NavItem};

use crate::edit_plan::{EditedFile, Refusal};

/// What a plan says beside its edits.
///
/// # Examples
///
/// ```
/// use ragnav_query::move_plan::MovePlanHead;
///
/// assert!(MovePlanHead::default().refusals.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct MovePlanHead {
    /// The symbol as it was given.
    pub symbol: String,
    /// The file that gets the definition, as it was given.
    pub target: String,
    /// The definition that moves, where it is now.
    pub definitions: Vec<Definition>,
    /// The files that the plan edits. Apply it only while each has its hash, and while a file
    /// without a hash does not exist.
    pub files: Vec<EditedFile>,
    /// The first references that only share the name and are left.
    pub candidates: Vec<NavItem>,
    /// The number of such references.
    pub candidates_total: u32,
    /// Why the plan must not be applied; empty for one that may be.
    pub refusals: Vec<Refusal>,
}
