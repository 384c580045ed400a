//! What expressions and annotations say in a dotted name: `a.b`, `a.b(…)`, `"a.b"`, `a.b | None`.

use std::borrow::Cow;

use super::kinds::FlatTree;
use super::kinds::{Field, Kind};
use crate::lang::tree::At;

/// Longer dotted names, and names in more brackets, count as any other expression: each of a chain's members
/// would hold the whole chain before it.
const MAX_SEGMENTS: usize = 32;

/// The first line of a docstring is cut after this many characters.
const MAX_DOCSTRING: usize = 200;

/// What a generic is of, where it is one of these, is what the annotation says.
const TRANSPARENT: [&str; 6] = [
    "Optional",
    "Annotated",
    "ClassVar",
    "Final",
    "Required",
    "NotRequired",
];

/// A dotted name or a call of one, before its name has a place in the facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said<'t> {
    pub(super) path: Cow<'t, str>,
    pub(super) called: bool,
}

impl<'t> FlatTree<'t> {
    /// The dotted name that an expression is; `None` for any other expression.
    pub(super) fn path(&self, at: At) -> Option<Cow<'t, str>> {
        let mut segments: Vec<&'t str> = Vec::new();
        let mut object = at;
        for _ in 0..MAX_SEGMENTS {
            match self.kind(object) {
                Kind::Identifier => {
                    segments.push(self.text(object));
                    return Some(self.joined(at, &segments));
                }
                Kind::Attribute | Kind::MemberType => {
                    let mut operands = self.operands(object);
                    let inner = operands.next()?;
                    segments.push(self.text(operands.next()?));
                    object = inner;
                }
                Kind::ParenthesizedExpression | Kind::Type => {
                    object = self.operands(object).next()?;
                }
                Kind::Splat if object != at => object = self.without_splat(object)?,
                _ => return None,
            }
        }
        None
    }

    /// A borrowed name where the text holds it in one piece. The segments are in reverse.
    fn joined(&self, at: At, segments: &[&'t str]) -> Cow<'t, str> {
        let letters: usize = segments.iter().map(|segment| segment.len()).sum();
        let text = self.text(at);
        if text.len() + 1 == letters + segments.len() {
            return text.into();
        }
        let segments: Vec<&str> = segments.iter().rev().copied().collect();
        segments.join(".").into()
    }

    /// The names of a dotted name, joined; without the blanks that may stand between them.
    pub(super) fn dotted(&self, at: At) -> Cow<'t, str> {
        let segments: Vec<&str> = self.operands(at).map(|part| self.text(part)).collect();
        match *segments {
            [only] => only.into(),
            _ => segments.join(".").into(),
        }
    }

    /// The part of a dotted name that stands before one of its segments.
    pub(super) fn before_segment(&self, dotted: At, segment: At) -> Option<Cow<'t, str>> {
        let parts = self.operands(dotted).take_while(|&part| part < segment);
        let segments: Vec<&str> = parts
            .take(MAX_SEGMENTS + 1)
            .map(|part| self.text(part))
            .collect();
        match *segments {
            [] => None,
            [only] => Some(only.into()),
            _ => (segments.len() <= MAX_SEGMENTS).then(|| segments.join(".").into()),
        }
    }

    /// What an expression is, where it is a name or a call of one.
    ///
    /// What is awaited counts for its result, and of `a = b` it is `b`.
    pub(super) fn value(&self, at: At) -> Option<Said<'t>> {
        let mut inner = at;
        for _ in 0..MAX_SEGMENTS {
            inner = match self.kind(inner) {
                Kind::ParenthesizedExpression | Kind::Await => self.operands(inner).next()?,
                Kind::Assignment | Kind::AugmentedAssignment => self.child(inner, Field::Right)?,
                Kind::Call => {
                    let callee = self.without_splat(self.child(inner, Field::Function)?)?;
                    let path = self.path(callee)?;
                    return Some(Said { path, called: true });
                }
                _ => {
                    let path = self.path(inner)?;
                    return Some(Said {
                        path,
                        called: false,
                    });
                }
            }
        }
        None
    }

    /// To the grammar `*a.b()` can be a call or member of `*a`.
    pub(super) fn without_splat(&self, at: At) -> Option<At> {
        match self.kind(at) {
            Kind::Splat => self.operands(at).next(),
            _ => Some(at),
        }
    }

    /// What a superclass is; `Base[T]` is `Base`.
    pub(super) fn base(&self, at: At) -> Option<Said<'t>> {
        let mut inner = at;
        for _ in 0..MAX_SEGMENTS {
            if self.kind(inner) != Kind::Subscript {
                return self.value(inner);
            }
            inner = self.child(inner, Field::Value)?;
        }
        None
    }

    /// What an annotation says: an instance of a class, which is what a call of it is; the class for `type[…]`.
    pub(super) fn annotation(&self, at: At) -> Option<Said<'t>> {
        let mut inner = at;
        let mut called = true;
        for _ in 0..MAX_SEGMENTS {
            inner = match self.kind(inner) {
                Kind::Type | Kind::TypeParameter | Kind::ParenthesizedExpression => {
                    self.operands(inner).next()?
                }
                Kind::String => {
                    let path = self.quoted_name(inner)?.into();
                    return Some(Said { path, called });
                }
                Kind::BinaryOperator | Kind::UnionType => self.optional(inner)?,
                Kind::GenericType | Kind::Subscript => {
                    let mut operands = self.operands(inner);
                    let path = self.path(operands.next()?)?;
                    let last = path.rsplit('.').next().unwrap_or_default();
                    match last {
                        "type" | "Type" => called = false,
                        _ if TRANSPARENT.contains(&last) => {}
                        _ => return Some(Said { path, called }),
                    }
                    operands.next()?
                }
                _ => {
                    let path = self.path(inner)?;
                    return Some(Said { path, called });
                }
            }
        }
        None
    }

    /// The other side of `… | None`.
    fn optional(&self, at: At) -> Option<At> {
        let mut operands = self.operands(at);
        let (left, right) = (operands.next()?, operands.next()?);
        match (self.is_none(left), self.is_none(right)) {
            (false, true) => Some(left),
            (true, false) => Some(right),
            _ => None,
        }
    }

    fn is_none(&self, at: At) -> bool {
        let inner = match self.kind(at) {
            Kind::Type => self.operands(at).next(),
            _ => Some(at),
        };
        inner.is_some_and(|inner| self.kind(inner) == Kind::None)
    }

    /// The dotted name that a string consists of.
    fn quoted_name(&self, at: At) -> Option<&'t str> {
        let content = self.string_content(at)?;
        let is_name = |segment: &str| {
            let mut letters = segment.chars();
            let first = letters.next();
            first.is_some_and(|letter| letter.is_alphabetic() || letter == '_')
                && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
        };
        let is_path = content.split('.').all(is_name)
            && content.split('.').count() <= MAX_SEGMENTS
            && content != "None";
        is_path.then_some(content)
    }

    /// The text between a string's quotes; `None` where it holds interpolations.
    pub(super) fn string_content(&self, at: At) -> Option<&'t str> {
        let mut content = "";
        for child in self.children(at) {
            match self.kind(child) {
                Kind::Interpolation => return None,
                Kind::StringContent => content = self.text(child),
                _ => {}
            }
        }
        Some(content)
    }

    /// The first line of a body's docstring that is not blank, trimmed and cut; escapes stay as they are written.
    pub(super) fn docstring(&self, body: At) -> Option<String> {
        let statement = self.operands(body).next()?;
        let is_expression = self.kind(statement) == Kind::ExpressionStatement;
        let mut operands = self.operands(statement);
        let expression = operands.next().filter(|_| is_expression)?;
        if operands.next().is_some() {
            return None;
        }
        let mut string = expression;
        for _ in 0..MAX_SEGMENTS {
            if self.kind(string) != Kind::ParenthesizedExpression {
                break;
            }
            string = self.operands(string).next()?;
        }
        match self.kind(string) {
            Kind::String => first_line(self.plain_string(string)?),
            Kind::ConcatenatedString => {
                let pieces = self.operands(string).map(|piece| self.plain_string(piece));
                first_line(&pieces.collect::<Option<String>>()?)
            }
            _ => None,
        }
    }

    /// The content of a string that is neither bytes nor has interpolations.
    fn plain_string(&self, at: At) -> Option<&'t str> {
        let prefix = self.text(at).split(['"', '\'']).next().unwrap_or_default();
        let plain = !prefix.contains(['b', 'B', 'f', 'F']);
        plain.then(|| self.string_content(at)).flatten()
    }
}

fn first_line(content: &str) -> Option<String> {
    // A backslash at the end of a line joins it with the next one.
    let lines = content
        .lines()
        .map(|line| line.trim_end_matches('\\').trim());
    let line = lines.into_iter().find(|line| !line.is_empty())?;
    Some(line.chars().take(MAX_DOCSTRING).collect())
}
