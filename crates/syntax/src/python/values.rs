//! What expressions say in a dotted name: `a.b`, `a.b(…)`, `a().b[…]`.

use std::borrow::Cow;

use super::annotations;
use super::kinds::FlatTree;
use super::kinds::{Field, Kind};
use super::value_text::{MAX_SEGMENTS, Said};
use crate::tree::At;

/// The same for names with calls in them, which are whole programs in some texts.
const MAX_CALL_SEGMENTS: usize = 16;
/// How many bytes those have at most.
const MAX_CALL_BYTES: usize = 200;

/// The first line of a docstring is cut after this many characters.
const MAX_DOCSTRING: usize = 200;

/// A segment of a dotted name, and what is done with it: `()` and `[]`, the last first.
type Segment<'t> = (&'t str, Vec<&'static str>);

impl<'t> FlatTree<'t> {
    /// The dotted name that an expression is, calls and subscripts in it included; `None` for any other expression.
    pub(super) fn path(&self, at: At) -> Option<Cow<'t, str>> {
        let mut segments: Vec<Segment<'t>> = Vec::new();
        let mut done: Vec<&'static str> = Vec::new();
        let mut object = at;
        for _ in 0..MAX_SEGMENTS {
            match self.kind(object) {
                Kind::Identifier => {
                    segments.push((self.text(object), done));
                    return self.joined(at, &segments);
                }
                Kind::Attribute | Kind::MemberType => {
                    let mut operands = self.operands(object);
                    let inner = operands.next()?;
                    let name = self.text(operands.next()?);
                    segments.push((name, std::mem::take(&mut done)));
                    object = inner;
                }
                Kind::Call => {
                    done.push("()");
                    object = self.without_splat(self.child(object, Field::Function)?)?;
                }
                Kind::Subscript => {
                    done.push("[]");
                    object = self.subscripted(object)?;
                }
                Kind::ParenthesizedExpression | Kind::Type | Kind::Await => {
                    object = self.operands(object).next()?;
                }
                Kind::Splat if object != at => object = self.without_splat(object)?,
                _ => return None,
            }
        }
        None
    }

    /// The last segment of a name or attribute.
    pub(super) fn last_name(&self, at: At) -> Option<&'t str> {
        match self.kind(at) {
            Kind::Identifier => Some(self.text(at)),
            Kind::Attribute => self.operands(at).nth(1).map(|name| self.text(name)),
            _ => None,
        }
    }

    /// What a subscript that is no slice is taken of.
    fn subscripted(&self, at: At) -> Option<At> {
        let is_slice = self.operands(at).any(|part| self.kind(part) == Kind::Slice);
        let of = self.child(at, Field::Value)?;
        (!is_slice).then_some(of)
    }

    /// A borrowed name where the text holds it in one piece. The segments are in reverse.
    fn joined(&self, at: At, segments: &[Segment<'t>]) -> Option<Cow<'t, str>> {
        let letters: usize = segments.iter().map(|(name, _)| name.len()).sum();
        let is_plain = segments.iter().all(|(_, done)| done.is_empty());
        let text = self.text(at);
        if is_plain && text.len() + 1 == letters + segments.len() {
            return Some(text.into());
        }
        let joined: Vec<String> = segments
            .iter()
            .rev()
            .map(|(name, done)| {
                let done: String = done.iter().rev().copied().collect();
                format!("{name}{done}")
            })
            .collect();
        let path = joined.join(".");
        let is_short = path.len() <= MAX_CALL_BYTES && segments.len() <= MAX_CALL_SEGMENTS;
        (is_plain || is_short).then(|| path.into())
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

    /// What an annotation says; see [`annotations::said`].
    pub(super) fn annotation(&self, at: At) -> Option<Said<'t>> {
        annotations::said(self.text(at))
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
