//! Calls of the standard library that pass functions or elements on: comparators, collectors and
//! copies of collections.
//!
//! Source: the package `java.util` and `java.util.stream` of [Java SE].
//!
//! [Java SE]: https://docs.oracle.com/en/java/javase/21/docs/api/java.base/module-summary.html

use super::kinds::{Field, FlatTree, Kind};
use crate::tree::NodeIndex;

/// The collectors that collect the elements themselves.
const COLLECTORS: [&str; 7] = [
    "toCollection",
    "toImmutableList",
    "toImmutableSet",
    "toList",
    "toSet",
    "toUnmodifiableList",
    "toUnmodifiableSet",
];

/// The methods that make a comparator or a collector of functions of elements.
const OF_ELEMENTS: [&str; 14] = [
    "averagingInt",
    "comparing",
    "comparingDouble",
    "comparingInt",
    "comparingLong",
    "filtering",
    "groupingBy",
    "groupingByConcurrent",
    "mapping",
    "partitioningBy",
    "summingInt",
    "summingLong",
    "toMap",
    "toUnmodifiableMap",
];

/// The classes that have these methods.
const FACTORIES: [&str; 2] = ["Collectors", "Comparator"];

/// The collections with a constructor that copies the elements of another collection.
const COPIES: [&str; 14] = [
    "ArrayDeque",
    "ArrayList",
    "ConcurrentHashMap",
    "CopyOnWriteArrayList",
    "EnumMap",
    "HashMap",
    "HashSet",
    "LinkedHashMap",
    "LinkedHashSet",
    "LinkedList",
    "PriorityQueue",
    "TreeMap",
    "TreeSet",
    "Vector",
];

/// The maximum number of calls from a function to what receives it.
const MAX_CALLS: usize = 6;

impl FlatTree<'_> {
    /// Reports whether a call collects the elements of a stream: `a.collect(Collectors.toList())`.
    pub(super) fn is_collected(&self, call: NodeIndex) -> bool {
        let name = |call| self.child(call, Field::Name).map(|name| self.text(name));
        let mut arguments = self.call_arguments(call);
        let (Some(only), None) = (arguments.next(), arguments.next()) else {
            return false;
        };
        name(call) == Some("collect")
            && self.kind(only) == Kind::MethodCall
            && name(only).is_some_and(|name| COLLECTORS.contains(&name))
    }

    /// Returns the call that gives elements to a function, by a call and the index of the function in
    /// it: that of `sort` for `a.sort(Comparator.comparing(f))`.
    pub(super) fn receiving_call(&self, call: NodeIndex, index: usize) -> (NodeIndex, usize) {
        let mut receiving = (call, index);
        for _ in 0..MAX_CALLS {
            match self.call_around_factory(receiving.0) {
                Some(outer) => receiving = outer,
                None => break,
            }
        }
        receiving
    }

    /// Returns the call that receives the comparator or collector that a call makes.
    fn call_around_factory(&self, call: NodeIndex) -> Option<(NodeIndex, usize)> {
        let name = self.text(self.child(call, Field::Name)?);
        let is_of_library = match self.child(call, Field::Object) {
            Some(object) => FACTORIES.contains(&self.text(object)),
            None => true,
        };
        if !OF_ELEMENTS.contains(&name) || !is_of_library {
            return None;
        }
        // `Comparator.comparing(f).reversed()`.
        let is_object = |one: &NodeIndex| {
            let around = self.parent(*one);
            self.kind(around) == Kind::MethodCall && self.child(around, Field::Object) == Some(*one)
        };
        let chain = std::iter::successors(Some(call), |one| Some(self.parent(*one)));
        let last = chain.take(MAX_CALLS).find(|one| !is_object(one))?;
        let arguments = self.parent(last);
        let outer = self.parent(arguments);
        let is_argument =
            self.kind(arguments) == Kind::Arguments && self.kind(outer) == Kind::MethodCall;
        let index = self.operands(arguments).position(|one| one == last)?;
        is_argument.then_some((outer, index))
    }

    /// Reports whether an expression copies a collection: `new ArrayList<>(a)`.
    pub(super) fn is_copy(&self, creation: NodeIndex) -> bool {
        let of = self.child(creation, Field::Type);
        let of = of.filter(|of| self.kind(*of) == Kind::GenericType);
        let name = of.and_then(|of| self.operands(of).next());
        let mut arguments = self.call_arguments(creation);
        let only = arguments.next().filter(|_| arguments.next().is_none());
        let is_collection = only.is_some_and(|only| {
            matches!(
                self.kind(only),
                Kind::FieldAccess | Kind::Identifier | Kind::MethodCall
            )
        });
        let has_arguments = of.is_some_and(|of| self.type_arguments(of).next().is_some());
        let is_known = name.is_some_and(|name| COPIES.contains(&self.text(name)));
        is_collection && is_known && !has_arguments && self.class_body(creation).is_none()
    }

    /// Returns the arguments of a call or of the creation of an object.
    pub(super) fn call_arguments(&self, call: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let list = self.child(call, Field::Arguments);
        list.into_iter().flat_map(|list| self.operands(list))
    }
}
