//! Scopes and bindings.

use serde::{Deserialize, Serialize};

use super::ids::{DefinitionId, ImportId, Name, Position, ScopeId};
use super::reference::Value;

/// A region of the text in which names are bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// What opens it.
    pub kind: ScopeKind,
    /// The scope around it; `None` for the module's.
    pub parent: Option<ScopeId>,
    /// The definition whose scope this is, or that encloses it.
    pub definition: Option<DefinitionId>,
}

/// What opens a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScopeKind {
    /// The file.
    Module,
    /// A class's, interface's or enum's body: functions inside do not see its names.
    ///
    /// In JavaScript and TypeScript only an enum's names are looked up in it: whatever else is evaluated in a class's body is in
    /// the scope around, or in a function's of its own.
    Class,
    /// A function's or lambda's parameters and body.
    Function,
    /// An arrow function's parameters and body, in which `this` is that of the scope around; Python has none.
    Arrow,
    /// A comprehension or generator expression.
    Comprehension,
    /// The type parameters of a definition or type alias; it stands around the definition's own scope.
    ///
    /// Unlike a function it sees the names of a class directly around it.
    TypeParameters,
    /// A block, loop, `switch` or `catch` that binds names of its own, and a body that default values of parameters do not see; Python
    /// has none.
    Block,
    /// A namespace's body: its names are seen inside, and those that it exports are its members.
    Namespace,
}

/// A name that a scope binds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The scope that holds the name; for an attribute the class's.
    pub scope: ScopeId,
    /// The name.
    pub name: Name,
    /// Where it stands.
    pub at: Position,
    /// What is bound to it.
    pub to: Bound,
    /// The scope in which the names of its value or annotation are looked up.
    pub value_scope: ScopeId,
}

/// What a name is bound to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bound {
    /// A definition of this file.
    Definition(DefinitionId),
    /// What an import brings.
    Import(ImportId),
    /// A parameter with its annotation.
    ///
    /// Where `this` is bound, it is what TypeScript declares it to be, or that a function in a method has a `this` of its own.
    Parameter(Option<Value>),
    /// A variable: its annotation, else what is assigned to it, where that is a name or a call of one.
    ///
    /// What `with` enters counts as assigned, and what `except` catches as a call of the exception's class. In Python a loop gives one
    /// of what it goes over, and what may be either of two values, `a or b`, is bound twice.
    Variable(Option<Value>),
    /// `self.name = …` in a method: an attribute of the class's instances, or with `cls` of the class.
    ///
    /// In JavaScript and TypeScript fields, properties of interfaces, `this.name = …` and what a constructor's parameters
    /// declare; with `this.name = …` in a function that is in no class the scope is the function's.
    Attribute(Option<Value>),
    /// `global` or `nonlocal`: the name of a scope around this one.
    Outer(Outer),
}

/// Which outer scope a name is declared to be of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outer {
    /// The module's.
    Global,
    /// The nearest function's that binds it.
    Nonlocal,
}

/// The name to which the scope of a function that does not say what it returns binds what it returns, each time as a variable.
pub const RETURNED: &str = "return";
