//! The members of the collections of the standard library.
//!
//! The names are those of `System.Collections.Generic`, `System.Linq.Enumerable` and
//! `System.Threading.Tasks` of [.NET].
//!
//! [.NET]: https://learn.microsoft.com/dotnet/api/

use crate::entity::{Entity, ResolvedEntities};
use ragnav_syntax::facts::{ARGUMENTS, ARITY, FIELD, TUPLE_PART};

/// The properties of linked lists and of their nodes whose values are nodes. Other collections have
/// methods of these names.
const NODES: [&str; 4] = ["First", "Last", "Next", "Previous"];

/// The generic types whose elements are of their first type argument, and whose names types of a
/// repository may have. Facts know the others by name.
const SEQUENCES: [&str; 6] = [
    "Collection",
    "Memory",
    "OrderedParallelQuery",
    "PriorityQueue",
    "Span",
    "StrongBox",
];

/// Resolves a value of a generic type of the library, by the name of the type. Returns `None` if
/// the name is not known.
pub(super) fn resolve_type(name: &str, arguments: &[ResolvedEntities]) -> Option<ResolvedEntities> {
    let name = name.rsplit(['.', FIELD]).next().unwrap_or(name);
    let (name, _) = name.split_once(ARITY)?;
    let argument = |place: usize| arguments.get(place).cloned().unwrap_or_default();
    let function =
        |returned, parameters| Some(ResolvedEntities::external_function(returned, parameters));
    match name {
        "Comparison" => function(ResolvedEntities::none(), vec![argument(0), argument(0)]),
        "Converter" => function(argument(1), vec![argument(0)]),
        // The sender is an object of any type.
        "EventHandler" => {
            let parameters = vec![ResolvedEntities::unknown(), argument(0)];
            function(ResolvedEntities::none(), parameters)
        }
        "IGrouping" => Some(argument(1).map(Entity::sequence)),
        "ILookup" | "Lookup" => Some(argument(1).map(Entity::sequence).map(Entity::sequence)),
        "Nullable" => Some(argument(0)),
        "Tuple" | "ValueTuple" => Some(ResolvedEntities::single(Entity::Tuple(arguments.to_vec()))),
        _ if SEQUENCES.contains(&name) => Some(argument(0).map(Entity::sequence)),
        "OrderedDictionary" => Some(argument(1).map(Entity::mapping)),
        _ => None,
    }
}

/// Resolves a member of a collection as what a call of it returns.
pub(super) fn resolve_member(of: &Entity, name: &str) -> ResolvedEntities {
    let property = name.strip_prefix(FIELD);
    let is_node = property.is_some_and(|property| NODES.contains(&property));
    let name = property.unwrap_or(name);
    match of {
        Entity::Sequence(_) if is_node => ResolvedEntities::single(of.clone()),
        Entity::Sequence(element) => sequence_member(of, element, name),
        Entity::Mapping(value) => mapping_member(of, value, name),
        Entity::Tuple(parts) => tuple_member(parts, name),
        _ => ResolvedEntities::none(),
    }
}

/// Resolves `Item1`, `Item2` and so on, the parts of a tuple. Names that a tuple type declares for
/// its parts are those of an object beside the tuple.
fn tuple_member(parts: &[ResolvedEntities], name: &str) -> ResolvedEntities {
    let item = name.strip_prefix("Item");
    let item = item.and_then(|number| number.parse::<usize>().ok()?.checked_sub(1));
    let place = item.or_else(|| {
        let (place, _) = name.strip_prefix(TUPLE_PART)?.split_once(':')?;
        place.parse().ok()
    });
    let part = place.and_then(|place| parts.get(place)).cloned();
    part.unwrap_or_else(ResolvedEntities::unknown)
}

