//! Values that assignments, loops and `with` give to names, elements and members.

use crate::facts::{BindingTarget, RETURNED, ScopeId, ScopeKind, UNKNOWN, YIELDED};
use crate::python::addition::Addition;
use crate::python::annotations;
use crate::python::builder::FactsBuilder;
use crate::python::kinds::{Field, Kind};
use crate::tree::NodeIndex;

/// The maximum depth of nested targets.
const MAX_DEPTH: usize = 6;
/// The maximum number of targets in one pattern.
const MAX_TARGETS: usize = 32;

/// What `with` may give for a value: itself, what its method returns, or what a generator yields.
pub(super) const CONTEXTS: [&str; 3] = ["", ".__enter__()", "*"];

/// What a loop gives to the second of two targets.
enum Indexed {
    /// The elements of an iterable.
    Elements(NodeIndex),
    /// The values of a mapping.
    Values(NodeIndex),
}

impl FactsBuilder<'_> {
    /// Visits `target = value` and `target := value`.
    pub(super) fn flow_into_target(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let (left, right) = match tree.kind(node) {
            Kind::NamedExpression => (Field::Name, Field::Value),
            _ => (Field::Left, Field::Right),
        };
        let annotation = tree.child(node, Field::Type);
        let (Some(target), Some(mut value)) = (tree.child(node, left), tree.child(node, right))
        else {
            return;
        };
        while tree.kind(value) == Kind::Assignment {
            let Some(inner) = tree.child(value, Field::Right) else {
                return;
            };
            value = inner;
        }
        let scope = self.scope_of(target);
        let is_declared = annotation.is_some_and(|one| annotations::is_known(tree.text(one)));
        if is_declared || self.types_by_value.contains(&value) {
            return;
        }
        self.flow_to(target, value, 0);
        if let Some(annotation) = annotation.filter(|_| !self.is_local(target)) {
            // Other code may assign any side of a union later.
            for path in self.annotation_sides(annotation, scope) {
                self.flow_path_to(target, &path, scope);
            }
        }
    }

    /// Reports whether a target is a variable of a function.
    fn is_local(&self, target: NodeIndex) -> bool {
        let scope = self.facts.scope(self.scope_of(target));
        let is_function = scope.is_some_and(|scope| scope.kind == ScopeKind::Function);
        is_function && self.tree.kind(target) == Kind::Identifier
    }

    /// Gives the value of an expression to a target.
    fn flow_to(&mut self, target: NodeIndex, value: NodeIndex, depth: usize) {
        let tree = self.tree;
        if depth > MAX_DEPTH {
            return;
        }
        let value = self.without_brackets(value);
        let target = self.without_brackets(target);
        if !is_pattern(tree.kind(target)) {
            let known = self.first_pass_value(target, value).filter(|_| depth == 0);
            for path in self.values_of(value) {
                if known.as_ref() != Some(&path) {
                    let scope = self.scope_of(value);
                    self.flow_path_to(target, &path, scope);
                }
            }
            return;
        }
        let targets: Vec<NodeIndex> = tree.operands(target).take(MAX_TARGETS).collect();
        let is_literal = matches!(tree.kind(value), Kind::List | Kind::Tuple | Kind::Elements);
        let values: Vec<NodeIndex> = tree.operands(value).take(MAX_TARGETS).collect();
        let has_splat = values.iter().any(|part| tree.kind(*part) == Kind::Splat);
        if !is_literal || has_splat {
            let scope = self.scope_of(value);
            for path in self.values_of(value) {
                self.unpack_to(&targets, &path, scope, depth);
            }
            return;
        }
        let star = targets.iter().position(|part| self.is_star(*part));
        let rest = values.len().saturating_sub(targets.len().saturating_sub(1));
        for (index, part) in targets.iter().enumerate() {
            match star {
                Some(star) if star == index => {
                    let middle = values.iter().skip(index).take(rest).copied().collect();
                    if let Some(path) = self.sequence_of(*part, middle) {
                        let scope = self.scope_of(value);
                        self.flow_path_to(self.starred(*part), &path, scope);
                    }
                }
                _ => {
                    let is_after = star.is_some_and(|star| index > star);
                    let place = if is_after {
                        (index + rest).checked_sub(1)
                    } else {
                        Some(index)
                    };
                    if let Some(value) = place.and_then(|place| values.get(place)) {
                        self.flow_to(*part, *value, depth + 1);
                    }
                }
            }
        }
    }

    /// Gives the elements of a value to several targets.
    fn unpack_to(&mut self, targets: &[NodeIndex], path: &str, scope: ScopeId, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        for (index, part) in targets.iter().enumerate() {
            if self.is_star(*part) {
                let rest = format!("{path}[{index}:]");
                return self.flow_path_to(self.starred(*part), &rest, scope);
            }
            let element = format!("{path}[{index}]");
            let part = self.without_brackets(*part);
            if is_pattern(self.tree.kind(part)) {
                let inner: Vec<NodeIndex> = self.tree.operands(part).take(MAX_TARGETS).collect();
                self.unpack_to(&inner, &element, scope, depth + 1);
            } else {
                self.flow_path_to(part, &element, scope);
            }
        }
    }

    /// Gives a value to a name, member or element.
    pub(super) fn flow_path_to(&mut self, target: NodeIndex, path: &str, value_scope: ScopeId) {
        let tree = self.tree;
        let scope = self.scope_of(target);
        match tree.kind(target) {
            Kind::Identifier => {
                let name = self.intern(tree.text(target));
                let scope = match tree.kind(tree.parent(target)) {
                    Kind::NamedExpression => self.scope_info(scope).binding_scope,
                    _ => scope,
                };
                self.flow_bind((scope, name), target, (path, value_scope));
            }
            Kind::Attribute | Kind::Subscript => {
                let text = self.path_text(target);
                let Some(text) = text.filter(|text| !text.contains(['(', ':'])) else {
                    return;
                };
                if tree.kind(target) == Kind::Subscript {
                    self.note_addition(Addition {
                        node: target,
                        path: text.clone(),
                        value: path.to_owned(),
                        value_scope,
                        is_spread: false,
                    });
                }
                let instance = self.scope_info(scope).instance;
                let member = instance.and_then(|(receiver, class)| {
                    let receiver = self.names.text(receiver);
                    let member = text.strip_prefix(receiver)?.strip_prefix('.')?;
                    (!member.contains('.')).then(|| (class, member.to_owned()))
                });
                let Some((class, member)) = member else {
                    let name = self.intern(text);
                    return self.flow_bind((scope, name), target, (path, value_scope));
                };
                let name = self.intern(member);
                let value = self.path_value(path);
                let at = match tree.kind(target) {
                    Kind::Attribute => tree.operands(target).nth(1).unwrap_or(target),
                    _ => target,
                };
                let bound = BindingTarget::Attribute(Some(value));
                self.flow_bind_target((class, name), at, bound, value_scope);
            }
            _ => {}
        }
    }

    /// Visits a loop, which assigns the elements of its iterable.
    pub(super) fn flow_into_loop(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let (Some(target), Some(right)) = (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        ) else {
            return;
        };
        self.refer_to_iteration(right);
        let scope = self.scope_of(right);
        let target = self.without_brackets(target);
        if is_pattern(tree.kind(target)) {
            return self.elements_to(target, right, 0);
        }
        let known = tree
            .value_text(right)
            .map(|value| value.to_path().into_owned());
        for path in self.values_of(right) {
            if known.as_ref() != Some(&path) {
                self.flow_path_to(target, &format!("{path}*"), scope);
            }
        }
    }

    /// Gives the elements of an iterable to the target of a loop.
    fn elements_to(&mut self, target: NodeIndex, iterable: NodeIndex, depth: usize) {
        let tree = self.tree;
        if depth > MAX_DEPTH {
            return;
        }
        let target = self.without_brackets(target);
        let is_several = is_pattern(tree.kind(target));
        let targets: Vec<NodeIndex> = if is_several {
            tree.operands(target).take(MAX_TARGETS).collect()
        } else {
            Vec::new()
        };
        if let Some(iterables) = self.zipped(iterable).filter(|_| is_several) {
            for (part, iterable) in targets.into_iter().zip(iterables) {
                self.elements_to(part, iterable, depth + 1);
            }
            return;
        }
        match self.indexed_iterable(iterable).filter(|_| is_several) {
            Some(Indexed::Elements(iterable)) => {
                if let Some(part) = targets.get(1) {
                    self.elements_to(*part, iterable, depth + 1);
                }
            }
            Some(Indexed::Values(mapping)) => {
                if let Some(part) = targets.get(1) {
                    self.values_to(*part, (mapping, ".values()*"), depth);
                }
            }
            None => self.values_to(target, (iterable, "*"), depth),
        }
    }

    /// Gives what a suffix selects of the values of an expression to a target.
    fn values_to(&mut self, target: NodeIndex, (of, suffix): (NodeIndex, &str), depth: usize) {
        let target = self.without_brackets(target);
        let scope = self.scope_of(of);
        let is_several = is_pattern(self.tree.kind(target));
        let targets: Vec<NodeIndex> = self.tree.operands(target).take(MAX_TARGETS).collect();
        for path in self.values_of(of) {
            let path = format!("{path}{suffix}");
            if is_several {
                self.unpack_to(&targets, &path, scope, depth);
            } else {
                self.flow_path_to(target, &path, scope);
            }
        }
    }

    /// Returns the arguments of `zip(a, b)`, of which a loop has an element each.
    fn zipped(&self, right: NodeIndex) -> Option<Vec<NodeIndex>> {
        let tree = self.tree;
        let function = tree.child(right, Field::Function)?;
        let is_zip = tree.kind(function) == Kind::Identifier && tree.text(function) == "zip";
        if !is_zip || self.binds("zip") {
            return None;
        }
        let arguments = tree.operands(tree.operands(right).nth(1)?);
        Some(arguments.take(MAX_TARGETS).collect())
    }

    /// Returns what a loop iterates over with an index or a key: `enumerate(a)` and `a.items()`.
    fn indexed_iterable(&mut self, right: NodeIndex) -> Option<Indexed> {
        let tree = self.tree;
        if tree.kind(right) != Kind::Call {
            return None;
        }
        let function = tree.child(right, Field::Function)?;
        match (tree.last_name(function)?, tree.kind(function)) {
            ("enumerate", Kind::Identifier) => {
                let arguments = tree.operands(right).nth(1)?;
                Some(Indexed::Elements(tree.operands(arguments).next()?))
            }
            ("items", Kind::Attribute) => Some(Indexed::Values(tree.operands(function).next()?)),
            _ => None,
        }
    }

    /// Visits `with value as target`.
    pub(super) fn flow_into_pattern(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let is_except = tree.kind(tree.parent(node)) == Kind::ExceptClause;
        let parts: Vec<NodeIndex> = tree.operands(node).take(3).collect();
        let [value, target] = *parts else {
            return;
        };
        let named = tree.operands(target).next().unwrap_or(target);
        let target = if tree.kind(target) == Kind::AsPatternTarget {
            named
        } else {
            target
        };
        let scope = self.scope_of(value);
        if is_except {
            return self.flow_into_exception(value, target);
        }
        for path in self.values_of(value) {
            for suffix in CONTEXTS {
                self.flow_path_to(target, &format!("{path}{suffix}"), scope);
            }
        }
    }

    /// Gives an instance of each class to the target of `except (A, B) as target`.
    fn flow_into_exception(&mut self, classes: NodeIndex, target: NodeIndex) {
        let tree = self.tree;
        if tree.kind(classes) != Kind::Tuple {
            return;
        }
        let classes: Vec<NodeIndex> = tree.operands(classes).take(MAX_TARGETS).collect();
        for class in classes {
            let scope = self.scope_of(class);
            if let Some(path) = self.path_text(class) {
                self.flow_path_to(target, &format!("{path}()"), scope);
            }
        }
    }

    /// Visits `return value`, `yield value` and `yield from value`.
    pub(super) fn flow_into_result(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let scope = self.scope_of(node);
        let Some(function) = self.function_scope(scope) else {
            return;
        };
        let Some(value) = tree.operands(node).next() else {
            return;
        };
        let is_yield = tree.kind(node) == Kind::Yield;
        let is_delegated = tree
            .text(node)
            .trim_start_matches("yield")
            .trim_start()
            .starts_with("from ");
        let name = self.intern(RETURNED);
        let values = self.values_of(value);
        if is_yield {
            let suffix = if is_delegated { "*" } else { "" };
            self.flow_into_yielded((node, function), &values, suffix);
        }
        for path in values {
            let path = if is_yield && !is_delegated {
                self.container_of(node, "[]", &[path])
            } else {
                Some(path)
            };
            if let Some(path) = path {
                self.flow_bind((function, name), node, (&path, scope));
            }
        }
    }

    /// Binds what a function yields to a name of its own, which tells it from one that returns a
    /// container.
    fn flow_into_yielded(
        &mut self,
        (node, function): (NodeIndex, ScopeId),
        values: &[String],
        suffix: &str,
    ) {
        let name = self.intern(YIELDED);
        let scope = self.scope_of(node);
        if values.is_empty() {
            self.flow_bind((function, name), node, (UNKNOWN, scope));
        }
        for path in values {
            let path = format!("{path}{suffix}");
            self.flow_bind((function, name), node, (&path, scope));
        }
    }

    /// Returns the value to which the first pass has bound the target.
    fn first_pass_value(&self, target: NodeIndex, value: NodeIndex) -> Option<String> {
        let tree = self.tree;
        let is_target = match tree.kind(target) {
            Kind::Identifier => true,
            Kind::Attribute => tree.operands(target).next().is_some_and(|object| {
                let instance = self.scope_info(self.scope_of(target)).instance;
                instance.is_some_and(|(name, _)| self.names.text(name) == tree.text(object))
            }),
            _ => false,
        };
        let known = tree.value_text(value).filter(|_| is_target)?;
        Some(known.to_path().into_owned())
    }

    pub(super) fn without_brackets(&self, node: NodeIndex) -> NodeIndex {
        let mut node = node;
        while self.tree.kind(node) == Kind::ParenthesizedExpression {
            match self.tree.operands(node).next() {
                Some(inner) => node = inner,
                None => break,
            }
        }
        node
    }

    /// Returns what an expression in brackets or behind `await` gives.
    pub(super) fn without_await(&self, node: NodeIndex) -> NodeIndex {
        let mut node = self.without_brackets(node);
        while self.tree.kind(node) == Kind::Await {
            match self.tree.operands(node).next() {
                Some(inner) => node = self.without_brackets(inner),
                None => break,
            }
        }
        node
    }

    fn is_star(&self, target: NodeIndex) -> bool {
        self.tree.kind(target) == Kind::Splat
    }

    fn starred(&self, target: NodeIndex) -> NodeIndex {
        self.tree.operands(target).next().unwrap_or(target)
    }
}

fn is_pattern(kind: Kind) -> bool {
    matches!(kind, Kind::Elements | Kind::Tuple | Kind::List)
}
