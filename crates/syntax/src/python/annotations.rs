//! Parses annotations: the class of a value, or the element type of a container.
//!
//! The input is text and not a tree, since any part of an annotation may be quoted.

use super::library_generics::{LibraryGeneric, find_library_generic, generic_name};
use super::value_text::{MAX_SEGMENTS, ValueText};
use crate::facts::UNKNOWN;

/// Annotations with deeper brackets are ignored.
const MAX_DEPTH: usize = 8;
/// Tuples with more parts are ignored.
const MAX_PARTS: usize = 8;
/// Unions with more sides are ignored.
const MAX_SIDES: usize = 16;

/// Keeps the types in annotations that a path cannot express, and returns paths to them.
pub(super) trait KeepTypes {
    /// Keeps a generic type with its type arguments: `A[B]`.
    fn keep_applied(&mut self, of: &str, arguments: Vec<Option<String>>) -> Option<String>;

    /// Reports whether the name of a generic of the standard library may be that of another class.
    fn may_be_renamed(&self, path: &str) -> bool;

    /// Keeps a union of instances of types.
    fn keep_union(&mut self, sides: Vec<String>) -> Option<String>;
}

/// Parses an annotation. The result is a call of a class, or the class itself for `type[…]`.
pub(super) fn parse_annotation<'t>(
    text: &'t str,
    types: &mut dyn KeepTypes,
) -> Option<ValueText<'t>> {
    Parser { types }.parse(text, 0)
}

/// Reports whether an annotation has one value.
pub(super) fn is_known(text: &str) -> bool {
    parse_annotation(text, &mut AnyType).is_some()
}

/// Stands for a builder of facts where only the form of an annotation matters.
struct AnyType;

impl KeepTypes for AnyType {
    fn keep_applied(&mut self, _: &str, _: Vec<Option<String>>) -> Option<String> {
        Some(UNKNOWN.to_owned())
    }

    fn may_be_renamed(&self, _: &str) -> bool {
        false
    }

    fn keep_union(&mut self, _: Vec<String>) -> Option<String> {
        Some(UNKNOWN.to_owned())
    }
}

/// Parses a base class with type arguments, `A[B]`. Returns `None` for any other text.
pub(super) fn parse_base(text: &str, types: &mut dyn KeepTypes) -> Option<ValueText<'static>> {
    let (head, arguments) = split_generic(text)?;
    let value = Parser { types }.applied(head, arguments, 0)?;
    Some(ValueText {
        is_called: false,
        ..value
    })
}

/// Parses the type that an alias stands for: one or several classes, or a container. A call of a
/// container gives the container itself.
pub(super) fn parse_alias<'t>(text: &'t str, types: &mut dyn KeepTypes) -> Option<ValueText<'t>> {
    let sides = union_sides(text);
    if sides.len() > MAX_SIDES {
        return None;
    }
    let mut parser = Parser { types };
    if let [only] = *sides {
        return parser.alias_side(only);
    }
    let sides = sides.into_iter().map(|side| match parser.alias_side(side) {
        Some(value) => value.path.into_owned(),
        None => UNKNOWN.to_owned(),
    });
    let sides: Vec<String> = sides.collect();
    let path = parser.types.keep_union(sides)?;
    Some(ValueText {
        path: path.into(),
        is_called: false,
    })
}

/// Returns the values of a union that is more than one type and `None`.
pub(super) fn parse_sides(text: &str, types: &mut dyn KeepTypes) -> Vec<String> {
    let sides = union_sides(text);
    if sides.len() < 2 || sides.len() > MAX_SIDES {
        return Vec::new();
    }
    let values = sides
        .into_iter()
        .filter_map(|side| parse_annotation(side, types));
    values.map(|value| value.to_path().into_owned()).collect()
}

/// Returns the sides of a union besides `None`; one for any other type.
fn union_sides(text: &str) -> Vec<&str> {
    let text = strip_quotes(text);
    let inside = ["Union[", "typing.Union[", "t.Union["]
        .iter()
        .find_map(|head| text.strip_prefix(head)?.strip_suffix(']'));
    let sides: Vec<&str> = match inside {
        Some(inside) => split(inside, ',').collect(),
        None => split(text, '|').collect(),
    };
    let sides = sides.into_iter().filter(|side| *side != "None");
    sides.take(MAX_SIDES + 1).collect()
}

/// Splits a generic type into its name and the text between its brackets.
fn split_generic(text: &str) -> Option<(&str, &str)> {
    let (head, arguments) = strip_quotes(text).strip_suffix(']')?.split_once('[')?;
    Some((head.trim_end(), arguments))
}

/// A parser of annotations.
struct Parser<'k> {
    types: &'k mut dyn KeepTypes,
}

