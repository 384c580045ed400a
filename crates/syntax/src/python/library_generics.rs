//! The generic types of the standard library, by what their type arguments mean.
//!
//! Source: <https://docs.python.org/3/library/typing.html>, and the pages of the modules that have
//! the others.

/// What the type arguments of a generic mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Generic {
    /// The last argument is what a call returns.
    Callable,
    /// The third argument is what `await` gives.
    Coroutine,
    /// The first argument is the type of what it contains, also if that is one thing.
    Elements,
    /// The generic stands for its first argument.
    First,
    /// The arguments do not matter.
    Opaque,
    /// A call gives something of the first argument.
    Reference,
    /// The arguments are the types of the parts.
    Tuple,
    /// The generic is the first argument itself, and not an instance of it.
    Type,
    /// The generic is one of its arguments.
    Union,
    /// The second argument is the type of the values.
    Values,
}

/// The generics, in the order of their names.
const GENERICS: [(&str, Generic); 65] = [
    ("AbstractAsyncContextManager", Generic::Elements),
    ("AbstractContextManager", Generic::Elements),
    ("AbstractSet", Generic::Elements),
    ("Annotated", Generic::First),
    ("AsyncContextManager", Generic::Elements),
    ("AsyncGenerator", Generic::Elements),
    ("AsyncIterable", Generic::Elements),
    ("AsyncIterator", Generic::Elements),
    ("Awaitable", Generic::First),
    ("Callable", Generic::Callable),
    ("ChainMap", Generic::Values),
    ("ClassVar", Generic::First),
    ("Collection", Generic::Elements),
    ("Concatenate", Generic::Opaque),
    ("Container", Generic::Elements),
    ("ContextManager", Generic::Elements),
    ("ContextVar", Generic::Elements),
    ("Coroutine", Generic::Coroutine),
    ("DefaultDict", Generic::Values),
    ("Deque", Generic::Elements),
    ("Dict", Generic::Values),
    ("Final", Generic::First),
    ("FrozenSet", Generic::Elements),
    ("Future", Generic::First),
    ("Generator", Generic::Elements),
    ("Iterable", Generic::Elements),
    ("Iterator", Generic::Elements),
    ("KeysView", Generic::Elements),
    ("LifoQueue", Generic::Elements),
    ("List", Generic::Elements),
    ("Literal", Generic::Opaque),
    ("Mapping", Generic::Values),
    ("MappingProxyType", Generic::Values),
    ("MutableMapping", Generic::Values),
    ("MutableSequence", Generic::Elements),
    ("MutableSet", Generic::Elements),
    ("NotRequired", Generic::First),
    ("Optional", Generic::First),
    ("OrderedDict", Generic::Values),
    ("PriorityQueue", Generic::Elements),
    ("Queue", Generic::Elements),
    ("ReferenceType", Generic::Reference),
    ("Required", Generic::First),
    ("Reversible", Generic::Elements),
    ("Sequence", Generic::Elements),
    ("Set", Generic::Elements),
    ("SimpleQueue", Generic::Elements),
    ("Task", Generic::First),
    ("Tuple", Generic::Tuple),
    ("Type", Generic::Type),
    ("Union", Generic::Union),
    ("Unpack", Generic::Opaque),
    ("ValuesView", Generic::Elements),
    ("WeakKeyDictionary", Generic::Values),
    ("WeakSet", Generic::Elements),
    ("WeakValueDictionary", Generic::Values),
    ("defaultdict", Generic::Values),
    ("deque", Generic::Elements),
    ("dict", Generic::Values),
    ("frozenset", Generic::Elements),
    ("list", Generic::Elements),
    ("ref", Generic::Reference),
    ("set", Generic::Elements),
    ("tuple", Generic::Tuple),
    ("type", Generic::Type),
];

/// Returns a generic by its name, which may be in a module: `typing.List`.
pub(super) fn find_generic(path: &str) -> Option<Generic> {
    let name = generic_name(path);
    let place = GENERICS
        .binary_search_by_key(&name, |(name, _)| name)
        .ok()?;
    GENERICS.get(place).map(|(_, generic)| *generic)
}

/// Reports whether a name is a generic of `typing`. Those begin with a capital letter.
pub(super) fn is_typing_generic(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && find_generic(name).is_some()
}

/// Returns the last name before the brackets of a generic: `List` for `typing.List[int]`.
pub(super) fn generic_name(text: &str) -> &str {
    let head = text.split('[').next().unwrap_or(text);
    head.rsplit('.').next().unwrap_or(head).trim()
}

#[cfg(test)]
mod tests {
    use super::GENERICS;

    #[test]
    fn names_are_in_order() {
        assert!(GENERICS.is_sorted_by_key(|(name, _)| name));
    }
}
