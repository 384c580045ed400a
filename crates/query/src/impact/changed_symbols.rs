//! The symbols that differ between two states of some files.

use std::collections::BTreeSet;

use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_base::sort::SmallSort;
use ragnav_base::symbol_id::SymbolId;
use ragnav_index::reidentify_files::{FileReidentification, reidentify_files};
use ragnav_syntax::Symbol;

use super::SymbolChange;
use super::texts::{DividedDefinition, own_lines, split_head};
use crate::states::{State, StateText, States, SymbolPlace, shapes_of};

/// A symbol that differs: where it is, or was if it was removed.
pub(super) struct ChangedSymbol {
    pub(super) changes: Vec<SymbolChange>,
    pub(super) path: RepoPath,
    pub(super) id: SymbolId,
    pub(super) symbol: Symbol,
    /// Its condition, as far as its file says.
    pub(super) condition: Option<String>,
    pub(super) was: Option<SymbolPlace>,
}

impl ChangedSymbol {
    /// Reports whether the symbol is only in the state before.
    pub(super) fn is_removed(&self) -> bool {
        self.changes.contains(&SymbolChange::Removed)
    }
}

impl State {
    fn divided(&self, path: &RepoPath, symbol: &Symbol) -> Option<DividedDefinition> {
        let StateText { text, lines } = self.text.as_ref()?;
        let language = ragnav_syntax::detect_language(path);
        let language = language.map_or("", |language| language.name);
        Some(split_head(text, lines, symbol, language))
    }

    /// Returns the lines of a definition after its head that belong to none of its members.
    fn own_body(&self, place: usize, head_lines: usize) -> Vec<&str> {
        let Some(StateText { text, lines }) = &self.text else {
            return Vec::new();
        };
        let own = own_lines(text, lines, &self.definitions.symbols, place);
        own.into_iter().skip(head_lines).collect()
    }
}

/// Returns the symbols that differ, by file and line.
pub(super) fn changed_symbols(before: &States, after: &States) -> Vec<ChangedSymbol> {
    let found = reidentify_files(&shapes_of(before), &shapes_of(after));
    let mut known = BTreeSet::new();
    let mut changed = Vec::new();
    for (path, state) in after {
        let joins = found.get(path).map_or(&[][..], Vec::as_slice);
        for (place, symbol) in state.definitions.symbols.iter().enumerate() {
            let join = joins.get(place).and_then(Option::as_ref);
            if let Some(join) = join {
                known.insert((join.file.clone(), join.before));
            }
            let compared = Compared {
                before,
                state,
                path,
                place,
                symbol,
            };
            changed.extend(compared.changed(join));
        }
    }
    changed.extend(removed(before, &known));
    changed.small_sort_by(|a, b| {
        let place = |one: &ChangedSymbol| (one.path.clone(), one.symbol.start_line);
        place(a).cmp(&place(b)).then(a.id.cmp(&b.id))
    });
    changed
}

fn removed(before: &States, known: &BTreeSet<(RepoPath, usize)>) -> Vec<ChangedSymbol> {
    let mut removed = Vec::new();
    for (path, state) in before {
        for (place, symbol) in state.definitions.symbols.iter().enumerate() {
            if known.contains(&(path.clone(), place)) {
                continue;
            }
            if let Some(id) = state.definitions.id_of(place) {
                removed.push(ChangedSymbol {
                    changes: vec![SymbolChange::Removed],
                    path: path.clone(),
                    id,
                    symbol: symbol.clone(),
                    condition: state.condition(path, symbol),
                    was: state.place(path, place),
                });
            }
        }
    }
    removed
}

/// A definition of the state after, to be compared with the one before.
struct Compared<'s> {
    before: &'s States,
    state: &'s State,
    path: &'s RepoPath,
    place: usize,
    symbol: &'s Symbol,
}

impl Compared<'_> {
    /// Returns the symbol if it is new or differs.
    fn changed(&self, join: Option<&FileReidentification>) -> Option<ChangedSymbol> {
        let id = self.state.definitions.id_of(self.place)?;
        let then = join.and_then(|join| Some((join, self.before.get(&join.file)?)));
        let (changes, was) = match then {
            None => (vec![SymbolChange::Added], None),
            Some((join, state)) => (
                self.changes(join, state)?,
                state.place(&join.file, join.before),
            ),
        };
        (!changes.is_empty()).then(|| ChangedSymbol {
            changes,
            path: self.path.clone(),
            id,
            symbol: self.symbol.clone(),
            condition: self.state.condition(self.path, self.symbol),
            was,
        })
    }

    fn changes(&self, join: &FileReidentification, then: &State) -> Option<Vec<SymbolChange>> {
        let old = then.definitions.symbols.get(join.before)?;
        let mut changes = Vec::new();
        let (container, name) = split(&self.symbol.name_path);
        let (old_container, old_name) = split(&old.name_path);
        if join.file != *self.path || container != old_container {
            changes.push(SymbolChange::Moved);
        }
        if name != old_name {
            changes.push(SymbolChange::Renamed);
        }
        let body = |state: &State, place: usize| {
            let shape = state.definitions.shapes.get(place);
            shape.and_then(|shape| shape.body)
        };
        if body(self.state, self.place) == body(then, join.before) {
            return Some(changes);
        }
        let new_text = self.state.divided(self.path, self.symbol);
        let old_text = then.divided(&join.file, old);
        let (Some(new_text), Some(old_text)) = (new_text, old_text) else {
            changes.push(SymbolChange::Text);
            return Some(changes);
        };
        if new_text.head != old_text.head {
            changes.push(SymbolChange::Signature);
        }
        // A type is not changed by changes of its members.
        let is_callable = matches!(
            self.symbol.kind,
            DefinitionKind::Function | DefinitionKind::Method
        );
        // Its tokens differ: where the texts do not, statements are nested in another way, as where
        // one leaves a `with` of Python, or blanks of a string differ.
        let has_other_body = if is_callable {
            new_text.body != old_text.body || new_text.head == old_text.head
        } else {
            self.state.own_body(self.place, new_text.head_lines)
                != then.own_body(join.before, old_text.head_lines)
        };
        if has_other_body {
            changes.push(SymbolChange::Body);
        }
        Some(changes)
    }
}

/// Splits a name path into what encloses the definition, and its name.
fn split(name_path: &str) -> (&str, &str) {
    name_path.rsplit_once('.').unwrap_or(("", name_path))
}
