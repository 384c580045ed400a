//! Calls that make a component of a function, which then has the name of the component:
//! `const A = forwardRef(function (props, ref) {})`.
//!
//! Sources: <https://react.dev/reference/react/forwardRef>,
//! <https://react.dev/reference/react/memo> and <https://mobx.js.org/react-integration.html>.

use super::kinds::{Field, FlatTree, Kind};
use super::value_text::MAX_STEPS;
use crate::tree::NodeIndex;

const WRAPPERS: [&str; 3] = ["forwardRef", "memo", "observer"];

/// The usual name of the module of React.
const REACT: &str = "React";

impl FlatTree<'_> {
    /// Returns the function that a call makes a component of: `f` of `memo(f)` and `React.memo(f)`.
    pub(super) fn component_function(&self, call: NodeIndex) -> Option<NodeIndex> {
        if self.kind(call) != Kind::Call {
            return None;
        }
        let called = self.segments(self.child(call, Field::Function)?)?;
        let name = match called[..] {
            [name] => name,
            [module, name] if self.text(module) == REACT => name,
            _ => return None,
        };
        if !WRAPPERS.contains(&self.text(name)) {
            return None;
        }
        let mut parts = self.operands(call);
        let arguments = parts.find(|one| self.kind(*one) == Kind::Arguments)?;
        self.operands(arguments).next()
    }

    /// Returns the value inside of parentheses, casts and calls that make a component.
    pub(super) fn strip_components(&self, value: NodeIndex) -> NodeIndex {
        let mut inner = self.strip_wrappers(value);
        for _ in 0..MAX_STEPS {
            match self.component_function(inner) {
                Some(function) => inner = self.strip_wrappers(function),
                None => break,
            }
        }
        inner
    }
}
