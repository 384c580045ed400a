//! Indices into the tables of [`Facts`](super::Facts), and positions.

use serde::{Deserialize, Serialize};

/// An index into [`Facts::names`](super::Facts::names).
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "price = price\n");
/// // Both places have the same name.
/// let binding = &facts.bindings[0];
/// assert_eq!(facts.references[0].name, binding.name);
/// assert_eq!(facts.names[binding.name.0 as usize], "price");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name(pub u32);

/// An index into [`Facts::scopes`](super::Facts::scopes).
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::{MODULE, ScopeId};
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "def f(): pass\n");
/// assert_eq!(facts.definitions[0].scope, ScopeId(1));
/// assert_eq!(facts.scopes[1].parent, Some(MODULE));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ScopeId(pub u32);

/// The scope of the module.
pub const MODULE: ScopeId = ScopeId(0);

/// An index into [`Facts::arguments`](super::Facts::arguments).
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::ArgumentsId;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("java").unwrap(), "class A { int b = c(1) + d(1); }");
/// // Both calls have the same list of arguments.
/// let lists = facts.references.iter().map(|call| call.arguments);
/// assert_eq!(lists.collect::<Vec<_>>(), [Some(ArgumentsId(0)); 2]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ArgumentsId(pub u32);

/// An index into [`Facts::definitions`](super::Facts::definitions).
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::DefinitionId;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "class Cart:\n    def total(self): pass\n";
/// let facts = extract_facts(find_language("python").unwrap(), text);
/// assert_eq!(facts.definitions[1].parent, Some(DefinitionId(0)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DefinitionId(pub u32);

/// An index into [`Facts::imports`](super::Facts::imports).
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::{BindingTarget, ImportId};
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "from shop import cart\n");
/// assert_eq!(facts.bindings[0].target, BindingTarget::Import(ImportId(0)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ImportId(pub u32);

/// The position of a name in the text.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::Position;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "\ndef f(): pass\n");
/// assert_eq!(facts.definitions[0].name_position, Position { line: 2, start_utf16: 4 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// The line, 1-based.
    pub line: u32,
    /// The column, 0-based and in UTF-16 code units.
    pub start_utf16: u32,
}
