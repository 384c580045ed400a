//! Visits patterns and the statements that have them, and binds the names in patterns.

use ragnav_base::hash::HashSet;

use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, FlatTree, Kind};
use super::values::{as_mapping, element, part};
use crate::facts::{FIELD, MODULE, ScopeId, ScopeKind, TYPE_NAME};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum nesting of a pattern.
const MAX_STEPS: usize = 24;

/// The number of scopes for the rest of a block, after which further declarations share the last
/// one. They nest, and each costs a look at all later statements.
const MAX_RESTS: usize = 1_000;

/// The method that a loop calls.
const ITERATOR: &str = "into_iter";

/// What a pattern is matched with.
#[derive(Debug, Clone)]
pub(super) enum Matched {
    /// Something of this type.
    Type(NodeIndex),
    /// The value of this expression.
    Expression(NodeIndex),
    Value(Option<ValueText>),
}

impl Matched {
    pub(super) fn of_type(of: Option<NodeIndex>) -> Self {
        of.map_or(Self::Value(None), Self::Type)
    }

    fn of_expression(of: Option<NodeIndex>) -> Self {
        of.map_or(Self::Value(None), Self::Expression)
    }
}

/// The scope of the names of a pattern, and that of what it is matched with.
type Scopes = (ScopeId, ScopeId);

impl<'t> FactsBuilder<'t> {
    /// Visits `let a: T = b else { … };`.
    pub(super) fn visit_let(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(pattern) = tree.child(node, Field::Pattern) else {
            return;
        };
        let value = tree.child(node, Field::Value);
        let of = tree.child(node, Field::Type);
        let of = of.filter(|of| tree.text(*of) != "_");
        let names = self.names_in(pattern);
        let is_new = |name: &&str| !self.variables.contains(&(scope, *name));
        let is_plain = names.iter().all(is_new) && !self.are_read(&names, value);
        let inside = if is_plain {
            scope
        } else {
            self.open_scope_after(node, scope)
        };
        let is_mapping = of.is_some_and(|of| tree.is_open_mapping(of));
        let matched = match of.and_then(|of| tree.type_value(of)) {
            None if is_mapping => {
                let pairs = value.and_then(|value| tree.value_text(value));
                Matched::Value(pairs.and_then(as_mapping))
            }
            // The type of `let a: Vec<_> = b` leaves the elements to the value.
            None if value.is_some() => Matched::of_expression(value),
            _ => Matched::of_type(of),
        };
        self.roles.set(pattern, Role::Read, inside);
        let is_open = !matches!(matched, Matched::Type(_)) || of.is_none();
        if is_open && self.note_untyped(pattern, inside, value) {
            return;
        }
        self.bind_pattern(pattern, (inside, scope), matched);
    }

    /// Visits `let a = b` in the condition of `if`, `while` or an arm of `match`.
    pub(super) fn visit_let_condition(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(pattern) = tree.child(node, Field::Pattern) else {
            return;
        };
        let value = tree.child(node, Field::Value);
        let names = self.names_in(pattern);
        let value_scope = if self.are_read(&names, value) {
            self.writer.facts.enclosing_scope(scope)
        } else {
            scope
        };
        if let Some(value) = value {
            self.roles.set(value, Role::Read, value_scope);
        }
        let matched = Matched::of_expression(value);
        self.bind_pattern(pattern, (scope, value_scope), matched);
    }

    pub(super) fn visit_for(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.open_block(node, scope);
        let value = tree.child(node, Field::Value);
        if let Some(value) = value {
            self.roles.set(value, Role::Read, scope);
        }
        let Some(pattern) = tree.child(node, Field::Pattern) else {
            return;
        };
        let value = value.and_then(|value| tree.value_text(value));
        let matched = Matched::Value(value.and_then(iterated).and_then(element));
        self.bind_pattern(pattern, (inside, scope), matched);
    }

    pub(super) fn visit_match_arm(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let inside = self.open_block(node, scope);
        let Some(pattern) = tree.child(node, Field::Pattern) else {
            return;
        };
        let of = tree.parent(tree.parent(node));
        let matched = Matched::of_expression(tree.child(of, Field::Value));
        let parts: Vec<NodeIndex> = tree.operands(pattern).collect();
        let condition = tree.child(pattern, Field::Condition);
        for part in parts {
            if Some(part) != condition {
                self.bind_pattern(part, (inside, scope), matched.clone());
            }
        }
    }

