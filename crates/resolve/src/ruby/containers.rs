//! What the methods of arrays and hashes return: <https://docs.ruby-lang.org/en/master/Array.html>
//! and <https://docs.ruby-lang.org/en/master/Hash.html>.
//!
//! A method resolves to the result of its call.

use crate::elements::any_part;
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;

use super::constants;

/// The methods of an array that return one of its elements.
const ELEMENTS: [&str; 20] = [
    "at",
    "bsearch",
    "delete",
    "delete_at",
    "detect",
    "dig",
    "fetch",
    "find",
    "first",
    "last",
    "max",
    "max_by",
    "min",
    "min_by",
    "next",
    "pop",
    "sample",
    "second",
    "shift",
    "third",
];

/// The maximum number of parameters of a block that receive something.
const MAX_PASSED: usize = 8;

/// The methods that return a container of the same elements.
const KEEPING: [&str; 61] = [
    "&",
    "-",
    "<<",
    "append",
    "compact",
    "compact!",
    "compact_blank",
    "concat",
    "cycle",
    "deep_dup",
    "delete_if",
    "difference",
    "drop",
    "drop_while",
    "each",
    "each_entry",
    "each_pair",
    "each_value",
    "each_with_index",
    "except",
    "excluding",
    "filter",
    "filter!",
    "find_all",
    "flatten",
    "insert",
    "intersection",
    "keep_if",
    "lazy",
    "merge",
    "merge!",
    "prepend",
    "presence",
    "push",
    "reject",
    "reject!",
    "reverse",
    "reverse!",
    "reverse_each",
    "rotate",
    "select",
    "select!",
    "shuffle",
    "shuffle!",
    "slice",
    "sort",
    "sort!",
    "sort_by",
    "sort_by!",
    "take",
    "take_while",
    "to_a",
    "to_enum",
    "to_set",
    "uniq",
    "uniq!",
    "unshift",
    "update",
    "values_at",
    "with_index",
    "with_indifferent_access",
];

/// Reports whether objects with a method `each` have a method by the module `Enumerable`.
pub(super) fn is_enumerable_method(name: &str) -> bool {
    name != "each" && (ELEMENTS.contains(&name) || KEEPING.contains(&name))
}

/// Resolves a member of a container. Methods that the repository adds to `Array` and `Hash` come
/// before those of Ruby.
pub(super) fn member(resolver: Resolver<'_>, of: &Entity, name: &str) -> ResolvedEntities {
    let class = match of {
        Entity::Mapping(_) => "Hash",
        _ => "Array",
    };
    let classes = constants::resolve(resolver, class);
    let instances = classes.map(|class| match class {
        Entity::Definition(path, id) => Entity::Instance(path, id),
        other => other,
    });
    let added = resolver.resolve_members(&instances, name);
    if !added.entities.is_empty() {
        return added;
    }
    let known = match of {
        Entity::Sequence(element) => sequence_member(of, element, name),
        Entity::Mapping(value) => mapping_member(of, value, name),
        Entity::Tuple(parts) => tuple_member(of, parts, name),
        _ => None,
    };
    known.unwrap_or_else(method_of_ruby)
}

/// Returns a method of Ruby or of a gem whose result, and what it passes to its block, are unknown.
fn method_of_ruby() -> ResolvedEntities {
    let unknown = ResolvedEntities::unknown;
    ResolvedEntities::external_function(unknown(), vec![unknown(); MAX_PASSED])
}

fn sequence_member(of: &Entity, element: &Entity, name: &str) -> Option<ResolvedEntities> {
    let element = || ResolvedEntities::single(element.clone());
    match name {
        name if ELEMENTS.contains(&name) => Some(element()),
        name if KEEPING.contains(&name) => Some(ResolvedEntities::single(of.clone())),
        "each_cons" | "each_slice" => Some(ResolvedEntities::single(Entity::sequence(of.clone()))),
        "group_by" => Some(ResolvedEntities::single(Entity::mapping(of.clone()))),
        "index_by" => Some(element().map(Entity::mapping)),
        "partition" => {
            let part = ResolvedEntities::single(of.clone());
            Some(ResolvedEntities::single(Entity::Tuple(vec![
                part.clone(),
                part,
            ])))
        }
        "product" | "tally" | "zip" => {
            let pair = Entity::Tuple(vec![element(), ResolvedEntities::unknown()]);
            Some(ResolvedEntities::single(Entity::sequence(pair)))
        }
        _ => None,
    }
}

fn mapping_member(of: &Entity, value: &Entity, name: &str) -> Option<ResolvedEntities> {
    let values = || ResolvedEntities::single(value.clone());
    let entry = || values().map(Entity::entry);
    match name {
        "delete" | "dig" | "fetch" | "store" => Some(values()),
        "values" | "values_at" => Some(values().map(Entity::sequence)),
        "detect" | "find" | "first" | "max_by" | "min_by" => Some(entry()),
        "sort" | "sort_by" | "to_a" => Some(entry().map(Entity::sequence)),
        "group_by" => Some(entry().map(Entity::sequence).map(Entity::mapping)),
        name if KEEPING.contains(&name) => Some(ResolvedEntities::single(of.clone())),
        _ => None,
    }
}

fn tuple_member(of: &Entity, parts: &[ResolvedEntities], name: &str) -> Option<ResolvedEntities> {
    match name {
        "first" => parts.first().cloned(),
        "last" => parts.last().cloned(),
        "each" | "freeze" | "to_a" => Some(ResolvedEntities::single(of.clone())),
        name if ELEMENTS.contains(&name) => Some(any_part(parts)),
        _ => None,
    }
}