impl Parser<'_> {
    fn parse<'t>(&mut self, text: &'t str, depth: usize) -> Option<ValueText<'t>> {
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
            return self.parse(first, depth + 1);
        }
        let Some((head, arguments)) = split_generic(text) else {
            return is_path(text).then(|| ValueText {
                path: text.into(),
                is_called: true,
            });
        };
        let known = find_library_generic(head).filter(|_| !self.types.may_be_renamed(head));
        let Some(generic) = known else {
            return self.applied(head, arguments, depth);
        };
        let value_text = self.known_generic(generic, arguments, depth);
        let is_other = matches!(
            generic,
            LibraryGeneric::First | LibraryGeneric::Type | LibraryGeneric::Union
        );
        let is_itself = value_text.is_none() && is_path(head) && !is_other;
        let itself = is_itself.then(|| ValueText {
            path: head.into(),
            is_called: true,
        });
        value_text.or(itself)
    }

    /// Returns the value of a side of an alias. A call of a function type would give its result.
    fn alias_side<'t>(&mut self, text: &'t str) -> Option<ValueText<'t>> {
        let value = self.parse(text, 0)?;
        let is_instance = value.is_called || value.path.starts_with(['[', '{', '(']);
        is_instance.then_some(ValueText {
            is_called: false,
            ..value
        })
    }

    /// Returns the value of a part of a type, which may be a union of several types.
    fn part(&mut self, text: &str, depth: usize) -> Option<String> {
        let sides = union_sides(text);
        if sides.len() < 2 || sides.len() > MAX_SIDES || depth > MAX_DEPTH {
            return Some(self.parse(text, depth + 1)?.to_path().into_owned());
        }
        let sides = sides.into_iter();
        let sides = sides.map(|side| self.argument(side, depth + 1).unwrap_or(UNKNOWN.to_owned()));
        let sides = sides.collect();
        self.types.keep_union(sides)
    }

    /// Returns the value of a type argument. Nothing is known of what is `Any`.
    fn argument(&mut self, text: &str, depth: usize) -> Option<String> {
        if is_any(text) {
            return Some(UNKNOWN.to_owned());
        }
        self.part(text, depth)
    }

    /// Returns an instance of a generic type with type arguments.
    fn applied(&mut self, head: &str, arguments: &str, depth: usize) -> Option<ValueText<'static>> {
        if !is_path(head) || is_literal(head) {
            return None;
        }
        let arguments = split(arguments, ',').filter(|argument| !argument.is_empty());
        let arguments: Vec<&str> = arguments.take(MAX_PARTS).collect();
        let arguments = arguments.into_iter();
        let arguments = arguments.map(|argument| self.argument(argument, depth));
        let arguments = arguments.collect();
        let path = self.types.keep_applied(head, arguments);
        Some(ValueText {
            path: path.unwrap_or_else(|| head.to_owned()).into(),
            is_called: true,
        })
    }

    /// Returns the value of a generic of the standard library that depends on its arguments.
    fn known_generic<'t>(
        &mut self,
        generic: LibraryGeneric,
        arguments: &'t str,
        depth: usize,
    ) -> Option<ValueText<'t>> {
        let mut arguments = split(arguments, ',');
        let first = arguments.next()?;
        match generic {
            LibraryGeneric::Type => {
                let of = self.parse(first, depth + 1)?;
                of.is_called.then_some(ValueText {
                    is_called: false,
                    ..of
                })
            }
            LibraryGeneric::Union => {
                let sides = [first].into_iter().chain(arguments);
                let mut sides = sides.filter(|side| *side != "None");
                let only = sides.next()?;
                if sides.next().is_some() {
                    return None;
                }
                self.parse(only, depth + 1)
            }
            // `Callable[…, Any]` says nothing about the results of calls.
            LibraryGeneric::Callable => {
                let returned = arguments.next().filter(|returned| !is_any(returned))?;
                Some(wrap('<', &self.part(returned, depth)?, '>'))
            }
            LibraryGeneric::Reference => Some(wrap('<', &self.part(first, depth)?, '>')),
            LibraryGeneric::Tuple => {
                let parts: Vec<&str> = [first].into_iter().chain(arguments).collect();
                match parts.as_slice() {
                    [of, "..."] => Some(wrap('[', &self.part(of, depth)?, ']')),
                    _ => self.tuple(&parts, depth),
                }
            }
            LibraryGeneric::Coroutine => self.parse(arguments.nth(1)?, depth + 1),
            LibraryGeneric::First => self.parse(first, depth + 1),
            LibraryGeneric::Elements => Some(wrap('[', &self.part(first, depth)?, ']')),
            LibraryGeneric::Values => Some(wrap('{', &self.part(arguments.next()?, depth)?, '}')),
            LibraryGeneric::Awaited => Some(ValueText {
                path: UNKNOWN.into(),
                is_called: false,
            }),
            LibraryGeneric::Opaque => None,
        }
    }

    /// Returns the value of a tuple, with nothing in place of a part whose value is not known.
    fn tuple(&mut self, parts: &[&str], depth: usize) -> Option<ValueText<'static>> {
        let values = parts.iter().map(|part| self.part(part, depth));
        let values: Vec<Option<String>> = values.collect();
        if values.len() > MAX_PARTS || values.iter().all(Option::is_none) {
            return None;
        }
        let texts: Vec<String> = values.into_iter().map(Option::unwrap_or_default).collect();
        Some(ValueText {
            path: format!("({})", texts.join(",")).into(),
            is_called: false,
        })
    }
}

fn is_any(text: &str) -> bool {
    generic_name(text) == "Any"
}

/// Reports whether the arguments of a generic are no types.
fn is_literal(path: &str) -> bool {
    generic_name(path) == "Literal"
}

/// Reports whether an annotation says that an assignment is one of an alias.
pub(super) fn is_type_alias(text: &str) -> bool {
    generic_name(strip_quotes(text)) == "TypeAlias"
}

fn wrap(open: char, inner: &str, close: char) -> ValueText<'static> {
    ValueText {
        path: format!("{open}{inner}{close}").into(),
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
