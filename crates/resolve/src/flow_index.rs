//! Look-up tables for the flow of values in one file.

use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::sort::SmallSort;

use ragnav_syntax::facts::{
    Assignment, Binding, BindingTarget, CallFact, Effect, Facts, LAMBDA, LITERAL, METHOD, Name,
    Position, Receiver, Reference, ReferenceKind, ScopeId, ScopeKind, Signature, UNDECORATED,
};

/// The maximum number of assignments to one name whose order is used.
const MAX_ASSIGNMENTS: usize = 200;

/// Look-up tables for the flow of values in one file.
#[derive(Debug, Default)]
pub(crate) struct FlowIndex {
    /// The order of the assignments to each name of a scope.
    assignments: HashMap<(ScopeId, Name), Vec<Assignment>>,
    /// The calls by the last name of the called path, as indices.
    calls: HashMap<String, Vec<usize>>,
    /// The calls of names that may hold any function, as indices.
    indirect_calls: Vec<usize>,
    /// The parameters of each function.
    signatures: HashMap<ScopeId, Signature>,
    /// The names of the elements of each container.
    elements: HashMap<u32, Vec<Name>>,
    /// Whether paths such as `a.b` and `a['b']` are bound.
    pub(crate) has_paths: bool,
}

impl FlowIndex {
    /// Builds the tables for facts whose flow is merged.
    pub(crate) fn new(facts: &Facts) -> Self {
        let flow = &facts.flow;
        let mut index = Self::default();
        for assignment in &flow.assignments {
            let key = (assignment.scope, assignment.name);
            let known = index.assignments.entry(key).or_default();
            if known.len() < MAX_ASSIGNMENTS {
                known.push(*assignment);
            }
        }
        for known in index.assignments.values_mut() {
            known.small_sort_by_key(|found| found.position);
        }
        for signature in &flow.signatures {
            index.signatures.insert(signature.scope, signature.clone());
        }
        for binding in &flow.bindings {
            let text = facts.name(binding.name);
            match literal_number(text) {
                Some((number, rest)) if rest.starts_with(['[', '.']) => {
                    let names = index.elements.entry(number).or_default();
                    if names.last() != Some(&binding.name) {
                        names.push(binding.name);
                    }
                }
                _ => index.has_paths |= text.contains(['.', '[']),
            }
        }
        index.add_calls(facts);
        index
    }

    fn add_calls(&mut self, facts: &Facts) {
        if facts.flow.calls.is_empty() {
            return;
        }
        let definitions: HashSet<Name> = facts.definitions.iter().map(|found| found.name).collect();
        let is_variable = |binding: &&Binding| {
            matches!(
                binding.target,
                BindingTarget::Variable(_)
                    | BindingTarget::Parameter(_)
                    | BindingTarget::Attribute(_)
            )
        };
        let variables: HashSet<&str> = facts
            .bindings
            .iter()
            .filter(is_variable)
            .map(|binding| facts.name(binding.name))
            .collect();
        let defined: HashSet<&str> = definitions.iter().map(|name| facts.name(*name)).collect();
        let imports = facts.bindings.iter();
        let imports = imports.filter(|one| matches!(one.target, BindingTarget::Import(_)));
        let imported: HashSet<&str> = imports.map(|one| facts.name(one.name)).collect();
        let is_other = |head: &str| {
            imported.contains(head) && !variables.contains(head) && !defined.contains(head)
        };
        let from_elsewhere = variables_from_elsewhere(facts, is_other);
        // A method of an object from elsewhere that decorates runs no other function of the file:
        // `@register.filter()` with `register = Library()`. The object itself may be one of these.
        let is_decorator_from_elsewhere = |call: &CallFact, head: &str, rest: &str| {
            let mut arguments = call.arguments.iter();
            rest.starts_with('.')
                && from_elsewhere.contains(head)
                && arguments.any(|one| facts.name(one.value.path).starts_with(UNDECORATED))
        };
        // A call of a name that the file never binds runs no function of the file.
        let is_named = |name: &str| {
            let has_prefix = name.starts_with([LAMBDA, LITERAL, UNDECORATED]);
            has_prefix || variables.contains(name) || defined.contains(name)
        };
        for (place, call) in facts.flow.calls.iter().enumerate() {
            let path = facts.name(call.callee.path);
            let last = path.rsplit('.').next().unwrap_or(path);
            let name = last.split(['(', '[', '*']).next().unwrap_or(last);
            // A function of PHP has a mark, and may have a namespace, before its name.
            let own = name.rsplit('\\').next().unwrap_or(name);
            let own = own.trim_start_matches(METHOD);
            self.calls.entry(own.to_owned()).or_default().push(place);
            // A plain name that no variable has is a function of its name, here or elsewhere.
            let is_plain = name.len() == path.len() && !path.starts_with([LAMBDA, LITERAL]);
            let is_own_member = name.len() == last.len() && defined.contains(name);
            let is_direct = (is_plain || is_own_member) && !variables.contains(name);
            let may_be_own = name.len() < last.len() || is_named(name);
            let head = head_of(path);
            let rest = path.get(head.len()..).unwrap_or_default();
            let is_elsewhere = is_other(head) || is_decorator_from_elsewhere(call, head, rest);
            if may_be_own && !is_direct && !is_elsewhere {
                self.indirect_calls.push(place);
            }
        }
    }

