//! A symbol of an index that a compiler made.

use super::symbol_name::SymbolName;

/// A symbol that is not local to a file.
#[derive(Debug)]
pub(super) struct Symbol {
    pub(super) name: SymbolName,
    /// Whether a document of the index defines it.
    pub(super) is_defined: bool,
    /// The class whose constructor it is.
    pub(super) constructed: Option<u32>,
}
