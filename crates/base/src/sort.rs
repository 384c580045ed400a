//! A stable sort whose code is small.
//!
//! The sort of the standard library is compiled for each type of element, which is several
//! kilobytes of WebAssembly each time. This one sorts the places of the elements, which all types
//! share.

use std::cmp::Ordering;

/// Sorts as the methods of the standard library with the same names do.
///
/// # Examples
///
/// ```
/// use ragnav_base::sort::SmallSort;
///
/// let mut words = ["pear", "fig", "plum"];
/// words.small_sort_by_key(|word| word.len());
/// assert_eq!(words, ["fig", "pear", "plum"]);
/// ```
pub trait SmallSort<T> {
    /// Sorts by the order of the elements.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::sort::SmallSort;
    ///
    /// let mut words = ["plum", "fig"];
    /// words.small_sort();
    /// assert_eq!(words, ["fig", "plum"]);
    /// ```
    fn small_sort(&mut self)
    where
        T: Ord;

    /// Sorts by a comparison.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::sort::SmallSort;
    ///
    /// let mut numbers = [1, 3, 2];
    /// numbers.small_sort_by(|a, b| b.cmp(a));
    /// assert_eq!(numbers, [3, 2, 1]);
    /// ```
    fn small_sort_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// Sorts by a key.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::sort::SmallSort;
    ///
    /// let mut words = ["plum", "fig"];
    /// words.small_sort_by_key(|word| word.len());
    /// assert_eq!(words, ["fig", "plum"]);
    /// ```
    fn small_sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K);
}

impl<T> SmallSort<T> for [T] {
    fn small_sort(&mut self)
    where
        T: Ord,
    {
        self.small_sort_by(T::cmp);
    }

    fn small_sort_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let elements = &*self;
        let compare_at = |a: usize, b: usize| match (elements.get(a), elements.get(b)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        };
        let mut order = sorted_places(elements.len(), &compare_at);
        swap_into(&mut order, &mut |a, b| self.swap(a, b));
    }

    fn small_sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.small_sort_by(|a, b| key(a).cmp(&key(b)));
    }
}

/// Returns the places of elements in the order of the elements. None are returned if that is the
/// order in which the elements are already.
fn sorted_places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut pairs = (0..count).zip(1..count);
    if pairs.all(|(a, b)| compare(a, b) != Ordering::Greater) {
        return Vec::new();
    }
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|a, b| compare(*a, *b));
    places
}

/// Swaps elements so that each place has the element that was at the given place. It follows the
/// cycles of the permutation, and gives each place that is done its own number.
fn swap_into(order: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut place = start;
        while let Some(given) = order.get_mut(place) {
            let from = std::mem::replace(given, place);
            if from == start || from == place {
                break;
            }
            swap(place, from);
            place = from;
        }
    }
}