    /// Binds the names of a pattern.
    pub(super) fn bind_pattern(&mut self, pattern: NodeIndex, scopes: Scopes, matched: Matched) {
        let mut pending = vec![(pattern, matched, MAX_STEPS)];
        while let Some((pattern, matched, steps)) = pending.pop() {
            let Some(steps) = steps.checked_sub(1) else {
                continue;
            };
            let inner = self.bind_one(pattern, scopes, matched);
            let inner = inner.into_iter();
            pending.extend(inner.map(|(pattern, matched)| (pattern, matched, steps)));
        }
    }

    /// Binds the name of a pattern, if it is one, and returns the patterns inside it.
    fn bind_one(
        &mut self,
        pattern: NodeIndex,
        (scope, value_scope): Scopes,
        matched: Matched,
    ) -> Vec<(NodeIndex, Matched)> {
        let tree = self.tree;
        let operands = || tree.operands(pattern);
        match tree.kind(pattern) {
            Kind::Identifier | Kind::ShorthandField if is_variable(tree.text(pattern)) => {
                self.bound.insert(pattern);
                let value = match matched {
                    Matched::Expression(of) => tree.variable_text(of),
                    _ => self.value_of(matched),
                };
                self.bind_variable(pattern, scope, (value, value_scope));
                Vec::new()
            }
            Kind::WrappedPattern => operands().map(|inner| (inner, matched.clone())).collect(),
            Kind::CapturedPattern => operands().map(|inner| (inner, matched.clone())).collect(),
            Kind::SlicePattern => {
                let all = self.value_of(matched);
                let one = all.clone().and_then(element);
                let parts = operands().map(|inner| {
                    let value = if tree.is_rest(inner) { &all } else { &one };
                    (inner, Matched::Value(value.clone()))
                });
                parts.collect()
            }
            Kind::TuplePattern => {
                let parts = tree.parts_of(pattern).into_iter();
                let matched = parts.map(|(place, inner)| {
                    let part = place.map(|place| self.part_of(&matched, place));
                    (inner, part.unwrap_or(Matched::Value(None)))
                });
                matched.collect()
            }
            Kind::TupleStructPattern => self.fields_of_tuple(pattern, matched),
            Kind::StructPattern => self.fields_of_struct(pattern, scope),
            _ => Vec::new(),
        }
    }

    fn value_of(&self, matched: Matched) -> Option<ValueText> {
        match matched {
            Matched::Type(of) => self.tree.type_value(of),
            Matched::Expression(of) => self.tree.value_text(of),
            Matched::Value(value) => value,
        }
    }

    /// Returns a part of a tuple.
    fn part_of(&self, matched: &Matched, place: usize) -> Matched {
        let tree = self.tree;
        match *matched {
            Matched::Type(of) if tree.kind(of) == Kind::TupleType => {
                Matched::of_type(tree.operands(of).nth(place))
            }
            Matched::Expression(of) if tree.kind(of) == Kind::Tuple => {
                Matched::of_expression(tree.operands(of).nth(place))
            }
            _ => {
                let value = self.value_of(matched.clone());
                Matched::Value(value.and_then(|value| part(value, place)))
            }
        }
    }

    /// Returns the patterns of `A(b, c)` with the fields that they match.
    fn fields_of_tuple(&self, pattern: NodeIndex, matched: Matched) -> Vec<(NodeIndex, Matched)> {
        let tree = self.tree;
        let Some(of) = tree.child(pattern, Field::Type) else {
            return Vec::new();
        };
        let parts = tree.parts_of(pattern).into_iter();
        let inner = parts.filter(|(_, inner)| *inner != of);
        let known = match tree.text(of) {
            "Some" | "Ok" => Some(self.value_of(matched).and_then(element)),
            "Err" => Some(None),
            _ => None,
        };
        let path = tree.path(of);
        let fields = |(place, inner): (Option<usize>, NodeIndex)| {
            let values = match (&known, &path, place) {
                (Some(value), ..) => vec![value.clone()],
                (None, Some(path), Some(place)) => fields_of(path, &place.to_string()),
                _ => vec![None],
            };
            let values = values.into_iter().map(Matched::Value);
            values.map(move |value| (inner, value))
        };
        inner.flat_map(fields).collect()
    }

