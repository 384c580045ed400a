//! References, their receivers and values.

use serde::{Deserialize, Serialize};

use super::ids::{ArgumentsId, Name, Position, ScopeId};

/// A dotted name or a call of one: `a.b` or `a.b(…)`, of at most 200 bytes if it has suffixes.
///
/// A segment may carry the suffixes `()`, `[]` and `[0]`, as in `a.b().c[]`, `[1:]` for the
/// elements from an index on, `[:]` for some of them, and `*` for an element of an iteration. The
/// annotation `A` counts as a call of `A`: an instance of the class. A container is `[…]` around
/// its elements, or `{…}` around the values of a mapping: `[A()]` for `list[A]`. `(A(),B())` is a
/// tuple, and `<A()>` a function that returns `A()`. `a;0` is what the first parameter
/// of `a` receives, and `:12` the type or call of this number in
/// [`Facts::types`](super::Facts::types). In TypeScript, `:A` is the type `A`.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::BindingTarget;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "cart = shop.Cart()\n");
/// let BindingTarget::Variable(Some(value)) = facts.bindings[0].target else {
///     panic!("the file binds a variable");
/// };
/// assert_eq!((facts.name(value.path), value.is_called), ("shop.Cart", true));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Value {
    /// The dotted name with its suffixes.
    pub path: Name,
    /// Whether the value is the result of calling the name.
    pub is_called: bool,
}

/// A reference to a name. In Python a member that is assigned to is a reference, too.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::ReferenceKind;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "total(cart)\n");
/// let [call, argument] = &facts.references[..] else {
///     panic!("the file has two references");
/// };
/// assert_eq!((facts.name(call.name), call.kind), ("total", ReferenceKind::Call));
/// assert_eq!(argument.position.start_utf16, 6);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The name: the last segment of a dotted name.
    pub name: Name,
    /// The object whose member the name is.
    pub receiver: Receiver,
    /// How the name is used.
    pub kind: ReferenceKind,
    /// The position of the name.
    pub position: Position,
    /// The scope in which the name is looked up.
    pub scope: ScopeId,
    /// The namespace of the name, if its place determines it.
    pub space: Space,
    /// The arguments of a call, in the languages in which they tell overloads apart and
    /// [`DefinitionFact::parameters`](super::DefinitionFact::parameters) is known.
    pub arguments: Option<ArgumentsId>,
}

impl Reference {
    /// Reports whether the name is a member of an object.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::{extract_facts, find_language};
    ///
    /// let facts = extract_facts(find_language("python").unwrap(), "cart.total()\n");
    /// let are_members = facts.references.iter().map(|reference| reference.is_member());
    /// assert_eq!(are_members.collect::<Vec<_>>(), [false, true]);
    /// ```
    #[must_use]
    pub fn is_member(&self) -> bool {
        matches!(self.receiver, Receiver::Value(_) | Receiver::Unknown)
    }
}

/// How a reference uses a name.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::ReferenceKind;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "from shop import Cart\nclass Basket(Cart): pass\n";
/// let facts = extract_facts(find_language("python").unwrap(), text);
/// let kinds: Vec<_> = facts.references.iter().map(|reference| reference.kind).collect();
/// assert_eq!(kinds, [ReferenceKind::Import, ReferenceKind::Inherit]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ReferenceKind {
    /// The name is called.
    Call,
    /// The name is imported.
    Import,
    /// A class inherits from the name.
    Inherit,
    /// Any other use.
    Reference,
}

/// The object whose member a referenced name is.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::Receiver;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "cart.total()\n");
/// let receiver = |name: &str| {
///     let reference = facts.references.iter().find(|found| facts.name(found.name) == name);
///     reference.map(|found| found.receiver)
/// };
/// assert_eq!(receiver("cart"), Some(Receiver::None));
/// let Some(Receiver::Value(value)) = receiver("total") else {
///     panic!("`total` is a member");
/// };
/// assert_eq!(facts.name(value.path), "cart");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Receiver {
    /// No object: the name is looked up in its scope.
    None,
    /// A dotted name or a call of one: `a.b` in `a.b.c`, `A()` in `A().c`.
    Value(Value),
    /// The reference is to this value itself, which has no name of its own: `a()` in `a()()`. The
    /// name of the reference is the nearest one in the text.
    Itself(Value),
    /// Any other expression. In languages that are resolved by name, the receiver of a name that
    /// the file does not define is unknown, too.
    Unknown,
}

