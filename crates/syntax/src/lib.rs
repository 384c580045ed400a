//! Languages: from a file's text to the symbols it defines.
//!
//! A language is one file here, one feature in `Cargo.toml` and one row in [`all`].

mod allocations;
mod body;
#[cfg(feature = "c")]
mod c;
#[cfg(any(feature = "javascript", feature = "typescript"))]
mod ecmascript;
pub mod facts;
#[cfg(feature = "go")]
mod go;
#[cfg(feature = "java")]
mod java;
pub mod locator;
mod names;
mod parse;
#[cfg(feature = "php")]
mod php;
#[cfg(feature = "python")]
mod python;
#[cfg(feature = "ruby")]
mod ruby;
#[cfg(feature = "rust")]
mod rust;
#[cfg(any(
    feature = "c",
    feature = "go",
    feature = "java",
    feature = "php",
    feature = "ruby",
    feature = "rust"
))]
mod simple;
mod tree;

use tree_sitter::Tree;

use self::facts::Facts;
use self::names::Positions;
use self::parse::{Parsed, parse};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_base::position::LineIndex;

/// What ragnav knows of one language.
#[derive(Debug)]
pub struct Language {
    /// The name that callers use, in lower case.
    pub name: &'static str,
    /// The extensions of its files, in lower case.
    extensions: &'static [&'static str],
    /// The stem of the file that stands for its folder in a module's name.
    pub package_file: Option<&'static str>,
    grammar: fn() -> tree_sitter::Language,
    /// Makes of a text one that the grammar reads in linear time, without moving an offset; `None` where it is one.
    prepare: fn(&str) -> Option<String>,
    /// Mends a text that the grammar finds an error in, without moving an offset; `None` where it cannot.
    mend: fn(&str) -> Option<String>,
    definitions: fn(&Tree, &str) -> Outline<RawDefinition>,
    facts: fn(&Tree, &str) -> Facts,
}

/// The definitions in a text, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline<D = Symbol> {
    /// Each behind those around it.
    pub definitions: Vec<D>,
    /// Whether the text has more: it is nested, named or repeated beyond what is read.
    pub is_partial: bool,
}

impl<D> Outline<D> {
    fn map<E>(self, definitions: impl FnOnce(Vec<D>) -> Vec<E>) -> Outline<E> {
        Outline {
            definitions: definitions(self.definitions),
            is_partial: self.is_partial,
        }
    }
}

/// A definition as a language's file finds it, in bytes, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RawDefinition {
    kind: DefinitionKind,
    name_path: String,
    /// Which of the definitions is directly around it.
    parent: Option<usize>,
    /// Where its first decorator begins, or the definition itself.
    decorated_start: usize,
    start: usize,
    /// Just past the last byte of its last statement.
    end: usize,
}

/// What is nested in more definitions is none: each name path holds those before it.
const MAX_NESTING: usize = 256;
/// The longest name path, in bytes. Each holds those of the definitions around it: without a bound they would come to far more than the text.
const MAX_NAME_PATH: usize = 1 << 10;

/// A definition is nested or named beyond what is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Beyond;

/// What leads to a definition.
fn name_path(
    around: Option<&RawDefinition>,
    qualifier: Option<&str>,
    name: &str,
) -> Result<String, Beyond> {
    let around = around.map(|around| around.name_path.as_str());
    let segments: Vec<&str> = around.into_iter().chain(qualifier).chain([name]).collect();
    let len: usize = segments.iter().map(|segment| segment.len() + 1).sum();
    let path = (len <= MAX_NAME_PATH).then(|| segments.join("."));
    path.ok_or(Beyond)
}

/// A definition in a text. Lines are 1-based and inclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// What it defines.
    pub kind: DefinitionKind,
    /// The names of the definitions around it and its own, joined with dots.
    pub name_path: String,
    /// Which of the definitions with this name path in this text it is, from 0.
    pub ordinal: usize,
    /// The line of its first decorator; `start_line` where it has none.
    pub decorated_start_line: usize,
    /// The line of its `def` or `class`.
    pub start_line: usize,
    /// Where that begins on the line, in UTF-16 units.
    pub start_utf16: u32,
    /// The line on which its last statement ends; comments after it do not count.
    pub end_line: usize,
}

impl Symbol {
    /// Whether a line is one of its lines, decorators not counted.
    #[must_use]
    pub fn encloses(&self, line: usize) -> bool {
        (self.start_line..=self.end_line).contains(&line)
    }

    /// Whether what ends at a column of a line is not before it, and on one of its lines.
    #[must_use]
    pub fn encloses_end(&self, line: usize, end_utf16: u32) -> bool {
        let is_before = line == self.start_line && end_utf16 <= self.start_utf16;
        self.encloses(line) && !is_before
    }
}

