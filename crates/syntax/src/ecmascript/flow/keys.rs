//! Parameters that are used as keys, with the constants that the calls of the file pass.

use ragnav_base::hash::{HashMap, HashSet};

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::kinds::{Field, Kind};
use crate::facts::{Name, ScopeId};
use crate::tree::NodeIndex;

/// The maximum number of keys of one parameter.
const MAX_KEYS: usize = 4;

/// The maximum number of parameters of one function that are read.
const MAX_PARAMETERS: usize = 16;

/// A parameter, by the scope of its function.
type Parameter = (ScopeId, Name);

impl FactsBuilder<'_, '_> {
    /// Collects the keys that calls pass to parameters: `a` for `f('a')` and `function f(key)`.
    ///
    /// A parameter has none if a call may pass anything else.
    pub(super) fn collect_parameter_keys(&mut self) {
        let used = self.used_keys();
        if used.is_empty() {
            return;
        }
        let mut functions: HashMap<&str, Option<NodeIndex>> = HashMap::default();
        for found in &self.definitions {
            let is_first = !functions.contains_key(found.text.as_ref());
            functions.insert(found.text.as_ref(), is_first.then_some(found.node));
        }
        let mut keys: HashMap<Parameter, Option<Vec<String>>> = HashMap::default();
        let tree = self.tree;
        for call in (0..tree.len()).filter(|&node| tree.kind(node) == Kind::Call) {
            let callee = tree.child(call, Field::Function);
            let callee = callee.filter(|&callee| tree.kind(callee) == Kind::Identifier);
            let function = callee.and_then(|callee| functions.get(tree.text(callee)));
            if let Some(function) = function.copied().flatten() {
                self.add_keys(call, function, &used, &mut keys);
            }
        }
        let known = keys.into_iter();
        self.flow.parameter_keys = known
            .filter_map(|(key, found)| Some((key, found?)))
            .collect();
    }

    /// Returns the parameters that stand in brackets.
    fn used_keys(&self) -> HashSet<Parameter> {
        let tree = self.tree;
        let subscripts = (0..tree.len()).filter(|&node| tree.kind(node) == Kind::Subscript);
        let indices = subscripts.filter_map(|node| tree.operands(node).last());
        let keys = indices.filter_map(|index| self.bound_key(index));
        keys.filter(|key| self.flow.parameters.contains(key))
            .collect()
    }

    /// Adds the keys that one call passes to the parameters of a function.
    fn add_keys(
        &self,
        call: NodeIndex,
        function: NodeIndex,
        used: &HashSet<Parameter>,
        keys: &mut HashMap<Parameter, Option<Vec<String>>>,
    ) {
        let tree = self.tree;
        let (Some(scope), Some(list)) = (
            self.function_scope(function),
            tree.child(function, Field::Parameters),
        ) else {
            return;
        };
        let arguments = self.arguments_of(call);
        for (index, parameter) in tree.operands(list).take(MAX_PARAMETERS).enumerate() {
            let (named, default) = match tree.kind(parameter) {
                Kind::AssignmentPattern => (
                    tree.child(parameter, Field::Left),
                    tree.child(parameter, Field::Right),
                ),
                _ => (Some(parameter), None),
            };
            let name = named.and_then(|named| self.names.find(tree.text(named)));
            let Some(key) = name
                .map(|name| (scope, name))
                .filter(|key| used.contains(key))
            else {
                continue;
            };
            let passed = arguments.get(index).copied().or(default);
            let suffix = passed.and_then(|passed| self.index_suffix(passed, 0));
            let suffix = suffix.filter(|suffix| suffix != "[]");
            let known = keys.entry(key).or_insert_with(|| Some(Vec::new()));
            *known = known.take().and_then(|known| with_key(known, suffix?));
        }
    }
}

/// Adds a key to others, unless there are too many.
fn with_key(known: Vec<String>, key: String) -> Option<Vec<String>> {
    let mut known = known;
    if !known.contains(&key) {
        known.push(key);
    }
    (known.len() <= MAX_KEYS).then_some(known)
}
