//! Reads the conditional compilation of C# and Swift, whose directives are lines.
//!
//! A line in a string or a comment is none. The tree tells these, not the directives: their nodes
//! are missing where a directive divides a construct.

use std::ops::Range;

use crate::directive_conditions::{self, Directive, Token};
use crate::facts::Conditions;
use crate::syntax_tree::SyntaxTree;

/// The directives of conditional compilation.
const NAMES: [&str; 5] = ["if", "elif", "elseif", "else", "endif"];

/// Returns the conditions under which the parts of a text are compiled.
pub(crate) fn conditions(tree: &SyntaxTree, text: &str) -> Conditions {
    let found: Vec<Directive> = directives(text).collect();
    if found.is_empty() {
        return Conditions::default();
    }
    let texts = texts_over_lines(tree);
    let is_code = |directive: &Directive| {
        let after = texts.partition_point(|text| text.start < directive.start);
        let before = after.checked_sub(1).and_then(|at| texts.get(at));
        before.is_none_or(|text| text.end <= directive.start)
    };
    let found = found.into_iter().filter(is_code).map(Token::Directive);
    directive_conditions::conditions(text, found)
}

/// Returns the ranges of the lines of directives, and of those that only print a message.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let messages = ["error", "warning"];
    let found = named_lines(text);
    let found = found.filter(move |one| {
        NAMES.contains(&one.name.as_str()) || messages.contains(&one.name.as_str())
    });
    found.map(|one| one.start..one.end)
}

fn directives(text: &str) -> impl Iterator<Item = Directive> + '_ {
    named_lines(text).filter(|one| NAMES.contains(&one.name.as_str()))
}

/// Returns the lines that begin with `#` and a name.
fn named_lines(text: &str) -> impl Iterator<Item = Directive> + '_ {
    let mut end = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = end;
        end += line.len();
        let inside = line.trim_start();
        let indent = line.len() - inside.len();
        let inside = inside.strip_prefix('#')?.trim();
        let name_end = inside.find(|letter: char| !letter.is_ascii_alphabetic());
        let (name, rest) = inside.split_at_checked(name_end.unwrap_or(inside.len()))?;
        let rest = rest.split("//").next().unwrap_or_default();
        Some(Directive {
            start: start + indent,
            end: start + line.trim_end().len(),
            name: name.to_owned(),
            rest: rest.trim().to_owned(),
        })
    })
}

/// Returns the ranges of the tokens that extend over several lines, which are strings and comments.
fn texts_over_lines(tree: &SyntaxTree) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let is_long = node.start_position().row < node.end_position().row;
        if is_long && cursor.goto_first_child() {
            continue;
        }
        if is_long && !node.is_error() {
            found.push(node.byte_range());
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}
