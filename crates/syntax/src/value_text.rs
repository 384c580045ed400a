//! The text of a value, before its name is interned.

use crate::facts::{TYPE_NUMBER, tuple_parts};
use crate::tree::NodeIndex;

/// The maximum length of a path, in bytes. Each member of a chain repeats the chain before it.
const MAX_BYTES: usize = 200;

/// A path or a call of one, see [`Value`](crate::facts::Value), before its name is interned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValueText {
    pub(crate) path: String,
    pub(crate) is_called: bool,
    /// Whether types or functions are arguments of it. Then the result of code outside of the
    /// repository may be of a type of the repository: `sync.OnceValue(func() *T { … })` in Go.
    pub(crate) has_arguments: bool,
}

/// An argument of a call, see [`ArgumentFact`](crate::facts::ArgumentFact), before its value is
/// interned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ArgumentText {
    Unknown,
    Null,
    Function,
    Value(ValueText),
}

impl From<Option<ValueText>> for ArgumentText {
    fn from(value: Option<ValueText>) -> Self {
        value.map_or(Self::Unknown, Self::Value)
    }
}

impl ValueText {
    pub(crate) fn name(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            is_called: false,
            has_arguments: false,
        }
    }

    pub(crate) fn call(path: impl Into<String>) -> Self {
        Self {
            is_called: true,
            ..Self::name(path)
        }
    }

    /// Returns the name that stands for an expression with several values, by its node. No name in
    /// code begins with `|`.
    pub(crate) fn choice(node: NodeIndex) -> Self {
        Self::name(format!("|{node}"))
    }

    /// Returns what stands for a type or a call that is a fact of its own, by the number of its
    /// node.
    pub(crate) fn numbered(node: NodeIndex) -> Self {
        Self::name(format!("{TYPE_NUMBER}{node}"))
    }

    /// Reports whether a type or a call that is a fact of its own stands for the value.
    pub(crate) fn is_numbered(&self) -> bool {
        self.path.starts_with(TYPE_NUMBER)
    }

    /// Returns a value of the type, or the result of the function, for which a number stands.
    pub(crate) fn called_number(node: NodeIndex) -> Self {
        Self {
            is_called: true,
            ..Self::numbered(node)
        }
    }

    /// Returns the path, with `()` if it is called.
    pub(crate) fn into_path(self) -> String {
        if self.is_called {
            format!("{}()", self.path)
        } else {
            self.path
        }
    }

    pub(crate) fn is_container(&self) -> bool {
        !self.is_called && self.path.starts_with(['[', '{'])
    }

    /// Reports whether the value is a container or a tuple, of which a path cannot name a member.
    pub(crate) fn is_literal(&self) -> bool {
        self.is_container() || self.is_tuple()
    }

    pub(crate) fn is_tuple(&self) -> bool {
        !self.is_called && self.path.starts_with('(')
    }

    /// Returns a sequence of such values.
    pub(crate) fn into_sequence(self) -> Self {
        let has_arguments = self.has_arguments;
        Self::name(format!("[{}]", self.into_path())).with_arguments(has_arguments)
    }

    /// Returns a mapping to such values.
    pub(crate) fn into_mapping(self) -> Self {
        let has_arguments = self.has_arguments;
        Self::name(format!("{{{}}}", self.into_path())).with_arguments(has_arguments)
    }

    /// Returns the value of an element.
    pub(crate) fn element(self) -> Option<Self> {
        let has_arguments = self.has_arguments;
        let element = if self.is_container() {
            Self::name(self.path.get(1..self.path.len().checked_sub(1)?)?)
        } else {
            Self::name(format!("{}[]", self.into_path()))
        };
        Some(element.with_arguments(has_arguments))
    }

    /// Returns what a loop over the value gets.
    pub(crate) fn loop_element(self) -> Option<Self> {
        if self.is_container() {
            return self.element();
        }
        let has_arguments = self.has_arguments;
        let element = Self::name(format!("{}*", self.into_path()));
        Some(element.with_arguments(has_arguments))
    }

    /// Returns a function that returns such values.
    pub(crate) fn into_function(self) -> Self {
        let has_arguments = self.has_arguments;
        Self::name(format!("<{}>", self.into_path())).with_arguments(has_arguments)
    }

    /// Returns several elements of a container.
    pub(crate) fn into_slice(self) -> Self {
        if self.is_container() {
            return self;
        }
        let has_arguments = self.has_arguments;
        Self::name(format!("{}[:]", self.into_path())).with_arguments(has_arguments)
    }

    /// Returns the value of a part of a tuple, which is a member with this name of anything else; a
    /// container has none.
    pub(crate) fn part(self, place: usize, name: &str) -> Option<Self> {
        if !self.is_tuple() {
            return self.member(name);
        }
        let inner = self.path.get(1..self.path.len().checked_sub(1)?)?;
        let part = tuple_parts(inner).nth(place);
        let part = part.filter(|part| !part.is_empty())?;
        let value = match part.strip_suffix("()") {
            Some(called) => Self::call(called),
            None => Self::name(part),
        };
        Some(value.with_arguments(self.has_arguments))
    }

    /// Returns the value of a member; a container and a tuple have none.
    pub(crate) fn member(self, name: &str) -> Option<Self> {
        let has_arguments = self.has_arguments;
        (!self.is_literal()).then(|| {
            let path = format!("{}.{name}", self.into_path());
            Self::name(path).with_arguments(has_arguments)
        })
    }

    /// Returns the result of a call of the value; a container and a tuple have none.
    pub(crate) fn called(self) -> Option<Self> {
        let has_arguments = self.has_arguments;
        (!self.is_literal()).then(|| Self::call(self.into_path()).with_arguments(has_arguments))
    }

    /// Returns the value of the second, third or further result of a call: its member `1` or `2`.
    pub(crate) fn result(self, place: usize) -> Option<Self> {
        match place {
            0 => Some(self),
            _ if self.is_called => {
                let path = format!("{}.{place}", self.path);
                Some(Self::name(path).with_arguments(self.has_arguments))
            }
            _ => None,
        }
    }

    pub(crate) fn with_arguments(self, has_arguments: bool) -> Self {
        Self {
            has_arguments: self.has_arguments || has_arguments,
            ..self
        }
    }

    pub(crate) fn within_limit(self) -> Option<Self> {
        (self.path.len() <= MAX_BYTES).then_some(self)
    }
}

/// Returns the name of the type of what an operator makes of values of two types. The names of the
/// types of truth values and texts differ between Java and C#.
pub(crate) fn type_of_operation(
    operator: &str,
    types: [Option<&'static str>; 2],
    (truth, text): (&'static str, &'static str),
) -> Option<&'static str> {
    match operator {
        "!=" | "&&" | "<" | "<=" | "==" | ">" | ">=" | "||" => Some(truth),
        "+" if types.contains(&Some(text)) => Some(text),
        "%" | "*" | "+" | "-" | "/" if types == [Some("int"); 2] => Some("int"),
        _ => None,
    }
}
