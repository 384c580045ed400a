//! Binds names that functions declare with `global` or `nonlocal` where they belong, so that code
//! outside of the functions sees what they assign.
//!
//! Source: the chapter on [naming and binding] of the reference of Python.
//!
//! [naming and binding]: https://docs.python.org/3/reference/executionmodel.html

use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::sort::SmallSort;
use ragnav_syntax::facts::{
    Binding, BindingTarget, Facts, MODULE, Name, Outer, ScopeId, ScopeKind,
};

/// A name in a scope.
type Key = (ScopeId, Name);

/// Adds the bindings of names that a scope declares as those of an outer one to the outer one.
///
/// `global` says nothing in the scope of the module itself.
pub(crate) fn add_outer_bindings(facts: &mut Facts) {
    facts
        .bindings
        .retain(|one| one.scope != MODULE || declaration(one).is_none());
    let declared: Vec<(Outer, Key)> = facts.bindings.iter().filter_map(declaration).collect();
    if declared.is_empty() {
        return;
    }
    let bound = facts.bindings.iter().filter(|one| is_bound(one));
    let mut bound: HashSet<Key> = bound.map(|one| (one.scope, one.name)).collect();
    for (_, key) in &declared {
        bound.remove(key);
    }
    let owners = declared
        .into_iter()
        .filter_map(|(outer, key)| Some((key, owner(facts, &bound, (outer, key))?)));
    let owners: HashMap<Key, ScopeId> = owners.collect();
    let assigned = facts.bindings.iter().filter(|one| is_bound(one));
    let added = assigned.filter_map(|binding| {
        let scope = *owners.get(&(binding.scope, binding.name))?;
        Some(Binding {
            scope,
            ..binding.clone()
        })
    });
    let added: Vec<Binding> = added.collect();
    facts.bindings.extend(added);
    facts.bindings.small_sort_by_key(|binding| binding.position);
}

fn declaration(binding: &Binding) -> Option<(Outer, Key)> {
    match binding.target {
        BindingTarget::Outer(outer) => Some((outer, (binding.scope, binding.name))),
        _ => None,
    }
}

fn is_bound(binding: &Binding) -> bool {
    !matches!(
        binding.target,
        BindingTarget::Outer(_) | BindingTarget::Attribute(_)
    )
}

/// Returns the scope that a declared name belongs to.
fn owner(
    facts: &Facts,
    bound: &HashSet<Key>,
    (outer, (scope, name)): (Outer, Key),
) -> Option<ScopeId> {
    if outer == Outer::Global {
        return Some(MODULE);
    }
    let around = std::iter::successors(Some(scope), |scope| facts.scope(*scope)?.parent);
    let mut around = around.skip(1);
    around.find(|scope| {
        let kind = facts.scope(*scope).map(|found| found.kind);
        kind == Some(ScopeKind::Function) && bound.contains(&(*scope, name))
    })
}
