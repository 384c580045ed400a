//! An object of the standard library that a file creates.

/// An object whose methods return what their arguments tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LibraryObject {
    /// A pool of threads or processes, which runs functions.
    Pool,
    /// A stack of contexts, which enters them.
    ExitStack,
}
