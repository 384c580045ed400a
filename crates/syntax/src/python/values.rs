//! Reads expressions as dotted names: `a.b`, `a.b(…)`, `a().b[…]`.

use std::borrow::Cow;

use ragnav_base::hash::HashMap;

use super::kinds::FlatTree;
use super::kinds::{Field, Kind};
use super::value_text::{MAX_SEGMENTS, ValueText};
use crate::tree::NodeIndex;

/// The maximum number of segments of a name with calls. In some texts a chain is a whole program.
const MAX_CALL_SEGMENTS: usize = 16;
/// The maximum length of a name with calls, in bytes.
const MAX_CALL_BYTES: usize = 200;

/// The maximum length of a docstring, in characters.
const MAX_DOCSTRING: usize = 200;

/// The maximum length of an index that is kept, in bytes.
const MAX_INDEX: usize = 32;

/// A segment of a dotted name and its suffixes `()` and `[]`, the last one first.
type Segment<'t> = (&'t str, Vec<Cow<'static, str>>);

/// The numbers of the calls whose arguments are known.
pub(super) type CallNumbers = HashMap<NodeIndex, u32>;

/// The binary operators, with the method of the left operand that each calls.
const OPERATORS: [(&str, &str); 13] = [
    ("+", "__add__"),
    ("-", "__sub__"),
    ("*", "__mul__"),
    ("/", "__truediv__"),
    ("//", "__floordiv__"),
    ("%", "__mod__"),
    ("@", "__matmul__"),
    ("**", "__pow__"),
    ("&", "__and__"),
    ("|", "__or__"),
    ("^", "__xor__"),
    ("<<", "__lshift__"),
    (">>", "__rshift__"),
];

/// The attribute of an instance that is its class.
const CLASS_OF_INSTANCE: &str = "__class__";