fn sequence_member(of: &Entity, element: &Entity, name: &str) -> ResolvedEntities {
    let result = || ResolvedEntities::callback_result(element);
    let mapping =
        |returned: ResolvedEntities| ResolvedEntities::function_mapping(element, returned);
    let itself = || ResolvedEntities::single(of.clone());
    let element = || ResolvedEntities::single(element.clone());
    let nothing = ResolvedEntities::none;
    let unknown = ResolvedEntities::unknown;
    match name {
        "Current" | "Result" | "Value" => element(),
        "Dequeue" | "ElementAt" | "ElementAtOrDefault" | "GetResult" | "Peek" | "Pop" => {
            ResolvedEntities::external_function(element(), Vec::new())
        }
        "Append" | "AsAsyncEnumerable" | "AsEnumerable" | "AsMemory" | "AsNoTracking"
        | "AsParallel" | "AsQueryable" | "AsReadOnly" | "AsSpan" | "AsTracking" | "Concat"
        | "ConfigureAwait" | "DefaultIfEmpty" | "Distinct" | "Except" | "GetAsyncEnumerator"
        | "GetAwaiter" | "GetEnumerator" | "GetRange" | "Include" | "Intersect" | "Order"
        | "OrderDescending" | "Prepend" | "Reverse" | "Skip" | "SkipLast" | "Slice" | "Span"
        | "Take" | "TakeLast" | "Task" | "ThenInclude" | "ToArray" | "ToFrozenSet"
        | "ToHashSet" | "ToImmutableArray" | "ToImmutableHashSet" | "ToImmutableList"
        | "ToList" | "Union" | "WaitAsync" | "WithCancellation" => itself(),
        "Index" => {
            let parts = vec![unknown(), element()];
            ResolvedEntities::single(Entity::Tuple(parts)).map(Entity::sequence)
        }
        "Chunk" | "ToArrayAsync" | "ToHashSetAsync" | "ToListAsync" => {
            itself().map(Entity::sequence)
        }
        "FindAsync"
        | "FirstAsync"
        | "FirstOrDefaultAsync"
        | "LastAsync"
        | "LastOrDefaultAsync"
        | "SingleAsync"
        | "SingleOrDefaultAsync" => receiving(element().map(Entity::sequence), element()),
        "ContinueWith" => {
            let continuation = ResolvedEntities::external_function(result(), vec![itself()]);
            let returned = result().map(Entity::sequence);
            ResolvedEntities::external_function(returned, vec![continuation])
        }
        "Find" | "FindLast" | "First" | "FirstOrDefault" | "Last" | "LastOrDefault" | "MaxBy"
        | "MinBy" | "Single" | "SingleOrDefault" => receiving(element(), element()),
        "DistinctBy" | "FindAll" | "OrderBy" | "OrderByDescending" | "SkipWhile" | "TakeWhile"
        | "ThenBy" | "ThenByDescending" | "Where" => receiving(itself(), element()),
        "Key" => unknown(),
        "AllAsync" | "AnyAsync" | "CountAsync" => receiving(unknown(), element()),
        "All" | "Any" | "Average" | "Count" | "Exists" | "FindIndex" | "FindLastIndex"
        | "ForEach" | "LongCount" | "RemoveAll" | "Sum" | "TrueForAll" => {
            receiving(nothing(), element())
        }
        "Aggregate" => ResolvedEntities::function_calling(element(), vec![element(), element()]),
        "ConvertAll" | "Select" => mapping(result().map(Entity::sequence)),
        "Max" | "Min" | "SelectMany" => mapping(result()),
        "GroupBy" | "ToLookup" => {
            let groups = itself().map(Entity::sequence);
            ResolvedEntities::function_calling(groups, vec![element()])
        }
        "ToDictionary" => {
            ResolvedEntities::function_calling(element().map(Entity::mapping), vec![element()])
        }
        _ => match name.split_once(ARGUMENTS) {
            Some((name, _)) => with_several(name, &element(), &result()),
            None => nothing(),
        },
    }
}

/// Resolves a method of a collection that is called with several arguments.
fn with_several(
    name: &str,
    element: &ResolvedEntities,
    result: &ResolvedEntities,
) -> ResolvedEntities {
    let unknown = ResolvedEntities::unknown;
    let (returned, received) = match name {
        "ToDictionary" => (result.clone().map(Entity::mapping), vec![element.clone()]),
        "ToLookup" => {
            let group = result.clone().map(Entity::sequence);
            (group.map(Entity::sequence), vec![element.clone()])
        }
        "SelectMany" | "Zip" => {
            let received = vec![element.clone(), unknown()];
            (result.clone().map(Entity::sequence), received)
        }
        // Its result and what its function receives first are of the type of a seed.
        "Aggregate" => (unknown(), vec![unknown(), element.clone()]),
        // The second function of `GroupBy` receives an element, or a key and a group.
        _ => (unknown(), Vec::new()),
    };
    let first = ResolvedEntities::callback(vec![element.clone()]);
    let second = ResolvedEntities::external_function(result.clone(), received);
    ResolvedEntities::external_function(returned, vec![first, second])
}

/// A dictionary is also what its elements count as: they have a key and a value.
fn mapping_member(of: &Entity, value: &Entity, name: &str) -> ResolvedEntities {
    let itself = || ResolvedEntities::single(of.clone());
    let entries = || itself().map(Entity::sequence);
    let value = || ResolvedEntities::single(value.clone());
    match name {
        "AddOrUpdate" | "GetOrAdd" | "GetValueOrDefault" => {
            ResolvedEntities::external_function(value(), Vec::new())
        }
        "Value" | "$1:2" => value(),
        "Values" => value().map(Entity::sequence),
        "GetEnumerator" => entries(),
        "Add" | "Clear" | "ContainsKey" | "ContainsValue" | "Remove" => ResolvedEntities::none(),
        "Key" | "Keys" | "$0:2" => ResolvedEntities::unknown(),
        _ => {
            let entry = Entity::sequence(of.clone());
            sequence_member(&entry, of, name)
        }
    }
}

/// Returns a function that receives one or two functions of a value: `OrderBy` has a comparer, too.
fn receiving(returned: ResolvedEntities, value: ResolvedEntities) -> ResolvedEntities {
    let callback = ResolvedEntities::callback(vec![value]);
    ResolvedEntities::external_function(returned, vec![callback.clone(), callback])
}
