//! What functions and methods from outside of the repository return.
//!
//! Source: <https://docs.python.org/3/library/functions.html> and
//! <https://docs.python.org/3/library/stdtypes.html>.

use crate::entity::{Entity, ResolvedEntities};
use ragnav_syntax::{LibraryGeneric, find_library_generic};

/// The builtin types, functions and methods that return no object of a type of the repository.
///
/// A container may hold such objects, but it is none itself.
const PLAIN: [&str; 77] = [
    "Literal",
    "None",
    "ascii",
    "bin",
    "bool",
    "bytearray",
    "bytes",
    "callable",
    "capitalize",
    "casefold",
    "chr",
    "complex",
    "decode",
    "defaultdict",
    "deque",
    "dict",
    "dir",
    "encode",
    "endswith",
    "expandtabs",
    "float",
    "format",
    "format_map",
    "fromhex",
    "frozenset",
    "hasattr",
    "hash",
    "hex",
    "id",
    "input",
    "int",
    "isalnum",
    "isalpha",
    "isdigit",
    "isinstance",
    "islower",
    "isnumeric",
    "isspace",
    "issubclass",
    "isupper",
    "join",
    "keys",
    "len",
    "list",
    "ljust",
    "locals",
    "lower",
    "lstrip",
    "memoryview",
    "monotonic",
    "oct",
    "open",
    "ord",
    "perf_counter",
    "print",
    "range",
    "removeprefix",
    "removesuffix",
    "repr",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "set",
    "slice",
    "split",
    "splitlines",
    "startswith",
    "str",
    "strip",
    "swapcase",
    "title",
    "translate",
    "tuple",
    "upper",
    "vars",
    "zfill",
];

/// Resolves what a call of something outside of the repository returns, by its name.
///
/// An annotation counts as a call. A class of another package, which has a capital letter, has no
/// instances of the repository's types. Many functions return what they are given.
pub(super) fn call(name: &str) -> ResolvedEntities {
    if name.starts_with(char::is_uppercase) || PLAIN.binary_search(&name).is_ok() {
        return ResolvedEntities::none();
    }
    ResolvedEntities::unknown()
}

/// Resolves an instance of a generic type outside of the repository.
///
/// A class of another package has no instances of the repository's types.
pub(super) fn generic(path: &str, arguments: &[ResolvedEntities]) -> ResolvedEntities {
    let argument = |place: usize| arguments.get(place).cloned().unwrap_or_default();
    let Some(generic) = find_library_generic(path) else {
        return call(path.rsplit('.').next().unwrap_or(path));
    };
    match generic {
        LibraryGeneric::Awaited => ResolvedEntities::unknown(),
        LibraryGeneric::Callable => ResolvedEntities::function_returning(argument(1)),
        LibraryGeneric::Coroutine => argument(2),
        LibraryGeneric::Elements => argument(0).map(Entity::sequence),
        LibraryGeneric::First => argument(0),
        LibraryGeneric::Opaque => ResolvedEntities::none(),
        LibraryGeneric::Reference => ResolvedEntities::function_returning(argument(0)),
        LibraryGeneric::Tuple => ResolvedEntities::single(Entity::Tuple(arguments.to_vec())),
        LibraryGeneric::Type => argument(0).map(|of| match of {
            Entity::Instance(path, id) => Entity::Definition(path, id),
            other => other,
        }),
        LibraryGeneric::Union => ResolvedEntities::union(arguments.iter().cloned()),
        LibraryGeneric::Values => argument(1).map(Entity::mapping),
    }
}

/// Replaces the containers of the standard library among base classes, such as `list[T]`, by what
/// an instance of them is.
pub(super) fn with_containers(bases: ResolvedEntities) -> ResolvedEntities {
    let mut all = ResolvedEntities {
        has_unknown: bases.has_unknown,
        ..ResolvedEntities::none()
    };
    for base in bases.entities {
        match base {
            Entity::External(class) if class.returned.are_containers() => all.merge(class.returned),
            other => all.merge(ResolvedEntities::single(other)),
        }
    }
    all
}

/// The operators that join two containers.
const JOINING: [&str; 4] = ["__add__", "__iadd__", "__ior__", "__or__"];

/// Resolves a method of a builtin container as what a call of it returns.
pub(super) fn container_member(of: &Entity, name: &str) -> ResolvedEntities {
    let element = |element: &Entity| {
        let returned = ResolvedEntities::single(element.clone());
        ResolvedEntities::external_function(returned, Vec::new())
    };
    match (of, name) {
        (Entity::Mapping(value), "values") => {
            ResolvedEntities::single(Entity::Sequence(value.clone()))
        }
        (Entity::Mapping(value), "items") => {
            let entry = Entity::entry((**value).clone());
            ResolvedEntities::single(Entity::sequence(entry))
        }
        (Entity::Mapping(value), "popitem") => {
            let entry = ResolvedEntities::single(Entity::entry((**value).clone()));
            ResolvedEntities::external_function(entry, Vec::new())
        }
        (Entity::Mapping(value), "__getitem__" | "get" | "pop" | "setdefault")
        | (Entity::Sequence(value), "__getitem__" | "get" | "get_nowait" | "pop" | "popleft") => {
            element(value)
        }
        (_, "__iter__") => element(of),
        (_, "copy") => ResolvedEntities::single(of.clone()),
        // The right operand has further elements, of which nothing is known here.
        (_, name) if JOINING.contains(&name) => ResolvedEntities::unknown(),
        _ => ResolvedEntities::none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_are_in_order() {
        assert!(PLAIN.is_sorted());
    }
}
