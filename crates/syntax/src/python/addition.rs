//! A statement that adds something to a container.

use crate::facts::ScopeId;
use crate::tree::NodeIndex;

/// What a statement adds to a container.
#[derive(Debug)]
pub(super) struct Addition {
    /// The expression of the container.
    pub(super) node: NodeIndex,
    /// The path of the element: `a['b']`, or `a[*]` of `a.append(b)`.
    pub(super) path: String,
    /// The path of the value.
    pub(super) value: String,
    pub(super) value_scope: ScopeId,
    /// Whether the elements of the value are added, as `a.extend(b)` does.
    pub(super) is_spread: bool,
}
