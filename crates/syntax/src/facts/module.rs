//! Imports and exports.

use serde::{Deserialize, Serialize};

use super::ids::{DefinitionId, ImportId, Name, Position, ScopeId};
use super::reference::Value;

/// An import of one name or of one module.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "from ..shop import cart as basket\n";
/// let facts = extract_facts(find_language("python").unwrap(), text);
/// let import = &facts.imports[0];
/// assert_eq!((facts.name(import.module), import.level), ("shop", 2));
/// assert_eq!(import.alias.map(|alias| facts.name(alias)), Some("basket"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The module as it is written, without leading dots: `a.b`. Empty for `from . import x`.
    ///
    /// In JavaScript and TypeScript it is the specifier: `./a.js`. In Ruby it is the path that
    /// `require` names.
    pub module: Name,
    /// The number of leading dots: 0 for an absolute import. In C# it has the bits
    /// [`GLOBAL_USING`](super::GLOBAL_USING) and [`STATIC_USING`](super::STATIC_USING). In Ruby it
    /// is 1 for a path from the folder of the file.
    pub level: u32,
    /// The part of the module that is imported.
    pub item: ImportedItem,
    /// The name that the import binds: `a` for `import a.b`, and `None` for a star.
    ///
    /// In JavaScript and TypeScript it is also `None` if no name is bound: `export … from`,
    /// `import "a"`, and `require("a")` or `import("a")` inside other expressions.
    pub alias: Option<Name>,
    /// The scope that binds the name.
    pub scope: ScopeId,
    /// The position of the imported name, or else of the module's last segment or of its dots.
    ///
    /// The reference of the import stands at the same position; a star has none. In JavaScript and
    /// TypeScript a default import or a module has the position of the bound name. A module that
    /// binds no name has the position of its specifier, and no reference.
    pub position: Position,
}

/// The part of a module that an import brings into scope.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::ImportedItem;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "import a\nfrom b import *\n");
/// let items: Vec<_> = facts.imports.iter().map(|import| import.item).collect();
/// assert_eq!(items, [ImportedItem::Module, ImportedItem::Star]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImportedItem {
    /// The module itself: `a` for `import a.b`, and `a.b` for `import a.b as c`.
    ///
    /// For `import * as a` it is the namespace object, for `require` the value of `module.exports`.
    Module,
    /// A member of the module: `default` for `import a from "b"`.
    Member(Name),
    /// Everything that the module exports.
    Star,
}

/// The prefix of the names under which modules are bound that code gives no name: that of
/// `import("./a")`.
pub const UNNAMED_MODULE: &str = "import ";

/// A name under which a module exports something.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "const a = 1;\nexport { a as b };\n";
/// let facts = extract_facts(find_language("typescript").unwrap(), text);
/// assert_eq!(facts.name(facts.exported[0].name), "b");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// The exported name: `default` for a default export, [`EXPORT_EQUALS`] for the module as a
    /// whole, and `*` for a star.
    ///
    /// A star with [`ExportedItem::Other`] means that the module may export any name.
    pub name: Name,
    /// The exported value.
    pub item: ExportedItem,
    /// The position of the name, or of the exported expression if it has no name.
    pub position: Position,
}

/// The value that a module exports.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::{DefinitionId, ExportedItem};
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "export default function total() {}\n";
/// let facts = extract_facts(find_language("typescript").unwrap(), text);
/// assert_eq!(facts.exported[0].item, ExportedItem::Definition(DefinitionId(0)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExportedItem {
    /// The binding of a name in the module's scope.
    Local(Name),
    /// A definition of this file.
    Definition(DefinitionId),
    /// The imported item, or all exports of the imported module for a star.
    From(ImportId),
    /// The value of a dotted name or call, looked up in the module's scope.
    Value(Value),
    /// Any other expression.
    Other,
}

/// The name of what `module.exports = a` and `export = a` export.
///
/// `require` returns it, and so does a default import of a module without a `default` export.
pub const EXPORT_EQUALS: &str = "export=";

/// The level of an import that stands for `mod a;` in Rust, which declares that a file is a module.
/// Its module is a name, or the path in an attribute, which ends with `.rs`.
pub const MODULE_FILE: u32 = 1;
