//! Containers that are empty when they are created, with the elements that later statements add.

use ragnav_base::hash::{HashMap, HashSet};

use crate::facts::{ADDED, LITERAL, Name, ScopeId};
use crate::python::addition::Addition;
use crate::python::builder::{FactsBuilder, MODULE};
use crate::python::kinds::{Field, Kind};
use crate::tree::NodeIndex;

use super::values::ANY_KEY;

/// The maximum number of different elements of a container that are kept.
const MAX_ADDED: usize = 32;
/// The maximum number of empty containers of an attribute that are kept.
const MAX_ASSIGNED: usize = 4;
/// The maximum number of elements of the containers of a file that are kept.
const MAX_ADDITIONS: usize = 10_000;

/// The functions that create a container whose elements have no keys, with their modules.
const SEQUENCES: [(&str, &str); 11] = [
    ("builtins", "list"),
    ("builtins", "set"),
    ("collections", "deque"),
    ("asyncio", "LifoQueue"),
    ("asyncio", "PriorityQueue"),
    ("asyncio", "Queue"),
    ("queue", "LifoQueue"),
    ("queue", "PriorityQueue"),
    ("queue", "Queue"),
    ("queue", "SimpleQueue"),
    ("weakref", "WeakSet"),
];

/// The functions that create a dictionary, with their modules.
const MAPPINGS: [(&str, &str); 5] = [
    ("builtins", "dict"),
    ("collections", "OrderedDict"),
    ("collections", "defaultdict"),
    ("weakref", "WeakKeyDictionary"),
    ("weakref", "WeakValueDictionary"),
];

/// The variable or attribute that holds a container: its scope or that of its class, and its name.
type Holder = (ScopeId, Name);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContainerKind {
    Sequence,
    Mapping,
}

/// An assignment of an empty container.
#[derive(Debug, Clone, Copy)]
struct EmptyContainer {
    target: NodeIndex,
    kind: ContainerKind,
}

