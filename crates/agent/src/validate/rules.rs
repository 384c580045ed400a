//! The rules of validation.

use super::mandatory::Mandatory;
use crate::catalogue::Catalogue;
use crate::clock::Clock;

/// What a draft is validated against.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    /// The metadata fields.
    pub catalogue: &'a Catalogue,
    /// The clock that date names refer to.
    pub clock: Clock<'a>,
    /// Filters that apply to every plan.
    pub mandatory: &'a Mandatory,
    /// The question that must contain text values; `None` for drafts from the question's own words.
    pub grounded_in: Option<&'a str>,
}
