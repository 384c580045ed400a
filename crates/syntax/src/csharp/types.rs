//! Reads types as values: `T` is an instance of that type, and `List<T>` a sequence.
//!
//! A type has [`TYPE`] before its first name. One with type arguments is a fact of its own, to which
//! values refer by its number, except in well-known collections.

use std::borrow::Cow;
use std::fmt::Display;

use super::MAX_STEPS;
use super::kinds::{Field, FlatTree, Kind};
use super::patterns::tuple;
use crate::facts::{ARITY, FIELD, TYPE};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;
/// The generic types whose elements are of their type argument. `DbSet` is one of Entity Framework.
/// The resolver knows further types, whose names types of a repository may have.
const SEQUENCES: [&str; 49] = [
    "ArraySegment",
    "AsyncLocal",
    "BlockingCollection",
    "ConcurrentBag",
    "ConcurrentQueue",
    "ConcurrentStack",
    "DbSet",
    "FrozenSet",
    "HashSet",
    "IAsyncEnumerable",
    "IAsyncEnumerator",
    "ICollection",
    "IEnumerable",
    "IEnumerator",
    "IImmutableList",
    "IImmutableSet",
    "IList",
    "IOrderedEnumerable",
    "IOrderedQueryable",
    "IProducerConsumerCollection",
    "IQueryable",
    "IReadOnlyCollection",
    "IReadOnlyList",
    "IReadOnlySet",
    "ISet",
    "ImmutableArray",
    "ImmutableHashSet",
    "ImmutableList",
    "ImmutableQueue",
    "ImmutableSortedSet",
    "ImmutableStack",
    "Lazy",
    "LinkedList",
    "LinkedListNode",
    "List",
    "ObservableCollection",
    "ParallelQuery",
    "Queue",
    "ReadOnlyCollection",
    "ReadOnlyMemory",
    "ReadOnlyObservableCollection",
    "ReadOnlySpan",
    "SortedSet",
    "Stack",
    "Task",
    "TaskCompletionSource",
    "ThreadLocal",
    "ValueTask",
    "WeakReference",
];

/// The generic types whose subscripts return their second type argument.
const MAPPINGS: [&str; 12] = [
    "ConcurrentDictionary",
    "ConditionalWeakTable",
    "Dictionary",
    "FrozenDictionary",
    "IDictionary",
    "IImmutableDictionary",
    "IReadOnlyDictionary",
    "ImmutableDictionary",
    "KeyValuePair",
    "ReadOnlyDictionary",
    "SortedDictionary",
    "SortedList",
];

/// The generic types of functions. The last argument of `Func` is the type of its result.
const DELEGATES: [&str; 3] = ["Action", "Func", "Predicate"];

/// The generic type of the code of a function, whose argument is the type of the function.
const EXPRESSION: &str = "Expression";

