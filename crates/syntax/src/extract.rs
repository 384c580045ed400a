//! Entry points: from a text to its definitions and facts.

use crate::facts::{Conditions, Facts};
use crate::file_code::FileCode;
use crate::grammar_registry;
use crate::language::{Extractor, Language};
use crate::parse::{ParsedText, Reuse};
use crate::raw_definition::into_symbols;
use crate::symbol::{Outline, Symbol};
use crate::syntax_tree::SyntaxTree;
use ragnav_base::position::{LineIndex, wire};

/// The largest number of parts that are no valid syntax that are told apart.
const MAX_ERRORS: usize = 64;

/// Extracts the definitions of a text, in source order.
///
/// Parsing never fails: the parser recovers from syntax errors and reads the code around them. Time
/// and memory are linear in the size of the text; the tree needs about sixty times that size. Text
/// that would take the grammar far longer yields a partial outline without definitions.
///
/// # Examples
///
/// ```
/// # fn main() -> Result<(), ragnav_base::error::RagnavError> {
/// use ragnav_syntax::{extract_outline, find_language};
///
/// let outline = extract_outline(find_language("python")?, "def f():\n    pass\n");
/// assert_eq!(outline.definitions[0].end_line, 2);
/// assert!(!outline.is_partial);
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn extract_outline(language: &Language, text: &str) -> Outline {
    outline_of(language, text, Reuse::Nothing)
}

pub(crate) fn outline_of(language: &Language, text: &str, reuse: Reuse) -> Outline {
    let Some(mut code) = FileCode::find(language, text) else {
        return Outline {
            definitions: Vec::new(),
            conditions: Conditions::default(),
            has_errors: false,
            is_partial: false,
        };
    };
    let Some(ParsedText { tree, end }) = code.parse(reuse) else {
        return Outline::partial();
    };
    let found = match &code.language.extractor {
        Extractor::Code(own) => (own.definitions)(&tree, code.text().code),
        Extractor::Queries(_) => match grammar_registry::queries(code.language.name) {
            Some(queries) => queries.definitions(&tree.tree, text),
            None => return Outline::partial(),
        },
        Extractor::Embedded(_) => return Outline::partial(),
    };
    Outline {
        has_errors: !error_lines(&tree, code.text().file).is_empty(),
        is_partial: found.is_partial || code.is_partial || end < text.len(),
        conditions: conditions(&code, &tree),
        ..found.map(|definitions| into_symbols(definitions, text))
    }
}

/// Extracts the definitions of [`extract_outline`].
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{extract_symbols, find_language};
///
/// let symbols = extract_symbols(find_language("python").unwrap(), "def f(): pass\n");
/// assert_eq!(symbols[0].name_path, "f");
/// ```
#[must_use]
pub fn extract_symbols(language: &Language, text: &str) -> Vec<Symbol> {
    extract_outline(language, text).definitions
}

/// Extracts the facts of a text: definitions, scopes, bindings, references, imports and exports.
///
/// Parsing never fails, and time and memory are bounded as in [`extract_outline`].
///
/// # Examples
///
/// ```
/// # fn main() -> Result<(), ragnav_base::error::RagnavError> {
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python")?, "from a import b\nb()\n");
/// assert_eq!(facts.imports.len(), 1);
/// assert_eq!(facts.name(facts.references[1].name), "b");
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn extract_facts(language: &Language, text: &str) -> Facts {
    facts_of(language, text, Reuse::Nothing)
}

pub(crate) fn facts_of(language: &Language, text: &str, reuse: Reuse) -> Facts {
    let Some(mut code) = FileCode::find(language, text) else {
        return Facts::default();
    };
    let Some(ParsedText { tree, end }) = code.parse(reuse) else {
        return Facts::partial();
    };
    let mut facts = match &code.language.extractor {
        Extractor::Code(own) => (own.facts)(&tree, code.text()),
        Extractor::Queries(_) => match grammar_registry::queries(code.language.name) {
            Some(queries) => queries.facts(&tree.tree, text),
            None => return Facts::partial(),
        },
        Extractor::Embedded(_) => return Facts::partial(),
    };
    facts.is_partial |= code.is_partial || end < text.len();
    facts.errors = error_lines(&tree, code.text().file);
    facts.conditions = conditions(&code, &tree);
    facts
}

/// Returns the first and the last line of each part that is no valid syntax. Parts that touch are
/// one, and above [`MAX_ERRORS`] the last one extends to the end.
///
/// The rows of the tree are of no use: what is parsed can have fewer line breaks than the file.
fn error_lines(tree: &SyntaxTree, file: &str) -> Vec<(u32, u32)> {
    let mut errors: Vec<(u32, u32)> = Vec::new();
    if !tree.has_error() {
        return errors;
    }
    let lines = LineIndex::new(file);
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() {
            let first = wire(lines.line_at(node.start_byte()));
            let last = wire(lines.line_at(node.end_byte()));
            let is_full = errors.len() == MAX_ERRORS;
            match errors.last_mut() {
                Some((_, end)) if is_full || first <= *end + 1 => *end = last.max(*end),
                _ => errors.push((first, last)),
            }
        }
        let has_inner = node.has_error() && !node.is_error();
        if has_inner && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return errors;
            }
        }
    }
}

/// Returns the conditions under which the parts of a text are compiled.
fn conditions(code: &FileCode<'_>, tree: &SyntaxTree) -> Conditions {
    match &code.language.extractor {
        Extractor::Code(own) => (own.conditions)(tree, code.text().code),
        Extractor::Queries(_) | Extractor::Embedded(_) => Conditions::default(),
    }
}