    /// Returns the calls of a name, as indices.
    pub(crate) fn calls_of(&self, name: &str) -> &[usize] {
        self.calls.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the calls of names that may hold any function, as indices.
    pub(crate) fn indirect_calls(&self) -> &[usize] {
        &self.indirect_calls
    }

    /// Returns the parameters of the function with a scope.
    pub(crate) fn signature(&self, scope: ScopeId) -> Option<&Signature> {
        self.signatures.get(&scope)
    }

    /// Returns the names of the elements of a container.
    pub(crate) fn elements(&self, number: u32) -> &[Name] {
        self.elements.get(&number).map_or(&[], Vec::as_slice)
    }

    /// Reports whether the order of the assignments to a name is known in some scope.
    pub(crate) fn has_order(&self, scope: ScopeId, name: Name) -> bool {
        self.assignments.contains_key(&(scope, name))
    }

    /// Reports whether a binding of a name is a test of its type, besides which others may hold.
    pub(crate) fn is_test(&self, key: (ScopeId, Name), binding: &Binding) -> bool {
        let own = self.assignment_of(key, binding);
        own.is_some_and(|own| own.effect == Effect::Joins)
    }

    /// Returns the assignment that a binding of a name is.
    fn assignment_of(&self, key: (ScopeId, Name), binding: &Binding) -> Option<&Assignment> {
        let assignments = self.assignments.get(&key)?;
        let at = assignments.partition_point(|found| found.position < binding.position);
        let found = assignments.get(at)?;
        (found.position == binding.position).then_some(found)
    }

    /// Returns the bindings of a name that may hold at some place, without tests of its type.
    pub(crate) fn visible_anywhere<'b>(
        &self,
        key: (ScopeId, Name),
        bindings: Vec<&'b Binding>,
    ) -> Vec<&'b Binding> {
        let Some(assignments) = self.assignments.get(&key) else {
            return bindings;
        };
        let is_test = |binding: &&Binding| {
            let mut tests = assignments
                .iter()
                .filter(|found| found.effect != Effect::Replaces);
            tests.any(|found| found.position == binding.position)
        };
        bindings
            .into_iter()
            .filter(|binding| !is_test(binding))
            .collect()
    }

    /// Returns the bindings of a name that hold at a position of its scope, and whether no earlier
    /// value of the name can hold there.
    pub(crate) fn visible_at<'b>(
        &self,
        (scope, name): (ScopeId, Name),
        bindings: Vec<&'b Binding>,
        at: Position,
    ) -> (Vec<&'b Binding>, bool) {
        let Some(assignments) = self.assignments.get(&(scope, name)) else {
            return (bindings, false);
        };
        let holds =
            |found: &&Assignment| found.end <= at && found.block_end.is_some_and(|end| at <= end);
        let last = assignments
            .iter()
            .filter(|found| holds(found) && found.effect != Effect::Joins)
            .max_by_key(|found| (found.end, found.position));
        let is_visible = |binding: &&Binding| {
            let Some(own) = self.assignment_of((scope, name), binding) else {
                return last.is_none();
            };
            if last.is_some_and(|last| last.position == own.position) {
                return true;
            }
            match own.effect {
                Effect::Replaces => {}
                Effect::Narrows => return false,
                // An assignment behind the test replaces what was tested.
                Effect::Joins => {
                    return holds(&own) && last.is_none_or(|last| last.position < own.position);
                }
            }
            let start = match own.loop_start {
                Some(start) if own.end > at => start,
                _ => own.end,
            };
            start <= at && last.is_none_or(|last| start > last.end)
        };
        let visible: Vec<&Binding> = bindings.into_iter().filter(is_visible).collect();
        (visible, last.is_some())
    }
}

