//! The arguments of calls, whose types tell overloads apart.

use serde::{Deserialize, Serialize};

use super::reference::Value;

/// An argument of a call, by what its text says about its type.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::ArgumentFact;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "class Cart { void use(Item item) { add(item, 2, null); } }";
/// let facts = extract_facts(find_language("java").unwrap(), text);
/// let call = facts.references.iter().find(|one| facts.name(one.name) == "add").unwrap();
/// let [ArgumentFact::Value(item), ArgumentFact::Value(two), ArgumentFact::Null] =
///     facts.arguments_of(call).unwrap()
/// else {
///     panic!("the call has three arguments");
/// };
/// assert_eq!((facts.name(item.path), facts.name(two.path)), ("item", "int"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ArgumentFact {
    /// An expression whose type the text does not show.
    Unknown,
    /// `null`.
    Null,
    /// A function: `a -> b` or `A::b`.
    Function,
    /// A value. A literal is a call of its type: `int()`.
    Value(Value),
}
