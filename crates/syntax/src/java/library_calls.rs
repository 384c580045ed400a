//! Functions that comparators and collectors pass elements to.
//!
//! Source: the packages `java.util` and `java.util.stream` of [Java SE].
//!
//! [Java SE]: https://docs.oracle.com/en/java/javase/21/docs/api/java.base/module-summary.html

use super::kinds::{Field, FlatTree, Kind};
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
        // A further argument says what becomes of the groups.
        let has_further = self.operands(self.child(only, Field::Arguments)?).count() > 1;
        let is_other = GROUPING.contains(&collector) && has_further;
        (!is_other).then_some(collector)
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
