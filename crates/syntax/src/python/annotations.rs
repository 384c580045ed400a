//! Parses annotations: the class of a value, or the element type of a container.
//!
//! The input is text and not a tree, since any part of an annotation may be quoted.

use std::borrow::Cow;

use super::value_text::{MAX_SEGMENTS, ValueText};

/// Annotations with deeper brackets are ignored.
const MAX_DEPTH: usize = 8;
/// Tuples with more parts are ignored.
const MAX_PARTS: usize = 8;
/// Unions with more sides are ignored.
const MAX_SIDES: usize = 6;

/// Generics that stand for their first argument.
const TRANSPARENT: [&str; 7] = [
    "Optional",
    "Annotated",
    "ClassVar",
    "Final",
    "Required",
    "NotRequired",
    "Awaitable",
];

/// Generics whose only argument is the element type.
const SEQUENCES: [&str; 23] = [
    "list",
    "List",
    "set",
    "Set",
    "frozenset",
    "FrozenSet",
    "deque",
    "Deque",
    "AbstractSet",
    "AsyncGenerator",
    "AsyncIterable",
    "AsyncIterator",
    "Collection",
    "Container",
    "Generator",
    "Iterable",
    "Iterator",
    "KeysView",
    "MutableSequence",
    "MutableSet",
    "Reversible",
    "Sequence",
    "ValuesView",
];

/// Generics whose second argument is the value type.
const MAPPINGS: [&str; 8] = [
    "dict",
    "Dict",
    "DefaultDict",
    "defaultdict",
    "Mapping",
    "MutableMapping",
    "OrderedDict",
    "ChainMap",
];

/// Further generics of `typing`.
const OTHERS: [&str; 6] = [
    "Callable",
    "Concatenate",
    "Literal",
    "Tuple",
    "Type",
    "Union",
];

/// Parses an annotation. The result is a call of a class, or the class itself for `type[…]`.
pub(super) fn parse_annotation(text: &str) -> Option<ValueText<'_>> {
    parse_nested(text, 0)
}

/// Returns the values of a union that is more than one type and `None`.
pub(super) fn parse_sides(text: &str) -> Vec<String> {
    let text = strip_quotes(text);
    let inside = ["Union[", "typing.Union[", "t.Union["]
        .iter()
        .find_map(|head| text.strip_prefix(head)?.strip_suffix(']'));
    let sides: Vec<&str> = match inside {
        Some(inside) => split(inside, ',').collect(),
        None => split(text, '|').collect(),
    };
    let sides = sides.into_iter().filter(|side| *side != "None");
    let sides: Vec<&str> = sides.take(MAX_SIDES + 1).collect();
    if sides.len() < 2 || sides.len() > MAX_SIDES {
        return Vec::new();
    }
    let values = sides.into_iter().filter_map(parse_annotation);
    values.map(|value| value.to_path().into_owned()).collect()
}

fn parse_nested(text: &str, depth: usize) -> Option<ValueText<'_>> {
    let text = strip_quotes(text);
    if depth > MAX_DEPTH || text.is_empty() {
        return None;
    }
    let mut sides = split(text, '|').filter(|side| *side != "None");
    let (first, second) = (sides.next()?, sides.next());
    if second.is_some() {
        return None;
    }
    if first.len() < text.len() {
        return parse_nested(first, depth + 1);
    }
    let Some((head, arguments)) = text.strip_suffix(']').and_then(|text| text.split_once('['))
    else {
        return is_path(text).then(|| ValueText {
            path: text.into(),
            is_called: true,
        });
    };
    let head = head.trim_end();
    let value_text = generic(head, arguments, depth);
    let is_itself = value_text.is_none() && is_path(head) && !is_transparent(head);
    let itself = is_itself.then(|| ValueText {
        path: head.into(),
        is_called: true,
    });
    value_text.or(itself)
}

fn is_any(text: &str) -> bool {
    generic_name(text) == "Any"
}

/// Reports whether a generic adds nothing to the meaning of its arguments.
fn is_transparent(path: &str) -> bool {
    let name = generic_name(path);
    TRANSPARENT.contains(&name) || matches!(name, "Union" | "type" | "Type")
}

/// Returns the value of a generic that depends on its arguments.
fn generic<'t>(head: &str, arguments: &'t str, depth: usize) -> Option<ValueText<'t>> {
    let last = head.rsplit('.').next().unwrap_or(head);
    let mut arguments = split(arguments, ',');
    let first = arguments.next()?;
    let inner = |text| parse_nested(text, depth + 1);
    match last {
        "type" | "Type" => inner(first).map(|value_text| ValueText {
            is_called: false,
            ..value_text
        }),
        "Union" => {
            let sides = [first].into_iter().chain(arguments);
            let mut sides = sides.filter(|side| *side != "None");
            let only = sides.next()?;
            sides.next().is_none().then(|| inner(only)).flatten()
        }
        // `Callable[…, Any]` says nothing about the results of calls.
        "Callable" => {
            let returned = arguments.next().filter(|returned| !is_any(returned))?;
            Some(wrap('<', &inner(returned)?, '>'))
        }
        "tuple" | "Tuple" => {
            let parts: Vec<&str> = [first].into_iter().chain(arguments).collect();
            match parts.as_slice() {
                [of, "..."] => Some(wrap('[', &inner(of)?, ']')),
                _ => tuple(&parts, depth),
            }
        }
        _ if TRANSPARENT.contains(&last) => inner(first),
        _ if SEQUENCES.contains(&last) => Some(wrap('[', &inner(first)?, ']')),
        _ if MAPPINGS.contains(&last) => Some(wrap('{', &inner(arguments.next()?)?, '}')),
        _ => None,
    }
}

