//! Functions that comparators and collectors pass elements to.
//!
//! Source: the packages `java.util` and `java.util.stream` of [Java SE].
//!
//! [Java SE]: https://docs.oracle.com/en/java/javase/21/docs/api/java.base/module-summary.html

use super::kinds::{Field, FlatTree, Kind};
use crate::facts::IDENTITY_MAPPING;
use crate::tree::NodeIndex;

/// The methods that make a comparator or a collector of a function of elements.
const OF_ELEMENTS: [&str; 8] = [
    "averagingInt",
    "comparing",
    "comparingDouble",
    "comparingInt",
    "comparingLong",
    "mapping",
    "summingInt",
    "summingLong",
];

/// Those whose first two arguments are functions of elements.
const OF_TWO: [&str; 2] = ["toMap", "toUnmodifiableMap"];

/// Those that pass the same elements to a further collector.
const GROUPING: [&str; 4] = [
    "filtering",
    "groupingBy",
    "groupingByConcurrent",
    "partitioningBy",
];

/// The collectors of groups that keep the elements as they are.
const KEEPING: [&str; 4] = ["toList", "toSet", "toUnmodifiableList", "toUnmodifiableSet"];

/// The methods that pass elements to a function and return its results.
const MAPPING: [&str; 2] = ["flatMap", "map"];

/// The types of the library whose methods are passed to them.
const OF_LIBRARY: [&str; 8] = [
    "Arrays",
    "Collection",
    "Entry",
    "List",
    "Map",
    "Optional",
    "Set",
    "Supplier",
];

/// The classes that have these methods.
const FACTORIES: [&str; 2] = ["Collectors", "Comparator"];

/// The maximum number of calls from a function to what receives it.
const MAX_CALLS: usize = 6;

impl FlatTree<'_> {
    /// Returns the name of the collector that a call receives as its only argument: `toList` of
    /// `a.collect(Collectors.toList())`.
    pub(super) fn collector(&self, call: NodeIndex) -> Option<&str> {
        let name = self.child(call, Field::Name)?;
        let mut arguments = self.operands(self.child(call, Field::Arguments)?);
        let only = arguments.next()?;
        let object = self.child(only, Field::Object)?;
        let is_collect = self.text(name) == "collect"
            && arguments.next().is_none()
            && self.kind(only) == Kind::MethodCall
            && FACTORIES.contains(&self.text(object));
        let collector = self.child(only, Field::Name).filter(|_| is_collect)?;
        let collector = self.text(collector);
        let further = self.operands(self.child(only, Field::Arguments)?).nth(1);
        if OF_TWO.contains(&collector) {
            let is_identity = further.is_some_and(|value| self.is_identity(value));
            return is_identity.then_some(IDENTITY_MAPPING);
        }
        // A further argument says what becomes of the groups.
        let keeps = |one| self.child(one, Field::Name).map(|name| self.text(name));
        let is_other = GROUPING.contains(&collector)
            && further.is_some_and(|one| !keeps(one).is_some_and(|name| KEEPING.contains(&name)));
        (!is_other).then_some(collector)
    }

    /// Reports whether a function returns its argument: `a -> a` or `Function.identity()`.
    fn is_identity(&self, function: NodeIndex) -> bool {
        let text: String = self.text(function).split_whitespace().collect();
        let is_same = text.split_once("->").is_some_and(|(from, to)| from == to);
        is_same || text == "Function.identity()"
    }

    /// Returns the method of a type of the library that a call passes as its only argument:
    /// `stream` of `a.flatMap(List::stream)`.
    pub(super) fn method_of_library(&self, call: NodeIndex) -> Option<&str> {
        let name = self.text(self.child(call, Field::Name)?);
        let mut arguments = self.operands(self.child(call, Field::Arguments)?);
        let only = arguments.next()?;
        if !MAPPING.contains(&name)
            || arguments.next().is_some()
            || self.kind(only) != Kind::MethodReference
        {
            return None;
        }
        let (of, method) = self.text(only).split_once("::")?;
        let of = of.rsplit('.').next().unwrap_or(of);
        OF_LIBRARY.contains(&of).then_some(method)
    }

    /// Returns the method of a container that a function of the library calls with its further
    /// arguments: `a.sort` for `Arrays.sort(a, f)`.
    pub(super) fn method_of_first(&self, call: NodeIndex) -> Option<(NodeIndex, &str)> {
        let name = self.text(self.child(call, Field::Name)?);
        let object = self.text(self.child(call, Field::Object)?);
        let mut arguments = self.operands(self.child(call, Field::Arguments)?);
        let (first, second) = (arguments.next()?, arguments.next());
        let is_comparing = ["Arrays", "Collections"].contains(&object)
            && ["max", "min", "sort"].contains(&name)
            && second.is_some();
        is_comparing.then_some((first, name))
    }

    /// Returns the call that gives elements to a function, by a call and the index of the function
    /// in it: that of `sort` for `a.sort(Comparator.comparing(f))`.
    pub(super) fn receiving_call(&self, call: NodeIndex, index: usize) -> (NodeIndex, usize) {
        let mut receiving = (call, index);
        for _ in 0..MAX_CALLS {
            match self.call_around_factory(receiving) {
                Some(outer) => receiving = outer,
                None => break,
            }
        }
        receiving
    }

    /// Returns the call that receives the comparator or collector that a call makes of the function
    /// at an index.
    fn call_around_factory(&self, (call, index): (NodeIndex, usize)) -> Option<(NodeIndex, usize)> {
        let name = self.text(self.child(call, Field::Name)?);
        let object = self.text(self.child(call, Field::Object)?);
        let receives_elements = (OF_ELEMENTS.contains(&name) && index == 0)
            || (OF_TWO.contains(&name) && index < 2)
            || GROUPING.contains(&name);
        if !receives_elements || !FACTORIES.contains(&object) {
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
}
