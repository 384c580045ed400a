//! The types of the standard library that contain values of other types.
//!
//! The names are those of ECMA-262, <https://tc39.es/ecma262/>: Array, Map, Set and iterators.

use crate::elements::any_part;
use crate::entity::{Entity, ResolvedEntities};
use crate::flow_names::ITERATOR;
use crate::resolver::CallArguments;
use ragnav_syntax::facts::INDEX_SIGNATURE;

/// The types whose elements are of their first argument.
const SEQUENCES: [&str; 14] = [
    "Array",
    "ArrayLike",
    "AsyncGenerator",
    "AsyncIterable",
    "AsyncIterableIterator",
    "AsyncIterator",
    "Generator",
    "Iterable",
    "IterableIterator",
    "Iterator",
    "ReadonlyArray",
    "ReadonlySet",
    "Set",
    "WeakSet",
];

/// The types whose values are of their second argument.
const MAPPINGS: [&str; 4] = ["Map", "ReadonlyMap", "Record", "WeakMap"];

/// Reports whether a name is that of a type whose values are known.
pub(super) fn is_container(name: &str) -> bool {
    SEQUENCES.contains(&name) || MAPPINGS.contains(&name)
}

/// Resolves a type of the standard library.
pub(super) fn resolve_type(name: &str, arguments: &[ResolvedEntities]) -> ResolvedEntities {
    let argument = |place: usize| arguments.get(place).cloned().unwrap_or_default();
    if name == "Array" {
        // An array that an expression creates has a value for each element.
        let elements = ResolvedEntities::union(arguments.iter().cloned());
        return elements.map(Entity::sequence);
    }
    if SEQUENCES.contains(&name) {
        return argument(0).map(Entity::sequence);
    }
    if MAPPINGS.contains(&name) {
        return argument(1).map(Entity::mapping);
    }
    if name.starts_with(char::is_uppercase) {
        return ResolvedEntities::none();
    }
    ResolvedEntities::unknown()
}

/// Resolves `new Set(a)` and `new Map(a)`, which contain the elements of an array.
pub(super) fn resolve_call(path: &str, arguments: CallArguments<'_>) -> Option<ResolvedEntities> {
    let elements = || {
        let all = (arguments.get)(0).entities.into_iter();
        all.filter_map(|one| match one {
            Entity::Sequence(element) => Some(*element),
            _ => None,
        })
    };
    let made: ResolvedEntities = match path {
        "Set" | "WeakSet" => elements().map(Entity::sequence).collect(),
        "Map" | "WeakMap" => {
            let pairs: Vec<Entity> = elements().collect();
            let values = pairs.iter().map(|pair| match pair {
                Entity::Tuple(parts) => parts.get(1).cloned().unwrap_or_default(),
                // Arrays do not tell which of their parts are the values.
                Entity::Sequence(part) if pairs.len() == 1 => {
                    ResolvedEntities::single((**part).clone())
                }
                _ => ResolvedEntities::none(),
            });
            ResolvedEntities::union(values).map(Entity::mapping)
        }
        _ => return None,
    };
    (!made.entities.is_empty()).then_some(ResolvedEntities {
        has_unknown: true,
        ..made
    })
}

/// Resolves a member of an array, a set or a mapping.
pub(super) fn resolve_member(of: &Entity, name: &str) -> ResolvedEntities {
    match of {
        Entity::Sequence(element) => sequence_member(of, element, name),
        Entity::Mapping(value) => mapping_member(of, value, name),
        // A promise of a tuple is one of the whole.
        Entity::Tuple(_) if matches!(name, "then" | "catch" | "finally") => {
            resolve_promise_member(of, name)
        }
        // A tuple is an array of all its parts.
        Entity::Tuple(parts) => {
            let any = any_part(parts);
            let elements = any.entities.iter();
            let members = elements.map(|element| sequence_member(of, element, name));
            let mut found = ResolvedEntities::union(members);
            found.has_unknown |= any.has_unknown;
            found
        }
        _ => ResolvedEntities::none(),
    }
}

/// The members of arrays and sets that do not give elements.
const WITHOUT_ELEMENTS: [&str; 14] = [
    "add",
    "clear",
    "delete",
    "has",
    "includes",
    "indexOf",
    "join",
    "keys",
    "lastIndexOf",
    "length",
    "push",
    "size",
    "toString",
    "unshift",
];

/// Resolves a member of an array or another object that an expression creates. Returns `None` if
/// its elements tell more.
pub(super) fn resolve_member_of_literal(
    of: &Entity,
    is_array: bool,
    name: &str,
) -> Option<ResolvedEntities> {
    // The flow of values tells what callbacks make of the elements.
    let is_mapping = matches!(name, "flatMap" | "map");
    if is_array && (is_mapping || WITHOUT_ELEMENTS.contains(&name)) {
        let nothing = ResolvedEntities::none();
        return Some(ResolvedEntities::external_function(nothing, Vec::new()));
    }
    // A promise of the whole counts as the whole.
    let promised = resolve_promise_member(of, name);
    (!promised.is_none()).then_some(promised)
}