/// Returns the value of a tuple, with nothing in place of a part whose value is not known.
fn tuple(parts: &[&str], depth: usize) -> Option<ValueText<'static>> {
    let values = parts.iter().map(|part| parse_nested(part, depth + 1));
    let values: Vec<Option<ValueText<'_>>> = values.collect();
    if values.len() > MAX_PARTS || values.iter().all(Option::is_none) {
        return None;
    }
    let texts = values.iter().map(|value| match value {
        Some(value) => value.to_path(),
        None => "".into(),
    });
    let texts: Vec<Cow<'_, str>> = texts.collect();
    Some(ValueText {
        path: format!("({})", texts.join(",")).into(),
        is_called: false,
    })
}

fn wrap(open: char, inner: &ValueText<'_>, close: char) -> ValueText<'static> {
    ValueText {
        path: format!("{open}{}{close}", inner.to_path()).into(),
        is_called: false,
    }
}

/// Strips quotes and parentheses that enclose the whole text.
fn strip_quotes(text: &str) -> &str {
    let mut text = text.trim();
    for _ in 0..MAX_DEPTH {
        let quoted = ['"', '\''].into_iter().find_map(|quote| {
            let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
            (!inner.contains(quote)).then_some(inner)
        });
        let bracketed = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        match quoted.or(bracketed.filter(|inner| !inner.contains(['(', ')']))) {
            Some(inner) => text = inner.trim(),
            None => break,
        }
    }
    text
}

/// Splits a text at separators outside of brackets and quotes.
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    let mut quote = None;
    let is_end = move |letter: char| {
        match letter {
            _ if quote == Some(letter) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' => quote = Some(letter),
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth = depth.saturating_sub(1),
            _ => return depth == 0 && letter == separator,
        }
        false
    };
    text.split(is_end).map(strip_quotes)
}

pub(super) fn is_path(text: &str) -> bool {
    let is_name = |segment: &str| {
        let mut letters = segment.chars();
        let first = letters.next();
        first.is_some_and(|letter| letter.is_alphabetic() || letter == '_')
            && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    text.split('.').all(is_name) && text.split('.').count() <= MAX_SEGMENTS && text != "None"
}

/// A name in a quoted annotation.
pub(super) struct QuotedName<'t> {
    /// The byte offset of the name in the annotation.
    pub(super) start: usize,
    /// The name.
    pub(super) name: &'t str,
    /// The path before the dot: `a.b` for `c` in `a.b.c`.
    pub(super) object: Option<&'t str>,
}

/// Returns the names in a quoted annotation.
///
/// Text with anything but names, brackets and separators has none.
pub(super) fn quoted_names(text: &str) -> Vec<QuotedName<'_>> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
    let is_between = |letter: char| matches!(letter, '[' | ']' | ',' | '|' | ' ');
    if !text
        .chars()
        .all(|letter| is_part(letter) || is_between(letter))
    {
        return Vec::new();
    }
    let mut names = Vec::new();
    let mut start = 0;
    for path in text.split(is_between) {
        if is_path(path) {
            names.extend(segments(path, start));
        }
        // Every separator is one byte long.
        start += path.len() + 1;
    }
    // Consecutive words are prose, not types.
    let is_prose = text
        .split_whitespace()
        .zip(text.split_whitespace().skip(1))
        .any(|(a, b)| a.ends_with(is_part) && b.starts_with(is_part));
    if is_prose { Vec::new() } else { names }
}

fn segments(path: &str, start: usize) -> impl Iterator<Item = QuotedName<'_>> {
    let mut offset = 0;
    path.split('.').map(move |name| {
        let before = offset;
        offset += name.len() + 1;
        QuotedName {
            start: start + before,
            name,
            object: path.get(..before.wrapping_sub(1)),
        }
    })
}

/// Reports whether a name is a generic of `typing`. Those begin with a capital letter.
pub(super) fn is_typing_generic(name: &str) -> bool {
    let known = [TRANSPARENT.as_slice(), &SEQUENCES, &MAPPINGS, &OTHERS];
    name.starts_with(char::is_uppercase) && known.iter().any(|names| names.contains(&name))
}

/// Returns the last name before the brackets of a generic: `List` for `typing.List[int]`.
pub(super) fn generic_name(text: &str) -> &str {
    let head = text.split('[').next().unwrap_or(text);
    head.rsplit('.').next().unwrap_or(head).trim()
}
