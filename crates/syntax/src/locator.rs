//! Maps lines to definitions and definitions to lines.
//!
//! Both directions parse the current text; no stored line number is ever used.

use serde::Deserialize;

use crate::kept;
use crate::language::Language;
use crate::languages;
use crate::symbol::Symbol;
use ragnav_base::error::RagnavError;
use ragnav_base::item::SymbolLocation;
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, wire};
use ragnav_base::symbol_id::{self, SymbolId};
use ragnav_base::text::without_bom;

/// The module part of symbol ids if the options name neither a module nor a path.
const DEFAULT_MODULE: &str = "module";

/// Options of the locator's pure functions.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::locator::{LocatorOptions, identify_symbol_at_line};
///
/// let options = LocatorOptions { path: Some("shop/cart.py".into()), ..Default::default() };
/// let symbol = identify_symbol_at_line("def total(): pass\n", 1, &options).unwrap();
/// assert_eq!(symbol.unwrap().as_str(), "sym:shop.cart.total");
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct LocatorOptions {
    /// The language. By default the extension of `path` decides, or else Python.
    pub lang: Option<String>,
    /// The module part of ids: `src.auth`. By default it is derived from `path`, or else `module`.
    pub module: Option<String>,
    /// The path of the file relative to the root of the repository.
    pub path: Option<String>,
    /// Whether the line of a decorator belongs to the decorated definition. By default it belongs
    /// to the enclosing one.
    pub decorators: Option<bool>,
}

struct LocatorContext {
    language: &'static Language,
    module: Option<String>,
}

/// Returns the id of the innermost definition that encloses `line` (1-based).
///
/// Returns `None` at module level and outside the text. A definition spans the lines from its `def`
/// or `class` to the end of its last statement, like `lineno` and `end_lineno` in CPython.
///
/// # Errors
/// Returns `LANGUAGE_UNAVAILABLE` for a language that this build lacks, and `INVALID_ARGUMENT` for
/// an invalid path.
///
/// # Examples
///
/// ```
/// # fn main() -> Result<(), ragnav_base::error::RagnavError> {
/// use ragnav_syntax::locator::{LocatorOptions, identify_symbol_at_line};
///
/// let source = "class A:\n    def f(self):\n        pass\n";
/// let symbol = identify_symbol_at_line(source, 3, &LocatorOptions::default())?;
/// assert_eq!(symbol.unwrap().dotted(), "module.A.f");
/// # Ok(())
/// # }
/// ```
pub fn identify_symbol_at_line(
    source: &str,
    line: usize,
    options: &LocatorOptions,
) -> Result<Option<SymbolId>, RagnavError> {
    let context = locator_context(options)?;
    let outline = kept::outline(context.language, without_bom(source));
    let with_decorators = options.decorators.unwrap_or(false);
    let module = context.module.as_deref().unwrap_or(DEFAULT_MODULE);
    Ok(
        enclosing_symbols(&outline.definitions, line, with_decorators)
            .last()
            .map(|symbol| SymbolId::new(module, &symbol.name_path)),
    )
}

/// Returns the lines of the first definition that a symbol id matches.
///
/// If the id starts with the known module, the rest must equal the whole name path. Otherwise the
/// longest suffix of the id that equals some name path decides.
///
/// # Errors
/// Returns `LANGUAGE_UNAVAILABLE` for a language that this build lacks, and `INVALID_ARGUMENT` for
/// an invalid path.
///
/// # Examples
///
/// ```
/// # fn main() -> Result<(), ragnav_base::error::RagnavError> {
/// use ragnav_syntax::locator::{LocatorOptions, locate_symbol};
///
/// let location = locate_symbol("x = 1\ndef f(): pass\n", "f", &LocatorOptions::default())?;
/// assert_eq!(location.unwrap().start_line, 2);
/// # Ok(())
/// # }
/// ```
pub fn locate_symbol(
    source: &str,
    symbol: &str,
    options: &LocatorOptions,
) -> Result<Option<SymbolLocation>, RagnavError> {
    let context = locator_context(options)?;
    let outline = kept::outline(context.language, without_bom(source));
    let symbol = find_symbol(
        &outline.definitions,
        symbol_id::dotted(symbol),
        context.module.as_deref(),
    );
    Ok(symbol.map(|symbol| SymbolLocation {
        start_line: wire(symbol.start_line),
        end_line: wire(symbol.end_line),
    }))
}

