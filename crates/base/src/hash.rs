//! Maps and sets of what texts contain.
//!
//! The standard library's hash function resists keys that are chosen to collide, and takes a tenth
//! of the time in which a text is read. foldhash is faster, and resists them less.

use foldhash::fast::RandomState;

/// A map by hash.
///
/// # Examples
///
/// ```
/// use ragnav_base::hash::HashMap;
///
/// let counts: HashMap<&str, u32> = HashMap::from_iter([("total", 2)]);
/// assert_eq!(counts["total"], 2);
/// ```
pub type HashMap<K, V> = std::collections::HashMap<K, V, RandomState>;

/// A set by hash.
///
/// # Examples
///
/// ```
/// use ragnav_base::hash::HashSet;
///
/// let names: HashSet<&str> = HashSet::from_iter(["total"]);
/// assert!(names.contains("total"));
/// ```
pub type HashSet<T> = std::collections::HashSet<T, RandomState>;