fn all() -> impl Iterator<Item = &'static Language> {
    [
        #[cfg(feature = "c")]
        &c::LANGUAGE,
        #[cfg(feature = "go")]
        &go::LANGUAGE,
        #[cfg(feature = "java")]
        &java::LANGUAGE,
        #[cfg(feature = "javascript")]
        &ecmascript::JAVASCRIPT,
        #[cfg(feature = "php")]
        &php::LANGUAGE,
        #[cfg(feature = "python")]
        &python::LANGUAGE,
        #[cfg(feature = "ruby")]
        &ruby::LANGUAGE,
        #[cfg(feature = "rust")]
        &rust::LANGUAGE,
        #[cfg(feature = "typescript")]
        &ecmascript::TYPESCRIPT,
        #[cfg(feature = "typescript")]
        &ecmascript::TSX,
    ]
    .into_iter()
}

/// The language of that name, in any case.
///
/// # Errors
/// `LANGUAGE_UNAVAILABLE` where this build has no such language.
pub fn by_name(name: &str) -> Result<&'static Language, RagnavError> {
    let wanted = name.trim().to_ascii_lowercase();
    all()
        .find(|language| language.name == wanted)
        .ok_or_else(|| {
            let message = format!("no language {name:?} in this build; it has {}", known());
            RagnavError::new(ErrorCode::LanguageUnavailable, message)
        })
}

/// The language a file is written in, by its extension; `None` where this build has none for it.
#[must_use]
pub fn of_path(path: &RepoPath) -> Option<&'static Language> {
    let extension = path.extension()?.to_ascii_lowercase();
    all().find(|language| language.extensions.contains(&extension.as_str()))
}

/// The language a file is written in, where one is needed.
///
/// # Errors
/// `LANGUAGE_UNAVAILABLE` where this build has none for it.
pub fn require_of_path(path: &RepoPath) -> Result<&'static Language, RagnavError> {
    of_path(path).ok_or_else(|| {
        let message = format!("{path} is in no language of this build; it has {}", known());
        RagnavError::new(ErrorCode::LanguageUnavailable, message)
    })
}

/// The names of the languages of this build.
#[must_use]
pub fn names() -> Vec<String> {
    all().map(|language| language.name.to_owned()).collect()
}

fn known() -> String {
    names().join(", ")
}

/// The definitions in a text, in the order of the text.
///
/// Never fails: what the grammar makes sense of around a syntax error is answered for. Time and
/// memory grow linearly with the text; the tree takes some sixty times its size while this runs.
/// Of a text that the grammar would take far longer for, none is.
#[must_use]
pub fn outline(language: &Language, text: &str) -> Outline {
    let Some(Parsed { tree, end }) = parse(language, text) else {
        return Outline {
            definitions: Vec::new(),
            is_partial: true,
        };
    };
    let found = (language.definitions)(&tree, text);
    Outline {
        is_partial: found.is_partial || end < text.len(),
        ..found.map(|definitions| symbols_of(definitions, text))
    }
}

/// The definitions of [`outline`].
#[must_use]
pub fn symbols(language: &Language, text: &str) -> Vec<Symbol> {
    outline(language, text).definitions
}

/// What a text says by itself.
///
/// Never fails, and its time and memory grow as for [`outline`].
#[must_use]
pub fn facts(language: &Language, text: &str) -> Facts {
    let Some(Parsed { tree, end }) = parse(language, text) else {
        return Facts {
            is_partial: true,
            ..Facts::default()
        };
    };
    let mut facts = (language.facts)(&tree, text);
    facts.is_partial |= end < text.len();
    facts
}

/// Numbers namesakes and turns bytes into lines.
fn symbols_of(definitions: Vec<RawDefinition>, text: &str) -> Vec<Symbol> {
    let lines = LineIndex::new(text);
    let mut positions = Positions::new(text);
    let mut seen = std::collections::HashMap::<String, usize>::new();
    definitions
        .into_iter()
        .map(|raw| {
            let count = seen.entry(raw.name_path.clone()).or_default();
            let ordinal = *count;
            *count += 1;
            Symbol {
                kind: raw.kind,
                name_path: raw.name_path,
                ordinal,
                decorated_start_line: lines.line_at(raw.decorated_start),
                start_line: lines.line_at(raw.start),
                start_utf16: positions.at(raw.start).start_utf16,
                end_line: lines.line_at(raw.end.saturating_sub(1).max(raw.start)),
            }
        })
        .collect()
}
