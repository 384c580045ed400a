//! Chooses among overloaded methods by the number of arguments, as the type of `a().b()` depends on
//! which `a` is called.
//!
//! Source: [JLS 15.12.2], the choice of a method.
//!
//! [JLS 15.12.2]: https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2

use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use ragnav_syntax::facts::{ARGUMENTS, BindingTarget};

/// Divides the name of a called method from the number of its arguments.
pub(super) fn name_and_count(call: &str) -> (&str, Option<usize>) {
    match call.split_once(ARGUMENTS) {
        Some((name, count)) => (name, count.parse().ok()),
        None => (call, None),
    }
}

/// Keeps the methods that can be called with a number of arguments. If none can, the facts do not
/// tell which is called, and all are kept.
pub(super) fn with_parameters(
    resolver: Resolver<'_>,
    called: ResolvedEntities,
    count: Option<usize>,
) -> ResolvedEntities {
    let Some(count) = count.filter(|_| called.entities.len() > 1) else {
        return called;
    };
    let methods = called.entities.iter();
    let kept = methods.filter(|method| takes(resolver, method, count));
    let kept: ResolvedEntities = kept.cloned().collect();
    if kept.is_none() {
        return called;
    }
    ResolvedEntities {
        has_unknown: called.has_unknown,
        ..kept
    }
}

/// Reports whether a method takes a number of arguments. The facts of `a(T[] b)` and of `a(T... b)`
/// are equal, so that each takes any number of last arguments.
fn takes(resolver: Resolver<'_>, method: &Entity, count: usize) -> bool {
    let Entity::Definition(path, id) = method.without_type_arguments() else {
        return false;
    };
    let Some(file) = resolver.database.facts(path) else {
        return false;
    };
    file.facts.definition(*id).is_some_and(|method| {
        let last = file.parameters(method.scope).next_back();
        let is_sequence = last.is_some_and(|last| match last.target {
            BindingTarget::Parameter(Some(value)) => file.facts.name(value.path).starts_with('['),
            _ => false,
        });
        let number = file.parameters(method.scope).count();
        count == number || (is_sequence && count + 1 >= number)
    })
}
