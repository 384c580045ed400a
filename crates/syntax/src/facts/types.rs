//! Types that a name cannot express: with type arguments, of functions, of objects, of several
//! alternatives, and of what calls return.

use serde::{Deserialize, Serialize};

use super::ids::{Position, ScopeId};
use super::reference::{Space, Value};

/// A type of TypeScript; a generic type or function, a lambda, or a call whose arguments may tell
/// type arguments, also in Java, C# and Go; a class, struct, tuple or object without a name in
/// these; a generic type, a union in one, or a type variable of Python. The path of a value refers
/// to it by its number: `:12`.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::TypeShape;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("typescript").unwrap(), "let carts: List<Cart>;\n");
/// let TypeShape::Applied { of, arguments, .. } = &facts.types[0].shape else {
///     panic!("the type has an argument");
/// };
/// assert_eq!((facts.name(of.path), arguments.len()), ("List", 1));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypeFact {
    /// The number of the type in the file. Types are sorted by it.
    pub number: u32,
    /// The scope in which its names are looked up.
    pub scope: ScopeId,
    /// What the type consists of.
    pub shape: TypeShape,
}

/// What a type consists of.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::TypeShape;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("typescript").unwrap(), "let cart: Cart | Basket;\n");
/// assert!(matches!(&facts.types[0].shape, TypeShape::AnyOf(arms) if arms.len() == 2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum TypeShape {
    /// A generic type or function with its type arguments: `A<B>`. `B[]` is `Array<B>`.
    Applied {
        /// The generic type or function.
        of: Value,
        /// The namespace of its name.
        space: Space,
        /// The arguments. One that is no value, such as `string`, is `None`.
        arguments: Vec<Option<Value>>,
    },
    /// A tuple `[A, B]`, by the types of its parts. One that is no value, such as `string`, is
    /// `None`. So is `...A[]`, whose further parts are left out.
    Tuple(Vec<Option<Value>>),
    /// `A | B` or `A & B`: a member is one that any of them has.
    AnyOf(Vec<Value>),
    /// A function type. Its scope binds its parameters and its result.
    Function(ScopeId),
    /// An object type. Its scope binds its members.
    Object(ScopeId),
    /// The name of a type in a comment of JavaScript: an instance of a class or of a constructor
    /// function, or a value of another type.
    InstanceOf(Value),
    /// A variable after a function has tested it: `a` after `isB(a)`.
    Guarded {
        /// The function.
        by: Value,
        /// The variable, which has its own type if the function declares none.
        otherwise: Value,
        /// The position of the variable in the test.
        at: Position,
    },
    /// A called function whose type arguments its arguments may tell, or the type that is expected
    /// of its result: `f` of `const a: A<B> = f(c)`.
    Inferring {
        /// The function.
        of: Value,
        /// The arguments. One that is no value is `None`.
        arguments: Vec<Option<Value>>,
        /// The expected type.
        expected: Option<Value>,
    },
    /// What a call returns whose arguments may tell the type arguments of the called function:
    /// `a.map(f)`.
    Call {
        /// The called function.
        of: Value,
        /// The arguments. One that is no value is `None`.
        arguments: Vec<Option<Value>>,
    },
    /// A type variable of Python, which its scope declares: `T = TypeVar("T")`.
    Variable(ScopeId),
}

/// The path of a value of which nothing is known: `Any` in `Box[Any]`.
pub const UNKNOWN: &str = "?";

/// The character before the number of a type, `:12`, and before the name of one in an annotation,
/// `:A`, since a value may have the same name.
pub const TYPE_NUMBER: char = ':';

/// The character before the index of a parameter in a path: `a;0` is what the first parameter of
/// `a` receives.
pub const PARAMETER: char = ';';

/// The name under which the scope of a type binds what a call of an instance runs: `(): A` in an
/// interface.
pub const CALL_SIGNATURE: &str = "()";
/// The name under which the scope of an interface binds what a call of its constructor makes:
/// `new (): A`.
pub const CONSTRUCT_SIGNATURE: &str = "new ()";

/// The prefix of the names that a module declares for all files: those of `declare global { … }`
/// in TypeScript.
pub const GLOBAL: &str = "global ";

/// The prefix of the names that a module of JavaScript binds to types of its comments: those of
/// `@typedef` and `@callback`, which other files may import.
pub const DOCUMENTED: &str = "typedef ";

/// The name that the scope of a method binds if reading or assigning the member runs it:
/// `get a() {}` and `set a(b) {}`.
pub const ACCESSOR: &str = "accessor ";

/// The name that the scope of a function binds to the type for which it tests its parameter: `B` of
/// `(a): a is B`.
pub const PREDICATE: &str = "is ";

/// The name under which the scope of a type binds the values of an index signature.
pub const INDEX_SIGNATURE: &str = "[]";

/// The name under which the scope of an object type binds the values whose members are its own, too:
/// the embedded types of `struct { A }` in Go, and `a` of `{ ...a }` in TypeScript. There it also
/// stands before the names of members before the last of these.
pub const EMBEDDED: &str = "embedded ";
