//! What one file says by itself: definitions, scopes, bindings, references, imports, exports.
//!
//! Facts are a pure function of a text and its language. Who a reference means depends on other files and is
//! worked out when it is asked for; nothing of it is here. Lines are 1-based, columns 0-based UTF-16 units.

use serde::{Deserialize, Serialize};

use super::Symbol;
use ragnav_base::item::DefinitionKind;

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
    /// What the module exports under which name, in the order of the text; empty in Python.
    pub exported: Vec<Export>,
    /// Whether the text says more: it is nested, named or repeated beyond what is read.
    pub is_partial: bool,
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
            names.extend(definition.qualifier.map(|qualifier| self.name(qualifier)));
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
            let around = around.map(|around| around.name_path.as_str());
            let qualifier = definition.qualifier.map(|qualifier| self.name(qualifier));
            let segments: Vec<&str> = around.into_iter().chain(qualifier).chain([name]).collect();
            let name_path = segments.join(".");
            symbols.push(Symbol {
                kind: definition.kind,
                name_path,
                ordinal: definition.ordinal as usize,
                decorated_start_line: definition.decorated_start_line as usize,
                start_line: definition.start_line as usize,
                start_utf16: definition.start_utf16,
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

/// What facts by name call the instance around, whatever the language does.
pub const OWN_INSTANCE: &str = "this";

/// A dotted name, or a call of one: `a.b` or `a.b(…)`.
///
/// A segment may be followed by what is done with it on the way: `()` for a call, in Python `[]` for a subscript as well: `a.b().c[]`;
/// a `*` at the end stands for one of its elements. Names with calls or subscripts are bounded, in Python by 16 segments and in all
/// languages by 200 bytes.
///
/// An annotation says that the value is an instance of a class, as a call of the class is: it counts as called. Where it says that
/// the value holds others it is `[…]` around what a loop over it gives, or `{…}` around a mapping's values: `[A()]` for `list[A]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Value {
    /// The dotted name; see above for what it may hold beside names.
    pub path: Name,
    /// Whether it is called, so that the value is what it returns or constructs.
    pub called: bool,
}

/// A mention of a name; a member that is assigned to is mentioned too, in Python.
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
    /// What the name can be of, where the language tells from the place.
    pub space: Space,
}

/// What a name can be of: TypeScript has names of types apart from those of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Space {
    /// Values: variables, functions, classes, enums, namespaces.
    Values,
    /// Types: interfaces, type aliases, classes, enums.
    Types,
    /// Either; everything in languages that do not tell them apart.
    Any,
}

/// What a mentioned name is a member of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Receiver {
    /// Nothing: it is looked up in its scope.
    None,
    /// A dotted name or a call of one: `a.b` in `a.b.c`, `A()` in `A().c`.
    Value(Value),
    /// Any other expression; in languages that are linked by name also what is around the file, for a name that it does not define.
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
    ///
    /// In JavaScript and TypeScript the specifier: `./a.js`.
    pub module: Name,
    /// How many dots lead the module: 0 for an absolute one.
    pub level: u32,
    /// What of the module is imported.
    pub what: Imported,
    /// The name it is bound to; for `import a.b` it is `a`; `None` for a star.
    ///
    /// In JavaScript and TypeScript also `None` where no name is bound: `export … from`, `import "a"`, `require("a")` and `import("a")`
    /// inside other expressions.
    pub alias: Option<Name>,
    /// The scope in which it is bound.
    pub scope: ScopeId,
    /// Where the imported name stands, or the module's last segment where there is none, or its dots.
    ///
    /// Its reference, which all but stars have, stands there too. In JavaScript and TypeScript a default import and a module are
    /// imported by the name they are bound to; without one a module has no reference, and the specifier's place.
    pub at: Position,
}

/// What of a module an import brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Imported {
    /// The module itself; with `import a.b` its first segment, with `import a.b as c` its last.
    ///
    /// With `import * as a` it is the namespace object, with `require` what is assigned to `module.exports`.
    Module,
    /// A member of it; `default` for `import a from`.
    Member(Name),
    /// All that it exports.
    Star,
}

/// A name under which a module exports something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// The name: `default` for a default export, [`EXPORT_EQUALS`] for what is the module itself, `*` for a star.
    ///
    /// A star of [`Exported::Other`] says that the module may export anything.
    pub name: Name,
    /// What is exported.
    pub what: Exported,
    /// Where the name stands, or what is exported where it has no name.
    pub at: Position,
}

/// The name of what `module.exports = a` and `export = a` export: what `require` gives, and a default import where nothing is
/// exported as `default`.
pub const EXPORT_EQUALS: &str = "export=";

/// What a module exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exported {
    /// What a name of the module's scope is bound to.
    Local(Name),
    /// A definition of this file.
    Definition(DefinitionId),
    /// What an import brings; all that the module exports where it is a star.
    From(ImportId),
    /// What a dotted name or a call of one is, looked up in the module's scope.
    Value(Value),
    /// Any other expression.
    Other,
}
