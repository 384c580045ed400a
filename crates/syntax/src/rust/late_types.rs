//! Variables that get their type from a later statement: `let mut a = Vec::new(); a.push(b);`.
//!
//! All elements of a container have one type, so the first one that is known tells it.

use super::builder::{FactsBuilder, UntypedVariable};
use super::kinds::{Field, FlatTree, Kind};
use super::patterns::iterated;
use super::standard_types::MAPPINGS;
use super::values::{as_mapping, element};
use crate::facts::{BindingTarget, ScopeId};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The containers whose elements are added by methods.
const COLLECTIONS: [&str; 6] = [
    "BTreeSet",
    "BinaryHeap",
    "HashSet",
    "LinkedList",
    "Vec",
    "VecDeque",
];

/// The functions that return an empty container.
const EMPTY: [&str; 4] = ["default", "new", "with_capacity", "with_hasher"];

/// The methods that add their last argument to a container.
const ADDING: [&str; 4] = ["insert", "push", "push_back", "push_front"];

/// The methods that add the elements of their argument to a container.
const EXTENDING: [&str; 2] = ["append", "extend"];

/// What a statement tells about a variable.
enum Told {
    /// An element, or a value of a mapping.
    Element(ValueText),
    /// Something with the same elements.
    Elements(ValueText),
    /// The value of the variable.
    Whole(ValueText),
}

impl FlatTree<'_> {
    /// Reports whether the value of a declaration leaves the type of its variable to later
    /// statements: `Some(true)` for a mapping.
    fn is_untyped(&self, value: Option<NodeIndex>) -> Option<bool> {
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
                let name = self.text(self.child(function, Field::Name)?);
                let of = self.text(self.child(function, Field::Path)?);
                let of = of.rsplit("::").next().unwrap_or(of);
                let is_mapping = MAPPINGS.contains(&of);
                let is_container = is_mapping || COLLECTIONS.contains(&of);
                (is_container && EMPTY.contains(&name)).then_some(is_mapping)
            }
            _ => None,
        }
    }

    /// Returns the variable about which a call of a method tells something.
    fn told_by_call(&self, call: NodeIndex) -> Option<(NodeIndex, Told)> {
        let (of, method) = self.method_call(call)?;
        let mut arguments = self.operands(self.child(call, Field::Arguments)?);
        let (first, second) = (arguments.next()?, arguments.next());
        let last = second.unwrap_or(first);
        if self.kind(of) == Kind::Identifier {
            let told = match method {
                "get_or_insert" => Told::Element(self.added_value(last)?),
                _ if ADDING.contains(&method) => Told::Element(self.added_value(last)?),
                _ if EXTENDING.contains(&method) => Told::Elements(self.value_text(last)?),
                _ => return None,
            };
            return Some((of, told));
        }
        let (inner, entry) = self.method_call(of)?;
        let value = match (entry, method) {
            ("entry", "or_insert") => (inner, self.added_value(last)?),
            ("entry", "or_insert_with") => (inner, self.added_value(last)?.called()?),
            ("or_default" | "or_insert" | "or_insert_with", _) if ADDING.contains(&method) => {
                let (inner, entry) = self.method_call(inner)?;
                let value = self.added_value(last)?;
                let is_inner_mapping = method == "insert" && second.is_some();
                let inside = if is_inner_mapping {
                    value.into_mapping()
                } else {
                    value.into_sequence()
                };
                (entry == "entry").then_some((inner, inside))?
            }
            _ => return None,
        };
        Some((value.0, Told::Element(value.1)))
    }

    /// Returns the receiver and the name of a called method.
    fn method_call(&self, call: NodeIndex) -> Option<(NodeIndex, &str)> {
        let function = self.child(call, Field::Function)?;
        let of = self.child(function, Field::Value)?;
        Some((of, self.text(self.child(function, Field::Selected)?)))
    }

    /// Returns the value of an element that is added. One in a `Box` may be added as a trait
    /// object.
    fn added_value(&self, node: NodeIndex) -> Option<ValueText> {
        self.value_text(node).filter(|_| !self.is_boxed(node))
    }
}

impl FactsBuilder<'_> {
    /// Notes a variable whose declaration does not tell its type. Reports whether it is one.
    pub(super) fn note_untyped(
        &mut self,
        pattern: NodeIndex,
        scope: ScopeId,
        value: Option<NodeIndex>,
    ) -> bool {
        let tree = self.tree;
        let is_variable = tree.kind(pattern) == Kind::Identifier;
        let Some(is_mapping) = tree.is_untyped(value).filter(|_| is_variable) else {
            return false;
        };
        let binding = self.writer.facts.bindings.len();
        let value = value.and_then(|value| tree.value_text(value));
        self.bound.insert(pattern);
        self.bind_variable(pattern, scope, (value, scope));
        let untyped = UntypedVariable {
            binding,
            is_mapping,
        };
        self.untyped.insert((scope, tree.text(pattern)), untyped);
        true
    }

    /// Visits a call of a method that may tell the type of such a variable.
    pub(super) fn visit_telling_call(&mut self, call: NodeIndex, scope: ScopeId) {
        if self.untyped.is_empty() {
            return;
        }
        if let Some((of, told)) = self.tree.told_by_call(call) {
            self.tell_type(of, scope, told);
        }
    }

    /// Visits `a = b`.
    pub(super) fn visit_assignment(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let sides = [Field::Left, Field::Right].map(|side| tree.child(node, side));
        let [Some(of), Some(value)] = sides else {
            return;
        };
        if self.untyped.is_empty() || tree.kind(of) != Kind::Identifier {
            return;
        }
        if let Some(value) = tree.value_text(value).filter(|_| !tree.is_boxed(value)) {
            self.tell_type(of, scope, Told::Whole(value));
        }
    }

    /// Gives a variable the type that a statement tells.
    fn tell_type(&mut self, of: NodeIndex, scope: ScopeId, told: Told) {
        let name = self.tree.text(of);
        let facts = &self.writer.facts;
        let parent = |scope: &ScopeId| facts.scope(*scope)?.parent;
        let mut around = std::iter::successors(Some(scope), parent);
        let declared = around.find(|scope| self.variables.contains(&(*scope, name)));
        let Some(declared) = declared else {
            return;
        };
        let Some(variable) = self.untyped.remove(&(declared, name)) else {
            return;
        };
        let value = match told {
            Told::Whole(value) => Some(value),
            Told::Element(value) if variable.is_mapping => Some(value.into_mapping()),
            Told::Element(value) => Some(value.into_sequence()),
            Told::Elements(value) if variable.is_mapping => as_mapping(value),
            Told::Elements(value) => {
                let element = iterated(value).and_then(element);
                element.map(ValueText::into_sequence)
            }
        };
        let value = self
            .writer
            .intern_value(value.and_then(ValueText::within_limit));
        if let Some(binding) = self.writer.facts.bindings.get_mut(variable.binding) {
            binding.target = BindingTarget::Variable(value);
            binding.value_scope = scope;
        }
    }
}
