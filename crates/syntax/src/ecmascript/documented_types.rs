//! The state of the pass that reads the types of documentation comments.

use ragnav_base::hash::{HashMap, HashSet};

use super::jsdoc::types::DocType;
use crate::facts::{ScopeId, TypeFact, Value};
use crate::tree::NodeIndex;

/// The types that the documentation comments of a file name.
#[derive(Default)]
pub(super) struct DocumentedTypes<'t> {
    /// Whether the language leaves types to comments.
    pub(super) is_read: bool,
    /// The types of `@typedef` and `@import`, by their names.
    pub(super) named: HashMap<&'t str, DocType<'t>>,
    /// The names of `@template`, which stand for any type.
    pub(super) templates: HashSet<&'t str>,
    /// The values of the types of `named`, without those that are being read.
    pub(super) values: HashMap<&'t str, Option<Value>>,
    /// The names of imported modules, by their specifiers.
    pub(super) modules: HashMap<&'t str, String>,
    /// The types of parameters that are patterns.
    pub(super) patterns: HashMap<NodeIndex, Value>,
    /// The scope in which the names of types are looked up.
    pub(super) scope: Option<ScopeId>,
    pub(super) facts: Vec<TypeFact>,
}