/// Returns the definitions that enclose a line (1-based), outermost first.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::locator::enclosing_symbols;
/// use ragnav_syntax::{extract_symbols, find_language};
///
/// let text = "class Cart:\n    @property\n    def total(self): pass\n";
/// let symbols = extract_symbols(find_language("python").unwrap(), text);
/// let names = |line, with_decorators| {
///     let enclosing = enclosing_symbols(&symbols, line, with_decorators);
///     enclosing.map(|symbol| symbol.name_path.as_str()).collect::<Vec<_>>()
/// };
/// assert_eq!(names(2, false), ["Cart"]);
/// assert_eq!(names(2, true), ["Cart", "Cart.total"]);
/// ```
pub fn enclosing_symbols(
    symbols: &[Symbol],
    line: usize,
    with_decorators: bool,
) -> impl Iterator<Item = &Symbol> {
    symbols.iter().filter(move |symbol| {
        let start = if with_decorators {
            symbol.decorated_start_line
        } else {
            symbol.start_line
        };
        (start..=symbol.end_line).contains(&line)
    })
}

/// Returns the index of the innermost definition that encloses a line (1-based).
///
/// # Examples
///
/// ```
/// use ragnav_syntax::locator::find_innermost;
/// use ragnav_syntax::{extract_symbols, find_language};
///
/// let text = "class Cart:\n    def total(self): pass\n";
/// let symbols = extract_symbols(find_language("python").unwrap(), text);
/// assert_eq!([1, 2, 3].map(|line| find_innermost(&symbols, line)), [Some(0), Some(1), None]);
/// ```
#[must_use]
pub fn find_innermost(symbols: &[Symbol], line: usize) -> Option<usize> {
    symbols
        .iter()
        .rposition(|symbol| symbol.contains_line(line))
}

/// Returns the index of the innermost definition that contains text ending at `end_utf16`.
///
/// Text before a definition on its first line is outside of that definition, and so is text after
/// it on its last line.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::locator::find_innermost_at_column;
/// use ragnav_syntax::{extract_symbols, find_language};
///
/// let text = "x = 1; y = 2\ndef f(): pass\n";
/// let symbols = extract_symbols(find_language("python").unwrap(), text);
/// assert_eq!(find_innermost_at_column(&symbols, 2, 5), Some(0));
/// assert_eq!(find_innermost_at_column(&symbols, 1, 5), None);
///
/// let symbols = extract_symbols(find_language("javascript").unwrap(), "function f() {} f();");
/// assert_eq!(find_innermost_at_column(&symbols, 1, 17), None);
/// ```
#[must_use]
pub fn find_innermost_at_column(symbols: &[Symbol], line: usize, end_utf16: u32) -> Option<usize> {
    symbols
        .iter()
        .rposition(|symbol| symbol.contains_end(line, end_utf16))
}

/// Counts the lines of a text, for messages about lines that do not exist.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::locator::count_lines;
///
/// assert_eq!(count_lines("a\nb\n"), 2);
/// ```
#[must_use]
pub fn count_lines(text: &str) -> usize {
    LineIndex::new(text).count()
}

fn find_symbol<'s>(
    symbols: &'s [Symbol],
    dotted: &str,
    module: Option<&str>,
) -> Option<&'s Symbol> {
    let named = |name_path: &str| symbols.iter().find(|symbol| symbol.name_path == name_path);
    let in_module = module
        .and_then(|module| dotted.strip_prefix(module))
        .and_then(|rest| rest.strip_prefix('.'));
    match in_module {
        Some(name_path) => named(name_path),
        None => suffixes(dotted).find_map(named),
    }
}

/// Returns a dotted name and its suffixes of whole segments, longest first.
fn suffixes(dotted: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(dotted), |rest| {
        rest.split_once('.').map(|(_, rest)| rest)
    })
}

fn locator_context(options: &LocatorOptions) -> Result<LocatorContext, RagnavError> {
    let path = options.path.as_deref().map(RepoPath::parse).transpose()?;
    let language = match (options.lang.as_deref(), &path) {
        (Some(name), _) => languages::find_language(name)?,
        (None, Some(path)) => languages::require_language(path)?,
        (None, None) => languages::find_language("python")?,
    };
    let module = options.module.clone().or_else(|| {
        let path = path.as_ref()?;
        Some(symbol_id::module_of(path, language.package_file))
    });
    Ok(LocatorContext { language, module })
}
