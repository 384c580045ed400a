//! The state of the pass that reads the types of documentation comments.

use ragnav_base::hash::{HashMap, HashSet};

use super::jsdoc::types::DocType;
use crate::facts::{MODULE, Name, ScopeId, TypeFact, Value};
use crate::tree::NodeIndex;

/// The types that the documentation comments of a file name.
pub(super) struct DocumentedTypes<'t> {
    /// Whether the language leaves types to comments.
    pub(super) is_read: bool,
    /// The types of `@typedef` and `@callback`, by their names.
    pub(super) named: HashMap<&'t str, DocType<'t>>,
    /// The names that `@import` binds.
    pub(super) imported: HashSet<&'t str>,
    /// The names that may stand for any type: those of `@template`, of several types, and of types
    /// of which nothing is known.
    pub(super) open_names: HashSet<&'t str>,
    /// The names of imported modules, by their specifiers.
    pub(super) modules: HashMap<&'t str, String>,
    /// The types of parameters that are patterns.
    pub(super) patterns: HashMap<NodeIndex, Value>,
    /// The scope of the code that the comment documents which is read.
    pub(super) documented_scope: ScopeId,
    /// The scopes in which comments look up names, by the scopes of the code that they document.
    pub(super) scopes: HashMap<ScopeId, ScopeId>,
    /// The values of names, by the scopes in which they are looked up.
    pub(super) values: HashMap<(ScopeId, Name), Value>,
    pub(super) facts: Vec<TypeFact>,
}

impl Default for DocumentedTypes<'_> {
    fn default() -> Self {
        Self {
            is_read: false,
            named: HashMap::default(),
            imported: HashSet::default(),
            open_names: HashSet::default(),
            modules: HashMap::default(),
            patterns: HashMap::default(),
            documented_scope: MODULE,
            scopes: HashMap::default(),
            values: HashMap::default(),
            facts: Vec::new(),
        }
    }
}
