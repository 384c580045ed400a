//! From a text to its tree, within bounds: tree-sitter has none but time, and there are texts that it takes days for.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use crate::allocations::Allocations;
use crate::language::Language;

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

/// A tree, of a text or of its start.
pub(crate) struct Parsed {
    pub(crate) tree: Tree,
    /// How much of the text it is of, in bytes.
    pub(crate) end: usize,
}

/// Of a text in which too much is open at a place, what comes before that. `None` for one that takes too long, and where the grammar and the
/// library disagree on their version, which a test rules out.
pub(crate) fn parse(language: &Language, text: &str) -> Option<Parsed> {
    Allocations::begin();
    let mut parser = Parser::new();
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

fn parse_start(parser: &mut Parser, text: &str) -> Option<Parsed> {
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

fn parse_within_bounds(parser: &mut Parser, text: &str) -> Result<Tree, TooMuch> {
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
