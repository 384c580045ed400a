//! Calls of functions of the standard library whose results their arguments tell:
//! <https://doc.rust-lang.org/std/>.

use super::kinds::{Field, FlatTree, Kind};
use super::standard_types::{CONTAINERS, POINTERS};
use crate::tree::NodeIndex;

/// What a function of the standard library returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StandardResult {
    /// Its first argument, or a value of the same type.
    Argument,
    /// An option, a result or another container of the first argument.
    Container,
    /// What the closure returns that is its first argument.
    ClosureResult,
    /// Something that the arguments do not tell: an error.
    Other,
}

impl FlatTree<'_> {
    /// Returns what a call returns, if a function of the standard library is called by its usual
    /// path: `Some`, `Box::new`.
    pub(super) fn standard_result(&self, call: NodeIndex) -> Option<StandardResult> {
        let function = self.callee(call)?;
        match self.kind(function) {
            Kind::Identifier => result_of_variant(self.text(function)),
            Kind::Scoped => {
                let name = self.text(self.child(function, Field::Name)?);
                let of = self.last_name(self.child(function, Field::Path)?)?;
                result_of_function(of, name)
            }
            _ => None,
        }
    }

    /// Reports whether an expression makes a `Box`, which may stand for a trait object.
    pub(super) fn is_boxed(&self, node: NodeIndex) -> bool {
        let function = self.callee(node).filter(|_| self.kind(node) == Kind::Call);
        function.is_some_and(|function| self.text(function) == "Box::new")
    }

    /// Returns the name at the end of a path, without type arguments.
    fn last_name(&self, path: NodeIndex) -> Option<&str> {
        let inner = match self.kind(path) {
            Kind::Scoped => self.child(path, Field::Name)?,
            Kind::GenericType => return self.last_name(self.child(path, Field::Type)?),
            _ => path,
        };
        Some(self.text(inner))
    }
}

fn result_of_variant(name: &str) -> Option<StandardResult> {
    match name {
        "Some" | "Ok" => Some(StandardResult::Container),
        "Err" => Some(StandardResult::Other),
        _ => None,
    }
}

fn result_of_function(of: &str, name: &str) -> Option<StandardResult> {
    match (of, name) {
        ("LazyLock" | "LazyCell", "new") => Some(StandardResult::ClosureResult),
        (of, "clone" | "leak" | "make_mut" | "new" | "pin" | "unwrap_or_clone")
            if POINTERS.contains(&of) =>
        {
            Some(StandardResult::Argument)
        }
        (of, "get_mut" | "try_unwrap") if POINTERS.contains(&of) => Some(StandardResult::Container),
        (of, "new") if CONTAINERS.contains(&of) => Some(StandardResult::Container),
        _ => None,
    }
}
