//! What the methods of containers, options, results and smart pointers of the standard library
//! return: <https://doc.rust-lang.org/std/>.

use crate::entity::{Entity, ResolvedEntities};
use ragnav_syntax::facts::{FIELD, INSIDE, TUPLE_PART};

/// The methods that return a container of the same elements, or an option of an element.
const KEEPING: [&str; 71] = [
    "as_deref",
    "as_deref_mut",
    "as_mut",
    "as_mut_slice",
    "as_ref",
    "as_slice",
    "back",
    "by_ref",
    "chain",
    "chunks",
    "clone",
    "cloned",
    "collect",
    "copied",
    "cycle",
    "drain",
    "extract_if",
    "filter",
    "find",
    "first",
    "first_mut",
    "flatten",
    "front",
    "fuse",
    "get",
    "get_mut",
    "get_or_init",
    "inspect",
    "inspect_err",
    "into_inner",
    "into_iter",
    "into_values",
    "iter",
    "iter_mut",
    "last",
    "last_mut",
    "lock",
    "map_err",
    "max_by",
    "max_by_key",
    "min_by",
    "min_by_key",
    "next",
    "next_back",
    "nth",
    "ok",
    "ok_or",
    "ok_or_else",
    "or",
    "or_else",
    "peek",
    "peek_mut",
    "peekable",
    "pop",
    "pop_back",
    "pop_front",
    "read",
    "rev",
    "skip",
    "skip_while",
    "split_off",
    "step_by",
    "take",
    "take_while",
    "to_owned",
    "to_vec",
    "try_lock",
    "upgrade",
    "values",
    "values_mut",
    "write",
];

/// The methods of mappings that return keys with their values.
const ITERATING: [&str; 7] = [
    "drain",
    "extract_if",
    "into_iter",
    "iter",
    "iter_mut",
    "range",
    "range_mut",
];

/// The methods that return what is inside, or fail.
const UNWRAPPING: [&str; 15] = [
    "borrow",
    "borrow_mut",
    "expect",
    "get_or_insert",
    "get_or_insert_with",
    "insert",
    "or_default",
    "or_insert",
    "or_insert_with",
    "remove",
    "swap_remove",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
];

/// The methods of a value that return the value itself, or a copy of it.
const RETURNING_SELF: [&str; 10] = [
    "as_deref",
    "as_mut",
    "as_ref",
    "borrow",
    "borrow_mut",
    "by_ref",
    "clone",
    "deref",
    "deref_mut",
    "to_owned",
];

/// The methods that call a closure with an element.
const CALLING_WITH_ELEMENT: [&str; 29] = [
    "all",
    "and_then",
    "any",
    "filter",
    "filter_map",
    "find",
    "find_map",
    "flat_map",
    "for_each",
    "inspect",
    "is_none_or",
    "is_ok_and",
    "is_some_and",
    "map",
    "map_while",
    "max_by_key",
    "min_by_key",
    "partition",
    "partition_point",
    "position",
    "retain",
    "rfind",
    "rposition",
    "skip_while",
    "sort_by_cached_key",
    "sort_by_key",
    "sort_unstable_by_key",
    "take_while",
    "try_for_each",
];

/// The methods that call a closure, their second argument, with an element.
const CALLING_SECOND: [&str; 2] = ["map_or", "map_or_else"];

/// The methods that call a closure with two elements.
const COMPARING: [&str; 5] = ["max_by", "min_by", "reduce", "sort_by", "sort_unstable_by"];

/// The methods that call a closure, their second argument, with something else and an element.
const FOLDING: [&str; 3] = ["fold", "scan", "try_fold"];

/// The methods that return what their closure returns: an option, or any value.
const RETURNING_RESULT: [&str; 6] = [
    "and_then",
    "filter_map",
    "find_map",
    "map_or",
    "map_or_else",
    "map_while",
];

/// Returns a method of a container: as a function if it calls a closure with elements, or else as
/// what a call of it returns.
pub(super) fn member(of: &Entity, name: &str) -> ResolvedEntities {
    if let Entity::Tuple(parts) = of {
        return member_of_tuple(of, parts, name);
    }
    let (Entity::Sequence(element) | Entity::Mapping(element)) = of else {
        return ResolvedEntities::unknown();
    };
    let result = || ResolvedEntities::callback_result(element);
    let returned = match name {
        "map" => result().map(Entity::sequence),
        _ if RETURNING_RESULT.contains(&name) => result(),
        _ => returned_by(of, element, name),
    };
    let inside = || ResolvedEntities::single((**element).clone());
    let other = ResolvedEntities::unknown;
    let (before, received) = match name {
        "retain" if matches!(of, Entity::Mapping(_)) => (1, vec![other(), inside()]),
        _ if CALLING_WITH_ELEMENT.contains(&name) => (1, vec![inside()]),
        _ if COMPARING.contains(&name) => (1, vec![inside(), inside()]),
        _ if CALLING_SECOND.contains(&name) => (2, vec![inside()]),
        _ if FOLDING.contains(&name) => (2, vec![other(), inside()]),
        _ => return returned,
    };
    let mut parameters = vec![other(); before];
    parameters.push(ResolvedEntities::external_function(result(), received));
    ResolvedEntities::external_function(returned, parameters)
}

fn returned_by(of: &Entity, element: &Entity, name: &str) -> ResolvedEntities {
    let inside = || ResolvedEntities::single(element.clone());
    if name == INSIDE || UNWRAPPING.contains(&name) {
        return inside();
    }
    match (of, name) {
        (Entity::Mapping(_), name) if ITERATING.contains(&name) => {
            return sequence_of_pairs([ResolvedEntities::unknown(), inside()]);
        }
        (Entity::Sequence(_), "enumerate") => {
            return sequence_of_pairs([ResolvedEntities::unknown(), inside()]);
        }
        (Entity::Sequence(_), "zip") => {
            return sequence_of_pairs([inside(), ResolvedEntities::unknown()]);
        }
        _ => {}
    }
    match of {
        _ if !KEEPING.contains(&name) => ResolvedEntities::unknown(),
        Entity::Mapping(_) if name != "clone" => {
            ResolvedEntities::single(Entity::sequence(element.clone()))
        }
        _ => ResolvedEntities::single(of.clone()),
    }
}

fn sequence_of_pairs(pair: [ResolvedEntities; 2]) -> ResolvedEntities {
    let pair = Entity::Tuple(pair.into());
    ResolvedEntities::single(Entity::Sequence(Box::new(pair)))
}

/// Returns a part of a tuple, or a method that returns the tuple.
fn member_of_tuple(of: &Entity, parts: &[ResolvedEntities], name: &str) -> ResolvedEntities {
    let place = name.strip_prefix([FIELD, TUPLE_PART]);
    if let Some(place) = place.and_then(|place| place.parse::<usize>().ok()) {
        return parts
            .get(place)
            .cloned()
            .unwrap_or_else(ResolvedEntities::unknown);
    }
    if returns_self(name) {
        return ResolvedEntities::single(of.clone());
    }
    ResolvedEntities::unknown()
}

/// Reports whether a method of this name, which a type does not declare, returns the value itself.
pub(super) fn returns_self(name: &str) -> bool {
    RETURNING_SELF.contains(&name)
}
