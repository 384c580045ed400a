//! The names between which the values of one file flow, whatever they mean.
//!
//! `a` stands for what a name holds, and `a()` for what a call of it returns.

use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::item::DefinitionKind;
use ragnav_syntax::facts::{
    ArgumentPlace, Binding, BindingTarget, CallFact, DefinitionFact, DefinitionId, Facts, LAMBDA,
    LITERAL, Name, RETURNED, ScopeId, ScopeKind, Signature, UNDECORATED, Value,
};

use crate::flow_index::FlowIndex;

/// The maximum number of pairs of a file.
const MAX_PAIRS: usize = 50_000;
/// The maximum number of functions whose parameters a call is taken to reach.
const MAX_CALLED: usize = 40;
/// The name of functions without one.
const NAMELESS: &str = "";

/// Methods that run without their name in the text.
const IMPLICIT: [&str; 5] = [
    "__call__",
    "__enter__",
    "__getitem__",
    "__iter__",
    "__next__",
];

/// The method of JavaScript that a loop runs.
pub(crate) const ITERATOR: &str = "@@iterator";

/// The largest number of calls in a row that are told apart: `a()()`.
const MAX_CALLS: usize = 2;

/// A name whose values flow: `a` or `a()`.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
/// # use setup::{database, path};
/// let text = "def run(task):\n    task()\n\ndef job(): pass\n\nrun(job)\n";
/// let database = database(&[("shop.py", text)]);
/// let file = database.facts(&path("shop.py")).unwrap();
/// let (given, of) = file.flow_names().first().unwrap();
/// assert_eq!((given.name.as_str(), of.name.as_str()), ("task", "job"));
/// // The parameter has a scope of its own. Any file may import the function.
/// assert!(given.scope.is_some() && of.scope.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowName {
    /// The name, with `()` for each call.
    pub name: String,
    /// The function in which it is a variable or parameter, if it is one.
    pub scope: Option<ScopeId>,
}

/// Returns pairs of names: the first may have a value of the second. A container has its elements.
pub(crate) fn flow_names(facts: &Facts, flow: &FlowIndex) -> Vec<(FlowName, FlowName)> {
    if !facts.flow.is_collected {
        return Vec::new();
    }
    let variables = Variables::of(facts);
    let with_scopes = pairs_of(facts, flow, &variables);
    if !with_scopes.is_cut {
        return with_scopes.found;
    }
    // Without scopes, many pairs are the same.
    pairs_of(facts, flow, &Variables::default()).found
}

/// The names that are nothing but variables or parameters in the scope of a function.
#[derive(Default)]
struct Variables<'f>(HashMap<(ScopeId, &'f str), bool>);

impl<'f> Variables<'f> {
    fn of(facts: &'f Facts) -> Self {
        let mut found = HashMap::default();
        for binding in &facts.bindings {
            let scope = facts.scope(binding.scope);
            let is_inside = scope.is_some_and(|scope| {
                matches!(
                    scope.kind,
                    ScopeKind::Function
                        | ScopeKind::Arrow
                        | ScopeKind::Block
                        | ScopeKind::Comprehension
                )
            });
            let is_variable = matches!(
                binding.target,
                BindingTarget::Parameter(_) | BindingTarget::Variable(_)
            );
            let key = (binding.scope, facts.name(binding.name));
            let known = found.entry(key).or_insert(true);
            *known &= is_inside && is_variable;
        }
        Self(found)
    }

    /// Returns the scope that tells a name from others, if one does.
    fn own_scope(&self, scope: ScopeId, name: &str) -> Option<ScopeId> {
        let is_variable = self.0.get(&(scope, name)).copied();
        is_variable.unwrap_or_default().then_some(scope)
    }

    /// Returns the scopes that may bind a name that is used in a scope: any around it, since what
    /// each language sees of the outer ones differs.
    fn scopes_around(&self, facts: &Facts, scope: ScopeId, name: &str) -> Vec<Option<ScopeId>> {
        let parent = |id: &ScopeId| facts.scope(*id)?.parent;
        let around = std::iter::successors(Some(scope), parent);
        let binding = around.filter(|id| self.0.contains_key(&(*id, name)));
        let mut found: Vec<_> = binding.map(|id| self.own_scope(id, name)).collect();
        if found.is_empty() {
            found.push(None);
        }
        found
    }
}

