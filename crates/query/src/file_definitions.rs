//! The definitions of a file, for the rows in it.

use crate::place_condition::condition_at;
use ragnav_base::host::Host;
use ragnav_base::item::{Definition, Match, Verdict};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::symbol_id::{self, SymbolId};
use ragnav_index::reidentify::reidentify;
use ragnav_index::shapes;
use ragnav_index::shapes::Shape;
use ragnav_repository::provenance::Provenance;
use ragnav_repository::snapshot::Snapshot;
use ragnav_syntax::Symbol;
use ragnav_syntax::facts::{Conditions, Facts, Position};
use ragnav_syntax::kept;
use ragnav_syntax::locator;

/// The definitions of a file, for the rows in it.
pub(super) struct FileDefinitions {
    pub(super) module: String,
    pub(super) symbols: Vec<Symbol>,
    /// The definitions in the form that re-identification compares.
    pub(super) shapes: Vec<Shape>,
    /// The conditions under which the parts of the file are compiled.
    conditions: Conditions,
    /// Whether the file has syntax errors.
    pub(super) has_errors: bool,
    /// Whether the file has more definitions than the limit.
    pub(super) is_partial: bool,
}

impl FileDefinitions {
    /// Parses a text, whose [grammar](Snapshot::load_grammar) must be loaded. A file without a
    /// language has no definitions.
    pub(super) fn new(path: &RepoPath, text: &str) -> Self {
        let Some(language) = ragnav_syntax::detect_language(path) else {
            return Self {
                module: String::new(),
                symbols: Vec::new(),
                shapes: Vec::new(),
                conditions: Conditions::default(),
                has_errors: false,
                is_partial: false,
            };
        };
        let outline = kept::outline(language, text);
        Self {
            module: symbol_id::module_of(path, language.package_file),
            shapes: shapes::from_symbols(&outline.definitions),
            symbols: outline.definitions.clone(),
            conditions: outline.conditions.clone(),
            has_errors: outline.has_errors,
            is_partial: outline.is_partial,
        }
    }

    /// Returns the definitions of a text, with their bodies if they are compared with the graph.
    pub(super) fn now(path: &RepoPath, text: &str, is_known: bool) -> Self {
        if is_known {
            return Self::with_bodies(path, text);
        }
        Self::new(path, text)
    }

    /// Returns the definitions with their bodies for a query that needs all facts of the text, too.
    pub(super) fn with_facts(path: &RepoPath, text: &str) -> Self {
        match ragnav_syntax::detect_language(path) {
            Some(language) => Self::of_facts(path, &kept::facts(language, text)),
            None => Self::new(path, text),
        }
    }

    /// Returns the definitions with their bodies, which takes longer than [`new`](Self::new).
    pub(super) fn with_bodies(path: &RepoPath, text: &str) -> Self {
        let language = ragnav_syntax::detect_language(path);
        let bodies = language.map(|language| kept::bodies(language, text));
        let file = Self::new(path, text);
        Self {
            shapes: shapes::from_bodies(&file.symbols, &bodies.unwrap_or_default()),
            ..file
        }
    }

    /// Returns the definitions of a file with these facts.
    pub(super) fn of_facts(path: &RepoPath, facts: &Facts) -> Self {
        let package_file =
            ragnav_syntax::detect_language(path).and_then(|language| language.package_file);
        Self {
            module: symbol_id::module_of(path, package_file),
            symbols: facts.symbols(),
            shapes: shapes::from_facts(facts),
            conditions: facts.conditions.clone(),
            has_errors: !facts.errors.is_empty(),
            is_partial: facts.is_partial,
        }
    }

    /// Returns the definitions of a file as they were indexed, even if the file has changed since.
    /// A changed file is likely to be asked about again while it is edited, so its facts are kept.
    pub(super) async fn indexed<H: Host>(
        snapshot: &Snapshot<'_, H>,
        path: &RepoPath,
    ) -> Option<Self> {
        let status = snapshot.statuses().get(path);
        let is_changed = status.is_some_and(|status| status.verdict == Verdict::Changed);
        let kept = if is_changed {
            snapshot.cached_facts(path).await
        } else {
            snapshot.decoded_facts(path)
        };
        if let Some(file) = kept {
            return Some(Self::of_facts(path, &file.facts));
        }
        let facts = snapshot.indexed_facts(path).await?;
        Some(Self::of_facts(path, &facts))
    }

    /// Returns the number of lines as far as the definitions tell: the index has no texts.
    pub(super) fn known_lines(&self) -> usize {
        let ends = self.symbols.iter().map(|symbol| symbol.end_line);
        ends.max().unwrap_or(1)
    }

    /// Returns the index of the innermost definition that encloses a line.
    pub(super) fn innermost(&self, line: usize) -> Option<usize> {
        locator::find_innermost(&self.symbols, line)
    }

    /// Returns the index of the innermost definition that encloses a range ending at a column of a
    /// line.
    pub(super) fn around(&self, line: u32, end_utf16: u32) -> Option<usize> {
        locator::find_innermost_at_column(&self.symbols, line as usize, end_utf16)
    }

    /// Returns a definition of this file as a row.
    pub(super) fn definition(
        &self,
        path: &RepoPath,
        symbol: &Symbol,
        provenance: Provenance,
        found: Option<Match>,
    ) -> Definition {
        Definition {
            symbol: self.id(symbol),
            ordinal: wire(symbol.ordinal),
            kind: symbol.kind,
            file: path.to_string(),
            start_line: wire(symbol.start_line),
            end_line: wire(symbol.end_line),
            source: provenance.source,
            freshness_state: provenance.freshness_state,
            proof: provenance.proof,
            r#match: found,
            condition: self.condition(path, wire(symbol.start_line), symbol.start_utf16),
            evidence: None,
        }
    }

    /// Returns the condition under which a place of this file is compiled, as far as the file and
    /// its name say.
    pub(super) fn condition(&self, path: &RepoPath, line: u32, start_utf16: u32) -> Option<String> {
        condition_at(path, &self.conditions, Position { line, start_utf16 })
    }

    /// Returns how each definition was re-identified; `None` for a new one.
    pub(super) fn reidentify(&self, known: Option<&Self>) -> Vec<Option<Match>> {
        let known = known.map_or(&[][..], |known| &known.shapes);
        let joins = reidentify(known, &self.shapes).into_iter();
        joins.map(|join| join.map(|join| join.how)).collect()
    }

    /// Returns the id of a definition, by its index.
    pub(super) fn id_of(&self, place: usize) -> Option<SymbolId> {
        Some(self.id(self.symbols.get(place)?))
    }

    fn id(&self, symbol: &Symbol) -> SymbolId {
        SymbolId::new(&self.module, &symbol.name_path)
    }
}
