//! What the methods of containers, options, results and smart pointers of the standard library
//! return: <https://doc.rust-lang.org/std/>.

use crate::entity::{Entity, ResolvedEntities};
use crate::generics::without_large;
use ragnav_syntax::facts::{AS_MAPPING, FIELD, GUARD, INSIDE, TUPLE_PART};

/// The methods that return a container of the same elements, or an option of an element.
const KEEPING: [&str; 91] = [
    "and_modify",
    "as_deref",
    "as_deref_mut",
    "as_mut",
    "as_mut_slice",
    "as_ref",
    "as_slice",
    "back",
    "by_ref",
    "chain",
    "clone",
    "cloned",
    "collect",
    "collect_vec",
    "copied",
    "cycle",
    "dedup",
    "drain",
    "extract_if",
    "filter",
    "find",
    "first",
    "first_mut",
    "front",
    "fuse",
    "get",
    "get_mut",
    "get_or_try_init",
    "inspect",
    "inspect_err",
    "into_inner",
    "into_boxed_slice",
    "into_iter",
    "into_par_iter",
    "into_values",
    "iter",
    "iter_mut",
    "join",
    "last",
    "last_mut",
    "lock",
    "map_err",
    "max",
    "max_by",
    "max_by_key",
    "min",
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
    "par_iter",
    "par_iter_mut",
    "peek",
    "peek_mut",
    "peekable",
    "pop",
    "pop_back",
    "pop_front",
    "read",
    "recv",
    "recv_timeout",
    "reduce",
    "rev",
    "rfind",
    "skip",
    "skip_while",
    "sorted",
    "sorted_by",
    "sorted_by_key",
    "split_off",
    "step_by",
    "take",
    "take_while",
    "to_owned",
    "to_vec",
    "try_iter",
    "try_lock",
    "try_recv",
    "unique",
    "unique_by",
    "upgrade",
    "values",
    "values_mut",
    "write",
    "xor",
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
const UNWRAPPING: [&str; 16] = [
    "borrow",
    "borrow_mut",
    "expect",
    "get_or_init",
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
const CALLING_WITH_ELEMENT: [&str; 38] = [
    "all",
    "and_modify",
    "and_then",
    "any",
    "binary_search_by",
    "dedup_by_key",
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
    "is_sorted_by_key",
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
    "sorted_by_key",
    "take_if",
    "take_while",
    "try_for_each",
    "unique_by",
    "with_borrow",
    "with_borrow_mut",
];

/// The methods that call a closure, their second argument, with an element.
const CALLING_SECOND: [&str; 2] = ["map_or", "map_or_else"];

/// The methods that call a closure with two elements.
const COMPARING: [&str; 9] = [
    "chunk_by",
    "dedup_by",
    "is_sorted_by",
    "max_by",
    "min_by",
    "reduce",
    "sort_by",
    "sort_unstable_by",
    "sorted_by",
];

/// The methods that call a closure, their second argument, with something else and an element.
const FOLDING: [&str; 3] = ["fold", "scan", "try_fold"];

/// The methods that return what their closure returns: an option, or any value.
const RETURNING_RESULT: [&str; 10] = [
    "and_then",
    "filter_map",
    "find_map",
    "flat_map",
    "map_or",
    "map_or_else",
    "map_while",
    "with",
    "with_borrow",
    "with_borrow_mut",
];

/// The methods of a sequence that return several elements at a time.
const SPLITTING: [&str; 10] = [
    "array_chunks",
    "array_windows",
    "chunk_by",
    "chunks",
    "chunks_exact",
    "chunks_mut",
    "par_chunks",
    "rchunks",
    "split_inclusive",
    "windows",
];

/// The methods that return an element and the other ones.
const SPLITTING_ONE: [&str; 4] = [
    "split_first",
    "split_first_mut",
    "split_last",
    "split_last_mut",
];

/// The methods that return two parts of a sequence.
const HALVING: [&str; 5] = [
    "partition",
    "partition_in_place",
    "split_at",
    "split_at_mut",
    "split_at_unchecked",
];

/// The methods that return the elements of the containers in a container.
const FLATTENING: [&str; 3] = ["concat", "flatten", "try_flatten"];

/// Those of all these methods that are of other crates, such as itertools and rayon, or of other
/// types than containers.
const OF_OTHERS: [&str; 17] = [
    "collect_vec",
    "dedup_by",
    "into_par_iter",
    "join",
    "par_chunks",
    "par_iter",
    "par_iter_mut",
    "sorted",
    "sorted_by",
    "sorted_by_key",
    "sorted_unstable",
    "try_flatten",
    "unique",
    "unique_by",
    "with",
    "with_borrow",
    "with_borrow_mut",
];

/// The methods of iterators.
const OF_ITERATORS: [&str; 48] = [
    "all",
    "any",
    "chain",
    "cloned",
    "collect",
    "copied",
    "cycle",
    "enumerate",
    "filter",
    "filter_map",
    "find",
    "find_map",
    "flat_map",
    "flatten",
    "fold",
    "for_each",
    "fuse",
    "inspect",
    "into_iter",
    "last",
    "map",
    "map_while",
    "max",
    "max_by",
    "max_by_key",
    "min",
    "min_by",
    "min_by_key",
    "next",
    "next_back",
    "nth",
    "partition",
    "peekable",
    "position",
    "reduce",
    "rev",
    "rfind",
    "rposition",
    "scan",
    "skip",
    "skip_while",
    "step_by",
    "take",
    "take_while",
    "try_fold",
    "try_for_each",
    "unzip",
    "zip",
];

/// Reports whether a method is not one of the containers of the standard library. A trait of the
/// repository may have one of this name then.
pub(super) fn is_of_others(name: &str) -> bool {
    OF_OTHERS.contains(&name)
}

/// Reports whether a method is one that an iterator has, also one of a type of the repository.
pub(super) fn is_of_iterators(name: &str) -> bool {
    OF_ITERATORS.contains(&name) || name == AS_MAPPING
}

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
    let inside = || ResolvedEntities::single((**element).clone());
    let other = ResolvedEntities::unknown;
    let returned = match name {
        "map" => result().map(Entity::sequence),
        "fold" | "try_fold" => result(),
        "zip" => sequence_of_pairs([inside(), result()]),
        _ if RETURNING_RESULT.contains(&name) => result(),
        _ => returned_by(of, element, name),
    };
    let initial = || match name {
        "fold" | "map_or" => result(),
        _ => other(),
    };
    let (before, received) = match name {
        "zip" => {
            let parameters = vec![other(), result().map(Entity::sequence)];
            return ResolvedEntities::external_function(returned, parameters);
        }
        "with" => (vec![], vec![ResolvedEntities::single(of.clone())]),
        "retain" if matches!(of, Entity::Mapping(_)) => (vec![], vec![other(), inside()]),
        _ if CALLING_WITH_ELEMENT.contains(&name) => (vec![], vec![inside()]),
        _ if COMPARING.contains(&name) => (vec![], vec![inside(), inside()]),
        _ if CALLING_SECOND.contains(&name) => (vec![initial()], vec![inside()]),
        _ if FOLDING.contains(&name) => (vec![initial()], vec![initial(), inside()]),
        _ => return returned,
    };
    // The first parameter is the receiver.
    let mut parameters = vec![other()];
    parameters.extend(before);
    parameters.push(ResolvedEntities::external_function(result(), received));
    ResolvedEntities::external_function(returned, parameters)
}

fn returned_by(of: &Entity, element: &Entity, name: &str) -> ResolvedEntities {
    let inside = || ResolvedEntities::single(element.clone());
    let is_mapping = matches!(of, Entity::Mapping(_));
    let sequence = || ResolvedEntities::single(Entity::sequence(element.clone()));
    match name {
        _ if name.ends_with(GUARD) => inside(),
        // What a mapping had for a key, if anything, or the place for a key.
        "entry" | "insert" | "remove" if is_mapping => sequence(),
        INSIDE => inside(),
        _ if UNWRAPPING.contains(&name) => inside(),
        _ if is_mapping && ITERATING.contains(&name) => {
            sequence_of_pairs([ResolvedEntities::unknown(), inside()])
        }
        "clone" => ResolvedEntities::single(of.clone()),
        AS_MAPPING if is_mapping => ResolvedEntities::single(of.clone()),
        AS_MAPPING => mapping_of_pairs(element),
        _ if KEEPING.contains(&name) => sequence(),
        _ if is_mapping => ResolvedEntities::unknown(),
        _ => parts_of_sequence(of, element, name),
    }
}

/// Returns what the methods of a sequence return that tell elements apart or join them.
fn parts_of_sequence(of: &Entity, element: &Entity, name: &str) -> ResolvedEntities {
    let inside = || ResolvedEntities::single(element.clone());
    let itself = || ResolvedEntities::single(of.clone());
    match name {
        "enumerate" => sequence_of_pairs([ResolvedEntities::unknown(), inside()]),
        "unzip" => unzipped(element),
        _ if SPLITTING.contains(&name) => itself().map(Entity::sequence),
        _ if SPLITTING_ONE.contains(&name) => {
            without_large(sequence_of_pairs([inside(), itself()]))
        }
        _ if HALVING.contains(&name) => {
            let halves = Entity::Tuple(vec![itself(), itself()]);
            without_large(ResolvedEntities::single(halves))
        }
        _ if FLATTENING.contains(&name) => flattened(element),
        _ => ResolvedEntities::unknown(),
    }
}

fn flattened(element: &Entity) -> ResolvedEntities {
    match element {
        Entity::Sequence(inner) | Entity::Mapping(inner) => {
            ResolvedEntities::single(Entity::Sequence(inner.clone()))
        }
        _ => ResolvedEntities::unknown(),
    }
}

/// Returns the mapping that is made of an iterator over keys and values.
fn mapping_of_pairs(pair: &Entity) -> ResolvedEntities {
    match pair {
        Entity::Tuple(parts) => match parts.as_slice() {
            [_, value] => value.clone().map(Entity::mapping),
            _ => ResolvedEntities::unknown(),
        },
        _ => ResolvedEntities::unknown(),
    }
}

fn unzipped(element: &Entity) -> ResolvedEntities {
    let Entity::Tuple(parts) = element else {
        return ResolvedEntities::unknown();
    };
    let parts = parts.iter().map(|part| part.clone().map(Entity::sequence));
    ResolvedEntities::single(Entity::Tuple(parts.collect()))
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