fn pairs_of<'a>(facts: &'a Facts, flow: &FlowIndex, variables: &'a Variables<'_>) -> Pairs<'a> {
    let owners: HashMap<ScopeId, DefinitionId> = (0..)
        .map(DefinitionId)
        .zip(&facts.definitions)
        .map(|(id, found)| (found.scope, id))
        .collect();
    let mut pairs = Pairs {
        facts,
        variables,
        found: Vec::new(),
        is_cut: false,
    };
    for binding in &facts.bindings {
        if let Some(value) = value_of(binding) {
            let from = (binding.value_scope, value);
            if let Some((literal, _)) = facts.name(binding.name).split_once('.')
                && literal.starts_with(LITERAL)
            {
                pairs.add(&unscoped(literal.to_owned()), from);
            }
            for given in given_names(facts, variables, &owners, binding) {
                pairs.add(&given, from);
            }
        }
    }
    for definition in &facts.definitions {
        let class = definition.parent.and_then(|id| facts.definition(id));
        let name = facts.name(definition.name);
        let instance = |class: &DefinitionFact| unscoped(format!("{}()", facts.name(class.name)));
        // A loop has what the iterator yields, or what its methods return.
        if let Some(class) = class.filter(|_| name == ITERATOR) {
            for calls in ["()", "()()"] {
                let of = unscoped(format!("{name}{calls}"));
                pairs.found.push((instance(class), of));
            }
        }
        if let Some(class) = class.filter(|_| IMPLICIT.contains(&name)) {
            let of = unscoped(name.to_owned());
            pairs.found.push((instance(class), of));
        }
    }
    let signatures = signatures_by_name(facts, &owners);
    // Many calls pass the same values, so names come after the duplicates are gone.
    let mut passed = PassedValues::default();
    for (place, call) in facts.flow.calls.iter().enumerate() {
        let is_indirect = flow.indirect_calls().binary_search(&place).is_ok();
        for signature in called(facts, &signatures, call, is_indirect) {
            add_arguments(&mut passed, variables, facts, call, signature);
        }
    }
    pairs.is_cut |= passed.is_cut;
    let mut passed: Vec<_> = passed.found.into_iter().collect();
    passed.sort_unstable();
    for ((parameter, scope), from, (path, is_called)) in passed {
        let given = FlowName {
            name: facts.name(parameter).to_owned(),
            scope,
        };
        pairs.add(&given, (from, Value { path, is_called }));
    }
    pairs.found.sort_unstable();
    pairs.found.dedup();
    pairs
}

/// A parameter with its own scope, and the value that a call passes to it from a scope.
type Passed = ((Name, Option<ScopeId>), ScopeId, (Name, bool));

/// The values that calls pass to parameters.
#[derive(Default)]
struct PassedValues {
    found: HashSet<Passed>,
    /// Whether there are more.
    is_cut: bool,
}

impl PassedValues {
    fn add(&mut self, passed: Passed) {
        if self.found.len() < MAX_PAIRS {
            self.found.insert(passed);
        } else {
            self.is_cut |= !self.found.contains(&passed);
        }
    }
}

/// The pairs of a file that were found so far.
struct Pairs<'a> {
    facts: &'a Facts,
    variables: &'a Variables<'a>,
    found: Vec<(FlowName, FlowName)>,
    /// Whether there are more.
    is_cut: bool,
}

impl Pairs<'_> {
    /// Adds that a name may have a value that is looked up in a scope.
    fn add(&mut self, given: &FlowName, (scope, value): (ScopeId, Value)) {
        let name = value_name(self.facts, value);
        let path = inside_containers(self.facts.name(value.path));
        let scopes = if path.contains('.') {
            vec![None]
        } else {
            let variable = name.split('(').next().unwrap_or(&name);
            self.variables.scopes_around(self.facts, scope, variable)
        };
        for scope in scopes {
            let of = FlowName {
                name: name.clone(),
                scope,
            };
            if of == *given {
                continue;
            }
            if self.found.len() == MAX_PAIRS {
                self.is_cut = true;
                return;
            }
            self.found.push((given.clone(), of));
        }
    }
}

fn unscoped(name: String) -> FlowName {
    FlowName { name, scope: None }
}

fn value_of(binding: &Binding) -> Option<Value> {
    match binding.target {
        BindingTarget::Variable(value) | BindingTarget::Attribute(value) => value,
        _ => None,
    }
}

/// Returns the names to which a binding gives its value.
fn given_names(
    facts: &Facts,
    variables: &Variables<'_>,
    owners: &HashMap<ScopeId, DefinitionId>,
    binding: &Binding,
) -> Vec<FlowName> {
    let path = facts.name(binding.name);
    if path == RETURNED {
        let owner = owners.get(&binding.scope);
        let owner = owner.and_then(|id| facts.definition(*id));
        let returning = owner.map_or_else(
            || format!("{LAMBDA}{}", binding.scope.0),
            |owner| facts.name(owner.name).to_owned(),
        );
        return vec![unscoped(format!("{returning}()"))];
    }
    let last = path.rsplit('.').next().unwrap_or(path);
    let name = last.split('[').next().unwrap_or(last);
    let scopes = if path.contains('.') {
        vec![None]
    } else {
        variables.scopes_around(facts, binding.scope, name)
    };
    let named = |scope| FlowName {
        name: name.to_owned(),
        scope,
    };
    scopes.into_iter().map(named).collect()
}