impl<'t> FlatTree<'t> {
    /// Returns the dotted name of an expression, including calls and subscripts.
    ///
    /// Returns `None` for any other expression.
    pub(super) fn path(&self, node: NodeIndex) -> Option<Cow<'t, str>> {
        self.numbered_path(node, &CallNumbers::default())
    }

    /// Returns the dotted name of an expression, with the numbers of calls: `a(3)`.
    pub(super) fn numbered_path(
        &self,
        node: NodeIndex,
        calls: &CallNumbers,
    ) -> Option<Cow<'t, str>> {
        let mut segments: Vec<Segment<'t>> = Vec::new();
        let mut suffixes: Vec<Cow<'static, str>> = Vec::new();
        let mut object = node;
        for _ in 0..MAX_SEGMENTS {
            match self.kind(object) {
                Kind::Identifier => {
                    segments.push((self.text(object), suffixes));
                    return self.join_segments(node, &segments);
                }
                Kind::Attribute | Kind::MemberType => {
                    let mut operands = self.operands(object);
                    let inner = operands.next()?;
                    let name = self.text(operands.next()?);
                    segments.push((name, std::mem::take(&mut suffixes)));
                    object = inner;
                }
                Kind::Call if self.is_cast(object) => {
                    suffixes.push("()".into());
                    let of_type = self.argument(object)?;
                    match self.kind(of_type) {
                        Kind::Identifier | Kind::Attribute => object = of_type,
                        _ => {
                            let is_part = |one: char| one.is_alphanumeric() || one == '_';
                            let name = self.plain_string(of_type)?;
                            let name = Some(name).filter(|name| name.chars().all(is_part))?;
                            segments.push((name, suffixes));
                            return self.join_segments(node, &segments);
                        }
                    }
                }
                Kind::Call if self.is_copy(object) => object = self.argument(object)?,
                Kind::Call if self.is_class_of(object) => {
                    segments.push((CLASS_OF_INSTANCE, std::mem::take(&mut suffixes)));
                    object = self.argument(object)?;
                }
                Kind::Call => {
                    suffixes.push(call_suffix(calls.get(&object)));
                    object = self.without_splat(self.child(object, Field::Function)?)?;
                }
                Kind::Subscript => {
                    suffixes.push(self.index_suffix(object));
                    object = self.child(object, Field::Value)?;
                }
                Kind::ParenthesizedExpression | Kind::Type | Kind::Await => {
                    object = self.operands(object).next()?;
                }
                Kind::BinaryOperator => {
                    suffixes.push("()".into());
                    segments.push((self.operator_method(object)?, std::mem::take(&mut suffixes)));
                    object = self.operands(object).next()?;
                }
                Kind::Splat if object != node => object = self.without_splat(object)?,
                _ => return None,
            }
        }
        None
    }

    /// Returns the method of the left operand that a binary operator calls, or that of an augmented
    /// assignment without its `=`, [as the data model says].
    ///
    /// [as the data model says]: https://docs.python.org/3/reference/datamodel.html
    pub(super) fn operator_method(&self, node: NodeIndex) -> Option<&'static str> {
        let mut operands = self.operands(node);
        let (left, right) = (operands.next()?, operands.next()?);
        let start = self.node(node).start;
        let [from, to] = [self.node(left).end, self.node(right).start].map(|at| at - start);
        let operator = self.text(node).get(from as usize..to as usize)?.trim();
        let operator = operator.strip_suffix('=').unwrap_or(operator);
        let mut known = OPERATORS.iter();
        known.find_map(|(text, method)| (*text == operator).then_some(*method))
    }

    /// Reports whether a call is `typing.cast(T, value)`, whose value is an instance of `T`.
    fn is_cast(&self, call: NodeIndex) -> bool {
        const MODULES: [&str; 5] = ["t", "te", "tp", "typing", "typing_extensions"];
        self.is_call_of(call, "cast", &MODULES, true)
    }

    /// Reports whether a call is `copy.copy(value)` or `copy.deepcopy(value)`.
    fn is_copy(&self, call: NodeIndex) -> bool {
        self.is_call_of(call, "copy", &["copy"], false)
            || self.is_call_of(call, "deepcopy", &["copy"], true)
    }

    /// Reports whether a call is `type(value)`, the class of the value.
    fn is_class_of(&self, call: NodeIndex) -> bool {
        let arguments = || self.operands(call).nth(1);
        self.is_call_of(call, "type", &[], true)
            && arguments().is_some_and(|all| self.operands(all).count() == 1)
    }

    /// Reports whether a call stands for its argument, a type of it or its class.
    pub(super) fn is_read_as_argument(&self, call: NodeIndex) -> bool {
        self.is_cast(call) || self.is_copy(call) || self.is_class_of(call)
    }

    /// Reports whether a call is of a function of some modules, or by its name alone.
    fn is_call_of(&self, call: NodeIndex, name: &str, modules: &[&str], bare: bool) -> bool {
        let Some(function) = self.child(call, Field::Function) else {
            return false;
        };
        match self.kind(function) {
            Kind::Identifier => bare && self.text(function) == name,
            Kind::Attribute => {
                let mut parts = self.operands(function).map(|part| self.text(part));
                let module = parts.next().unwrap_or_default();
                modules.contains(&module) && parts.next() == Some(name)
            }
            _ => false,
        }
    }

    /// Returns the first argument of a call.
    fn argument(&self, call: NodeIndex) -> Option<NodeIndex> {
        let arguments = self.operands(call).nth(1)?;
        self.operands(arguments).next()
    }

    /// Returns the last segment of a name or attribute.
    pub(super) fn last_name(&self, node: NodeIndex) -> Option<&'t str> {
        match self.kind(node) {
            Kind::Identifier => Some(self.text(node)),
            Kind::Attribute => self.operands(node).nth(1).map(|name| self.text(name)),
            _ => None,
        }
    }

    /// Returns the suffix of a subscript: `[0]` and `['a']` for a constant, `[1:]` for a slice from
    /// it, `[:]` for another slice, and `[]` for any other.
    pub(super) fn index_suffix(&self, subscript: NodeIndex) -> Cow<'static, str> {
        let mut operands = self.operands(subscript).skip(1);
        match (operands.next(), operands.next()) {
            (Some(slice), None) if self.kind(slice) == Kind::Slice => {
                let start = self.text(slice).split(':').next().unwrap_or_default();
                let is_number = start.bytes().all(|digit| digit.is_ascii_digit());
                let is_stepped = self.text(slice).matches(':').count() > 1;
                match start {
                    "" if !is_stepped => "[0:]".into(),
                    start if is_number && start.len() <= MAX_INDEX && !is_stepped => {
                        format!("[{start}:]").into()
                    }
                    _ => "[:]".into(),
                }
            }
            (Some(index), None) => self.index_text(index).map_or("[]".into(), Cow::from),
            _ => "[]".into(),
        }
    }

    /// Returns the suffix of a constant index or key.
    pub(super) fn index_text(&self, index: NodeIndex) -> Option<String> {
        match self.kind(index) {
            Kind::Integer => {
                let digits = self.text(index);
                let is_short = digits.len() <= MAX_INDEX;
                let is_plain = digits.bytes().all(|digit| digit.is_ascii_digit());
                (is_short && is_plain).then(|| format!("[{digits}]"))
            }
            Kind::String => {
                let key = self.plain_string(index)?;
                let is_word =
                    |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | ' ');
                let is_short = key.len() <= MAX_INDEX;
                (is_short && key.chars().all(is_word)).then(|| format!("['{key}']"))
            }
            _ => None,
        }
    }

    /// Joins segments, which are in reverse order. Borrows the name if the text contains it in one
    /// piece.
    fn join_segments(&self, node: NodeIndex, segments: &[Segment<'t>]) -> Option<Cow<'t, str>> {
        let letters: usize = segments.iter().map(|(name, _)| name.len()).sum();
        let is_plain = segments.iter().all(|(_, suffixes)| suffixes.is_empty());
        let text = self.text(node);
        if is_plain && text.len() + 1 == letters + segments.len() {
            return Some(text.into());
        }
        let joined: Vec<String> = segments
            .iter()
            .rev()
            .map(|(name, suffixes)| {
                let suffixes: String = suffixes.iter().rev().map(Cow::as_ref).collect();
                format!("{name}{suffixes}")
            })
            .collect();
        let path = joined.join(".");
        let is_short = path.len() <= MAX_CALL_BYTES && segments.len() <= MAX_CALL_SEGMENTS;
        (is_plain || is_short).then(|| path.into())
    }

    /// Joins the names of a dotted name without the whitespace between them.
    pub(super) fn dotted(&self, node: NodeIndex) -> Cow<'t, str> {
        let segments: Vec<&str> = self.operands(node).map(|part| self.text(part)).collect();
        match *segments {
            [only] => only.into(),
            _ => segments.join(".").into(),
        }
    }

    /// Returns the part of a dotted name before one of its segments.
    pub(super) fn before_segment(
        &self,
        dotted: NodeIndex,
        segment: NodeIndex,
    ) -> Option<Cow<'t, str>> {
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

    /// Returns the value of an expression that is a name or a call of one.
    ///
    /// `await a()` counts as `a()`, and `a = b` as `b`.
    pub(super) fn value_text(&self, node: NodeIndex) -> Option<ValueText<'t>> {
        let mut inner = node;
        for _ in 0..MAX_SEGMENTS {
            inner = match self.kind(inner) {
                Kind::ParenthesizedExpression | Kind::Await => self.operands(inner).next()?,
                Kind::Assignment | Kind::AugmentedAssignment => self.child(inner, Field::Right)?,
                Kind::Call if !self.is_read_as_argument(inner) => {
                    let callee = self.without_splat(self.child(inner, Field::Function)?)?;
                    let path = self.path(callee)?;
                    return Some(ValueText {
                        path,
                        is_called: true,
                    });
                }
                _ => {
                    let path = self.path(inner)?;
                    return Some(ValueText {
                        path,
                        is_called: false,
                    });
                }
            }
        }
        None
    }

    /// Strips a splat: the grammar may read `*a.b()` as a call or member of `*a`.
    pub(super) fn without_splat(&self, node: NodeIndex) -> Option<NodeIndex> {
        match self.kind(node) {
            Kind::Splat => self.operands(node).next(),
            _ => Some(node),
        }
    }

    /// Returns the value of a base class. `Base[T]` counts as `Base`.
    pub(super) fn base_text(&self, node: NodeIndex) -> Option<ValueText<'t>> {
        let mut inner = node;
        for _ in 0..MAX_SEGMENTS {
            if self.kind(inner) != Kind::Subscript {
                return self.value_text(inner);
            }
            inner = self.child(inner, Field::Value)?;
        }
        None
    }

    /// Returns the text between the quotes of a string, or `None` if it has interpolations.
    pub(super) fn string_content(&self, node: NodeIndex) -> Option<&'t str> {
        let mut content = "";
        for child in self.children(node) {
            match self.kind(child) {
                Kind::Interpolation => return None,
                Kind::StringContent => content = self.text(child),
                _ => {}
            }
        }
        Some(content)
    }

    /// Returns the first line of a docstring that is not blank. Escape sequences are not decoded.
    pub(super) fn docstring(&self, body: NodeIndex) -> Option<String> {
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

    /// Returns the content of a string that is neither a bytes literal nor an f-string.
    fn plain_string(&self, node: NodeIndex) -> Option<&'t str> {
        let prefix = self
            .text(node)
            .split(['"', '\''])
            .next()
            .unwrap_or_default();
        let plain = !prefix.contains(['b', 'B', 'f', 'F']);
        plain.then(|| self.string_content(node)).flatten()
    }
}

pub(super) fn call_suffix(number: Option<&u32>) -> Cow<'static, str> {
    number.map_or("()".into(), |number| format!("({number})").into())
}

fn first_line(content: &str) -> Option<String> {
    // A backslash at the end of a line joins it with the next one.
    let lines = content
        .lines()
        .map(|line| line.trim_end_matches('\\').trim());
    let line = lines.into_iter().find(|line| !line.is_empty())?;
    Some(line.chars().take(MAX_DOCSTRING).collect())
}
