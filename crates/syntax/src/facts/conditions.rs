//! Conditional compilation: the conditions under which the parts of a text are compiled.

use serde::{Deserialize, Serialize};

use super::ids::Position;

/// The longest condition of a row, in bytes. Of a longer one, the innermost parts are kept.
const MAX_CONDITION: usize = 200;

/// What stands in place of the parts that are left out.
const CUT: &str = "…";

/// The conditions under which the parts of a text are compiled.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::Position;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "#ifdef _WIN32\nint f(void);\n#else\nint g(void);\n#endif\nint h(void);\n";
/// let facts = extract_facts(find_language("c").unwrap(), text);
/// let at = |line| facts.conditions.at(Position { line, start_utf16: 0 });
/// assert_eq!(at(2).as_deref(), Some("defined(_WIN32)"));
/// assert_eq!(at(4).as_deref(), Some("!defined(_WIN32)"));
/// assert_eq!(at(6), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// The conditions as the text writes them, without duplicates.
    pub(crate) texts: Vec<String>,
    /// The conditions with those around them. One that encloses others precedes them.
    pub(crate) parts: Vec<Condition>,
    /// The places where another condition begins to hold, in source order.
    pub(crate) changes: Vec<Change>,
}

/// A condition, which holds together with those around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Condition {
    /// The index of its text.
    pub(crate) text: u32,
    /// Whether the text must not hold, as in a branch `#else`.
    pub(crate) is_negated: bool,
    /// The index of the condition around this one.
    pub(crate) enclosing: Option<u32>,
}

/// A place where another condition begins to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Change {
    pub(crate) position: Position,
    /// The index of the innermost condition; `None` if there is none from here on.
    pub(crate) condition: Option<u32>,
}

impl Conditions {
    /// Returns the condition under which a place is compiled: those of all constructs around it,
    /// joined with `&&`. Returns `None` for a place that is always compiled.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::facts::Position;
    /// use ragnav_syntax::{extract_facts, find_language};
    ///
    /// let text = "#if A || B\n#if C\nint f(void);\n#endif\n#endif\n";
    /// let facts = extract_facts(find_language("c").unwrap(), text);
    /// let condition = facts.conditions.at(Position { line: 3, start_utf16: 4 });
    /// assert_eq!(condition.as_deref(), Some("(A || B) && C"));
    /// ```
    #[must_use]
    pub fn at(&self, position: Position) -> Option<String> {
        let after = self
            .changes
            .partition_point(|change| change.position <= position);
        let innermost = self.changes.get(after.checked_sub(1)?)?.condition?;
        let mut parts: Vec<String> = Vec::new();
        let mut length = 0;
        let mut next = Some(innermost);
        while let Some((at, condition)) = next.and_then(|at| Some((at, self.condition(at)?))) {
            let part = self.written(condition);
            length += part.len();
            parts.push(part);
            if length > MAX_CONDITION {
                break;
            }
            // Damaged facts could otherwise contain a cycle.
            next = condition.enclosing.filter(|enclosing| *enclosing < at);
        }
        parts.reverse();
        join_conditions(&parts)
    }

    fn condition(&self, at: u32) -> Option<Condition> {
        self.parts.get(at as usize).copied()
    }

    fn written(&self, condition: Condition) -> String {
        let text = self.texts.get(condition.text as usize);
        let text = text.map(String::as_str).unwrap_or_default();
        if condition.is_negated {
            negate(text)
        } else {
            text.to_owned()
        }
    }
}

/// Joins conditions that must all hold, the outermost first. Of too many, `…` replaces the
/// outermost. Returns `None` if there are none.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::facts::join_conditions;
///
/// let conditions = ["linux".to_owned(), "amd64 || arm64".to_owned()];
/// assert_eq!(join_conditions(&conditions).as_deref(), Some("linux && (amd64 || arm64)"));
/// assert_eq!(join_conditions(&[]), None);
/// ```
#[must_use]
pub fn join_conditions(conditions: &[String]) -> Option<String> {
    if let [only] = conditions {
        return Some(only.clone());
    }
    let mut joined = String::new();
    for condition in conditions.iter().rev() {
        if joined.len() + condition.len() > MAX_CONDITION && !joined.is_empty() {
            return Some(format!("{CUT} && {joined}"));
        }
        let is_weak = has_weak_operator(condition);
        let operand = if is_weak {
            format!("({condition})")
        } else {
            condition.clone()
        };
        joined = match joined.as_str() {
            "" => operand,
            inner => format!("{operand} && {inner}"),
        };
    }
    (!joined.is_empty()).then_some(joined)
}

/// Reports whether a condition has an operator outside of parentheses that binds less than `&&`.
fn has_weak_operator(text: &str) -> bool {
    let mut depth = 0_usize;
    text.char_indices().any(|(at, letter)| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let rest = text.get(at..).unwrap_or_default();
        depth == 0 && (letter == '?' || rest.starts_with("||"))
    })
}

/// Returns the opposite of a condition: `!defined(A)` for `defined(A)`, `!(A && B)` for `A && B`.
fn negate(text: &str) -> String {
    if is_defined(text) {
        return format!("!{text}");
    }
    match text.strip_prefix('!').filter(|rest| is_defined(rest)) {
        Some(rest) => rest.to_owned(),
        None => format!("!({text})"),
    }
}

/// Reports whether a condition is `defined(A)` or `defined A`, and nothing else.
fn is_defined(text: &str) -> bool {
    let is_name = |name: &str| {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        !name.is_empty() && name.chars().all(is_part)
    };
    let Some(operand) = text.strip_prefix("defined") else {
        return false;
    };
    let bracketed = operand.trim().strip_prefix('(');
    match bracketed.and_then(|rest| rest.strip_suffix(')')) {
        Some(name) => is_name(name.trim()),
        None => operand.strip_prefix(' ').is_some_and(is_name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_single_test_of_a_name_is_negated_without_parentheses() {
        for (text, negated) in [
            ("defined(A)", "!defined(A)"),
            ("defined A", "!defined A"),
            ("!defined(A)", "defined(A)"),
            ("A", "!(A)"),
            ("defined(A) && defined(B)", "!(defined(A) && defined(B))"),
            ("!defined(A) || B", "!(!defined(A) || B)"),
            ("definedA", "!(definedA)"),
        ] {
            assert_eq!(negate(text), negated, "{text}");
        }
    }

    #[test]
    fn damaged_conditions_end() {
        let condition = |enclosing| Condition {
            text: 9,
            is_negated: true,
            enclosing,
        };
        let position = Position {
            line: 1,
            start_utf16: 0,
        };
        let conditions = Conditions {
            texts: Vec::new(),
            parts: vec![condition(Some(1)), condition(Some(0))],
            changes: vec![Change {
                position,
                condition: Some(1),
            }],
        };
        assert_eq!(conditions.at(position).as_deref(), Some("!() && !()"));
    }
}
