//! Arrays and hashes: what they contain, and what blocks receive of them.
//!
//! <https://docs.ruby-lang.org/en/master/Array.html> and
//! <https://docs.ruby-lang.org/en/master/Enumerable.html>.

use ragnav_base::hash::HashSet;

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{Binding, BindingTarget, Name, ReferenceKind, ScopeId, Space, TOP_LEVEL};
use crate::facts_writer::ReferenceTo;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of parts of an array whose values are known one by one.
const MAX_PARTS: usize = 8;

/// The methods that pass each element to their block.
const ITERATING: [&str; 41] = [
    "all?",
    "any?",
    "collect",
    "count",
    "delete_if",
    "detect",
    "drop_while",
    "each",
    "each_entry",
    "each_pair",
    "each_with_index",
    "each_with_object",
    "filter",
    "filter_map",
    "find",
    "find_all",
    "find_each",
    "find_index",
    "flat_map",
    "group_by",
    "index_by",
    "keep_if",
    "map",
    "map!",
    "max_by",
    "min_by",
    "none?",
    "one?",
    "partition",
    "reject",
    "reject!",
    "reverse_each",
    "select",
    "select!",
    "sort_by",
    "sort_by!",
    "sum",
    "take_while",
    "to_h",
    "uniq",
    "uniq!",
];

impl FlatTree<'_> {
    /// Returns the value of an array: a sequence, if all parts have the same value, or else a
    /// tuple. If no part is of a class that may be one of the repository, it is a plain array.
    pub(super) fn array_value(
        &self,
        array: NodeIndex,
        of: impl Fn(NodeIndex) -> Option<ValueText>,
    ) -> Option<ValueText> {
        let parts: Vec<NodeIndex> = self.operands(array).take(MAX_PARTS + 1).collect();
        let is_splat = |part: &NodeIndex| self.text(*part).starts_with('*');
        if parts.iter().any(is_splat) {
            return instance_of("Array");
        }
        let values: Vec<Option<ValueText>> = parts.into_iter().map(of).collect();
        let known = || values.iter().flatten().filter(|value| !is_builtin(value));
        let can_be_known = values.len() <= MAX_PARTS
            && known().next().is_some()
            && values.iter().flatten().all(|value| !value.is_literal());
        if !can_be_known {
            return instance_of("Array");
        }
        let first = values.first()?.clone();
        if values.iter().all(|value| *value == first) {
            return Some(first?.into_sequence());
        }
        let parts = values.into_iter();
        let parts = parts.map(|part| part.map_or(String::new(), ValueText::into_path));
        let parts = parts.collect::<Vec<_>>().join(",");
        let tuple = ValueText::name(format!("({parts})")).within_limit();
        tuple.or_else(|| instance_of("Array"))
    }

    /// Returns the value of a hash: a mapping, if all values of its keys are the same.
    pub(super) fn hash_value(
        &self,
        hash: NodeIndex,
        of: impl Fn(NodeIndex) -> Option<ValueText>,
    ) -> Option<ValueText> {
        let pairs = self.operands(hash).take(MAX_PARTS + 1);
        let values = pairs.map(|pair| {
            let is_pair = self.kind(pair) == Kind::Pair;
            is_pair.then(|| of(self.child(pair, Field::Value)?))?
        });
        let values: Vec<Option<ValueText>> = values.collect();
        let first = values.first().cloned().flatten();
        let is_common = values.len() <= MAX_PARTS && values.iter().all(|value| *value == first);
        match first.filter(|first| is_common && !is_builtin(first) && !first.is_literal()) {
            Some(first) => Some(first.into_mapping()),
            None => instance_of("Hash"),
        }
    }

    /// Returns the result of a method of an array or hash literal, by the class of the literal.
    pub(super) fn literal_result(&self, literal: NodeIndex, name: &str) -> Option<ValueText> {
        let class = match self.kind(literal) {
            Kind::Hash => "Hash",
            _ => "Array",
        };
        instance_of(class)?.member(name)?.called()
    }
}

