//! The rows of `occurrences`.

use ragnav_base::envelope::{FreshnessState, Proof, SourceTag};
use ragnav_base::item::{DefinitionKind, Evidence, ItemKind};
use ragnav_base::symbol_id::SymbolId;
use serde::Serialize;

use crate::receipt::{AsRow, Row, condition_of, place};

/// One name on the way from the top of a file to a definition.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::occurrences::{OccurrencesOptions, occurrences};
///
/// let host = MemoryHost::new(&[("a.py", "class Cart:\n    def total(self): pass\n")]);
/// let options = OccurrencesOptions::default();
/// let answer = block_on(occurrences(&host, &Settings::default(), "a.py", &options));
/// let names = answer.items[1].definition.path.iter().map(|part| part.name.as_str());
/// assert_eq!(names.collect::<Vec<_>>(), ["Cart", "total"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct PathPart {
    /// The name.
    pub name: String,
    /// The kind of the definition; `null` for an object that is not a definition, as `a` of
    /// `const a = { m() {} }`.
    pub kind: Option<DefinitionKind>,
    /// The number of this definition among those of the file with the same id, from 0.
    pub ordinal: u32,
}

/// A definition that a name means.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::occurrences::{OccurrencesOptions, occurrences};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let options = OccurrencesOptions::default();
/// let answer = block_on(occurrences(&host, &Settings::default(), "a.py", &options));
/// // The call means the definition.
/// assert_eq!(answer.items[1].definition, answer.items[0].definition);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct MeantDefinition {
    /// The definition's id.
    pub symbol: SymbolId,
    /// The number of this definition among those of the file with the same id, from 0.
    pub ordinal: u32,
    /// The kind of the definition.
    pub kind: DefinitionKind,
    /// The file, relative to the repository's root.
    pub file: String,
    /// The line of its name.
    pub line: u32,
    /// The names from the top of the file to the definition, its own last.
    pub path: Vec<PathPart>,
}

/// What a file says about a definition in it.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::occurrences::{OccurrencesOptions, occurrences};
///
/// let host = MemoryHost::new(&[("a.py", "@cached\ndef total():\n    return 0\n")]);
/// let options = OccurrencesOptions::default();
/// let answer = block_on(occurrences(&host, &Settings::default(), "a.py", &options));
/// let whole = answer.items[0].whole.as_ref().unwrap();
/// assert_eq!((whole.start_line, whole.end_line, whole.end_utf16), (1, 3, Some(12)));
/// assert_eq!(whole.signature.as_deref(), Some("def total():"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct WholeDefinition {
    /// The first line, that of the first decorator if there is one.
    pub start_line: u32,
    /// The column of the first line at which it begins.
    pub start_utf16: u32,
    /// The last line of its body, without trailing comments.
    pub end_line: u32,
    /// The end of the text of the last line; `null` for a file without text under `allow`.
    pub end_utf16: Option<u32>,
    /// The lines with which the definition begins, until all brackets are closed; `null` for a file
    /// without text under `allow`.
    pub signature: Option<String>,
    /// The first line of the documentation that is not blank; `null` if it has none.
    pub docstring: Option<String>,
    /// The bases of a class, and the methods that a method overrides.
    pub implements: Vec<MeantDefinition>,
}

/// A name in a file, and the definition that it means.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::ItemKind;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::occurrences::{OccurrencesOptions, occurrences};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let options = OccurrencesOptions::default();
/// let answer = block_on(occurrences(&host, &Settings::default(), "a.py", &options));
/// let rows: Vec<_> = answer.items.iter().map(|row| (row.line, row.kind)).collect();
/// assert_eq!(rows, [(1, ItemKind::Definition), (3, ItemKind::Call)]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct OccurrenceItem {
    /// The file, relative to the repository's root.
    pub file: String,
    /// The line of the name.
    pub line: u32,
    /// The start of the name.
    pub start_utf16: u32,
    /// The end of the name, exclusive; the start of a definition whose name is not in the text.
    pub end_utf16: u32,
    /// How the name is used.
    pub kind: ItemKind,
    /// The definition that the name means.
    pub definition: MeantDefinition,
    /// What the file says about the definition; `null` for a reference.
    pub whole: Option<WholeDefinition>,
    /// Who resolved the reference; absent if ragnav did, and for a definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "Evidence"))]
    pub evidence: Option<Evidence>,
    /// The origin of this row.
    pub source: SourceTag,
    /// How current this row is.
    pub freshness_state: FreshnessState,
    /// The proof that this row is current.
    pub proof: Proof,
    /// The condition under which the name is compiled, such as `defined(_WIN32)`; absent if it
    /// always is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string"))]
    pub condition: Option<String>,
}

impl AsRow for OccurrenceItem {
    fn as_row(&self) -> Row {
        let definition = &self.definition;
        let whole = self.whole.as_ref();
        let lines = whole.map(|whole| whole.end_line.saturating_sub(whole.start_line));
        let says =
            whole.map(|whole| (&whole.signature, &whole.docstring, names(&whole.implements)));
        Row {
            place: place(&self.file, self.line),
            column: self.start_utf16,
            kind: format!("{:?}", self.kind),
            symbol: Some(definition.symbol.clone()),
            text: definition
                .path
                .last()
                .map(|own| own.name.clone())
                .unwrap_or_default(),
            says: format!(
                "{} {} {lines:?} {says:?}{}",
                definition.file,
                definition.ordinal,
                condition_of(self.condition.as_ref())
            ),
            provenance: Some((self.source, self.freshness_state, self.proof)),
        }
    }
}

fn names(definitions: &[MeantDefinition]) -> Vec<(&str, u32)> {
    let ids = definitions
        .iter()
        .map(|one| (one.symbol.as_str(), one.ordinal));
    ids.collect()
}