/// Returns the first name of a path: `a` of `a.b()`.
fn head_of(path: &str) -> &str {
    path.split(['.', '(', '[', '*']).next().unwrap_or(path)
}

/// Returns the variables that have nothing but what calls of something imported return.
fn variables_from_elsewhere(facts: &Facts, is_imported: impl Fn(&str) -> bool) -> HashSet<&str> {
    let is_from_elsewhere = |binding: &&Binding| match binding.target {
        BindingTarget::Variable(Some(value)) => {
            value.is_called && is_imported(head_of(facts.name(value.path)))
        }
        _ => false,
    };
    let bindings = facts.bindings.iter();
    let from_elsewhere = bindings.clone().filter(is_from_elsewhere);
    let mut found: HashSet<&str> = from_elsewhere.map(|one| facts.name(one.name)).collect();
    for other in bindings.filter(|binding| !is_from_elsewhere(binding)) {
        found.remove(facts.name(other.name));
    }
    found
}

/// Splits the path of a container into its number and the rest.
pub(crate) fn literal_number(path: &str) -> Option<(u32, &str)> {
    let rest = path.strip_prefix(LITERAL)?;
    let end = rest
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(rest.len());
    let (number, rest) = rest.split_at_checked(end)?;
    Some((number.parse().ok()?, rest))
}

/// Merges the flow of values into the bindings and references.
pub(crate) fn merge_flow(facts: Facts) -> Facts {
    let mut facts = facts;
    let flow = &mut facts.flow;
    if !flow.bindings.is_empty() {
        let place = |binding: &Binding| (binding.scope, binding.name, binding.position);
        let refined: HashSet<_> = flow.bindings.iter().map(place).collect();
        let scopes = &facts.scopes;
        facts.bindings.retain(|binding| {
            let is_value = matches!(
                binding.target,
                BindingTarget::Variable(_) | BindingTarget::Attribute(_)
            );
            let scope = scopes.get(binding.value_scope.0 as usize);
            let is_declared = scope.is_some_and(|scope| scope.kind == ScopeKind::Documentation);
            !(is_value && !is_declared && refined.contains(&place(binding)))
        });
        facts.bindings.extend(flow.bindings.iter().cloned());
        facts.bindings.small_sort_by_key(|binding| binding.position);
    }
    if !flow.called.is_empty() {
        let called: HashSet<(u32, u32)> = flow
            .called
            .iter()
            .map(|at| (at.line, at.start_utf16))
            .collect();
        for reference in &mut facts.references {
            let at = (reference.position.line, reference.position.start_utf16);
            let is_read = reference.kind == ReferenceKind::Reference;
            if is_read && called.contains(&at) && !matches!(reference.receiver, Receiver::Itself(_))
            {
                reference.kind = ReferenceKind::Call;
            }
        }
    }
    if !flow.references.is_empty() {
        // These know the receiver of a name for which the first pass has none, or a wider one.
        let position = |found: &Reference| found.position;
        let known: HashSet<Position> = flow.references.iter().map(position).collect();
        let is_member = |found: &&Reference| matches!(found.receiver, Receiver::Value(_));
        let members = flow.references.iter().filter(is_member);
        let members: HashSet<Position> = members.map(position).collect();
        facts
            .references
            .retain(|reference| match reference.receiver {
                Receiver::Unknown => !known.contains(&reference.position),
                Receiver::Value(_) => !members.contains(&reference.position),
                _ => true,
            });
        facts.references.append(&mut flow.references);
        facts
            .references
            .small_sort_by_key(|reference| reference.position);
    }
    facts
}
