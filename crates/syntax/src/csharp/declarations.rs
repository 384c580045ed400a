//! Visits fields, variables, parameters and patterns.

use super::MAX_STEPS;
use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, FlatTree, Kind};
use super::patterns::part_name;
use crate::facts::{BindingTarget, ScopeId, TypeShape};
use crate::facts_writer::NameAt;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

impl FlatTree<'_> {
    /// Reports whether an argument is a product, which the grammar reads as the declaration of a
    /// pointer: `f(a * b)`.
    fn is_product(&self, node: NodeIndex) -> bool {
        let argument = self.parent(node);
        let of = self.child(node, Field::Type);
        let before = self.slice(self.node(argument).start, self.node(node).start);
        self.kind(argument) == Kind::Argument
            && before.trim().is_empty()
            && of.is_some_and(|of| self.text(of).ends_with('*'))
    }

    /// Returns the name that a clause of a query binds: `a` of `let a = b`, of `join a in b …` and
    /// of `into a`.
    fn first_name(&self, clause: NodeIndex) -> Option<NodeIndex> {
        let mut operands = self.operands(clause);
        operands
            .find(|one| self.kind(*one) == Kind::Identifier && self.node(*one).field != Field::Type)
    }

    /// Returns what follows the name that a clause of a query binds: `b`.
    fn after_first_name(&self, clause: NodeIndex) -> Option<NodeIndex> {
        let name = self.first_name(clause)?;
        self.operands(clause).find(|one| *one > name)
    }
}

impl<'t> FactsBuilder<'t> {
    pub(super) fn visit_field(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let variable = tree
            .operands(node)
            .find(|one| tree.kind(*one) == Kind::Variable);
        let Some(variable) = variable else {
            return;
        };
        let of = tree.child(variable, Field::Type);
        let value = of.and_then(|of| tree.type_value(of));
        for name in self.declared_names(variable) {
            self.bind_member(name, scope, value.clone());
        }
    }

    pub(super) fn visit_enum_member(&mut self, node: NodeIndex, scope: ScopeId) {
        let facts = &self.writer.facts;
        let owner = facts.scope(scope).and_then(|scope| scope.definition);
        let owner = owner.and_then(|id| facts.definition(id));
        let owner = owner.map(|owner| self.writer.names.text(owner.name).to_owned());
        let value = owner.map(|owner| ValueText::call(format!("{}{owner}", crate::facts::TYPE)));
        if let Some(name) = self.tree.child(node, Field::Name) {
            self.bind_member(name, scope, value);
        }
    }

    /// Visits `T a = b, c`, or `var a = b`. The declaration of a field has bound its names.
    pub(super) fn visit_variables(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let is_member = matches!(tree.kind(tree.parent(node)), Kind::Field | Kind::EventField);
        let of = tree.child(node, Field::Type);
        let of = of.and_then(|of| tree.type_value(of));
        for declarator in self.declarators(node) {
            let Some(name) = tree.child(declarator, Field::Name) else {
                continue;
            };
            let given = tree.operands(declarator).find(|one| *one > name);
            let value = of.clone().or_else(|| tree.value_text(given?));
            if !is_member {
                self.bind_value(name, scope, (value, BindingTarget::Variable));
            }
        }
    }

    fn declarators(&self, node: NodeIndex) -> Vec<NodeIndex> {
        let operands = self.tree.operands(node);
        let declarators = operands.filter(|one| self.tree.kind(*one) == Kind::Declarator);
        declarators.collect()
    }

    pub(super) fn declared_names(&self, variable: NodeIndex) -> Vec<NodeIndex> {
        let declarators = self.declarators(variable).into_iter();
        declarators
            .filter_map(|one| self.tree.child(one, Field::Name))
            .collect()
    }

