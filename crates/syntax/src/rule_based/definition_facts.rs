//! Adds definitions, the scopes that they open and the bindings of their names.

use super::builder::FactsBuilder;
use super::definitions::FoundDefinition;
use super::grammar_rules::MembersInScope;
use super::name_scopes::NameTarget;
use crate::facts::{
    Binding, BindingTarget, BodyHash, DefinitionFact, DefinitionId, Scope, ScopeId, ScopeKind,
};
use crate::raw_definition::into_symbols;
use ragnav_base::item::DefinitionKind;
use ragnav_base::position::wire;

impl FactsBuilder<'_> {
    /// Adds the facts of all definitions.
    pub(super) fn add_definitions(
        &mut self,
        found: &[FoundDefinition],
        hashes: &[BodyHash],
        text: &str,
    ) {
        let raw = found.iter().map(|found| found.raw.clone()).collect();
        let symbols = into_symbols(raw, text);
        let all = found.iter().zip(&symbols).zip(hashes);
        for ((found, symbol), body) in all {
            let parent = found.raw.parent.map(|parent| DefinitionId(wire(parent)));
            let id = DefinitionId(wire(self.facts.definitions.len()));
            let enclosing = self.scope_of(parent);
            let scope = self.open_scope(found.raw.kind, id, enclosing);
            if found.is_open {
                self.name_scopes.mark_open(scope);
            }
            let name = match &found.spelled {
                Some(name) => self.names.intern(name.clone()),
                None => self.names.intern(self.tree.name(found.named.name)),
            };
            let qualifier = found.qualifier.clone();
            let name_position = self.position_of(found.named.name);
            self.facts.definitions.push(DefinitionFact {
                kind: found.raw.kind,
                name,
                qualifier: qualifier.map(|qualifier| self.names.intern(qualifier)),
                parent,
                ordinal: wire(symbol.ordinal),
                decorated_start_line: wire(symbol.decorated_start_line),
                start_line: wire(symbol.start_line),
                start_utf16: symbol.start_utf16,
                end_line: wire(symbol.end_line),
                end_utf16: symbol.end_utf16,
                name_position,
                scope,
                bases: Vec::new(),
                decorators: Vec::new(),
                returns: None,
                parameters: None,
                docstring: found.docstring.clone(),
                body: *body,
            });
            self.bind(found, id, enclosing, scope);
        }
    }

    /// Binds the name of a definition in the enclosing scope.
    ///
    /// A member of a type is not bound if it is accessible only through an instance.
    fn bind(
        &mut self,
        found: &FoundDefinition,
        id: DefinitionId,
        enclosing: ScopeId,
        own: ScopeId,
    ) {
        let is_method = found.raw.kind == DefinitionKind::Method;
        let is_nameless = found.qualifier.is_some() || found.spelled.is_some();
        if is_nameless || (is_method && self.rules.members_in_scope == MembersInScope::None) {
            return;
        }
        let text = self.tree.name(found.named.name);
        if is_method && !self.is_plain_method(found) {
            self.name_scopes.bind(enclosing, text, NameTarget::Other);
            self.name_scopes.mark_open(own);
            return;
        }
        let to = match found.raw.kind {
            DefinitionKind::Function | DefinitionKind::Method => NameTarget::Functions,
            _ => NameTarget::Types,
        };
        self.name_scopes.bind(enclosing, text, to);
        let binding = Binding {
            scope: enclosing,
            name: self.names.intern(text),
            position: self.position_of(found.named.name),
            target: BindingTarget::Definition(id),
            value_scope: enclosing,
        };
        self.facts.bindings.push(binding);
    }

    /// Reports whether a method can be called by its bare name inside its type.
    ///
    /// A method of an anonymous class cannot, since its bases are unknown.
    fn is_plain_method(&self, found: &FoundDefinition) -> bool {
        let parent = found.raw.parent;
        let parent = parent.and_then(|parent| self.facts.definitions.get(parent));
        parent.is_some_and(|parent| {
            !matches!(
                parent.kind,
                DefinitionKind::Function | DefinitionKind::Method
            )
        })
    }

    fn open_scope(
        &mut self,
        kind: DefinitionKind,
        id: DefinitionId,
        enclosing: ScopeId,
    ) -> ScopeId {
        let scope_kind = match kind {
            DefinitionKind::Function | DefinitionKind::Method => ScopeKind::Function,
            // Members in scope are looked up as in a namespace, not as in a Python class.
            _ => ScopeKind::Namespace,
        };
        self.name_scopes.add_scope();
        let scope = ScopeId(wire(self.facts.scopes.len()));
        self.facts.scopes.push(Scope {
            kind: scope_kind,
            parent: Some(enclosing),
            definition: Some(id),
        });
        scope
    }
}
