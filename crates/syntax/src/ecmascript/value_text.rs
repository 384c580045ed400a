//! The text of a value.

use std::borrow::Cow;

/// Names behind more brackets, objects or dots lead nowhere.
pub(super) const MAX_STEPS: usize = 32;

/// A dotted name or a call of one, before its name has a place in the facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said<'t> {
    pub(super) path: Cow<'t, str>,
    pub(super) called: bool,
}
