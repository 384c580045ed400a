//! The generic types of the standard library, by what their type arguments mean.
//!
//! Source: <https://docs.python.org/3/library/typing.html>, and the pages of the modules that have
//! the others.

/// What the type arguments of a generic type of the standard library mean.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{LibraryGeneric, find_library_generic};
///
/// assert_eq!(find_library_generic("typing.List"), Some(LibraryGeneric::Elements));
/// assert_eq!(find_library_generic("Cart"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LibraryGeneric {
    /// Nothing is known of its own members. `await` gives something of its argument.
    Awaited,
    /// The second argument is what a call returns.
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
const GENERICS: [(&str, LibraryGeneric); 65] = [
    ("AbstractAsyncContextManager", LibraryGeneric::Elements),
    ("AbstractContextManager", LibraryGeneric::Elements),
    ("AbstractSet", LibraryGeneric::Elements),
    ("Annotated", LibraryGeneric::First),
    ("AsyncContextManager", LibraryGeneric::Elements),
    ("AsyncGenerator", LibraryGeneric::Elements),
    ("AsyncIterable", LibraryGeneric::Elements),
    ("AsyncIterator", LibraryGeneric::Elements),
    ("Awaitable", LibraryGeneric::First),
    ("Callable", LibraryGeneric::Callable),
    ("ChainMap", LibraryGeneric::Values),
    ("ClassVar", LibraryGeneric::First),
    ("Collection", LibraryGeneric::Elements),
    ("Concatenate", LibraryGeneric::Opaque),
    ("Container", LibraryGeneric::Elements),
    ("ContextManager", LibraryGeneric::Elements),
    ("ContextVar", LibraryGeneric::Elements),
    ("Coroutine", LibraryGeneric::Coroutine),
    ("DefaultDict", LibraryGeneric::Values),
    ("Deque", LibraryGeneric::Elements),
    ("Dict", LibraryGeneric::Values),
    ("Final", LibraryGeneric::First),
    ("FrozenSet", LibraryGeneric::Elements),
    ("Future", LibraryGeneric::Awaited),
    ("Generator", LibraryGeneric::Elements),
    ("Iterable", LibraryGeneric::Elements),
    ("Iterator", LibraryGeneric::Elements),
    ("KeysView", LibraryGeneric::Elements),
    ("LifoQueue", LibraryGeneric::Elements),
    ("List", LibraryGeneric::Elements),
    ("Literal", LibraryGeneric::Opaque),
    ("Mapping", LibraryGeneric::Values),
    ("MappingProxyType", LibraryGeneric::Values),
    ("MutableMapping", LibraryGeneric::Values),
    ("MutableSequence", LibraryGeneric::Elements),
    ("MutableSet", LibraryGeneric::Elements),
    ("NotRequired", LibraryGeneric::First),
    ("Optional", LibraryGeneric::First),
    ("OrderedDict", LibraryGeneric::Values),
    ("PriorityQueue", LibraryGeneric::Elements),
    ("Queue", LibraryGeneric::Elements),
    ("ReferenceType", LibraryGeneric::Reference),
    ("Required", LibraryGeneric::First),
    ("Reversible", LibraryGeneric::Elements),
    ("Sequence", LibraryGeneric::Elements),
    ("Set", LibraryGeneric::Elements),
    ("SimpleQueue", LibraryGeneric::Elements),
    ("Task", LibraryGeneric::Awaited),
    ("Tuple", LibraryGeneric::Tuple),
    ("Type", LibraryGeneric::Type),
    ("Union", LibraryGeneric::Union),
    ("Unpack", LibraryGeneric::Opaque),
    ("ValuesView", LibraryGeneric::Elements),
    ("WeakKeyDictionary", LibraryGeneric::Values),
    ("WeakSet", LibraryGeneric::Elements),
    ("WeakValueDictionary", LibraryGeneric::Values),
    ("defaultdict", LibraryGeneric::Values),
    ("deque", LibraryGeneric::Elements),
    ("dict", LibraryGeneric::Values),
    ("frozenset", LibraryGeneric::Elements),
    ("list", LibraryGeneric::Elements),
    ("ref", LibraryGeneric::Reference),
    ("set", LibraryGeneric::Elements),
    ("tuple", LibraryGeneric::Tuple),
    ("type", LibraryGeneric::Type),
];

/// Returns a generic by its name, which may be in a module: `typing.List`.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{LibraryGeneric, find_library_generic};
///
/// assert_eq!(find_library_generic("dict"), Some(LibraryGeneric::Values));
/// ```
#[must_use]
pub fn find_library_generic(path: &str) -> Option<LibraryGeneric> {
    let name = generic_name(path);
    let place = GENERICS
        .binary_search_by_key(&name, |(name, _)| name)
        .ok()?;
    GENERICS.get(place).map(|(_, generic)| *generic)
}

/// Reports whether a name is a generic of `typing`. Those begin with a capital letter.
pub(super) fn is_typing_generic(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && find_library_generic(name).is_some()
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
