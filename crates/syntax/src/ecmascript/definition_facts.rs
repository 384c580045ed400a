//! What definitions say of themselves.

use super::builder::Walk;
use super::definitions::Found;
use super::kinds::{Field, FlatTree, Kind};
use super::roles::MODULE;
use super::value_text::Said;
use crate::facts::{BodyHash, DefinitionFact, DefinitionId, ScopeId, Value};
use crate::raw_definition::{RawDefinition, symbols_of};
use crate::symbol::Symbol;
use crate::tree::At;
use ragnav_base::item::DefinitionKind;
use ragnav_base::position::wire;

impl<'t> Walk<'_, 't> {
    pub(super) fn tell_definitions(&mut self, text: &str) {
        let found = std::mem::take(&mut self.found);
        let raw: Vec<RawDefinition> = found.iter().map(|found| found.raw.clone()).collect();
        for (found, symbol) in found.iter().zip(symbols_of(raw, text)) {
            let fact = self.fact(found, &symbol);
            self.facts.definitions.push(fact);
        }
        self.found = found;
    }

    fn fact(&mut self, found: &Found<'t>, symbol: &Symbol) -> DefinitionFact {
        let tree = self.tree;
        let first = found.decorators.first().copied();
        let first = first.map_or(found.statement, |first| first.min(found.statement));
        let returns = match symbol.kind {
            DefinitionKind::Type => tree.child(found.node, Field::Value),
            _ => tree.child(found.node, Field::ReturnType),
        };
        let returns = returns.and_then(|returns| tree.annotation(returns));
        let decorators = found.decorators.iter();
        let decorators = decorators.filter_map(|&decorator| {
            let decorator = tree.operands(decorator).next()?;
            tree.value(decorator)
        });
        DefinitionFact {
            kind: symbol.kind,
            name: self.name(found.text.clone()),
            qualifier: found
                .qualifier
                .clone()
                .map(|qualifier| self.name(qualifier)),
            parent: found.raw.parent.map(|parent| DefinitionId(wire(parent))),
            ordinal: wire(symbol.ordinal),
            decorated_start_line: wire(symbol.decorated_start_line),
            start_line: wire(symbol.start_line),
            start_utf16: symbol.start_utf16,
            end_line: wire(symbol.end_line),
            name_at: self.position(found.name),
            scope: MODULE,
            bases: self.values(tree.bases(found.node)),
            decorators: self.values(decorators.collect()),
            returns: self.value(returns),
            docstring: tree.docstring(first),
            body: BodyHash { hash: 0, tokens: 0 },
        }
    }

    fn values(&mut self, said: Vec<Said<'t>>) -> Vec<Value> {
        said.into_iter()
            .filter_map(|said| self.value(Some(said)))
            .collect()
    }

    /// The definition that a function, class or other declaration is.
    pub(super) fn definition_at(&self, node: At) -> Option<DefinitionId> {
        let place = self.found.binary_search_by_key(&node, |found| found.node);
        place.ok().map(|place| DefinitionId(wire(place)))
    }

    /// Whether a definition goes by the name that stands there.
    pub(super) fn is_named(&self, id: DefinitionId, name: At) -> bool {
        let found = self.found.get(id.0 as usize);
        found.is_some_and(|found| found.name == name)
    }

    pub(super) fn own_scope(&mut self, id: Option<DefinitionId>, scope: ScopeId) {
        let definition = id.and_then(|id| self.facts.definitions.get_mut(id.0 as usize));
        if let Some(definition) = definition {
            definition.scope = scope;
        }
    }
}

impl<'t> FlatTree<'t> {
    /// What a class or interface extends and implements.
    fn bases(&self, at: At) -> Vec<Said<'t>> {
        let mut bases = Vec::new();
        let heritage = self
            .children(at)
            .filter(|&child| matches!(self.kind(child), Kind::ClassHeritage | Kind::ExtendsClause));
        for clause in heritage {
            for part in self.operands(clause) {
                let inside = if self.kind(part) == Kind::ExtendsClause {
                    part
                } else {
                    bases.extend(self.base_or_any(part));
                    continue;
                };
                let named = self.operands(inside);
                let named = named.filter(|&base| self.kind(base) != Kind::TypeArguments);
                bases.extend(named.filter_map(|base| self.base_or_any(base)));
            }
        }
        bases
    }

    /// A base, which is one without a name where it cannot be read; `None` for `extends null`.
    fn base_or_any(&self, at: At) -> Option<Said<'t>> {
        let is_nothing = self.text(at) == "null";
        let any = || Said {
            path: "".into(),
            called: false,
        };
        self.base(at).or_else(|| (!is_nothing).then(any))
    }
}
