//! What one file says by itself: definitions, scopes, bindings, references, imports, exports.
//!
//! Facts are a pure function of a text and its language. Who a reference means depends on other files and is
//! worked out when it is asked for; nothing of it is here. Lines are 1-based, columns 0-based UTF-16 units.

mod definition;
mod ids;
mod module;
mod reference;
mod scope;

use serde::{Deserialize, Serialize};

pub use self::definition::{BodyHash, DefinitionFact};
pub use self::ids::{DefinitionId, ImportId, Name, Position, ScopeId};
pub use self::module::{EXPORT_EQUALS, Export, Exported, Import, Imported};
pub use self::reference::{OWN_INSTANCE, Receiver, Reference, ReferenceKind, Space, Value};
pub use self::scope::{Binding, Bound, Outer, RETURNED, Scope, ScopeKind};
use crate::symbol::Symbol;

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
