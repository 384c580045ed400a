//! Definitions and the hashes of their bodies.

use ragnav_base::item::DefinitionKind;
use serde::{Deserialize, Serialize};

use super::ids::{DefinitionId, Name, Position, ScopeId};
use super::reference::Value;

/// A definition: a function, method, class, interface, enum, type or namespace.
///
/// Names in its bases, decorators and return type are looked up in the enclosing scope.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::DefinitionKind;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "@cached\ndef total():\n    'Adds up.'\n    return 0\n";
/// let facts = extract_facts(find_language("python").unwrap(), text);
/// let total = &facts.definitions[0];
/// assert_eq!((total.decorated_start_line, total.start_line, total.end_line), (1, 2, 4));
/// assert_eq!(facts.name(total.decorators[0].path), "cached");
/// assert_eq!(total.docstring.as_deref(), Some("Adds up."));
/// ```
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
    /// The column just past the last statement on its last line.
    pub end_utf16: u32,
    /// The position of its name.
    pub name_position: Position,
    /// The scope that its body opens.
    pub scope: ScopeId,
    /// The base classes that are names or calls of names. `Base[T]` counts as `Base`.
    ///
    /// In JavaScript and TypeScript any other base is the empty name, which may have any member. In
    /// languages that are resolved by name every type has such a base.
    pub bases: Vec<Value>,
    /// The decorators that are names or calls of names, the annotations of Java, and the attributes
    /// of C# and PHP and of functions of Rust. In C, C++, Ruby and Rust it also has modifiers, such
    /// as [`STATIC`](super::STATIC).
    pub decorators: Vec<Value>,
    /// The declared return type; for a type alias the aliased type.
    pub returns: Option<Value>,
    /// The parameters of a method of Java or C#, where several may have one name, and those of the
    /// constructor that the head of a type declares.
    pub parameters: Option<ParameterCount>,
    /// The first line of the docstring that is not blank.
    pub docstring: Option<String>,
    /// The hash of the text after the name, without comments and indentation.
    pub body: BodyHash,
}

/// The number of parameters of a method.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "class Cart { void add(int n, String... names) {} }";
/// let facts = extract_facts(find_language("java").unwrap(), text);
/// let parameters = facts.definitions[1].parameters.unwrap();
/// assert_eq!([0, 1, 2, 9].map(|count| parameters.take(count)), [false, true, true, true]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParameterCount {
    /// The number of all parameters.
    pub declared: u32,
    /// The number of arguments that a call must have.
    pub required: u32,
    /// Whether the last parameter takes any number of arguments.
    pub is_variadic: bool,
}

impl ParameterCount {
    /// Reports whether a call with a number of arguments can mean the method.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::facts::ParameterCount;
    ///
    /// let optional = ParameterCount { declared: 2, required: 1, is_variadic: false };
    /// assert_eq!([0, 1, 2, 3].map(|count| optional.take(count)), [false, true, true, false]);
    /// ```
    #[must_use]
    pub fn take(self, count: u32) -> bool {
        count >= self.required && (self.is_variadic || count <= self.declared)
    }

    /// Reports whether a call with a number of arguments gives one to each parameter.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::facts::ParameterCount;
    ///
    /// let variadic = ParameterCount { declared: 2, required: 1, is_variadic: true };
    /// assert!(variadic.take(2) && !variadic.are_exactly(2));
    /// ```
    #[must_use]
    pub fn are_exactly(self, count: u32) -> bool {
        !self.is_variadic && count == self.declared
    }
}

/// A hash of the tokens of a definition.
///
/// Texts that differ only in the name of the definition, in decorators, comments, blank lines or
/// indentation have equal hashes. The definition's own name is masked, except as a member of
/// something other than `self` or `cls`.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let python = find_language("python").unwrap();
/// let body = |text: &str| extract_facts(python, text).definitions[0].body;
/// let total = body("def total(cart):\n    return sum(cart)\n");
/// assert_eq!(total, body("def price(cart):\n\n    return sum(cart)  # renamed\n"));
/// assert_ne!(total, body("def total(cart):\n    return max(cart)\n"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BodyHash {
    /// The 64-bit xxh3 of the tokens and of markers for blocks and statements.
    pub hash: u64,
    /// The number of tokens. Short bodies are equal by chance.
    pub tokens: u32,
}

impl BodyHash {
    /// Formats the hash as text: both numbers in hexadecimal, separated by a dot.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::facts::BodyHash;
    ///
    /// assert_eq!(BodyHash { hash: 0xc0ffee, tokens: 18 }.format(), "c0ffee.12");
    /// ```
    #[must_use]
    pub fn format(self) -> String {
        format!("{:x}.{:x}", self.hash, self.tokens)
    }

    /// Parses the result of [`format`](Self::format). Returns `None` for any other text.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::facts::BodyHash;
    ///
    /// assert_eq!(BodyHash::parse("c0ffee.12"), Some(BodyHash { hash: 0xc0ffee, tokens: 18 }));
    /// assert_eq!(BodyHash::parse("c0ffee"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (hash, tokens) = text.split_once('.')?;
        Some(Self {
            hash: u64::from_str_radix(hash, 16).ok()?,
            tokens: u32::from_str_radix(tokens, 16).ok()?,
        })
    }
}
