//! The definitions of a file, for the rows in it.

use crate::lang::{self, Symbol};
use crate::locator;
use crate::path::RepoPath;
use crate::symbol_id::{self, SymbolId};

/// The definitions of a file, for the rows in it.
pub(super) struct FileSymbols {
    module: String,
    symbols: Vec<Symbol>,
}

impl FileSymbols {
    pub(super) fn new(path: &RepoPath, text: &str) -> Self {
        let Some(language) = lang::of_path(path) else {
            return Self {
                module: String::new(),
                symbols: Vec::new(),
            };
        };
        Self {
            module: symbol_id::module_of(path, language.package_file),
            symbols: lang::symbols(language, text),
        }
    }

    /// The innermost definition that encloses a line.
    pub(super) fn at(&self, line: usize) -> Option<SymbolId> {
        locator::enclosing(&self.symbols, line, false)
            .last()
            .map(|symbol| SymbolId::new(&self.module, &symbol.name_path))
    }
}
