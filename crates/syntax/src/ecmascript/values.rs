//! What expressions and types say in a dotted name: `a.b`, `new a.B(…)`, `a.B | null`.

use std::borrow::Cow;

use super::kinds::{Field, FlatTree, Kind};
use super::value_text::{MAX_STEPS, Said};
use crate::tree::At;

/// What a generic is of, where it is one of these, is what the type says.
const TRANSPARENT: [&str; 7] = [
    "Awaited",
    "NonNullable",
    "Partial",
    "Promise",
    "PromiseLike",
    "Readonly",
    "Required",
];

/// Longer ones would make the facts longer than the text.
const MAX_CHAIN: usize = 200;

/// The text of a dotted name with calls from its segments, the last one first.
fn chained(segments: &[(&str, bool)]) -> Option<Cow<'static, str>> {
    let mut text = String::new();
    for (name, is_called) in segments.iter().rev() {
        if !text.is_empty() {
            text.push('.');
        }
        text.push_str(name);
        text.push_str(if *is_called { "()" } else { "" });
        if text.len() > MAX_CHAIN {
            return None;
        }
    }
    Some(text.into())
}

/// Whether a text can be a name without quotes.
fn is_identifier(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    text.chars().all(is_letter) && text.starts_with(|first: char| !first.is_numeric())
}

