//! Resolves operations such as `a + b`, whose operators are functions.

use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::DefinitionId;

/// Resolves what an operation on two values gives. Returns `None` if no operator of the repository
/// is known to be meant.
pub(super) fn operation(
    resolver: Resolver<'_>,
    (operator, operands): (&str, &[ResolvedEntities; 2]),
) -> Option<ResolvedEntities> {
    let [left, right] = operands;
    let is_shift = matches!(operator, "+" | "-") && right.entities.is_empty();
    if is_shift && left.are_containers() {
        // An iterator before or after another one.
        return Some(left.clone());
    }
    if !are_objects(left) || !are_objects(right) {
        return None;
    }
    let name = format!("operator{operator}");
    let members = resolver.resolve_members(left, &name).entities.into_iter();
    let members = members.filter(|one| takes(resolver, one, &[right]));
    let members: Vec<Entity> = members.collect();
    if !members.is_empty() {
        return result(resolver, &members);
    }
    let functions = functions_beside(resolver, left, &name).into_iter();
    let functions = functions.filter(|one| takes(resolver, one, &[left, right]));
    result(resolver, &functions.collect::<Vec<_>>())
}

/// Returns the functions of a name that stand beside classes:
/// <https://en.cppreference.com/w/cpp/language/adl>.
fn functions_beside(resolver: Resolver<'_>, classes: &ResolvedEntities, name: &str) -> Vec<Entity> {
    let mut found = Vec::new();
    for (path, class) in classes.entities.iter().filter_map(class_of) {
        let Some(facts) = resolver.database.facts(path) else {
            continue;
        };
        let parent = facts.facts.definition(class).map(|class| class.parent);
        if let Some((parent, name)) = parent.zip(facts.find_name(name)) {
            let functions = facts.members(parent, name).iter();
            found.extend(functions.map(|id| Entity::Definition(path.clone(), *id)));
        }
    }
    found
}

/// Reports whether values are instances of classes, and nothing else.
fn are_objects(of: &ResolvedEntities) -> bool {
    !of.entities.is_empty() && of.entities.iter().all(|one| class_of(one).is_some())
}

fn class_of(of: &Entity) -> Option<(&RepoPath, DefinitionId)> {
    match of.without_type_arguments() {
        Entity::Instance(path, id) => Some((path, *id)),
        _ => None,
    }
}

/// Reports whether the parameters of a function have the types of these values.
fn takes(resolver: Resolver<'_>, function: &Entity, given: &[&ResolvedEntities]) -> bool {
    let Entity::Definition(path, id) = function.without_type_arguments() else {
        return false;
    };
    let facts = resolver.database.facts(path);
    let count = facts.and_then(|facts| facts.facts.definition(*id)?.parameters);
    let is_counted = count.is_none_or(|count| given.len() == count.declared as usize);
    let of = ResolvedEntities::single(function.clone());
    let mut places = given.iter().enumerate();
    is_counted
        && places.all(|(place, given)| {
            resolver.resolve_parameter_types(&of, place).entities == given.entities
        })
}

/// Resolves what functions give, if all give the same.
fn result(resolver: Resolver<'_>, functions: &[Entity]) -> Option<ResolvedEntities> {
    let results = functions.iter();
    let mut results =
        results.map(|one| resolver.resolve_call(&ResolvedEntities::single(one.clone())));
    let first = results.next()?;
    results
        .all(|one| one.entities == first.entities)
        .then_some(first)
}
