//! Containers that are created without elements and filled by later statements.

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::flow_state::Holder;
use crate::ecmascript::kinds::{Field, Kind};
use crate::ecmascript::value_text::MAX_STEPS;
use crate::facts::UNKNOWN;
use crate::tree::NodeIndex;

/// The maximum depth of conditions around a container.
const MAX_DEPTH: usize = 4;
/// The maximum number of values that are added to one container.
const MAX_FILLS: usize = 32;

/// What a new container is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    /// An array or a set.
    List,
    /// A map, whose loops have pairs.
    Map,
    /// An object whose keys are computed.
    Record,
}

impl FactsBuilder<'_, '_> {
    /// Collects the empty containers that variables and members hold, and what is added to them.
    pub(super) fn collect_filled_containers(&mut self) {
        for node in 0..self.tree.len() {
            self.collect_holder(node);
        }
        if self.flow.holders.is_empty() {
            return;
        }
        for node in 0..self.tree.len() {
            self.collect_fills(node);
        }
    }

    fn collect_holder(&mut self, node: NodeIndex) {
        let tree = self.tree;
        let (target, value) = match tree.kind(node) {
            Kind::VariableDeclarator => (
                tree.child(node, Field::Name),
                tree.child(node, Field::Value),
            ),
            Kind::Assignment => (
                tree.child(node, Field::Left),
                tree.child(node, Field::Right),
            ),
            Kind::AugmentedAssignment if tree.is_logical_assignment(node) => (
                tree.child(node, Field::Left),
                tree.child(node, Field::Right),
            ),
            Kind::FieldDefinition => (tree.field_name(node), tree.child(node, Field::Value)),
            Kind::Call => return self.collect_initial_container(node),
            _ => return,
        };
        let (Some(target), Some(value)) = (target, value) else {
            return;
        };
        let mut made = Vec::new();
        self.add_made(value, 0, &mut made);
        if made.is_empty() {
            return;
        }
        let holder = match tree.kind(node) {
            Kind::FieldDefinition => tree
                .key(target)
                .map(|key| (self.scope_of(target), format!("this.{key}"))),
            _ => self.holder_of(target),
        };
        if let Some(holder) = holder {
            self.flow.holders.entry(holder).or_default().extend(made);
        }
    }

    /// Notes that the first parameter of a callback holds the container with which
    /// `a.reduce(f, [])` begins.
    fn collect_initial_container(&mut self, call: NodeIndex) {
        let tree = self.tree;
        let Some((_, "reduce" | "reduceRight")) = self.called_member(call) else {
            return;
        };
        let [callback, initial] = *self.arguments_of(call) else {
            return;
        };
        if self.made_by(initial).is_none() {
            return;
        }
        let parameters = tree.child(callback, Field::Parameters);
        let first = parameters.and_then(|list| tree.operands(list).next());
        let scope = self.function_scope(callback);
        let Some((scope, first)) = scope.zip(first) else {
            return;
        };
        if tree.kind(first) == Kind::Identifier {
            let holder = (scope, tree.text(first).to_owned());
            self.flow.holders.entry(holder).or_default().push(initial);
        }
    }

    /// Adds the new containers that an expression may be.
    fn add_made(&self, node: NodeIndex, depth: usize, made: &mut Vec<NodeIndex>) {
        let tree = self.tree;
        if depth > MAX_DEPTH {
            return;
        }
        match tree.kind(node) {
            Kind::Parenthesized => {
                for inner in tree.operands(node) {
                    self.add_made(inner, depth + 1, made);
                }
            }
            Kind::Assignment => {
                if let Some(value) = tree.child(node, Field::Right) {
                    self.add_made(value, depth + 1, made);
                }
            }
            Kind::Binary | Kind::Ternary => {
                for part in tree.operands(node).skip(1) {
                    self.add_made(part, depth + 1, made);
                }
            }
            _ if self.made_by(node).is_some() => made.push(node),
            _ => {}
        }
    }

    /// Returns what kind of container without known elements an expression creates.
    pub(super) fn made_by(&self, node: NodeIndex) -> Option<Made> {
        let tree = self.tree;
        match tree.kind(node) {
            Kind::Array if tree.operands(node).next().is_none() => Some(Made::List),
            Kind::Object if tree.operands(node).next().is_none() => Some(Made::Record),
            Kind::New | Kind::Call => {
                let name = tree.text(tree.callee(node)?);
                let made = match name {
                    "Set" | "WeakSet" if tree.kind(node) == Kind::New => Made::List,
                    "Map" | "WeakMap" if tree.kind(node) == Kind::New => Made::Map,
                    "Array" => Made::List,
                    "Object.create" => Made::Record,
                    _ => return None,
                };
                let head = name.split('.').next().unwrap_or(name);
                let arguments = self.arguments_of(node);
                let is_empty = match made {
                    Made::Record => arguments.iter().all(|one| tree.text(*one) == "null"),
                    Made::List if name == "Array" => arguments.len() < 2,
                    Made::List | Made::Map => true,
                };
                (is_empty && self.is_global(head)).then_some(made)
            }
            _ => None,
        }
    }

    /// Returns the variable or member that an expression means: `a`, `a.b` or `this.a`.
    pub(super) fn holder_of(&self, node: NodeIndex) -> Option<Holder> {
        let tree = self.tree;
        let mut parts: Vec<&str> = Vec::new();
        let mut inner = tree.strip_wrappers(node);
        for _ in 0..MAX_STEPS {
            match tree.kind(inner) {
                Kind::Identifier => {
                    let (scope, _) = self.bound_key(inner)?;
                    parts.push(tree.text(inner));
                    parts.reverse();
                    return Some((scope, parts.join(".")));
                }
                Kind::This => {
                    let class = self.scope_info(self.scope_of(inner)).instance?;
                    let [member] = *parts else {
                        return None;
                    };
                    return Some((class, format!("this.{member}")));
                }
                Kind::Member => {
                    let mut operands = tree.operands(inner);
                    let object = operands.next()?;
                    parts.push(tree.text(operands.last()?));
                    inner = object;
                }
                _ => return None,
            }
        }
        None
    }

