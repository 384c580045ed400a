//! The text of a value, before it is interned.

use std::borrow::Cow;

/// The maximum number of parentheses, objects or dots around a name.
pub(super) const MAX_STEPS: usize = 32;

/// A dotted name or a call of one, before its name is interned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ValueText<'t> {
    pub(super) path: Cow<'t, str>,
    pub(super) is_called: bool,
}

impl ValueText<'_> {
    /// Returns the path, with `()` if it is called.
    pub(super) fn into_path(self) -> String {
        let call = if self.is_called { "()" } else { "" };
        format!("{}{call}", self.path)
    }
}
