//! How values flow between the functions of one file.
//!
//! These facts refine the bindings and references of a file. They add the elements of containers,
//! the arguments of calls, the order of assignments, and calls that no name in the text shows.

use serde::{Deserialize, Serialize};

use super::ids::{Name, Position, ScopeId};
use super::reference::{Reference, Value};
use super::scope::Binding;

/// The flow of values in one file.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "def run(task):\n    task()\n\ndef job(): pass\n\nrun(job)\n";
/// let facts = extract_facts(find_language("python").unwrap(), text);
/// let call = &facts.flow.calls[0];
/// assert_eq!(facts.name(call.callee.path), "run");
/// assert_eq!(facts.name(call.arguments[0].value.path), "job");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flow {
    /// Whether the extractor of the language collects the flow of values.
    pub is_collected: bool,
    /// Further bindings: of the parts of unpacked values, of elements such as `a['b']` and `&0[1]`,
    /// and of members such as `a.b`. A variable or attribute that these bind at the same position
    /// has no other value there.
    pub bindings: Vec<Binding>,
    /// The calls whose arguments may reach a function of this file.
    pub calls: Vec<CallFact>,
    /// The parameters of functions, which receive these arguments. In TypeScript they have types.
    pub signatures: Vec<Signature>,
    /// Calls of values that have no name of their own, as in `a()()`, and implicit calls.
    pub references: Vec<Reference>,
    /// The positions of names that are called although they are only mentioned: `a` of `@a` and of
    /// `map(a, b)`.
    pub called: Vec<Position>,
    /// The order of the assignments to names that are assigned more than once.
    pub assignments: Vec<Assignment>,
}

/// A call with the arguments that it passes.
///
/// The value of call number 3 ends with `(3)` instead of `()`, so that a function that returns its
/// argument returns that of this call.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::ArgumentPlace;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "def run(task): pass\n\nrun(task=print)\n";
/// let facts = extract_facts(find_language("python").unwrap(), text);
/// let ArgumentPlace::Keyword(name) = facts.flow.calls[0].arguments[0].place else {
///     panic!("the argument has a name");
/// };
/// assert_eq!(facts.name(name), "task");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallFact {
    /// The scope of the call, in which its names are looked up.
    pub scope: ScopeId,
    /// The position of the call.
    pub position: Position,
    /// The called value.
    pub callee: Value,
    /// The arguments whose values are known.
    pub arguments: Vec<Argument>,
}

/// An argument of a call.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::ArgumentPlace;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "def run(first, task): pass\n\nrun(1, print)\n";
/// let facts = extract_facts(find_language("python").unwrap(), text);
/// let argument = facts.flow.calls[0].arguments[0];
/// // A number is no value that anything can be called on.
/// assert_eq!(argument.place, ArgumentPlace::Index(1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argument {
    /// The parameter that receives it.
    pub place: ArgumentPlace,
    /// Its value.
    pub value: Value,
}

/// The parameter that an argument is for.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::ArgumentPlace;
///
/// assert_ne!(ArgumentPlace::Index(0), ArgumentPlace::Index(1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ArgumentPlace {
    /// The parameter at this index, without the receiver of a method.
    Index(u32),
    /// The parameter of this name.
    Keyword(Name),
}

/// The parameters of a function.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "def f(a, *b): pass\n");
/// let signature = &facts.flow.signatures[0];
/// assert_eq!(facts.name(signature.parameters[0]), "a");
/// assert_eq!(signature.rest.map(|name| facts.name(name)), Some("b"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// The scope of the function.
    pub scope: ScopeId,
    /// The names of its parameters in order.
    pub parameters: Vec<Name>,
    /// The parameter that receives all further arguments: `b` of `*b`.
    pub rest: Option<Name>,
    /// Whether the first parameter is the instance or class on which a method is called.
    pub has_receiver: bool,
}

/// Where one assignment of a name holds.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "a = b\na()\na = c\n");
/// let lines = facts.flow.assignments.iter().map(|found| found.end.line);
/// assert_eq!(lines.collect::<Vec<_>>(), [1, 3]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// The scope of the binding.
    pub scope: ScopeId,
    /// The assigned name.
    pub name: Name,
    /// The position of the binding.
    pub position: Position,
    /// The position from which the name has the value.
    pub end: Position,
    /// The start of the outermost loop around the assignment, inside its scope.
    pub loop_start: Option<Position>,
    /// The end of the block of the assignment. Up to there, no earlier assignment holds.
    pub block_end: Option<Position>,
    /// How the value relates to earlier ones.
    pub effect: Effect,
}

/// How a value of a name relates to earlier values of the name.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::Effect;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "<?php function f($a) { if ($a instanceof B) {} }";
/// let facts = extract_facts(find_language("php").unwrap(), text);
/// let effects = facts.flow.assignments.iter().map(|one| one.effect);
/// assert_eq!(effects.collect::<Vec<_>>(), [Effect::Replaces, Effect::Joins]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// It replaces them, and may hold behind its block.
    Replaces,
    /// A test of the type: it replaces them in its block, and says nothing outside of it.
    Narrows,
    /// A test of the type: it may hold besides them in its block, and says nothing outside of it.
    Joins,
}

/// The character before the number of a container or object that an expression creates: `&0`.
pub const LITERAL: char = '&';

/// The member of a container of JavaScript that stands for what a call gives. If the member
/// [`OWN_METHOD`] is a method of the repository, that is the value of [`OWN_CALL`], and otherwise
/// that of [`BUILTIN_RESULT`]. No name in code begins with `?`.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::{BUILTIN_RESULT, CALL_RESULT};
///
/// assert_ne!(CALL_RESULT, BUILTIN_RESULT);
/// ```
pub const CALL_RESULT: &str = "?result";

/// The member that a call calls; see [`CALL_RESULT`].
///
/// # Examples
///
/// ```
/// assert!(ragnav_syntax::facts::OWN_METHOD.starts_with('?'));
/// ```
pub const OWN_METHOD: &str = "?method";

/// What a call of a method of the repository gives; see [`CALL_RESULT`].
///
/// # Examples
///
/// ```
/// assert!(ragnav_syntax::facts::OWN_CALL.starts_with('?'));
/// ```
pub const OWN_CALL: &str = "?call";

/// What a call of a builtin method gives; see [`CALL_RESULT`].
///
/// # Examples
///
/// ```
/// assert!(ragnav_syntax::facts::BUILTIN_RESULT.starts_with('?'));
/// ```
pub const BUILTIN_RESULT: &str = "?builtin";

/// The member of an object of JavaScript that stands for the objects whose members it copies:
/// `a` of `{ ...a }`.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::{BEFORE_COPY, COPIED};
///
/// assert_ne!(COPIED, BEFORE_COPY);
/// ```
pub const COPIED: &str = "?copied";

/// The member of an object of JavaScript that has the members which copied ones may replace: `b` of
/// `{ b, ...a }`.
///
/// # Examples
///
/// ```
/// assert!(ragnav_syntax::facts::BEFORE_COPY.starts_with('?'));
/// ```
pub const BEFORE_COPY: &str = "?before";

/// The index of the elements that methods add to a container: those of `a.append(b)` in Python and
/// `a.push(b)` in JavaScript are bound as `a[*]`.
pub const ADDED: &str = "*";

/// The character before the number of the scope of a function without a name: `^3`.
pub const LAMBDA: char = '^';

/// The character before the number of a definition, whatever decorates it: `%2`.
pub const UNDECORATED: char = '%';
