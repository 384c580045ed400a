//! What annotations say of a value: which class it is an instance of, or what it holds such instances of.
//!
//! They are read from their text, since any part of one may stand in quotes.

use super::value_text::{MAX_SEGMENTS, Said};

/// Annotations with more brackets in each other than this say nothing.
const MAX_DEPTH: usize = 8;

/// What a generic is of, where it is one of these, is what the annotation says.
const TRANSPARENT: [&str; 7] = [
    "Optional",
    "Annotated",
    "ClassVar",
    "Final",
    "Required",
    "NotRequired",
    "Awaitable",
];

/// Generics whose elements are instances of their only argument.
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

/// Generics whose values are instances of their second argument.
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

/// What an annotation says: an instance of a class, which is what a call of it is; the class for `type[…]`.
pub(super) fn said(text: &str) -> Option<Said<'_>> {
    said_in(text, 0)
}

fn said_in(text: &str, depth: usize) -> Option<Said<'_>> {
    let text = unwrapped(text);
    if depth > MAX_DEPTH || text.is_empty() {
        return None;
    }
    let mut sides = split(text, '|').filter(|side| *side != "None");
    let (first, second) = (sides.next()?, sides.next());
    if second.is_some() {
        return None;
    }
    if first.len() < text.len() {
        return said_in(first, depth + 1);
    }
    let Some((head, arguments)) = text.strip_suffix(']').and_then(|text| text.split_once('['))
    else {
        return is_path(text).then(|| Said {
            path: text.into(),
            called: true,
        });
    };
    let head = head.trim_end();
    let said = generic(head, arguments, depth);
    let is_itself = said.is_none() && is_path(head) && !is_transparent(head);
    let itself = is_itself.then(|| Said {
        path: head.into(),
        called: true,
    });
    said.or(itself)
}

/// Whether a generic says nothing but what its arguments say.
fn is_transparent(path: &str) -> bool {
    let name = head(path);
    TRANSPARENT.contains(&name) || matches!(name, "Union" | "type" | "Type")
}

/// What a generic says beside its own name; `None` where that is all.
fn generic<'t>(head: &str, arguments: &'t str, depth: usize) -> Option<Said<'t>> {
    let last = head.rsplit('.').next().unwrap_or(head);
    let mut arguments = split(arguments, ',');
    let first = arguments.next()?;
    let inner = |text| said_in(text, depth + 1);
    match last {
        "type" | "Type" => inner(first).map(|said| Said {
            called: false,
            ..said
        }),
        "Union" => {
            let sides = [first].into_iter().chain(arguments);
            let mut sides = sides.filter(|side| *side != "None");
            let only = sides.next()?;
            sides.next().is_none().then(|| inner(only)).flatten()
        }
        "tuple" | "Tuple" if arguments.next() == Some("...") => {
            Some(held('[', &inner(first)?, ']'))
        }
        _ if TRANSPARENT.contains(&last) => inner(first),
        _ if SEQUENCES.contains(&last) => Some(held('[', &inner(first)?, ']')),
        _ if MAPPINGS.contains(&last) => Some(held('{', &inner(arguments.next()?)?, '}')),
        _ => None,
    }
}

fn held(open: char, inner: &Said<'_>, close: char) -> Said<'static> {
    Said {
        path: format!("{open}{}{close}", inner.spelled()).into(),
        called: false,
    }
}

/// A text without the quotes or round brackets that stand around all of it.
fn unwrapped(text: &str) -> &str {
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

/// The parts of a text between separators that stand in no brackets and quotes.
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
    text.split(is_end).map(unwrapped)
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

/// A name that a quoted annotation mentions.
pub(super) struct Mentioned<'t> {
    /// Where it stands in the text.
    pub(super) start: usize,
    /// The name.
    pub(super) name: &'t str,
    /// What stands before its dot; `None` where there is none.
    pub(super) of: Option<&'t str>,
}

/// The names that a quoted annotation mentions; none where the text holds more than names, brackets and what stands between them.
pub(super) fn mentioned(text: &str) -> Vec<Mentioned<'_>> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
    let is_between = |letter: char| matches!(letter, '[' | ']' | ',' | '|' | ' ');
    if !text
        .chars()
        .all(|letter| is_part(letter) || is_between(letter))
    {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut start = 0;
    for path in text.split(is_between) {
        if is_path(path) {
            found.extend(segments(path, start));
        }
        // What stands between is one byte long.
        start += path.len() + 1;
    }
    // Words behind each other are prose.
    let is_prose = text
        .split_whitespace()
        .zip(text.split_whitespace().skip(1))
        .any(|(a, b)| a.ends_with(is_part) && b.starts_with(is_part));
    if is_prose { Vec::new() } else { found }
}

fn segments(path: &str, start: usize) -> impl Iterator<Item = Mentioned<'_>> {
    let mut at = 0;
    path.split('.').map(move |name| {
        let before = at;
        at += name.len() + 1;
        Mentioned {
            start: start + before,
            name,
            of: path.get(..before.wrapping_sub(1)),
        }
    })
}

/// Whether a name is one of a generic of `typing`, whose own names begin with a capital letter.
pub(super) fn is_generic(name: &str) -> bool {
    let known = [TRANSPARENT.as_slice(), &SEQUENCES, &MAPPINGS, &OTHERS];
    name.starts_with(char::is_uppercase) && known.iter().any(|names| names.contains(&name))
}

/// The last name before the brackets of a generic.
pub(super) fn head(text: &str) -> &str {
    let head = text.split('[').next().unwrap_or(text);
    head.rsplit('.').next().unwrap_or(head).trim()
}