impl FlatTree<'_> {
    /// Returns the value of something of a type.
    pub(super) fn type_value(&self, node: NodeIndex) -> Option<ValueText> {
        self.type_within(node, MAX_STEPS)?.within_limit()
    }

    pub(super) fn type_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        match self.kind(node) {
            Kind::Identifier => Some(ValueText::call(format!("{TYPE}{}", self.plain(node)))),
            Kind::PredefinedType => Some(ValueText::call(format!("{TYPE}{}", self.text(node)))),
            Kind::Qualified => {
                let of = self.type_within(self.child(node, Field::Qualifier)?, steps)?;
                self.type_member(&of, self.child(node, Field::Name)?, steps)
            }
            Kind::AliasQualified => self.type_within(self.child(node, Field::Name)?, steps),
            Kind::Generic => self.generic_type(node, steps),
            Kind::ArrayType => {
                let element = self.child(node, Field::Type)?;
                Some(self.type_within(element, steps)?.into_sequence())
            }
            Kind::NullableType => {
                let of = self.child(node, Field::Type)?;
                let value = self.type_within(of, steps)?;
                let is_value = self.kind(of) == Kind::PredefinedType
                    && !matches!(self.text(of), "object" | "string");
                if !is_value {
                    return Some(value);
                }
                Some(ValueText::call(format!("{}?", value.path)))
            }
            Kind::RefType => self.type_within(self.child(node, Field::Type)?, steps),
            Kind::TupleType if self.named_elements(node).next().is_some() => {
                Some(ValueText::numbered(node))
            }
            Kind::TupleType => Some(self.tuple_of_type(node, steps)),
            _ => None,
        }
    }

    /// Returns a tuple of the elements of a tuple type, without their names.
    pub(super) fn tuple_of_type(&self, node: NodeIndex, steps: usize) -> ValueText {
        tuple(self.operands(node).map(|element| {
            let of = self.child(element, Field::Type)?;
            self.type_within(of, steps.checked_sub(1)?)
        }))
    }

    /// Returns the types and names of the elements of a tuple type that have a name.
    pub(super) fn named_elements(
        &self,
        tuple: NodeIndex,
    ) -> impl Iterator<Item = (NodeIndex, NodeIndex)> {
        self.operands(tuple).filter_map(|element| {
            let of = self.child(element, Field::Type)?;
            Some((of, self.child(element, Field::Name)?))
        })
    }

    fn type_member(&self, of: &ValueText, name: NodeIndex, steps: usize) -> Option<ValueText> {
        if self.kind(name) == Kind::Generic {
            let value = if self.is_well_known(name) || self.is_delegate(name) {
                self.generic_type(name, steps)
            } else {
                Some(ValueText::called_number(name))
            };
            return value.filter(|_| of.is_called);
        }
        let path = format!("{}.{FIELD}{}", of.path, self.plain(name));
        of.is_called.then(|| ValueText::call(path))
    }

    fn generic_type(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let text = self.library_name(node).unwrap_or_default();
        let arguments = self.operands(node).nth(1)?;
        let argument = |place: usize| {
            let argument = self.operands(arguments).nth(place)?;
            self.type_within(argument, steps)
        };
        if SEQUENCES.contains(&text) {
            return Some(argument(0)?.into_sequence());
        }
        if MAPPINGS.contains(&text) {
            return Some(argument(1)?.into_mapping());
        }
        if self.is_delegate(node) {
            return Some(ValueText::numbered(node));
        }
        if text == EXPRESSION {
            return argument(0);
        }
        Some(ValueText::called_number(node))
    }

    /// Returns the path of a type: `#a.@T` of `a.T`. That of a well-known collection is without its
    /// type arguments.
    pub(super) fn type_path(&self, node: NodeIndex) -> Option<String> {
        let name = match self.kind(node) {
            Kind::Qualified => self.child(node, Field::Name)?,
            _ => node,
        };
        if self.kind(name) == Kind::Generic && self.is_well_known(name) {
            return self.path_without_arguments(name);
        }
        let value = self.type_value(node)?;
        value.is_called.then_some(value.path)
    }

    /// Reports whether a generic type is one of the library whose values are known by its name.
    pub(super) fn is_well_known(&self, generic: NodeIndex) -> bool {
        let name = self.library_name(generic).unwrap_or_default();
        SEQUENCES.contains(&name) || MAPPINGS.contains(&name) || name == EXPRESSION
    }

    /// Reports whether a generic type is one of functions.
    pub(super) fn is_delegate(&self, generic: NodeIndex) -> bool {
        let name = self.library_name(generic);
        name.is_some_and(|name| DELEGATES.contains(&name))
    }

    /// Returns the name of a generic type if it may be one of the library: a bare name, or one in a
    /// namespace that begins with `System`.
    fn library_name(&self, generic: NodeIndex) -> Option<&str> {
        let around = self.parent(generic);
        let qualifier = self
            .child(around, Field::Qualifier)
            .filter(|_| self.kind(around) == Kind::Qualified);
        let qualifier = qualifier.map_or("System", |qualifier| self.text(qualifier));
        let qualifier = qualifier.strip_prefix("global::").unwrap_or(qualifier);
        let is_of_library = qualifier.split('.').next() == Some("System");
        let name = self.operands(generic).next().filter(|_| is_of_library)?;
        Some(self.plain(name))
    }

    /// Returns the path of a generic type without its arguments: ``#a.@T`1`` of `a.T<B>`.
    pub(super) fn path_without_arguments(&self, generic: NodeIndex) -> Option<String> {
        let name = self.type_name(generic)?;
        let around = self.parent(generic);
        let is_qualified = self.kind(around) == Kind::Qualified
            && self.child(around, Field::Name) == Some(generic);
        if !is_qualified {
            return Some(format!("{TYPE}{name}"));
        }
        let of = self.type_value(self.child(around, Field::Qualifier)?)?;
        of.is_called.then(|| format!("{}.{FIELD}{name}", of.path))
    }

    /// Returns the last name of a type, with the number of its arguments if there are any.
    pub(super) fn type_name(&self, node: NodeIndex) -> Option<Cow<'_, str>> {
        if self.kind(node) != Kind::Generic {
            return Some(Cow::Borrowed(self.plain(node)));
        }
        let name = self.plain(self.operands(node).next()?);
        Some(Cow::Owned(generic_name(
            name,
            self.type_argument_count(node),
        )))
    }

    /// Returns the number of type arguments of a generic name, also of `A<,>`.
    pub(super) fn type_argument_count(&self, generic: NodeIndex) -> u8 {
        let mut parts = self.operands(generic);
        let list = parts.find(|one| self.kind(*one) == Kind::TypeArguments);
        let commas = list.map_or(0, |list| {
            let children = self.children(list);
            children.filter(|one| self.text(*one) == ",").count()
        });
        u8::try_from(commas).unwrap_or(u8::MAX).saturating_add(1)
    }
}

/// Returns the name by which a type with type parameters is looked up: ``A`1`` of `A<T>`.
pub(super) fn generic_name(name: &str, arity: impl Display) -> String {
    format!("{name}{ARITY}{arity}")
}
