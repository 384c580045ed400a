//! The text of a value, before it is interned.

use std::borrow::Cow;

/// The maximum number of segments and brackets in a dotted name.
///
/// Without it the facts could be quadratic in the text: each member of a chain stores the chain
/// before it.
pub(super) const MAX_SEGMENTS: usize = 32;

/// A dotted name or a call of one, before its name is interned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ValueText<'t> {
    pub(super) path: Cow<'t, str>,
    pub(super) is_called: bool,
}

impl ValueText<'_> {
    /// Returns the value as one path, with `()` if it is called.
    pub(super) fn to_path(&self) -> Cow<'_, str> {
        if self.is_called {
            format!("{}()", self.path).into()
        } else {
            self.path.as_ref().into()
        }
    }

    /// Returns an element of the value, as a loop assigns it.
    pub(super) fn element(&self) -> ValueText<'static> {
        ValueText {
            path: format!("{}*", self.to_path()).into(),
            is_called: false,
        }
    }
}
