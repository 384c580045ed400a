//! What one file says by itself: definitions, scopes, bindings, references, imports, exports.
//!
//! Facts are a pure function of a text and its language. Who a reference means depends on other files and is
//! worked out when it is asked for; nothing of it is here. Lines are 1-based, columns 0-based UTF-16 units.

use serde::{Deserialize, Serialize};

use super::Symbol;
use crate::item::DefinitionKind;

/// Everything that one file says by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Every name and dotted name in the facts, each once; [`Name`] is a place in it.
    pub names: Vec<String>,
    /// The definitions, in the order of the text, so that one stands behind those around it.
    pub definitions: Vec<DefinitionFact>,
    /// The scopes, the module's first; one stands behind the scope around it.
    pub scopes: Vec<Scope>,
    /// What binds names, in the order of the text.
    pub bindings: Vec<Binding>,
    /// What mentions names, in the order of the text.
    pub references: Vec<Reference>,
    /// What other modules are imported, in the order of the text.
    pub imports: Vec<Import>,
    /// The names that the module says it exports; `None` where it does not say.
    pub exports: Option<Vec<Name>>,
}

impl Facts {
    /// The text of a name; `""` for a name of other facts.
    #[must_use]
    pub fn name(&self, name: Name) -> &str {
        let text = self.names.get(name.0 as usize);
        text.map(String::as_str).unwrap_or_default()
    }

    /// The names of the definitions around one and its own, joined with dots.
    #[must_use]
    pub fn name_path(&self, id: DefinitionId) -> String {
        let mut names = Vec::new();
        let mut next = Some(id);
        while let Some(definition) = next.and_then(|id| self.definitions.get(id.0 as usize)) {
            names.push(self.name(definition.name));
            // One stands behind those around it; anything else would lead round in a circle.
            next = definition.parent.filter(|parent| Some(*parent) < next);
        }
        names.reverse();
        names.join(".")
    }

    /// What [`symbols`](super::symbols) says of the same text.
    #[must_use]
    pub fn symbols(&self) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = Vec::with_capacity(self.definitions.len());
        for definition in &self.definitions {
            let name = self.name(definition.name);
            let parent = definition.parent;
            let around = parent.and_then(|parent| symbols.get(parent.0 as usize));
            let name_path = match around {
                Some(around) => format!("{}.{name}", around.name_path),
                None => name.to_owned(),
            };
            symbols.push(Symbol {
                kind: definition.kind,
                name_path,
                ordinal: definition.ordinal as usize,
                decorated_start_line: definition.decorated_start_line as usize,
                start_line: definition.start_line as usize,
                end_line: definition.end_line as usize,
            });
        }
        symbols
    }
}

/// A place in [`Facts::names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name(pub u32);

/// A place in [`Facts::scopes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ScopeId(pub u32);

/// A place in [`Facts::definitions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DefinitionId(pub u32);

/// A place in [`Facts::imports`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ImportId(pub u32);

/// Something with a name and a body.
///
/// The names in its bases, decorators and return value are looked up in the scope around its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinitionFact {
    /// What it defines.
    pub kind: DefinitionKind,
    /// Its own name.
    pub name: Name,
    /// The definition directly around it.
    pub parent: Option<DefinitionId>,
    /// Which of the definitions with its name path in this file it is, from 0.
    pub ordinal: u32,
    /// The line of its first decorator; `start_line` where it has none.
    pub decorated_start_line: u32,
    /// The line of its `def` or `class`.
    pub start_line: u32,
    /// The line on which its last statement ends; comments after it do not count.
    pub end_line: u32,
    /// Where its own name stands.
    pub name_at: Position,
    /// The scope that its body opens.
    pub scope: ScopeId,
    /// The superclasses, as far as they are names or calls of names; `Base[T]` is `Base`.
    pub bases: Vec<Value>,
    /// The decorators, as far as they are names or calls of names.
    pub decorators: Vec<Value>,
    /// What it says it returns.
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

/// Where a name stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// Where it begins on the line.
    pub start_utf16: u32,
}

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
    /// A class's body: functions inside do not see its names.
    Class,
    /// A function's or lambda's parameters and body.
    Function,
    /// A comprehension or generator expression.
    Comprehension,
    /// The type parameters of a definition or type alias; it stands around the definition's own scope.
    ///
    /// Unlike a function it sees the names of a class directly around it.
    TypeParameters,
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
    Parameter(Option<Value>),
    /// A variable: its annotation, else what is assigned to it, where that is a name or a call of one.
    ///
    /// What `with` enters counts as assigned, and what `except` catches as a call of the exception's class.
    Variable(Option<Value>),
    /// `self.name = …` in a method: an attribute of the class's instances, or with `cls` of the class.
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

/// A dotted name, or a call of one: `a.b` or `a.b(…)`.
///
/// An annotation says that the value is an instance of a class, as a call of the class is: it counts as called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Value {
    /// The dotted name.
    pub path: Name,
    /// Whether it is called, so that the value is what it returns or constructs.
    pub called: bool,
}

/// A mention of a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The name: the last segment of what is mentioned.
    pub name: Name,
    /// What it is a member of.
    pub receiver: Receiver,
    /// What is done with it.
    pub kind: ReferenceKind,
    /// Where the name stands.
    pub at: Position,
    /// The scope in which the name is looked up.
    pub scope: ScopeId,
}

/// What a mentioned name is a member of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Receiver {
    /// Nothing: it is looked up in its scope.
    None,
    /// A dotted name or a call of one: `a.b` in `a.b.c`, `A()` in `A().c`.
    Value(Value),
    /// Any other expression.
    Unknown,
}

/// What is done with a mentioned name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ReferenceKind {
    /// It is called.
    Call,
    /// It is imported.
    Import,
    /// A class inherits from it.
    Inherit,
    /// Anything else.
    Reference,
}

/// One name that an import statement brings, or a module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The module as it is written, without leading dots: `a.b`; empty for `from . import x`.
    pub module: Name,
    /// How many dots lead the module: 0 for an absolute one.
    pub level: u32,
    /// What of the module is imported.
    pub what: Imported,
    /// The name it is bound to; for `import a.b` it is `a`; `None` for a star.
    pub alias: Option<Name>,
    /// The scope in which it is bound.
    pub scope: ScopeId,
    /// Where the imported name stands, or the module's last segment where there is none, or its dots.
    ///
    /// Its reference, which all but stars have, stands there too.
    pub at: Position,
}

/// What of a module an import brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Imported {
    /// The module itself; with `import a.b` its first segment, with `import a.b as c` its last.
    Module,
    /// A member of it.
    Member(Name),
    /// All that it exports.
    Star,
}
