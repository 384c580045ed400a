//! What expressions and types say in a dotted name: `a.b`, `new a.B(…)`, `a.B | null`.

use std::borrow::Cow;

use super::kinds::{Field, FlatTree, Kind};
use super::naming::MAX_STEPS;
use crate::lang::tree::At;

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

/// A dotted name or a call of one, before its name has a place in the facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said<'t> {
    pub(super) path: Cow<'t, str>,
    pub(super) called: bool,
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
                Kind::Call => self.child(inner, Field::Function)?,
                Kind::New => self.child(inner, Field::Constructor)?,
                _ => {
                    let path = self.path(inner)?;
                    return Some(Said {
                        path,
                        called: false,
                    });
                }
            };
            let path = self.path(called)?;
            return Some(Said { path, called: true });
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
