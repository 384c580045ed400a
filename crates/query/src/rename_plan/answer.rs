//! What a plan of a rename says.

use serde::Serialize;

use ragnav_base::item::{Definition, NavItem};

use crate::edit_plan::{EditedFile, Refusal};

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
