//! Scopes and bindings.

use serde::{Deserialize, Serialize};

use super::ids::{DefinitionId, ImportId, Name, Position, ScopeId};
use super::reference::Value;

/// A region of the text in which names are bound.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::{DefinitionId, MODULE, ScopeKind};
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "def f(): pass\n");
/// let scope = &facts.scopes[1];
/// assert_eq!((scope.kind, scope.parent), (ScopeKind::Function, Some(MODULE)));
/// assert_eq!(scope.definition, Some(DefinitionId(0)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// The construct that opens the scope.
    pub kind: ScopeKind,
    /// The enclosing scope, or `None` for the module's.
    pub parent: Option<ScopeId>,
    /// The definition that owns or encloses the scope.
    pub definition: Option<DefinitionId>,
}

/// The construct that opens a scope.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::ScopeKind;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "class A:\n    b = [c for c in d]\n";
/// let facts = extract_facts(find_language("python").unwrap(), text);
/// let kinds: Vec<_> = facts.scopes.iter().map(|scope| scope.kind).collect();
/// assert_eq!(kinds, [ScopeKind::Module, ScopeKind::Class, ScopeKind::Comprehension]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScopeKind {
    /// The file.
    Module,
    /// The body of a class, interface or enum. Functions inside do not see its names.
    ///
    /// In JavaScript and TypeScript only the names of enums are looked up in it. Everything else in
    /// a class body is evaluated in the enclosing scope or in a function scope of its own.
    Class,
    /// The parameters and body of a function or lambda.
    Function,
    /// The parameters and body of an arrow function, which inherits `this`. Python has none.
    Arrow,
    /// A comprehension or generator expression.
    Comprehension,
    /// The type parameters of a definition or type alias. It encloses the definition's own scope.
    ///
    /// Unlike a function, it sees the names of a directly enclosing class.
    TypeParameters,
    /// A block, loop, `switch` or `catch` that binds names. Python has none.
    ///
    /// Also the body of a function whose parameters have default values that refer to names, since
    /// these do not see the variables of the body.
    Block,
    /// The body of a namespace. Its exported names are its members.
    Namespace,
    /// The types that the documentation comments of a JavaScript file name.
    Documentation,
}

/// A name that a scope binds.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::MODULE;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "total = 0\n");
/// let binding = &facts.bindings[0];
/// assert_eq!((binding.scope, facts.name(binding.name)), (MODULE, "total"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The scope that binds the name. For an attribute it is the scope of the class.
    pub scope: ScopeId,
    /// The name.
    pub name: Name,
    /// The position of the name.
    pub position: Position,
    /// What the name is bound to.
    pub target: BindingTarget,
    /// The scope in which the names of the value or annotation are looked up.
    pub value_scope: ScopeId,
}

/// What a name is bound to.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::{BindingTarget, DefinitionId};
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "def f(a): pass\n");
/// let targets: Vec<_> = facts.bindings.iter().map(|binding| &binding.target).collect();
/// assert!(targets.contains(&&BindingTarget::Definition(DefinitionId(0))));
/// assert!(targets.contains(&&BindingTarget::Parameter(None)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum BindingTarget {
    /// A definition of this file.
    Definition(DefinitionId),
    /// An imported item.
    Import(ImportId),
    /// A parameter with the type of its annotation.
    ///
    /// A parameter named `this` is declared in TypeScript, or marks a function in a method that has
    /// a `this` of its own.
    Parameter(Option<Value>),
    /// A variable with the type of its annotation, or else with the value assigned to it.
    ///
    /// `with` assigns the context manager, and `except` an instance of the exception class. In
    /// Python a loop assigns an element, and an assignment of `a or b` creates two bindings.
    Variable(Option<Value>),
    /// An attribute of a class's instances: `self.name = …` in a method. With `cls` it is an
    /// attribute of the class.
    ///
    /// In JavaScript and TypeScript: fields, properties of interfaces, `this.name = …` and
    /// parameter properties of constructors. For `this.name = …` in a function outside of classes,
    /// the scope is the function's.
    Attribute(Option<Value>),
    /// A name of an enclosing scope, declared with `global` or `nonlocal`.
    Outer(Outer),
}

/// The enclosing scope to which a declared name belongs.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::{BindingTarget, Outer};
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "def f():\n    global total\n    total = 0\n";
/// let facts = extract_facts(find_language("python").unwrap(), text);
/// let is_global = |target: &BindingTarget| *target == BindingTarget::Outer(Outer::Global);
/// assert!(facts.bindings.iter().any(|binding| is_global(&binding.target)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outer {
    /// The module's scope.
    Global,
    /// The nearest function scope that binds the name.
    Nonlocal,
}

/// The name under which the scope of a generator of Python binds each value that it yields.
///
/// # Examples
///
/// ```
/// // `yield` is a keyword, so no variable has the name.
/// assert_eq!(ragnav_syntax::facts::YIELDED, "yield");
/// ```
pub const YIELDED: &str = "yield";

/// The name under which the scope of a function without return type binds each returned value.
pub const RETURNED: &str = "return";
