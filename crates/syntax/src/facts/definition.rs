//! Definitions and the hashes of their bodies.

use ragnav_base::item::DefinitionKind;
use serde::{Deserialize, Serialize};

use super::ids::{DefinitionId, Name, Position, ScopeId};
use super::reference::Value;

/// A definition: a function, method, class, interface, enum, type or namespace.
///
/// Names in its bases, decorators and return type are looked up in the enclosing scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinitionFact {
    /// The kind of definition.
    pub kind: DefinitionKind,
    /// Its own name.
    pub name: Name,
    /// The part of the name path between the parent and the name: `a.b` of
    /// `a.b.c = function () {}`. `None` in Python.
    ///
    /// It leads to members that are defined outside their class or in an object: `A` of
    /// `A.prototype.m = …` and `a` of `const a = { m() {} }`. It may name something that is not a
    /// definition.
    pub qualifier: Option<Name>,
    /// The directly enclosing definition. For `this.m = function () {}` in a method it is the
    /// class.
    pub parent: Option<DefinitionId>,
    /// The 0-based index among the definitions of the file with the same name path.
    pub ordinal: u32,
    /// The line of the first decorator, or `start_line` without decorators.
    pub decorated_start_line: u32,
    /// The line on which the definition begins: in Python the line of `def` or `class`.
    pub start_line: u32,
    /// The column at which the definition begins.
    pub start_utf16: u32,
    /// The line on which the last statement ends. Trailing comments do not count.
    pub end_line: u32,
    /// The position of its name.
    pub name_position: Position,
    /// The scope that its body opens.
    pub scope: ScopeId,
    /// The base classes that are names or calls of names. `Base[T]` counts as `Base`.
    ///
    /// In JavaScript and TypeScript any other base is the empty name, which may have any member. In
    /// languages that are resolved by name every type has such a base.
    pub bases: Vec<Value>,
    /// The decorators that are names or calls of names.
    pub decorators: Vec<Value>,
    /// The declared return type; for a type alias the aliased type.
    pub returns: Option<Value>,
    /// The first line of the docstring that is not blank.
    pub docstring: Option<String>,
    /// The hash of the text after the name, without comments and indentation.
    pub body: BodyHash,
}

/// A hash of the tokens of a definition.
///
/// Texts that differ only in the name of the definition, in decorators, comments, blank lines or
/// indentation have equal hashes. The definition's own name is masked, except as a member of
/// something other than `self` or `cls`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BodyHash {
    /// The 64-bit xxh3 of the tokens and of markers for blocks and statements.
    pub hash: u64,
    /// The number of tokens. Short bodies are equal by chance.
    pub tokens: u32,
}

impl BodyHash {
    /// Formats the hash as text: both numbers in hexadecimal, separated by a dot.
    #[must_use]
    pub fn format(self) -> String {
        format!("{:x}.{:x}", self.hash, self.tokens)
    }

    /// Parses the result of [`format`](Self::format). Returns `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (hash, tokens) = text.split_once('.')?;
        Some(Self {
            hash: u64::from_str_radix(hash, 16).ok()?,
            tokens: u32::from_str_radix(tokens, 16).ok()?,
        })
    }
}