impl FactsBuilder<'_> {
    /// Notes that `a << b`, `a.push(b)` or `a[0] = b` adds an element to what may be a container.
    pub(super) fn add_element(
        &mut self,
        container: NodeIndex,
        (element, scope): (NodeIndex, ScopeId),
        wrap: fn(ValueText) -> ValueText,
    ) {
        let value = self.value_text(element, scope);
        if value.as_ref().is_some_and(is_builtin) {
            return;
        }
        // An element of an unknown value makes it unknown what the container holds.
        let value = value.filter(|value| !value.is_literal());
        let value = value.map(wrap).and_then(ValueText::within_limit);
        let place = self.name_at(container);
        let is_member = self.tree.kind(container) == Kind::InstanceVariable;
        let inside = match self.tree.kind(container) {
            Kind::InstanceVariable => Some(self.scope_of_members(scope)),
            Kind::Identifier => self.scope_of_variable(scope, place.text),
            _ => None,
        };
        let Some(inside) = inside else {
            return;
        };
        let value = self.writer.intern_value(value);
        self.added.push(Binding {
            scope: inside,
            name: self.writer.names.intern(place.text),
            position: self.writer.position_at(place.offset),
            target: if is_member {
                BindingTarget::Attribute(value)
            } else {
                BindingTarget::Variable(value)
            },
            value_scope: scope,
        });
    }

    /// Binds the elements of variables that hold a container: other objects have methods of these
    /// names, too.
    pub(super) fn bind_added_elements(&mut self) {
        let added = std::mem::take(&mut self.added);
        let bindings = self.writer.facts.bindings.iter();
        let containers = bindings.filter(|binding| match binding.target {
            BindingTarget::Attribute(Some(value)) | BindingTarget::Variable(Some(value)) => {
                is_container(self.writer.names.text(value.path), value.is_called)
            }
            _ => false,
        });
        let containers = containers.map(|binding| (binding.scope, binding.name));
        let containers: HashSet<(ScopeId, Name)> = containers.collect();
        let added = added
            .into_iter()
            .filter(|binding| containers.contains(&(binding.scope, binding.name)));
        self.writer.facts.bindings.extend(added);
    }

    /// Visits `a << b`.
    pub(super) fn visit_binary(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let is_append = tree.children(node).any(|child| tree.text(child) == "<<");
        let sides = (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        );
        if let (true, (Some(left), Some(right))) = (is_append, sides) {
            // `a << b << c` appends to `a`, too.
            let inner = |node: &NodeIndex| {
                let is_binary = tree.kind(*node) == Kind::Binary;
                tree.child(*node, Field::Left).filter(|_| is_binary)
            };
            let mut chain = std::iter::successors(Some(left), inner).take(MAX_PARTS);
            let container = chain.find(|node| tree.kind(*node) != Kind::Binary);
            if let Some(container) = container {
                self.add_element(container, (right, scope), ValueText::into_sequence);
            }
        }
    }

    /// Visits the arguments of `a.push(b)` and of `a.map(&:b)`, which calls `b` of each element.
    pub(super) fn visit_arguments(&mut self, call: NodeIndex, name: &str, scope: ScopeId) {
        let tree = self.tree;
        let Some(list) = tree.child(call, Field::Arguments) else {
            return;
        };
        let arguments: Vec<NodeIndex> = tree.operands(list).collect();
        let receiver = tree.child(call, Field::Receiver);
        let adds = matches!(
            name,
            "add" | "append" | "concat" | "insert" | "prepend" | "push" | "replace" | "unshift"
        );
        if let Some(of) = receiver.filter(|_| adds) {
            for argument in &arguments {
                self.add_element(of, (*argument, scope), ValueText::into_sequence);
            }
        }
        let block = arguments
            .last()
            .filter(|one| tree.kind(**one) == Kind::BlockArgument);
        let symbol = block.and_then(|block| tree.operands(*block).next());
        if let Some(symbol) = symbol.filter(|one| tree.kind(*one) == Kind::Symbol) {
            self.refer_by_symbol(symbol, (call, name), scope);
        }
    }

    /// Adds the reference of `&:b` to the method `b` of what a block would receive.
    fn refer_by_symbol(&mut self, symbol: NodeIndex, call: (NodeIndex, &str), scope: ScopeId) {
        let at = self.tree.name_of_method(symbol);
        let is_part = |letter: char| letter.is_alphanumeric() || "_?!".contains(letter);
        if !at.text.chars().all(is_part) {
            return;
        }
        // A reference has one receiver: what each of several values has is only known by name.
        let mut values = self.received(call, (0, 1), scope);
        let value = values.pop().filter(|_| values.is_empty());
        let to = ReferenceTo {
            kind: ReferenceKind::Call,
            receiver: self.writer.receiver(value),
            space: Space::Any,
        };
        self.writer.add_reference(at, scope, to);
    }

    /// Returns the values that a block receives as the parameter at an index of its list. The scope
    /// is the one around the block.
    pub(super) fn block_parameter_values(
        &self,
        parameters: NodeIndex,
        place: (usize, usize),
        scope: ScopeId,
    ) -> Vec<ValueText> {
        let tree = self.tree;
        let block = tree.parent(parameters);
        let call = tree.parent(block);
        let is_of_block = tree.kind(block) == Kind::Block && tree.kind(call) == Kind::Call;
        let method = tree.child(call, Field::Method).filter(|_| is_of_block);
        method.map_or_else(Vec::new, |method| {
            self.received((call, tree.text(method)), place, scope)
        })
    }

    /// Returns the values that a call passes to a parameter of its block, by the index of the
    /// parameter and the number of parameters.
    fn received(
        &self,
        (call, method): (NodeIndex, &str),
        (index, count): (usize, usize),
        scope: ScopeId,
    ) -> Vec<ValueText> {
        let tree = self.tree;
        let Some(of) = tree.child(call, Field::Receiver) else {
            return Vec::new();
        };
        let has_index = matches!(method, "each_with_index" | "each_with_object");
        match method {
            "tap" if index == 0 => self.value_text(of, scope).into_iter().collect(),
            "each_value" | "transform_values" if index == 0 => {
                let value = self.value_text(of, scope);
                value.and_then(ValueText::element).into_iter().collect()
            }
            "inject" | "reduce" if index == 1 => self.elements(of, None, scope),
            "max" | "min" | "sort" | "sort!" => self.elements(of, None, scope),
            _ if has_index && index == 0 => self.elements(of, None, scope),
            _ if has_index || !ITERATING.contains(&method) => Vec::new(),
            _ if count == 1 => self.elements(of, None, scope),
            // Each parameter receives a part of the element.
            _ => self.elements(of, Some(index), scope),
        }
    }

    /// Returns the values of the elements of a container, or of a part of each of them.
    fn elements(&self, of: NodeIndex, part: Option<usize>, scope: ScopeId) -> Vec<ValueText> {
        let tree = self.tree;
        if tree.kind(of) == Kind::Array && part.is_none() {
            let parts = tree.operands(of).take(MAX_PARTS);
            let mut values: Vec<ValueText> = parts
                .filter_map(|part| self.value_text(part, scope))
                .collect();
            values.dedup();
            return values;
        }
        let Some(value) = self.value_text(of, scope) else {
            return Vec::new();
        };
        let element = match part {
            None if value.is_container() => value.element(),
            // The second part of an entry of a hash is its value.
            Some(1) if value.path.starts_with('{') => value.element(),
            _ if value.is_literal() => None,
            None => Some(ValueText::name(format!("{}*", value.into_path()))),
            Some(part) => Some(ValueText::name(format!("{}*[{part}]", value.into_path()))),
        };
        element.into_iter().collect()
    }

    /// Returns the value of a variable at an index of `a, b = …`.
    pub(super) fn part_value(
        &self,
        right: NodeIndex,
        index: usize,
        scope: ScopeId,
    ) -> Option<ValueText> {
        let tree = self.tree;
        if index >= MAX_PARTS {
            return None;
        }
        if matches!(tree.kind(right), Kind::Array | Kind::RightAssignmentList) {
            let parts: Vec<NodeIndex> = tree.operands(right).take(index + 1).collect();
            let has_splat = parts.iter().any(|part| tree.text(*part).starts_with('*'));
            let part = parts.get(index).filter(|_| !has_splat)?;
            return self.value_text(*part, scope);
        }
        let value = self.value_text(right, scope);
        let value = value.filter(|value| !value.is_literal() && !is_builtin(value))?;
        ValueText::name(format!("{}[{index}]", value.into_path())).within_limit()
    }
}

/// Reports whether the path of a value is that of an array, a hash or a set.
fn is_container(path: &str, is_called: bool) -> bool {
    let class = top_level_class(path).unwrap_or(path);
    let is_instance = matches!(class, "Array" | "Hash" | "Set");
    path.starts_with(['[', '{', '(']) || (is_called && is_instance)
}

/// Reports whether a value is an instance of a class of Ruby.
fn is_builtin(value: &ValueText) -> bool {
    let class = top_level_class(&value.path);
    value.is_called
        && (value.path == ANY_OBJECT || matches!(class, Some("Array" | "Hash" | "String")))
}

/// Returns the name of a class at the top level: `Array` of `::Array`.
fn top_level_class(path: &str) -> Option<&str> {
    path.strip_prefix(TOP_LEVEL)?.strip_prefix('.')
}

/// The class of all objects.
pub(super) const ANY_OBJECT: &str = "BasicObject";

/// Returns the value of an instance of a class of Ruby.
pub(super) fn instance_of(class: &str) -> Option<ValueText> {
    ValueText::name(TOP_LEVEL).member(class)?.called()
}
