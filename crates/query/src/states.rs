//! States of files: in a commit, in the index, on disk, and as they are now.

mod difference;

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;

use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, wire};
use ragnav_base::symbol_id::SymbolId;
use ragnav_index::shapes::ShapesByFile;
use ragnav_resolve::FileFacts;
use ragnav_syntax::{Symbol, kept};

pub(super) use self::difference::{StateName, difference, read_now, read_objects};
use crate::file_definitions::FileDefinitions;

/// A symbol in one state of the repository.
///
/// # Examples
///
/// ```
/// use ragnav_base::symbol_id::SymbolId;
/// use ragnav_query::states::SymbolPlace;
///
/// let symbol = SymbolId::new("shop.cart", "Cart.sum");
/// let file = "shop/cart.py".to_owned();
/// let was = SymbolPlace { symbol, file, start_line: 3, end_line: 4, condition: None };
/// assert_eq!(serde_json::to_value(&was).unwrap()["symbol"], "sym:shop.cart.Cart.sum");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct SymbolPlace {
    /// Its id.
    pub symbol: SymbolId,
    /// Its file.
    pub file: String,
    /// Its first line, without decorators.
    pub start_line: u32,
    /// Its last line.
    pub end_line: u32,
    /// The condition under which it is compiled in this state; absent if it always is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string"))]
    pub condition: Option<String>,
}

/// One state of a file.
pub(super) struct State {
    /// The text; `None` in the index, which has none.
    pub(super) text: Option<StateText>,
    pub(super) definitions: FileDefinitions,
}

/// A text and where its lines begin.
pub(super) struct StateText {
    pub(super) text: String,
    pub(super) lines: LineIndex,
}

/// One state of some files.
pub(super) type States = BTreeMap<RepoPath, State>;

impl State {
    /// Reads a text, whose grammar must be loaded.
    fn new(path: &RepoPath, text: String) -> Self {
        Self {
            definitions: FileDefinitions::with_bodies(path, &text),
            text: Some(StateText {
                lines: LineIndex::new(&text),
                text,
            }),
        }
    }

    /// Reports whether the texts are equal but for their line ends.
    fn has_text_of(&self, other: &Self) -> bool {
        let lines = |state: &Self| {
            let text = state.text.as_ref()?;
            Some(text.text.replace("\r\n", "\n"))
        };
        lines(self).is_some_and(|own| Some(own) == lines(other))
    }

    /// Returns a symbol of the file, by its index.
    pub(super) fn place(&self, path: &RepoPath, place: usize) -> Option<SymbolPlace> {
        let symbol = self.definitions.symbols.get(place)?;
        Some(SymbolPlace {
            symbol: self.definitions.id_of(place)?,
            file: path.to_string(),
            start_line: wire(symbol.start_line),
            end_line: wire(symbol.end_line),
            condition: self.condition(path, symbol),
        })
    }

    /// Returns the condition of a symbol, as far as the file and its name say.
    pub(super) fn condition(&self, path: &RepoPath, symbol: &Symbol) -> Option<String> {
        let line = wire(symbol.start_line);
        self.definitions.condition(path, line, symbol.start_utf16)
    }

    /// Returns the facts of the text; `None` without a text.
    pub(super) fn facts(&self, path: &RepoPath) -> Option<Rc<FileFacts>> {
        let StateText { text, .. } = self.text.as_ref()?;
        let language = ragnav_syntax::detect_language(path)?;
        let facts = (*kept::facts(language, text)).clone();
        Some(Rc::new(FileFacts::new(facts)))
    }
}

/// Returns the definitions of a state as re-identification compares them.
pub(super) fn shapes_of(states: &States) -> ShapesByFile {
    let shapes = states
        .iter()
        .map(|(path, state)| (path.clone(), state.definitions.shapes.clone()));
    shapes.collect()
}
