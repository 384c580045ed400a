//! Maps and sets of what texts contain.
//!
//! The standard library's hash function protects servers from keys that strangers choose, and takes
//! a tenth of the time of reading a text. foldhash is far faster, and its seed differs between
//! processes.

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
