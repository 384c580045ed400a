//! The methods that interfaces of the standard library declare, and its generic functions and
//! types.
//!
//! A type implements an interface by its methods alone, so that code from outside may call them.
//! Source: <https://pkg.go.dev/std>.

use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::{CallArguments, Resolver};
use ragnav_syntax::facts::{ELEMENT, RANGE_INDICES};

/// The names of these methods in packages that many programs use: `context`, `database/sql`,
/// `encoding`, `errors`, `flag`, `fmt`, `io`, `log/slog`, `net`, `net/http`, `os`, `sort`, `sync`
/// and others.
const METHODS: [&str; 64] = [
    "Accept",
    "Addr",
    "As",
    "Close",
    "Deadline",
    "Done",
    "Draw",
    "Enabled",
    "Err",
    "Error",
    "Flush",
    "Format",
    "GoString",
    "GobDecode",
    "GobEncode",
    "Handle",
    "Header",
    "Hijack",
    "Is",
    "IsDir",
    "Len",
    "Less",
    "LocalAddr",
    "Lock",
    "LogValue",
    "MarshalBinary",
    "MarshalJSON",
    "MarshalText",
    "MarshalXML",
    "ModTime",
    "Mode",
    "Network",
    "Open",
    "Pop",
    "Push",
    "Read",
    "ReadAt",
    "ReadByte",
    "ReadFrom",
    "ReadRune",
    "RemoteAddr",
    "RoundTrip",
    "Scan",
    "Seek",
    "ServeHTTP",
    "SetDeadline",
    "Stat",
    "String",
    "Swap",
    "Temporary",
    "Timeout",
    "UnmarshalBinary",
    "UnmarshalJSON",
    "UnmarshalText",
    "UnmarshalXML",
    "Unlock",
    "Unwrap",
    "WithAttrs",
    "WithGroup",
    "Write",
    "WriteAt",
    "WriteHeader",
    "WriteString",
    "WriteTo",
];

/// The generic functions that return what they are given, and the methods of `atomic.Pointer`.
const PASSING: [&str; 14] = [
    "Clone",
    "Collect",
    "CompareAndSwap",
    "Find",
    "First",
    "Last",
    "Load",
    "Max",
    "MaxFunc",
    "Min",
    "MinFunc",
    "Must",
    "OnceValue",
    "Swap",
];

/// The functions of `slices` that return a slice of the type of their first argument.
const SAME: [&str; 11] = [
    "AppendSeq",
    "Clip",
    "Clone",
    "Compact",
    "CompactFunc",
    "Delete",
    "DeleteFunc",
    "Grow",
    "Insert",
    "Repeat",
    "Replace",
];

/// Reports whether an interface of the standard library declares a method of this name.
pub(super) fn declares(method: &str) -> bool {
    METHODS.contains(&method)
}

/// Reports whether a function of this name may return what it is given.
pub(super) fn passes(function: &str) -> bool {
    PASSING.contains(&function)
}

/// Returns the path of the package of a generic type by the usual name of the type.
pub(super) fn package_of_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "atomic.Pointer" => "sync/atomic",
        "iter.Seq" | "iter.Seq2" => "iter",
        "unique.Handle" => "unique",
        "weak.Pointer" => "weak",
        _ => return None,
    })
}

/// Resolves a generic type by its usual name and its arguments. A function, as an iterator is, is
/// what a call of the type gives.
pub(super) fn resolve_type(name: &str, arguments: &[ResolvedEntities]) -> ResolvedEntities {
    let argument = |place: usize| arguments.get(place).cloned().unwrap_or_default();
    match name {
        "iter.Seq" => function(iterator(vec![argument(0)])),
        "iter.Seq2" => function(iterator(vec![argument(0), argument(1)])),
        "atomic.Pointer" | "unique.Handle" | "weak.Pointer" => argument(0).map(Entity::entry),
        _ => ResolvedEntities::unknown(),
    }
}

/// Resolves a method of a type that holds one value, such as `atomic.Pointer`. That type is a tuple
/// with the value as its second part, as no other type of Go is.
pub(super) fn resolve_member(of: &Entity, name: &str) -> ResolvedEntities {
    match (of, name) {
        (Entity::Tuple(parts), "Load" | "Swap" | "Value") => {
            parts.get(1).cloned().map(function).unwrap_or_default()
        }
        _ => ResolvedEntities::none(),
    }
}

/// Resolves a call of a function by the path of its package, its name and its arguments.
pub(super) fn resolve_call(
    resolver: Resolver<'_>,
    (package, name): (&str, &str),
    arguments: CallArguments<'_>,
) -> Option<ResolvedEntities> {
    match package {
        "iter" | "maps" => resolve_map_call(resolver, name, &(arguments.get)(0)),
        "slices" | "golang.org/x/exp/slices" => resolve_slice_call(resolver, name, arguments),
        "sync" if matches!(name, "OnceValue" | "OnceValues") => Some((arguments.get)(0)),
        _ => None,
    }
}

/// Resolves a call of a function of the packages `maps` and `iter`.
fn resolve_map_call(
    resolver: Resolver<'_>,
    name: &str,
    of: &ResolvedEntities,
) -> Option<ResolvedEntities> {
    let value = || resolver.resolve_elements(of, ELEMENT, "");
    let unknown = ResolvedEntities::unknown;
    Some(match name {
        "All" => iterator(vec![unknown(), value()]),
        "Clone" => of.clone(),
        "Collect" => value_of_loop(resolver, of, 1).map(Entity::mapping),
        "Keys" => iterator(vec![unknown()]),
        "Pull" => function(value_of_loop(resolver, of, 0)),
        "Values" => iterator(vec![value()]),
        _ => return None,
    })
}

/// Resolves a call of a function of the package `slices`.
fn resolve_slice_call(
    resolver: Resolver<'_>,
    name: &str,
    arguments: CallArguments<'_>,
) -> Option<ResolvedEntities> {
    let of = || (arguments.get)(0);
    let element = || resolver.resolve_elements(&of(), ELEMENT, "");
    Some(match name {
        "All" | "Backward" => iterator(vec![ResolvedEntities::none(), element()]),
        "Chunk" => iterator(vec![of()]),
        "Collect" | "Sorted" | "SortedFunc" | "SortedStableFunc" => {
            value_of_loop(resolver, &of(), 0).map(Entity::sequence)
        }
        "Concat" => ResolvedEntities::union((0..arguments.count).map(arguments.get)),
        "Max" | "MaxFunc" | "Min" | "MinFunc" => element(),
        "Values" => iterator(vec![element()]),
        _ if SAME.contains(&name) => of(),
        _ => return None,
    })
}

/// Returns what an iterator passes to a variable of a loop over it, by the place of the variable.
fn value_of_loop(
    resolver: Resolver<'_>,
    iterator: &ResolvedEntities,
    place: usize,
) -> ResolvedEntities {
    let index = RANGE_INDICES.get(place).copied().unwrap_or_default();
    resolver.resolve_elements(iterator, ELEMENT, index)
}

/// Returns a function that passes values to its parameter `yield`:
/// <https://pkg.go.dev/iter#hdr-Iterators>.
fn iterator(values: Vec<ResolvedEntities>) -> ResolvedEntities {
    ResolvedEntities::function_calling(ResolvedEntities::none(), values)
}

/// Returns a function without parameters.
fn function(returned: ResolvedEntities) -> ResolvedEntities {
    ResolvedEntities::external_function(returned, Vec::new())
}
