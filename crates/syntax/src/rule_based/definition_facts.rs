//! Definitions with the scopes that they open, and what of them is seen where.

use super::builder::Walk;
use super::definitions::Found;
use super::name_scopes::To;
use super::rules::Rule;
use crate::facts::{
    Binding, BodyHash, Bound, DefinitionFact, DefinitionId, Scope, ScopeId, ScopeKind,
};
use crate::raw_definition::symbols_of;
use ragnav_base::item::DefinitionKind;
use ragnav_base::position::wire;

impl Walk<'_> {
    /// The definitions with their scopes and names.
    pub(super) fn define(&mut self, found: &[Found], hashes: &[BodyHash], text: &str) {
        let raw = found.iter().map(|found| found.raw.clone()).collect();
        let symbols = symbols_of(raw, text);
        let all = found.iter().zip(&symbols).zip(hashes);
        for ((found, symbol), body) in all {
            let parent = found.raw.parent.map(|parent| DefinitionId(wire(parent)));
            let id = DefinitionId(wire(self.facts.definitions.len()));
            let around = self.scope_of(parent);
            let scope = self.open_scope(found.raw.kind, id, around);
            let name = self.names.name(self.tree.text(found.named.name));
            let qualifier = found.qualifier.clone();
            let name_at = self.position(found.named.name);
            self.facts.definitions.push(DefinitionFact {
                kind: found.raw.kind,
                name,
                qualifier: qualifier.map(|qualifier| self.names.name(qualifier)),
                parent,
                ordinal: wire(symbol.ordinal),
                decorated_start_line: wire(symbol.decorated_start_line),
                start_line: wire(symbol.start_line),
                start_utf16: symbol.start_utf16,
                end_line: wire(symbol.end_line),
                name_at,
                scope,
                bases: Vec::new(),
                decorators: Vec::new(),
                returns: None,
                docstring: found.docstring.clone(),
                body: *body,
            });
            self.bind(found, id, around, scope);
        }
    }

    /// A member of a type is no name of the scope around, and neither is one that has to be asked of its instance.
    fn bind(&mut self, found: &Found, id: DefinitionId, around: ScopeId, own: ScopeId) {
        let is_method = found.raw.kind == DefinitionKind::Method;
        if found.qualifier.is_some() || (is_method && !self.table.sees_members) {
            return;
        }
        let text = self.tree.text(found.named.name);
        if is_method && !self.is_plain_method(found) {
            self.seen.bind(around, text, To::Other);
            self.seen.open(own);
            return;
        }
        let to = match found.raw.kind {
            DefinitionKind::Function | DefinitionKind::Method => To::Functions,
            _ => To::Types,
        };
        self.seen.bind(around, text, to);
        let binding = Binding {
            scope: around,
            name: self.names.name(text),
            at: self.position(found.named.name),
            to: Bound::Definition(id),
            value_scope: around,
        };
        self.facts.bindings.push(binding);
    }

    /// Not one of a class without a name, which inherits what nobody says here, and not one of a Ruby class itself.
    fn is_plain_method(&self, found: &Found) -> bool {
        let is_of_class =
            self.table.has_open_classes && self.tree.kind(found.named.definition) != Rule::Function;
        let parent = found.raw.parent;
        let parent = parent.and_then(|parent| self.facts.definitions.get(parent));
        let is_in_type = parent.is_some_and(|parent| {
            !matches!(
                parent.kind,
                DefinitionKind::Function | DefinitionKind::Method
            )
        });
        is_in_type && !is_of_class
    }

    fn open_scope(&mut self, kind: DefinitionKind, id: DefinitionId, around: ScopeId) -> ScopeId {
        let scope_kind = match kind {
            DefinitionKind::Function | DefinitionKind::Method => ScopeKind::Function,
            // What sees a class's members by their names does so as in a namespace.
            _ => ScopeKind::Namespace,
        };
        let is_sealed = kind == DefinitionKind::Namespace && self.table.seals_namespaces;
        self.seen.add_scope(is_sealed);
        let scope = ScopeId(wire(self.facts.scopes.len()));
        self.facts.scopes.push(Scope {
            kind: scope_kind,
            parent: Some(around),
            definition: Some(id),
        });
        // What is mixed in is not said in the head of a Ruby class.
        if self.table.has_open_classes && scope_kind == ScopeKind::Namespace {
            self.seen.open(scope);
        }
        scope
    }
}
