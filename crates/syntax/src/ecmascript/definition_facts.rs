//! Adds the facts of definitions.

use super::annotations::type_number;
use super::builder::FactsBuilder;
use super::definitions::FoundDefinition;
use super::kinds::{Field, FlatTree, Kind};
use super::roles::MODULE;
use super::value_text::ValueText;
use crate::facts::{BodyHash, DefinitionFact, DefinitionId, ScopeId, Value};
use crate::raw_definition::{RawDefinition, into_symbols};
use crate::symbol::Symbol;
use crate::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;
use ragnav_base::position::wire;

impl<'t> FactsBuilder<'_, 't> {
    pub(super) fn add_definitions(&mut self, text: &str) {
        let found = std::mem::take(&mut self.definitions);
        let raw: Vec<RawDefinition> = found.iter().map(|found| found.raw.clone()).collect();
        for (found, symbol) in found.iter().zip(into_symbols(raw, text)) {
            let fact = self.build_definition(found, &symbol);
            self.facts.definitions.push(fact);
        }
        self.definitions = found;
    }

    fn build_definition(&mut self, found: &FoundDefinition<'t>, symbol: &Symbol) -> DefinitionFact {
        let tree = self.tree;
        let first = found.decorators.first().copied();
        let first = first.map_or(found.statement, |first| first.min(found.statement));
        let returns = match symbol.kind {
            DefinitionKind::Type => tree.child(found.node, Field::Value),
            _ => tree.child(found.node, Field::ReturnType),
        };
        let returns = returns.and_then(|returns| tree.annotation_text(returns));
        let decorators = found.decorators.iter();
        let decorators = decorators.filter_map(|&decorator| {
            let decorator = tree.operands(decorator).next()?;
            tree.value_text(decorator)
        });
        DefinitionFact {
            kind: symbol.kind,
            name: self.intern(found.text.clone()),
            qualifier: found
                .qualifier
                .clone()
                .map(|qualifier| self.intern(qualifier)),
            parent: found.raw.parent.map(|parent| DefinitionId(wire(parent))),
            ordinal: wire(symbol.ordinal),
            decorated_start_line: wire(symbol.decorated_start_line),
            start_line: wire(symbol.start_line),
            start_utf16: symbol.start_utf16,
            end_line: wire(symbol.end_line),
            end_utf16: symbol.end_utf16,
            name_position: self.position_of(found.name),
            scope: MODULE,
            bases: self.intern_values(tree.bases(found.node, self.is_typed)),
            decorators: self.intern_values(decorators.collect()),
            returns: self.intern_value(returns),
            parameters: None,
            docstring: tree.docstring(first),
            body: BodyHash { hash: 0, tokens: 0 },
        }
    }

    fn intern_values(&mut self, value_text: Vec<ValueText<'t>>) -> Vec<Value> {
        value_text
            .into_iter()
            .filter_map(|value_text| self.intern_value(Some(value_text)))
            .collect()
    }

    /// Returns the definition of a function, class or other declaration.
    pub(super) fn definition_at(&self, node: NodeIndex) -> Option<DefinitionId> {
        let place = self
            .definitions
            .binary_search_by_key(&node, |found| found.node);
        place.ok().map(|place| DefinitionId(wire(place)))
    }

    /// Reports whether a definition has its name at this node.
    pub(super) fn is_named(&self, id: DefinitionId, name: NodeIndex) -> bool {
        let found = self.definitions.get(id.0 as usize);
        found.is_some_and(|found| found.name == name)
    }

    pub(super) fn set_definition_scope(&mut self, id: Option<DefinitionId>, scope: ScopeId) {
        let definition = id.and_then(|id| self.facts.definitions.get_mut(id.0 as usize));
        if let Some(definition) = definition {
            definition.scope = scope;
        }
    }
}

impl<'t> FlatTree<'t> {
    /// Returns the bases of a class or interface. In TypeScript a call may tell its type arguments.
    pub(super) fn bases(&self, node: NodeIndex, is_typed: bool) -> Vec<ValueText<'t>> {
        let mut bases = Vec::new();
        let heritage = self
            .children(node)
            .filter(|&child| matches!(self.kind(child), Kind::ClassHeritage | Kind::ExtendsClause));
        for clause in heritage {
            for part in self.operands(clause) {
                let inside = if self.kind(part) == Kind::ExtendsClause {
                    part
                } else {
                    bases.extend(self.base_or_unknown(part, is_typed));
                    continue;
                };
                if self.type_arguments(inside).is_some() {
                    bases.push(type_number(inside));
                    continue;
                }
                bases.extend(
                    self.operands(inside)
                        .filter_map(|base| self.base_or_unknown(base, is_typed)),
                );
            }
        }
        bases
    }

    /// Returns a base. One that is not a name is empty, and `extends null` has none.
    fn base_or_unknown(&self, node: NodeIndex, is_typed: bool) -> Option<ValueText<'t>> {
        if is_typed && self.kind(node) == Kind::Call && self.may_infer(node) {
            return Some(type_number(node));
        }
        let is_null_type = self.text(node) == "null";
        let any = || ValueText {
            path: "".into(),
            is_called: false,
        };
        self.base_text(node).or_else(|| (!is_null_type).then(any))
    }
}
