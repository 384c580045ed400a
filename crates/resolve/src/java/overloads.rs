//! Chooses among overloaded methods by the number of arguments, as the type of `a().b()` depends on
//! which `a` is called.
//!
//! Source: [JLS 15.12.2](https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2).

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

/// Keeps the methods with a number of parameters. If there are none, one with a variable number is
/// called, and all are kept.
pub(super) fn with_parameters(
    resolver: Resolver<'_>,
    called: ResolvedEntities,
    count: Option<usize>,
) -> ResolvedEntities {
    let Some(count) = count.filter(|_| called.entities.len() > 1) else {
        return called;
    };
    let has_parameters = |entity: &&Entity| has_parameters(resolver, entity, count);
    let kept: ResolvedEntities = called
        .entities
        .iter()
        .filter(has_parameters)
        .cloned()
        .collect();
    if kept.is_none() {
        return called;
    }
    ResolvedEntities {
        has_unknown: called.has_unknown,
        ..kept
    }
}

fn has_parameters(resolver: Resolver<'_>, method: &Entity, count: usize) -> bool {
    let Entity::Definition(path, id) = method.without_type_arguments() else {
        return false;
    };
    let Some(file) = resolver.database.facts(path) else {
        return false;
    };
    let facts = &file.facts;
    facts.definition(*id).is_some_and(|method| {
        let bindings = facts.bindings.iter();
        let parameters = bindings.filter(|binding| {
            let is_parameter = matches!(binding.target, BindingTarget::Parameter(_));
            is_parameter && binding.scope == method.scope
        });
        parameters.count() == count
    })
}
