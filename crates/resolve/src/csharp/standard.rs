//! The members of the collections of the standard library.
//!
//! The names are those of `System.Collections.Generic`, `System.Linq.Enumerable` and
//! `System.Threading.Tasks` of [.NET].
//!
//! [.NET]: https://learn.microsoft.com/dotnet/api/

use crate::entity::{Entity, ResolvedEntities};
use ragnav_syntax::facts::FIELD;

/// Resolves a member of a collection as what a call of it returns.
pub(super) fn resolve_member(of: &Entity, name: &str) -> ResolvedEntities {
    let name = name.strip_prefix(FIELD).unwrap_or(name);
    match of {
        Entity::Sequence(element) => sequence_member(of, element, name),
        Entity::Mapping(value) => mapping_member(of, value, name),
        Entity::Tuple(parts) => tuple_member(parts, name),
        _ => ResolvedEntities::none(),
    }
}

/// Resolves `Item1`, `Item2` and so on, the parts of a tuple. The names that a tuple declares for
/// its parts are not known.
fn tuple_member(parts: &[ResolvedEntities], name: &str) -> ResolvedEntities {
    let number = name
        .strip_prefix("Item")
        .and_then(|number| number.parse().ok());
    let place = number.and_then(|number: usize| number.checked_sub(1));
    let part = place.and_then(|place| parts.get(place)).cloned();
    part.unwrap_or_else(ResolvedEntities::unknown)
}

fn sequence_member(of: &Entity, element: &Entity, name: &str) -> ResolvedEntities {
    let itself = || ResolvedEntities::single(of.clone());
    let element = || ResolvedEntities::single(element.clone());
    let nothing = ResolvedEntities::none;
    let unknown = ResolvedEntities::unknown;
    match name {
        "Current" | "Dequeue" | "ElementAt" | "ElementAtOrDefault" | "GetResult" | "Peek"
        | "Pop" | "Result" | "Value" => element(),
        "Append" | "AsEnumerable" | "AsParallel" | "AsQueryable" | "AsReadOnly" | "Concat"
        | "ConfigureAwait" | "DefaultIfEmpty" | "Distinct" | "Except" | "GetAwaiter"
        | "GetEnumerator" | "GetRange" | "Intersect" | "Order" | "OrderDescending" | "Prepend"
        | "Reverse" | "Skip" | "SkipLast" | "Take" | "TakeLast" | "ToArray" | "ToHashSet"
        | "ToImmutableArray" | "ToImmutableList" | "ToList" | "Union" => itself(),
        "Find" | "FindLast" | "First" | "FirstOrDefault" | "Last" | "LastOrDefault" | "MaxBy"
        | "MinBy" | "Single" | "SingleOrDefault" => receiving(element(), element()),
        "DistinctBy" | "FindAll" | "OrderBy" | "OrderByDescending" | "SkipWhile" | "TakeWhile"
        | "ThenBy" | "ThenByDescending" | "Where" => receiving(itself(), element()),
        "All" | "Any" | "Average" | "Count" | "Exists" | "FindIndex" | "FindLastIndex"
        | "ForEach" | "LongCount" | "RemoveAll" | "Sum" | "TrueForAll" => {
            receiving(nothing(), element())
        }
        // The result, and what the function receives first, may be of the type of a seed.
        "Aggregate" => {
            let callback = ResolvedEntities::callback(vec![unknown(), element()]);
            ResolvedEntities::external_function(unknown(), vec![callback.clone(), callback])
        }
        "ConvertAll" | "GroupBy" | "Max" | "Min" | "Select" | "SelectMany" | "ToDictionary"
        | "ToLookup" => receiving(unknown(), element()),
        _ => nothing(),
    }
}

/// A dictionary is also what its elements count as: they have a key and a value.
fn mapping_member(of: &Entity, value: &Entity, name: &str) -> ResolvedEntities {
    let itself = || ResolvedEntities::single(of.clone());
    let entries = || itself().map(Entity::sequence);
    let value = || ResolvedEntities::single(value.clone());
    match name {
        "AddOrUpdate" | "GetOrAdd" | "GetValueOrDefault" | "Value" => value(),
        "Values" => value().map(Entity::sequence),
        "GetEnumerator" => entries(),
        "Add" | "Clear" | "ContainsKey" | "ContainsValue" | "Remove" => ResolvedEntities::none(),
        "Key" | "Keys" => ResolvedEntities::unknown(),
        _ => {
            let entry = Entity::sequence(of.clone());
            sequence_member(&entry, of, name)
        }
    }
}

/// Returns a function that receives a function of a value, or two of them: `GroupBy` receives those
/// of the key and of the element.
fn receiving(returned: ResolvedEntities, value: ResolvedEntities) -> ResolvedEntities {
    let callback = ResolvedEntities::callback(vec![value]);
    ResolvedEntities::external_function(returned, vec![callback.clone(), callback])
}
