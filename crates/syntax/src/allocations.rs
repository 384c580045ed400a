//! Measures the work of a parser by what it allocates.
//!
//! tree-sitter reports neither the time it takes nor the depth of its stacks. While it recovers
//! from errors or follows ambiguities, it copies all open nodes for each token. A few kilobytes of
//! hostile text can therefore take hours and all memory.
//!
//! The counters are per thread. They count the bytes that hold the copies and the entries of the
//! stacks. The same text yields the same number of entries on every host.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::ffi::c_void;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Once;

use tree_sitter::Allocator;

/// What tree-sitter has allocated on this thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allocations {
    /// The total number of bytes, including those freed since.
    pub(crate) bytes: u64,
    /// The number of live stack entries. A block that happens to have their size counts as one.
    pub(crate) stack_entries: usize,
}

impl Allocations {
    /// Returns the counters of this thread since [`start_counting`](Self::start_counting).
    pub(crate) fn current() -> Self {
        Self {
            bytes: BYTES.get(),
            stack_entries: STACK_ENTRIES.with_borrow(Addresses::len),
        }
    }

    /// Starts counting on this thread. Must run before a parser is created.
    #[expect(unsafe_code, reason = "tree-sitter takes C functions")]
    pub(crate) fn start_counting() {
        static INSTALLED: Once = Once::new();
        INSTALLED.call_once(|| {
            let counting = Allocator {
                malloc: counting_malloc,
                calloc: counting_calloc,
                realloc: counting_realloc,
                free: counting_free,
            };
            // SAFETY: these functions forward to the ones that tree-sitter uses by default, so
            // memory allocated earlier is freed correctly. `Once` blocks other threads until this
            // call returns.
            unsafe { tree_sitter::set_allocator(Some(counting)) };
        });
        BYTES.set(0);
        STACK_ENTRIES.with_borrow_mut(Addresses::clear);
    }
}

type Addresses = HashSet<usize, BuildHasherDefault<AddressHasher>>;

thread_local! {
    static BYTES: Cell<u64> = const { Cell::new(0) };
    static STACK_ENTRIES: RefCell<Addresses> = RefCell::default();
}

/// A hasher for addresses, whose low bits are zeros.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize(usize::from(*byte));
        }
    }

    fn write_usize(&mut self, address: usize) {
        // Fibonacci hashing.
        self.0 = (self.0 ^ address as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 ^= self.0 >> 32;
    }
}

/// An entry of tree-sitter's stacks, laid out as in its `stack.c`, to know its size.
#[repr(C)]
struct StackEntry {
    state: u16,
    position: [u32; 3],
    links: [StackLink; 8],
    link_count: u16,
    counts: [u32; 4],
}

#[repr(C)]
struct StackLink {
    entry: *const c_void,
    subtree: Subtree,
    is_pending: bool,
}

#[repr(C)]
union Subtree {
    inline: [u16; 4],
    heap: *const c_void,
}

#[expect(
    unsafe_code,
    reason = "of C's library, or for WebAssembly of tree-sitter's"
)]
unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn realloc(pointer: *mut c_void, size: usize) -> *mut c_void;
    fn free(pointer: *mut c_void);
}

#[expect(unsafe_code, reason = "it is called from C")]
unsafe extern "C" fn counting_malloc(size: usize) -> *mut c_void {
    // SAFETY: `malloc` accepts any size.
    let pointer = record(size, unsafe { malloc(size) });
    if size == size_of::<StackEntry>() {
        STACK_ENTRIES.with_borrow_mut(|entries| entries.insert(pointer.addr()));
    }
    pointer
}

#[expect(unsafe_code, reason = "it is called from C")]
unsafe extern "C" fn counting_calloc(count: usize, size: usize) -> *mut c_void {
    // SAFETY: `calloc` accepts any size.
    record(count.saturating_mul(size), unsafe { calloc(count, size) })
}

#[expect(unsafe_code, reason = "it is called from C")]
unsafe extern "C" fn counting_realloc(pointer: *mut c_void, size: usize) -> *mut c_void {
    STACK_ENTRIES.with_borrow_mut(|entries| entries.remove(&pointer.addr()));
    // SAFETY: the caller passes a pointer that one of these functions returned.
    record(size, unsafe { realloc(pointer, size) })
}

#[expect(unsafe_code, reason = "it is called from C")]
unsafe extern "C" fn counting_free(pointer: *mut c_void) {
    // A tree may be freed after the thread-local values of its thread.
    let _ = STACK_ENTRIES.try_with(|entries| entries.borrow_mut().remove(&pointer.addr()));
    // SAFETY: the caller passes a pointer that one of these functions returned.
    unsafe { free(pointer) }
}

/// Counts the bytes. Aborts if the allocation failed, since tree-sitter does not check.
fn record(size: usize, pointer: *mut c_void) -> *mut c_void {
    if pointer.is_null() && size > 0 {
        std::process::abort();
    }
    BYTES.set(BYTES.get().saturating_add(size as u64));
    pointer
}
