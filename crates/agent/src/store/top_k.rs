//! Selecting the `k` best of many items without sorting all of them.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// An item with its score. The higher score is better; of equal scores the smaller item is.
#[derive(Debug, Clone)]
struct Scored<T> {
    score: f64,
    of: Reverse<T>,
}

impl<T: Ord> Ord for Scored<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        let scores = self.score.total_cmp(&other.score);
        scores.then_with(|| self.of.cmp(&other.of))
    }
}

impl<T: Ord> PartialOrd for Scored<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> PartialEq for Scored<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T: Ord> Eq for Scored<T> {}

/// The `k` best of the items that were pushed.
#[derive(Debug)]
pub(super) struct TopK<T> {
    k: usize,
    /// A heap whose root is the worst item.
    heap: BinaryHeap<Reverse<Scored<T>>>,
}

impl<T: Ord> TopK<T> {
    pub(super) fn new(k: usize) -> Self {
        Self {
            k,
            heap: BinaryHeap::new(),
        }
    }

    pub(super) fn push(&mut self, score: f64, of: T) {
        let one = Scored {
            score,
            of: Reverse(of),
        };
        if self.heap.len() < self.k {
            self.heap.push(Reverse(one));
        } else if let Some(mut worst) = self.heap.peek_mut()
            && worst.0 < one
        {
            *worst = Reverse(one);
        }
    }

    /// Returns the items, best first.
    pub(super) fn into_best(self) -> impl Iterator<Item = (f64, T)> {
        let sorted = self.heap.into_sorted_vec().into_iter();
        sorted.map(|Reverse(Scored { score, of })| (score, of.0))
    }
}

#[cfg(test)]
mod tests {
    use super::TopK;

    #[test]
    fn the_best_are_kept_and_those_alike_by_order() {
        let mut top = TopK::new(3);
        for (score, name) in [(1.0, "d"), (2.0, "c"), (0.5, "a"), (2.0, "b"), (1.0, "a")] {
            top.push(score, name);
        }
        let best: Vec<_> = top.into_best().collect();
        assert_eq!(best, [(2.0, "b"), (2.0, "c"), (1.0, "a")]);
        assert_eq!(TopK::<u32>::new(0).into_best().count(), 0);
    }
}