/// Resolves a member of a promise of these values, as which an annotation counts: `Promise<A>` is
/// an `A`.
pub(super) fn resolve_promise_member(of: &Entity, name: &str) -> ResolvedEntities {
    let itself = || ResolvedEntities::single(of.clone());
    let result = || ResolvedEntities::callback_result(of);
    let (mut returned, passed) = match name {
        "then" => (result(), vec![itself()]),
        "catch" => {
            let mut returned = itself();
            returned.merge(result());
            (returned, vec![ResolvedEntities::unknown()])
        }
        "finally" => (itself(), Vec::new()),
        _ => return ResolvedEntities::none(),
    };
    returned.has_unknown = true;
    let callback = ResolvedEntities::external_function(result(), passed);
    ResolvedEntities::external_function(returned, vec![callback])
}

fn sequence_member(of: &Entity, element: &Entity, name: &str) -> ResolvedEntities {
    let itself = || ResolvedEntities::single(of.clone());
    let entries = || entries(element);
    let element = || ResolvedEntities::single(element.clone());
    let nothing = ResolvedEntities::none;
    match name {
        "at" | "find" | "findLast" | "pop" | "shift" | "with" => {
            ResolvedEntities::function_calling(element(), vec![element(), nothing(), itself()])
        }
        "concat" | "copyWithin" | "fill" | "filter" | "reverse" | "slice" | "splice"
        | "toReversed" | "toSpliced" | "values" => {
            ResolvedEntities::function_calling(itself(), vec![element(), nothing(), itself()])
        }
        "flat" => ResolvedEntities::external_function(flattened(of, &element()), Vec::new()),
        "sort" | "toSorted" => {
            ResolvedEntities::function_calling(itself(), vec![element(), element()])
        }
        "every" | "findIndex" | "findLastIndex" | "forEach" | "some" => {
            ResolvedEntities::function_calling(nothing(), vec![element(), nothing(), itself()])
        }
        "flatMap" | "map" => ResolvedEntities::function_calling(
            ResolvedEntities::unknown(),
            vec![element(), nothing(), itself()],
        ),
        "reduce" | "reduceRight" => reducing(element()),
        "entries" => entries(),
        // The result of an iterator is an object with the element as a value.
        "next" => ResolvedEntities::external_function(element().map(Entity::mapping), Vec::new()),
        INDEX_SIGNATURE => ResolvedEntities::function_returning(element()),
        ITERATOR => ResolvedEntities::function_returning(itself()),
        "then" | "catch" | "finally" => resolve_promise_member(of, name),
        _ => nothing(),
    }
}

/// Returns an array of the elements of the arrays in an array. Those of other types stay.
fn flattened(of: &Entity, elements: &ResolvedEntities) -> ResolvedEntities {
    let arrays = elements.entities.iter().map(|element| match element {
        Entity::Sequence(_) => ResolvedEntities::single(element.clone()),
        Entity::Tuple(parts) => any_part(parts).map(Entity::sequence),
        _ => ResolvedEntities::single(of.clone()),
    });
    ResolvedEntities::union(arrays)
}

/// Returns the method that passes the results of its first argument on to the next call of it, and
/// begins with its second argument.
fn reducing(element: ResolvedEntities) -> ResolvedEntities {
    let result = ResolvedEntities::union(
        element
            .entities
            .iter()
            .map(ResolvedEntities::callback_result),
    );
    let callback =
        ResolvedEntities::external_function(result.clone(), vec![result.clone(), element]);
    ResolvedEntities::external_function(result.clone(), vec![callback, result])
}

fn mapping_member(of: &Entity, value: &Entity, name: &str) -> ResolvedEntities {
    let itself = || ResolvedEntities::single(of.clone());
    let entries = || entries(value);
    let value = || ResolvedEntities::single(value.clone());
    match name {
        "get" => ResolvedEntities::external_function(value(), Vec::new()),
        "set" => ResolvedEntities::external_function(itself(), Vec::new()),
        "forEach" => {
            let passed = vec![value(), ResolvedEntities::unknown(), itself()];
            ResolvedEntities::function_calling(ResolvedEntities::none(), passed)
        }
        "values" => ResolvedEntities::external_function(value().map(Entity::sequence), Vec::new()),
        "entries" => entries(),
        INDEX_SIGNATURE => ResolvedEntities::function_returning(value()),
        ITERATOR => ResolvedEntities::function_returning(itself()),
        "clear" | "delete" | "has" | "keys" | "size" => ResolvedEntities::none(),
        // A record has its values as members.
        _ => value(),
    }
}

/// Resolves the method `entries` of a container of such values.
fn entries(value: &Entity) -> ResolvedEntities {
    ResolvedEntities::external_function(
        ResolvedEntities::single(Entity::sequence(Entity::entry(value.clone()))),
        Vec::new(),
    )
}
