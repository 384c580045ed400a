//! The definitions of a file, for the rows in it.

use crate::envelope::{FreshnessState, Proof, SourceTag};
use crate::item::Definition;
use crate::lang::{self, Symbol};
use crate::locator;
use crate::path::RepoPath;
use crate::position::wire;
use crate::symbol_id::{self, SymbolId};

/// The definitions of a file, for the rows in it.
pub(super) struct FileSymbols {
    pub(super) module: String,
    pub(super) symbols: Vec<Symbol>,
}

impl FileSymbols {
    /// None for a file in a language that this build lacks.
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
    pub(super) fn innermost(&self, line: usize) -> Option<&Symbol> {
        locator::enclosing(&self.symbols, line, false).last()
    }

    /// The id of the innermost definition that encloses a line.
    pub(super) fn id_at(&self, line: usize) -> Option<SymbolId> {
        Some(self.id(self.innermost(line)?))
    }

    /// A definition of this file as a row, found in the text as it is now.
    pub(super) fn definition(&self, path: &RepoPath, symbol: &Symbol, proof: Proof) -> Definition {
        Definition {
            symbol: self.id(symbol),
            ordinal: wire(symbol.ordinal),
            kind: symbol.kind,
            file: path.to_string(),
            start_line: wire(symbol.start_line),
            end_line: wire(symbol.end_line),
            source: SourceTag::LocalFallback,
            freshness_state: FreshnessState::Fresh,
            proof,
            r#match: None,
        }
    }

    fn id(&self, symbol: &Symbol) -> SymbolId {
        SymbolId::new(&self.module, &symbol.name_path)
    }
}
