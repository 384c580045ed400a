//! Definitions with their lines, as callers see them.

use crate::facts::conditions::Conditions;
use ragnav_base::item::DefinitionKind;

/// The definitions of a text, in source order.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{extract_outline, find_language};
///
/// let outline = extract_outline(find_language("python").unwrap(), "def f(): pass\ndef g(:\n");
/// assert_eq!(outline.definitions[0].name_path, "f");
/// // A syntax error is no limit.
/// assert!(!outline.is_partial);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline<D = Symbol> {
    /// The definitions; an enclosing definition precedes those inside it.
    pub definitions: Vec<D>,
    /// The conditions under which the parts of the text are compiled.
    pub conditions: Conditions,
    /// Whether the text has syntax errors, around which definitions may be missing.
    pub has_errors: bool,
    /// Whether a limit was exceeded, so that definitions are missing.
    pub is_partial: bool,
}

impl<D> Outline<D> {
    /// Returns the outline of a text that cannot be parsed.
    pub(crate) fn partial() -> Self {
        Self {
            definitions: Vec::new(),
            conditions: Conditions::default(),
            has_errors: false,
            is_partial: true,
        }
    }

    pub(crate) fn map<E>(self, definitions: impl FnOnce(Vec<D>) -> Vec<E>) -> Outline<E> {
        Outline {
            definitions: definitions(self.definitions),
            conditions: self.conditions,
            has_errors: self.has_errors,
            is_partial: self.is_partial,
        }
    }
}

/// A definition in a text. Lines are 1-based and inclusive.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::DefinitionKind;
/// use ragnav_syntax::{extract_symbols, find_language};
///
/// let text = "class Cart:\n    def total(self):\n        return 0\n";
/// let symbols = extract_symbols(find_language("python").unwrap(), text);
/// let total = &symbols[1];
/// assert_eq!((total.name_path.as_str(), total.kind), ("Cart.total", DefinitionKind::Method));
/// assert_eq!((total.start_line, total.end_line), (2, 3));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The kind of definition.
    pub kind: DefinitionKind,
    /// The names of the enclosing definitions and its own, joined with dots: `A.f`.
    pub name_path: String,
    /// The 0-based index among the definitions of the text with the same name path.
    pub ordinal: usize,
    /// The line of the first decorator, or `start_line` without decorators.
    pub decorated_start_line: usize,
    /// The line on which the definition begins: in Python the line of `def` or `class`.
    pub start_line: usize,
    /// The column at which the definition begins, 0-based and in UTF-16 code units.
    pub start_utf16: u32,
    /// The line on which the last statement ends. Trailing comments do not count.
    pub end_line: usize,
    /// The column just past the last statement on that line, in UTF-16 code units.
    pub end_utf16: u32,
}

impl Symbol {
    /// Reports whether the definition contains a line. Decorators do not count.
    #[must_use]
    pub(crate) fn contains_line(&self, line: usize) -> bool {
        (self.start_line..=self.end_line).contains(&line)
    }

    /// Reports whether the definition contains text that ends at this column of a line.
    ///
    /// Text before it begins on its first line is outside, and so is text after it on its last one.
    #[must_use]
    pub(crate) fn contains_end(&self, line: usize, end_utf16: u32) -> bool {
        let is_before = line == self.start_line && end_utf16 <= self.start_utf16;
        let is_after = line == self.end_line && end_utf16 > self.end_utf16;
        self.contains_line(line) && !is_before && !is_after
    }
}
