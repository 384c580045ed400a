//! The types of the standard library that count as what they lead to or contain:
//! <https://doc.rust-lang.org/std/>.

/// The types that count as what they point to or lock.
pub(super) const POINTERS: [&str; 13] = [
    "Arc",
    "Box",
    "Cow",
    "LazyCell",
    "LazyLock",
    "ManuallyDrop",
    "MutexGuard",
    "Pin",
    "Rc",
    "Ref",
    "RefMut",
    "RwLockReadGuard",
    "RwLockWriteGuard",
];

/// The types that contain elements, or one or none.
pub(super) const CONTAINERS: [&str; 17] = [
    "BTreeSet",
    "BinaryHeap",
    "Cell",
    "HashSet",
    "IntoIter",
    "Iter",
    "LinkedList",
    "Mutex",
    "OnceCell",
    "OnceLock",
    "Option",
    "Poll",
    "RefCell",
    "Result",
    "RwLock",
    "Vec",
    "VecDeque",
];

pub(super) const MAPPINGS: [&str; 2] = ["BTreeMap", "HashMap"];
