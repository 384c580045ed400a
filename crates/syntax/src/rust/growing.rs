//! Variables that get their type from a later statement: `let mut a = Vec::new(); a.push(b);`.
//!
//! All elements of a container have one type, so the first one that is known tells it.

use super::builder::{FactsBuilder, GrowingVariable};
use super::kinds::{Field, FlatTree, Kind};
use super::standard_types::{CONTAINERS, MAPPINGS};
use super::values::element;
use crate::facts::{BindingTarget, ScopeId};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The functions that return an empty container.
const EMPTY: [&str; 4] = ["default", "new", "with_capacity", "with_hasher"];

/// The methods that add their last argument to a container.
const ADDING: [&str; 4] = ["insert", "push", "push_back", "push_front"];

/// The methods that add the elements of their argument to a container.
const EXTENDING: [&str; 2] = ["append", "extend"];

/// What a statement adds to a variable.
enum Growth {
    /// An element, or a value of a mapping.
    Element(ValueText),
    /// The elements of a container.
    Elements(ValueText),
    /// All of it.
    Whole(ValueText),
}

impl FlatTree<'_> {
    /// Reports whether a declaration leaves the type of its variable to later statements, and whether
    /// the variable is a mapping then.
    fn grows(&self, value: Option<NodeIndex>) -> Option<bool> {
        let Some(value) = value else {
            return Some(false);
        };
        match self.kind(value) {
            Kind::Identifier => (self.text(value) == "None").then_some(false),
            Kind::MacroInvocation => {
                matches!(self.text(value), "vec![]" | "vec!()").then_some(false)
            }
            Kind::Call => {
                let function = self.child(value, Field::Function)?;
                let name = self.child(function, Field::Name)?;
                let of = self.text(self.child(function, Field::Path)?);
                let of = of.rsplit("::").next().unwrap_or(of);
                let is_mapping = MAPPINGS.iter().any(|mapping| of.ends_with(mapping));
                let is_container = is_mapping || CONTAINERS.contains(&of);
                (is_container && EMPTY.contains(&self.text(name))).then_some(is_mapping)
            }
            _ => None,
        }
    }

    /// Returns the variable that a call changes, with what it adds.
    fn growth_by_call(&self, call: NodeIndex) -> Option<(NodeIndex, Growth)> {
        let function = self.child(call, Field::Function)?;
        let method = self.text(self.child(function, Field::Selected)?);
        let of = self.child(function, Field::Value)?;
        let arguments = self.child(call, Field::Arguments)?;
        let last = self.operands(arguments).last()?;
        let value = || self.value_text(last);
        if self.kind(of) == Kind::Identifier {
            let growth = match method {
                _ if ADDING.contains(&method) => Growth::Element(value()?),
                "get_or_insert" => Growth::Element(value()?),
                _ if EXTENDING.contains(&method) => Growth::Elements(element(value()?)?),
                _ => return None,
            };
            return Some((of, growth));
        }
        let inner = self.child(of, Field::Function)?;
        let of = self.child(inner, Field::Value)?;
        match self.text(self.child(inner, Field::Selected)?) {
            // `a.entry(b).or_insert(c)`
            "entry" => {
                let value = match method {
                    "or_insert" => value()?,
                    "or_insert_with" => value()?.called()?,
                    _ => return None,
                };
                Some((of, Growth::Element(value)))
            }
            // `a.entry(b).or_default().push(c)`
            "or_default" | "or_insert" | "or_insert_with" if ADDING.contains(&method) => {
                let entry = self.child(of, Field::Function)?;
                let is_entry = self.text(self.child(entry, Field::Selected)?) == "entry";
                let of = self.child(entry, Field::Value)?;
                let inside = value()?.into_sequence();
                is_entry.then_some((of, Growth::Element(inside)))
            }
            _ => None,
        }
    }
}

impl FactsBuilder<'_> {
    /// Notes a variable whose declaration does not tell its type. Reports whether it is one.
    pub(super) fn note_growing(
        &mut self,
        pattern: NodeIndex,
        scope: ScopeId,
        value: Option<NodeIndex>,
    ) -> bool {
        let tree = self.tree;
        let is_variable = tree.kind(pattern) == Kind::Identifier;
        let Some(is_mapping) = tree.grows(value).filter(|_| is_variable) else {
            return false;
        };
        let name = self.name_at(pattern);
        let growing = GrowingVariable {
            name,
            is_mapping,
            value: value.and_then(|value| tree.value_text(value)),
        };
        self.bound.insert(pattern);
        self.variables.insert((scope, name.text));
        self.growing.insert((scope, name.text), growing);
        true
    }

    /// Visits a call that may add an element to such a variable.
    pub(super) fn visit_growth(&mut self, call: NodeIndex, scope: ScopeId) {
        if self.growing.is_empty() {
            return;
        }
        if let Some((of, growth)) = self.tree.growth_by_call(call) {
            self.grow(of, scope, growth);
        }
    }

    /// Visits `a = b`.
    pub(super) fn visit_assignment(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let sides = [Field::Left, Field::Right].map(|side| tree.child(node, side));
        let [Some(of), Some(value)] = sides else {
            return;
        };
        if self.growing.is_empty() || tree.kind(of) != Kind::Identifier {
            return;
        }
        if let Some(value) = tree.value_text(value) {
            self.grow(of, scope, Growth::Whole(value));
        }
    }

    /// Gives a variable the type that a statement tells.
    fn grow(&mut self, of: NodeIndex, scope: ScopeId, growth: Growth) {
        let name = self.tree.text(of);
        let facts = &self.writer.facts;
        let parent = |scope: &ScopeId| facts.scope(*scope)?.parent;
        let mut around = std::iter::successors(Some(scope), parent);
        let declared = around.find(|scope| self.variables.contains(&(*scope, name)));
        let Some(declared) = declared else {
            return;
        };
        let Some(found) = self.growing.remove(&(declared, name)) else {
            return;
        };
        let value = match growth {
            Growth::Whole(value) => value,
            Growth::Element(value) | Growth::Elements(value) if found.is_mapping => {
                value.into_mapping()
            }
            Growth::Element(value) | Growth::Elements(value) => value.into_sequence(),
        };
        let value = (value.within_limit(), scope);
        self.writer
            .bind_value(found.name, declared, value, BindingTarget::Variable);
    }

    /// Binds the variables whose type no statement tells.
    pub(super) fn bind_growing(&mut self) {
        for ((scope, _), found) in std::mem::take(&mut self.growing) {
            let value = (found.value, scope);
            self.writer
                .bind_value(found.name, scope, value, BindingTarget::Variable);
        }
    }
}