impl<'t> FlatTree<'t> {
    /// The dotted name that an expression or type is; `None` for any other.
    pub(super) fn path(&self, at: At) -> Option<Cow<'t, str>> {
        let segments = self.segments(at)?;
        if let [only] = *segments {
            return Some(self.text(only).into());
        }
        let texts: Vec<&'t str> = segments.iter().map(|&at| self.text(at)).collect();
        let letters: usize = texts.iter().map(|text| text.len()).sum();
        let text = self.text(at);
        if text.len() + 1 == letters + texts.len() {
            return Some(text.into());
        }
        Some(texts.join(".").into())
    }

    /// What an expression is, where it is a name, a call or a construction of one.
    ///
    /// What is awaited counts for its result, and of `a = b` it is `b`.
    pub(super) fn value(&self, at: At) -> Option<Said<'t>> {
        let mut inner = at;
        for _ in 0..MAX_STEPS {
            let called = match self.kind(inner) {
                Kind::Parenthesized | Kind::Await | Kind::NonNull => {
                    inner = self.operands(inner).next()?;
                    continue;
                }
                Kind::Assignment => {
                    inner = self.child(inner, Field::Right)?;
                    continue;
                }
                Kind::As => return self.cast(inner),
                _ => self.called(inner),
            };
            let path = self.path(called.unwrap_or(inner));
            return Some(Said {
                path: path.or_else(|| self.chain(called.unwrap_or(inner)))?,
                called: called.is_some(),
            });
        }
        None
    }

    /// What a call or construction is of.
    fn called(&self, at: At) -> Option<At> {
        match self.kind(at) {
            Kind::Call => self.child(at, Field::Function),
            Kind::New => self.child(at, Field::Constructor),
            _ => None,
        }
    }

    /// A dotted name with calls on the way: `a.b().c`.
    fn chain(&self, at: At) -> Option<Cow<'t, str>> {
        let mut segments: Vec<(&'t str, bool)> = Vec::new();
        let mut object = at;
        let mut is_called = false;
        for _ in 0..MAX_STEPS {
            match self.kind(object) {
                Kind::Identifier | Kind::This | Kind::Super => {
                    segments.push((self.text(object), is_called));
                    return chained(&segments);
                }
                Kind::Member => {
                    let mut operands = self.operands(object);
                    let inner = operands.next()?;
                    segments.push((self.text(operands.last()?), is_called));
                    is_called = false;
                    object = inner;
                }
                Kind::Subscript => {
                    let (_, name) = self.keyed(object)?;
                    segments.push((name, is_called));
                    is_called = false;
                    object = self.operands(object).next()?;
                }
                // What a call gives and is called again has no name.
                Kind::Call | Kind::New if !is_called => {
                    is_called = true;
                    object = self.called(object)?;
                }
                Kind::Await | Kind::NonNull | Kind::Parenthesized => {
                    object = self.operands(object).next()?;
                }
                _ => return None,
            }
        }
        None
    }

    /// `a as B` is a `B`; of `a as const` and of what says no name it is `a`.
    fn cast(&self, at: At) -> Option<Said<'t>> {
        let mut operands = self.operands(at);
        let (value, to) = (operands.next()?, operands.next());
        let cast = to.and_then(|to| self.annotation(to));
        cast.or_else(|| {
            let path = self.path(value)?;
            let called = false;
            Some(Said { path, called })
        })
    }

    /// What a superclass is; `Base<T>` is `Base`.
    pub(super) fn base(&self, at: At) -> Option<Said<'t>> {
        match self.kind(at) {
            Kind::GenericType => self.value(self.operands(at).next()?),
            _ => self.value(at),
        }
    }

    /// What a type says: an instance of a class, which is what a call of it is; the class for `typeof A`.
    pub(super) fn annotation(&self, at: At) -> Option<Said<'t>> {
        let mut inner = at;
        for _ in 0..MAX_STEPS {
            inner = match self.kind(inner) {
                Kind::TypeAnnotation | Kind::Parenthesized | Kind::ReadonlyType => {
                    self.operands(inner).next()?
                }
                Kind::UnionType => self.optional(inner)?,
                Kind::ArrayType => {
                    let path = "Array".into();
                    return Some(Said { path, called: true });
                }
                Kind::TypeQuery => {
                    let path = self.path(self.operands(inner).next()?)?;
                    let called = false;
                    return Some(Said { path, called });
                }
                Kind::GenericType => {
                    let mut operands = self.operands(inner);
                    let path = self.path(operands.next()?)?;
                    let first = operands.next();
                    let first = first.and_then(|arguments| self.operands(arguments).next());
                    match first {
                        Some(first) if TRANSPARENT.contains(&&*path) => first,
                        _ => return Some(Said { path, called: true }),
                    }
                }
                _ => {
                    let path = self.path(inner)?;
                    return Some(Said { path, called: true });
                }
            };
        }
        None
    }

    /// The other side of `… | null` and `… | undefined`; the grammar nests unions of three.
    fn optional(&self, at: At) -> Option<At> {
        let mut operands = self.operands(at);
        let (left, right) = (operands.next()?, operands.next()?);
        match (self.is_nothing(left), self.is_nothing(right)) {
            (false, true) => Some(left),
            (true, false) => Some(right),
            _ => None,
        }
    }

    fn is_nothing(&self, at: At) -> bool {
        let is_literal = matches!(self.kind(at), Kind::Nothing | Kind::Other);
        is_literal && matches!(self.text(at), "null" | "undefined" | "void")
    }

    /// Where the name stands in the quotes of `a["name"]`, and the name.
    pub(super) fn keyed(&self, subscript: At) -> Option<(At, &'t str)> {
        let key = self.operands(subscript).last()?;
        let content = self.operands(key).next()?;
        let is_string = self.kind(key) == Kind::String;
        let text = self.text(content);
        let is_whole = is_string && self.string_content(key) == Some(text);
        (is_whole && is_identifier(text)).then_some((content, text))
    }

    /// The text between a string's quotes.
    pub(super) fn string_content(&self, at: At) -> Option<&'t str> {
        let text = self.text(at);
        let quote = text
            .chars()
            .next()
            .filter(|quote| matches!(quote, '"' | '\''))?;
        text.strip_prefix(quote)?.strip_suffix(quote)
    }

    /// A function, class or object behind brackets and casts.
    pub(super) fn bare(&self, at: At) -> At {
        let mut inner = at;
        for _ in 0..MAX_STEPS {
            let is_wrapped = matches!(
                self.kind(inner),
                Kind::Parenthesized | Kind::As | Kind::NonNull
            );
            match self.operands(inner).next().filter(|_| is_wrapped) {
                Some(wrapped) => inner = wrapped,
                None => return inner,
            }
        }
        inner
    }
}
