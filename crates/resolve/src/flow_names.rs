//! The names between which the values of one file flow, whatever they mean.
//!
//! `a` stands for what a name holds, and `a()` for what a call of it returns.

use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::item::DefinitionKind;
use ragnav_syntax::facts::{
    ArgumentPlace, Binding, BindingTarget, CallFact, DefinitionId, Facts, LAMBDA, LITERAL, Name,
    RETURNED, ScopeId, ScopeKind, Signature, UNDECORATED, Value,
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
    /// The scope that has it as a variable or parameter. A name of the module, of a class or of a
    /// member has none.
    pub scope: Option<ScopeId>,
}

/// Returns pairs of names: the first may have a value of the second. A container has its elements.
pub(crate) fn flow_names(facts: &Facts, flow: &FlowIndex) -> Vec<(FlowName, FlowName)> {
    if !facts.flow.is_collected {
        return Vec::new();
    }
    let with_scopes = Pairs::of(facts, flow, Variables::of(facts));
    if !with_scopes.is_cut {
        return with_scopes.found;
    }
    // Without scopes, many pairs are the same.
    Pairs::of(facts, flow, Variables::default()).found
}

/// The names that each scope binds, and whether they are nothing but variables or parameters of a
/// function there.
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

    /// Returns the scopes that may bind the name of a path that is used in a scope: any around it,
    /// since what each language sees of the outer ones differs. A member is in none.
    fn scopes_of(
        &self,
        facts: &Facts,
        scope: ScopeId,
        (path, name): (&str, &str),
    ) -> Vec<Option<ScopeId>> {
        if path.contains('.') {
            return vec![None];
        }
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

/// A parameter with its own scope, and the value that a call passes to it from a scope.
type Passed = ((Name, Option<ScopeId>), ScopeId, (Name, bool));

/// The pairs of a file that were found so far.
struct Pairs<'f> {
    facts: &'f Facts,
    variables: Variables<'f>,
    /// The definitions by their own scopes.
    owners: HashMap<ScopeId, DefinitionId>,
    found: Vec<(FlowName, FlowName)>,
    /// Whether there are more.
    is_cut: bool,
}

impl<'f> Pairs<'f> {
    /// Finds the pairs of a file, sorted and without duplicates.
    fn of(facts: &'f Facts, flow: &FlowIndex, variables: Variables<'f>) -> Self {
        let definitions = (0..).map(DefinitionId).zip(&facts.definitions);
        let mut pairs = Self {
            facts,
            variables,
            owners: definitions.map(|(id, found)| (found.scope, id)).collect(),
            found: Vec::new(),
            is_cut: false,
        };
        pairs.add_bindings();
        pairs.add_implicit_calls();
        pairs.add_arguments(flow);
        pairs.found.sort_unstable();
        pairs.found.dedup();
        pairs
    }

    fn add_bindings(&mut self) {
        let facts = self.facts;
        for binding in &facts.bindings {
            let Some(value) = value_of(binding) else {
                continue;
            };
            let from = (binding.value_scope, value);
            if let Some((literal, _)) = facts.name(binding.name).split_once('.')
                && literal.starts_with(LITERAL)
            {
                self.add(&unscoped(literal.to_owned()), from);
            }
            for given in self.given_names(binding) {
                self.add(&given, from);
            }
        }
    }

    /// Adds what instances of classes give by methods that run without their name in the text.
    fn add_implicit_calls(&mut self) {
        let facts = self.facts;
        for definition in &facts.definitions {
            let Some(class) = definition.parent.and_then(|id| facts.definition(id)) else {
                continue;
            };
            let name = facts.name(definition.name);
            let calls: &[&str] = match name {
                // A loop has what the iterator yields, or what its methods return.
                ITERATOR => &["()", "()()"],
                _ if IMPLICIT.contains(&name) => &[""],
                _ => &[],
            };
            for calls in calls {
                let instance = unscoped(format!("{}()", facts.name(class.name)));
                let of = unscoped(format!("{name}{calls}"));
                self.found.push((instance, of));
            }
        }
    }

    /// Adds what calls pass to parameters.
    fn add_arguments(&mut self, flow: &FlowIndex) {
        let facts = self.facts;
        let signatures = signatures_by_name(facts, &self.owners);
        // Many calls pass the same values, so names come after the duplicates are gone.
        let mut passed: HashSet<Passed> = HashSet::default();
        for (place, call) in facts.flow.calls.iter().enumerate() {
            let is_indirect = flow.indirect_calls().binary_search(&place).is_ok();
            for signature in called(facts, &signatures, call, is_indirect) {
                self.pass_arguments(&mut passed, call, signature);
            }
        }
        let mut passed: Vec<Passed> = passed.into_iter().collect();
        passed.sort_unstable();
        for ((parameter, scope), from, (path, is_called)) in passed {
            let name = facts.name(parameter).to_owned();
            let value = Value { path, is_called };
            self.add(&FlowName { name, scope }, (from, value));
        }
    }

    fn pass_arguments(
        &mut self,
        passed: &mut HashSet<Passed>,
        call: &CallFact,
        signature: &Signature,
    ) {
        for argument in &call.arguments {
            let parameters = match argument.place {
                ArgumentPlace::Keyword(name) => [Some(name), None],
                // A call of a method has the receiver before its arguments.
                ArgumentPlace::Index(index) => [0, 1].map(|receivers| {
                    let own = signature.parameters.get(index as usize + receivers);
                    own.copied().or(signature.rest)
                }),
            };
            for name in parameters.into_iter().flatten() {
                let text = self.facts.name(name);
                let parameter = (name, self.variables.own_scope(signature.scope, text));
                let value = (argument.value.path, argument.value.is_called);
                let one = (parameter, call.scope, value);
                if passed.len() < MAX_PAIRS {
                    passed.insert(one);
                } else {
                    self.is_cut |= !passed.contains(&one);
                }
            }
        }
    }

    /// Adds that a name may have a value that is looked up in a scope.
    fn add(&mut self, given: &FlowName, (scope, value): (ScopeId, Value)) {
        let path = inside_containers(self.facts.name(value.path));
        let (name, _) = name_and_calls(self.facts, value);
        for scope in self.variables.scopes_of(self.facts, scope, (path, name)) {
            let of = FlowName {
                name: value_name(self.facts, value),
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

    /// Returns the names to which a binding gives its value.
    fn given_names(&self, binding: &Binding) -> Vec<FlowName> {
        let facts = self.facts;
        let path = facts.name(binding.name);
        if path == RETURNED {
            let owner = self.owners.get(&binding.scope);
            let owner = owner.and_then(|id| facts.definition(*id));
            let returning = owner.map_or_else(
                || format!("{LAMBDA}{}", binding.scope.0),
                |owner| facts.name(owner.name).to_owned(),
            );
            return vec![unscoped(format!("{returning}()"))];
        }
        let last = path.rsplit('.').next().unwrap_or(path);
        let name = last.split('[').next().unwrap_or(last);
        let scopes = self.variables.scopes_of(facts, binding.scope, (path, name));
        let named = |scope| FlowName {
            name: name.to_owned(),
            scope,
        };
        scopes.into_iter().map(named).collect()
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

/// Reports whether a value of a wanted name may flow to another name. `is_wanted` gets a name and
/// the number of calls behind it.
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
