//! Definitions.

use ragnav_base::item::DefinitionKind;
use serde::{Deserialize, Serialize};

use super::ids::{DefinitionId, Name, Position, ScopeId};
use super::reference::Value;

/// Something with a name and a body.
///
/// The names in its bases, decorators and return value are looked up in the scope around its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinitionFact {
    /// What it defines.
    pub kind: DefinitionKind,
    /// Its own name.
    pub name: Name,
    /// What its name path has before its name besides its parent: `a.b` of `a.b.c = function () {}`; `None` in Python.
    ///
    /// It is what leads to a member that is defined outside its class or in an object: `A` of `A.prototype.m = …` and
    /// `a` of `const a = { m() {} }`. It need not be a definition.
    pub qualifier: Option<Name>,
    /// The definition directly around it; of `this.m = function () {}` in a method it is the class.
    pub parent: Option<DefinitionId>,
    /// Which of the definitions with its name path in this file it is, from 0.
    pub ordinal: u32,
    /// The line of its first decorator; `start_line` where it has none.
    pub decorated_start_line: u32,
    /// The line of its `def` or `class`.
    pub start_line: u32,
    /// Where that begins on the line.
    pub start_utf16: u32,
    /// The line on which its last statement ends; comments after it do not count.
    pub end_line: u32,
    /// Where its own name stands.
    pub name_at: Position,
    /// The scope that its body opens.
    pub scope: ScopeId,
    /// The superclasses, as far as they are names or calls of names; `Base[T]` is `Base`.
    ///
    /// In JavaScript and TypeScript any other is the empty name: it may have any member. In languages that are linked by name each type
    /// has one of these.
    pub bases: Vec<Value>,
    /// The decorators, as far as they are names or calls of names.
    pub decorators: Vec<Value>,
    /// What it says it returns; of a type alias what it stands for.
    pub returns: Option<Value>,
    /// The first line of its docstring that is not blank.
    pub docstring: Option<String>,
    /// Its text behind its name, without comments and indentation.
    pub body: BodyHash,
}

/// A hash of a definition's tokens, in which its own name counts as a blank, unless it is a member of something other than
/// `self` or `cls`.
///
/// Equal for texts that differ in their name, decorators, comments, blank lines or indentation alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BodyHash {
    /// The tokens' 64-bit xxh3, with marks where blocks and statements begin and blocks end.
    pub hash: u64,
    /// How many tokens there are: short bodies are alike by chance.
    pub tokens: u32,
}

impl BodyHash {
    /// The hash as text: both numbers in hexadecimal.
    #[must_use]
    pub fn format(self) -> String {
        format!("{:x}.{:x}", self.hash, self.tokens)
    }

    /// A hash from its text; `None` for what is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (hash, tokens) = text.split_once('.')?;
        Some(Self {
            hash: u64::from_str_radix(hash, 16).ok()?,
            tokens: u32::from_str_radix(tokens, 16).ok()?,
        })
    }
}
