//! What directives of Vue and commands of Svelte contain: expressions, and names that they declare.

use std::collections::BTreeSet;
use std::ops::Range;

/// A piece of code in markup.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) code: Range<usize>,
    pub(super) kind: PieceKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceKind {
    /// An expression.
    Expression,
    /// An expression before and after which two characters are free.
    Enclosed,
    /// Statements before and after which two characters are free.
    Statements,
}

/// The pieces of a text, and the names that the template declares.
#[derive(Debug, Default)]
pub(super) struct Template<'t> {
    pub(super) pieces: Vec<Piece>,
    pub(super) declared: BTreeSet<&'t str>,
}

/// Reads a directive of Vue: `:a`, `@a`, `#a` or `v-a`.
pub(super) fn directive<'t>(
    name: &str,
    text: &'t str,
    code: Range<usize>,
    template: &mut Template<'t>,
) {
    let value = text.get(code.clone()).unwrap_or_default();
    let kind = if name.starts_with('@') || name.starts_with("v-on:") {
        PieceKind::Statements
    } else {
        PieceKind::Enclosed
    };
    let code = if name.starts_with('#') || name.starts_with("v-slot") {
        declare(text, code, template);
        return;
    } else if name == "v-for" {
        let Some((at, word)) = [" in ", " of "]
            .iter()
            .find_map(|word| Some((value.find(word)?, word)))
        else {
            return;
        };
        declare(text, code.start..code.start + at, template);
        code.start + at + word.len()..code.end
    } else if name.starts_with([':', '@']) || name.starts_with("v-") {
        code
    } else {
        return;
    };
    template.pieces.push(Piece { code, kind });
}

/// The directives of Svelte that name a function.
const OF_FUNCTIONS: [&str; 5] = ["animate:", "in:", "out:", "transition:", "use:"];

/// Returns the function that a directive of Svelte names: `fade` of `transition:fade|local`, which
/// ends at an offset.
pub(super) fn named_function(directive: &str, end: usize) -> Option<Piece> {
    let mut names = OF_FUNCTIONS.iter().map(|word| directive.strip_prefix(word));
    let with_modifiers = names.find_map(|name| name)?;
    let start = end - with_modifiers.len();
    let name = with_modifiers.split('|').next().unwrap_or_default();
    (!name.is_empty()).then(|| Piece {
        code: start..start + name.len(),
        kind: PieceKind::Expression,
    })
}

/// Returns the expression of a command of Svelte, such as `a` of `{#each a as b}`.
pub(super) fn command<'t>(
    text: &'t str,
    code: Range<usize>,
    template: &mut Template<'t>,
) -> Option<Range<usize>> {
    let value = text.get(code.clone())?;
    if !value.starts_with(['#', ':', '@', '/']) {
        return Some(code);
    }
    let (word, rest) = value.split_once(char::is_whitespace)?;
    let start = code.end - rest.len();
    match word {
        "#if" | "#key" | "@html" | "@render" | "@attach" => Some(start..code.end),
        ":else" => {
            let condition = rest.trim_start().strip_prefix("if ")?;
            Some(code.end - condition.len()..code.end)
        }
        "#each" => {
            let length = rest.rfind(" as ").unwrap_or(rest.len());
            declare(text, start + length..code.end, template);
            Some(start..start + length)
        }
        "#await" => {
            let length = rest.find(" then ").unwrap_or(rest.len());
            declare(text, start + length..code.end, template);
            Some(start..start + length)
        }
        "@const" => {
            let length = rest.find('=')?;
            declare(text, start..start + length, template);
            Some(start + length + 1..code.end)
        }
        _ => {
            declare(text, start..code.end, template);
            None
        }
    }
}

/// Adds the names in a range to those that the template declares.
pub(super) fn declare<'t>(text: &'t str, range: Range<usize>, template: &mut Template<'t>) {
    let found = names(text, range).filter_map(|name| text.get(name));
    template.declared.extend(found);
}

/// Returns the ranges of the names in a range of a text.
pub(super) fn names(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let start = range.start;
    let code = text.get(range).unwrap_or_default();
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = code.get(at..)?;
        let from = at + rest.find(is_of_name)?;
        let rest = code.get(from..)?;
        let length = rest.find(|next| !is_of_name(next)).unwrap_or(rest.len());
        at = from + length;
        Some(start + from..start + at)
    })
}

pub(super) fn is_of_name(letter: char) -> bool {
    // The grammar of JavaScript takes any other letter, such as a symbol, as part of a name.
    letter.is_alphanumeric()
        || matches!(letter, '_' | '$')
        || !(letter.is_ascii() || letter.is_whitespace())
}