/// The namespace of a name. TypeScript distinguishes names of types from names of values.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::Space;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "let cart: Cart = empty;\n";
/// let facts = extract_facts(find_language("typescript").unwrap(), text);
/// let spaces: Vec<_> = facts.references.iter().map(|reference| reference.space).collect();
/// assert_eq!(spaces, [Space::Types, Space::Values]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Space {
    /// Values: variables, functions, classes, enums and namespaces.
    Values,
    /// Types: interfaces, type aliases, classes and enums.
    Types,
    /// Types with this number of type parameters, in C#: `A<B>` and `A` are different types.
    GenericTypes(u8),
    /// Variables and types, but no methods: what a bare name means in Java unless it is called.
    Names,
    /// Methods: what a bare name means in Java if it is called.
    Methods,
    /// Macros of Rust.
    Macros,
    /// Every namespace. The only one in languages that do not distinguish them.
    Any,
    /// Every namespace, of a name with a member in C#. In `Color.Red`, `Color` is an enumeration,
    /// though a property may have its name.
    Qualifiers,
    /// Types, of an attribute in C#: `[Test]` may mean `TestAttribute`.
    Attributes,
    /// Methods that an assignment calls: `a.b = c` means the setter `b` in JavaScript, and `b=` in
    /// Ruby.
    Setters,
}

impl Space {
    /// Reports whether only types have names in this namespace.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::facts::Space;
    ///
    /// assert!(Space::GenericTypes(1).is_types());
    /// assert!(!Space::Any.is_types());
    /// ```
    #[must_use]
    pub fn is_types(self) -> bool {
        matches!(self, Self::Types | Self::GenericTypes(_) | Self::Attributes)
    }
}

/// The name of the current instance in the facts of languages that are resolved by name.
pub const OWN_INSTANCE: &str = "this";

/// The name of the current instance in Java and C#. A class of Java without a name binds it in its
/// body.
pub const THIS: &str = "this";

/// The character before the name of a field of Java or Rust, or of a nested type of Java, where a
/// method may have the same name. In C# it stands before each name of a value that is not called.
pub const FIELD: char = '@';

/// The character before the place of a part of a tuple of Rust, from 0. A struct has none. The part
/// is a field of a class in C++, a component of a record in Java, and in C# one of those into which
/// code deconstructs a value.
pub const TUPLE_PART: char = '$';

/// The name of the elements that the comment of a class of PHP gives to its instances.
pub const ELEMENTS: &str = "[]";