    /// Returns the patterns of `A { b, c: d }` with the fields that they match.
    fn fields_of_struct(
        &mut self,
        pattern: NodeIndex,
        scope: ScopeId,
    ) -> Vec<(NodeIndex, Matched)> {
        let tree = self.tree;
        let of = tree.child(pattern, Field::Type);
        let path = of.and_then(|of| tree.path(of));
        let mut found = Vec::new();
        for field in tree.operands(pattern) {
            let Some(name) = tree.child(field, Field::Name) else {
                continue;
            };
            let inner = tree.child(field, Field::Pattern);
            if inner.is_some() {
                self.roles.set(name, Role::Handled, scope);
            }
            let values = path.as_deref().map(|path| fields_of(path, tree.text(name)));
            let pattern = inner.unwrap_or(name);
            let values = values.unwrap_or_else(|| vec![None]).into_iter();
            found.extend(values.map(|value| (pattern, Matched::Value(value))));
        }
        found
    }

    /// Returns the names that a pattern binds.
    fn names_in(&self, pattern: NodeIndex) -> HashSet<&'t str> {
        let tree = self.tree;
        let nodes = pattern..tree.subtree_end(pattern).max(pattern + 1);
        let names = nodes.filter(|node| {
            matches!(tree.kind(*node), Kind::Identifier | Kind::ShorthandField)
                && is_variable(tree.text(*node))
        });
        names.map(|node| tree.text(node)).collect()
    }

    /// Reports whether a value reads one of these names.
    fn are_read(&self, names: &HashSet<&str>, value: Option<NodeIndex>) -> bool {
        let tree = self.tree;
        let nodes = value.map(|value| value..tree.subtree_end(value).max(value + 1));
        let mut nodes = nodes.into_iter().flatten();
        nodes.any(|node| tree.kind(node) == Kind::Identifier && names.contains(tree.text(node)))
    }

    /// Opens a scope for the statements after a declaration in its block.
    fn open_scope_after(&mut self, node: NodeIndex, scope: ScopeId) -> ScopeId {
        let tree = self.tree;
        if scope == MODULE || self.rests >= MAX_RESTS {
            return scope;
        }
        self.rests += 1;
        let inside = self.open_scope(ScopeKind::Block, scope, None);
        let parent = tree.parent(node);
        for later in tree.children(parent).filter(|later| *later > node) {
            self.roles.set(later, Role::Read, inside);
        }
        inside
    }
}

impl FlatTree<'_> {
    /// Reports whether a pattern binds the rest of a slice: `a @ ..`.
    fn is_rest(&self, pattern: NodeIndex) -> bool {
        self.kind(pattern) == Kind::CapturedPattern && self.text(pattern).ends_with("..")
    }

    /// Returns the patterns in a tuple, or the parameters of a closure, with their places. These
    /// are unknown after `..`. The syntax tree has no nodes for `_`.
    pub(super) fn parts_of(&self, tuple: NodeIndex) -> Vec<(Option<usize>, NodeIndex)> {
        let mut place = Some(0);
        let mut parts = Vec::new();
        let operands: HashSet<NodeIndex> = self.operands(tuple).collect();
        for child in self.children(tuple) {
            match self.text(child) {
                "," => place = place.map(|place| place + 1),
                ".." => place = None,
                _ if operands.contains(&child) => parts.push((place, child)),
                _ => {}
            }
        }
        parts
    }
}

/// Returns the iterator of a loop over a value: `a.into_iter()` of `for b in a`.
pub(super) fn iterated(value: ValueText) -> Option<ValueText> {
    if value.path.starts_with('[') {
        return Some(value);
    }
    value.member(ITERATOR)?.called()
}

/// Reports whether a name in a pattern is a variable. Constants and variants begin with a capital
/// letter.
fn is_variable(name: &str) -> bool {
    !name.starts_with(char::is_uppercase)
}

/// Returns the values of a field of a struct or, by the usual case of names, of a variant:
/// `Shape::Circle` before `radius`. A name without a path may be that of a variant, too.
fn fields_of(path: &str, field: &str) -> Vec<Option<ValueText>> {
    let of_variant = path.rsplit_once('.').filter(|(of, _)| {
        let of = of.rsplit('.').next().unwrap_or(of);
        of.starts_with(char::is_uppercase)
    });
    let own_name = path.strip_suffix(TYPE_NAME).filter(|of| !of.contains('.'));
    let mut paths = Vec::new();
    if let Some((of, variant)) = of_variant {
        paths.push(format!("{of}.{FIELD}{variant}:{field}"));
    } else {
        paths.push(format!("{path}.{FIELD}{field}"));
        paths.extend(own_name.map(|name| format!("{name}.{FIELD}{name}:{field}")));
    }
    let values = paths.into_iter().map(ValueText::name);
    values.map(ValueText::within_limit).collect()
}