/// Returns the name that holds a value: `c` of `a.b.c`, and `c()` of `a.b.c()`.
pub(crate) fn value_name(facts: &Facts, value: Value) -> String {
    let (name, calls) = name_and_calls(facts, value);
    format!("{name}{}", "()".repeat(calls))
}

/// Returns the name that holds a value without its calls, and their number.
fn name_and_calls(facts: &Facts, value: Value) -> (&str, usize) {
    let path = inside_containers(facts.name(value.path));
    let last = path.rsplit('.').next().unwrap_or(path);
    let name = last.split(['(', '[', '*']).next().unwrap_or(last);
    let undecorated = name
        .strip_prefix(UNDECORATED)
        .and_then(|id| id.parse::<usize>().ok());
    let name = match undecorated.and_then(|id| facts.definitions.get(id)) {
        Some(definition) => facts.name(definition.name),
        None => name,
    };
    let calls = last.matches('(').count() + usize::from(value.is_called);
    (name, calls.min(MAX_CALLS))
}

/// Reports whether a value of a name that meets a condition flows to some name. The condition gets
/// the name and its number of calls.
pub(crate) fn flows(facts: &Facts, is_wanted: impl Fn(&str, usize) -> bool) -> bool {
    if IMPLICIT.iter().any(|name| is_wanted(name, 0)) || is_wanted(ITERATOR, 1) {
        return true;
    }
    let assigned = facts.bindings.iter().filter_map(value_of);
    let calls = facts.flow.calls.iter();
    let passed = calls.flat_map(|call| call.arguments.iter().map(|argument| argument.value));
    // Many values have the same path.
    let mut known: HashSet<(Name, bool)> = HashSet::default();
    assigned.chain(passed).any(|value| {
        known.insert((value.path, value.is_called)) && {
            let (name, calls) = name_and_calls(facts, value);
            is_wanted(name, calls)
        }
    })
}

/// Returns what the containers of a path hold: `A` of `[{A}]`.
fn inside_containers(path: &str) -> &str {
    let mut path = path;
    while let Some(inside) = path
        .strip_prefix(['[', '{'])
        .and_then(|path| path.strip_suffix([']', '}']))
    {
        path = inside;
    }
    path
}

/// The signatures of functions by the names of what is called.
type Signatures<'f> = HashMap<&'f str, Vec<&'f Signature>>;

/// Returns the signatures by the names of their functions, or of the class of a constructor.
fn signatures_by_name<'f>(
    facts: &'f Facts,
    owners: &HashMap<ScopeId, DefinitionId>,
) -> Signatures<'f> {
    let mut found: Signatures<'_> = HashMap::default();
    let definition = |id: DefinitionId| facts.definition(id);
    for signature in &facts.flow.signatures {
        let Some(owner) = owners.get(&signature.scope).and_then(|id| definition(*id)) else {
            found.entry(NAMELESS).or_default().push(signature);
            continue;
        };
        let name = facts.name(owner.name);
        found.entry(name).or_default().push(signature);
        let class = owner.parent.and_then(definition);
        let class = class.filter(|class| class.kind == DefinitionKind::Class);
        if let Some(class) = class.filter(|_| matches!(name, "__init__" | "constructor")) {
            found
                .entry(facts.name(class.name))
                .or_default()
                .push(signature);
        }
    }
    found
}

/// Returns the functions that a call may run, by its name.
fn called<'f>(
    facts: &'f Facts,
    signatures: &'f Signatures<'_>,
    call: &CallFact,
    is_indirect: bool,
) -> impl Iterator<Item = &'f Signature> {
    let path = facts.name(call.callee.path);
    let last = path.rsplit('.').next().unwrap_or(path);
    let is_nameless = path.starts_with([LAMBDA, LITERAL]);
    let name = last.split(['(', '[', '*']).next().unwrap_or(last);
    let name = if is_nameless { NAMELESS } else { name };
    let named = signatures.get(name).into_iter().flatten().copied();
    let others = facts.flow.signatures.iter();
    named
        .take(MAX_CALLED)
        .chain(others.take(if is_indirect { MAX_CALLED } else { 0 }))
}

fn add_arguments(
    passed: &mut PassedValues,
    variables: &Variables<'_>,
    facts: &Facts,
    call: &CallFact,
    signature: &Signature,
) {
    let with_scope = |name: Name| (name, variables.own_scope(signature.scope, facts.name(name)));
    for argument in &call.arguments {
        let value = (argument.value.path, argument.value.is_called);
        let index = match argument.place {
            ArgumentPlace::Keyword(name) => {
                passed.add((with_scope(name), call.scope, value));
                continue;
            }
            ArgumentPlace::Index(index) => index as usize,
        };
        // A call of a method has the receiver before its arguments.
        for index in [index, index + 1] {
            let parameter = signature.parameters.get(index).copied().or(signature.rest);
            if let Some(parameter) = parameter {
                passed.add((with_scope(parameter), call.scope, value));
            }
        }
    }
}
