//! How much a parser works, by what it allocates.
//!
//! tree-sitter tells neither how long it takes nor how deep its stacks are. Where it recovers from errors, or follows several readings of a
//! text, it copies all that is open for each token, and at the end of the text all readings of it: kilobytes of hostile text can take it
//! hours and all memory. What it copies to is allocated, and so is each entry of its stacks. These are counted on each thread; the same
//! text comes to the same number of entries everywhere, and to the same bytes but for what pointers take.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::ffi::c_void;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Once;

use tree_sitter::Allocator;

/// What tree-sitter has allocated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allocations {
    /// How many bytes, those that were given back included.
    pub(crate) bytes: u64,
    /// How many entries of its stacks it holds now. Another block may happen to have their size.
    pub(crate) stack_entries: usize,
}

impl Allocations {
    /// Those of this thread since [`begin`](Self::begin).
    pub(crate) fn now() -> Self {
        Self {
            bytes: BYTES.get(),
            stack_entries: STACK_ENTRIES.with_borrow(Addresses::len),
        }
    }

    /// Begins to count on this thread; before any parser is made.
    #[expect(unsafe_code, reason = "tree-sitter takes C functions")]
    pub(crate) fn begin() {
        static INSTALLED: Once = Once::new();
        INSTALLED.call_once(|| {
            let counting = Allocator {
                malloc: counting_malloc,
                calloc: counting_calloc,
                realloc: counting_realloc,
                free: counting_free,
            };
            // SAFETY: these hand on to the functions that tree-sitter uses by itself, so that what was allocated before is given back as
            // it was; and no other thread comes past this before it returns.
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

/// Spreads addresses, which end in zeros.
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

/// An entry of tree-sitter's stacks as its `stack.c` has it, for its size.
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
    fn realloc(at: *mut c_void, size: usize) -> *mut c_void;
    fn free(at: *mut c_void);
}

#[expect(unsafe_code, reason = "it is called from C")]
unsafe extern "C" fn counting_malloc(size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    let at = counted(size, unsafe { malloc(size) });
    if size == size_of::<StackEntry>() {
        STACK_ENTRIES.with_borrow_mut(|entries| entries.insert(at.addr()));
    }
    at
}

#[expect(unsafe_code, reason = "it is called from C")]
unsafe extern "C" fn counting_calloc(count: usize, size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    counted(count.saturating_mul(size), unsafe { calloc(count, size) })
}

#[expect(unsafe_code, reason = "it is called from C")]
unsafe extern "C" fn counting_realloc(at: *mut c_void, size: usize) -> *mut c_void {
    STACK_ENTRIES.with_borrow_mut(|entries| entries.remove(&at.addr()));
    // SAFETY: `at` comes from one of these functions, which is for the caller to see to.
    counted(size, unsafe { realloc(at, size) })
}

#[expect(unsafe_code, reason = "it is called from C")]
unsafe extern "C" fn counting_free(at: *mut c_void) {
    // Trees may be given back when the thread's own values are gone.
    let _ = STACK_ENTRIES.try_with(|entries| entries.borrow_mut().remove(&at.addr()));
    // SAFETY: as for `counting_realloc`.
    unsafe { free(at) }
}

/// tree-sitter does not look whether it got anything.
fn counted(size: usize, at: *mut c_void) -> *mut c_void {
    if at.is_null() && size > 0 {
        std::process::abort();
    }
    BYTES.set(BYTES.get().saturating_add(size as u64));
    at
}
