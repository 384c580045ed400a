//! References and values.

use serde::{Deserialize, Serialize};

use super::ids::{Name, Position, ScopeId};

/// A dotted name, or a call of one: `a.b` or `a.b(…)`.
///
/// A segment may be followed by what is done with it on the way: `()` for a call, in Python `[]` for a subscript as well: `a.b().c[]`;
/// a `*` at the end stands for one of its elements. Names with calls or subscripts are bounded, in Python by 16 segments and in all
/// languages by 200 bytes.
///
/// An annotation says that the value is an instance of a class, as a call of the class is: it counts as called. Where it says that
/// the value holds others it is `[…]` around what a loop over it gives, or `{…}` around a mapping's values: `[A()]` for `list[A]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Value {
    /// The dotted name; see above for what it may hold beside names.
    pub path: Name,
    /// Whether it is called, so that the value is what it returns or constructs.
    pub called: bool,
}

/// A mention of a name; a member that is assigned to is mentioned too, in Python.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The name: the last segment of what is mentioned.
    pub name: Name,
    /// What it is a member of.
    pub receiver: Receiver,
    /// What is done with it.
    pub kind: ReferenceKind,
    /// Where the name stands.
    pub at: Position,
    /// The scope in which the name is looked up.
    pub scope: ScopeId,
    /// What the name can be of, where the language tells from the place.
    pub space: Space,
}

/// What is done with a mentioned name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ReferenceKind {
    /// It is called.
    Call,
    /// It is imported.
    Import,
    /// A class inherits from it.
    Inherit,
    /// Anything else.
    Reference,
}

/// What a mentioned name is a member of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Receiver {
    /// Nothing: it is looked up in its scope.
    None,
    /// A dotted name or a call of one: `a.b` in `a.b.c`, `A()` in `A().c`.
    Value(Value),
    /// Any other expression; in languages that are linked by name also what is around the file, for a name that it does not define.
    Unknown,
}

/// What a name can be of: TypeScript has names of types apart from those of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Space {
    /// Values: variables, functions, classes, enums, namespaces.
    Values,
    /// Types: interfaces, type aliases, classes, enums.
    Types,
    /// Either; everything in languages that do not tell them apart.
    Any,
}

/// What facts by name call the instance around, whatever the language does.
pub const OWN_INSTANCE: &str = "this";