/// Returns the texts of the parts of a tuple, which commas outside of all brackets separate. That
/// of a part that is not known is empty.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::tuple_parts;
///
/// let parts: Vec<&str> = tuple_parts("Cart(),,[(Item(),Price())]").collect();
/// assert_eq!(parts, ["Cart()", "", "[(Item(),Price())]"]);
/// ```
pub fn tuple_parts(parts: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    parts.split(move |letter: char| {
        match letter {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    })
}

/// The character before the name of a type in the values of C#, where a property may have the name
/// of its type.
pub const TYPE: char = '#';

/// The character between the name of a type and the number of its type parameters in C#: ``A`1``
/// is `A<T>`, [as in its metadata](https://learn.microsoft.com/dotnet/api/system.type.fullname).
pub const ARITY: char = '`';

/// The character before the name of a method of Java or C# that is called without a receiver.
pub const METHOD: char = '~';

/// What follows the first name of a path in Rust, which is that of a module or type, never that of
/// a variable.
pub const TYPE_NAME: &str = "::";

/// The name of the member that stands for an element of a container in Rust, or for what is inside
/// of an option or a result.
pub const INSIDE: &str = "?";

/// The name of the member that stands for the mapping that Rust makes of keys and values:
/// `a.collect::<HashMap<_, _>>()`.
pub const AS_MAPPING: &str = "as mapping";

/// What follows the name of a method of Rust that locks a value, if its result is used as what the
/// lock contains: `lock&` of `a.lock().await`.
pub const GUARD: char = '&';

/// What precedes the name of the method of an operator of Rust: `operator add` of `a + b`.
pub const OPERATOR: &str = "operator ";

/// The character before the name of a macro of Rust.
pub const MACRO: char = '!';

/// The instance of the class around a place of Ruby, where `self` is the class.
pub const SELF_INSTANCE: &str = "self@";

/// What a method of Ruby inherits: `super` in `def f` is the member `f` of it.
pub const INHERITED: &str = "super@";

/// The top level of Ruby, where `::A` finds its constant.
pub const TOP_LEVEL: &str = "Object@";

/// The name to which the scope of a JavaScript class without a name binds each of its bases: `Base`
/// of `return class extends Base { … }`.
pub const NAMELESS_BASE: &str = "extends ";

/// The name that the scope of a type of C# binds if other files declare parts of the type.
pub const PARTIAL: &str = "partial ";

/// The name that the scope of an extension method of C# binds to the type that it extends.
pub const EXTENDED: &str = "this ";

/// The name that the scope of a type binds to what a subscript of an instance calls.
pub const ELEMENT: &str = "__getitem__";

/// What stands before an operator of C++ in place of the path of a called function: `operation +`
/// for `a + b`.
pub const OPERATION: &str = "operation ";

/// The indices of what the variables of a loop of Go get, by their places: `a[range 1]` for `c` of
/// `for b, c := range a`. What `a` is decides: an array, a map, a channel or a function.
pub const RANGE_INDICES: [&str; 2] = ["range 0", "range 1"];

/// The bit in the level of an import that holds for every file of a project of C#:
/// `global using A;`.
pub const GLOBAL_USING: u32 = 1;

/// The bit in the level of an import of the static members of a type of C#: `using static A.B;`.
pub const STATIC_USING: u32 = 2;

/// What the number of type arguments is multiplied by in the level of an import of a type of C#:
/// `using A = B<C>;`.
pub const TYPE_ARGUMENT: u32 = 4;

/// The character before the name of a struct, union or enum of C, where another name may be equal:
/// `struct a` and `a`.
pub const TAG: char = '#';

/// The name under which the signature of a method outside of its class binds the class: `A` of
/// `void A::f() {}` in C++.
pub const CLASS_OF_BODY: &str = "class";

/// The name under which the scope of a namespace of C++ binds the path of the namespace, and a file
/// of PHP that of each namespace that begins in it without a brace.
pub const NAMESPACE: &str = "namespace";

/// The name under which a scope binds the namespaces whose members it sees: `a` of
/// `using namespace a;` in C++.
pub const USING: &str = "using";

/// The character between the name of a called method, the number of its arguments and the first of
/// them if it is a name, in paths of Java: `a/0.b` for the member `b` of `a()`, `a/1/c` for `a(c)`.
/// In C#, some methods of collections have the number if there are several arguments.
pub const ARGUMENTS: char = '/';

/// What stands after a call of `collect` in Java for a collector that maps keys to the elements
/// themselves: `toMap(Cart::name, cart -> cart)`.
pub const IDENTITY_MAPPING: &str = "toMap";

/// The name under which a file of Java binds the first argument of a call whose method it imports
/// from several classes. The position is that of the name of the method.
pub const FIRST_ARGUMENT: &str = "first argument";

/// The text before the symbol of C that a function of Rust defines, in a mark among its
/// decorators: `exported add`.
pub const EXPORTED: &str = "exported ";

/// The text before the symbol of C that a function of Rust declares: `imported add`.
pub const IMPORTED: &str = "imported ";

/// The modifier of a definition of C or C++ that only its own file sees.
pub const STATIC: &str = "static";

/// The modifier of a function of C or C++ that runs without a call: when a program starts or ends,
/// or at an interrupt.
pub const CALLED_BY_SYSTEM: &str = "called by system";

/// The modifier of a method of Rust that comes before those of traits with its name.
pub const COMES_FIRST: &str = "comes first";

/// The modifier of a private method of Rust that comes before those of traits with its name. Only
/// its own module, and those in it, see it.
pub const COMES_FIRST_INSIDE: &str = "comes first inside";

/// As [`COMES_FIRST_INSIDE`], of a method that is `pub(super)`: the module around sees it, too.
pub const COMES_FIRST_BESIDE: &str = "comes first beside";

/// The name under which the scope of a trait of Rust binds the bounds of the types for which the
/// file of the trait implements it: `A` of `impl<T: A> B for T {}`.
pub const FOR_ALL_TYPES: &str = "for all types";

/// The name under which the scope of an `impl` block of Rust binds its type with type arguments.
pub const IMPLEMENTED: &str = "impl ";

/// The modifier of a class of C++ that specialises a template.
pub const SPECIALIZATION: &str = "specialization";

/// The modifier of a macro of C or C++ with parameters.
pub const DEFINED_MACRO: &str = "#define";

/// The text before the name of a macro of C or C++ in the binding that `#undef` makes.
pub const UNDEFINED: &str = "undef ";

/// The name of the member that stands for what a value of C++ points to: `a->b` is `a.->.b`.
pub const ARROW: &str = "->";

/// The text before the path of a namespace in the binding of a macro of C++ that opens it. The
/// value is the name of the macro.
pub const OPENED: &str = "opened ";