    /// Notes what a call or an assignment adds to a container.
    fn collect_fills(&mut self, node: NodeIndex) {
        let tree = self.tree;
        match tree.kind(node) {
            Kind::Call => {
                let Some((object, name)) = self.called_member(node) else {
                    return;
                };
                let arguments = self.arguments_of(node);
                match name {
                    "push" | "unshift" | "add" => {
                        self.add_fills(object, Made::List, &arguments);
                    }
                    "splice" => {
                        self.add_fills(object, Made::List, arguments.get(2..).unwrap_or_default());
                    }
                    "set" => {
                        self.add_fills(object, Made::Map, arguments.get(1..2).unwrap_or_default());
                    }
                    _ => {}
                }
            }
            Kind::Assignment | Kind::AugmentedAssignment => {
                let (Some(target), Some(value)) = (
                    tree.child(node, Field::Left),
                    tree.child(node, Field::Right),
                ) else {
                    return;
                };
                if tree.kind(target) != Kind::Subscript {
                    return;
                }
                let mut operands = tree.operands(target);
                let (Some(object), Some(key)) = (operands.next(), operands.last()) else {
                    return;
                };
                self.add_fills(object, Made::List, &[value]);
                if tree.kind(key) != Kind::String {
                    self.add_fills(object, Made::Record, &[value]);
                }
            }
            _ => {}
        }
    }

    /// Notes the values that are added to the containers of a kind which an object holds.
    fn add_fills(&mut self, object: NodeIndex, made: Made, values: &[NodeIndex]) {
        // `(a.b = a.b || []).push(c)` adds to what the member holds then.
        let object = self.tree.strip_wrappers(object);
        let object = match self.tree.kind(object) {
            Kind::Assignment | Kind::AugmentedAssignment => self.tree.child(object, Field::Left),
            _ => Some(object),
        };
        let Some(holder) = object.and_then(|object| self.holder_of(object)) else {
            return;
        };
        let Some(nodes) = self.flow.holders.get(&holder) else {
            return;
        };
        // A variable has the container that was assigned last.
        let is_variable = !holder.1.contains('.');
        let before = nodes.iter().rfind(|node| Some(**node) < object);
        let nodes = match before.filter(|_| is_variable) {
            Some(last) => vec![*last],
            None => nodes.clone(),
        };
        for node in nodes {
            if self.made_by(node) != Some(made) {
                continue;
            }
            let known = self.flow.fills.entry(node).or_default();
            let free = MAX_FILLS.saturating_sub(known.len());
            known.extend(values.iter().take(free));
        }
    }

    /// Reports whether an object holds a container that the file fills, so that a key which is not
    /// known gives any of its values.
    pub(super) fn is_filled(&self, object: NodeIndex) -> bool {
        if self.flow.fills.is_empty() {
            return false;
        }
        let holder = self.holder_of(object);
        let nodes = holder.and_then(|holder| self.flow.holders.get(&holder));
        nodes.is_some_and(|nodes| nodes.iter().any(|node| self.flow.fills.contains_key(node)))
    }

    /// Returns a container that the file fills, or one made of the elements of another.
    pub(super) fn filled_container(&mut self, node: NodeIndex) -> Option<String> {
        let made = self.made_by(node)?;
        if let Some(known) = self.flow.literals.get(&node) {
            return Some(known.clone()).filter(|path| !path.is_empty());
        }
        let fills = self.flow.fills.get(&node).cloned().unwrap_or_default();
        // The argument of an array is its length.
        let class = self.tree.callee(node).map(|class| self.tree.text(class));
        let has_source = class.is_some_and(|class| !matches!(class, "Array" | "Object.create"));
        let source = self.arguments_of(node).first().copied();
        let source = source.filter(|_| has_source);
        if fills.is_empty() && source.is_none() {
            return None;
        }
        let elements = self.new_literal()?;
        // The elements of the container are those of another literal than the container itself.
        let path = match made {
            Made::Map => format!("{}.map", self.new_literal()?),
            Made::List | Made::Record => elements.clone(),
        };
        self.flow.literals.insert(node, path.clone());
        let element = format!("{elements}[]");
        let suffix = if made == Made::Map { "*[1]" } else { "*" };
        for value in source.map(|one| self.values_of(one)).unwrap_or_default() {
            self.bind_literal(&element, node, &format!("{value}{suffix}"));
        }
        for fill in fills {
            self.add_fill(&element, fill);
        }
        // Other code may add other values.
        self.bind_literal(&element, node, UNKNOWN);
        if made == Made::Record {
            // An element with a key tells the resolver that this is no array.
            self.bind_literal(&format!("{elements}['']"), node, UNKNOWN);
        }
        if made == Made::Map {
            self.bind_literal(&path, node, &format!("{{{element}}}"));
        }
        Some(path)
    }

    fn add_fill(&mut self, element: &str, fill: NodeIndex) {
        let tree = self.tree;
        let is_spread = tree.kind(fill) == Kind::Spread;
        let inner = tree.operands(fill).next();
        let value = inner.filter(|_| is_spread).unwrap_or(fill);
        for path in self.values_of(value) {
            let suffix = if is_spread { "*" } else { "" };
            self.bind_literal(element, fill, &format!("{path}{suffix}"));
        }
    }
}
