//! What functions and methods from outside of the repository return.
//!
//! Source: <https://docs.python.org/3/library/functions.html> and
//! <https://docs.python.org/3/library/stdtypes.html>.

use crate::entity::{Entity, ResolvedEntities};

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

/// Resolves a method of a builtin container as what a call of it returns.
pub(super) fn container_member(of: &Entity, name: &str) -> ResolvedEntities {
    let element = |element: &Entity| {
        ResolvedEntities::function_returning(ResolvedEntities::single(element.clone()))
    };
    match (of, name) {
        (Entity::Mapping(value), "values") => {
            ResolvedEntities::single(Entity::Sequence(value.clone()))
        }
        (Entity::Mapping(value), "get" | "pop" | "setdefault")
        | (Entity::Sequence(value), "get" | "get_nowait" | "pop" | "popleft") => element(value),
        (_, "__add__" | "__and__" | "__mul__" | "__or__" | "__sub__" | "__xor__" | "copy") => {
            ResolvedEntities::single(of.clone())
        }
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