impl FactsBuilder<'_> {
    /// Notes what a statement adds to a container.
    pub(super) fn note_addition(&mut self, addition: Addition) {
        let container = addition.path.split('[').next().unwrap_or_default();
        let rest = addition.value.strip_prefix(container);
        // What a container gets from itself is known already.
        let is_own = rest.is_some_and(|rest| rest.starts_with(['.', '[']));
        if !is_own && self.additions.len() < MAX_ADDITIONS {
            self.additions.push(addition);
        }
    }

    /// Binds the variables and attributes with empty containers to what other statements add to
    /// them.
    pub(super) fn bind_filled_containers(&mut self) {
        let additions = std::mem::take(&mut self.additions);
        if additions.is_empty() {
            return;
        }
        let tree = self.tree;
        let empty = self.empty_containers();
        let mut filled: HashMap<NodeIndex, (String, usize)> = HashMap::default();
        let mut known: HashSet<(Name, String, ScopeId)> = HashSet::default();
        for addition in additions {
            for container in self.filled_by(&addition, &empty) {
                let Some((index, value)) = element(&addition, container.kind) else {
                    continue;
                };
                let (literal, count) = filled
                    .entry(container.target)
                    .or_insert_with(|| (self.new_container(container.target), 0));
                let is_augmented =
                    tree.kind(tree.parent(addition.node)) == Kind::AugmentedAssignment;
                if is_augmented && addition.path.matches('[').count() == 1 {
                    // The statement assigns the container anew.
                    self.flow_path_to(addition.node, literal, self.scope_of(addition.node));
                }
                if *count >= MAX_ADDED {
                    continue;
                }
                let name = self.intern(format!("{literal}{index}"));
                if known.insert((name, value.clone(), addition.value_scope)) {
                    *count += 1;
                    let value = (&*value, addition.value_scope);
                    self.flow_bind((MODULE, name), addition.node, value);
                }
            }
        }
    }

    /// Creates a container without a node of its own, and assigns it to a target.
    fn new_container(&mut self, target: NodeIndex) -> String {
        let literal = format!("{LITERAL}{}", self.literals.len());
        // No other expression is at the node of a target.
        self.literals.insert(target, literal.clone());
        let scope = self.scope_of(target);
        self.flow_path_to(target, &literal, scope);
        literal
    }

    /// Returns the assignments of empty containers, by what holds them.
    fn empty_containers(&self) -> HashMap<Holder, Vec<EmptyContainer>> {
        let tree = self.tree;
        let mut found: HashMap<Holder, Vec<EmptyContainer>> = HashMap::default();
        for node in 0..tree.len() {
            if tree.kind(node) != Kind::Assignment || tree.child(node, Field::Type).is_some() {
                continue;
            }
            let target = tree.child(node, Field::Left);
            let value = tree.child(node, Field::Right);
            let kind = value.and_then(|value| self.empty_kind(value));
            let Some((target, kind)) = target.zip(kind) else {
                continue;
            };
            let path = self.path_text(target);
            let holder = path.and_then(|path| self.holder_of(target, &path));
            if let Some(holder) = holder {
                let container = EmptyContainer { target, kind };
                found.entry(holder).or_default().push(container);
            }
        }
        found
    }

    /// Returns the kind of an empty container that an expression creates.
    fn empty_kind(&self, node: NodeIndex) -> Option<ContainerKind> {
        let tree = self.tree;
        let node = self.without_brackets(node);
        let is_empty = || tree.operands(node).next().is_none();
        match tree.kind(node) {
            Kind::List if is_empty() => Some(ContainerKind::Sequence),
            Kind::Dictionary if is_empty() => Some(ContainerKind::Mapping),
            Kind::Call => {
                let names = self.library_names(node);
                let is_sequence = names.iter().any(|name| SEQUENCES.contains(name));
                let is_mapping = names.iter().any(|name| MAPPINGS.contains(name));
                let (_, name) = names.first()?;
                let arguments = tree.operands(node).nth(1)?;
                let mut places = tree.operands(arguments);
                let is_filled = places.any(|one| tree.kind(one) != Kind::KeywordArgument);
                // The number of elements of a queue, and what makes the values of a dictionary.
                let takes_no_elements = name.ends_with("Queue") || *name == "defaultdict";
                if is_filled && !takes_no_elements {
                    return None;
                }
                if is_sequence {
                    return Some(ContainerKind::Sequence);
                }
                is_mapping.then_some(ContainerKind::Mapping)
            }
            _ => None,
        }
    }

    /// Returns the variable or attribute that holds the container of a path.
    fn holder_of(&self, node: NodeIndex, path: &str) -> Option<Holder> {
        let path = path.split('[').next()?;
        let scope = self.scope_of(node);
        let Some((receiver, attribute)) = path.split_once('.') else {
            let name = self.names.find(path)?;
            return Some((self.binding_scope_of(scope, name), name));
        };
        let (own, class) = self.scope_info(scope).instance?;
        let name = self.names.find(attribute)?;
        (self.names.text(own) == receiver).then_some((class, name))
    }

    /// Returns the containers that a statement may fill. A variable has the one that was assigned
    /// last.
    fn filled_by(
        &self,
        addition: &Addition,
        empty: &HashMap<Holder, Vec<EmptyContainer>>,
    ) -> Vec<EmptyContainer> {
        let holder = self.holder_of(addition.node, &addition.path);
        let Some(all) = holder.and_then(|holder| empty.get(&holder)) else {
            return Vec::new();
        };
        let is_variable = !addition
            .path
            .split('[')
            .next()
            .unwrap_or_default()
            .contains('.');
        let before = all.iter().rfind(|one| one.target < addition.node);
        match before.filter(|_| is_variable) {
            Some(last) => vec![*last],
            None => all.iter().take(MAX_ASSIGNED).copied().collect(),
        }
    }
}

/// Returns the index and the value of an element that a statement adds to a container.
///
/// Only the elements of a dictionary have keys, so that a loop over it does not get them.
fn element(addition: &Addition, kind: ContainerKind) -> Option<(String, String)> {
    let mut indices = addition.path.split('[').skip(1);
    let first = indices.next()?.strip_suffix(']')?;
    let value = match (addition.is_spread, kind) {
        (false, _) => addition.value.clone(),
        (true, ContainerKind::Mapping) => format!("{}[]", addition.value),
        (true, ContainerKind::Sequence) => format!("{}*", addition.value),
    };
    let index = match kind {
        ContainerKind::Sequence => "[]".to_owned(),
        ContainerKind::Mapping if first.starts_with('\'') => format!("[{first}]"),
        ContainerKind::Mapping => ANY_KEY.to_owned(),
    };
    let inner = indices.next().and_then(|inner| inner.strip_suffix(']'));
    if indices.next().is_some() {
        return None;
    }
    match inner {
        Some(ADDED) => Some((index, format!("[{value}]"))),
        Some(_) => Some((index, format!("{{{value}}}"))),
        None => {
            let is_method_of_other = kind == ContainerKind::Mapping && first == ADDED;
            let is_spread = addition.is_spread;
            (!is_method_of_other || is_spread).then_some((index, value))
        }
    }
}
