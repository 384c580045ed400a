//! The statements at the top of a file and its import statements, as ranges of its text.
//!
//! Facts say what names mean; a program that rewrites a file also needs to know where the text of a
//! statement begins and ends.

mod ecmascript;
mod python;

use std::ops::Range;

use tree_sitter::Node;

use crate::file_code::FileCode;
use crate::language::Language;
use crate::parse::{ParsedText, Reuse};

/// The statements of a file. Ranges are bytes of its text.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::layout::{Layout, StatementKind};
/// use ragnav_syntax::find_language;
///
/// let python = find_language("python").unwrap();
/// let layout = Layout::of(python, "import a\n\ndef f(): pass\n").unwrap();
/// let kinds: Vec<_> = layout.statements.iter().map(|one| one.kind).collect();
/// assert_eq!(kinds, [StatementKind::Import, StatementKind::Definition]);
/// assert_eq!(layout.imports[0].items[0].name, 7..8);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// The statements and comments directly in the file, in source order.
    pub statements: Vec<Statement>,
    /// The import statements at any depth, in source order; in JavaScript also `export … from`.
    pub imports: Vec<ImportStatement>,
    /// Whether the text has a syntax error.
    pub has_error: bool,
}

/// A statement directly in a file.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::layout::{Statement, StatementKind};
///
/// let statement = Statement { kind: StatementKind::Comment, range: 0..3 };
/// assert_eq!(statement.range.len(), 3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// What the statement is.
    pub kind: StatementKind,
    /// Its text, with decorators and the keyword `export`.
    pub range: Range<usize>,
}

/// What a statement at the top of a file is.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::layout::StatementKind;
///
/// assert_ne!(StatementKind::Import, StatementKind::Definition);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementKind {
    /// A comment.
    Comment,
    /// A string without use: the documentation of the file, or a directive such as `"use strict"`.
    Text,
    /// An import.
    Import,
    /// A function, class, type or variable.
    Definition,
    /// Any other statement.
    Other,
}

/// An import statement, or an export of names of another module.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::find_language;
/// use ragnav_syntax::layout::{ImportForm, Layout};
///
/// let python = find_language("python").unwrap();
/// let text = "from .shop import Cart as C, total\n";
/// let layout = Layout::of(python, text).unwrap();
/// let [statement] = &layout.imports[..] else { panic!("there is one import") };
/// assert_eq!(statement.form, ImportForm::Names);
/// assert_eq!(&text[statement.module.clone().unwrap()], ".shop");
/// assert_eq!(&text[statement.items[0].range.clone()], "Cart as C");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportStatement {
    /// The text of the statement.
    pub range: Range<usize>,
    /// Whether it stands directly in the file.
    pub is_at_top: bool,
    /// How it imports.
    pub form: ImportForm,
    /// The module, with its quotes in JavaScript; `None` for `import a` of Python.
    pub module: Option<Range<usize>>,
    /// What it imports by name.
    pub items: Vec<ImportItem>,
}

/// How a statement imports.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::layout::ImportForm;
///
/// assert_ne!(ImportForm::Names, ImportForm::Modules);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportForm {
    /// Modules: `import a, b as c` of Python.
    Modules,
    /// Names of a module: `from a import b`, `import { b } from "./a"`.
    Names,
    /// Names of a module that are only types: `import type { B } from "./a"`.
    Types,
    /// Names that are exported again: `export { b } from "./a"`.
    Exports,
    /// Types that are exported again: `export type { B } from "./a"`.
    ExportedTypes,
    /// Anything else, such as `from a import *`, or names beside a default import.
    Other,
}

/// A name that a statement imports.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::layout::ImportItem;
///
/// let item = ImportItem { range: 14..20, name: 14..15, alias: Some(19..20) };
/// assert_eq!(item.range.len(), 6);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportItem {
    /// The name with its alias.
    pub range: Range<usize>,
    /// The name, as the module has it.
    pub name: Range<usize>,
    /// The name that the statement gives it.
    pub alias: Option<Range<usize>>,
}

impl Layout {
    /// Returns the statements of a text of Python, JavaScript or TypeScript; `None` for another
    /// language, and if its grammar is not loaded.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::find_language;
    /// use ragnav_syntax::layout::Layout;
    ///
    /// assert!(Layout::of(find_language("python").unwrap(), "x = 1\n").is_some());
    /// assert!(Layout::of(find_language("ruby").unwrap(), "x = 1\n").is_none());
    /// ```
    #[must_use]
    pub fn of(language: &Language, text: &str) -> Option<Self> {
        let read = match language.name {
            "python" => python::read,
            "javascript" | "typescript" | "tsx" => ecmascript::read,
            _ => return None,
        };
        let mut code = FileCode::find(language, text)?;
        let ParsedText { tree, end } = code.parse(Reuse::Nothing)?;
        let mut layout = Self {
            has_error: code.is_partial || tree.has_error() || end < text.len(),
            ..Self::default()
        };
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            let is_at_top = node
                .parent()
                .is_some_and(|parent| parent.parent().is_none());
            read(&mut layout, node, is_at_top);
            if !advance(&mut cursor) {
                return Some(layout);
            }
        }
    }
}

/// Moves to the next node in source order. Returns `false` at the end.
pub(crate) fn advance(cursor: &mut tree_sitter::TreeCursor<'_>) -> bool {
    if cursor.goto_first_child() {
        return true;
    }
    while !cursor.goto_next_sibling() {
        if !cursor.goto_parent() {
            return false;
        }
    }
    true
}

/// Returns the children of a node with a field.
fn fields<'t>(node: Node<'t>, field: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(field, &mut cursor).collect()
}

/// Returns the named children of a node.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}