    /// Returns the name of a definition; an operator or indexer has none.
    pub(super) fn definition_name(&self, node: NodeIndex, name: Option<NodeIndex>) -> NameAt<'t> {
        let tree = self.tree;
        let token = |text: &str| tree.children(node).find(|one| tree.text(*one) == text);
        if let Some(name) = name {
            return self.name_at(name);
        }
        let operator = tree.child(node, Field::Operator);
        let place = operator
            .or_else(|| token("operator"))
            .or_else(|| token("this"));
        place.map_or(
            NameAt {
                text: "",
                offset: tree.node(node).start,
            },
            |place| self.name_at(place),
        )
    }

    /// Visits `T a` in a list of parameters, or `params T[] a`, whose nodes are in the list itself.
    pub(super) fn visit_parameter(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.child(node, Field::Type);
        let value = of.and_then(|of| tree.type_value(of));
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        let list = match tree.kind(node) {
            Kind::Parameter => tree.parent(node),
            _ => node,
        };
        match tree.kind(tree.parent(list)) {
            // The parameters of a type are members, which are bound already.
            Kind::TypeDeclaration => self.roles.set(name, Role::Handled, scope),
            Kind::Lambda if value.is_none() => {
                let index = tree.operands(list).position(|one| one == node);
                let lambda = tree.parent(list);
                let value = index.and_then(|index| self.lambda_parameter(lambda, index));
                self.bind_value(name, scope, (value, BindingTarget::Parameter));
            }
            _ => self.bind_value(name, scope, (value, BindingTarget::Parameter)),
        }
    }

    /// Visits `T a` in a pattern, a `catch` or an argument. It is visible in the rest of the block.
    pub(super) fn visit_typed_name(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.child(node, Field::Type);
        if tree.is_product(node) {
            return;
        }
        let value = of.and_then(|of| tree.type_value(of));
        let value = value.or_else(|| tree.output_value(node));
        let value = value.or_else(|| tree.matched_value(node, MAX_STEPS));
        let value = value.or_else(|| tree.expected_type(node)?.within_limit());
        if let Some(name) = tree.child(node, Field::Name) {
            self.bind_value(name, scope, (value, BindingTarget::Variable));
        }
    }

    /// Visits `(a, b)` of `var (a, b) = c`, of a loop or of a pattern.
    pub(super) fn visit_tuple_pattern(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let parts = tree.operands(node).take(MAX_STEPS).enumerate();
        let names: Vec<(usize, NodeIndex)> = parts
            .filter(|(_, one)| tree.kind(*one) == Kind::Identifier)
            .collect();
        let parent = tree.parent(node);
        let count = tree.operands(node).count();
        let part = |of: ValueText, index: usize| of.member(&part_name(index, count));
        for (index, name) in names {
            let value = match tree.kind(parent) {
                Kind::Foreach => {
                    let given = tree.child(parent, Field::Right);
                    given.and_then(|given| part(tree.iterated(given)?, index))
                }
                Kind::Declarator => {
                    let mut assigned = tree.operands(parent).filter(|one| *one > node);
                    assigned
                        .next()
                        .and_then(|given| tree.tuple_part(given, (index, count)))
                }
                _ => tree
                    .matched_value(parent, MAX_STEPS)
                    .and_then(|of| part(of, index)),
            };
            self.bind_value(name, scope, (value, BindingTarget::Variable));
        }
    }

    /// Visits `foreach (T a in b)`.
    pub(super) fn visit_foreach(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.open_block(node, scope);
        let of = tree.child(node, Field::Type);
        let value = of.and_then(|of| tree.type_value(of));
        let given = tree.child(node, Field::Right);
        if let Some(given) = given {
            self.roles.set(given, Role::Read, scope);
        }
        let value = value.or_else(|| tree.iterated(given?));
        let name = tree.child(node, Field::Left);
        if let Some(name) = name.filter(|name| tree.kind(*name) == Kind::Identifier) {
            self.roles.set(name, Role::Handled, inside);
            let place = self.name_at(name);
            let target = BindingTarget::Variable;
            self.writer
                .bind_value(place, inside, (value, scope), target);
        }
    }

    /// Visits `from T a in b`.
    pub(super) fn visit_from(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.child(node, Field::Type);
        let value = of.and_then(|of| tree.type_value(of));
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        let given = tree.operands(node).find(|one| *one > name);
        let value = value.or_else(|| tree.iterated(given?));
        self.bind_value(name, scope, (value, BindingTarget::Variable));
    }

    /// Visits a query. `into a` at its end names what was selected until then.
    pub(super) fn visit_query(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.open_block(node, scope);
        let mut selected = None;
        for part in tree.operands(node) {
            match tree.kind(part) {
                Kind::Select | Kind::Group => selected = tree.selected(part, MAX_STEPS),
                Kind::Identifier => {
                    let element = selected.take().and_then(ValueText::element);
                    let value = element.and_then(ValueText::within_limit);
                    self.bind_value(part, inside, (value, BindingTarget::Variable));
                }
                _ => {}
            }
        }
        let value = selected.and_then(ValueText::within_limit);
        if let Some(value) = self.writer.intern_value(value) {
            self.writer
                .add_type(node, inside, TypeShape::AnyOf(vec![value]));
        }
    }

    /// Visits `let a = b`, `join a in b …` and `into a`.
    pub(super) fn visit_first_name(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if let Some(name) = tree.first_name(node) {
            let given = tree.after_first_name(node);
            let value = match tree.kind(node) {
                Kind::Let => given.and_then(|given| tree.value_text(given)),
                Kind::Join => given.and_then(|given| tree.iterated(given)),
                // `into a` names the collection that the `join` around it reads.
                _ => {
                    let joined = tree.after_first_name(tree.parent(node));
                    joined.and_then(|joined| tree.value_text(joined))
                }
            };
            self.bind_value(name, scope, (value, BindingTarget::Variable));
        }
    }
}
