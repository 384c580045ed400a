//! Parses a text within limits.
//!
//! tree-sitter limits time only, and there are texts that take it days.

use std::ops::ControlFlow;
use std::rc::Rc;

use tree_sitter::{InputEdit, ParseOptions, ParseState, Parser, Tree};

use crate::allocations::Allocations;
use crate::grammar_registry;
use crate::language::{Extractor, Language};
use crate::recent_trees::{self, Known};
use crate::syntax_tree::SyntaxTree;

/// The number of bytes handed to the parser at once. Repeated reads within a chunk are not counted.
const CHUNK: usize = 512;
/// The number of bytes a parser may read of any text. Reading them takes seconds.
const MIN_READ: usize = 256 << 20;
/// The number of times a parser may read a text in addition.
const MAX_READINGS: usize = 64;
/// The number of bytes a parser may allocate for any text. Allocating them takes a second.
const MIN_ALLOCATED: u64 = 256 << 20;
/// The number of bytes a parser may allocate per byte of text in addition. Ordinary code needs a
/// few hundred, and text full of errors a thousand.
const MAX_ALLOCATED: u64 = 2 << 10;
/// The maximum depth of the parser's stacks, over all ambiguities that it follows. Code written by
/// people needs hundreds.
const MAX_STACK_ENTRIES: usize = 8 << 10;

/// The tree of a text or of its start.
pub(crate) struct ParsedText {
    pub(crate) tree: Rc<SyntaxTree>,
    /// The number of bytes of the text that the tree covers.
    pub(crate) end: usize,
}

/// Whether the trees of texts are kept for those that are parsed next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reuse {
    /// The text may be parsed again, with an edit: the buffer of an editor.
    Trees,
    /// The text is one of many.
    Nothing,
}

/// Parses a text, or its start if the nesting exceeds the limit at some point.
///
/// Returns `None` for text that takes too long, and if the [grammar](grammar_registry) is not
/// loaded.
pub(crate) fn parse(language: &Language, text: &str, reuse: Reuse) -> Option<ParsedText> {
    Allocations::start_counting();
    let mut parser = Parser::new();
    parser
        .set_language(&grammar_registry::grammar(language.name)?)
        .ok()?;
    let text = normalize_line_breaks(text);
    let mut parse_prefix = |text: &str| match reuse {
        Reuse::Trees => parse_edited(&mut parser, language.name, text),
        Reuse::Nothing => parse_prefix(&mut parser, text),
    };
    let Extractor::Code(code) = &language.extractor else {
        return parse_prefix(&text);
    };
    let prepared = (code.prepare)(&text);
    let text = prepared.as_deref().unwrap_or(&text);
    let parsed = parse_prefix(text)?;
    if !parsed.tree.has_error() {
        return Some(parsed);
    }
    let repaired = text.get(..parsed.end).and_then(code.repair);
    repaired.map_or(Some(parsed), |repaired| parse_prefix(&repaired))
}

/// Parses a text by the tree of a recent text, if both have no errors.
fn parse_edited(parser: &mut Parser, grammar: &'static str, text: &str) -> Option<ParsedText> {
    let end = text.len();
    let reparsed = match recent_trees::find(grammar, text) {
        Some(Known::Tree(tree)) => return Some(ParsedText { tree, end }),
        Some(Known::Edited { before, edit }) => reparse(parser, text, before, edit),
        None => None,
    };
    let parsed = match reparsed {
        Some(tree) => ParsedText { tree, end },
        None => parse_prefix(parser, text)?,
    };
    if parsed.end == text.len() {
        recent_trees::keep(grammar, text, Rc::clone(&parsed.tree));
    }
    Some(parsed)
}

/// Parses a text by the tree before an edit. Returns `None` if it has errors.
fn reparse(
    parser: &mut Parser,
    text: &str,
    before: Rc<SyntaxTree>,
    edit: InputEdit,
) -> Option<Rc<SyntaxTree>> {
    let mut edited = before.tree.clone();
    edited.edit(&edit);
    let tree = parse_within_bounds(parser, text, Some(&edited)).ok()?;
    let tree = SyntaxTree::edited(tree, before, edit);
    (!tree.has_error()).then(|| Rc::new(tree))
}

/// Parses a text as it is, for code that prepares one.
///
/// Returns `None` for text that takes too long or nests too deeply, and if the grammar is not loaded.
pub(crate) fn parse_unprepared(language: &'static str, text: &str) -> Option<Tree> {
    Allocations::start_counting();
    let mut parser = Parser::new();
    parser
        .set_language(&grammar_registry::grammar(language)?)
        .ok()?;
    parse_within_bounds(&mut parser, text, None).ok()
}

fn parse_prefix(parser: &mut Parser, text: &str) -> Option<ParsedText> {
    let parsed = |(tree, end)| ParsedText {
        tree: Rc::new(SyntaxTree::new(tree)),
        end,
    };
    let shallow = match parse_within_bounds(parser, text, None) {
        Ok(tree) => return Some(parsed((tree, text.len()))),
        Err(ParseLimit::Work) => return None,
        Err(ParseLimit::Open { shallow }) => shallow,
    };
    let end = (0..=shallow)
        .rev()
        .find(|end| text.is_char_boundary(*end))?;
    let tree = parse_within_bounds(parser, text.get(..end)?, None).ok()?;
    Some(parsed((tree, end)))
}

/// The reason why a text is not parsed.
enum ParseLimit {
    /// The grammar reads the text too often, as Python's does with thousands of continued lines, or
    /// the parser copies open nodes too often.
    Work,
    /// Too many nodes are open at once.
    Open {
        /// The offset up to which at most half as many are open, in bytes.
        shallow: usize,
    },
}

fn parse_within_bounds(
    parser: &mut Parser,
    text: &str,
    edited: Option<&Tree>,
) -> Result<Tree, ParseLimit> {
    // A stopped parser would otherwise resume.
    parser.reset();
    let text = text.as_bytes();
    let mut remaining = MIN_READ.saturating_add(text.len().saturating_mul(MAX_READINGS));
    let mut read = |start: usize, _| {
        remaining = remaining.saturating_sub(CHUNK);
        // The parser finishes at once when the text seems to end.
        let len = if remaining == 0 { 0 } else { CHUNK };
        let chunk = text.get(start..).unwrap_or_default();
        chunk.get(..len).unwrap_or(chunk)
    };
    let max_allocated =
        MIN_ALLOCATED.saturating_add(MAX_ALLOCATED.saturating_mul(text.len() as u64));
    let max_allocated = Allocations::current().bytes.saturating_add(max_allocated);
    let mut shallow = 0;
    let mut stopped = None;
    let mut check_progress = |state: &ParseState| {
        let current = Allocations::current();
        if current.stack_entries <= MAX_STACK_ENTRIES / 2 {
            shallow = state.current_byte_offset();
        }
        stopped = match current {
            Allocations { bytes, .. } if bytes > max_allocated => Some(ParseLimit::Work),
            _ if current.stack_entries > MAX_STACK_ENTRIES => Some(ParseLimit::Open { shallow }),
            _ => return ControlFlow::Continue(()),
        };
        ControlFlow::Break(())
    };
    let options = ParseOptions::new().progress_callback(&mut check_progress);
    let tree = parser.parse_with_options(&mut read, edited, Some(options));
    let tree = tree.filter(|_| remaining > 0);
    tree.ok_or(stopped.unwrap_or(ParseLimit::Work))
}

/// Replaces each lone `\r` by `\n`, since the grammars know only `\n` and `\r\n`. Keeps offsets.
fn normalize_line_breaks(text: &str) -> std::borrow::Cow<'_, str> {
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
