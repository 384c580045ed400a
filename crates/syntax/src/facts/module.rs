//! Imports and exports.

use serde::{Deserialize, Serialize};

use super::ids::{DefinitionId, ImportId, Name, Position, ScopeId};
use super::reference::Value;

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

/// The name of what `module.exports = a` and `export = a` export: what `require` gives, and a default import where nothing is
/// exported as `default`.
pub const EXPORT_EQUALS: &str = "export=";
