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
mod names;
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

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Tree};

use self::allocations::Allocations;
use self::facts::Facts;
use self::names::Positions;
use crate::error::{ErrorCode, RagnavError};
use crate::item::DefinitionKind;
use crate::path::RepoPath;
use crate::position::LineIndex;

/// So much of a text is handed to a parser at once, in bytes: what it reads again within is not counted.
const CHUNK: usize = 512;
/// So many bytes a parser may read of any text: seconds.
const MIN_READ: usize = 256 << 20;
/// How often it may read a text beside that.
const MAX_READINGS: usize = 64;
/// So many bytes a parser may allocate for any text: a second.
const MIN_ALLOCATED: u64 = 256 << 20;
/// How much it may allocate for each byte of a text beside that. Code takes some hundred, and what has errors everywhere a thousand.
const MAX_ALLOCATED: u64 = 2 << 10;
/// How deep its stacks may be, over all readings of the text that it follows: what is nested in people's code takes hundreds.
const MAX_STACK_ENTRIES: usize = 8 << 10;

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

/// A tree, of a text or of its start.
struct Parsed {
    tree: Tree,
    /// How much of the text it is of, in bytes.
    end: usize,
}

/// Of a text in which too much is open at a place, what comes before that. `None` for one that takes too long, and where the grammar and the
/// library disagree on their version, which a test rules out.
fn parse(language: &Language, text: &str) -> Option<Parsed> {
    Allocations::begin();
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&(language.grammar)()).ok()?;
    let text = as_grammars_see_it(text);
    let prepared = (language.prepare)(&text);
    let text = prepared.as_deref().unwrap_or(&text);
    let parsed = parse_start(&mut parser, text)?;
    if !parsed.tree.root_node().has_error() {
        return Some(parsed);
    }
    let mended = text.get(..parsed.end).and_then(language.mend);
    mended.map_or(Some(parsed), |mended| parse_start(&mut parser, &mended))
}

fn parse_start(parser: &mut tree_sitter::Parser, text: &str) -> Option<Parsed> {
    let parsed = |(tree, end)| Parsed { tree, end };
    let shallow = match parse_within_bounds(parser, text) {
        Ok(tree) => return Some(parsed((tree, text.len()))),
        Err(TooMuch::Work) => return None,
        Err(TooMuch::Open { shallow }) => shallow,
    };
    let end = (0..=shallow)
        .rev()
        .find(|end| text.is_char_boundary(*end))?;
    let tree = parse_within_bounds(parser, text.get(..end)?).ok()?;
    Some(parsed((tree, end)))
}

/// Why a text is not parsed.
enum TooMuch {
    /// The grammar reads it again and again, as Python's does with lines that are nothing but joined to the next, or it is copied again and
    /// again what is open.
    Work,
    /// Too much is open in it.
    Open {
        /// Up to where half as much is, in bytes.
        shallow: usize,
    },
}

fn parse_within_bounds(parser: &mut tree_sitter::Parser, text: &str) -> Result<Tree, TooMuch> {
    // A parser that was stopped would go on.
    parser.reset();
    let text = text.as_bytes();
    let mut left = MIN_READ.saturating_add(text.len().saturating_mul(MAX_READINGS));
    let mut read = |start: usize, _| {
        left = left.saturating_sub(CHUNK);
        // What seems to be over is parsed at once.
        let len = if left == 0 { 0 } else { CHUNK };
        let chunk = text.get(start..).unwrap_or_default();
        chunk.get(..len).unwrap_or(chunk)
    };
    let most = MIN_ALLOCATED.saturating_add(MAX_ALLOCATED.saturating_mul(text.len() as u64));
    let most = Allocations::now().bytes.saturating_add(most);
    let mut shallow = 0;
    let mut stopped = None;
    let mut go_on = |state: &ParseState| {
        let now = Allocations::now();
        if now.stack_entries <= MAX_STACK_ENTRIES / 2 {
            shallow = state.current_byte_offset();
        }
        stopped = match now {
            Allocations { bytes, .. } if bytes > most => Some(TooMuch::Work),
            _ if now.stack_entries > MAX_STACK_ENTRIES => Some(TooMuch::Open { shallow }),
            _ => return ControlFlow::Continue(()),
        };
        ControlFlow::Break(())
    };
    let options = ParseOptions::new().progress_callback(&mut go_on);
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    let tree = tree.filter(|_| left > 0);
    tree.ok_or(stopped.unwrap_or(TooMuch::Work))
}

/// Grammars know `\n` and `\r\n` only: a lone `\r` becomes `\n`, which moves no offset.
fn as_grammars_see_it(text: &str) -> std::borrow::Cow<'_, str> {
    let lone = |(at, _): &(usize, &str)| text.as_bytes().get(at + 1) != Some(&b'\n');
    if !text.match_indices('\r').any(|found| lone(&found)) {
        return text.into();
    }
    let mut copy = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        let is_lone = letter == '\r' && rest.peek() != Some(&'\n');
        copy.push(if is_lone { '\n' } else { letter });
    }
    copy.into()
}
