//! Reads macros around items: `pin_project! { struct A {} }`.
//!
//! Most of them leave the items as they are or add to them, so that the items count as written.

use std::ops::Range;

use tree_sitter::Node;

use crate::parse::parse_unprepared;
use crate::replaced_text::blank;

/// The words with which items begin.
const WORDS: [&str; 15] = [
    "async", "const", "enum", "extern", "fn", "impl", "mod", "pub", "static", "struct", "trait",
    "type", "union", "unsafe", "use",
];

/// The kinds of items whose names do not end with `_item`.
const ITEMS: [&str; 4] = [
    "extern_crate_declaration",
    "macro_definition",
    "macro_invocation",
    "use_declaration",
];

/// The kinds of nodes among items that are none.
const AMONG_ITEMS: [&str; 3] = ["block_comment", "empty_statement", "line_comment"];

/// Returns the offsets of the exclamation marks after which items may stand in braces, in order.
pub(super) fn places_in(text: &str) -> Vec<usize> {
    let marks = memchr::memchr_iter(b'!', text.as_bytes());
    marks.filter(|mark| may_precede(text, *mark)).collect()
}

fn may_precede(text: &str, mark: usize) -> bool {
    let after = text.get(mark + 1..).unwrap_or_default();
    let Some(inside) = after.trim_start().strip_prefix('{') else {
        return false;
    };
    let code = inside.trim_start();
    if code.starts_with(['#', '@']) || code.starts_with("//") || code.starts_with("/*") {
        return true;
    }
    let is_in_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let end = code.find(|letter| !is_in_name(letter));
    let (word, rest) = code.split_at(end.unwrap_or(code.len()));
    WORDS.contains(&word) || (!word.is_empty() && rest.starts_with('!'))
}

/// The items in a macro.
pub(super) struct Items {
    pub(super) range: Range<usize>,
    /// The lines among them that only the macro reads: `@section self`.
    pub(super) marks: Vec<Range<usize>>,
}

/// Returns the part between the braces of a macro that is a list of items, or `None` if there is
/// something else. Attributes of the whole, which only the macro reads, are no part of it:
/// `#![feature = "a"]`.
pub(super) fn items_in(text: &str, inside: Range<usize>) -> Option<Items> {
    let code = text.get(inside.clone())?;
    if let Some(start) = start_of_items(code) {
        let range = inside.start + start..inside.end;
        return Some(Items {
            range,
            marks: Vec::new(),
        });
    }
    let marks = marked_lines(code);
    if marks.is_empty() {
        return None;
    }
    let mut bytes = code.as_bytes().to_vec();
    for mark in &marks {
        blank(&mut bytes, mark.start, mark.end);
    }
    let start = start_of_items(&String::from_utf8(bytes).ok()?)?;
    let marks = marks.into_iter();
    let marks = marks.map(|mark| inside.start + mark.start..inside.start + mark.end);
    Some(Items {
        range: inside.start + start..inside.end,
        marks: marks.collect(),
    })
}

/// Returns the lines that begin with `@`.
fn marked_lines(code: &str) -> Vec<Range<usize>> {
    let mut marks = Vec::new();
    let mut at = 0;
    for line in code.split_inclusive('\n') {
        let mark = line.trim();
        if mark.starts_with('@') {
            let start = at + (line.len() - line.trim_start().len());
            marks.push(start..start + mark.len());
        }
        at += line.len();
    }
    marks
}

/// Returns the offset of the items if a text has nothing else.
fn start_of_items(code: &str) -> Option<usize> {
    let tree = parse_unprepared("rust", code)?;
    let root = tree.root_node();
    let mut start = 0;
    let mut items = 0;
    for node in root.children(&mut root.walk()) {
        match node.kind() {
            "inner_attribute_item" => start = node.end_byte(),
            kind if kind.ends_with("_item") || ITEMS.contains(&kind) => items += 1,
            "expression_statement" if is_macro(node) => items += 1,
            kind if AMONG_ITEMS.contains(&kind) => {}
            _ => return None,
        }
    }
    (items > 0 && !root.has_error()).then_some(start)
}

fn is_macro(statement: Node<'_>) -> bool {
    let expression = statement.child(0);
    expression.is_some_and(|one| one.kind() == "macro_invocation")
}
