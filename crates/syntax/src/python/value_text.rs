//! The text of a value.

use std::borrow::Cow;

/// Longer dotted names, and names in more brackets, count as any other expression: each of a chain's members
/// would hold the whole chain before it.
pub(super) const MAX_SEGMENTS: usize = 32;

/// A dotted name or a call of one, before its name has a place in the facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said<'t> {
    pub(super) path: Cow<'t, str>,
    pub(super) called: bool,
}

impl Said<'_> {
    /// The whole as a path, its call included.
    pub(super) fn spelled(&self) -> Cow<'_, str> {
        if self.called {
            format!("{}()", self.path).into()
        } else {
            self.path.as_ref().into()
        }
    }

    /// One of what this holds, as a loop gives them.
    pub(super) fn element(&self) -> Said<'static> {
        Said {
            path: format!("{}*", self.spelled()).into(),
            called: false,
        }
    }
}
