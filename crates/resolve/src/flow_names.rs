//! The names between which the values of one file flow, whatever they mean.
//!
//! `a` stands for what a name holds, and `a()` for what a call of it returns.

use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::item::DefinitionKind;
use ragnav_syntax::facts::{
    ArgumentPlace, Binding, BindingTarget, CallFact, DefinitionId, Facts, LAMBDA, LITERAL, Name,
    RETURNED, ScopeId, Signature, UNDECORATED, Value,
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

/// Returns pairs of names: the first may have a value of the second. A container has its elements.
pub(crate) fn flow_names(facts: &Facts, flow: &FlowIndex) -> Vec<(String, String)> {
    if !facts.flow.is_collected {
        return Vec::new();
    }
    let owners: HashMap<ScopeId, DefinitionId> = (0..)
        .map(DefinitionId)
        .zip(&facts.definitions)
        .map(|(id, found)| (found.scope, id))
        .collect();
    let mut pairs = Vec::new();
    for binding in &facts.bindings {
        if let Some(value) = value_of(binding) {
            let given = given_name(facts, &owners, binding);
            if let Some((literal, _)) = facts.name(binding.name).split_once('.')
                && literal.starts_with(LITERAL)
            {
                add(facts, &mut pairs, literal.to_owned(), value);
            }
            add(facts, &mut pairs, given, value);
        }
    }
    for definition in &facts.definitions {
        let class = definition.parent.and_then(|id| facts.definition(id));
        let name = facts.name(definition.name);
        // A loop has what the iterator yields, or what its methods return.
        if let Some(class) = class.filter(|_| name == ITERATOR) {
            let instance = format!("{}()", facts.name(class.name));
            pairs.push((instance.clone(), format!("{name}()")));
            pairs.push((instance, format!("{name}()()")));
        }
        if let Some(class) = class.filter(|_| IMPLICIT.contains(&name)) {
            pairs.push((format!("{}()", facts.name(class.name)), name.to_owned()));
        }
    }
    let signatures = signatures_by_name(facts, &owners);
    // Many calls pass the same values, so names come after the duplicates are gone.
    let mut passed: HashSet<(Name, (Name, bool))> = HashSet::default();
    for (place, call) in facts.flow.calls.iter().enumerate() {
        let is_indirect = flow.indirect_calls().binary_search(&place).is_ok();
        for signature in called(facts, &signatures, call, is_indirect) {
            add_arguments(&mut passed, call, signature);
        }
    }
    let mut passed: Vec<_> = passed.into_iter().collect();
    passed.sort_unstable();
    for (parameter, (path, is_called)) in passed {
        let given = facts.name(parameter).to_owned();
        add(facts, &mut pairs, given, Value { path, is_called });
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

fn value_of(binding: &Binding) -> Option<Value> {
    match binding.target {
        BindingTarget::Variable(value) | BindingTarget::Attribute(value) => value,
        _ => None,
    }
}

/// Returns the name to which a binding gives its value.
fn given_name(facts: &Facts, owners: &HashMap<ScopeId, DefinitionId>, binding: &Binding) -> String {
    let name = facts.name(binding.name);
    if name != RETURNED {
        let last = name.rsplit('.').next().unwrap_or(name);
        return last.split('[').next().unwrap_or(last).to_owned();
    }
    let owner = owners.get(&binding.scope);
    let owner = owner.and_then(|id| facts.definition(*id));
    match owner {
        Some(owner) => format!("{}()", facts.name(owner.name)),
        None => format!("{LAMBDA}{}()", binding.scope.0),
    }
}

fn add(facts: &Facts, pairs: &mut Vec<(String, String)>, given: String, value: Value) {
    let of = value_name(facts, value);
    if of != given && pairs.len() < MAX_PAIRS {
        pairs.push((given, of));
    }
}

/// Returns the name that holds a value: `c` of `a.b.c`, and `c()` of `a.b.c()`.
pub(crate) fn value_name(facts: &Facts, value: Value) -> String {
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
    format!("{name}{}", "()".repeat(calls.min(MAX_CALLS)))
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
    passed: &mut HashSet<(Name, (Name, bool))>,
    call: &CallFact,
    signature: &Signature,
) {
    for argument in &call.arguments {
        let value = (argument.value.path, argument.value.is_called);
        let index = match argument.place {
            ArgumentPlace::Keyword(name) => {
                passed.insert((name, value));
                continue;
            }
            ArgumentPlace::Index(index) => index as usize,
        };
        // A call of a method has the receiver before its arguments.
        for index in [index, index + 1] {
            let parameter = signature.parameters.get(index).copied().or(signature.rest);
            if let Some(parameter) = parameter.filter(|_| passed.len() < MAX_PAIRS) {
                passed.insert((parameter, value));
            }
        }
    }
}
