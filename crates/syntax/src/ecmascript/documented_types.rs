//! The state of the pass that reads the types of documentation comments.

use ragnav_base::hash::{HashMap, HashSet};

use super::jsdoc::types::DocType;
use crate::facts::{MODULE, Name, ScopeId, TypeFact, Value};
use crate::tree::NodeIndex;

/// The types that the documentation comments of a file name.
pub(super) struct DocumentedTypes<'t> {
    /// Whether comments declare types, as in JavaScript.
    pub(super) is_read: bool,
    /// The types of `@typedef` and `@callback` with their comments, by their names.
    pub(super) named: HashMap<&'t str, (DocType<'t>, NodeIndex)>,
    /// The names that `@import` binds.
    pub(super) imported: HashSet<&'t str>,
    /// The names of types of which nothing is known, or of several types.
    pub(super) open_names: HashSet<&'t str>,
    /// The names of `@template`. For each comment that has one, in order: the comment, and the end
    /// of the last node that it or one before it documents.
    pub(super) templates: HashMap<&'t str, Vec<(NodeIndex, NodeIndex)>>,
    /// The names of imported modules, by their specifiers.
    pub(super) modules: HashMap<&'t str, String>,
    /// The types of parameters that are patterns.
    pub(super) patterns: HashMap<NodeIndex, Value>,
    /// The code that the comment being read documents, or the comment itself.
    pub(super) documented_node: NodeIndex,
    /// The scope of that code.
    pub(super) documented_scope: ScopeId,
    /// The scopes in which comments look up names, by the scopes of the code that they document.
    pub(super) scopes: HashMap<ScopeId, ScopeId>,
    /// The values of names, by the scopes in which they are looked up.
    pub(super) values: HashMap<(ScopeId, Name), Value>,
    /// The types that no name expresses.
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
            templates: HashMap::default(),
            documented_node: 0,
            documented_scope: MODULE,
            scopes: HashMap::default(),
            values: HashMap::default(),
            facts: Vec::new(),
        }
    }
}

impl DocumentedTypes<'_> {
    /// Sets the code that the next types document, and its scope.
    pub(super) fn begin(&mut self, node: NodeIndex, scope: ScopeId) {
        self.documented_node = node;
        self.documented_scope = scope;
    }

    /// Reports whether a name may stand for any type where the current comment is.
    pub(super) fn is_open(&self, name: &str) -> bool {
        let at = self.documented_node;
        let is_template = self.templates.get(name).is_some_and(|ranges| {
            let begun = ranges.partition_point(|(start, _)| *start <= at);
            let last = begun.checked_sub(1).and_then(|last| ranges.get(last));
            last.is_some_and(|(_, end)| at < *end)
        });
        is_template || self.open_names.contains(name)
    }
}
